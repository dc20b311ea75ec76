"""Folding a log into positions."""

from datetime import datetime
from typing import Any

import msgspec

from domain.game import Event
from domain.table import FOUNDING, Fact, Position, evolve
from events.codec import shuffles
from events.envelope import Envelope
from events.ruleset import TABLE_CODEC, Ruleset, Rulesets


class History:
    """A log under fold. Keeps the state of the game at each version, so that a rewind finds its target at once."""

    def __init__(self, rulesets: Rulesets) -> None:
        self._rulesets = rulesets
        self._games: list[Any] = [None]
        self._opens: list[bool] = [True]
        self._ruleset: Ruleset | None = None
        self._position: Position[Any] | None = None

    @property
    def position(self) -> Position[Any]:
        """The position after the last event."""
        assert self._position is not None, "an empty log has no position"  # noqa: S101 - a log begins with an event
        return self._position

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset that the first event names."""
        assert self._ruleset is not None, "an empty log has no ruleset"  # noqa: S101 - a log begins with an event
        return self._ruleset

    def add(self, envelope: Envelope) -> Event:
        """Fold one more event, all private parts open. Raises UnknownEvent, msgspec.ValidationError."""
        event = self.read(envelope)
        if isinstance(event, FOUNDING):
            self._ruleset = self._rulesets[event.ruleset]
        game = self.ruleset.game
        self._position = evolve(game, self._position, fact_of(envelope, event), self)
        self._games.append(self._position.game)
        self._opens.append(isinstance(envelope.command.type, str))
        return event

    def read(self, envelope: Envelope) -> Event:
        """The typed event. Raises LookupError when a private part is sealed."""
        codec = self._ruleset.codec if self._ruleset else TABLE_CODEC
        parts = [{"seats": part.seats, "data": part.read()} for part in envelope.private]
        return codec.decode(envelope.type, envelope.schema, msgspec.json.decode(envelope.data), parts)

    def state(self, version: int) -> Any:
        """The state of the game at an earlier version."""
        return self._games[version]

    def is_boundary(self, version: int) -> bool:
        """Whether `version` lies between two commands, or is the present."""
        return 0 < version < len(self._opens) and (version == len(self._opens) - 1 or self._opens[version + 1])


def fact_of(envelope: Envelope, event: Event) -> Fact:
    """What the fold needs to know of an event."""
    return Fact(
        event=event,
        game=envelope.game,
        version=envelope.version,
        at=envelope.at,
        time=milliseconds(envelope.at),
        seat=envelope.seat,
        actor=envelope.actor,
        opens=isinstance(envelope.command.type, str),
        draws=len(shuffles(event)),
    )


def milliseconds(at: str) -> int:
    """The time of an event as Unix milliseconds."""
    return round(datetime.fromisoformat(at).timestamp() * 1000)
