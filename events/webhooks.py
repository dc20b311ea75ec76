"""Webhooks: to which addresses players want to be told of events, and the secrets that sign what is sent.

A secret must be there in clear to sign with, so it is kept as it is, beside the webhook and nowhere else.
"""

import base64
import hashlib
import hmac
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from secrets import token_bytes, token_hex
from typing import Any, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.errors import WrongMoment
from events.errors import NotFound
from events.sessions import now
from events.store import Store, reading, writing

MOST_WEBHOOKS = 16
"""How many webhooks a player may have."""

OVERLAP = 86_400
"""Seconds for which a secret that was replaced signs too."""

PREFIX = "whsec_"
_SECRET_BYTES = 32
_SUBSCRIBERS = "annales:webhooks"
"""The players who have, or had, a webhook: while there are none, nothing is looked up."""


class Webhook(Struct, frozen=True, kw_only=True):
    """Where a player wants to be told of events: of one game, or (`game` null) of all games with a seat of theirs.

    `types` are the types of events that are told, null: all. `enabled` is false after the receiver has said that it is gone.
    """

    id: str
    url: str
    game: str | None
    types: tuple[str, ...] | None
    enabled: bool
    created_at: str


class Subscription(Struct, frozen=True, kw_only=True):
    """A webhook with what only the service knows. `former` is the secret before, which signs too until `former_until`."""

    webhook: Webhook
    player: str
    secret: str
    former: str | None = None
    former_until: float = 0.0

    def wants(self, game: str, kind: str) -> bool:
        """Whether it is to be told of an event of that type in that game, as far as it is asked."""
        hook = self.webhook
        return hook.enabled and hook.game in {None, game} and (hook.types is None or kind in hook.types)

    def signatures(self, message: str, timestamp: int, body: bytes) -> str:
        """What the header `webhook-signature` says, by each secret that is good now."""
        secrets = [self.secret, *([self.former] if self.former and time.time() < self.former_until else [])]
        return " ".join(signature(secret, message, timestamp, body) for secret in secrets)


