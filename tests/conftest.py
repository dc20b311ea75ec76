"""What every test may ask for: a store of its own, and how hard the property tests try."""

import os
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
import redis

from service.embedded import EmbeddedStore

_FUZZ = int(os.environ.get("ANNALES_FUZZ", "1"))

hypothesis.settings.register_profile(
    "annales",
    max_examples=100 * _FUZZ,
    deadline=None,  # the machine may be busy
    print_blob=True,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("annales")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many bad requests were sent, by all processes together, and what came of them."""
    ended = [
        report
        for reports in terminalreporter.stats.values()
        for report in reports
        if isinstance(report, pytest.TestReport) and report.when == "teardown"
    ]
    figures = [value for report in ended for name, value in report.user_properties if name == "bad_requests"]
    if figures:
        sent, refused, slowest, largest = zip(*figures, strict=True)
        terminalreporter.write_line(
            f"{sum(sent)} bad requests, {sum(refused)} of them refused; no fault, no change; the slowest answer took "
            f"{max(slowest):.3f} s, the largest refusal has {max(largest)} bytes"
        )


@pytest.fixture(scope="session")
def valkey_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that runs as in production, one for each process that runs tests."""
    store = EmbeddedStore(tmp_path_factory.mktemp("store"))
    with Path(os.devnull).open("wb") as log:
        store.start(log)
    try:
        store.wait_until_ready()
        yield store.url
    finally:
        store.stop()


@pytest.fixture
def store_url(valkey_url: str) -> str:
    """The address of an empty store."""
    with redis.Redis.from_url(valkey_url) as client:
        client.flushall()
    return valkey_url
