"""Clocks: how much time each seat has left. Only the times that the log states count, never a clock on the wall."""

from msgspec import Struct

from domain.table.commands import Clock


class Times(Struct, frozen=True):
    """The time left of each seat, in milliseconds, as of `since` (Unix milliseconds), and the seats that `run` down."""

    left: tuple[int, ...]
    since: int
    run: tuple[int, ...]


def run(clock: Clock, before: Times | None, time: int, thinking: tuple[int, ...], seats: int) -> Times:
    """The clocks after an event at `time`: those that ran are charged, those of `thinking` run on.

    A seat that begins to think gets its seconds for the turn; one that has finished gets its increment.
    """
    full = (clock.per_turn_seconds or clock.bank_seconds or 0) * 1000
    if before is None:
        return Times(left=(full,) * seats, since=time, run=thinking)
    left = list(before.left)
    for seat in before.run:
        left[seat] -= max(0, time - before.since)
        if seat not in thinking:
            left[seat] += clock.increment_seconds * 1000
    for seat in thinking:
        if clock.per_turn_seconds and seat not in before.run:
            left[seat] = full
    return Times(left=tuple(left), since=time, run=thinking)


def left_at(times: Times, seat: int, time: int) -> int:
    """The milliseconds that `seat` has left at `time`; below zero when its time is up."""
    return times.left[seat] - (max(0, time - times.since) if seat in times.run else 0)


def deadline(times: Times) -> tuple[int, int] | None:
    """When the first running clock is up (Unix milliseconds), and whose it is; None when none runs."""
    return min(((times.since + times.left[seat], seat) for seat in times.run), default=None)
