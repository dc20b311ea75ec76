"""What can go wrong, as exceptions."""

from collections.abc import Mapping, Sequence
from typing import Any

import httpx

from annales_client.resources import Event, Mistake, RuleRef


class AnnalesError(Exception):
    """Whatever this client raises."""


class Unreachable(AnnalesError):
    """The service could not be reached, or its answer did not arrive, however often it was tried."""


class BrokenStream(AnnalesError):
    """A stream left an event out, which the service promises never to do."""


class Problem(AnnalesError):
    """The service said no, and why.

    `code` is the exact reason, for programs; `detail` says it for people; `type` is the address, on the service, of a page
    about this kind of problem. The rest is None or empty where it does not apply: `pointer` is a JSON pointer to the part of
    the body that is wrong, `parameter` the name of the query parameter or header, `errors` are all mistakes when there are
    several, `rule` is the rule of the game and its place in the rulebook. `request_id` finds the request in the service's log.
    """

    def __init__(self, status: int, told: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        self.status = status
        self.type: str = told.get("type", "about:blank")
        self.title: str = told.get("title", f"HTTP status {status}")
        self.detail: str = told.get("detail", self.title)
        self.code: str = told.get("code", f"http-{status}")
        self.pointer: str | None = told.get("pointer")
        self.parameter: str | None = told.get("parameter")
        self.errors: Sequence[Mistake] = told.get("errors", ())
        self.rule: RuleRef | None = told.get("rule")
        self.current_version: int | None = told.get("current_version")
        self.missed_events: Sequence[Event] = told.get("missed_events", ())
        self.request_id = headers.get("x-request-id")
        after = headers.get("retry-after", "")
        self.retry_after: int | None = int(after) if after.isdecimal() else None
        where = self.pointer or self.parameter
        super().__init__(f"{self.status} {self.code}{f' at {where}' if where else ''}: {self.detail}")


class MalformedRequest(Problem):
    """400: not JSON, the wrong shape, an unknown field; `pointer` or `parameter` says where."""


class Unauthenticated(Problem):
    """401: no token, or a bad one."""


class Forbidden(Problem):
    """403: the token is good, but this player has no right to do that; `not-your-seat` among them."""


class NotFound(Problem):
    """404: nothing there, or nothing that this player may know of."""


class WrongMoment(Problem):
    """409: the right command at the wrong moment, such as `not-your-turn`."""


class VersionMismatch(Problem):
    """412: the game has moved on to `current_version` through `missed_events`, and nothing has changed."""


class RuleViolation(Problem):
    """422: against the rules of the game; `rule` says which."""


class RateLimited(Problem):
    """429: too much; again after `retry_after` seconds."""


class Unavailable(Problem):
    """503: `store-unavailable` (nothing has changed), `outcome-unknown` (it may have), or no room for another stream."""


_BY_STATUS: Mapping[int, type[Problem]] = {
    400: MalformedRequest,
    401: Unauthenticated,
    403: Forbidden,
    404: NotFound,
    409: WrongMoment,
    412: VersionMismatch,
    429: RateLimited,
    503: Unavailable,
}


def problem_of(response: httpx.Response) -> Problem:
    """The problem that an answer tells; also where something on the way to the service answers in its stead."""
    told: Any = {}
    if response.headers.get("content-type", "").partition(";")[0] == "application/problem+json":
        told = response.json()
    kind = RuleViolation if "rule" in told else _BY_STATUS.get(response.status_code, Problem)
    return kind(response.status_code, told, response.headers)
