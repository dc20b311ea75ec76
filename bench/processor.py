"""Processor time of other processes: what a request costs, whatever else the machine is busy with."""

import os
from collections.abc import Collection, Mapping
from pathlib import Path

_PROCESSES = Path("/proc")


def seconds_of(sessions: Collection[int]) -> Mapping[int, float]:
    """What each live process of these sessions (ids of their leaders) has used so far; nothing where there is no /proc."""
    if not (_PROCESSES / "self" / "stat").exists():
        return {}
    used = {}
    for process in _PROCESSES.iterdir():
        if not process.name.isdigit():
            continue
        try:
            facts = (process / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it ended meanwhile
            continue
        if int(facts[3]) in sessions:
            used[int(process.name)] = (int(facts[11]) + int(facts[12])) / os.sysconf("SC_CLK_TCK")
    return used


def between(before: Mapping[int, float], after: Mapping[int, float]) -> float | None:
    """What was used between two looks, in seconds; None when it is not known, or when processes came or went."""
    if not before or before.keys() != after.keys():
        return None
    return sum(after.values()) - sum(before.values())
