"""Whatever is sent, it is answered in good order: never with a fault of the service, and no refusal changes anything."""

import os

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.service.client import Client, Seat

_EXAMPLES = 150 * int(os.environ.get("ANNALES_FUZZ", "1"))
_FUZZING = settings(max_examples=_EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])

texts = st.text(max_size=12) | st.sampled_from(
    [
        "",
        "\x00",
        "\u202e",
        "add",
        "join_game",
        "request_undo",
        "toy",
        "me",
        "{}",
        "{seat}",
        "%s",
        "' OR 1=1",
        "../..",
        "*",
    ]
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.integers(-(2**70), 2**70) | st.floats() | texts,
    lambda below: st.lists(below, max_size=4) | st.dictionaries(texts, below, max_size=4),
    max_leaves=12,
)
names = st.sampled_from(
    [
        "type",
        "data",
        "seat",
        "commands",
        "points",
        "to_version",
        "ruleset",
        "seats",
        "options",
        "kind",
        "bot",
        "clock",
        "name",
        "undo",
    ]
)
objects = st.dictionaries(names | texts, values | st.dictionaries(names, values), max_size=6)
commands = st.fixed_dictionaries(
    {"type": st.sampled_from(["add", "request_undo", "join_game", "take_over", "peek", "start_game"]) | texts},
    optional={"data": st.dictionaries(names, values) | values, "seat": st.integers(-2, 9) | values},
)
bodies = (
    objects | commands | st.fixed_dictionaries({"commands": st.lists(commands | values, max_size=3) | values}) | values
)
headers = st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=20)
parts = st.sampled_from(["", "/board", "/events", "/legal-commands", "/audit", "/export"])
queries = st.lists(
    st.tuples(
        st.sampled_from(["at", "seat", "reveal", "after", "limit", "cursor", "status", "player", "dry_run"]) | texts,
        st.integers().map(str) | texts | st.sampled_from(["true", "1e3", "0x1", "9" * 30]),
    ),
    max_size=3,
)


def played(ada: Client) -> Seat:
    game = ada.create(seats="mm")
    game.do("call")
    return game


@given(bodies, headers, headers)
@_FUZZING
def test_any_body(ada: Client, body: object, key: str, match: str) -> None:
    game = played(ada)
    version = game.version
    for path in (f"{game.path}/commands", f"{game.path}/commands?dry_run=true", "/v1/games", "/v1/players"):
        response = ada.call(
            "POST", path, raw=msgspec.json.encode(body), headers={"Idempotency-Key": key, "If-Match": match}
        )
        assert response.status_code < 500
    response = ada.call("POST", f"{game.path}/commands", raw=msgspec.json.encode(body))
    assert response.status_code < 500
    assert response.status_code == 201 or game.version == version


@given(st.binary(max_size=60), headers)
@_FUZZING
def test_any_bytes(visitor: Client, raw: bytes, media_type: str) -> None:
    for headers in ({}, {"Content-Type": media_type}):
        response = visitor.call("POST", "/v1/players", raw=raw, headers=headers)
        assert response.status_code in {400, 415}


@given(parts, queries, headers, headers, headers)
@_FUZZING
def test_any_query_and_header(
    ada: Client, part: str, query: list[tuple[str, str]], accept: str, known: str, token: str
) -> None:
    game = played(ada)
    sent = {"Accept": accept, "If-None-Match": known, "X-Request-Id": known, "Last-Event-ID": accept}
    for headers in (sent, {**sent, "Authorization": f"Bearer {token}"}, {**sent, "Authorization": token}):
        for path in (game.path + part, "/v1/games", "/v1/players/me"):
            response = ada._client.get(
                path, query_string=query, headers={"Authorization": f"Bearer {ada.token}", **headers}
            )
            ada.house.contract.check("GET", path, response)
            assert response.status_code < 500


@given(st.text(max_size=30), st.sampled_from(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "FOO"]))
@_FUZZING
def test_any_address(visitor: Client, path: str, method: str) -> None:
    for start in ("/", "/v1/games/", "/v1/rulesets/", "/problems/", "/docs/"):
        response = visitor._client.open(start + path.replace("//", "/").lstrip("/"), method=method)
        assert response.status_code < 500
