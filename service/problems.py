"""Refusals as RFC 9457 problems: the one table from what went wrong to status, type and title.

A type that is a whole family (`rule-violation`, `malformed-request`) leaves the exact reason to `code`.
"""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from flask import Flask, Response, request
from msgspec import UNSET, Raw, Struct, UnsetType
from redis.exceptions import RedisError
from werkzeug.exceptions import HTTPException

from domain.errors import BadCommand, DomainError, NotAllowed, RuleViolation, WrongMoment
from domain.wording import Phrase
from events.audit import Report
from events.errors import KeyReused, NotFound, OutcomeUnknown, StoreUnavailable, VersionMismatch
from events.notices import CursorGone
from events.transfer import BadImport
from service.callers import InsufficientScope, Unauthenticated
from service.catalogue import KINDS, Kind
from service.incoming import BadParameter, Mistakes, UnsupportedMediaType
from service.language import in_language, language
from service.libraries import recognised
from service.limits import RateLimited
from service.marks import request_id
from service.rights import NotYourSeat
from service.streams import TooManyStreams

LOG = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
RETRY_SECONDS = 2
LONGEST_TEXT = 1000
"""Characters of a detail or a pointer: what they quote of a request can be as long as its body."""

FAMILIES: Mapping[type[DomainError], str] = {
    BadCommand: "malformed-request",
    Unauthenticated: "unauthenticated",
    NotAllowed: "forbidden",
    NotFound: "not-found",
    UnsupportedMediaType: "unsupported-media-type",
    WrongMoment: "wrong-moment",
    VersionMismatch: "version-mismatch",
    RuleViolation: "rule-violation",
    KeyReused: "idempotency-key-reused",
    BadImport: "bad-import",
    StoreUnavailable: "store-unavailable",
    OutcomeUnknown: "outcome-unknown",
    RateLimited: "rate-limited",
    TooManyStreams: "too-many-streams",
    CursorGone: "cursor-gone",
}
"""The type of each refusal whose code is not a type of its own."""

BY_STATUS: Mapping[int, str] = {
    400: "malformed-request",
    404: "not-found",
    405: "method-not-allowed",
    413: "content-too-large",
    415: "unsupported-media-type",
}
"""The type of what Flask itself refuses."""

UNCLEAR = Phrase("The request cannot be understood.")
TOLD_BY_STATUS: Mapping[int, Phrase] = {
    404: Phrase("There is nothing at this address."),
    405: Phrase("This address does not answer that method; Allow says which it does."),
    413: Phrase("A body has at most 64 KiB, an import 16 MiB."),
}
"""What is said of it."""

FAULT = Phrase("Something went wrong here, and has been noted under the X-Request-Id of this answer.")
OF_LIBRARIES = frozenset({"reason", "mistake"})
"""The parameters of refusals that hold what a library says."""


class RuleRef(Struct, frozen=True):
    """Which rule forbids it: its code, and its place in the rulebook or the ruling that decides."""

    code: str
    source: str


class Mistake(Struct, frozen=True, omit_defaults=True):
    """One mistake in a body (`pointer`: JSON pointer) or in a query or header (`parameter`: its name)."""

    detail: str
    pointer: str | None = None
    parameter: str | None = None


class Problem(Struct, frozen=True, kw_only=True):
    """What went wrong.

    `errors` lists the mistakes in a body, the first 20, `missed_events` what the caller has not seen, `report` what an audit
    found in an import.
    """

    type: str
    title: str
    status: int
    detail: str
    code: str
    pointer: str | UnsetType = UNSET
    parameter: str | UnsetType = UNSET
    errors: Sequence[Mistake] | UnsetType = UNSET
    rule: RuleRef | UnsetType = UNSET
    current_version: int | UnsetType = UNSET
    missed_events: Sequence[Raw] | UnsetType = UNSET
    report: Report | UnsetType = UNSET


class GameMovedOn(VersionMismatch):
    """A version mismatch with what the caller has missed: the events as they may read them."""

    def __init__(self, mismatch: VersionMismatch, missed: Sequence[bytes]) -> None:
        super().__init__(mismatch.expected, mismatch.current)
        self.missed = missed


