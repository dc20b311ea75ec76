"""The table around every game: lobby, seats, undo, clocks, resignation, fairness, result. A decider too."""

from domain.table.commands import (
    COMMANDS,
    FOUNDING_COMMANDS,
    HOUSE_COMMANDS,
    BotSeat,
    Clock,
    CreateGame,
    ForkGame,
    MySeat,
    OpenSeat,
)
from domain.table.consent import Undo, undo_for
from domain.table.events import EVENTS, FOUNDING, UPCASTS, TableEvent
from domain.table.founding import Ancestor, create, fork, rematch
from domain.table.orders import Moment, Order
from domain.table.rules import RULES, chance_of, decide, due, follow_up, owed_order
from domain.table.state import Fact, Past, Position, Seat, Table, evolve, is_reveal, pending, to_act
from domain.table.wording import WORDING

__all__ = [
    "COMMANDS",
    "EVENTS",
    "FOUNDING",
    "FOUNDING_COMMANDS",
    "HOUSE_COMMANDS",
    "RULES",
    "UPCASTS",
    "WORDING",
    "Ancestor",
    "BotSeat",
    "Clock",
    "CreateGame",
    "Fact",
    "ForkGame",
    "Moment",
    "MySeat",
    "OpenSeat",
    "Order",
    "Past",
    "Position",
    "Seat",
    "Table",
    "TableEvent",
    "Undo",
    "chance_of",
    "create",
    "decide",
    "due",
    "evolve",
    "follow_up",
    "fork",
    "is_reveal",
    "owed_order",
    "pending",
    "rematch",
    "to_act",
    "undo_for",
]
