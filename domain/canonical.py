"""Canonical JSON (RFC 8785) of the values that events are made of, and SHA-256 over it.

Events hold integers within 2**53, strings, booleans, null, arrays and objects with ASCII names. For these, sorting the
names and writing no white space is all that RFC 8785 asks; a test compares with an independent implementation.
"""

from hashlib import sha256

import msgspec

_ENCODER = msgspec.json.Encoder(order="sorted")


def canonical(value: object) -> bytes:
    """The canonical JSON of `value` (anything msgspec encodes, floats excepted)."""
    return _ENCODER.encode(value)


def digest(value: object) -> str:
    """`"sha256:<hex>"` over the canonical JSON of `value`."""
    return "sha256:" + sha256(_ENCODER.encode(value)).hexdigest()
