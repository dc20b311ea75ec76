"""Before the start: joining, leaving, sending away, adding to the chance, starting, calling it off."""

from collections.abc import Sequence
from hashlib import sha256

from domain.chance import Chance
from domain.errors import BadCommand, NotAllowed, WrongMoment
from domain.game import Event
from domain.table.commands import AddEntropy, JoinGame, RemoveGuest
from domain.table.events import EntropyAdded, GameCancelled, GameStarted, GuestRemoved, SeatLeft, SeatTaken
from domain.table.founding import read_options
from domain.table.orders import Moment, Order, demand, demand_creator, player_of, seat_of
from domain.table.state import AnyGame, Position, Table


def join(table: Table, order: Order, command: JoinGame) -> Sequence[Event]:
    """Take an open seat. Raises WrongMoment, BadCommand, NotAllowed."""
    demand(table, "open")
    player = player_of(order)
    check_seat(table, command.seat)
    if player in table.removed:
        raise NotAllowed("removed", "The creator of the game has sent you away; join another one.")
    free = [number for number, seat in enumerate(table.seats) if seat.kind == "open" and seat.player in {None, player}]
    if command.seat not in free:
        says = "Seat {seat} is taken; open are: {free}."
        if table.seats[command.seat].kind == "open":
            says = "Seat {seat} is kept for another player; open are: {free}."
        raise WrongMoment("seat-taken", says, pointer="/data/seat", seat=command.seat, free=free)
    if table.rated and table.seats_of(player):
        raise WrongMoment("already-seated", "In a rated game each seat has a player of its own.", pointer="/data/seat")
    entropy = None if command.entropy is None else entropy_digest(command.entropy)
    return [SeatTaken(seat=command.seat, player=player, entropy=entropy)]


def leave(table: Table, order: Order) -> Sequence[Event]:
    """Give a seat back. Raises WrongMoment."""
    demand(table, "open")
    return [SeatLeft(seat=seat_of(order), player=player_of(order))]


def remove_guest(table: Table, order: Order, command: RemoveGuest) -> Sequence[Event]:
    """Send a player away, or keep a seat for them no longer. Raises WrongMoment, NotAllowed, BadCommand."""
    demand(table, "open")
    demand_creator(table, order)
    check_seat(table, command.seat)
    seat = table.seats[command.seat]
    if seat.player is None or seat.player == table.creator:
        says = "There is no guest at seat {seat}."
        raise WrongMoment("no-guest-there", says, pointer="/data/seat", seat=command.seat)
    return [GuestRemoved(seat=command.seat, player=seat.player)]


def add_entropy(table: Table, order: Order, command: AddEntropy) -> Sequence[Event]:
    """Add to the chance of the game. Raises WrongMoment."""
    demand(table, "open")
    return [EntropyAdded(seat=seat_of(order), entropy=entropy_digest(command.entropy))]


def cancel(table: Table, order: Order) -> Sequence[Event]:
    """Call the game off. Raises WrongMoment, NotAllowed."""
    demand(table, "open")
    demand_creator(table, order)
    return [GameCancelled()]


def start_by_hand(game: AnyGame, position: Position[object], order: Order, moment: Moment) -> Sequence[Event]:
    """Start a full table. Raises WrongMoment, NotAllowed."""
    table = position.table
    demand(table, "open")
    demand_creator(table, order)
    free = [number for number, seat in enumerate(table.seats) if seat.kind == "open"]
    if free:
        raise WrongMoment("seats-open", "These seats are still open: {free}.", free=free)
    return start(game, position, moment.chance)


def start(game: AnyGame, position: Position[object], chance: Chance) -> Sequence[Event]:
    """The start, and the opening of the game unless it is a fork, which has its state already."""
    if position.game is not None:
        return [GameStarted()]
    table = position.table
    return [GameStarted(), *game.setup(len(table.seats), read_options(game, table.options), chance)]


def entropy_digest(text: str) -> str:
    """What the log keeps of added entropy."""
    return "sha256:" + sha256(text.encode()).hexdigest()


def check_seat(table: Table, seat: int) -> None:
    """Raises BadCommand unless the table has such a seat."""
    if seat >= len(table.seats):
        says = "The seats are 0 to {last}."
        raise BadCommand("malformed-request", says, pointer="/data/seat", last=len(table.seats) - 1)
