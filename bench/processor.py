"""Processor time of other processes: what a request costs, whatever else the machine is busy with."""

import os
from collections.abc import Collection
from pathlib import Path


def seconds_of(sessions: Collection[int]) -> float | None:
    """What the live processes of these sessions (ids of their leaders) have used so far; None where there is no /proc."""
    if not Path("/proc/self/stat").exists():
        return None
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            facts = path.read_text().rpartition(")")[2].split()
        except OSError:  # it ended meanwhile
            continue
        if int(facts[3]) in sessions:
            ticks += int(facts[11]) + int(facts[12])
    return ticks / os.sysconf("SC_CLK_TCK")
