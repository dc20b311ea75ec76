"""Signed notes as C2SP describes them: text, and under it a line for each signature. Ed25519 alone.

```
<text, some lines>

— <key name> base64(key id || signature)
```

A key is known by its name and its id, the first four bytes of SHA-256(name || 0x0A || 0x01 || public key). Keys are written
as in Go's `golang.org/x/mod/sumdb/note`: `name+hex(id)+base64(0x01 || public key)` to verify, and
`PRIVATE+KEY+name+hex(id)+base64(0x01 || seed)` to sign.
"""

import base64
import binascii
import re
from collections.abc import Collection
from hashlib import sha256
from typing import Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

ED25519 = b"\x01"
MOST_SIGNATURES = 100
_PRIVATE = "PRIVATE+KEY+"
_NAME = re.compile(r"[^\s+]+")
_SIGNATURE_LINE = re.compile(r"— ([^\s+]+) ([A-Za-z0-9+/=]+)")


class BadKey(ValueError):
    """This is no key, or its id is not that of its name and bytes."""


class BadNote(Exception):
    """This is no signed note, or none of the known keys has signed it."""


class VerifierKey(Struct, frozen=True):
    """A public key: 32 bytes, with the name that it signs under."""

    name: str
    public: bytes

    @property
    def id(self) -> bytes:
        """The four bytes that tell it from other keys of the same name."""
        return key_id(self.name, self.public)

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{base64.b64encode(ED25519 + self.public).decode()}"

    @classmethod
    def read(cls, text: str) -> Self:
        """The key that `str` has written. Raises BadKey."""
        return cls(*_read_key(text.strip()))

    def has_signed(self, text: bytes, signature: bytes) -> bool:
        """Whether `signature` is that of this key over `text`."""
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, text)
        except InvalidSignature:
            return False
        return True


class SignerKey(Struct, frozen=True):
    """A private key: a seed of 32 bytes, with the name that it signs under."""

    name: str
    seed: bytes

    @property
    def verifier(self) -> VerifierKey:
        """The public key to it."""
        return VerifierKey(self.name, self._private.public_key().public_bytes_raw())

    @property
    def _private(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self.seed)

    def written(self) -> str:
        """The key as text. It is all that is needed to sign."""
        return f"{_PRIVATE}{self.name}+{self.verifier.id.hex()}+{base64.b64encode(ED25519 + self.seed).decode()}"

    @classmethod
    def read(cls, text: str) -> Self:
        """The key that `written` has made. Raises BadKey."""
        text = text.strip()
        if not text.startswith(_PRIVATE):
            raise BadKey(f"a private key begins with {_PRIVATE}")
        name, identifier, seed = _parts(text.removeprefix(_PRIVATE))
        key = cls(name, seed)
        if key.verifier.id != identifier:
            raise BadKey("its id is not that of its name and bytes")
        return key

    @classmethod
    def fresh(cls, name: str) -> Self:
        """A new key. Raises BadKey for a name with white space or a plus sign."""
        if not _NAME.fullmatch(name):
            raise BadKey("the name of a key has neither white space nor a plus sign, and is not empty")
        return cls(name, Ed25519PrivateKey.generate().private_bytes_raw())

    def signed(self, text: str) -> str:
        """The note of `text`, which is some lines, each ended. Raises ValueError for other text."""
        if not text.endswith("\n") or any(character < " " and character != "\n" for character in text):
            raise ValueError("the text of a note is some lines without control characters")
        signature = self.verifier.id + self._private.sign(text.encode())
        return f"{text}\n— {self.name} {base64.b64encode(signature).decode()}\n"


class Note(Struct, frozen=True):
    """A note as it lies there: its text, and each signature as (key name, key id, signature)."""

    text: str
    signatures: tuple[tuple[str, bytes, bytes], ...]

    def signer(self, keys: Collection[VerifierKey]) -> VerifierKey:
        """One of the known keys that has signed. Raises BadNote when none has, or when a known key's signature is false."""
        known = {(key.name, key.id): key for key in keys}
        signatures = {(name, identifier): signature for name, identifier, signature in reversed(self.signatures)}
        found = [(known[signer], signature) for signer, signature in signatures.items() if signer in known]
        if not found:
            raise BadNote("it carries no signature of a known key")
        if not all(key.has_signed(self.text.encode(), signature) for key, signature in found):
            raise BadNote("its signature is false")
        return found[0][0]


def key_id(name: str, public: bytes) -> bytes:
    """The four bytes by which a signature names its key."""
    return sha256(name.encode() + b"\n" + ED25519 + public).digest()[:4]


def read_note(note: str) -> Note:
    """The parts of a note; nothing is verified. Raises BadNote."""
    if any(character < " " and character != "\n" for character in note):
        raise BadNote("it holds control characters")
    text, separator, below = note.rpartition("\n\n")
    if not separator or not below.endswith("\n"):
        raise BadNote("it has no text with signature lines under it")
    lines = below.removesuffix("\n").split("\n")
    if len(lines) > MOST_SIGNATURES:
        raise BadNote(f"it has more than {MOST_SIGNATURES} signatures")
    return Note(text=text + "\n", signatures=tuple(_read_signature(line) for line in lines))


def _read_signature(line: str) -> tuple[str, bytes, bytes]:
    found = _SIGNATURE_LINE.fullmatch(line)
    raw = _decoded(found[2]) if found else None
    if found is None or raw is None or len(raw) <= 4:
        raise BadNote("a signature line is not '— name base64'")
    return found[1], raw[:4], raw[4:]


def _read_key(text: str) -> tuple[str, bytes]:
    name, identifier, public = _parts(text)
    if key_id(name, public) != identifier:
        raise BadKey("its id is not that of its name and bytes")
    return name, public


def _parts(text: str) -> tuple[str, bytes, bytes]:
    """Name, id and the 32 bytes of a key."""
    name, _, rest = text.partition("+")
    identifier, _, encoded = rest.partition("+")
    raw = _decoded(encoded)
    if not _NAME.fullmatch(name) or not re.fullmatch(r"[0-9a-f]{8}", identifier) or raw is None:
        raise BadKey("a key is name+id+base64")
    if len(raw) != 33 or raw[:1] != ED25519:
        raise BadKey("only Ed25519 keys are known here")
    return name, bytes.fromhex(identifier), raw[1:]


def _decoded(text: str) -> bytes | None:
    """The bytes of standard base64; None unless it is just as it would be written."""
    try:
        raw = base64.b64decode(text, validate=True)
    except binascii.Error:
        return None
    return raw if base64.b64encode(raw).decode() == text else None
