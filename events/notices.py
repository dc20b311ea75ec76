"""The projection behind a player's own stream: what happens to them in all their games.

Its notices are found in the partition of a game and belong into the partition of a player. So they go by an outbox: with the
checkpoint in the feed, and what each game has told so far, they are put into the outbox of the game's partition, all or
nothing; from there a script puts them into the player's stream and remembers how far that outbox has been taken. Whatever
fails in between is done again, and nothing comes twice.
"""

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from typing import Any, Literal, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from redis.exceptions import WatchError

from domain.errors import DomainError
from domain.table import to_act
from domain.table.state import Status
from events.codec import UnknownEvent
from events.draft import Session
from events.errors import OutcomeUnknown, StoreUnavailable
from events.feed import START, Entry, Feed
from events.sessions import Sessions
from events.store import PAGE, Logged, reading, writing

LOG = logging.getLogger(__name__)

KEPT = 1000
"""How many notices of a player are kept: the newest."""
KEPT_SECONDS = 30 * 86_400
"""How long they are kept after the last one."""
BELLS = "notices:feed"
"""The feed, in each partition, that tells whose stream has grown."""
_BELLS_KEPT = 1000
_BATCH = 500

NoticeType = Literal["game_started", "your_turn", "undo_requested", "game_finished", "game_abandoned"]


class CursorGone(DomainError):
    """What came after a cursor is not kept any more (HTTP 410)."""

    def __init__(self) -> None:
        says = "What came after this cursor is not kept any more: read your games afresh, and begin without a cursor."
        super().__init__("cursor-gone", says)


class Notice(Struct, frozen=True, kw_only=True):
    """What a player is told of a game of theirs: how it stands at `version`, since `at`.

    `game_started`, `game_finished` and `game_abandoned` are told once to each player with a seat, with `seat` null.
    `your_turn`: the decision of `seat` is awaited, told when that begins and again when anybody else has acted meanwhile.
    `undo_requested`: `seat` has to agree to an undo, or not. Turns that have passed before they could be told are left out.
    `id` is the cursor after which the stream goes on.
    """

    id: str = ""
    type: NoticeType
    game: str
    version: int
    seat: int | None = None
    at: str


class Numbered(Struct, frozen=True):
    """A notice and its place in the player's stream: 1, 2, 3, ..."""

    number: int
    notice: Notice


class Told(Struct, frozen=True):
    """What has been told of a game: how it stood at `version`. `request` is the time of the undo that waited for consent."""

    version: int = 0
    status: Status = "open"
    awaited: tuple[int, ...] = ()
    request: int | None = None


class _Given(Struct):
    seat: int | None


_GIVEN = msgspec.json.Decoder(_Given)
_NOTICE = msgspec.json.Decoder(Notice)
_TOLD = msgspec.json.Decoder(Told)
News = list[tuple[str, Notice]]
"""Notices, each with the player who gets it."""


def news(told: Told, session: Session, since: Sequence[Logged]) -> News:
    """What is new in a game, where `since` are the events (at least PAGE, or all) that came after what was told."""
    return [*_course(told, session), *_turns(told, session, since), *_requests(told, session)]


def told_by(session: Session) -> Told:
    """What has been told once everything is told of a game as it stands."""
    table = session.position.table
    return Told(
        version=table.version,
        status=table.status,
        awaited=to_act(session.ruleset.game, session.position),
        request=table.request.time if table.request else None,
    )


def _notice(kind: NoticeType, session: Session, seat: int | None = None) -> Notice:
    return Notice(type=kind, game=session.id, version=session.version, seat=seat, at=session.position.table.updated_at)


def _course(told: Told, session: Session) -> Iterator[tuple[str, Notice]]:
    """That the game has started, and that it is over."""
    table, kinds = session.position.table, list[NoticeType]()
    if told.status == "open" and session.position.game is not None:
        kinds.append("game_started")
    if table.status == "finished" and told.status != "finished":
        kinds.append("game_finished")
    if table.status == "abandoned" and told.status != "abandoned":
        kinds.append("game_abandoned")
    for player in sorted({seat.player for seat in table.seats if seat.player is not None}):
        yield from ((player, _notice(kind, session)) for kind in kinds)


def _turns(told: Told, session: Session, since: Sequence[Logged]) -> Iterator[tuple[str, Notice]]:
    """Whose decision is awaited, and was not, or has been so while others acted."""
    movers = {_GIVEN.decode(row.line).seat for row in since if row.version <= session.version}
    for seat in to_act(session.ruleset.game, session.position):
        if seat not in told.awaited or movers - {seat} or len(since) >= PAGE:
            yield from _to(session, "your_turn", seat)


def _requests(told: Told, session: Session) -> Iterator[tuple[str, Notice]]:
    """Who has to agree to an undo."""
    request = session.position.table.request
    if request is not None and request.time != told.request:
        for seat in request.needs:
            yield from _to(session, "undo_requested", seat)


def _to(session: Session, kind: NoticeType, seat: int) -> Iterator[tuple[str, Notice]]:
    holder = session.position.table.seats[seat]
    if holder.kind == "player" and holder.player is not None:
        yield holder.player, _notice(kind, session, seat)


