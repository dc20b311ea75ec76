"""Reading requests: bodies, queries and headers. Whatever is wrong with them is said with a pointer or a parameter's name."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any, cast

import msgspec
from flask import request
from marshmallow import Schema, ValidationError
from werkzeug.exceptions import RequestEntityTooLarge

from domain.errors import BadCommand, DomainError
from events.sessions import Key

LARGEST_BODY = 64 * 1024
MOST_MISTAKES = 20
"""How many mistakes in a body are told: there can be thousands."""
_LARGEST_INTEGER = 2**53
_KEY = re.compile(r"[\x20-\x7e]{1,128}")
_VERSION_TAG = re.compile(r'"(\d{1,15})"')


class UnsupportedMediaType(DomainError):
    """The body is not declared to be JSON (HTTP 415)."""


class BadParameter(BadCommand):
    """A query parameter or a header is wrong (HTTP 400)."""

    def __init__(self, parameter: str, template: str, /, **params: Any) -> None:
        super().__init__("malformed-request", template, **params)
        self.parameter = parameter


class Mistakes(BadCommand):
    """The body breaks its schema: `all` has a JSON pointer and a sentence for each of the first mistakes."""

    def __init__(self, mistakes: Sequence[tuple[str, str]]) -> None:
        pointer, text = mistakes[0]
        super().__init__("malformed-request", "{mistake}", pointer=pointer, mistake=text)
        self.all = mistakes


def read_body() -> bytes:
    """The body. Raises RequestEntityTooLarge, also where no length was told: such a body is cut off at the limit."""
    body = request.get_data(cache=False)
    if request.content_length is None and len(body) == request.max_content_length:
        raise RequestEntityTooLarge
    return body


def read_json() -> Any:
    """The JSON value in the body. Raises UnsupportedMediaType, BadCommand."""
    charset = request.mimetype_params.get("charset", "utf-8").lower()
    if request.mimetype != "application/json" or charset not in {"utf-8", "utf8"}:
        says = "Send JSON in UTF-8, with 'Content-Type: application/json'."
        raise UnsupportedMediaType("unsupported-media-type", says)
    try:
        return _DECODER.decode(read_body())
    except (msgspec.MsgspecError, ValueError) as error:
        raise BadCommand("malformed-request", "The body is not JSON: {reason}.", reason=str(error)) from error


def checked(schema: Schema, body: Any) -> dict[str, Any]:
    """The body as `schema` loads it. Raises Mistakes."""
    try:
        return cast("dict[str, Any]", schema.load(body))
    except ValidationError as error:
        raise Mistakes(list(islice(_mistakes(error.messages, ""), MOST_MISTAKES))) from error


def read_query(schema: Schema) -> Mapping[str, Any]:
    """The query parameters as `schema` loads them. Raises BadParameter for one that is wrong, unknown or there twice."""
    given: dict[str, str] = {}
    for name, values in request.args.lists():
        if len(values) > 1:
            raise BadParameter(name, "The query parameter '{name}' is there more than once.", name=name)
        given[name] = values[0]
    try:
        return cast("dict[str, Any]", schema.load(given)) if given else _defaults(schema)
    except ValidationError as error:
        pointer, text = next(_mistakes(error.messages, ""))
        raise BadParameter(pointer.removeprefix("/"), "{mistake}", mistake=text) from error


def expected_version() -> int | None:
    """The version that `If-Match` asks for. Raises BadParameter."""
    header = request.headers.get("If-Match")
    if header is None or header.strip() == "*":
        return None
    found = _VERSION_TAG.fullmatch(header.strip())
    if found is None:
        raise BadParameter("If-Match", """If-Match is one version in double quotes, such as "41".""")
    return int(found[1])


def knows_already(etag: str) -> bool:
    """Whether `If-None-Match` says that the caller has the representation with that entity tag."""
    header = request.headers.get("If-None-Match")
    if header is None:
        return False
    return any(tag.strip().removeprefix("W/") in {etag, "*"} for tag in header.split(","))


def idempotency_key(caller: str, scope: str, body: object) -> Key:
    """What makes this request recognisable when it comes again. Raises BadParameter."""
    header = request.headers.get("Idempotency-Key")
    if header is None:
        return Key.own()
    if _KEY.fullmatch(header) is None:
        raise BadParameter("Idempotency-Key", "An Idempotency-Key has 1 to 128 printable ASCII characters.")
    return Key.of(caller, scope, header, body)


@cache
def _defaults(schema: Schema) -> Mapping[str, Any]:
    """What an empty query means; there are as many of these as routes."""
    return cast("dict[str, Any]", schema.load({}))


def _number(text: str) -> int | float:
    """A JSON number with a point or an exponent: 5.0 is the integer 5."""
    value = float(text)
    if abs(value) > _LARGEST_INTEGER:
        raise ValueError("number out of range")
    return int(value) if value.is_integer() else value


_DECODER = msgspec.json.Decoder(float_hook=_number)


def _mistakes(messages: Any, pointer: str) -> Iterator[tuple[str, str]]:
    """All mistakes in the nested messages of a schema, each with its JSON pointer."""
    if isinstance(messages, Mapping):
        for name, below in messages.items():
            step = "" if name == "_schema" else "/" + str(name).replace("~", "~0").replace("/", "~1")
            yield from _mistakes(below, pointer + step)
    else:
        for text in messages:
            yield pointer, text
