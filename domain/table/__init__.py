"""The table around every game: lobby, seats, undo, resignation, fairness, result. A decider too."""

from domain.table.commands import COMMANDS, BotSeat, CreateGame, MySeat, OpenSeat
from domain.table.events import EVENTS, TableEvent
from domain.table.rules import RULES, Order, Undo, chance_of, create, decide, follow_up, owed_order, undo_for
from domain.table.state import Fact, Position, Seat, Table, evolve, is_reveal, pending, to_act

__all__ = [
    "COMMANDS",
    "EVENTS",
    "RULES",
    "BotSeat",
    "CreateGame",
    "Fact",
    "MySeat",
    "OpenSeat",
    "Order",
    "Position",
    "Seat",
    "Table",
    "TableEvent",
    "Undo",
    "chance_of",
    "create",
    "decide",
    "evolve",
    "follow_up",
    "is_reveal",
    "owed_order",
    "pending",
    "to_act",
    "undo_for",
]
