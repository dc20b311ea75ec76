"""Playing a game in the domain alone: no table, no log."""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from domain.chance import SeededChance
from domain.game import HOUSE, Command, Event
from events.codec import AnyGame, EventCodec


class Playthrough:
    """One game under way: `state`, and all `events` so far. Gives the house's owed commands by itself."""

    def __init__(self, game: AnyGame, seats: int, options: Any = None, seed: int = 0) -> None:
        self.game = game
        self.seats = seats
        self.options = game.options_type() if options is None else options
        self.chance = SeededChance(lambda: seed.to_bytes(32, "big"), "playthrough", (), 0)
        self.rng = random.Random(seed)
        self.state: Any = None
        self.events: list[Event] = []
        self._take(game.setup(seats, self.options, self.chance))

    @property
    def is_over(self) -> bool:
        return self.game.result(self.state) is not None

    def give(self, seat: int, command: Command) -> Sequence[Event]:
        """Decide and fold one command, then whatever the house owes."""
        events = list(self.game.decide(self.state, seat, command, self.chance))
        self._take(events)
        while (owed := self.game.owed(self.state)) is not None:
            scored = self.game.decide(self.state, HOUSE, owed, self.chance)
            self._take(scored)
            events += scored
        return events

    def choices(self) -> list[tuple[int, Command]]:
        """Every legal (seat, command) now."""
        game, state = self.game, self.state
        return [(seat, command) for seat in game.to_act(state) for command in game.legal_commands(state, seat)]

    def steps(
        self, choose: Callable[[list[tuple[int, Command]]], tuple[int, Command]] | None = None, most: int = 5000
    ) -> Iterator[tuple[int, Command]]:
        """Play to the end, at random unless told otherwise; yields each choice before it is played."""
        for _ in range(most):
            if self.is_over:
                return
            choice = (choose or self.rng.choice)(self.choices())
            yield choice
            self.give(*choice)
        raise AssertionError(f"not over after {most} commands")

    def play(self, most: int = 5000) -> "Playthrough":
        """To the end, at random."""
        for _ in self.steps(most=most):
            pass
        return self

    def _take(self, events: Sequence[Event]) -> None:
        for event in events:
            self.state = self.game.evolve(self.state, event)
            self.events.append(event)


def replayed(game: AnyGame, events: Sequence[Event]) -> Any:
    """The state folded from `events` after each went through its JSON form."""
    codec = EventCodec(game.event_types)
    state: Any = None
    for event in events:
        data, parts = msgspec.json.decode(msgspec.json.encode(codec.encode(event)))
        state = game.evolve(state, codec.decode(event.type, event.schema, data, parts))
    return state
