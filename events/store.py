"""The store of the logs: one Redis stream a game, one script that appends."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib.resources import files
from time import time
from typing import Any, Literal, cast

import msgspec
import redis
from msgspec import Struct
from redis.commands.core import Script
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import NoScriptError, RedisError, ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError

from events import envelope
from events.envelope import Envelope
from events.errors import OutcomeUnknown, StoreUnavailable, UnsafeStore
from events.keys import Keys
from events.wire import Command, Wire

FORMAT = "1"
"""The format of the data; newer data is refused."""

PAGE = 1000
"""How many events one read of a whole log takes at a time."""

MILESTONE_EVERY = 128
"""How many events lie between two snapshots that are kept for looking back, about."""

Redis = redis.Redis

_SNAPSHOT_FIELDS = ("v", "s", "t", "g", "h", "r")


class Snapshot(Struct, frozen=True):
    """The cached state of a game at its latest version: `schema` names the form of `table` and `game` (JSON).

    `rematch` lies beside it: the game that plays this one once more, or ''.
    """

    version: int
    schema: str
    table: bytes
    game: bytes
    head: str
    rematch: str = ""


class Append(Struct, frozen=True, kw_only=True):
    """One append: all or nothing.

    `answer_id` names the stored `answer`; `owed` is the step that the game then owes, or ''; `due` is when something falls
    due that is not owed yet (Unix milliseconds). `milestone`: the snapshot is kept for looking back, as it is in any case
    after so many events.
    """

    game: str
    expected: int
    events: Sequence[Envelope]
    snapshot: Snapshot
    owed: str
    due: int | None
    answer_id: str
    answer: bytes
    keep_answer: int
    milestone: bool = False


class Appended(Struct, frozen=True):
    """How an append ended: stored; known (the command was stored before, with this answer); moved (to this version)."""

    outcome: Literal["stored", "known", "moved"]
    answer: bytes = b""
    version: int = 0


class Logged(Struct, frozen=True):
    """One stored event as it lies in the log: `line` is its canonical JSON, whole; `has_private` whether it needs redaction."""

    version: int
    line: bytes
    has_private: bool


class Store:
    """The logs of all games. Thread-safe."""

    def __init__(self, client: Redis, partitions: int) -> None:
        self.client = client
        self.keys = Keys(partitions)
        self._wire = Wire(client)
        scripts = files("events")
        self._append = client.register_script(scripts.joinpath("append.lua").read_text())
        self._import = client.register_script(scripts.joinpath("import.lua").read_text())
        self.seed_line = lru_cache(maxsize=4096)(self._first_line)

    def load(self, game: str, answer_id: str | None = None) -> tuple[Snapshot | None, bytes | None]:
        """The snapshot of a game and the stored answer of that id, in one round trip. Raises StoreUnavailable."""
        with reading():
            load = ("HMGET", self.keys.game(game, "state"), *_SNAPSHOT_FIELDS)
            if answer_id is None:
                return _snapshot(self._wire.ask(load)[0]), None
            state, answer = self._wire.ask(load, ("GET", self.keys.game(game, f"answer:{answer_id}")))
            return _snapshot(state), answer

    def load_with_events(self, game: str, after: int, limit: int) -> tuple[Snapshot | None, list[Logged]]:
        """The snapshot of a game, and at most `limit` events after a version, in one round trip. Raises StoreUnavailable.

        The events may be newer than the snapshot.
        """
        with reading():
            state, rows = self._wire.ask(
                ("HMGET", self.keys.game(game, "state"), *_SNAPSHOT_FIELDS), self._range(game, after, limit)
            )
        return _snapshot(state), [_logged(row) for row in rows]

    def load_many(self, games: Sequence[str]) -> list[Snapshot | None]:
        """The snapshots of many games, in one round trip. Raises StoreUnavailable."""
        with reading():
            pipeline = self.client.pipeline(transaction=False)
            for game in games:
                pipeline.hmget(self.keys.game(game, "state"), _SNAPSHOT_FIELDS)
            return [_snapshot(fields) for fields in pipeline.execute()]

    def append(self, append: Append) -> Appended:
        """Append events to a log. Raises OutcomeUnknown, StoreUnavailable."""
        keys, game = self.keys, append.game
        partition = keys.partition_of(game)
        snapshot = append.snapshot
        is_milestone = append.milestone or passes_milestone(append.expected, snapshot.version)
        names = [
            keys.game(game, "events"),
            keys.game(game, "state"),
            keys.game(game, f"answer:{append.answer_id}"),
            *(keys.shared(partition, part) for part in ("feed", "owed", "attempts", "games", "due")),
            keys.game(game, "milestones"),
        ]
        arguments = [
            append.expected,
            game,
            append.owed,
            int(time() * 1000),
            append.answer,
            append.keep_answer,
            snapshot.schema,
            snapshot.table,
            snapshot.game,
            snapshot.head,
            "1" if any(event.type.startswith("table.") for event in append.events) else "",
            "" if append.due is None else append.due,
            msgspec.msgpack.encode(snapshot) if is_milestone else b"",
            *_lines(append.events),
        ]
        with writing():
            said = self._run(self._append, names, arguments)
        match said[0]:
            case b"stored":
                return Appended("stored")
            case b"known":
                return Appended("known", answer=said[1])
            case _:
                return Appended("moved", version=said[1])

    def put_copy(self, game: str, events: Sequence[Envelope], snapshot: Snapshot) -> bool:
        """Store a finished log verbatim under a new id, in no list; false when the id is taken. Raises OutcomeUnknown."""
        names = [
            self.keys.game(game, "events"),
            self.keys.game(game, "state"),
            self.keys.shared(self.keys.partition_of(game), "imported"),
        ]
        with writing():
            stored = self._import(
                keys=names,
                args=[game, snapshot.schema, snapshot.table, snapshot.game, snapshot.head, *_lines(events)],
            )
        return bool(stored)

    def _run(self, script: Script, keys: Sequence[str], arguments: Sequence[Any]) -> Any:
        """Run a script that may be run twice, and send it first where the server does not know it."""
        call = ("EVALSHA", script.sha, len(keys), *keys, *arguments)
        try:
            return self._wire.ask(call)[0]
        except NoScriptError:
            self.client.script_load(script.script)
            return self._wire.ask(call)[0]

    def read(self, game: str, after: int = 0, limit: int = PAGE) -> list[Logged]:
        """At most `limit` events with a version above `after`. Raises StoreUnavailable."""
        with reading():
            (rows,) = self._wire.ask(self._range(game, after, limit))
        return [_logged(row) for row in rows]

    def log(self, game: str, to: int | None = None, after: int = 0) -> Iterator[Envelope]:
        """The log after a version up to version `to`, all private parts open."""
        while to is None or after < to:
            rows = self.read(game, after, PAGE if to is None else min(PAGE, to - after))
            for row in rows:
                yield envelope.decode(row.line)
            if len(rows) < PAGE:
                return
            after = rows[-1].version

    def version(self, game: str) -> int:
        """The number of events in the log of a game; 0 when there is no such game."""
        with reading():
            return self.client.xlen(self.keys.game(game, "events"))

    def put_snapshot(self, game: str, snapshot: Snapshot) -> None:
        """Replace a snapshot, if the game still is at its version."""
        script = (
            "if redis.call('XLEN', KEYS[1]) == tonumber(ARGV[1]) then "
            "redis.call('HSET', KEYS[2], 'v', ARGV[1], 's', ARGV[2], 't', ARGV[3], 'g', ARGV[4], 'h', ARGV[5]) end"
        )
        fields = (snapshot.version, snapshot.schema, snapshot.table, snapshot.game, snapshot.head)
        with reading():
            self.client.eval(script, 2, self.keys.game(game, "events"), self.keys.game(game, "state"), *fields)

    def put_rematch(self, game: str, rematch: str) -> None:
        """Note beside a game which one plays it once more. Raises StoreUnavailable, OutcomeUnknown."""
        with writing():
            self.client.hset(self.keys.game(game, "state"), "r", rematch)

    def games(self, partition: int) -> Iterator[str]:
        """The ids of all games of a partition, but for copies."""
        return self._members(partition, "games")

    def copies(self, partition: int) -> Iterator[str]:
        """The ids of the imported copies of a partition."""
        return self._members(partition, "imported")

    def _members(self, partition: int, part: str) -> Iterator[str]:
        for member in self.client.sscan_iter(self.keys.shared(partition, part), count=1000):
            yield member.decode()

    def _range(self, game: str, after: int, limit: int) -> Command:
        return "XRANGE", self.keys.game(game, "events"), f"{after + 1}-0", "+", "COUNT", limit

    def _first_line(self, game: str) -> bytes:
        rows = self.read(game, 0, 1)
        if not rows:
            raise LookupError(game)
        return rows[0].line


def connect(url: str) -> Redis:
    """A client of the server at `url`, with bytes in and out; each thread may have a connection."""
    return redis.Redis.from_url(
        url, socket_timeout=10, socket_connect_timeout=5, health_check_interval=30, max_connections=10_000
    )


def open_store(client: Redis, partitions: int, durability: str) -> Store:
    """The store on that server, once it is sure that the server keeps what it acknowledges.

    Raises UnsafeStore when the server may evict keys, writes no append-only file or syncs it too seldom for
    `durability` (`"always"` or `"everysec"`), or when the data has another format or another number of partitions.
    """
    for problem in unsafe(client, durability):
        raise UnsafeStore(problem)
    client.hsetnx("annales:meta", "format", FORMAT)
    client.hsetnx("annales:meta", "partitions", str(partitions))
    written, fixed = (
        value.decode() for value in cast("list[bytes]", client.hmget("annales:meta", "format", "partitions"))
    )
    if written != FORMAT:
        raise UnsafeStore(f"The data has format {written}, this code knows format {FORMAT}: use newer code.")
    if int(fixed) != partitions:
        raise UnsafeStore(f"The store was first used with {fixed} partitions: set ANNALES_PARTITIONS={fixed}.")
    return Store(client, partitions)


def unsafe(client: Redis, durability: str) -> list[str]:
    """Why this server might lose what it acknowledges, a sentence each; empty when it will not."""
    settings = {
        name.decode() if isinstance(name, bytes) else name: value.decode() if isinstance(value, bytes) else value
        for name, value in cast(
            "dict[Any, Any]", client.config_get("maxmemory-policy", "appendonly", "appendfsync")
        ).items()
    }
    problems = []
    if settings["maxmemory-policy"] != "noeviction":
        problems.append(f"The server may evict keys (maxmemory-policy {settings['maxmemory-policy']}): set noeviction.")
    if settings["appendonly"] != "yes":
        problems.append("The server writes no append-only file: set appendonly yes.")
    if settings["appendfsync"] == "no" or (settings["appendfsync"] != "always" and durability == "always"):
        problems.append(
            f"The server syncs its append-only file {settings['appendfsync']}: set appendfsync {durability}"
            + (", or ask for less with ANNALES_DURABILITY=everysec." if durability == "always" else ".")
        )
    return problems


def _snapshot(fields: list[Any]) -> Snapshot | None:
    version, schema, table, game, head, rematch = fields
    if version is None:
        return None
    return Snapshot(
        version=int(version),
        schema=schema.decode(),
        table=table,
        game=game,
        head=head.decode(),
        rematch=(rematch or b"").decode(),
    )


def _lines(events: Sequence[Envelope]) -> list[str | bytes]:
    """The events as the scripts take them."""
    return [part for event in events for part in ("1" if event.private else "0", envelope.encode(event))]


def passes_milestone(before: int, after: int) -> bool:
    """Whether a milestone is to be kept at version `after` for the number of events since `before` alone."""
    return before // MILESTONE_EVERY != after // MILESTONE_EVERY


def _logged(row: Any) -> Logged:
    entry_id, (_, line, _, private) = row
    return Logged(version=int(entry_id.partition(b"-")[0]), line=line, has_private=private == b"1")


@contextmanager
def reading() -> Iterator[None]:
    """Around reads. Raises StoreUnavailable."""
    try:
        yield
    except RedisError as error:
        raise StoreUnavailable(str(error)) from error


@contextmanager
def writing() -> Iterator[None]:
    """Around writes. Raises StoreUnavailable when the server refused, OutcomeUnknown when it may have done it."""
    try:
        yield
    except (RedisConnectionError, RedisTimeoutError) as error:
        raise OutcomeUnknown(str(error)) from error
    except ResponseError as error:
        raise StoreUnavailable(str(error)) from error
