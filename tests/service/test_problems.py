import ast
import logging
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
import redis
from flask import Flask

from domain.catalogue import GAMES
from domain.errors import DomainError
from events.errors import OutcomeUnknown, StoreUnavailable
from events.settings import Settings
from service.app import create_app
from service.catalogue import KINDS
from service.incoming import MOST_MISTAKES
from service.problems import BY_STATUS, FAMILIES, LONGEST_TEXT, kind_of
from service.services import NAME
from tests.service.client import Client, House, problem
from tests.service.contract import Contract

ROOT = Path(__file__).parents[2]


def codes_in_the_source(*exceptions: str) -> Iterator[str]:
    """The codes with which these exceptions are raised, wherever that is written."""
    for folder in ("domain", "events", "service"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in exceptions:
                    first = node.args[0] if node.args else None
                    if isinstance(first, ast.Constant) and isinstance(first.value, str):
                        yield first.value


def test_every_code_of_a_wrong_moment_or_a_lacking_right_has_a_page_of_its_own() -> None:
    codes = set(codes_in_the_source("WrongMoment", "NotAllowed"))
    assert {"seat-taken", "not-your-turn", "not-your-seat"} <= codes
    assert codes <= KINDS.keys()


def test_every_family_and_status_has_a_type() -> None:
    assert set(FAMILIES.values()) <= KINDS.keys()
    for status, slug in BY_STATUS.items():
        assert KINDS[slug].status == status


def test_no_rule_of_a_game_is_called_like_a_type_of_problem() -> None:
    codes = {rule.code for game in GAMES.values() for rule in game.rulebook}
    assert not codes & KINDS.keys()


def test_an_error_of_a_family_without_a_type_of_its_own_has_that_of_the_family() -> None:
    class Odd(StoreUnavailable):
        pass

    assert kind_of(Odd("x")).slug == "store-unavailable"


def test_what_is_nowhere_is_not_found(visitor: Client, ada: Client) -> None:
    for path in (
        "/",
        "/v1",
        "/v2/games",
        "/v1/games/",
        "/v1//games",
        "/v1/games/x",
        "/v1/games/" + "A" * 24,
        "/%00",
        "/v1/players/42",
    ):
        problem(visitor.get(path), 404, "not-found")
    problem(ada.get("/v1/games/" + "0" * 24), 404, "not-found")
    problem(ada.get("/v1/rulesets/chess"), 404, "not-found")


def test_a_method_that_an_address_does_not_answer_is_told_which_it_does(visitor: Client) -> None:
    response = visitor.call("DELETE", "/v1/games")
    problem(response, 405, "method-not-allowed")
    assert {"GET", "POST"} <= {method.strip() for method in response.headers["Allow"].split(",")}
    problem(visitor.call("PUT", "/v1/players/me"), 405, "method-not-allowed")


def test_a_body_has_at_most_64_kib(ada: Client) -> None:
    body = {"ruleset": "toy", "seats": [{"kind": "me"}], "options": {"x": "y" * 65536}}
    problem(ada.post("/v1/games", body), 413, "content-too-large")


@pytest.mark.parametrize(
    ("path", "media_type", "limit"),
    [("/v1/players", "application/json", 2**16), ("/v1/games/import", "application/x-ndjson", 2**24)],
)
def test_a_body_whose_length_is_not_told_is_bounded_all_the_same(
    ada: Client, path: str, media_type: str, limit: int
) -> None:
    sent = BytesIO(b'{"name": "Ada"}' + b" " * limit)
    response = ada._client.post(
        path,
        input_stream=sent,
        headers={"Authorization": f"Bearer {ada.token}", "Content-Type": media_type},
        environ_overrides={"wsgi.input_terminated": True},
    )
    problem(response, 413, "content-too-large")
    assert sent.tell() <= limit + 2**16


@pytest.mark.parametrize(
    "content_type",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/json; charset=latin-1",
        "",
        "json",
        "multipart/form-data",
    ],
)
def test_a_body_that_is_not_declared_as_json_is_refused(ada: Client, content_type: str) -> None:
    response = ada.call("POST", "/v1/games", raw=b"{}", headers={"Content-Type": content_type})
    problem(response, 415, "unsupported-media-type")


