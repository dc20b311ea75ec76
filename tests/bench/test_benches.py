"""Each bench runs, briefly, and finds something of the right shape. No figure is judged."""

import os
import re
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bench.__main__ import BENCHES
from domain.catalogue import GAMES
from tests.support.processes import is_alive, wait_until

BRIEFLY = ["--rounds", "1", "--requests", "32", "--seconds", "0.01", "--games", "2", "--processes", "1"]
MAY_BE_NOTHING = {"won", "shared", "rate", "low", "margin", "processor", "bare_processor", *GAMES}
"""Wins of two games, processor time of 32 requests (which is counted in ticks), the share of marshmallow in a read."""


def ran(*arguments: str, temporary: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "bench", *arguments],
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


@pytest.mark.parametrize("name", BENCHES)
def test_a_bench_prints_a_table_and_writes_a_line_of_json(name: str, tmp_path: Path) -> None:
    temporary, file = tmp_path / "t", tmp_path / "found.json"
    temporary.mkdir()
    process = ran(name, "--json", str(file), *BRIEFLY, temporary=temporary)
    printed, _ = process.communicate(timeout=300)
    assert process.returncode == 0, printed
    found = msgspec.json.decode(file.read_bytes())
    bench = import_module(f"bench.{name}")
    assert found["bench"] == name
    assert found["machine"]["cores"] >= 1
    assert f"## {bench.TITLE}" in printed
    assert found["rows"]
    for row in found["rows"]:
        assert has_shape(row), row
    if name not in {"bots", "peers", "shares"}:
        assert {row["game"] for row in found["rows"]} == set(GAMES)
    assert list(temporary.glob("annales-bench-*")) == []


def has_shape(row: dict[str, Any]) -> bool:
    numbers = {key: value for key, value in row.items() if isinstance(value, (int, float))}
    return len(numbers) >= 2 and all(value > 0 or key in MAY_BE_NOTHING for key, value in numbers.items())


def test_ctrl_c_stops_whatever_a_bench_has_started(tmp_path: Path) -> None:
    process = ran("commands", temporary=tmp_path)
    try:
        wait_until(lambda: len(workers_in(tmp_path)) == 4, "the servers are up")
        workers = workers_in(tmp_path)
        process.send_signal(signal.SIGINT)
        printed, _ = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode != 0
    assert "Traceback" not in printed
    assert not any(is_alive(worker) for worker in workers)
    assert list(tmp_path.glob("annales-bench-*")) == []


def workers_in(folder: Path) -> list[int]:
    logs = [log.read_text() for log in folder.glob("annales-bench-*/*.log")]
    return [int(pid) for log in logs for pid in re.findall(r"Spawning worker-\d with PID: (\d+)", log)]
