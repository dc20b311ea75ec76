"""Clocks: how much time each seat has left. Only the times that the log states count, never a clock on the wall."""

from msgspec import Struct

from domain.table.commands import Clock


class Times(Struct, frozen=True):
    """The time left of each seat, in milliseconds, as of `since` (Unix milliseconds), and the seats that `run` down."""

    left: tuple[int, ...]
    since: int
    run: tuple[int, ...]


class Turns(Struct, frozen=True):
    """What an event means for turns: whose `began` and `ended`, and whose goes on that had ended (`resumed`).

    A turn lasts from when a seat is awaited until it no longer is, whoever has the seat. `thinking`: the players who are
    awaited from now on.
    """

    thinking: tuple[int, ...]
    began: frozenset[int]
    ended: frozenset[int]
    resumed: frozenset[int] = frozenset()


def begin(clock: Clock, time: int, seats: int, thinking: tuple[int, ...]) -> Times:
    """The clocks at the start, at `time`."""
    return Times(left=(_full(clock),) * seats, since=time, run=thinking)


def run(clock: Clock, before: Times, time: int, turns: Turns) -> Times:
    """The clocks after an event at `time`: those that ran are charged, those of players who are awaited run on.

    A seat whose turn begins gets its seconds for the turn; one that has ended its turn gets its increment, and gives it
    back when it takes that turn up again.
    """
    left = list(before.left)
    for seat in before.run:
        left[seat] -= max(0, time - before.since)
    for seat in turns.ended:
        left[seat] += clock.increment_seconds * 1000
    for seat in turns.resumed:
        left[seat] -= clock.increment_seconds * 1000
    if clock.per_turn_seconds:
        for seat in turns.began:
            left[seat] = _full(clock)
    return Times(left=tuple(left), since=time, run=turns.thinking)


def left_at(times: Times, seat: int, time: int) -> int:
    """The milliseconds that `seat` has left at `time`; below zero when its time is up."""
    return times.left[seat] - (max(0, time - times.since) if seat in times.run else 0)


def is_used_up(clock: Clock, times: Times, seat: int) -> bool:
    """Whether `seat` has nothing left of its bank; with seconds for each turn there is always another turn."""
    return clock.bank_seconds is not None and times.left[seat] <= 0


def deadline(times: Times) -> tuple[int, int] | None:
    """When the first running clock is up (Unix milliseconds), and whose it is; None when none runs."""
    return min(((times.since + times.left[seat], seat) for seat in times.run), default=None)


def _full(clock: Clock) -> int:
    return (clock.per_turn_seconds or clock.bank_seconds or 0) * 1000