class Webhooks:
    """The webhooks of all players. Thread-safe."""

    def __init__(self, store: Store) -> None:
        self._client = store.client
        self._keys = store.keys

    def make(self, player: str, url: str, game: str | None, types: Collection[str] | None) -> Subscription:
        """A new webhook. Raises WrongMoment when the player has too many, StoreUnavailable, OutcomeUnknown."""
        wanted = None if types is None else tuple(sorted(set(types)))
        hook = Webhook(id=token_hex(12), url=url, game=game, types=wanted, enabled=True, created_at=now())
        made = Subscription(webhook=hook, player=player, secret=_new_secret())
        key = self._key(player)

        def put(pipeline: Any) -> None:
            if pipeline.hlen(key) >= MOST_WEBHOOKS:
                raise WrongMoment("too-many", "A player has at most {most} webhooks; delete one.", most=MOST_WEBHOOKS)
            pipeline.multi()
            pipeline.hset(key, hook.id, _ENCODER.encode(made))

        with writing():
            self._client.sadd(_SUBSCRIBERS, player)
            if game is not None:
                self._client.sadd(self._keys.game(game, "webhooks"), player)
            cast("Any", self._client).transaction(put, key)
        return made

    def every(self, player: str) -> list[Subscription]:
        """The webhooks of a player, the oldest first. Raises StoreUnavailable."""
        return self.of_players([player])[player]

    def of_players(self, players: Iterable[str]) -> Mapping[str, list[Subscription]]:
        """The webhooks of each of these players, in one round trip. Raises StoreUnavailable."""
        names = list(players)
        with reading():
            pipeline = self._client.pipeline(transaction=False)
            for player in names:
                pipeline.hvals(self._key(player))
            found = cast("list[list[bytes]]", pipeline.execute())
        return {
            player: sorted(map(_DECODER.decode, stored), key=lambda one: (one.webhook.created_at, one.webhook.id))
            for player, stored in zip(names, found, strict=True)
        }

    def get(self, player: str, webhook: str) -> Subscription:
        """One webhook of a player. Raises NotFound, StoreUnavailable."""
        with reading():
            stored = cast("bytes | None", self._client.hget(self._key(player), webhook))
        if stored is None:
            raise NotFound("webhook")
        return _DECODER.decode(stored)

    def rotate(self, player: str, webhook: str) -> Subscription:
        """A new secret; the one before signs too for a while. Raises NotFound, StoreUnavailable, OutcomeUnknown."""
        return self._change(
            player,
            webhook,
            lambda old: replace(old, secret=_new_secret(), former=old.secret, former_until=time.time() + OVERLAP),
        )

    def enable(self, player: str, webhook: str, enabled: bool) -> Subscription:
        """Say whether the receiver is there. Raises NotFound, StoreUnavailable, OutcomeUnknown."""
        return self._change(player, webhook, lambda old: replace(old, webhook=replace(old.webhook, enabled=enabled)))

    def remove(self, player: str, webhook: str) -> None:
        """Delete a webhook, and all that is written of its deliveries. Raises NotFound, StoreUnavailable, OutcomeUnknown."""
        self.get(player, webhook)
        with writing():
            self._drop(player, [webhook])

    def erase(self, player: str) -> None:
        """Delete all webhooks of a player. Raises StoreUnavailable, OutcomeUnknown."""
        with writing():
            self._drop(player, [name.decode() for name in cast("list[bytes]", self._client.hkeys(self._key(player)))])
            self._client.srem(_SUBSCRIBERS, player)

    def subscribers(self, players: Mapping[str, Collection[str]]) -> Mapping[str, set[str]]:
        """Who may have a webhook for each game: of the players given for it, and of those who asked for that very game.

        `players` are by game. Raises StoreUnavailable.
        """
        with reading():
            known = {player.decode() for player in cast("set[bytes]", self._client.smembers(_SUBSCRIBERS))}
            pipeline = self._client.pipeline(transaction=False)
            for game in players:
                pipeline.smembers(self._keys.game(game, "webhooks"))
            asked = cast("list[set[bytes]]", pipeline.execute())
        return {
            game: known & {*players[game], *(player.decode() for player in others)}
            for game, others in zip(players, asked, strict=True)
        }

    def are_any(self) -> bool:
        """Whether anybody has, or had, a webhook. Raises StoreUnavailable."""
        with reading():
            return bool(self._client.exists(_SUBSCRIBERS))

    def _change(self, player: str, webhook: str, change: Callable[[Subscription], Subscription]) -> Subscription:
        key = self._key(player)

        def put(pipeline: Any) -> Subscription:
            stored = pipeline.hget(key, webhook)
            if stored is None:
                raise NotFound("webhook")
            changed = change(_DECODER.decode(stored))
            pipeline.multi()
            pipeline.hset(key, webhook, _ENCODER.encode(changed))
            return changed

        with writing():
            return cast("Subscription", cast("Any", self._client).transaction(put, key, value_from_callable=True))

    def _drop(self, player: str, webhooks: Collection[str]) -> None:
        """Delete these webhooks; what is still to be handed out finds nothing then."""
        if not webhooks:
            return
        pipeline = self._client.pipeline()
        pipeline.hdel(self._key(player), *webhooks)
        for webhook in webhooks:
            pipeline.delete(*(self._keys.player(player, f"webhook:{webhook}:{part}") for part in PARTS))
        pipeline.execute()

    def _key(self, player: str) -> str:
        return self._keys.player(player, "webhooks")


PARTS = ("deliveries", "order", "rest")
"""What else is kept of a webhook."""

_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Subscription)


def signature(secret: str, message: str, timestamp: int, body: bytes) -> str:
    """The signature of a message by the Standard Webhooks specification; `timestamp` in Unix seconds."""
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signed = b"%b.%d.%b" % (message.encode(), timestamp, body)
    return "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()


def _new_secret() -> str:
    return PREFIX + base64.b64encode(token_bytes(_SECRET_BYTES)).decode()
