"""Sending guests away, and playing a game once more."""

from typing import Any

import pytest

from events.rebuild import rebuild
from tests.service.client import Client, House, Seat, problem


def over(ada: Client, bob: Client, **choices: Any) -> Seat:
    """A game of Ada and Bob, whom the bot `random` has helped, that is over."""
    game = ada.create(seats="mob", undo="free", **choices)
    bob.at(game).do("join_game", {"seat": 1})
    game.do("finish")
    return game


def once_more(client: Client, game: Seat, status: int = 201) -> Any:
    response = client.call("POST", f"{game.path}/rematch")
    assert response.status_code == status, response.data
    assert response.json is not None
    assert response.headers["Location"] == f"/v1/games/{response.json['id']}"
    assert response.headers["ETag"] == f'"{response.json["version"]}"'
    return response.json


def test_the_first_who_asks_sets_it_up_and_sits_one_seat_up(ada: Client, bob: Client) -> None:
    game = over(ada, bob, options={"colours": ["red", "blue", "green"]})
    new = once_more(bob, game)
    assert (new["status"], new["options"], new["undo"]) == ("open", game.now["options"], "free")
    assert [(seat["kind"], seat["player"] and seat["player"]["name"]) for seat in new["seats"]] == [
        ("player", "Bob"),
        ("bot", None),
        ("open", "Ada"),
    ]


def test_the_others_find_the_same_game_and_take_the_seats_that_are_kept_for_them(
    house: House, ada: Client, bob: Client
) -> None:
    game = over(ada, bob)
    new = once_more(ada, game)
    assert once_more(bob, game, 200)["id"] == once_more(ada, game, 200)["id"] == new["id"]
    house.project()
    assert new["id"] in [each["id"] for each in bob.see("/v1/players/me")["games"]["open"]]
    theirs = bob.at(Seat(bob, new["id"]))
    problem(house.player("Cleo").at(theirs).give("join_game", {"seat": 0}), 409, "seat-taken")
    theirs.do("join_game", {"seat": 0})
    assert theirs.now["status"] == "active"


def test_both_logs_are_linked_and_that_of_the_first_game_stays_as_it_was(ada: Client, bob: Client) -> None:
    game = over(ada, bob)
    before, export = game.now, game.get("export").data
    assert before["rematch"] is None
    new = once_more(ada, game)
    last = game.see("events?limit=1000")["items"][-1]
    origin = {"game": game.game, "version": before["version"], "head": last["digest"]}
    assert new["origin"] == {"kind": "rematch", **origin}
    first = Seat(ada, new["id"]).see("events")["items"][0]
    assert (first["type"], first["data"]["rematch_of"]) == ("table.game_created", origin)
    assert game.now == {**before, "rematch": new["id"]}
    assert game.get("export").data == export
    assert ada.see("/v1/games?status=finished")["items"] in ([], [game.now])


def test_who_has_the_game_already_hears_of_its_rematch(ada: Client, bob: Client) -> None:
    game = over(ada, bob)
    etag = ada.get(game.path).headers["ETag"]
    assert ada.get(game.path, If_None_Match=etag).status_code == 304
    new = once_more(ada, game)
    response = ada.get(game.path, If_None_Match=etag)
    assert response.json is not None
    assert response.json["rematch"] == new["id"]


def test_a_rematch_can_be_checked_like_any_game(ada: Client, bob: Client) -> None:
    game = over(ada, bob)
    new = Seat(ada, once_more(ada, game)["id"])
    bob.at(new).do("join_game", {"seat": 0})
    new.do("finish")
    assert new.see("audit")["verdict"] == "verified"
    assert once_more(bob, new)["origin"]["game"] == new.game


def test_one_that_was_called_off_makes_room_for_another(ada: Client, bob: Client) -> None:
    game = over(ada, bob)
    first = Seat(ada, once_more(ada, game)["id"])
    first.do("cancel_game")
    second = once_more(bob, game)
    assert second["id"] != first.game
    assert game.now["rematch"] == second["id"]


