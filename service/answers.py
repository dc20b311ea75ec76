"""Making answers."""

from collections.abc import Mapping
from typing import Any

import msgspec
from flask import Response

from service.names import with_names
from service.services import services

JSON = "application/json"
_ENCODER = msgspec.json.Encoder()
_FRESH_ONLY = {"Cache-Control": "private, no-cache", "Vary": "Authorization, Accept-Language"}
_FRESH_JSON = {"Content-Type": JSON, **_FRESH_ONLY}


def encoded(value: Any) -> bytes:
    """The JSON of an answer; the names of players in it are still null."""
    return _ENCODER.encode(value)


def answer(body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON answer, with the names of the players in it."""
    named = with_names(body, services().accounts)
    return Response(named, status, {**_FRESH_JSON, **headers} if headers else _FRESH_JSON)


def secret_answer(value: Any, status: int) -> Response:
    """A JSON answer that shows a token, and that nothing on its way may keep."""
    return Response(encoded(value), status, {"Cache-Control": "no-store"}, content_type=JSON)


def not_modified(etag: str) -> Response:
    """The answer to one who has the representation already."""
    return Response(status=304, headers={**_FRESH_ONLY, "ETag": etag})


def tag(version: int) -> str:
    """The entity tag of a version of a game."""
    return f'"{version}"'
