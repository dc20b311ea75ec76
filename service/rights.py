"""What a player may see and do in a game."""

from collections.abc import Collection

from msgspec.structs import replace

from domain.errors import BadCommand, NotAllowed
from domain.game import Command
from domain.table import Order, Table, to_act
from domain.table.commands import CancelGame, JoinGame, RemoveGuest, StartGame, TakeOver
from domain.wording import Phrase
from events.draft import Session
from events.errors import NotFound
from events.redaction import may_see


class NotYourSeat(NotAllowed):
    """The seat that is named is not the caller's (HTTP 403): in the body, or by the query parameter `parameter`."""

    def __init__(self, seat: int, own: Collection[int], parameter: str | None) -> None:
        yours = ", ".join(map(str, own)) or Phrase("none")
        pointer = None if parameter else "/seat"
        says = "Seat {seat} is not yours; yours: {yours}."
        super().__init__("not-your-seat", says, pointer=pointer, seat=seat, yours=yours)
        self.parameter = parameter


FOR_NO_SEAT = (JoinGame, RemoveGuest, StartGame, CancelGame, TakeOver)
"""Commands of a player, not of a seat."""


def demand_sight(table: Table, player: str | None) -> None:
    """Raises NotFound when the game may not be shown to `player`, as if it were not there."""
    if not may_see(table, player):
        raise NotFound


def default_seat(session: Session, own: Collection[int]) -> int | None:
    """The seat that is meant when none is named: the one of the caller's `own` that is to act, else the lowest."""
    awaited = (seat for seat in to_act(session.ruleset.game, session.position) if seat in own)
    return next(awaited, min(own, default=None))


def chosen_seat(session: Session, player: str | None, named: int | None, parameter: str | None = None) -> int | None:
    """The seat of the caller's that is meant; None when they have none.

    Raises NotYourSeat when the seat that is `named`, in the body or by a query `parameter`, is not theirs.
    """
    own = () if player is None else session.position.table.seats_of(player)
    if named is None:
        return default_seat(session, own)
    if named not in own:
        raise NotYourSeat(named, own, parameter)
    return named


def order_of(session: Session, player: str, command: Command, named: int | None) -> Order:
    """The order that gives `command` for the caller. Raises BadCommand, NotAllowed."""
    if isinstance(command, FOR_NO_SEAT):
        if named is not None:
            says = "The command '{type}' is given by a player, not by a seat: leave 'seat' out."
            raise BadCommand("malformed-request", says, pointer="/seat", type=command.type)
        if isinstance(command, JoinGame):
            command = replace(command, invite=None)  # a secret, and a log is read by all
        return Order(command=command, actor="player", player=player)
    seat = chosen_seat(session, player, named)
    if seat is None:
        raise NotAllowed("forbidden", "Only a player with a seat in this game may do this.")
    return Order(command=command, actor="player", seat=seat, player=player)
