"""The deliveries of webhooks: what was told, what is still to be told, and the dead letters that nobody took."""

import hashlib
import time
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.resources import files
from typing import Literal, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.errors import WrongMoment
from events.errors import NotFound
from events.sessions import now
from events.store import Store, reading, writing

TEST = "webhook.test"
"""The type of a message that tells of no event."""

MOST_KEPT = 1000
"""Deliveries of a webhook that are kept; the oldest make room, also those that were still to be made."""

State = Literal["waiting", "delivered", "dead"]


class Delivery(Struct, frozen=True, kw_only=True):
    """One message to the receiver of a webhook, under the same id however often it is sent.

    `state`: it waits for its next attempt, was taken, or is dead: given up, until it is replayed. `attempts` counts those made
    since then, `status` is what the receiver answered last, or `failure` says why there was no answer.
    """

    id: str
    webhook: str
    type: str
    game: str | None
    version: int | None
    state: State
    attempts: int
    created_at: str
    next_at: str | None
    status: int | None
    failure: str | None


class Due(Struct, frozen=True):
    """A delivery whose time has come."""

    player: str
    webhook: str
    delivery: str


class Deliveries:
    """The deliveries of all webhooks. Thread-safe."""

    def __init__(self, store: Store) -> None:
        self._client = store.client
        self._keys = store.keys
        self._write = store.client.register_script(files("events").joinpath("deliver.lua").read_text())

    def put(self, player: str, delivery: Delivery, due: float) -> bool:
        """Write a new delivery down, to be handed out at `due` (Unix seconds); false when it is known, or its webhook gone.

        Raises StoreUnavailable, OutcomeUnknown.
        """
        return self._written(player, delivery, due, new=True)

    def change(self, player: str, delivery: Delivery, due: float | None = None) -> bool:
        """Write down what has become of a delivery; false when it is gone. Raises StoreUnavailable, OutcomeUnknown."""
        return self._written(player, delivery, due, new=False)

    def get(self, player: str, webhook: str, delivery: str) -> Delivery:
        """One delivery. Raises NotFound, StoreUnavailable."""
        with reading():
            stored = cast("bytes | None", self._client.hget(self._key(player, webhook, "deliveries"), delivery))
        if stored is None:
            raise NotFound("delivery")
        return _DECODER.decode(stored)

    def every(self, player: str, webhook: str) -> list[Delivery]:
        """The deliveries of a webhook, the newest first. Raises StoreUnavailable."""
        with reading():
            stored = cast("list[bytes]", self._client.hvals(self._key(player, webhook, "deliveries")))
        return sorted(map(_DECODER.decode, stored), key=lambda one: (one.created_at, one.id), reverse=True)

    def replay(self, player: str, webhook: str, delivery: str) -> Delivery:
        """Let a delivery that is over be made once more, under its id.

        Raises NotFound, WrongMoment when it waits already, StoreUnavailable, OutcomeUnknown.
        """
        old = self.get(player, webhook, delivery)
        if old.state == "waiting":
            raise WrongMoment("delivery-waiting", "This delivery waits for its next attempt already.")
        again = replace(old, state="waiting", attempts=0, next_at=now(), status=None, failure=None)
        self.change(player, again, time.time())
        self.wake(player, webhook)
        return again

    def due(self, partition: int, most: int, moment: float | None = None) -> list[Due]:
        """What is to be handed out in a partition, the longest due first. Raises StoreUnavailable."""
        until = int((time.time() if moment is None else moment) * 1000)
        with reading():
            names = cast("list[bytes]", self._client.zrangebyscore(self._due(partition), "-inf", until, 0, most))
        return [Due(*name.decode().split(":")) for name in names]

    def hold(self, due: Due, until: float) -> None:
        """Hand it out again at `until` (Unix seconds), unless something becomes of it before. Raises StoreUnavailable."""
        key = self._due(self._keys.partition_of(due.player))
        with reading():
            self._client.zadd(key, {_name(due.player, due.webhook, due.delivery): int(until * 1000)}, xx=True)

    def forget(self, due: Due) -> None:
        """Hand it out no more: its webhook is gone. Raises StoreUnavailable."""
        with reading():
            key = self._due(self._keys.partition_of(due.player))
            self._client.zrem(key, _name(due.player, due.webhook, due.delivery))

    def rest(self, player: str, webhook: str, seconds: Callable[[int], float]) -> None:
        """Let a webhook rest whose receiver has failed: so many seconds for that number of failures in a row."""
        key = self._key(player, webhook, "rest")
        with writing():
            failures = int(self._client.hincrby(key, "failures", 1))
            pause = seconds(failures)
            pipeline = self._client.pipeline()
            pipeline.hset(key, "until", str(time.time() + pause))
            pipeline.expire(key, int(pause) + 3600)
            pipeline.execute()

    def rests_until(self, player: str, webhook: str) -> float:
        """Until when nothing new is sent to a webhook (Unix seconds). Raises StoreUnavailable."""
        with reading():
            return float(cast("bytes | None", self._client.hget(self._key(player, webhook, "rest"), "until")) or 0)

    def wake(self, player: str, webhook: str) -> None:
        """Let a webhook rest no longer. Raises StoreUnavailable, OutcomeUnknown."""
        with writing():
            self._client.delete(self._key(player, webhook, "rest"))

    def _written(self, player: str, delivery: Delivery, due: float | None, *, new: bool) -> bool:
        hook = delivery.webhook
        keys = [
            self._keys.player(player, "webhooks"),
            self._key(player, hook, "deliveries"),
            self._key(player, hook, "order"),
            self._due(self._keys.partition_of(player)),
        ]
        arguments: list[str | bytes | int] = [
            hook,
            delivery.id,
            _ENCODER.encode(delivery),
            "1" if new else "",
            int(datetime.fromisoformat(delivery.created_at).timestamp() * 1000),
            _name(player, hook, delivery.id),
            "" if due is None else int(due * 1000),
            MOST_KEPT,
        ]
        with writing():
            return bool(self._write(keys=keys, args=arguments))

    def _key(self, player: str, webhook: str, part: str) -> str:
        return self._keys.player(player, f"webhook:{webhook}:{part}")

    def _due(self, partition: int) -> str:
        return self._keys.shared(partition, "webhooks:due")


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Delivery)


def of_event(webhook: str, kind: str, game: str, version: int) -> Delivery:
    """The delivery of an event, whose id follows from the webhook and the event: it is made once."""
    name = hashlib.sha256(f"{webhook}:{game}:{version}".encode()).hexdigest()[:24]
    return _new(name, webhook, kind, game, version)


def of_test(webhook: str, name: str) -> Delivery:
    """The delivery of a message that tells of no event."""
    return _new(name, webhook, TEST, None, None)


def moment(seconds: float) -> str:
    """A time as deliveries state it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _new(name: str, webhook: str, kind: str, game: str | None, version: int | None) -> Delivery:
    made_at = now()
    return Delivery(
        id=name,
        webhook=webhook,
        type=kind,
        game=game,
        version=version,
        state="waiting",
        attempts=0,
        created_at=made_at,
        next_at=made_at,
        status=None,
        failure=None,
    )


def _name(player: str, webhook: str, delivery: str) -> str:
    return f"{player}:{webhook}:{delivery}"
