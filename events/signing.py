"""The keys of an installation, and the checkpoints of games that they sign.

The text of a game's checkpoint is four lines: the origin (the name of the key and `/game`), the id of the game, its
version, the digest of its event there. Such a note holds the whole log up to that version in place: without it, a log
could be cut short or chained anew.

A key ring is a folder with a file `NNNN.key` (private) and one `NNNN.pub` for each key. The newest private key signs. The
public ones stay published, so what older keys have signed can still be checked; an old private key may be removed.
"""

import os
import re
import secrets
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Literal, Self, TypeVar
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from events.notes import BadKey, BadNote, SignerKey, VerifierKey, read_note

K = TypeVar("K", SignerKey, VerifierKey)

ORIGIN = "/game"
_KEY_FILE = re.compile(r"(\d{4})\.(key|pub)")
_GAME_TEXT = re.compile(r"([^\s+]+)/game\n([^\n]+)\n(0|[1-9]\d{0,15})\n(sha256:[0-9a-f]{64})\n")


class PublishedKey(Struct, frozen=True):
    """One public key, as note verifiers take it. `current`: it signs now; `retired`: it has signed before."""

    key: str
    status: Literal["current", "retired"]


class KeySet(Struct, frozen=True):
    """The public keys of an installation, the newest first."""

    keys: tuple[PublishedKey, ...]


class Checkpoint(Struct, frozen=True):
    """What a game's checkpoint says: at `version` the digest of its event is `head`."""

    game: str
    version: int
    head: str

    def text(self, name: str) -> str:
        """The text that the key of that name signs."""
        return f"{name}{ORIGIN}\n{self.game}\n{self.version}\n{self.head}\n"


class KeyRing(Struct, frozen=True):
    """The keys of an installation: who signs, if anybody, and all public keys, the newest first."""

    signer: SignerKey | None = None
    public: tuple[VerifierKey, ...] = ()

    @classmethod
    def open(cls, path: Path) -> Self:
        """The ring in a folder, or the one private key in a file; empty when there is nothing. Raises BadKey."""
        if path.is_file():
            signer = _read(path, SignerKey)
            return cls(signer, (signer.verifier,))
        files = [file for file in path.glob("*") if _KEY_FILE.fullmatch(file.name)]
        signers = {file.stem: _read(file, SignerKey) for file in files if file.suffix == ".key"}
        public = {file.stem: _read(file, VerifierKey) for file in files if file.suffix == ".pub"}
        public |= {number: signer.verifier for number, signer in signers.items()}
        newest_first = tuple(public[number] for number in sorted(public, reverse=True))
        return cls(signers[max(signers)] if signers else None, newest_first)

    def published(self) -> KeySet:
        """What everybody may know of the ring."""
        current = self.signer.verifier if self.signer else None
        return KeySet(
            keys=tuple(
                PublishedKey(key=str(key), status="current" if key == current else "retired") for key in self.public
            )
        )

    def signed(self, checkpoint: Checkpoint) -> str | None:
        """The signed checkpoint of a game; None when nobody signs. The same for the same game as long as the key is the same."""
        return self.signer.signed(checkpoint.text(self.signer.name)) if self.signer else None


def usual_name(public_url: str) -> str:
    """The name of an installation's first key: its public address without the scheme, or else one that is nobody else's."""
    address = urlsplit(public_url)
    if address.netloc:
        return (address.netloc + address.path).replace("+", "%2B")
    return f"localhost/annales-{secrets.token_hex(8)}"


def new_key(folder: Path, name: str) -> tuple[Path, VerifierKey]:
    """Make a key that signs from now on, in files that only this user may read. Raises BadKey, OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    numbers = [int(found[1]) for file in folder.iterdir() if (found := _KEY_FILE.fullmatch(file.name))]
    private = folder / f"{max(numbers, default=0) + 1:04d}.key"
    key = SignerKey.fresh(name)
    _write(private.with_suffix(".pub"), f"{key.verifier}\n", 0o644)
    _write(private, f"{key.written()}\n", 0o600)
    return private, key.verifier


def read_keys(text: str) -> tuple[VerifierKey, ...]:
    """The public keys in a published key set (JSON), or in text with one key a line. Raises BadKey."""
    if text.lstrip().startswith("{"):
        try:
            lines: Iterable[str] = [published.key for published in msgspec.json.decode(text, type=KeySet).keys]
        except msgspec.MsgspecError as error:
            raise BadKey(f"this is no set of keys: {error}") from error
    else:
        lines = text.splitlines()
    return tuple(VerifierKey.read(line) for line in lines if line.strip())


def stated(note: str) -> Checkpoint:
    """What a game's checkpoint says; who says it is not verified. Raises BadNote."""
    return _stated(read_note(note).text)[1]


def verified(note: str, keys: Collection[VerifierKey]) -> Checkpoint:
    """What a game's checkpoint says, once a known key has signed it. Raises BadNote."""
    read = read_note(note)
    signer = read.signer(keys)
    name, checkpoint = _stated(read.text)
    if name != signer.name:
        raise BadNote(f"it speaks for {name}, and {signer.name} has signed it")
    return checkpoint


def _stated(text: str) -> tuple[str, Checkpoint]:
    found = _GAME_TEXT.fullmatch(text)
    if found is None:
        raise BadNote("its text is not origin, game, version and head")
    return found[1], Checkpoint(game=found[2], version=int(found[3]), head=found[4])


def _read(file: Path, kind: type[K]) -> K:
    try:
        return kind.read(file.read_text())
    except OSError as error:
        raise BadKey(f"{file}: {error.strerror}") from error
    except ValueError as error:  # no key, or no text
        raise BadKey(f"{file}: {error}") from error


def _write(file: Path, text: str, mode: int) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(descriptor, "w") as opened:
        opened.write(text)
        opened.flush()
        os.fsync(opened.fileno())
