"""Tokens: what each may do and until when. They are kept as digests alone, and each carries its player and its own id.

What a process knows of a token it goes on with for a few seconds: a token that was withdrawn is void everywhere after that.
"""

import time
from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from hmac import compare_digest
from secrets import token_hex, token_urlsafe
from typing import Any, Literal, cast

import msgspec
from msgspec import Struct

from domain.errors import NotAllowed, WrongMoment
from events.errors import NotFound
from events.store import Store, reading, writing
from service.cache import TimedCache

Scope = Literal["read", "play", "admin"]

USUAL_SCOPES: tuple[Scope, ...] = ("play",)
LONGEST_TOKEN_NAME = 40
MOST_TOKENS = 64
MOST_STREAM_TOKENS = 64
STREAM_TOKEN_SECONDS = 12 * 3600
ROTATION_MINUTES = 10
"""How long the old token stays good when it is rotated, so that whoever uses it can change over."""

_FRESH_SECONDS = 5.0
_MOST_KNOWN = 20_000
_PLAYERS, _STREAMS = "annales", "stream"


class TokenInfo(Struct, frozen=True):
    """A token without its secret. `play` and `admin` read too. `last_used_on` is a day (UTC), null before the first use."""

    id: str
    name: str
    scopes: tuple[Scope, ...]
    created_at: str
    expires_at: str | None
    last_used_on: str | None


class NewToken(Struct, frozen=True):
    """A new token; `token` is shown this once."""

    token: str
    info: TokenInfo


class StreamToken(Struct, frozen=True):
    """A token that is good for streams alone, in their address: `?access_token=`."""

    token: str
    expires_at: str


class Principal(Struct, frozen=True):
    """Who calls, by which token (its id), what that allows, and until when it is good (Unix seconds)."""

    player: str
    token: str
    scopes: tuple[Scope, ...]
    until: float | None


class Kept(Struct, frozen=True):
    """What is stored of a token."""

    digest: str
    name: str
    scopes: tuple[Scope, ...]
    created_at: str
    expires_at: str | None

    @property
    def until(self) -> float | None:
        """Unix seconds at which it expires."""
        return None if self.expires_at is None else datetime.fromisoformat(self.expires_at).timestamp()


class _KeptStream(Struct, frozen=True):
    """What is stored of a stream token: `parent` is the token that made it, without which it is void."""

    digest: str
    parent: str
    game: str | None
    until: float


class _Listening(Struct, frozen=True):
    """Who may open streams, of which game (None: of any), and until when."""

    player: str
    game: str | None
    until: float


_KEPT = msgspec.json.Decoder(Kept)
_KEPT_STREAM = msgspec.json.Decoder(_KeptStream)


class Blocked(NotAllowed):
    """An operator has blocked the tokens of the player (HTTP 403)."""

    def __init__(self) -> None:
        super().__init__("blocked", "An operator of this service has blocked this player's tokens.")


