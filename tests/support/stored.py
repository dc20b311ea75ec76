"""Games in a store, changed the way the service changes them."""

import random
from collections.abc import Callable, Sequence
from typing import Any

from domain.game import Command
from domain.table import CreateGame, Order, to_act
from domain.table.state import Actor
from events.draft import Session
from events.sessions import Key, Outcome, Sessions
from events.store import Store, connect, open_store
from tests.support.logged import RULESETS


def sessions_at(url: str, partitions: int = 4) -> Sessions:
    """All games of the store at `url`, by clients of their own."""
    return Sessions(open_store(connect(url), partitions, "always"), RULESETS)


def nothing(_: Outcome) -> bytes:
    return b""


class StoredGame:
    """One game in a store."""

    def __init__(self, sessions: Sessions, game: str) -> None:
        self.sessions = sessions
        self.id = game

    @classmethod
    def create(
        cls, sessions: Sessions, command: CreateGame, creator: str = "ada", key: Key | None = None
    ) -> "StoredGame":
        outcome = sessions.create(command, creator, key or Key.own(), nothing)
        return cls(sessions, outcome.session.id)

    @property
    def store(self) -> Store:
        return self.sessions.store

    @property
    def client(self) -> Any:
        """The server itself."""
        return self.store.client

    @property
    def state(self) -> Any:
        """The state of the game itself."""
        return self.session.position.game

    @property
    def session(self) -> Session:
        return self.sessions.load(self.id)

    @property
    def version(self) -> int:
        return self.session.version

    def give(
        self,
        command: Command,
        seat: int | None = None,
        player: str | None = None,
        *,
        key: Key | None = None,
        expected: int | None = None,
        render: Callable[[Outcome], bytes] = nothing,
    ) -> Outcome:
        """Give one command; `player` is whoever has the seat, unless named."""
        return self.batch([(command, seat, player)], key=key, expected=expected, render=render)

    def batch(
        self,
        commands: Sequence[tuple[Command, int | None, str | None]],
        *,
        key: Key | None = None,
        expected: int | None = None,
        render: Callable[[Outcome], bytes] = nothing,
    ) -> Outcome:
        def orders(session: Session) -> list[Order]:
            return [order_in(session, *command) for command in commands]

        return self.sessions.handle(self.id, orders, key or Key.own(), expected=expected, render=render)

    def dry(self, command: Command, seat: int | None = None, player: str | None = None) -> Outcome:
        return self.sessions.try_out(self.id, lambda session: [order_in(session, command, seat, player)])

    def step(self, rng: random.Random) -> None:
        """One random command of a seat, or the step that is owed."""
        session = self.session
        if self.sessions.take_owed(self.id, session.version):
            return
        seat = rng.choice(to_act(session.ruleset.game, session.position))
        self.give(rng.choice(session.legal_commands(seat)), seat, expected=session.version)

    def play(self, rng: random.Random, most: int = 5000) -> "StoredGame":
        """To the end, or so many steps, at random."""
        for _ in range(most):
            if self.session.position.table.status != "active":
                break
            self.step(rng)
        return self

    def lines(self) -> list[bytes]:
        """The whole log as it lies in the store."""
        return [row.line for row in self.store.read(self.id, 0, 10_000)]


def order_in(
    session: Session, command: Command, seat: int | None, player: str | None = None, actor: Actor = "player"
) -> Order:
    if player is None and seat is not None:
        player = session.position.table.seats[seat].player
    return Order(command=command, actor=actor, seat=seat, player=player)


def everything(sessions: Sessions, pattern: str = "*") -> dict[bytes, Any]:
    """All keys that match, each with its value in a form that can be compared."""
    client = sessions.store.client
    return {key: _value(client, key) for key in sorted(client.scan_iter(pattern, count=1000))}


def _value(client: Any, key: bytes) -> Any:
    match client.type(key):
        case b"hash":
            return client.hgetall(key)
        case b"zset":
            return client.zrange(key, 0, -1, withscores=True)
        case b"set":
            return client.smembers(key)
        case b"stream":
            return client.xrange(key)
        case _:
            return client.get(key)
