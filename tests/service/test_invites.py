"""Invites to private games."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from freezegun import freeze_time

from service.invites import MOST_INVITES
from tests.service.client import Client, House, Seat, problem

MORNING = datetime(2026, 3, 1, 8, tzinfo=UTC)


@pytest.fixture
def game(ada: Client) -> Seat:
    return ada.create(seats="moo", visibility="private")


def invited(game: Seat) -> Any:
    response = game.client.call("POST", f"{game.path}/invites")
    assert response.status_code == 201, response.data
    assert response.headers["Cache-Control"] == "no-store"
    return response.json


def test_whoever_has_the_code_sees_the_game_before_joining(game: Seat, bob: Client, visitor: Client) -> None:
    code = invited(game)["code"]
    for client in (bob, visitor):
        problem(client.get(game.path), 404, "not-found")
        problem(client.get(f"{game.path}?invite=nonsense"), 404, "not-found")
        assert client.see(f"{game.path}?invite={code}")["id"] == game.game


def test_whoever_has_the_code_joins_and_then_needs_it_no_more(game: Seat, bob: Client) -> None:
    code = invited(game)["code"]
    theirs = bob.at(game)
    problem(theirs.give("join_game", {"seat": 1}), 404, "not-found")
    problem(theirs.give("join_game", {"seat": 1, "invite": code + "x"}), 404, "not-found")
    assert theirs.do("join_game", {"seat": 1, "invite": code})["version"] == 2
    assert theirs.now["seats"][1]["player"]["name"] == "Bob"


def test_a_batch_that_begins_with_joining_needs_it_once(game: Seat, bob: Client) -> None:
    join = {"type": "join_game", "data": {"seat": 1, "invite": invited(game)["code"]}}
    assert bob.at(game).give_all(join, {"type": "join_game", "data": {"seat": 2}}).status_code == 201
    assert bob.see(game.path)["status"] == "active"


def test_the_code_is_in_no_log_and_in_no_store(house: House, game: Seat, bob: Client) -> None:
    code = invited(game)["code"]
    told = bob.at(game).give("join_game", {"seat": 1, "invite": code}, Idempotency_Key="once")
    assert told.json is not None
    assert told.json["events"][0]["command"]["data"] == {"seat": 1, "entropy": None, "invite": None}
    secret = code.partition("_")[2].encode()
    client = house.services.store.client
    keys = house.services.store.keys
    kept = repr((client.hgetall(keys.game(game.game, "invites")), client.hgetall(keys.game(game.game, "state"))))
    assert code.partition("_")[0] in kept
    assert secret.decode() not in kept
    assert secret not in game.get("export").data
    assert secret not in told.data
    again = bob.at(game).give("join_game", {"seat": 1, "invite": code}, Idempotency_Key="once")
    assert (again.data, again.headers["Idempotency-Replayed"]) == (told.data, "true")


def test_a_code_is_for_its_game_alone(ada: Client, game: Seat, bob: Client) -> None:
    other = ada.create(seats="mo", visibility="private")
    code = invited(game)["code"]
    problem(bob.get(f"{other.path}?invite={code}"), 404, "not-found")
    problem(bob.at(other).give("join_game", {"seat": 1, "invite": code}), 404, "not-found")


def test_a_code_joins_and_does_nothing_else(game: Seat, bob: Client) -> None:
    code = invited(game)["code"]
    problem(bob.at(game).give("take_over", {"seat": 1, "invite": code}), 404, "not-found")
    for invite in (None, 5, {"a": 1}, [code], ""):
        problem(bob.at(game).give("join_game", {"seat": 1, "invite": invite}), 404, "not-found")


def test_a_code_shows_the_game_until_it_begins(ada: Client, bob: Client) -> None:
    game = ada.create(seats="mo", visibility="private")
    code = invited(game)["code"]
    bob.at(game).do("join_game", {"seat": 1, "invite": code})
    problem(ada.house.visitor().get(f"{game.path}?invite={code}"), 404, "not-found")
    problem(game.client.call("POST", f"{game.path}/invites"), 409, "nothing-to-invite-to")


def test_a_game_that_is_not_private_needs_none(ada: Client, bob: Client) -> None:
    game = ada.create(seats="mo")
    problem(ada.call("POST", f"{game.path}/invites"), 409, "nothing-to-invite-to")
    bob.at(game).do("join_game", {"seat": 1, "invite": "whatever"})


def test_invites_are_listed_without_their_codes_and_revoked(game: Seat, bob: Client) -> None:
    first, second = invited(game), invited(game)
    listed = game.see("invites")["items"]
    assert listed == [first["info"], second["info"]]
    gone = game.client.call("DELETE", f"{game.path}/invites/{first['info']['id']}")
    assert gone.status_code == 204
    assert game.see("invites")["items"] == [second["info"]]
    problem(game.client.call("DELETE", f"{game.path}/invites/{first['info']['id']}"), 404, "not-found")
    problem(bob.at(game).give("join_game", {"seat": 1, "invite": first["code"]}), 404, "not-found")
    bob.at(game).do("join_game", {"seat": 1, "invite": second["code"]})


def test_only_the_creator_invites(game: Seat, bob: Client) -> None:
    told = invited(game)
    problem(bob.call("POST", f"{game.path}/invites"), 404, "not-found")
    bob.at(game).do("join_game", {"seat": 1, "invite": told["code"]})
    problem(bob.call("POST", f"{game.path}/invites"), 403, "forbidden")
    problem(bob.at(game).get("invites"), 403, "forbidden")
    problem(bob.call("DELETE", f"{game.path}/invites/{told['info']['id']}"), 403, "forbidden")


def test_an_invite_expires_with_the_time_of_an_open_game(game: Seat, bob: Client) -> None:
    with freeze_time(MORNING) as now:
        told = invited(game)
        assert told["info"]["expires_at"] == "2026-03-31T08:00:00.000Z"
        now.tick(timedelta(days=30) - timedelta(seconds=1))
        bob.see(f"{game.path}?invite={told['code']}")
        now.tick(1)
        problem(bob.get(f"{game.path}?invite={told['code']}"), 404, "not-found")


def test_a_game_has_only_so_many(game: Seat) -> None:
    for _ in range(MOST_INVITES):
        invited(game)
    problem(game.client.call("POST", f"{game.path}/invites"), 409, "too-many")


def test_a_guest_who_was_sent_away_does_not_come_back_by_an_invite(game: Seat, bob: Client) -> None:
    code = invited(game)["code"]
    bob.at(game).do("join_game", {"seat": 1, "invite": code})
    game.do("remove_guest", {"seat": 1})
    problem(bob.get(game.path), 404, "not-found")
    problem(bob.at(game).give("join_game", {"seat": 1, "invite": code}), 403, "removed")
