"""What can be undone and redone, and the consent that it takes. An undo moves the game, never the table."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.table.events import HistoryRewound, UndoAnswered

Barrier = Literal["nothing_played", "hidden_information_revealed", "others_have_acted"]

MOST_STEPS = 64
"""How many commands back the table remembers; bounded, so that the cost of a command does not grow with the game."""

LAPSES_AFTER = 60_000
"""Milliseconds after which a request for consent lapses."""


class Step(Struct, frozen=True, array_like=True):
    """One command on the current line: the version `before` it, and the seat that gave it."""

    before: int
    seat: int


class Undone(Struct, frozen=True, array_like=True):
    """One undo that can be taken back: the version `to` return to, who asked for it, and the line then.

    `alone`: it needed nobody's consent, and neither does the way back.
    """

    to: int
    seat: int
    alone: bool
    steps: tuple[Step, ...]
    trail: tuple[int, ...]


class Line(Struct, frozen=True):
    """The line of play that the game is on.

    `steps`: the latest commands of one seat since the last `barrier`, oldest first, which that seat may take back by
    itself. `first`: the version after the start, `trail`: those before the latest commands of anybody, oldest first, for
    an undo by consent. `undone`: what can be redone, the latest last.
    """

    steps: tuple[Step, ...] = ()
    undone: tuple[Undone, ...] = ()
    barrier: Barrier = "nothing_played"
    first: int | None = None
    trail: tuple[int, ...] = ()


class Request(Struct, frozen=True):
    """An undo (or redo) that waits for the consent of `needs`; `time` is when it was asked for, in Unix milliseconds."""

    seat: int
    to: int
    redo: bool
    needs: tuple[int, ...]
    time: int


def played(line: Line, before: int, seat: int | None) -> Line:
    """After the first event of a command of the game; `seat` is None for bots and the service itself."""
    first = before if line.first is None else line.first
    trail = (*line.trail[1 - MOST_STEPS :], before)
    if seat is None:
        return Line(barrier="others_have_acted", first=first, trail=trail)
    step = Step(before=before, seat=seat)
    if line.steps and line.steps[-1].seat != seat:
        return Line(steps=(step,), barrier="others_have_acted", first=first, trail=trail)
    return Line(steps=(*line.steps[1 - MOST_STEPS :], step), barrier=line.barrier, first=first, trail=trail)


def revealed(line: Line) -> Line:
    """After an event that showed something hidden."""
    return replace(line, steps=(), barrier="hidden_information_revealed")


def interrupted(line: Line) -> Line:
    """After a seat changed hands."""
    return replace(line, steps=(), undone=(), barrier="others_have_acted")


def rewound(line: Line, event: HistoryRewound, before: int) -> Line:
    """After a rewind; `before` is the version before it."""
    if event.redo:
        back = line.undone[-1]
        return replace(line, steps=back.steps, undone=line.undone[:-1], trail=back.trail)
    alone = is_alone(line, event)
    undone = Undone(to=before, seat=event.seat, alone=alone, steps=line.steps, trail=line.trail)
    kept = tuple(step for step in line.steps if step.before < event.to) if alone else ()
    undone_now = (*line.undone[1 - MOST_STEPS :], undone)
    return replace(line, steps=kept, undone=undone_now, trail=_trail_to(line, event.to))


def _trail_to(line: Line, to: int) -> tuple[int, ...]:
    """The trail as far as `to`; where the table does not remember it, it has the start alone."""
    trail = tuple(before for before in line.trail if before < to)
    if trail or line.first is None or to == line.first:
        return trail
    return (line.first,)


def answered(request: Request | None, event: UndoAnswered) -> Request | None:
    """The request after an answer; None when it was refused."""
    if request is None or not event.accepted:
        return None
    return replace(request, needs=tuple(seat for seat in request.needs if seat not in event.seats))


def obstacle(line: Line) -> Barrier:
    """Why a seat that has not acted last takes nothing back by itself."""
    if line.steps:
        return "others_have_acted"
    return line.barrier if line.trail else "nothing_played"


def is_alone(line: Line, event: HistoryRewound) -> bool:
    """Whether a rewind takes back only what its seat did last, or such an undo."""
    return line.undone[-1].alone if event.redo else is_own(line, event.seat, event.to)


def is_own(line: Line, seat: int, to: int) -> bool:
    """Whether going back to `to` takes back only what `seat` did last."""
    return any(step.before == to and step.seat == seat for step in line.steps)
