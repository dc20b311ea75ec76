"""The projection behind the lists of games: which games there are, by status, ruleset and player, newest first.

A card a game, folded from the events of its table; the indexes are a function of the cards. Cards, indexes and the
checkpoint in the feed of a partition change together.
"""

import base64
import logging
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import product
from typing import Any, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from redis.exceptions import WatchError

from domain.errors import BadCommand
from domain.table.events import (
    FOUNDING,
    GameAbandoned,
    GameCancelled,
    GameEnded,
    GameStarted,
    GuestRemoved,
    SeatLeft,
    SeatTaken,
    SeatTakenOver,
)
from domain.table.state import Status
from events import envelope
from events.codec import UnknownEvent
from events.envelope import Envelope
from events.feed import START, Entry, Feed, position_order
from events.ruleset import TABLE_CODEC
from events.store import Store

LOG = logging.getLogger(__name__)

Cards = Mapping[str, "Card"]


class Card(Struct, frozen=True):
    """What the lists must know of a game. `version` is that of the last event of its table, `players` those with a seat.

    Whoever a seat is kept for counts as having it.
    """

    id: str
    version: int
    ruleset: str
    status: Status
    is_public: bool
    created_at: str
    players: tuple[str | None, ...]

    @property
    def member(self) -> str:
        """The entry in an index: in the order of creation."""
        created = datetime.fromisoformat(self.created_at).timestamp()
        return f"{int(created * 1000):014d}:{self.id}"

    @property
    def indexes(self) -> set[str]:
        """The lists that the game stands in: each filter is exact, so that a page is one range of one list."""
        players = sorted({player for player in self.players if player})
        scopes = [f"of:{player}" for player in players]
        if self.is_public:
            scopes += ["public", *(f"public:{player}" for player in players)]
        return {index(*choice) for choice in product(scopes, (self.status, None), (self.ruleset, None))}


def index(scope: str, status: str | None, ruleset: str | None) -> str:
    """The name of the list for these filters; None stands for any."""
    return f"{scope}/{status or '*'}/{ruleset or '*'}"


def project(card: Card | None, line: Envelope) -> Card | None:
    """The card after one more event; seeing an event twice changes nothing."""
    if not line.type.startswith("table.") or (card is not None and line.version <= card.version):
        return card
    parts = [{"seats": part.seats, "data": part.read()} for part in line.private]
    event = TABLE_CODEC.decode(line.type, line.schema, msgspec.json.decode(line.data), parts)
    if isinstance(event, FOUNDING):
        return Card(
            id=line.game,
            version=line.version,
            ruleset=event.ruleset,
            status="open",
            is_public=event.visibility == "public",
            created_at=line.at,
            players=tuple(seat.player for seat in event.seats),
        )
    if card is None:
        raise LookupError(f"the log of {line.game} does not begin with its creation")
    card = replace(card, version=line.version)
    match event:
        case SeatTaken() | SeatTakenOver():
            return replace(card, players=_with(card.players, event.seat, event.player))
        case SeatLeft() | GuestRemoved():
            return replace(card, players=_with(card.players, event.seat, None))
        case GameStarted():
            return replace(card, status="active")
        case GameCancelled() | GameAbandoned():
            return replace(card, status="abandoned")
        case GameEnded():
            return replace(card, status="finished")
        case _:
            return card


def _with(players: tuple[str | None, ...], seat: int, player: str | None) -> tuple[str | None, ...]:
    return (*players[:seat], player, *players[seat + 1 :])


