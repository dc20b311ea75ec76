"""Players: their names, which live here and in no log, and the code that gives back an account whose token is lost."""

import unicodedata
from collections.abc import Collection
from hmac import compare_digest
from secrets import token_hex, token_urlsafe
from typing import Any, cast

from msgspec import Struct

from domain.errors import BadCommand, NotAllowed
from events.errors import NotFound
from events.sessions import now
from events.store import Store, reading, writing
from service.cache import TimedCache
from service.tokens import USUAL_SCOPES, Blocked, Scope, Tokens, digest

LONGEST_NAME = 40
FIRST_TOKEN = "first"  # noqa: S105 the name of a token
RECOVERED_TOKEN = "recovered"  # noqa: S105 likewise

_FRESH_SECONDS = 5.0
"""How long a process may go on with what it knows of a name."""
_MOST = 20_000
_RECOVERY = "recovery"
_HOUSE = "annales:house"
_JOINERS = "\u200c\u200d"
"""Invisible characters that some scripts need inside a word."""
_ODD = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


class Player(Struct, frozen=True):
    """A player as the others see them."""

    id: str
    name: str


class Registered(Struct, frozen=True):
    """A player, with the two secrets that are shown once."""

    player: Player
    token: str
    recovery: str


class Accounts:
    """All players of a store. Thread-safe."""

    def __init__(self, store: Store, tokens: Tokens) -> None:
        self._client = store.client
        self._keys = store.keys
        self._tokens = tokens
        self._names: TimedCache[str, str] = TimedCache(_FRESH_SECONDS, _MOST)

    def register(self, name: str, scopes: tuple[Scope, ...] = USUAL_SCOPES) -> Registered:
        """A new player. Raises BadCommand for a name that cannot be shown, StoreUnavailable, OutcomeUnknown."""
        player, secret = Player(id=token_hex(12), name=screened(name)), token_urlsafe(32)
        profile: dict[Any, Any] = {"name": player.name, "created_at": now(), "recovery": digest(secret)}
        with writing():
            pipeline = self._client.pipeline()
            pipeline.hset(self._profile(player.id), mapping=profile)
            made = self._tokens.put(pipeline, player.id, FIRST_TOKEN, scopes)
            pipeline.execute()
        return Registered(player=player, token=made.token, recovery=_recovery(player.id, secret))

    def recover(self, code: str, *, revoke: bool) -> Registered | None:
        """A new token for who has the recovery code, and a new code; with `revoke` all older tokens are void.

        None when the code is none. Raises Blocked, StoreUnavailable, OutcomeUnknown.
        """
        prefix, _, rest = code.partition("_")
        player, _, secret = rest.partition("_")
        if prefix != _RECOVERY or not player.isalnum() or not code.isascii():
            return None
        fresh, profile = token_urlsafe(32), self._profile(player)

        def swap(pipeline: Any) -> Registered | None:
            """The new secrets, if the code still is good at the moment of writing."""
            name, kept, blocked = pipeline.hmget(profile, "name", "recovery", "blocked_at")
            if kept is None or not compare_digest(kept.decode(), digest(secret)):
                pipeline.multi()
                return None
            if blocked is not None:
                raise Blocked
            pipeline.multi()
            if revoke:
                self._tokens.erase(pipeline, player)
            pipeline.hset(profile, "recovery", digest(fresh))
            made = self._tokens.put(pipeline, player, RECOVERED_TOKEN, USUAL_SCOPES)
            return Registered(Player(player, name.decode()), made.token, _recovery(player, fresh))

        with writing():
            found: Registered | None = cast("Any", self._client).transaction(swap, profile, value_from_callable=True)
        if revoke:
            self._tokens.forget(player)
        return found

    def rename(self, player: str, name: str) -> Player:
        """Give a player another name. Raises BadCommand, StoreUnavailable, OutcomeUnknown."""
        renamed = Player(id=player, name=screened(name))
        with writing():
            self._client.hset(self._profile(player), "name", renamed.name)
        self._names.put(player, renamed.name)
        return renamed

    def erase(self, player: str) -> None:
        """Forget a player: name, recovery code and tokens. Raises StoreUnavailable, OutcomeUnknown.

        Games name players by id alone, so they stay as they are. Other processes forget within `_FRESH_SECONDS`.
        """
        with writing():
            pipeline = self._client.pipeline()
            pipeline.delete(self._profile(player))
            self._tokens.erase(pipeline, player)
            pipeline.execute()
        self._names.forget(player)
        self._tokens.forget(player)

    def block(self, player: str) -> None:
        """Let no token of a player, and no recovery code, be good until `unblock`. Raises NotFound."""
        self._demand(player)
        with writing():
            self._client.hset(self._profile(player), "blocked_at", now())
        self._tokens.forget(player)

    def unblock(self, player: str) -> None:
        """Let the tokens of a player be good again. Raises NotFound."""
        self._demand(player)
        with writing():
            self._client.hdel(self._profile(player), "blocked_at")

    def is_open(self) -> bool:
        """Whether anybody may register. Raises StoreUnavailable."""
        with reading():
            return self._client.hget(_HOUSE, "registration") != b"closed"

    def open_to_all(self, is_open: bool) -> None:
        """Let everybody register, or nobody. Raises StoreUnavailable, OutcomeUnknown."""
        with writing():
            self._client.hset(_HOUSE, "registration", "open" if is_open else "closed")

    def demand_open(self) -> None:
        """Raises NotAllowed when nobody may register."""
        if not self.is_open():
            raise NotAllowed("registration-closed", "This service takes no new players at present.")

    def names(self, players: Collection[str]) -> dict[str, str]:
        """The names of those players that have one, in at most one round trip. Raises StoreUnavailable."""
        names = {player: name for player in players if (name := self._names.get(player)) is not None}
        missing = [player for player in players if player not in names]
        if not missing:
            return names
        with reading():
            pipeline = self._client.pipeline(transaction=False)
            for player in missing:
                pipeline.hget(self._profile(player), "name")
            found = cast("list[bytes | None]", pipeline.execute())
        for player, stored in zip(missing, found, strict=True):
            if stored is not None:
                names[player] = stored.decode()
                self._names.put(player, names[player])
        return names

    def _demand(self, player: str) -> None:
        with reading():
            if not self._client.hexists(self._profile(player), "name"):
                raise NotFound("player")

    def _profile(self, player: str) -> str:
        return self._keys.player(player, "profile")


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


def _recovery(player: str, secret: str) -> str:
    return f"{_RECOVERY}_{player}_{secret}"
