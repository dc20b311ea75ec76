"""One decision under way."""

from domain.chance import Chance
from domain.porta_nigra.board import BOARDS
from domain.porta_nigra.events.course import PortaNigraEvent
from domain.porta_nigra.evolution import evolve
from domain.porta_nigra.state import State


class Draft:
    """The events of a decision so far, the state after them, and what it may draw from."""

    __slots__ = ("board", "chance", "events", "state")

    def __init__(self, state: State, chance: Chance) -> None:
        self.state = state
        self.chance = chance
        self.board = BOARDS[state.edition]
        self.events: list[PortaNigraEvent] = []

    def tell(self, event: PortaNigraEvent) -> None:
        """Add `event` and go on from the state after it."""
        self.events.append(event)
        self.state = evolve(self.state, event)
