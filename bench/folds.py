"""Events folded per second, and events audited per second, from real logs."""

import time
from collections.abc import Callable, Sequence
from random import Random
from statistics import mean
from typing import Any

from bench.mirror import Mirror
from bench.report import Column, Effort, Measured
from bench.servers import Failed
from domain.catalogue import GAMES
from events import audit, envelope
from events.history import History
from events.ruleset import Ruleset, Rulesets

TITLE = "Logs in one process"
SEATS = 3
LOGS = 4

COLUMNS = (
    Column("game", "game"),
    Column("events", "events of a game", ".0f"),
    Column("bytes", "bytes of an event", ".0f"),
    Column("folded", "folded per second", ".0f"),
    Column("audited", "audited per second", ".0f"),
)
NOTES = (
    f"{LOGS} finished games of {SEATS} seats a row, played at random; seconds of processor time of one core.",
    (
        "folded: from the stored line to the position (envelope, typed event, table and game); "
        "audited: all checks of the audit, with every shuffle drawn again and every command decided again."
    ),
)


def run(effort: Effort) -> Measured:
    """Fold and audit the logs of finished games."""
    rulesets = Rulesets(GAMES.values())
    rows = [_row(rulesets, ruleset, effort.seconds) for ruleset in rulesets.by_id.values()]
    return Measured(title=TITLE, columns=COLUMNS, rows=rows, notes=NOTES)


def _row(rulesets: Rulesets, ruleset: Ruleset, seconds: float) -> dict[str, Any]:
    logs = [_log(ruleset, seed) for seed in range(LOGS)]
    events = sum(len(log) for log in logs)
    return {
        "game": ruleset.game.id,
        "events": events / LOGS,
        "bytes": mean(len(line) for log in logs for line in log),
        "folded": events * _per_second(lambda: [fold(rulesets, log) for log in logs], seconds),
        "audited": events * _per_second(lambda: [check(rulesets, log) for log in logs], seconds),
    }


def _log(ruleset: Ruleset, seed: int) -> Sequence[bytes]:
    mirror = Mirror(ruleset, [f"{seat:024x}" for seat in range(SEATS)], Random(seed))
    mirror.play()
    return [envelope.encode(event) for event in mirror.events]


def fold(rulesets: Rulesets, log: Sequence[bytes]) -> History:
    """The history that a log tells."""
    history = History(rulesets)
    for line in log:
        history.add(envelope.decode(line))
    return history


def check(rulesets: Rulesets, log: Sequence[bytes]) -> audit.Report:
    """The audit of a log. Raises Failed when it does not verify it."""
    report = audit.verify(log, rulesets)
    if report.verdict != "verified":
        raise Failed(f"the audit of a log says {report.verdict}: {report.first_bad}")
    return report


def _per_second(task: Callable[[], object], seconds: float) -> float:
    """How often a task can be done in a second of processor time, when it is tried for so many."""
    done, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        task()
        done += 1
    return done / spent
