"""One command under way."""

from domain.canterbury.events import Event
from domain.canterbury.evolve import evolve
from domain.canterbury.state import State


class Course:
    """The events of a command as they come about, and the state after them."""

    __slots__ = ("events", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []

    def record(self, event: Event) -> None:
        """Let `event` happen."""
        self.state = evolve(self.state, event)
        self.events.append(event)