@pytest.mark.parametrize(
    "content_type", ["application/json; charset=UTF-8", "Application/JSON", "application/json;x=y"]
)
def test_a_body_that_is_declared_as_json_is_read(ada: Client, content_type: str) -> None:
    response = ada.call("POST", "/v1/games", raw=b"{}", headers={"Content-Type": content_type})
    problem(response, 400, "malformed-request")


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"{}{}",
        b"{'a': 1}",
        b'{"name": NaN}',
        b'{"name": Infinity}',
        b'{"name": 1e999}',
        b'{"name": -1e400}',
        b'{"name": ' + b"1" * 5000 + b"}",
        b'{"name": 1' + b"0" * 5000 + b".0}",
        b'{"name": "\\ud800"}',
        b'{"name": "\xff"}',
        b'{"name": "\xed\xa0\x80"}',
        b'\xef\xbb\xbf{"name": "Ada"}',
        b"\x00",
        b'{"name": "a\x01b"}',
        b"[" * 60000,
        b'{"a":' * 10000,
        b"nul",
    ],
)
def test_what_is_not_json_is_refused(visitor: Client, raw: bytes) -> None:
    problem(visitor.call("POST", "/v1/players", raw=raw), 400, "malformed-request")


@pytest.mark.parametrize("depth", [100, 500, 900, 990, 2000, 5000])
def test_json_of_any_depth_is_refused_in_good_order(ada: Client, depth: int) -> None:
    game = ada.create()
    nested = b'{"a":' * depth + b"1" + b"}" * depth
    raw = b'{"type": "add", "data": ' + nested + b"}"
    for headers in ({}, {"Idempotency-Key": "k"}):
        response = ada.call("POST", f"{game.path}/commands", raw=raw, headers=headers)
        problem(response, 400, "malformed-request")


def test_a_refusal_is_short_however_much_is_wrong_with_a_body(ada: Client) -> None:
    fields = {f"field{number}": 0 for number in range(4000)}
    told = problem(ada.post("/v1/games", fields), 400, "malformed-request")
    assert len(told["errors"]) == MOST_MISTAKES


@pytest.mark.parametrize(
    ("path", "body", "pointer"),
    [
        ("/v1/games", {"ruleset": "kreta", "seats": [{}] * 10_000}, "/seats"),
        ("/v1/games/" + 24 * "0" + "/commands", {"commands": [{}] * 10_000}, "/commands"),
    ],
)
def test_a_list_that_is_too_long_is_refused_as_a_whole(ada: Client, path: str, body: object, pointer: str) -> None:
    told = problem(ada.post(path, body), 400, "malformed-request")
    assert [mistake["pointer"] for mistake in told["errors"]] == [pointer]


def test_a_refusal_is_short_however_long_what_it_quotes_is(ada: Client) -> None:
    game = ada.create("kreta", "mm")
    long = "~" * 60_000
    for body in ({long: 0}, {"type": "resign", "data": {long: 0}}, {"type": "resign", "data": {}, long: 0}):
        told = ada.post(f"{game.path}/commands", body)
        assert told.status_code == 400
        assert len(told.data) < 6 * LONGEST_TEXT
        assert told.json is not None
        assert told.json["pointer"].startswith("/")
    asked = ada.get(f"{game.path}/board?{long}=0")
    assert len(asked.data) < 6 * LONGEST_TEXT


def test_huge_numbers_are_refused_in_good_order(ada: Client) -> None:
    game = ada.create()
    for number in (b"1" * 400, b"-" + b"9" * 300, b"9007199254740993", b"18446744073709551616"):
        for body in (
            b'{"type": "add", "data": {"points": %b}}',
            b'{"type": "request_undo", "data": {"to_version": %b}}',
            b'{"type": "resign", "seat": %b}',
        ):
            response = ada.call("POST", f"{game.path}/commands", raw=body % number, headers={"Idempotency-Key": "k"})
            assert 400 <= response.status_code < 500, response.data


