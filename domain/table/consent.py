"""Undo and redo: what a seat may do by itself, what needs the consent of the other players, and what may not be."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.errors import NotAllowed, WrongMoment
from domain.game import Event
from domain.table import undo
from domain.table.commands import AnswerUndo, RequestUndo
from domain.table.events import HistoryRewound, UndoAnswered, UndoLapsed, UndoRequested
from domain.table.orders import Moment, Order, demand
from domain.table.state import Past, Table


class Undo(Struct, frozen=True):
    """What a viewer may undo and redo by the commands `request_undo` and `redo`.

    `to_version` is the latest step back and `earliest_version` the furthest that `needs` the consent of the same seats.
    `reason` says why not, or why others have to agree. `redo_to` is the version that a redo returns to, `redo_needs` the
    seats that have to agree to that. `request` is an undo that waits for consent now.
    """

    allowed: bool
    to_version: int | None = None
    earliest_version: int | None = None
    needs: tuple[int, ...] = ()
    reason: str | None = None
    redo_to: int | None = None
    redo_needs: tuple[int, ...] = ()
    request: undo.Request | None = None


def undo_for(table: Table, seat: int | None) -> Undo:
    """What `seat` (None: a spectator) may undo now, whom it needs, and why not."""
    if table.status != "active":
        return Undo(allowed=False, reason="game_not_active")
    if table.undo == "off":
        return Undo(allowed=False, reason="undo_off")
    if seat is None:
        return Undo(allowed=False, reason="spectator", request=table.request)
    line = table.line
    redo_to, redo_needs = _redo_for(table, seat)
    says = Undo(allowed=True, redo_to=redo_to, redo_needs=redo_needs, request=table.request)
    if line.steps and line.steps[-1].seat == seat:
        return replace(says, to_version=line.steps[-1].before, earliest_version=line.steps[0].before)
    says = replace(says, reason=undo.obstacle(line))
    if table.undo == "free" or not line.trail:
        return replace(says, allowed=False)
    return replace(says, to_version=line.trail[-1], earliest_version=line.first, needs=others(table, seat))


def others(table: Table, seat: int) -> tuple[int, ...]:
    """The seats of the other players, who have to agree."""
    mine = table.seats_of(table.seats[seat].player)
    return tuple(number for number, other in enumerate(table.seats) if other.kind == "player" and number not in mine)


def request(table: Table, seat: int, command: RequestUndo, moment: Moment) -> Sequence[Event]:
    """Undo at once, or ask the others. Raises WrongMoment."""
    demand(table, "active")
    if table.undo == "off":
        raise WrongMoment("undo-off", "This game is played without undo.")
    if undo.is_own(table.line, seat, command.to_version):
        return [HistoryRewound(to=command.to_version, seat=seat)]
    if table.undo == "free":
        raise _not_by_itself(table, seat)
    _check_boundary(table, command.to_version, moment.past)
    return _ask(table, seat, command.to_version, redo=False)


def redo(table: Table, seat: int) -> Sequence[Event]:
    """Take the latest undo back at once, or ask the others. Raises WrongMoment."""
    demand(table, "active")
    to, needs = _redo_for(table, seat)
    if to is None:
        raise WrongMoment("nothing-to-redo", "There is no undo that seat {seat} may take back.", seat=seat)
    if not needs:
        return [HistoryRewound(to=to, seat=seat, redo=True)]
    return _ask(table, seat, to, redo=True)


def answer(table: Table, order: Order, command: AnswerUndo) -> Sequence[Event]:
    """Agree to what another player has asked for, or do not. Raises WrongMoment, NotAllowed."""
    demand(table, "active")
    asked = table.request
    if asked is None:
        raise WrongMoment("no-undo-requested", "Nobody has asked for an undo.")
    seats = tuple(seat for seat in table.seats_of(order.player) if seat in asked.needs)
    if not seats:
        raise NotAllowed("forbidden", "The undo does not need your consent.")
    answered = UndoAnswered(seats=seats, accepted=command.accept)
    if command.accept and set(seats) == set(asked.needs):
        return [answered, HistoryRewound(to=asked.to, seat=asked.seat, redo=asked.redo)]
    return [answered]


def lapse(table: Table, time: int) -> Sequence[Event]:
    """Nobody has answered in time. Raises WrongMoment when there is time still."""
    if table.request is None or time < table.request.time + undo.LAPSES_AFTER:
        raise WrongMoment("nothing-owed", "No undo has waited too long.")
    return [UndoLapsed()]


def _ask(table: Table, seat: int, to: int, *, redo: bool) -> Sequence[Event]:
    if table.request is not None:
        raise WrongMoment("undo-requested", "Seat {seat} has asked for an undo already.", seat=table.request.seat)
    needs = others(table, seat)
    if not needs:
        return [HistoryRewound(to=to, seat=seat, redo=redo)]
    return [UndoRequested(seat=seat, to=to, redo=redo, needs=needs)]


def _redo_for(table: Table, seat: int) -> tuple[int | None, tuple[int, ...]]:
    """The version that a redo by `seat` leads to, and whose consent it takes."""
    if not table.line.undone:
        return None, ()
    last = table.line.undone[-1]
    if last.alone:
        return (last.to, ()) if last.seat == seat else (None, ())
    return last.to, others(table, seat)


def _not_by_itself(table: Table, seat: int) -> WrongMoment:
    line = table.line
    if line.steps and line.steps[-1].seat == seat:
        says = "Seat {seat} may go back by itself to the versions {versions}."
        versions = ", ".join(str(step.before) for step in line.steps)
        return WrongMoment("undo-not-possible", says, pointer="/data/to_version", seat=seat, versions=versions)
    says = "There is nothing that seat {seat} may take back by itself now ({reason})."
    return WrongMoment("undo-not-possible", says, seat=seat, reason=undo.obstacle(line))


def _check_boundary(table: Table, to: int, past: Past) -> None:
    first = table.line.first
    if first is None or not (first <= to < table.version and past.is_boundary(to)):
        says = "Version {to} is not one between two commands since the start, which is version {first}."
        raise WrongMoment("undo-not-possible", says, pointer="/data/to_version", to=to, first=first)