class Notices:
    """The streams of the players, for reading, and their upkeep from the feed."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._store = sessions.store
        self._client = self._store.client
        self._deliver = self._client.register_script(files("events").joinpath("notices.lua").read_text())
        self.feed = Feed(self._store)

    def read(self, player: str, after: int, limit: int) -> list[Numbered]:
        """At most `limit` notices of a player after number `after`. Raises CursorGone, StoreUnavailable."""
        with reading():
            pipeline = self._client.pipeline(transaction=False)
            pipeline.hget(self._received(player), "count")
            pipeline.xrange(self._notices(player), f"{after + 1}-0", "+", limit)
            count, rows = pipeline.execute()
        found = [_numbered(row) for row in rows]
        if after > int(count or 0) or (found[0].number > after + 1 if found else int(count or 0) > after):
            raise CursorGone
        return found

    def first(self, player: str) -> int:
        """The number after which the kept notices of a player begin. Raises StoreUnavailable."""
        with reading():
            rows = cast("list[Any]", self._client.xrange(self._notices(player), count=1))
        return _numbered(rows[0]).number - 1 if rows else self.last(player)

    def last(self, player: str) -> int:
        """The number of the newest notice of a player, 0 for none. Raises StoreUnavailable."""
        with reading():
            return int(cast("bytes | None", self._client.hget(self._received(player), "count")) or 0)

    def checkpoint(self, partition: int) -> str:
        """How far the feed of `partition` has been followed."""
        return (cast("bytes | None", self._client.get(self._key(partition, "checkpoint"))) or START.encode()).decode()

    def take(self, partition: int, entries: list[Entry], checkpoint: str) -> str:
        """Tell of the games in a batch of the feed read after `checkpoint`; the checkpoint to go on from.

        When another follower was faster nothing is written, and the answer is where it stands.
        """
        games = sorted({entry.game for entry in entries if entry.table or not entry.owed})
        if not self._put(partition, games, checkpoint, entries[-1].id):
            return self.checkpoint(partition)
        self.deliver(partition)
        return entries[-1].id

    def deliver(self, partition: int) -> int:
        """Put what lies in the outbox of a partition into the streams of the players; how many notices that were."""
        key, delivered = self._key(partition, "outbox"), 0
        while rows := cast("list[Any]", self._client.xrange(key, count=_BATCH)):
            batches: dict[str, list[bytes]] = defaultdict(list)
            for outbox_id, fields in rows:
                batches[fields[b"p"].decode()] += [outbox_id, fields[b"n"]]
            for player, batch in batches.items():
                delivered += self._hand_over(partition, player, batch)
            self._client.xdel(key, *(outbox_id for outbox_id, _ in rows))
        return delivered

    def _hand_over(self, partition: int, player: str, batch: Sequence[bytes]) -> int:
        bells = self._store.keys.shared(self._store.keys.partition_of(player), BELLS)
        with writing():
            return int(
                self._deliver(
                    keys=[self._notices(player), self._received(player), bells],
                    args=[partition, player, KEPT, KEPT_SECONDS, _BELLS_KEPT, *batch],
                )
            )

    def _put(self, partition: int, games: Sequence[str], expected: str, checkpoint: str) -> bool:
        """Put what is new in some games into the outbox, and the checkpoint; false if that was not as expected."""
        key = self._key(partition, "checkpoint")
        with self._client.pipeline() as pipeline:
            pipeline.watch(key)  # type: ignore[no-untyped-call]
            if (cast("bytes | None", pipeline.get(key)) or START.encode()).decode() != expected:
                return False
            found = list(self._found(partition, games))
            pipeline.multi()
            for told, new in found:
                pipeline.hset(self._key(partition, "told"), mapping=told)
                for player, notice in new:
                    pipeline.xadd(self._key(partition, "outbox"), {"p": player, "n": msgspec.json.encode(notice)})
            pipeline.set(key, checkpoint)
            try:
                pipeline.execute()
            except WatchError:
                return False
        return True

    def _found(self, partition: int, games: Sequence[str]) -> Iterator[tuple[dict[Any, Any], News]]:
        """Of each game what is told of it from now on, and what is new. A game that cannot be read is passed over."""
        for game, before in self._told(partition, games):
            try:
                session, since = self._sessions.load_with_events(game, before.version, PAGE)
                if session.version > before.version:
                    yield {game: msgspec.json.encode(told_by(session))}, news(before, session, since)
            except (StoreUnavailable, OutcomeUnknown):
                raise
            except (DomainError, UnknownEvent, msgspec.MsgspecError, LookupError):
                LOG.exception("nothing can be told of game %s: it cannot be read", game)

    def _told(self, partition: int, games: Sequence[str]) -> Iterable[tuple[str, Told]]:
        if not games:
            return []
        stored = cast("list[bytes | None]", self._client.hmget(self._key(partition, "told"), games))
        return [(game, _TOLD.decode(told) if told else Told()) for game, told in zip(games, stored, strict=True)]

    def _notices(self, player: str) -> str:
        return self._store.keys.player(player, "notices")

    def _received(self, player: str) -> str:
        return self._store.keys.player(player, "notices:received")

    def _key(self, partition: int, part: str) -> str:
        return self._store.keys.shared(partition, f"notices:{part}")


def with_id(numbered: Numbered, cursor: str) -> Notice:
    """The notice as it is sent."""
    return replace(numbered.notice, id=cursor)


def _numbered(row: Any) -> Numbered:
    entry_id, fields = row
    return Numbered(int(entry_id.partition(b"-")[0]), _NOTICE.decode(fields[b"n"]))
