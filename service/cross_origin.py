"""Calls from pages of other origins (CORS, as the Fetch standard has it): which may call, and what they may read.

Callers are known by a token in a header, never by a cookie, so that any page may call by default: it has nobody's token.
"""

from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

ANY = "*"

_METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE"
_SENT = "Accept-Language, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id"
_READ = (
    "Content-Disposition, Content-Language, ETag, Idempotency-Replayed, Location, RateLimit, RateLimit-Policy, Retry-After, "
    "WWW-Authenticate, X-Request-Id"
)
_PREFLIGHT = [
    ("Access-Control-Allow-Methods", _METHODS),
    ("Access-Control-Allow-Headers", _SENT),
    ("Access-Control-Max-Age", "7200"),
]


def open_to(origins: Collection[str], app: "WSGIApplication") -> "WSGIApplication":
    """The app, for pages of these origins too; preflights are answered here."""
    varies = [] if ANY in origins else [("Vary", "Origin")]

    def answer(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        allowed = _allowed(origins, environ.get("HTTP_ORIGIN"))
        if environ["REQUEST_METHOD"] == "OPTIONS" and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in environ:
            start_response("204 No Content", [*varies, *allowed, *(_PREFLIGHT if allowed else [])])
            return []

        def start(status: str, headers: list[tuple[str, str]], *rest: Any) -> Callable[[bytes], object]:
            headers += varies
            if allowed:
                headers += [*allowed, ("Access-Control-Expose-Headers", _READ)]
            return start_response(status, headers, *rest)

        return app(environ, start)

    return answer


def _allowed(origins: Collection[str], origin: str | None) -> list[tuple[str, str]]:
    """What lets a page of `origin` read the answer; nothing when it may not."""
    if origin is None:
        return []
    if ANY in origins:
        return [("Access-Control-Allow-Origin", ANY)]
    return [("Access-Control-Allow-Origin", origin)] if origin in origins else []
