"""What every answer carries, whatever becomes of the request."""

import re
import secrets
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_ID = "annales.request_id"
_WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{1,64}")


def marked(app: "WSGIApplication") -> "WSGIApplication":
    """The app, with the id of its request on every answer: the caller's own when it is well-formed, else a fresh one."""

    def answer(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        given = environ.get("HTTP_X_REQUEST_ID")
        known = environ[_ID] = given if given and _WELL_FORMED.fullmatch(given) else secrets.token_hex(8)

        def start(status: str, headers: list[tuple[str, str]], *rest: Any) -> Callable[[bytes], object]:
            headers += [("X-Request-Id", known), ("X-Content-Type-Options", "nosniff")]
            return start_response(status, headers, *rest)

        return app(environ, start)

    return answer


def request_id(environ: "WSGIEnvironment") -> str:
    """The id of a request."""
    return cast("str", environ[_ID])