def test_the_id_of_a_request_is_taken_over_when_it_is_well_formed(visitor: Client) -> None:
    assert visitor.get("/healthz", X_Request_Id="a-1._Z").headers["X-Request-Id"] == "a-1._Z"
    for given in ("", "a b", "x" * 65, "caf\u00e9"):
        made = visitor.get("/healthz", X_Request_Id=given).headers["X-Request-Id"]
        assert made not in {given, ""}
    assert visitor.get("/nowhere", X_Request_Id="a-1").headers["X-Request-Id"] == "a-1"


def test_a_fault_is_noted_with_the_id_of_its_request_and_tells_nothing_else(
    app: Flask, visitor: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(**_: object) -> None:
        raise ZeroDivisionError("a secret")

    monkeypatch.setattr(app.extensions[NAME].lobby, "page", fail)
    with caplog.at_level(logging.ERROR):
        response = visitor.get("/v1/games", X_Request_Id="the-one")
    problem(response, 500, "internal-error")
    assert b"secret" not in response.data
    assert b"Zero" not in response.data
    assert "the-one" in caplog.text
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize(
    "fault", [redis.ConnectionError("gone"), redis.TimeoutError("late"), redis.ReadOnlyError("ro")]
)
def test_a_store_that_cannot_be_reached_is_told_with_a_time_to_come_back(
    house: House, ada: Client, monkeypatch: pytest.MonkeyPatch, fault: redis.RedisError
) -> None:
    game = ada.create()

    def fail(*_: object) -> None:
        raise fault

    monkeypatch.setattr(house.services.store._wire, "_ask", fail)
    for response in (ada.get(game.path), ada.get(f"{game.path}/board"), game.give("add", {"points": 1})):
        problem(response, 503, "store-unavailable")
        assert int(response.headers["Retry-After"]) > 0


def test_an_append_without_an_answer_may_or_may_not_have_happened(
    house: House, ada: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = ada.create()

    def fail(*_: object) -> None:
        raise OutcomeUnknown("late")

    monkeypatch.setattr(house.services.store, "append", fail)
    response = game.give("add", {"points": 1}, Idempotency_Key="k")
    problem(response, 503, "outcome-unknown")
    assert int(response.headers["Retry-After"]) > 0


def test_every_type_of_problem_answers_with_its_own_documentation(visitor: Client) -> None:
    every = visitor.get("/problems").text
    for kind in KINDS.values():
        assert kind.path in every
        page = visitor.get(kind.path)
        assert page.status_code == 200
        assert page.mimetype == "text/html"
        assert kind.title in page.text
    problem(visitor.get("/problems/nonsense"), 404, "not-found")


def test_the_page_on_rule_violations_lists_every_rule_of_every_game(visitor: Client) -> None:
    page = visitor.get("/problems/rule-violation").text
    for game in GAMES.values():
        assert game.rulebook
        for rule in game.rulebook:
            assert f'id="{game.id}-{rule.code}"' in page


def test_a_service_without_its_store_does_not_start(tmp_path: Path) -> None:
    with pytest.raises(redis.RedisError):
        create_app(Settings(redis_url=f"unix://{tmp_path / 'nothing'}"))


def test_the_contract_test_itself_refuses_what_is_not_documented(contract: Contract, visitor: Client) -> None:
    response = visitor.get("/healthz")
    response.headers["X-Surprise"] = "1"
    with pytest.raises(AssertionError, match="X-Surprise"):
        contract.check("GET", "/healthz", response)
    with pytest.raises(AssertionError, match="Alive"):
        contract.check_schema("Alive", {"state": 5})
    del response.headers["X-Surprise"]
    response.status_code = 418
    with pytest.raises(AssertionError, match="status not documented"):
        contract.check("GET", "/healthz", response)


def test_refusals_keep_their_template_apart_from_what_fills_it() -> None:
    refusal = DomainError("x", "Seat {seat} of {many}.", seat=1, many=2)
    assert (refusal.template, refusal.params) == ("Seat {seat} of {many}.", {"seat": 1, "many": 2})
