"""Folding a log into positions."""

from datetime import datetime
from typing import Any

import msgspec

from domain.game import Event
from domain.table import FOUNDING, Fact, Past, Position, evolve
from events.codec import shuffles
from events.envelope import Envelope
from events.ruleset import TABLE_CODEC, Ruleset, Rulesets


class _NoPast:
    """The log before the first event."""

    def state(self, version: int) -> Any:
        raise LookupError(version)

    def is_boundary(self, version: int) -> bool:
        raise LookupError(version)


NO_PAST: Past = _NoPast()


class History:
    """A log under fold. Keeps the state of the game at each version, so that a rewind finds its target at once.

    A fold may begin at a later `position` (with its `ruleset`); `past` then knows what lay before.
    """

    def __init__(
        self,
        rulesets: Rulesets,
        *,
        ruleset: Ruleset | None = None,
        position: Position[Any] | None = None,
        past: Past = NO_PAST,
    ) -> None:
        self._rulesets = rulesets
        self._ruleset = ruleset
        self._position = position
        self._past = past
        self._start = position.table.version if position else 0
        self._games: dict[int, Any] = {self._start: position.game if position else None}
        self._opened: set[int] = set()

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
        self._games[envelope.version] = self._position.game
        if isinstance(envelope.command.type, str):
            self._opened.add(envelope.version)
        return event

    def read(self, envelope: Envelope) -> Event:
        """The typed event. Raises LookupError when a private part is sealed."""
        codec = self._ruleset.codec if self._ruleset else TABLE_CODEC
        parts = [{"seats": part.seats, "data": part.read()} for part in envelope.private]
        return codec.decode(envelope.type, envelope.schema, msgspec.json.decode(envelope.data), parts)

    def state(self, version: int) -> Any:
        """The state of the game at an earlier version."""
        return self._games[version] if version in self._games else self._past.state(version)

    def is_boundary(self, version: int) -> bool:
        """Whether `version` lies between two commands, or is the present."""
        if version < self._start:
            return self._past.is_boundary(version)
        return version in self._games and (version + 1 not in self._games or version + 1 in self._opened)


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
