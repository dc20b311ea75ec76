"""Waiting for what other processes do."""

import contextlib
import os
import time
from collections.abc import Callable
from pathlib import Path

PATIENCE = 120.0
"""Seconds after which a test gives up: far more than anything takes, even on a busy machine."""


def wait_until(happened: Callable[[], bool], what: str) -> None:
    """Wait for `happened()`.

    Raises:
        AssertionError: it did not come true in `PATIENCE` seconds; says `what`.
    """
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, f"waited in vain: {what}"
        time.sleep(0.05)


def is_alive(process: int) -> bool:
    """Whether a process runs; a dead one that nobody has reaped does not."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    with contextlib.suppress(OSError):  # where there is no /proc, orphans are reaped at once
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return True