class Tokens:
    """The tokens of all players. Thread-safe."""

    def __init__(self, store: Store) -> None:
        self._client = store.client
        self._keys = store.keys
        self._known: TimedCache[str, Principal] = TimedCache(_FRESH_SECONDS, _MOST_KNOWN)
        self._listening: TimedCache[str, _Listening] = TimedCache(_FRESH_SECONDS, _MOST_KNOWN)
        self._used: TimedCache[tuple[str, str], bool] = TimedCache(86_400.0, _MOST_KNOWN)

    def principal(self, token: str) -> Principal | None:
        """Who calls with this token; None when it is none of ours, or good no longer. Raises Blocked, StoreUnavailable."""
        known = self._known.get(token)
        if known is None:
            if (parts := _parts(_PLAYERS, token)) is None or (known := self._looked_up(*parts)) is None:
                return None
            self._known.put(token, known)
        return known if known.until is None or time.time() < known.until else None

    def _looked_up(self, player: str, token: str, secret: str) -> Principal | None:
        with reading():
            pipeline = self._client.pipeline(transaction=False)
            pipeline.hget(self._key(player), token)
            pipeline.hget(self._profile(player), "blocked_at")
            pipeline.hget(self._used_key(player), token)
            stored, blocked, used = cast("list[bytes | None]", pipeline.execute())
        if stored is None or not compare_digest((kept := _KEPT.decode(stored)).digest, digest(secret)):
            return None
        if blocked is not None:
            raise Blocked
        if (used or b"").decode() != (today := _day()):
            self._note_use(player, token, today)
        return Principal(player=player, token=token, scopes=kept.scopes, until=kept.until)

    def _note_use(self, player: str, token: str, today: str) -> None:
        """Keep the day, once a day and process."""
        if self._used.get((token, today)) is None:
            self._used.put((token, today), value=True)
            with reading():
                self._client.hset(self._used_key(player), token, today)

    def put(
        self, pipeline: Any, player: str, name: str, scopes: tuple[Scope, ...], expires_at: str | None = None
    ) -> NewToken:
        """Make a token as part of what `pipeline` writes."""
        token, secret, created = token_hex(12), token_urlsafe(32), _stamp(datetime.now(UTC))
        kept = Kept(digest=digest(secret), name=name, scopes=scopes, created_at=created, expires_at=expires_at)
        pipeline.hset(self._key(player), token, msgspec.json.encode(kept))
        return NewToken(token=f"{_PLAYERS}_{player}_{token}_{secret}", info=_info(token, kept, None))

    def make(self, maker: Principal, name: str, scopes: Collection[Scope], expires_at: datetime | None) -> NewToken:
        """A token of the same player, that can do no more than the one that makes it, and no longer.

        Raises NotAllowed, WrongMoment when there are too many, StoreUnavailable, OutcomeUnknown.
        """
        demand_scopes(maker, scopes)
        until = None if expires_at is None else expires_at.timestamp()
        if maker.until is not None and (until is None or until > maker.until):
            says = "A token that expires makes none that lives longer; this one expires at {at}."
            at = _stamp(datetime.fromtimestamp(maker.until, UTC))
            raise NotAllowed("insufficient-scope", says, pointer="/expires_at", at=at)
        self._make_room(maker.player)
        ordered = tuple(scope for scope in _ORDER if scope in scopes)
        with writing():
            pipeline = self._client.pipeline()
            made = self.put(pipeline, maker.player, name, ordered, None if expires_at is None else _stamp(expires_at))
            pipeline.execute()
        return made

    def _make_room(self, player: str) -> None:
        """Drop expired tokens. Raises WrongMoment when there still are too many."""
        kept = self._all(player)
        now = time.time()
        expired = [token for token, each in kept.items() if each.until is not None and each.until < now]
        if len(kept) - len(expired) >= MOST_TOKENS:
            raise WrongMoment("too-many", "A player has at most {most} tokens; revoke one.", most=MOST_TOKENS)
        if expired:
            with writing():
                self._drop(player, expired)

    def every(self, player: str) -> list[TokenInfo]:
        """The tokens of a player that are good, the oldest first. Raises StoreUnavailable."""
        now = time.time()
        with reading():
            used = cast("dict[bytes, bytes]", self._client.hgetall(self._used_key(player)))
        days = {token.decode(): day.decode() for token, day in used.items()}
        kept = sorted(self._all(player).items(), key=lambda each: (each[1].created_at, each[0]))
        return [_info(token, each, days.get(token)) for token, each in kept if each.until is None or each.until > now]

    def rotate(self, maker: Principal, token: str) -> NewToken:
        """Another token like `token`, which goes on for some minutes. Raises NotFound, NotAllowed."""
        kept = self._one(maker.player, token)
        demand_scopes(maker, kept.scopes)
        end = datetime.now(UTC) + timedelta(minutes=ROTATION_MINUTES)
        until = end if kept.until is None else min(end, datetime.fromtimestamp(kept.until, UTC))
        leaving = msgspec.structs.replace(kept, expires_at=_stamp(until))
        with writing():
            pipeline = self._client.pipeline()
            made = self.put(pipeline, maker.player, kept.name, kept.scopes, kept.expires_at)
            pipeline.hset(self._key(maker.player), token, msgspec.json.encode(leaving))
            pipeline.execute()
        self.forget(maker.player)
        return made

    def revoke(self, maker: Principal, token: str) -> None:
        """Withdraw a token, and the stream tokens that it made. Raises NotFound, NotAllowed."""
        kept = self._one(maker.player, token)
        if token != maker.token:
            demand_scopes(maker, kept.scopes)
        with writing():
            self._drop(maker.player, [token])
        self.forget(maker.player)

    def erase(self, pipeline: Any, player: str) -> None:
        """Withdraw all tokens of a player as part of what `pipeline` writes; `forget` follows."""
        pipeline.delete(self._key(player), self._used_key(player), self._streams_key(player))

    def forget(self, player: str) -> None:
        """Look all tokens of a player up anew."""
        self._known.forget_where(lambda known: known.player == player)
        self._listening.forget_where(lambda known: known.player == player)

    def make_stream_token(self, maker: Principal, game: str | None) -> StreamToken:
        """A token for streams alone, or for those of one game. Raises StoreUnavailable, OutcomeUnknown."""
        token, secret, now = token_hex(12), token_urlsafe(32), time.time()
        until = min(now + STREAM_TOKEN_SECONDS, maker.until or float("inf"))
        kept = _KeptStream(digest=digest(secret), parent=maker.token, game=game, until=until)
        key = self._streams_key(maker.player)
        with reading():
            stored = cast("dict[bytes, bytes]", self._client.hgetall(key))
        by_age = sorted(stored, key=lambda each: _KEPT_STREAM.decode(stored[each]).until)
        over = [each for each in by_age if _KEPT_STREAM.decode(stored[each]).until < now]
        surplus = by_age[: max(0, len(by_age) + 1 - MOST_STREAM_TOKENS)]
        with writing():
            pipeline = self._client.pipeline()
            if gone := {*over, *surplus}:
                pipeline.hdel(key, *gone)
            pipeline.hset(key, token, msgspec.json.encode(kept))
            pipeline.expire(key, STREAM_TOKEN_SECONDS)
            pipeline.execute()
        expires_at = _stamp(datetime.fromtimestamp(until, UTC))
        return StreamToken(token=f"{_STREAMS}_{maker.player}_{token}_{secret}", expires_at=expires_at)

    def listener(self, token: str, game: str | None) -> str | None:
        """The player whose stream token this is, for streams of `game` (None: of all games). Raises Blocked, StoreUnavailable."""
        known = self._listening.get(token)
        if known is None:
            if (parts := _parts(_STREAMS, token)) is None or (known := self._heard(*parts)) is None:
                return None
            self._listening.put(token, known)
        return known.player if time.time() < known.until and known.game in {None, game} else None

    def _heard(self, player: str, token: str, secret: str) -> _Listening | None:
        with reading():
            stored = cast("bytes | None", self._client.hget(self._streams_key(player), token))
            if stored is None:
                return None
            kept = _KEPT_STREAM.decode(stored)
            pipeline = self._client.pipeline(transaction=False)
            pipeline.hget(self._key(player), kept.parent)
            pipeline.hexists(self._profile(player), "blocked_at")
            parent, is_blocked = pipeline.execute()
        if parent is None or not compare_digest(kept.digest, digest(secret)):
            return None
        if is_blocked:
            raise Blocked
        return _Listening(
            player=player, game=kept.game, until=min(kept.until, _KEPT.decode(parent).until or kept.until)
        )

    def _all(self, player: str) -> dict[str, Kept]:
        with reading():
            stored = cast("dict[bytes, bytes]", self._client.hgetall(self._key(player)))
        return {token.decode(): _KEPT.decode(each) for token, each in stored.items()}

    def _one(self, player: str, token: str) -> Kept:
        with reading():
            stored = cast("bytes | None", self._client.hget(self._key(player), token))
        if stored is None:
            raise NotFound("token")
        return _KEPT.decode(stored)

    def _drop(self, player: str, tokens: Sequence[str]) -> None:
        pipeline = self._client.pipeline()
        pipeline.hdel(self._key(player), *tokens)
        pipeline.hdel(self._used_key(player), *tokens)
        pipeline.execute()

    def _key(self, player: str) -> str:
        return self._keys.player(player, "tokens")

    def _used_key(self, player: str) -> str:
        return self._keys.player(player, "tokens-used")

    def _streams_key(self, player: str) -> str:
        return self._keys.player(player, "stream-tokens")

    def _profile(self, player: str) -> str:
        return self._keys.player(player, "profile")


