"""Copies of finished games, over REST: what is taken, what is refused and why, and that a copy is the same game."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from werkzeug.test import TestResponse

from domain.canonical import canonical
from domain.catalogue import GAMES
from events import envelope
from events.audit import header_line
from tests.service.client import Client, House, Seat, problem
from tests.support.logged import rechained
from tests.support.stored import everything

LINES = "application/x-ndjson"


def send(client: Client, export: bytes, **headers: str) -> TestResponse:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.call("POST", "/v1/games/import", raw=export, headers={"Content-Type": LINES, **named})


def taken(client: Client, export: bytes) -> Seat:
    response = send(client, export)
    assert response.status_code == 201, response.data
    assert response.json is not None
    assert response.headers["Location"].endswith(response.json["id"])
    return Seat(client, response.json["id"])


def finished(ada: Client, bob: Client) -> Seat:
    """A toy game with secrets, undos, a request that lapsed, and an end."""
    game = ada.create(seats="mo", undo="consent")
    bob.at(game).do("join_game", {"seat": 1, "entropy": "dice"})
    game.do("peek")
    bob.at(game).do("add", {"points": 3})
    game.do("request_undo", {"to_version": 4})
    bob.at(game).do("answer_undo", {"accept": True})
    game.do("redo")
    game.do("flip")
    bob.at(game).do("finish")
    return game


@pytest.fixture
def game(ada: Client, bob: Client) -> Seat:
    return finished(ada, bob)


@pytest.fixture
def export(game: Seat) -> bytes:
    return bytes(game.get("export").data)


# What a copy is


def test_a_copy_says_what_it_is_a_copy_of_and_is_attributed_to_nobody(bob: Client, game: Seat, export: bytes) -> None:
    copy = taken(bob, export).now
    original = game.now
    head = game.see("events")["items"][-1]["digest"]
    assert copy["id"] != original["id"]
    assert copy["origin"] == {"kind": "import", "game": game.game, "version": original["version"], "head": head}
    assert [seat["player"] for seat in copy["seats"]] == [None, None]
    assert (copy["status"], copy["result"], copy["rated"]) == ("finished", original["result"], False)


def test_a_copy_has_the_same_board_at_every_version_for_everybody(
    ada: Client, visitor: Client, game: Seat, export: bytes
) -> None:
    copy = taken(ada, export)
    for version in range(1, game.version + 1):
        for query in ("", "&seat=0", "&seat=1", "&reveal=true"):
            path = f"board?at={version}{query}"
            theirs = visitor.at(copy).see(path)
            ours = visitor.at(game).see(path)
            assert theirs == ours, path


def test_a_copy_reads_and_verifies_like_the_original(visitor: Client, ada: Client, game: Seat, export: bytes) -> None:
    copy = taken(ada, export)
    assert visitor.at(copy).see("events")["items"] == game.see("events")["items"]
    assert visitor.at(copy).get("export").data.splitlines()[1:] == export.splitlines()[1:]
    ours, theirs = game.see("audit"), visitor.at(copy).see("audit")
    assert (theirs["verdict"], theirs["head"]) == ("verified", ours["head"])
    assert theirs["checkpoint"] is None
    stream = visitor.at(copy).get(f"events?limit={game.version}", Accept=LINES)
    assert [line for line in stream.data.splitlines() if line] == export.splitlines()[1:]


def test_a_copy_of_a_copy_is_the_same_log(ada: Client, export: bytes) -> None:
    copy = taken(ada, export)
    again = taken(ada, copy.get("export").data)
    assert again.game != copy.game
    assert again.now["origin"] == copy.now["origin"]


def test_a_copy_stands_in_no_list(house: House, ada: Client, bob: Client, game: Seat, export: bytes) -> None:
    taken(bob, export)
    house.project()
    for client in (ada, bob):
        assert [one["id"] for one in client.see("/v1/games")["items"]] == [game.game]
        assert client.see("/v1/players/me")["games"] == {"open": [], "active": []}
        assert [one["id"] for one in client.see(f"/v1/games?player={bob.id}")["items"]] == [game.game]


def test_nobody_plays_a_copy_on(ada: Client, bob: Client, export: bytes) -> None:
    copy = taken(ada, export)
    for client in (ada, bob):
        problem(client.at(copy).give("add", {"points": 1}), 403, "forbidden")
        problem(client.at(copy).give("join_game", {"seat": 0}), 409, "game-not-open")
        problem(client.at(copy).give("take_over", {"seat": 0}), 409, "game-not-active")


def test_a_copy_can_be_forked(house: House, ada: Client, export: bytes) -> None:
    copy = taken(ada, export)
    eve = house.player("Eve")
    for chance in ("anew", "same"):
        response = eve.post(f"{copy.path}/forks", {"at": copy.version - 3, "chance": chance})
        assert response.status_code == 201, response.data
        assert response.json is not None
        assert response.json["origin"]["game"] == copy.game
        assert response.json["status"] == "active"
        assert Seat(eve, response.json["id"]).see("audit")["verdict"] == "sealed"


@pytest.mark.parametrize("ruleset", GAMES)
def test_copies_of_whole_games_show_the_same_boards(house: House, ada: Client, ruleset: str) -> None:
    game = ada.create(ruleset, seats="bbb")
    house.do_owed(game.game)
    copy = taken(ada, game.get("export").data)
    last = game.version
    assert game.now["status"] == "finished"
    for version in {1, 2, 3, last, *range(5, last, last // 12)}:
        for query in ("", "&seat=2", "&reveal=true"):
            path = f"board?at={version}{query}"
            assert copy.see(path) == game.see(path), path


# What is refused


def refused(client: Client, export: bytes, line: int) -> str:
    """The reason why an export is not taken; nothing was stored."""
    before = all_games(client.house)
    told = problem(send(client, export), 422, "bad-import")
    assert all_games(client.house) == before
    assert f"Line {line}:" in told["detail"], told["detail"]
    return str(told["detail"])


def all_games(house: House) -> dict[bytes, Any]:
    """All that the store holds of games, copies and what happened to them."""
    sessions = house.services.sessions
    return everything(sessions, "*:game*") | everything(sessions, "*:imported") | everything(sessions, "*:feed")


def changed(export: bytes, line: int, change: Callable[[Any], Any]) -> bytes:
    """The export with one event changed by somebody who forgets the digests."""
    lines = export.splitlines()
    lines[line - 1] = canonical(change(msgspec.json.decode(lines[line - 1])))
    return b"".join(each + b"\n" for each in lines)


def forged(export: bytes, line: int, change: Callable[[Any], Any]) -> bytes:
    """The export with one event changed by somebody who chains it all anew, in a header without signature."""
    lines = changed(export, line, change).splitlines()
    log = rechained([envelope.decode(each) for each in lines[1:]])
    return b"".join(each + b"\n" for each in (header_line(log[0].game), *map(envelope.encode, log)))


def test_a_touched_log_is_refused_by_the_line_that_was_touched(ada: Client, export: bytes) -> None:
    for line in range(2, len(export.splitlines()) + 1):
        reason = refused(ada, changed(export, line, lambda event: {**event, "at": "2020-01-01T00:00:00.000Z"}), line)
        assert "'digest' does not fit" in reason


def test_a_forged_log_is_refused_by_the_line_that_does_not_follow(ada: Client, export: bytes) -> None:
    lines = [msgspec.json.decode(line) for line in export.splitlines()]
    line = next(number for number, event in enumerate(lines, start=1) if event.get("type") == "toy.added")
    told = refused(ada, forged(export, line, lambda event: {**event, "data": {**event["data"], "points": 5}}), line - 1)
    assert "decided again" in told


def test_every_truncated_log_is_refused(ada: Client, export: bytes) -> None:
    lines = export.splitlines(keepends=True)
    for kept in range(1, len(lines)):
        response = send(ada, b"".join(lines[:kept]))
        assert "Line " in problem(response, 422, "bad-import")["detail"]
    for line, cut in ((1, export[:20]), (3, b"".join(lines[:2]) + lines[2][:-9])):
        refused(ada, cut, line)


def test_lines_that_are_missing_doubled_or_swapped_are_named(ada: Client, export: bytes) -> None:
    lines = export.splitlines(keepends=True)
    refused(ada, b"".join(lines[:4] + lines[5:]), 5)
    refused(ada, b"".join(lines[:5] + lines[4:]), 6)
    refused(ada, b"".join([*lines[:4], lines[5], lines[4], *lines[6:]]), 5)


def test_a_log_of_a_newer_schema_is_refused_by_the_line_that_is_newer(ada: Client, export: bytes) -> None:
    for line in (2, 4, len(export.splitlines())):
        reason = refused(ada, forged(export, line, lambda event: {**event, "schema": 99}), line)
        assert "99" in reason


def test_a_log_with_an_event_that_nobody_knows_is_refused_by_its_line(ada: Client, export: bytes) -> None:
    reason = refused(ada, forged(export, 5, lambda event: {**event, "type": "toy.exploded"}), 5)
    assert "toy.exploded" in reason


def test_a_log_of_a_game_that_nobody_knows_is_refused(ada: Client, export: bytes) -> None:
    change = forged(export, 2, lambda event: {**event, "data": {**event["data"], "ruleset": "chess"}})
    assert "chess" in refused(ada, change, 2)


def test_an_export_of_a_newer_format_is_refused(ada: Client, export: bytes) -> None:
    header, *lines = export.splitlines(keepends=True)
    newer = header.replace(b'"annales_export":1', b'"annales_export":2')
    assert newer != header
    refused(ada, b"".join([newer, *lines]), 1)


def test_a_running_game_is_refused_however_much_of_it_is_known(ada: Client, bob: Client, house: House) -> None:
    game = ada.create(seats="mo")
    bob.at(game).do("join_game", {"seat": 1})
    game.do("peek")
    assert "opened" in problem(send(ada, game.get("export").data), 422, "bad-import")["detail"]
    whole = [row.line for row in house.services.store.read(game.game)]
    export = b"".join(line + b"\n" for line in (header_line(game.game), *whole))
    assert "not over" in problem(send(ada, export), 422, "bad-import")["detail"]


def test_a_finished_game_whose_secrets_are_still_sealed_is_refused(ada: Client, export: bytes) -> None:
    header, *events = export.splitlines()
    sealed = [envelope.encode(envelope.redacted(envelope.decode(event), ())) for event in events]
    told = problem(send(ada, b"".join(line + b"\n" for line in (header, *sealed))), 422, "bad-import")
    assert "opened" in told["detail"]


@pytest.mark.parametrize("body", [b"", b"\n", b"nonsense", b"{}", b"[]\n", b"\xff\xfe", b"\x00" * 100])
def test_what_is_no_export_is_refused(ada: Client, body: bytes) -> None:
    refused(ada, body, 1)


def test_an_export_is_sent_as_lines(ada: Client, export: bytes) -> None:
    response = ada.call("POST", "/v1/games/import", raw=export, headers={"Content-Type": "application/json"})
    problem(response, 415, "unsupported-media-type")


def test_an_export_has_a_limit_of_its_own(ada: Client, export: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.branches.LARGEST", len(export))
    assert send(ada, export).status_code == 201
    monkeypatch.setattr("service.branches.LARGEST", len(export) - 1)
    problem(send(ada, export), 413, "content-too-large")


def test_importing_needs_a_player(visitor: Client, export: bytes) -> None:
    problem(send(visitor, export), 401, "unauthenticated")


def test_the_same_key_makes_one_copy(ada: Client, bob: Client, export: bytes) -> None:
    first, again = (send(ada, export, Idempotency_Key="once") for _ in range(2))
    assert (first.status_code, again.status_code, again.data) == (201, 201, first.data)
    other = finished(ada, bob).get("export").data
    problem(send(ada, other, Idempotency_Key="once"), 422, "idempotency-key-reused")
    assert send(bob, export, Idempotency_Key="once").data != first.data


def test_a_game_that_was_called_off_can_be_copied(ada: Client) -> None:
    game = ada.create(seats="mo")
    game.do("cancel_game")
    assert taken(ada, game.get("export").data).now["status"] == "abandoned"
