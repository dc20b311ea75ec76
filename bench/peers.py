"""Events saved per second from Python: our sessions, a bare XADD, and the `eventsourcing` library, in turns.

The library is compared when it is there (`make bench` installs it); without it there are our rows alone.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median

from msgspec import Struct

from bench.mirror import Ahead, games_ahead
from bench.report import Column, Effort, Measured
from bench.servers import store_on
from domain.catalogue import GAMES
from domain.table import Order
from events import envelope
from events.draft import Session
from events.ruleset import Rulesets
from events.sessions import Key, Sessions
from events.settings import Settings
from events.store import connect, open_store

TITLE = "Saving events, without HTTP"
SEATS = 3
MOST_STEPS = 24

COLUMNS = (
    Column("what", "what"),
    Column("durable", "on disk"),
    Column("saves", "saves per second", ".0f"),
    Column("events", "events per second", ".0f"),
)
NOTES = (
    "One process and one thread; medians of rounds in which all take their turns; wall time.",
    (
        "Sessions.handle: load the snapshot, decide, fold, seal, append with version check, snapshot, feed and answer, in one "
        "durable write; games at random places of their course."
    ),
    (
        "eventsourcing: an aggregate with a hundred events is loaded, changed by one event with six fields and saved; cache: "
        "its AGGREGATE_CACHE_MAXSIZE is larger than the number of aggregates. Its SQLite file is synced at each save."
    ),
)


class Saved(Struct, frozen=True):
    """What was saved in a round: how many times, and how many events."""

    saves: int
    events: int


class Contender(Struct, frozen=True):
    """Who is measured: `save(n)` saves n times; `prepare` is called before each round, outside of the measured time."""

    what: str
    durable: bool
    save: Callable[[int], Saved]
    prepare: Callable[[int], None] = lambda _: None


def run(effort: Effort) -> Measured:
    """Let everybody save, in turns."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="annales-bench-")))
        settings, _ = stack.enter_context(store_on(folder))
        contenders = [*_ours(settings), *_the_library(folder)]
        rates: list[list[tuple[float, float]]] = [[] for _ in contenders]
        for _ in range(effort.rounds):
            for contender, found in zip(contenders, rates, strict=True):
                found.append(_round(contender, effort.requests))
    rows = [
        {
            "what": contender.what,
            "durable": "yes" if contender.durable else "no",
            "saves": median(saves for saves, _ in found),
            "events": median(events for _, events in found),
        }
        for contender, found in zip(contenders, rates, strict=True)
    ]
    return Measured(title=TITLE, columns=COLUMNS, rows=rows, notes=NOTES)


def _round(contender: Contender, count: int) -> tuple[float, float]:
    contender.prepare(count)
    start = time.perf_counter()
    saved = contender.save(count)
    seconds = time.perf_counter() - start
    return saved.saves / seconds, saved.events / seconds


def _ours(settings: Settings) -> Iterator[Contender]:
    client = connect(settings.redis_url)
    sessions = Sessions(open_store(client, settings.partitions, settings.durability), Rulesets(GAMES.values()))
    lines = []
    for game in GAMES:
        play = Play(sessions, game)
        lines.append(play.line)
        yield Contender(what=f"Sessions.handle, {game}", durable=True, save=play.save, prepare=play.prepare)

    def xadd(count: int) -> Saved:
        for _ in range(count):
            client.xadd("bench:bare", {"e": lines[0]})
        return Saved(saves=count, events=count)

    yield Contender(what="bare XADD by redis-py", durable=True, save=xadd)


class Play:
    """Commands of one ruleset; `line` is one of its events as it lies in the log."""

    def __init__(self, sessions: Sessions, game: str) -> None:
        self._sessions = sessions
        players = [f"{seat:024x}" for seat in range(SEATS)]
        ahead = games_ahead(sessions, sessions.rulesets[game], players, SEATS, MOST_STEPS, Random(game))
        self._orders = _orders(ahead)
        self._ready: list[tuple[str, Order]] = []
        self.line = max((envelope.encode(each) for each in sessions.store.log(next(ahead).game)), key=len)

    def prepare(self, count: int) -> None:
        """Make so many orders ready."""
        self._ready = list(islice(self._orders, count))

    def save(self, count: int) -> Saved:
        """Give the orders."""
        events = 0
        for game, order in self._ready[:count]:
            events += len(self._sessions.handle(game, partial(_given, order), Key.own()).events)
        return Saved(saves=count, events=events)


def _given(order: Order, _: Session) -> list[Order]:
    return [order]


def _orders(games: Iterator[Ahead]) -> Iterator[tuple[str, Order]]:
    for ahead in games:
        for step in ahead.steps:
            player = ahead.players[step.seat]
            yield ahead.game, Order(command=step.command, actor="player", seat=step.seat, player=player)


def _the_library(folder: Path) -> Iterator[Contender]:
    if find_spec("eventsourcing") is None:
        return
    from bench.eventsourcing_peer import Peer  # noqa: PLC0415 it is there only for this

    for name, environment in (
        ("in memory", {}),
        ("SQLite file", {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(folder / "peer.sqlite")}),
    ):
        for cache in (False, True):
            peer = Peer(environment, cached=cache)
            what = f"eventsourcing, {name}{', cache' if cache else ''}"
            save, prepare = partial(_saved, peer.save), partial(_prepared, peer.prepare)
            yield Contender(what=what, durable=bool(environment), save=save, prepare=prepare)


def _prepared(prepare: Callable[[], None], _: int) -> None:
    prepare()


def _saved(save: Callable[[int], int], count: int) -> Saved:
    """Saves of one event each."""
    saves = save(count)
    return Saved(saves=saves, events=saves)