_ORDER: tuple[Scope, ...] = ("read", "play", "admin")


def demand_scopes(maker: Principal, scopes: Collection[Scope]) -> None:
    """Raises NotAllowed when a token is to do, or to undo, more than the one that asks for it."""
    beyond = [scope for scope in _ORDER if scope in scopes and scope not in {"read", *maker.scopes}]
    if beyond:
        says = "This token has no scope '{scope}', and so is not for tokens that have."
        raise NotAllowed("insufficient-scope", says, pointer="/scopes", scope=beyond[0])


def digest(secret: str) -> str:
    """What is kept of a secret. Secrets are random and long: nobody guesses one from it."""
    return sha256(secret.encode()).hexdigest()


def _parts(kind: str, token: str) -> tuple[str, str, str] | None:
    """The player, the id and the secret in a token; None when it does not look like one."""
    prefix, *rest = token.split("_", 3)
    if prefix != kind or len(rest) != 3 or not token.isascii() or not all(part.isalnum() for part in rest[:2]):
        return None
    return rest[0], rest[1], rest[2]


def _info(token: str, kept: Kept, last_used_on: str | None) -> TokenInfo:
    return TokenInfo(
        id=token,
        name=kept.name,
        scopes=kept.scopes,
        created_at=kept.created_at,
        expires_at=kept.expires_at,
        last_used_on=last_used_on,
    )


def _stamp(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _day() -> str:
    return datetime.now(UTC).date().isoformat()
