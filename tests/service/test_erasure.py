"""Deleting a player: the name and the tokens go everywhere, the games stay valid and go on."""

import io
import logging
from typing import Any

import pytest

from domain.catalogue import GAMES
from events import audit
from tests.service.client import Client, House, Seat, problem
from tests.support.stored import everything

NAME = "Zsuzsanna Unmistakable"


@pytest.fixture
def zsu(house: House) -> Client:
    return house.player(NAME)


def erase(client: Client) -> None:
    response = client.call("DELETE", "/v1/players/me")
    assert (response.status_code, response.data) == (204, b"")


def with_bob(zsu: Client, bob: Client, ruleset: str = "toy", **choices: Any) -> Seat:
    game = zsu.create(ruleset, seats="mo", **choices)
    bob.at(game).do("join_game", {"seat": 1})
    return game


def stored(house: House) -> bytes:
    """All that the store holds."""
    return repr(everything(house.services.sessions)).encode()


def test_the_token_is_good_for_nothing_any_more(zsu: Client, bob: Client) -> None:
    game = with_bob(zsu, bob)
    erase(zsu)
    for response in (
        zsu.get("/v1/players/me"),
        zsu.get(game.path),
        zsu.call("DELETE", "/v1/players/me"),
        zsu.call("PATCH", "/v1/players/me", {"name": "Again"}),
        game.give("add", {"points": 1}),
    ):
        problem(response, 401, "unauthenticated")


def test_the_name_is_gone_from_every_answer_and_from_the_store(
    house: House, zsu: Client, bob: Client, visitor: Client
) -> None:
    game = with_bob(zsu, bob)
    house.project()
    bob_sees = ("", "/board", "/events", "/export", "/audit")
    assert NAME in bob.get(game.path).text
    assert NAME.encode() in stored(house)
    erase(zsu)
    house.project()
    for client in (bob, visitor):
        for part in bob_sees:
            assert NAME not in client.get(game.path + part).text
        for path in ("/v1/games", f"/v1/games?player={zsu.id}", f"/v1/games?player={bob.id}"):
            assert NAME not in client.get(path).text
    assert NAME not in bob.get("/v1/players/me").text
    assert game.client.house.visitor().at(game).now["seats"][0]["player"] == {"id": zsu.id, "name": None}
    assert NAME.encode() not in stored(house)
    assert (zsu.token or "").split("_", 3)[3].encode() not in stored(house)
    keys = house.services.store.keys
    assert not house.services.store.client.exists(keys.player(zsu.id, "profile"), keys.player(zsu.id, "tokens"))


def test_the_name_is_gone_from_stored_answers(house: House, zsu: Client, bob: Client) -> None:
    game = with_bob(zsu, bob)
    first = bob.at(game).give("add", {"points": 1}, Idempotency_Key="mine")
    assert NAME in first.text
    erase(zsu)
    again = bob.at(game).give("add", {"points": 1}, Idempotency_Key="mine")
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.json == blanked(first.json, zsu.id)


def blanked(answer: Any, player: str) -> Any:
    """The answer without the name of a player."""
    match answer:
        case {"id": str(found), "name": str()} if found == player:
            return {"id": player, "name": None}
        case dict():
            return {name: blanked(value, player) for name, value in answer.items()}
        case list():
            return [blanked(value, player) for value in answer]
        case _:
            return answer


def test_the_name_is_in_no_line_of_the_log_of_the_service(zsu: Client, bob: Client) -> None:
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        game = with_bob(zsu, bob)
        game.do("add", {"points": 1})
        zsu.call("PATCH", "/v1/players/me", {"name": NAME + " Again"})
        erase(zsu)
    finally:
        root.removeHandler(handler)
        root.setLevel(level)
    assert NAME not in written.getvalue()


def test_bots_play_on_in_games_under_way_and_the_logs_stay_valid(house: House, bob: Client) -> None:
    for ruleset in GAMES:
        zsu = house.player(NAME)
        game = with_bob(zsu, bob, ruleset)
        before = [event["digest"] for event in game.see("events")["items"]]
        erase(zsu)
        seat = bob.at(game).now["seats"][0]
        assert (seat["kind"], seat["bot"]) == ("bot", "greedy")
        bob.at(game).do("replace_with_bot", {"bot": "random"})
        house.do_owed(game.game)
        export = bob.at(game).get("export").data
        assert audit.verify_export(export, house.services.rulesets).verdict == "verified"
        assert [event["digest"] for event in bob.at(game).see("events")["items"]][: len(before)] == before


def test_games_that_have_not_begun_are_left(zsu: Client, bob: Client) -> None:
    mine = zsu.create(seats="mmo")
    theirs = bob.create(seats="moo")
    zsu.at(theirs).do("join_game", {"seat": 1})
    erase(zsu)
    assert [seat["kind"] for seat in bob.at(mine).now["seats"]] == ["open", "open", "open"]
    assert [seat["kind"] for seat in theirs.now["seats"]] == ["player", "open", "open"]


def test_all_seats_of_a_hot_seat_and_of_many_games_are_given_up(house: House, zsu: Client, bob: Client) -> None:
    """Whether or not the lists had heard of them."""
    hot = zsu.create(seats="mmm")
    games = [with_bob(zsu, bob) for _ in range(3)]
    private = zsu.create(seats="mm", visibility="private")
    house.project()
    late = with_bob(zsu, bob)
    erase(zsu)
    for game in (*games, late, hot):
        assert house.session(game.game).position.table.seats_of(zsu.id) == ()
    assert house.session(private.game).position.table.seats_of(zsu.id) == ()


def test_finished_games_stay_as_they_are(house: House, zsu: Client, bob: Client) -> None:
    game = with_bob(zsu, bob)
    game.do("finish")
    log = everything(house.services.sessions, "*events")
    verdict = game.see("audit")
    erase(zsu)
    assert everything(house.services.sessions, "*events") == log
    assert bob.at(game).see("audit") == verdict
    assert bob.at(game).now["seats"][0] == {
        "seat": 0,
        "kind": "player",
        "player": {"id": zsu.id, "name": None},
        "bot": None,
        "resigned": False,
    }


def test_another_of_the_same_name_is_somebody_else(house: House, zsu: Client, bob: Client) -> None:
    game = with_bob(zsu, bob)
    erase(zsu)
    other = house.player(NAME)
    assert other.id != zsu.id
    assert bob.at(game).now["seats"][0]["player"]["name"] is None
    assert other.see("/v1/players/me")["games"] == {"open": [], "active": []}


def test_an_undo_that_waited_for_the_erased_player_is_off(zsu: Client, bob: Client) -> None:
    game = with_bob(zsu, bob, undo="consent")
    start = game.version
    bob.at(game).do("flip")
    bob.at(game).do("request_undo", {"to_version": start})
    erase(zsu)
    undo = bob.at(game).see("board")["undo"]
    assert undo["request"] is None
    assert (undo["allowed"], undo["needs"]) == (True, [])
    bob.at(game).do("request_undo", {"to_version": start})
    assert bob.at(game).see("board")["board"]["totals"] == [0, 0]


def test_there_is_nobody_to_erase_without_a_token(visitor: Client) -> None:
    problem(visitor.call("DELETE", "/v1/players/me"), 401, "unauthenticated")
