"""A real service for the clients to talk to."""

from collections.abc import Iterator

import pytest

from tests.support.running import running


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a whole service."""
    with running(tmp_path_factory.mktemp("service")) as address:
        yield address
