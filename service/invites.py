"""Codes that let their holders see a private game, and join it, before it starts. Kept as digests, by game."""

import time
from collections.abc import Mapping
from datetime import UTC, datetime
from hmac import compare_digest
from secrets import token_hex, token_urlsafe
from typing import cast

import msgspec
from msgspec import Struct

from domain.errors import NotAllowed, WrongMoment
from domain.table import Table
from events.draft import Session
from events.errors import NotFound
from events.store import Store, reading, writing
from service.tokens import digest

MOST_INVITES = 32
LONGEST_INVITE = 128


class InviteInfo(Struct, frozen=True):
    """An invite without its code."""

    id: str
    created_at: str
    expires_at: str


class NewInvite(Struct, frozen=True):
    """A new invite; `code` is shown this once."""

    code: str
    info: InviteInfo


class _Kept(Struct, frozen=True):
    digest: str
    created_at: float
    until: float


_KEPT = msgspec.json.Decoder(_Kept)


class Invites:
    """The invites of all games; each is good for `seconds`, as long as the game has not begun."""

    def __init__(self, store: Store, seconds: int) -> None:
        self._client = store.client
        self._keys = store.keys
        self._seconds = seconds

    def make(self, session: Session, maker: str) -> NewInvite:
        """A new invite to a private game, by its creator. Raises NotAllowed, WrongMoment, StoreUnavailable, OutcomeUnknown."""
        table = session.position.table
        _demand_creator(table, maker)
        if table.status != "open" or table.visibility != "private":
            raise WrongMoment("nothing-to-invite-to", "Invites are for private games that have not begun.")
        key, now = self._key(session.id), time.time()
        good, expired = self._sorted(session.id, now)
        if len(good) >= MOST_INVITES:
            raise WrongMoment("too-many", "A game has at most {most} invites; revoke one.", most=MOST_INVITES)
        invite, secret = token_hex(12), token_urlsafe(16)
        kept = _Kept(digest=digest(secret), created_at=now, until=now + self._seconds)
        with writing():
            pipeline = self._client.pipeline()
            if expired:
                pipeline.hdel(key, *expired)
            pipeline.hset(key, invite, msgspec.json.encode(kept))
            pipeline.expire(key, self._seconds)
            pipeline.execute()
        return NewInvite(code=f"{invite}_{secret}", info=_info(invite, kept))

    def every(self, session: Session, asker: str) -> list[InviteInfo]:
        """The invites of a game that are good, the oldest first, for its creator. Raises NotAllowed, StoreUnavailable."""
        _demand_creator(session.position.table, asker)
        good, _ = self._sorted(session.id, time.time())
        return [_info(invite, kept) for invite, kept in sorted(good.items(), key=lambda each: each[1].created_at)]

    def revoke(self, session: Session, asker: str, invite: str) -> None:
        """Withdraw an invite. Raises NotAllowed, NotFound, StoreUnavailable, OutcomeUnknown."""
        _demand_creator(session.position.table, asker)
        with writing():
            if not self._client.hdel(self._key(session.id), invite):
                raise NotFound("invite")

    def admits(self, session: Session, code: object) -> bool:
        """Whether `code` lets anybody see the game, and join it. Raises StoreUnavailable."""
        if not isinstance(code, str) or session.position.table.status != "open":
            return False
        invite, _, secret = code.partition("_")
        with reading():
            stored = cast("bytes | None", self._client.hget(self._key(session.id), invite))
        if stored is None:
            return False
        kept = _KEPT.decode(stored)
        return compare_digest(kept.digest, digest(secret)) and time.time() < kept.until

    def _sorted(self, game: str, now: float) -> tuple[Mapping[str, _Kept], list[str]]:
        """The invites that are good, and the names of those that have expired."""
        with reading():
            stored = cast("dict[bytes, bytes]", self._client.hgetall(self._key(game)))
        every = {invite.decode(): _KEPT.decode(kept) for invite, kept in stored.items()}
        good = {invite: kept for invite, kept in every.items() if now < kept.until}
        return good, [invite for invite in every if invite not in good]

    def _key(self, game: str) -> str:
        return self._keys.game(game, "invites")


def _demand_creator(table: Table, player: str) -> None:
    if player != table.creator:
        raise NotAllowed("forbidden", "Only the creator of the game may do this.")


def _info(invite: str, kept: _Kept) -> InviteInfo:
    return InviteInfo(id=invite, created_at=_stamp(kept.created_at), expires_at=_stamp(kept.until))


def _stamp(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
