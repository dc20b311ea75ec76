"""What every decision of the table starts from, and the demands that many of them make."""

from msgspec import Struct

from domain.chance import Chance
from domain.errors import NotAllowed, WrongMoment
from domain.game import Command
from domain.table.state import Actor, Past, Status, Table


class Order(Struct, frozen=True):
    """A command and who gives it: `seat` None where no seat is meant (joining, cancelling) and for the service itself."""

    command: Command
    actor: Actor
    seat: int | None = None
    player: str | None = None


class Moment(Struct, frozen=True):
    """When and with what a command is decided: the time (Unix milliseconds), the chance of the game, its log so far."""

    time: int
    chance: Chance
    past: Past


def demand(table: Table, status: Status) -> None:
    """Raises WrongMoment unless the game has that status."""
    if table.status != status:
        code = "game-not-open" if status == "open" else "game-not-active"
        says = "The game is {status}; this needs one that is {needed}."
        raise WrongMoment(code, says, status=table.status, needed=status)


def demand_creator(table: Table, order: Order) -> None:
    """Raises NotAllowed unless the creator of the game gives the order."""
    if order.player != table.creator:
        raise NotAllowed("forbidden", "Only the creator of the game may do this.")


def seat_of(order: Order) -> int:
    """The seat that gives the order. Raises NotAllowed when there is none."""
    if order.seat is None:
        raise NotAllowed("forbidden", "Only a player with a seat in this game may do this.")
    return order.seat


def player_of(order: Order) -> str:
    """The player who gives the order. Raises NotAllowed when there is none."""
    if order.player is None:
        raise NotAllowed("forbidden", "Only a player may do this.")
    return order.player
