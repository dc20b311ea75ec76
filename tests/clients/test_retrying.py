"""What is sent again, what is not, and what comes of it."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from annales_client import (
    AsyncClient,
    Client,
    Forbidden,
    MalformedRequest,
    NotFound,
    Patience,
    Problem,
    RateLimited,
    RuleViolation,
    Unauthenticated,
    Unavailable,
    Unreachable,
    VersionMismatch,
    WrongMoment,
)

QUICK = Patience(attempts=4, first=0.0001, longest=0.001)
DONE = httpx.Response(201, json={"version": 4})
Outcome = httpx.Response | httpx.TransportError


def refusal(status: int, code: str, after: int | None = None, **more: Any) -> httpx.Response:
    headers = {"Content-Type": "application/problem+json"} | ({} if after is None else {"Retry-After": str(after)})
    body = {"type": f"/problems/{code}", "title": "No", "status": status, "detail": "No.", "code": code, **more}
    return httpx.Response(status, json=body, headers=headers)


def fresh(answer: httpx.Response) -> httpx.Response:
    """The same answer, not yet read by anybody."""
    return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)


class Service:
    """Answers as told, and notes what it is asked."""

    def __init__(self, *outcomes: Outcome) -> None:
        self._outcomes = list(outcomes)
        self.asked: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        outcome = self._outcomes.pop(0) if len(self._outcomes) > 1 else self._outcomes[0]
        if isinstance(outcome, httpx.TransportError):
            raise outcome
        return fresh(outcome)

    def client(self, patience: Patience = QUICK) -> Client:
        return Client("http://annales.example", "token", patience=patience, transport=httpx.MockTransport(self))


def give(service: Service) -> Any:
    return service.client().give("g", {"type": "end_turn"}, version=3)


PASSING = {
    "the connection is refused": httpx.ConnectError("refused"),
    "the answer is lost": httpx.ReadError("reset"),
    "the answer breaks off": httpx.RemoteProtocolError("incomplete"),
    "the answer takes too long": httpx.ReadTimeout("timeout"),
    "the store is unavailable": refusal(503, "store-unavailable"),
    "the outcome is unknown": refusal(503, "outcome-unknown"),
    "it is too much at once": refusal(429, "rate-limited", after=0),
    "a gateway speaks": httpx.Response(502, text="<h1>Bad gateway</h1>"),
}


@pytest.mark.parametrize("outcome", PASSING.values(), ids=PASSING)
def test_a_command_is_sent_again_under_the_same_key_when(outcome: Outcome) -> None:
    service = Service(outcome, outcome, DONE)
    assert give(service) == {"version": 4}
    assert len(service.asked) == 3
    assert len({request.headers["Idempotency-Key"] for request in service.asked}) == 1
    assert {request.headers["If-Match"] for request in service.asked} == {'"3"'}
    assert len({request.content for request in service.asked}) == 1


@pytest.mark.parametrize("outcome", PASSING.values(), ids=PASSING)
def test_that_has_a_bound_when(outcome: Outcome) -> None:
    service = Service(outcome)
    expected = Unreachable if isinstance(outcome, httpx.TransportError) else Problem
    with pytest.raises(expected):
        give(service)
    assert len(service.asked) == QUICK.attempts


def test_two_commands_have_two_keys_and_a_key_of_ones_own_is_kept() -> None:
    service = Service(DONE)
    client = service.client()
    for key in (None, None, "mine"):
        client.give("g", {"type": "end_turn"}, key=key)
    first, second, third = (request.headers["Idempotency-Key"] for request in service.asked)
    assert first != second
    assert third == "mine"
    assert "If-Match" not in service.asked[0].headers


def test_a_game_is_created_once() -> None:
    service = Service(httpx.ReadError("reset"), httpx.Response(201, json={"id": "g"}))
    service.client().create("kreta", [])
    assert len({request.headers["Idempotency-Key"] for request in service.asked}) == 1


def test_registering_is_not_repeated_when_it_may_have_happened() -> None:
    for outcome in (httpx.ReadError("reset"), refusal(503, "outcome-unknown"), httpx.Response(502)):
        service = Service(outcome)
        with pytest.raises((Unreachable, Problem)):
            service.client().register("Ada")
        assert len(service.asked) == 1


def test_registering_is_repeated_when_nothing_has_happened() -> None:
    registered = httpx.Response(201, json={"player": {"id": "p", "name": "Ada"}, "token": "new", "recovery": "r"})
    for outcome in (httpx.ConnectError("refused"), refusal(503, "store-unavailable"), refusal(429, "rate-limited")):
        service = Service(outcome, registered)
        client = service.client()
        assert client.register("Ada") == registered.json()
        assert client.token == registered.json()["token"]
        assert len(service.asked) == 2


def test_what_the_service_asks_to_wait_is_waited(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr("time.sleep", waited.append)
    service = Service(refusal(429, "rate-limited", after=7), DONE)
    service.client(Patience()).give("g", {"type": "end_turn"})
    assert waited == [7]


def test_pauses_grow_to_a_bound_and_differ() -> None:
    patience = Patience(first=1, longest=10)
    for failures, most in ((1, 1), (2, 2), (3, 4), (4, 8), (5, 10), (50, 10)):
        assert all(most / 2 <= patience.pause(failures) <= most for _ in range(20))
    assert patience.pause(3) != patience.pause(3)


def test_a_wait_longer_than_the_client_has_patience_is_a_refusal() -> None:
    service = Service(refusal(429, "rate-limited", after=3600))
    with pytest.raises(RateLimited) as refused:
        service.client(Patience(longest=60)).board("g")
    assert refused.value.retry_after == 3600
    assert len(service.asked) == 1


REFUSALS: list[tuple[int, str, type[Problem]]] = [
    (400, "malformed-request", MalformedRequest),
    (401, "unauthenticated", Unauthenticated),
    (403, "not-your-seat", Forbidden),
    (404, "not-found", NotFound),
    (409, "not-your-turn", WrongMoment),
    (412, "version-mismatch", VersionMismatch),
    (422, "idempotency-key-reused", Problem),
    (500, "internal-error", Problem),
]


@pytest.mark.parametrize(("status", "code", "kind"), REFUSALS)
def test_a_refusal_that_would_come_again_is_raised_at_once(status: int, code: str, kind: type[Problem]) -> None:
    service = Service(refusal(status, code))
    with pytest.raises(Problem) as refused:
        give(service)
    assert type(refused.value) is kind
    assert (refused.value.status, refused.value.code) == (status, code)
    assert len(service.asked) == 1


def test_a_problem_tells_all_that_the_service_said() -> None:
    rule = {"code": "harbour_full", "source": "page 5"}
    with pytest.raises(RuleViolation) as broken:
        give(Service(refusal(422, "harbour_full", pointer="/data/harbour", rule=rule)))
    assert broken.value.rule == rule
    assert str(broken.value) == "422 harbour_full at /data/harbour: No."
    missed: list[Any] = [{"version": 4}, {"version": 5}]
    with pytest.raises(VersionMismatch) as stale:
        give(Service(refusal(412, "version-mismatch", current_version=5, missed_events=missed)))
    assert stale.value.current_version == 5
    assert list(stale.value.missed_events) == missed
    with pytest.raises(MalformedRequest) as malformed:
        give(Service(refusal(400, "malformed-request", parameter="at", errors=[{"detail": "No.", "parameter": "at"}])))
    assert malformed.value.errors == [{"detail": "No.", "parameter": "at"}]
    assert malformed.value.parameter == "at"
    assert malformed.value.type == "/problems/malformed-request"


def test_what_is_no_problem_document_is_a_problem_all_the_same() -> None:
    with pytest.raises(Unavailable, match="503 http-503: HTTP status 503") as refused:
        give(Service(httpx.Response(503, text="closed", headers={"X-Request-Id": "r1"})))
    assert refused.value.request_id == "r1"


def test_a_mistake_of_the_caller_is_no_lost_connection() -> None:
    with Client("nonsense://annales.example") as client, pytest.raises(httpx.UnsupportedProtocol):
        client.rulesets()


def asynchronously(service: Service, ask: Callable[[AsyncClient], Any]) -> Any:
    async def asking() -> Any:
        async with AsyncClient(
            "http://annales.example", patience=QUICK, transport=httpx.MockTransport(service)
        ) as client:
            return await ask(client)

    return asyncio.run(asking())


@pytest.mark.parametrize("outcome", PASSING.values(), ids=PASSING)
def test_under_asyncio_too(outcome: Outcome) -> None:
    service = Service(outcome, DONE)
    assert asynchronously(service, lambda client: client.give("g", {"type": "end_turn"})) == {"version": 4}
    assert len({request.headers["Idempotency-Key"] for request in service.asked}) == 1
    with pytest.raises((Unreachable, Problem)):
        asynchronously(Service(outcome), lambda client: client.board("g"))