class Lobby:
    """The lists, for reading, and their upkeep from the feed."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._client = store.client
        self.feed = Feed(store)

    def page(
        self,
        *,
        status: str | None = None,
        ruleset: str | None = None,
        player: str | None = None,
        viewer: str | None = None,
        cursor: str | None = None,
        limit: int = 20,
    ) -> tuple[list[str], str | None]:
        """Ids of games, newest first, and the cursor of the next page or None.

        Public games only, but for the `viewer`'s own list. Raises BadCommand for a cursor that is none of ours.
        """
        scope = "public" if player is None else f"of:{player}" if player == viewer else f"public:{player}"
        name = index(scope, status, ruleset)
        end = "+" if cursor is None else f"({_read_cursor(cursor)}"
        pipeline = self._client.pipeline(transaction=False)
        for partition in self.feed.partitions:
            pipeline.zrevrangebylex(self._index_key(partition, name), end, "-", 0, limit + 1)
        found: list[bytes] = sorted((member for page in pipeline.execute() for member in page), reverse=True)
        page = [member.decode() for member in found[:limit]]
        following = _write_cursor(page[-1]) if len(found) > limit else None
        return [member.partition(":")[2] for member in page], following

    def checkpoint(self, partition: int) -> str:
        """How far the feed of `partition` has been projected."""
        return (cast("bytes | None", self._client.get(self._key(partition, "checkpoint"))) or START.encode()).decode()

    def take(self, partition: int, entries: list[Entry], checkpoint: str) -> str:
        """Project a batch of the feed read after `checkpoint`; returns the checkpoint to go on from.

        When another follower was faster nothing is written, and the answer is where it stands.
        """
        games = {entry.game for entry in entries if entry.table}
        before = self.cards(partition, games)
        after = dict(self._folded(partition, {game: before.get(game) for game in games}))
        if self._write(partition, before, after, expected=checkpoint, checkpoint=entries[-1].id):
            return entries[-1].id
        return self.checkpoint(partition)

    def catch_up(self) -> None:
        """Project what the feeds hold beyond the checkpoints, so that the lists show all that was acknowledged before."""
        for partition in self.feed.partitions:
            position = self.checkpoint(partition)
            while found := self.feed.read({partition: position}).get(partition):
                position = self.take(partition, found, position)

    def cards(self, partition: int, games: Iterable[str] | None = None) -> dict[str, Card]:
        """The stored cards of the given games, or all of a partition."""
        key = self._key(partition, "cards")
        if games is None:
            stored = cast("dict[bytes, bytes]", self._client.hgetall(key))
            return {game.decode(): _CARD.decode(card) for game, card in stored.items()}
        names = sorted(games)
        if not names:
            return {}
        values = cast("list[bytes | None]", self._client.hmget(key, names))
        return {game: _CARD.decode(card) for game, card in zip(names, values, strict=True) if card is not None}

    def _steps(self, game: str, card: Card | None) -> Iterator[Card]:
        """The cards of a game on the way from `card` to the end of its log. Raises what a bad event raises."""
        after = card.version if card else 0
        while rows := self._store.read(game, after):
            for row in rows:
                if (card := project(card, envelope.decode(row.line))) is not None:
                    yield card
            after = rows[-1].version
        if card is None:
            raise LookupError(f"the log of {game} is empty")

    def rebuild(self, partition: int) -> int:
        """Fold every log of the partition again, while games go on, and replace cards and indexes; how many cards differed.

        Folds until nothing more has come, then writes if no follower has gone further than that meanwhile.
        """
        self._client.delete(self._key(partition, "parked"))
        position = self.feed.tail(partition)
        cards = dict(self._folded(partition, dict.fromkeys(self._store.games(partition))))
        while True:
            position = self._catch_up(partition, position, cards)
            checkpoint = self.checkpoint(partition)
            if position_order(checkpoint) > position_order(position):
                continue
            before = self.cards(partition)
            if self._write(partition, before, cards, expected=checkpoint, checkpoint=position, afresh=True):
                return sum(before.get(game) != cards.get(game) for game in before.keys() | cards.keys())

    def _catch_up(self, partition: int, position: str, cards: dict[str, Card]) -> str:
        """Fold on the games that the feed names after `position`; the new position."""
        while found := self.feed.read({partition: position}).get(partition):
            games = {entry.game for entry in found if entry.table}
            cards.update(self._folded(partition, {game: cards.get(game) for game in games}))
            position = found[-1].id
        return position

    def parked(self, partition: int) -> dict[str, str]:
        """The games that could not be projected, each with the reason."""
        stored = cast("dict[bytes, bytes]", self._client.hgetall(self._key(partition, "parked")))
        return {game.decode(): reason.decode() for game, reason in stored.items()}

    def _folded(self, partition: int, cards: Mapping[str, Card | None]) -> Iterator[tuple[str, Card]]:
        """The cards folded on to the end of their logs.

        A game with a bad event is parked, its card stands as it did before that event, and the others go on.
        """
        for game, before in cards.items():
            card = before
            try:
                for step in self._steps(game, before):
                    card = step
            except (UnknownEvent, msgspec.MsgspecError, LookupError) as error:
                LOG.exception("game %s is parked: its log cannot be projected", game)
                self._client.hset(self._key(partition, "parked"), game, f"{type(error).__name__}: {error}")
            if card is not None:
                yield game, card

    def _write(
        self,
        partition: int,
        before: Cards,
        after: Cards,
        *,
        expected: str,
        checkpoint: str,
        afresh: bool = False,
    ) -> bool:
        """Replace cards and their places in the indexes, and the checkpoint with them; false if that was not as expected."""
        key = self._key(partition, "checkpoint")
        stale = list(self._client.scan_iter(self._index_key(partition, "*"), count=1000)) if afresh else []
        with self._client.pipeline() as pipeline:
            pipeline.watch(key)  # type: ignore[no-untyped-call]
            if (cast("bytes | None", pipeline.get(key)) or START.encode()).decode() != expected:
                return False
            pipeline.multi()
            if afresh:
                before = {}
                pipeline.delete(self._key(partition, "cards"), *stale)
            for game, card in sorted(after.items()):
                self._place(pipeline, partition, before.get(game), card)
            if checkpoint != START:
                pipeline.set(key, checkpoint)
            try:
                pipeline.execute()
            except WatchError:
                return False
        return True

    def _place(self, pipeline: Any, partition: int, before: Card | None, card: Card) -> None:
        old = before.indexes if before else set()
        for name in sorted(old - card.indexes):
            pipeline.zrem(self._index_key(partition, name), card.member)
        for name in sorted(card.indexes - old):
            pipeline.zadd(self._index_key(partition, name), {card.member: 0})
        pipeline.hset(self._key(partition, "cards"), card.id, msgspec.json.encode(card))

    def _key(self, partition: int, part: str) -> str:
        return self._store.keys.shared(partition, f"lobby:{part}")

    def _index_key(self, partition: int, name: str) -> str:
        return self._key(partition, f"index:{name}")


_CARD = msgspec.json.Decoder(Card)


def _write_cursor(member: str) -> str:
    return base64.urlsafe_b64encode(member.encode()).rstrip(b"=").decode()


def _read_cursor(cursor: str) -> str:
    try:
        member = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii")
        created, separator, _ = member.partition(":")
        if separator and created.isdigit():
            return member
    except ValueError:
        pass
    says = "This cursor is not one that was given out here; leave it out to begin with the first page."
    raise BadCommand("malformed-request", says, pointer="/cursor")
