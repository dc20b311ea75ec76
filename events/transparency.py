"""The log of all finished games: one Merkle tree whose leaves are the heads of games that are over.

Whoever has seen a head of this tree can be shown that a game is in it, and that a later tree begins with it; so no finished
game can be rewritten unseen. A leaf is the canonical JSON of an `Entry`. It names the game by the digest of its id, since an
id is enough to look at an unlisted game.

In the store, entries and nodes lie in long strings, a chunk of them a key: appending writes a few ranges, a proof reads one
range for each node, all in one round trip.
"""

import base64
import logging
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from importlib.resources import files
from typing import cast

import msgspec
from msgspec import Struct

from domain.canonical import canonical
from domain.table.events import SeedRevealed
from events import envelope, feed, merkle
from events.envelope import Envelope
from events.feed import START, Feed
from events.merkle import EMPTY_ROOT, Node
from events.store import Store, reading, writing

LOG = logging.getLogger(__name__)

CHUNK = 65_536
"""Entries or nodes in one string."""

_TAG = "annales:{log}"
_HASH = 32
_ENTRY = 2 * _HASH + 8


class Entry(Struct, frozen=True):
    """One game that is over: the digest of its id, its last version, the digest of its last event."""

    game: str
    head: str
    version: int

    @property
    def leaf(self) -> bytes:
        """The hash of the leaf that it is."""
        return merkle.leaf_hash(canonical(self))


class Head(Struct, frozen=True):
    """The tree as it stands."""

    size: int
    root: bytes

    def text(self, origin: str) -> str:
        """The text of its checkpoint, as C2SP's tlog-checkpoint has it."""
        return f"{origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"


def game_digest(game: str) -> str:
    """How an entry names a game."""
    return "sha256:" + sha256(game.encode()).hexdigest()


