"""When a request is sent again, and how long to wait before."""

import random
from dataclasses import dataclass
from typing import Any

import httpx

from annales_client.calls import Call
from annales_client.problems import Problem, Unreachable, problem_of

LOST = (httpx.NetworkError, httpx.TimeoutException, httpx.RemoteProtocolError)
"""The connection was not made, or broke: a moment later it may work."""

_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
_NOTHING_CHANGED = {"rate-limited", "store-unavailable", "too-many-streams"}
_PASSING = {429, 502, 503, 504}


@dataclass(frozen=True)
class Patience:
    """How often a request is sent in all, and how many seconds are waited: `first`, then twice as long each time.

    `longest` bounds each wait; when the service asks for more, its refusal is raised instead.
    """

    attempts: int = 8
    first: float = 0.2
    longest: float = 60.0

    def pause(self, failures: int) -> float:
        """The wait after so many failures in a row, of which a random part is left out, so that clients spread."""
        return float(min(self.longest, self.first * 2 ** (failures - 1)) * random.uniform(0.5, 1))


PATIENCE = Patience()
"""About twenty seconds, long enough for a service to start again."""


class Attempts:
    """The attempts at one call."""

    def __init__(self, call: Call[Any], patience: Patience) -> None:
        self._call = call
        self._patience = patience
        self._failures = 0

    def lost(self, error: httpx.TransportError) -> float:
        """The connection broke: how long to wait before the next attempt.

        Raises:
            Unreachable: it has been tried often enough, or might be done twice.
        """
        self._failures += 1
        if not self._may_go_on or not (self._call.repeatable or isinstance(error, _NOT_SENT)):
            raise Unreachable(f"{self._call.method} {self._call.path}: {error or type(error).__name__}") from error
        return self._patience.pause(self._failures)

    def answered(self, response: httpx.Response) -> float | None:
        """There is an answer: None when it is a good one, else how long to wait before the next attempt.

        Raises:
            Problem: the answer is a refusal that would come again, or it has been tried often enough.
        """
        if response.is_success:
            return None
        self._failures += 1
        problem = problem_of(response)
        pause = max(self._patience.pause(self._failures), problem.retry_after or 0)
        if not self._may_go_on or not self._passes(problem) or pause > self._patience.longest:
            raise problem
        return pause

    @property
    def _may_go_on(self) -> bool:
        return self._failures < self._patience.attempts

    def _passes(self, problem: Problem) -> bool:
        """Whether a problem passes by itself, and the call may be sent again."""
        return problem.status in _PASSING and (self._call.repeatable or problem.code in _NOTHING_CHANGED)
