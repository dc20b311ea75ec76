"""The whole service, as `annales up` runs it."""

import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.support.processes import PATIENCE, wait_until


@contextlib.contextmanager
def running(folder: Path) -> Iterator[str]:
    """A service on a free port with its data and its log in `folder`; the address of it."""
    log = folder / "annales.log"
    with log.open("wb") as output:
        service = subprocess.Popen(
            [sys.executable, "-m", "service.cli", "up", "--port", "0", "--data", str(folder / "data")],
            env={**os.environ, "ANNALES_WEB_PROCESSES": "1", "ANNALES_MIN_FREE_MB": "0"},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )

    def address() -> str | None:
        found = re.search(r"ready on (http://\S+),", log.read_text())
        return found and found[1]

    try:
        wait_until(lambda: address() is not None or service.poll() is not None, "the service is ready")
        base = address()
        assert base is not None, log.read_text()
        yield base
    finally:
        service.send_signal(signal.SIGTERM)
        service.wait(PATIENCE)
