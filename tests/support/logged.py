"""A game with its log and no store: each command decided and sealed as the service does it, each event folded once more."""

import random
from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.catalogue import GAMES
from domain.errors import DomainError
from domain.game import Command, Event
from domain.table import Ancestor, CreateGame, ForkGame, MySeat, Order, Position, Table, owed_order, pending, to_act
from domain.table.state import Actor
from events import envelope
from events.draft import Draft, Session
from events.envelope import Envelope, redacted
from events.history import History
from events.ruleset import Ruleset, Rulesets
from tests.support.toy import TOY

RULESETS = Rulesets([TOY, *GAMES.values()])
"""All the games, and the toy."""

SEED = bytes(range(32))
_MORNING = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


class LoggedGame:
    """One game under way. `log` has its events, `typed` the same as the domain knows them, `history` their fold."""

    def __init__(self, command: CreateGame, *, creator: str = "ada", seed: bytes = SEED, game: str = "g1") -> None:
        self.ruleset: Ruleset = RULESETS[command.ruleset]
        self._begin(seed)
        opening = Draft.opening(self.ruleset, game, command, creator, seed, at=self.now, command_id="c0")
        self._take(opening)

    def fork(self, command: ForkGame, creator: str, *, seed: bytes = bytes(32), game: str = "g2") -> "LoggedGame":
        """A game that begins from how this one stood at `command.at`."""
        history = History(RULESETS)
        for event in self.log[: command.at]:
            history.add(event)
        ancestor = Ancestor(position=history.position, head=self.log[command.at - 1].digest, table=self.table)
        forked = LoggedGame.__new__(LoggedGame)
        forked.ruleset = self.ruleset
        forked._begin(seed)
        forked._take(
            Draft.forking(self.ruleset, game, command, ancestor, creator, seed, at=forked.now, command_id="c0")
        )
        return forked

    def _begin(self, seed: bytes) -> None:
        self.log: list[Envelope] = []
        self.typed: list[Event] = []
        self.history = History(RULESETS)
        self.waited = timedelta()
        self._seed = seed

    @property
    def position(self) -> Position[Any]:
        return self.session.position

    @property
    def table(self) -> Table:
        return self.session.position.table

    @property
    def state(self) -> Any:
        """The state of the game itself."""
        return self.position.game

    @property
    def version(self) -> int:
        return self.session.version

    @property
    def awaited(self) -> tuple[int, ...]:
        return to_act(self.ruleset.game, self.position)

    @property
    def pending(self) -> str | None:
        return pending(self.ruleset.game, self.position)

    @property
    def board(self) -> bytes:
        """Everything there is on the board."""
        return msgspec.json.encode(self.position.game)

    def give(
        self, command: Command, seat: int | None = None, player: str | None = None, actor: Actor = "player"
    ) -> list[Event]:
        """Give a command; `player` is whoever has the seat, unless named. Returns the events."""
        return self.batch([self.order(command, seat, player, actor)])

    def batch(self, orders: Sequence[Order]) -> list[Event]:
        """Give commands, all or none."""
        draft = self.tried(orders)
        self._take(draft)
        return draft.typed

    def tried(self, orders: Sequence[Order]) -> Draft:
        """What the commands would bring about; takes nothing."""
        draft = Draft.continuing(self.session, at=self.now, seed=lambda: self._seed, past=self.history)
        for number, order in enumerate(orders):
            draft.give(order, f"c{self.version}.{number}")
        return draft

    def order(
        self, command: Command, seat: int | None = None, player: str | None = None, actor: Actor = "player"
    ) -> Order:
        if player is None and seat is not None and 0 <= seat < len(self.table.seats):
            player = self.table.seats[seat].player
        return Order(command=command, actor=actor, seat=seat, player=player)

    def settle(self) -> list[Event]:
        """Do all the steps that the service owes now."""
        events: list[Event] = []
        while (order := owed_order(self.ruleset.game, self.position)) is not None:
            events += self.batch([order])
        return events

    def refusal(
        self, command: Command, seat: int | None = None, player: str | None = None, actor: Actor = "player"
    ) -> DomainError:
        """How a command is refused, which must change nothing and read as a sentence."""
        before, version = self.position, len(self.log)
        with pytest.raises(DomainError) as refused:
            self.give(command, seat, player, actor)
        assert (self.position, len(self.log)) == (before, version)
        assert refused.value.detail.endswith((".", ")"))
        return refused.value

    def legal(self, seat: int) -> Sequence[Command]:
        return self.session.legal_commands(seat)

    def step(self, rng: random.Random) -> None:
        """One random command of a seat, or the step that is owed."""
        if self.settle():
            return
        seat = rng.choice(self.awaited)
        self.give(rng.choice(self.legal(seat)), seat)

    def play(self, rng: random.Random, most: int = 5000) -> "LoggedGame":
        """To the end, or so many steps, at random."""
        for _ in range(most):
            if self.table.status != "active":
                break
            self.step(rng)
        return self

    def lines(self, seats: Collection[int] | None = None) -> list[bytes]:
        """The log as the holder of `seats` may read it (None: opened), a line an event."""
        shown = self.log if seats is None else [redacted(event, seats) for event in self.log]
        return [envelope.encode(event) for event in shown]

    def _take(self, draft: Draft) -> None:
        for sealed, event in zip(draft.events, draft.typed, strict=True):
            assert self.history.add(envelope.decode(envelope.encode(sealed))) == event
        self.session: Session = draft.session
        self.log += draft.events
        self.typed += draft.typed
        assert self.history.position == self.position

    @property
    def now(self) -> str:
        """The present: time passes by `wait` alone."""
        return (_MORNING + self.waited).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def wait(self, seconds: float) -> None:
        self.waited += timedelta(seconds=seconds)


def hot_seat(ruleset: str, seats: int = 2, **choices: Any) -> CreateGame:
    """A table where the creator has every seat."""
    return CreateGame(**{"ruleset": ruleset, "seats": (MySeat(),) * seats, "undo": "free", **choices})


def rechained(log: Sequence[Envelope]) -> list[Envelope]:
    """The log with all digests computed anew, as a forger would."""
    head, chained = envelope.GENESIS, []
    for event in log:
        forged = envelope.sealed(replace(event, prev=head))
        head = forged.digest
        chained.append(forged)
    return chained