def test_after_a_crash_between_the_two_notes_the_same_game_is_found(house: House, ada: Client, bob: Client) -> None:
    game = over(ada, bob)
    new = once_more(ada, game)
    store = house.services.store
    state = store.keys.game(game.game, "state")
    store.client.hdel(state, "r")
    assert once_more(bob, game, 200)["id"] == new["id"]
    store.client.hdel(state, "r")
    for key in store.client.scan_iter("*:answer:*"):
        store.client.delete(key)
    assert once_more(bob, game, 200)["id"] == new["id"]
    store.client.hdel(state, "r")
    rebuild(house.services.sessions, house.services.lobby)
    assert game.now["rematch"] == new["id"]


def test_a_private_game_is_played_once_more_in_private(ada: Client, bob: Client, visitor: Client) -> None:
    game = ada.create(seats="mo", visibility="private")
    code = ada.call("POST", f"{game.path}/invites").json
    assert code is not None
    bob.at(game).do("join_game", {"seat": 1, "invite": code["code"]})
    game.do("finish")
    new = Seat(ada, once_more(ada, game)["id"])
    problem(visitor.get(new.path), 404, "not-found")
    assert bob.see(new.path)["visibility"] == "private"
    new.do("remove_guest", {"seat": 0})
    problem(bob.call("POST", f"{game.path}/rematch"), 404, "not-found")


def test_only_players_of_a_game_that_is_over_play_it_once_more(ada: Client, bob: Client, visitor: Client) -> None:
    game = ada.create()
    problem(ada.call("POST", f"{game.path}/rematch"), 409, "game-not-over")
    game.do("finish")
    problem(bob.call("POST", f"{game.path}/rematch"), 403, "forbidden")
    problem(visitor.call("POST", f"{game.path}/rematch"), 401, "unauthenticated")


def test_a_copy_is_nobodys_to_play_once_more(ada: Client) -> None:
    game = ada.create()
    game.do("finish")
    headers = {"Content-Type": "application/x-ndjson"}
    copy = ada.call("POST", "/v1/games/import", raw=game.get("export").data, headers=headers).json
    assert copy is not None
    problem(ada.call("POST", f"/v1/games/{copy['id']}/rematch"), 403, "forbidden")


class TestRemovingGuests:
    def test_opens_the_seat_to_everybody_else(self, house: House, ada: Client, bob: Client) -> None:
        game = ada.create(seats="mo", start="manual")
        bob.at(game).do("join_game", {"seat": 1})
        done = game.do("remove_guest", {"seat": 1})
        assert [event["type"] for event in done["events"]] == ["table.guest_removed"]
        assert done["events"][0]["data"] == {"seat": 1, "player": bob.id}
        assert done["game"]["seats"][1]["kind"] == "open"
        problem(bob.at(game).give("join_game", {"seat": 1}), 403, "removed")
        house.player("Cleo").at(game).do("join_game", {"seat": 1})

    def test_takes_the_game_from_the_list_of_the_guest(self, house: House, ada: Client, bob: Client) -> None:
        game = ada.create(seats="moo")
        bob.at(game).do("join_game", {"seat": 1})
        game.do("remove_guest", {"seat": 1})
        house.project()
        assert bob.see("/v1/players/me")["games"]["open"] == []

    @pytest.mark.parametrize(
        ("data", "pointer"), [({"seat": 5}, "/data/seat"), ({}, "/data/seat"), ({"seat": "1"}, "/data/seat")]
    )
    def test_needs_a_seat_that_there_is(self, ada: Client, data: Any, pointer: str) -> None:
        game = ada.create(seats="mo")
        assert problem(game.give("remove_guest", data), 400, "malformed-request")["pointer"] == pointer

    def test_is_for_the_creator_before_the_start(self, ada: Client, bob: Client) -> None:
        game = ada.create(seats="moo")
        bob.at(game).do("join_game", {"seat": 1})
        problem(bob.at(game).give("remove_guest", {"seat": 0}), 403, "forbidden")
        problem(game.give("remove_guest", {"seat": 0}), 409, "no-guest-there")
        problem(game.give("remove_guest", {"seat": 1}, seat=0), 400, "malformed-request")
        bob.at(game).do("join_game", {"seat": 2})
        problem(game.give("remove_guest", {"seat": 1}), 409, "game-not-open")
