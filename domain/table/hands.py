"""Seats that change hands: resigning, bots in place of players, clocks that run out."""

from collections.abc import Sequence

from domain.errors import NotAllowed, WrongMoment
from domain.game import Event
from domain.table import clocks
from domain.table.commands import BotName, ExpireClock, ReplaceWithBot, TakeOver
from domain.table.events import ClockExpired, SeatGivenToBot, SeatResigned, SeatTakenOver
from domain.table.lobby import check_seat
from domain.table.orders import Order, demand, player_of, seat_of
from domain.table.state import Table

PLAYS_ON: BotName = "greedy"
"""The bot that plays on after a resignation or for a clock that has run out."""


def resign(table: Table, seat: int) -> Sequence[Event]:
    """Give the game up: with two seats the other wins, with more a bot plays on and the seat ranks last."""
    demand(table, "active")
    return [SeatResigned(seat=seat, bot=None if len(table.seats) == 2 else PLAYS_ON)]


def replace_with_bot(table: Table, order: Order, command: ReplaceWithBot, time: int) -> Sequence[Event]:
    """Hand a seat to a bot. Raises NotAllowed for a foreign seat whose clock has not run out."""
    demand(table, "active")
    own = seat_of(order)
    seat = own if command.seat is None else command.seat
    check_seat(table, seat)
    if table.seats[seat].kind != "player":
        raise WrongMoment("no-player-there", "A bot plays seat {seat} already.", pointer="/data/seat", seat=seat)
    if seat not in table.seats_of(order.player) and not is_out_of_time(table, seat, time):
        says = "Seat {seat} belongs to another player, whose clock has not run out."
        raise NotAllowed("not-your-seat", says, pointer="/data/seat", seat=seat)
    return [SeatGivenToBot(seat=seat, bot=command.bot)]


def take_over(table: Table, order: Order, command: TakeOver) -> Sequence[Event]:
    """Take a seat that its player left to a bot. Raises WrongMoment, NotAllowed.

    Another than that player may do so in a game that is not rated, unless they sit at the table or have left a seat of
    it themselves: they would see two hands.
    """
    demand(table, "active")
    player = player_of(order)
    check_seat(table, command.seat)
    seat = table.seats[command.seat]
    if seat.kind != "bot" or seat.player is None or seat.resigned:
        says = "Seat {seat} was not left to a bot by its player."
        raise WrongMoment("seat-taken", says, pointer="/data/seat", seat=command.seat)
    if player != seat.player and (table.rated or any(other.player == player for other in table.seats)):
        says = "Only its player may take seat {seat} over."
        raise NotAllowed("not-your-seat", says, pointer="/data/seat", seat=command.seat)
    if table.clock and table.times and clocks.is_used_up(table.clock, table.times, command.seat):
        says = "The time of seat {seat} is used up: its bot plays to the end."
        raise WrongMoment("clock-expired", says, pointer="/data/seat", seat=command.seat)
    return [SeatTakenOver(seat=command.seat, player=player)]


def expire_clock(table: Table, command: ExpireClock, time: int) -> Sequence[Event]:
    """The time of a seat is up. Raises WrongMoment when it is not."""
    demand(table, "active")
    if table.clock is None or not is_out_of_time(table, command.seat, time):
        raise WrongMoment("nothing-owed", "The clock of seat {seat} has not run out.", seat=command.seat)
    expired = ClockExpired(seat=command.seat)
    if table.clock.on_expiry == "resign":
        return [expired, *resign(table, command.seat)]
    return [expired, SeatGivenToBot(seat=command.seat, bot=PLAYS_ON)]


def demand_time(table: Table, order: Order, time: int) -> None:
    """Raises WrongMoment when the clock of the player who gives the order has run out."""
    if order.actor == "player" and order.seat is not None and is_out_of_time(table, order.seat, time):
        raise WrongMoment("clock-expired", "The time of seat {seat} is up.", seat=order.seat)


def is_out_of_time(table: Table, seat: int, time: int) -> bool:
    """Whether the clock of `seat` has run out at `time`."""
    return table.times is not None and seat in table.times.run and clocks.left_at(table.times, seat, time) <= 0
