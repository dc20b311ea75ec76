"""The feed: one stream a partition that points to every append, for whatever follows all games."""

import logging
import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, cast

from msgspec import Struct
from redis.exceptions import RedisError

from events.store import Store

LOG = logging.getLogger(__name__)

START = "0-0"
"""The position before the first entry of a feed."""


class Entry(Struct, frozen=True):
    """One append: `game` went from version `before` to `version`.

    `owed` is the step it owes, or ''; `due` is when something falls due (Unix milliseconds); `table`: more than the board
    changed.
    """

    id: str
    game: str
    version: int
    owed: str
    table: bool
    due: int | None
    before: int


class Feed:
    """The feeds of all partitions of a store; `part` names another one than that of all appends."""

    def __init__(self, store: Store, part: str = "feed") -> None:
        self._store = store
        self._part = part
        self.partitions = range(store.keys.partitions)

    def read(self, after: Mapping[int, str], *, block: int | None = None, count: int = 500) -> dict[int, list[Entry]]:
        """The entries after the given position of each partition; waits up to `block` milliseconds for a first one."""
        streams: dict[Any, Any] = {self._key(partition): position for partition, position in after.items()}
        answer = cast("list[Any]", self._store.client.xread(streams, count=count, block=block))
        partitions = {self._key(partition).encode(): partition for partition in after}
        return {partitions[key]: [_entry(row) for row in rows] for key, rows in answer}

    def tail(self, partition: int) -> str:
        """The position of the newest entry."""
        rows = cast("list[Any]", self._store.client.xrevrange(self._key(partition), count=1))
        return rows[0][0].decode() if rows else START

    def trim(self, partition: int, position: str) -> None:
        """Drop the entries before `position`, which every consumer has passed."""
        self._store.client.xtrim(self._key(partition), minid=position)

    def _key(self, partition: int) -> str:
        return self._store.keys.shared(partition, self._part)


class Wakeups:
    """Tells the streams of this process when their game has moved: one reader for all of them.

    With another `part`, when the stream of a player has: then a player stands for a game, and a number for a version.
    """

    KNOWN = 10_000
    """How many games' versions are remembered, for a stream that begins to wait just after its game moved."""
    PAUSE = 0.05
    """Seconds between two reads. Each read costs nearly as much as a command does, so on a busy store one tells of many moves;
    the first move after a quiet time is told at once."""

    def __init__(self, store: Store, part: str = "feed") -> None:
        self._feed = Feed(store, part)
        self._lock = threading.Lock()
        self._waiting: dict[str, set[threading.Event]] = {}
        self._versions: OrderedDict[str, int] = OrderedDict()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="wakeups", daemon=True)

    def start(self) -> None:
        """Begin to read the feeds."""
        self._thread.start()

    def stop(self) -> None:
        """Stop reading and wake everybody."""
        self._stopping.set()
        self._wake_all()
        self._thread.join(timeout=2)

    def wait(self, game: str, version: int, timeout: float) -> bool:
        """Whether `game` may have moved beyond `version`: true as soon as it may, false after `timeout` seconds."""
        moved = threading.Event()
        with self._lock:
            if self._versions.get(game, 0) > version or self._stopping.is_set():
                return True
            self._waiting.setdefault(game, set()).add(moved)
        try:
            return moved.wait(timeout)
        finally:
            with self._lock:
                waiting = self._waiting.get(game, set())
                waiting.discard(moved)
                if not waiting:
                    self._waiting.pop(game, None)

    def _run(self) -> None:
        positions: dict[int, str] | None = None
        while not self._stopping.is_set():
            try:
                if positions is None:
                    positions = {partition: self._feed.tail(partition) for partition in self._feed.partitions}
                    self._wake_all()
                for partition, entries in self._feed.read(positions, block=1000).items():
                    positions[partition] = entries[-1].id
                    self._wake(entries)
                self._stopping.wait(self.PAUSE)
            except RedisError as error:
                LOG.warning("the feed cannot be read, streams fall back to looking now and then: %s", error)
                positions = None
                self._stopping.wait(1)

    def _wake(self, entries: list[Entry]) -> None:
        with self._lock:
            for entry in entries:
                self._versions[entry.game] = entry.version
                self._versions.move_to_end(entry.game)
                for moved in self._waiting.get(entry.game, ()):
                    moved.set()
            while len(self._versions) > self.KNOWN:
                self._versions.popitem(last=False)

    def _wake_all(self) -> None:
        with self._lock:
            for waiting in self._waiting.values():
                for moved in waiting:
                    moved.set()


def _entry(row: Any) -> Entry:
    entry_id, fields = row
    return Entry(
        id=entry_id.decode(),
        game=fields[b"g"].decode(),
        version=int(fields[b"v"]),
        owed=fields[b"o"].decode(),
        table=fields[b"t"] == b"1",
        due=int(fields[b"d"]) if fields[b"d"] else None,
        before=int(fields.get(b"f", int(fields[b"v"]) - 1)),
    )


def position_order(position: str) -> tuple[int, int]:
    """A position in a feed as something to compare."""
    milliseconds, _, number = position.partition("-")
    return int(milliseconds), int(number)
