"""Players: their names, which live here and in no log, and their tokens, which are kept as digests alone."""

import secrets
import unicodedata
from collections.abc import Collection
from hashlib import sha256
from typing import Any, cast

import msgspec
from msgspec import Struct

from domain.errors import BadCommand
from events.sessions import now
from events.store import Store, reading, writing
from service.cache import TimedCache

LONGEST_NAME = 40

_FRESH_SECONDS = 5.0
"""How long a process may go on with what it knows of a token or a name."""
_MOST = 20_000
_PREFIX = "annales"
_JOINERS = "\u200c\u200d"
"""Invisible characters that some scripts need inside a word."""
_ODD = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


class Player(Struct, frozen=True):
    """A player as the others see them."""

    id: str
    name: str


class Registered(Struct, frozen=True):
    """A new player, with the two secrets that are shown once."""

    player: Player
    token: str
    recovery: str


class TokenFacts(Struct, frozen=True):
    """What is kept with the digest of a token."""

    created_at: str


class Accounts:
    """All players of a store. Thread-safe."""

    def __init__(self, store: Store) -> None:
        self._client = store.client
        self._keys = store.keys
        self._owners: TimedCache[str, str] = TimedCache(_FRESH_SECONDS, _MOST)
        self._names: TimedCache[str, str] = TimedCache(_FRESH_SECONDS, _MOST)

    def register(self, name: str) -> Registered:
        """A new player. Raises BadCommand for a name that cannot be shown, StoreUnavailable, OutcomeUnknown."""
        player = Player(id=secrets.token_hex(12), name=screened(name))
        token = f"{_PREFIX}_{player.id}_{secrets.token_urlsafe(32)}"
        recovery = secrets.token_urlsafe(32)
        at = now()
        profile: dict[Any, Any] = {"name": player.name, "created_at": at, "recovery": _digest(recovery)}
        with writing():
            pipeline = self._client.pipeline()
            pipeline.hset(self._keys.player(player.id, "profile"), mapping=profile)
            pipeline.hset(
                self._keys.player(player.id, "tokens"), _digest(token), msgspec.json.encode(TokenFacts(created_at=at))
            )
            pipeline.execute()
        return Registered(player=player, token=token, recovery=recovery)

    def owner(self, token: str) -> str | None:
        """The id of the player whose token this is. Raises StoreUnavailable."""
        known = self._owners.get(token)
        if known is not None:
            return known
        prefix, _, rest = token.partition("_")
        player, _, secret = rest.partition("_")
        if prefix != _PREFIX or not secret or not player.isalnum() or not token.isascii():
            return None
        with reading():
            if not self._client.hexists(self._keys.player(player, "tokens"), _digest(token)):
                return None
        self._owners.put(token, player)
        return player

    def rename(self, player: str, name: str) -> Player:
        """Give a player another name. Raises BadCommand, StoreUnavailable, OutcomeUnknown."""
        renamed = Player(id=player, name=screened(name))
        with writing():
            self._client.hset(self._keys.player(player, "profile"), "name", renamed.name)
        self._names.put(player, renamed.name)
        return renamed

    def erase(self, player: str) -> None:
        """Forget a player: name, recovery code and tokens. Raises StoreUnavailable, OutcomeUnknown.

        Games name players by id alone, so they stay as they are. Other processes forget within `_FRESH_SECONDS`.
        """
        with writing():
            self._client.delete(self._keys.player(player, "profile"), self._keys.player(player, "tokens"))
        self._names.forget(player)
        self._owners.forget_all(player)

    def names(self, players: Collection[str]) -> dict[str, str]:
        """The names of those players that have one, in at most one round trip. Raises StoreUnavailable."""
        names = {player: name for player in players if (name := self._names.get(player)) is not None}
        missing = [player for player in players if player not in names]
        if not missing:
            return names
        with reading():
            pipeline = self._client.pipeline(transaction=False)
            for player in missing:
                pipeline.hget(self._keys.player(player, "profile"), "name")
            found = cast("list[bytes | None]", pipeline.execute())
        for player, stored in zip(missing, found, strict=True):
            if stored is not None:
                names[player] = stored.decode()
                self._names.put(player, names[player])
        return names


def screened(name: str) -> str:
    """The name in the form in which it is kept. Raises BadCommand when it cannot be shown to others."""
    name = unicodedata.normalize("NFC", name.strip())
    if not 1 <= len(name) <= LONGEST_NAME:
        says = "A name has 1 to {most} characters."
        raise BadCommand("malformed-request", says, pointer="/name", most=LONGEST_NAME)
    if any(unicodedata.category(letter) in _ODD and letter not in _JOINERS for letter in name):
        raise BadCommand("malformed-request", "A name holds no control characters.", pointer="/name")
    if all(letter in _JOINERS or letter.isspace() for letter in name):
        raise BadCommand("malformed-request", "A name can be seen.", pointer="/name")
    return name


def _digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()