def kind_of(error: DomainError) -> Kind:
    """The type of problem that a refusal is."""
    family = next(FAMILIES[cls] for cls in type(error).__mro__ if cls in FAMILIES)
    known = KINDS.get(error.code)
    return known if known is not None and known.status == KINDS[family].status else KINDS[family]


def register(app: Flask) -> None:
    """Let `app` answer every refusal and every fault with a problem."""
    app.register_error_handler(DomainError, _refusal)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(RecursionError, _too_deep)
    app.register_error_handler(RedisError, _store_fault)
    app.register_error_handler(Exception, _fault)


def _refusal(error: DomainError) -> Response:
    return _answer(kind_of(error), phrase_of(error), error.code, _headers(error), **_more(error))


def phrase_of(error: DomainError) -> Phrase:
    """What a refusal says, so that it can be said in any language."""
    params = {name: recognised(str(value)) if name in OF_LIBRARIES else value for name, value in error.params.items()}
    return Phrase(error.template, params)


def _more(error: DomainError) -> dict[str, Any]:
    more: dict[str, Any] = {}
    if error.pointer is not None:
        more["pointer"] = _cut(error.pointer)
    match error:
        case RuleViolation():
            more["rule"] = RuleRef(code=error.rule.code, source=error.rule.source)
        case VersionMismatch():
            more["current_version"] = error.current
            more["missed_events"] = [Raw(line) for line in error.missed] if isinstance(error, GameMovedOn) else []
        case BadParameter(parameter=parameter) | NotYourSeat(parameter=str(parameter)):
            more["parameter"] = _cut(parameter)
        case BadImport():
            more["report"] = error.report
        case Mistakes():
            more["errors"] = [Mistake(detail=_cut(_said(text)), pointer=_cut(pointer)) for pointer, text in error.all]
    return more


def _headers(error: DomainError) -> dict[str, str]:
    match error:
        case Unauthenticated():
            return {"WWW-Authenticate": 'Bearer realm="annales"'}
        case InsufficientScope():
            return {"WWW-Authenticate": f'Bearer realm="annales", error="insufficient_scope", scope="{error.needed}"'}
        case RateLimited():
            return {"Retry-After": str(error.seconds)}
        case StoreUnavailable() | OutcomeUnknown():
            LOG.warning("%s: %s", error.code, error.reason)
            return {"Retry-After": str(RETRY_SECONDS)}
        case TooManyStreams():
            return {"Retry-After": str(RETRY_SECONDS)}
        case _:
            return {}


def _http(error: HTTPException) -> Response:
    status = error.code or 500
    kind = KINDS[BY_STATUS.get(status, "malformed-request" if status < 500 else "internal-error")]
    headers = {name: value for name, value in error.get_headers() if name in {"Allow", "Retry-After"}}
    return _answer(kind, TOLD_BY_STATUS.get(status, UNCLEAR), kind.slug, headers)


def _too_deep(_: RecursionError) -> Response:
    return _refusal(BadCommand("malformed-request", "The body is nested too deeply."))


def _store_fault(error: RedisError) -> Response:
    return _refusal(StoreUnavailable(str(error)))


def _fault(error: Exception) -> Response:
    LOG.error("request %s failed", request_id(request.environ), exc_info=error)
    kind = KINDS["internal-error"]
    return _answer(kind, FAULT, kind.slug, {})


def _said(text: str) -> str:
    """What a library says, in the language of the caller as far as it is known."""
    known = recognised(text)
    return language().sentence(known) if isinstance(known, Phrase) else known


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else text[:LONGEST_TEXT] + "…"


def _answer(kind: Kind, detail: Phrase, code: str, headers: Mapping[str, str], **more: Any) -> Response:
    spoken = language()
    problem = Problem(
        type=kind.path,
        title=spoken.text(kind.title),
        status=kind.status,
        detail=_cut(spoken.sentence(detail)),
        code=code,
        **more,
    )
    body = msgspec.json.encode(problem)
    headers = {"Cache-Control": "no-store", **headers}
    return in_language(Response(body, kind.status, headers, content_type=MEDIA_TYPE))
