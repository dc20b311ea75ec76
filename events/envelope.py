"""The envelope of an event: what the log stores, how it is chained, and the one redactor for every way out.

part_digest    = SHA-256(canonical({seats, salt, data}))
private_digest = SHA-256(canonical([part_digest, ...]))     null when there is no private part
digest(n)      = SHA-256(canonical({game, version, type, schema, seat, actor, command, at, data, private_digest, prev}))
prev(n)        = digest(n-1); prev(1) = GENESIS
"""

import base64
import secrets
from collections.abc import Collection
from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from domain.canonical import canonical, digest
from domain.table.state import Actor

GENESIS = "sha256:" + "0" * 64


class CommandRef(Struct, frozen=True, forbid_unknown_fields=True):
    """The command that caused an event: whole on the first event of the command, only its id on the others.

    `rules` is the version of the rules that decided it.
    """

    id: str
    type: str | UnsetType = UNSET
    data: Any = UNSET
    rules: int | UnsetType = UNSET


class StoredPart(Struct, frozen=True, forbid_unknown_fields=True):
    """A private part: with `salt` and `data` for a reader, with `digest` for everybody else."""

    seats: tuple[int, ...]
    salt: str | UnsetType = UNSET
    data: Raw | UnsetType = UNSET
    digest: str | UnsetType = UNSET

    @property
    def is_open(self) -> bool:
        """Whether the data is there to read."""
        return self.data is not UNSET

    def read(self) -> Any:
        """The data of an open part. Raises LookupError when it is sealed."""
        if self.data is UNSET:
            raise LookupError("this part is sealed")
        return msgspec.json.decode(self.data)


class Envelope(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One event of a log, as it is stored and as it is shown. `at` is RFC 3339 in UTC."""

    game: str
    version: int
    type: str
    schema: int
    data: Raw
    private: tuple[StoredPart, ...]
    seat: int | None
    actor: Actor
    command: CommandRef
    at: str
    private_digest: str | None
    prev: str
    digest: str


_DECODER = msgspec.json.Decoder(Envelope)


def encode(envelope: Envelope) -> bytes:
    """The canonical JSON of an envelope."""
    return canonical(envelope)


def decode(line: bytes) -> Envelope:
    """Read an envelope. Raises msgspec.DecodeError or msgspec.ValidationError."""
    return _DECODER.decode(line)


def sealed_part(seats: Collection[int], data: Any) -> StoredPart:
    """A private part with a fresh salt."""
    salt = base64.urlsafe_b64encode(secrets.token_bytes(32)).rstrip(b"=").decode()
    return StoredPart(seats=tuple(seats), salt=salt, data=Raw(canonical(data)))


def part_digest(part: StoredPart) -> str:
    """The digest of a private part, computed when it is open, stated when it is not."""
    if isinstance(part.digest, str):
        return part.digest
    return digest({"seats": part.seats, "salt": part.salt, "data": part.data})


def private_digest(parts: Collection[StoredPart]) -> str | None:
    """The digest over all private parts of an event."""
    return digest([part_digest(part) for part in parts]) if parts else None


def event_digest(envelope: Envelope) -> str:
    """The digest that `envelope` must carry."""
    return digest(
        {
            "game": envelope.game,
            "version": envelope.version,
            "type": envelope.type,
            "schema": envelope.schema,
            "seat": envelope.seat,
            "actor": envelope.actor,
            "command": envelope.command,
            "at": envelope.at,
            "data": envelope.data,
            "private_digest": envelope.private_digest,
            "prev": envelope.prev,
        }
    )


def sealed(envelope: Envelope) -> Envelope:
    """The envelope with its digests filled in from the rest of it."""
    half = msgspec.structs.replace(envelope, private_digest=private_digest(envelope.private))
    return msgspec.structs.replace(half, digest=event_digest(half))


def redacted(envelope: Envelope, seats: Collection[int]) -> Envelope:
    """What the holder of `seats` may read of `envelope`: foreign private parts become their digests."""
    if all(_may_read(part, seats) for part in envelope.private):
        return envelope
    parts = tuple(
        part if _may_read(part, seats) else StoredPart(seats=part.seats, digest=part_digest(part))
        for part in envelope.private
    )
    return msgspec.structs.replace(envelope, private=parts)


def _may_read(part: StoredPart, seats: Collection[int]) -> bool:
    return any(seat in part.seats for seat in seats)