class TransparencyLog:
    """The log, for reading, and its upkeep from the feed."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._client = store.client
        self._append = self._client.register_script(files("events").joinpath("log_append.lua").read_text())
        self.feed = Feed(store)

    def head(self) -> Head:
        """The tree as it stands."""
        with reading():
            size, root = cast("list[bytes | None]", self._client.hmget(f"{_TAG}:head", ["size", "root"]))
        return Head(int(size or 0), root or EMPTY_ROOT)

    def index(self, game: str) -> int | None:
        """Which leaf a game is; None while it is in no tree."""
        with reading():
            found = cast("bytes | None", self._client.hget(f"{_TAG}:index", _raw(game_digest(game))))
        return None if found is None else int(found)

    def entries(self, after: int, limit: int) -> list[Entry]:
        """At most `limit` entries from index `after` on."""
        end = min(after + limit, self.head().size)
        if end <= after:
            return []
        first, last = after // CHUNK, (end - 1) // CHUNK
        with reading():
            pipeline = self._client.pipeline(transaction=False)
            for chunk in range(first, last + 1):
                start = max(after - chunk * CHUNK, 0)
                stop = min(end - chunk * CHUNK, CHUNK)
                pipeline.getrange(f"{_TAG}:entries:{chunk}", start * _ENTRY, stop * _ENTRY - 1)
            packed = b"".join(pipeline.execute())
        return [_unpacked(packed[at : at + _ENTRY]) for at in range(0, len(packed), _ENTRY)]

    def root(self, size: int) -> bytes:
        """The root of the tree when it had that size."""
        return merkle.root(size, self._nodes)

    def inclusion_proof(self, index: int, size: int) -> list[bytes]:
        """The proof that leaf `index` is in the tree of that size. Raises ValueError."""
        return merkle.inclusion_proof(index, size, self._nodes)

    def consistency_proof(self, first: int, second: int) -> list[bytes]:
        """The proof that the tree of the second size begins with that of the first. Raises ValueError."""
        return merkle.consistency_proof(first, second, self._nodes)

    def checkpoint(self, partition: int) -> str:
        """How far the feed of `partition` has been taken."""
        with reading():
            found = cast("bytes | None", self._client.hget(f"{_TAG}:feeds", str(partition)))
        return START if found is None else found.decode()

    def take(self, partition: int, entries: list[feed.Entry], checkpoint: str) -> str:
        """Append the games that a batch of the feed, read after `checkpoint`, has ended; the checkpoint to go on from.

        When another follower was faster nothing is written, and the answer is where it stands.
        """
        head = self.head()
        over = self._new(self._over(entries))
        if self._write(head, over, partition, checkpoint, entries[-1].id):
            return entries[-1].id
        return self.checkpoint(partition)

    def _over(self, entries: Iterable[feed.Entry]) -> list[Entry]:
        """The games whose last event these appends have written."""
        found: dict[str, Entry] = {}
        for entry in entries:
            if not entry.table or entry.owed or entry.due is not None:
                continue  # a game that goes on
            last = self._last(entry)
            if last is not None and last.type == SeedRevealed.type and last.game == entry.game:
                name = game_digest(entry.game)
                found.setdefault(name, Entry(game=name, head=last.digest, version=last.version))
        return list(found.values())

    def _last(self, entry: feed.Entry) -> Envelope | None:
        """The last event of an append. A game with a bad one is parked, the others go on."""
        try:
            (row,) = self._store.read(entry.game, entry.version - 1, 1)
            return envelope.decode(row.line)
        except (msgspec.MsgspecError, ValueError) as error:
            LOG.exception("game %s is parked: the end of its log cannot be read", entry.game)
            with writing():
                self._client.hset(f"{_TAG}:parked", entry.game, f"{type(error).__name__}: {error}")
            return None

    def parked(self) -> dict[str, str]:
        """The games whose end could not be read, each with the reason."""
        with reading():
            stored = cast("dict[bytes, bytes]", self._client.hgetall(f"{_TAG}:parked"))
        return {game.decode(): reason.decode() for game, reason in stored.items()}

    def _new(self, entries: Sequence[Entry]) -> list[Entry]:
        """Those that are in no tree yet."""
        if not entries:
            return []
        with reading():
            known = cast("list[bytes | None]", self._client.hmget(f"{_TAG}:index", [_raw(e.game) for e in entries]))
        return [entry for entry, index in zip(entries, known, strict=True) if index is None]

    def _write(self, head: Head, new: Sequence[Entry], partition: int, expected: str, checkpoint: str) -> bool:
        """Append entries and set the checkpoint of a feed; false when the tree or the checkpoint has moved on."""
        nodes = merkle.grown(head.size, [entry.leaf for entry in new], self._nodes)
        size = head.size + len(new)
        root = merkle.root(size, lambda wanted: {**self._nodes([n for n in wanted if n not in nodes]), **nodes})
        ranges = {_place_of_entry(head.size + number): _packed(entry) for number, entry in enumerate(new)}
        ranges |= {_place_of_node(node): hashed for node, hashed in nodes.items()}
        with writing():
            stored = self._append(
                keys=[f"{_TAG}:head", f"{_TAG}:index", f"{_TAG}:feeds", *(key for key, _ in ranges)],
                args=[
                    head.size,
                    partition,
                    "" if expected == START else expected,
                    checkpoint,
                    size,
                    root,
                    len(new),
                    *(_raw(entry.game) for entry in new),
                    *(part for (_, offset), data in ranges.items() for part in (offset, data)),
                ],
            )
        return bool(stored)

    def _nodes(self, wanted: Sequence[Node]) -> Mapping[Node, bytes]:
        """The hashes of nodes, in one round trip."""
        if not wanted:
            return {}
        with reading():
            pipeline = self._client.pipeline(transaction=False)
            for node in wanted:
                key, offset = _place_of_node(node)
                pipeline.getrange(key, offset, offset + _HASH - 1)
            return dict(zip(wanted, cast("list[bytes]", pipeline.execute()), strict=True))


def _place_of_entry(index: int) -> tuple[str, int]:
    return f"{_TAG}:entries:{index // CHUNK}", index % CHUNK * _ENTRY


def _place_of_node(node: Node) -> tuple[str, int]:
    level, index = node
    return f"{_TAG}:nodes:{level}:{index // CHUNK}", index % CHUNK * _HASH


def _packed(entry: Entry) -> bytes:
    return _raw(entry.game) + _raw(entry.head) + entry.version.to_bytes(8, "big")


def _unpacked(packed: bytes) -> Entry:
    game, head, version = packed[:_HASH], packed[_HASH : 2 * _HASH], packed[2 * _HASH :]
    return Entry(game=_stated(game), head=_stated(head), version=int.from_bytes(version, "big"))


def _raw(digest: str) -> bytes:
    """The 32 bytes of a stated digest."""
    return bytes.fromhex(digest.removeprefix("sha256:"))


def _stated(raw: bytes) -> str:
    return f"sha256:{raw.hex()}"
