import pytest

from tests.service.client import Client, House, problem


def test_a_created_game_is_where_location_says(ada: Client) -> None:
    response = ada.post("/v1/games", {"ruleset": "toy", "seats": [{"kind": "me"}, {"kind": "open"}]})
    assert response.status_code == 201
    assert response.json is not None
    assert response.headers["Location"] == f"/v1/games/{response.json['id']}"
    assert response.headers["ETag"] == '"1"'
    assert ada.see(response.headers["Location"]) == response.json


def test_a_game_starts_by_itself_when_no_seat_is_open(ada: Client) -> None:
    game = ada.create(seats="mb").now
    assert game["status"] == "active"
    assert game["seats"] == [
        {"seat": 0, "kind": "player", "player": {"id": ada.id, "name": "Ada"}, "bot": None, "resigned": False},
        {"seat": 1, "kind": "bot", "player": None, "bot": "random", "resigned": False},
    ]
    assert game["commitment"].startswith("sha256:")
    assert game["to_act"] == [0, 1]


def test_a_game_that_starts_by_hand_waits_for_its_creator(ada: Client, bob: Client) -> None:
    game = ada.create(seats="mo", start="manual")
    bob.at(game).do("join_game", {"seat": 1})
    assert game.now["status"] == "open"
    problem(bob.at(game).give("start_game"), 403, "forbidden")
    assert game.do("start_game")["game"]["status"] == "active"


def test_the_same_key_creates_the_same_game(ada: Client, bob: Client) -> None:
    body = {"ruleset": "toy", "seats": [{"kind": "me"}, {"kind": "open"}]}
    first = ada.post("/v1/games", body, Idempotency_Key="once")
    again = ada.post("/v1/games", body, Idempotency_Key="once")
    assert (again.status_code, again.data) == (201, first.data)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Location"] == first.headers["Location"]
    assert bob.post("/v1/games", body, Idempotency_Key="once").data != first.data


def test_the_same_key_for_another_game_is_refused(ada: Client) -> None:
    body = {"ruleset": "toy", "seats": [{"kind": "me"}, {"kind": "open"}]}
    ada.post("/v1/games", body, Idempotency_Key="once")
    problem(ada.post("/v1/games", {**body, "rated": False}, Idempotency_Key="once"), 422, "idempotency-key-reused")


def test_a_repeated_creation_is_answered_as_the_first_time_after_the_game_has_gone_on(ada: Client) -> None:
    body = {"ruleset": "toy", "seats": [{"kind": "me"}, {"kind": "me"}]}
    first = ada.post("/v1/games", body, Idempotency_Key="once")
    assert first.json is not None
    ada.post(f"/v1/games/{first.json['id']}/commands", {"type": "add", "data": {"points": 1}})
    again = ada.post("/v1/games", body, Idempotency_Key="once")
    assert again.data == first.data
    assert again.headers["ETag"] == first.headers["ETag"]


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"ruleset": "chess"}, "/ruleset"),
        ({"ruleset": 5}, "/ruleset"),
        ({"seats": []}, "/seats"),
        ({"seats": [{"kind": "me"}]}, "/seats"),
        ({"seats": [{"kind": "me"}] * 9}, "/seats"),
        ({"seats": [{"kind": "me"}, {"kind": "robot"}]}, "/seats/1/kind"),
        ({"seats": [{"kind": "me"}, {"kind": "bot", "bot": "deep"}]}, "/seats/1/bot"),
        ({"seats": [{"kind": "me", "bot": "random"}, {"kind": "open"}]}, "/seats/0/bot"),
        ({"seats": [{"kind": "me"}, {"name": "x"}]}, "/seats/1/kind"),
        ({"seats": "me"}, "/seats"),
        ({"options": {"pace": "idle"}}, "/options/pace"),
        ({"options": {"speed": 1}}, "/options/speed"),
        ({"options": {"edition": "third"}}, "/options/edition"),
        ({"options": []}, "/options"),
        ({"visibility": "secret"}, "/visibility"),
        ({"undo": "always"}, "/undo"),
        ({"rated": 1}, "/rated"),
        ({"rated": "true"}, "/rated"),
        ({"rated": True}, "/undo"),
        ({"start": "never"}, "/start"),
        ({"clock": 5}, "/clock"),
        ({"clock": {"seconds": 5}}, "/clock/seconds"),
        ({"clock": {"per_turn_seconds": 0}}, "/clock/per_turn_seconds"),
        ({"colour": "red"}, "/colour"),
        ({"a/b~c": 1}, "/a~1b~0c"),
    ],
)
def test_a_game_that_cannot_be_is_refused_with_a_pointer(ada: Client, change: dict[str, object], pointer: str) -> None:
    body = {"ruleset": "toy", "seats": [{"kind": "me"}, {"kind": "open"}], **change}
    response = ada.post("/v1/games", body)
    assert response.status_code == 400, response.data
    assert response.json is not None
    assert response.json["pointer"] == pointer, response.json


def test_all_mistakes_in_a_body_are_listed(ada: Client) -> None:
    told = problem(ada.post("/v1/games", {"seats": "me", "undo": 3}), 400, "malformed-request")
    assert {error["pointer"] for error in told["errors"]} == {"/ruleset", "/seats", "/undo"}


def test_creating_needs_a_player(visitor: Client) -> None:
    problem(visitor.post("/v1/games", {"ruleset": "toy", "seats": []}), 401, "unauthenticated")


def test_a_game_that_has_not_changed_is_not_sent_again(ada: Client) -> None:
    game = ada.create()
    etag = ada.get(game.path).headers["ETag"]
    for known in (etag, f"W/{etag}", f'"1", {etag}', "*"):
        again = ada.get(game.path, If_None_Match=known)
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["ETag"] == etag
    game.do("add", {"points": 1})
    assert ada.get(game.path, If_None_Match=etag).status_code == 200


def test_what_a_game_says_is_for_the_caller_alone_to_keep(ada: Client) -> None:
    headers = ada.get(ada.create().path).headers
    assert headers["Cache-Control"] == "private, no-cache"
    assert {"Authorization", "Accept-Language"} <= {name.strip() for name in headers["Vary"].split(",")}


def test_a_private_game_looks_like_none_to_others(ada: Client, bob: Client, visitor: Client) -> None:
    game = ada.create(visibility="private")
    assert game.now["visibility"] == "private"
    missing = "/v1/games/" + "0" * 24
    for other in (bob, visitor):
        for part in ("", "/board", "/events", "/audit", "/export"):
            seen, none = other.get(game.path + part), other.get(missing + part)
            problem(seen, 404, "not-found")
            assert seen.data == none.data
    problem(bob.get(game.path + "/legal-commands"), 404, "not-found")
    good, bad = {"type": "add", "data": {"points": 1}}, {"type": "nonsense"}
    for body in (good, bad):
        assert bob.post(f"{game.path}/commands", body).data == bob.post(f"{missing}/commands", body).data


def test_an_unlisted_game_is_open_to_whoever_knows_it_and_in_no_list(house: House, ada: Client, bob: Client) -> None:
    game = ada.create(visibility="unlisted")
    house.project()
    assert bob.at(game).now["id"] == game.game
    assert bob.see("/v1/games")["items"] == []
    assert [item["id"] for item in ada.see(f"/v1/games?player={ada.id}")["items"]] == [game.game]


def test_games_are_listed_newest_first_and_by_filter(house: House, ada: Client, bob: Client) -> None:
    first, second, third = ada.create(seats="mo"), ada.create("kreta"), bob.create()
    third.do("finish")
    house.project()

    def listed(query: str) -> list[str]:
        return [item["id"] for item in bob.see(f"/v1/games{query}")["items"]]

    everything = listed("")
    assert set(everything) == {first.game, second.game, third.game}
    assert listed("?status=open") == [first.game]
    assert listed("?status=finished") == [third.game]
    assert listed("?ruleset=kreta") == [second.game]
    assert set(listed(f"?player={ada.id}")) == {first.game, second.game}
    assert listed(f"?player={ada.id}&status=active&ruleset=kreta") == [second.game]
    assert bob.see("/v1/games?status=finished")["items"][0] == third.now


def test_a_list_is_paged_by_a_cursor(house: House, ada: Client, visitor: Client) -> None:
    made = {ada.create().game for _ in range(5)}
    house.project()
    page = visitor.see("/v1/games?limit=2")
    found = page["items"]
    while page["next"] is not None:
        page = visitor.see(f"/v1/games?limit=2&cursor={page['next']}")
        found += page["items"]
    times = [item["created_at"] for item in found]
    assert times == sorted(times, reverse=True)
    assert {item["id"] for item in found} == made
    assert len(found) == 5


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("status=lost", "status"),
        ("ruleset=chess", "ruleset"),
        ("player=ada", "player"),
        ("cursor=abc", "cursor"),
        ("cursor=%00", "cursor"),
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=ten", "limit"),
        ("limit=1_0", "limit"),
        ("limit=%D9%A3", "limit"),
        ("limit=", "limit"),
        ("limit=2&limit=3", "limit"),
        ("colour=red", "colour"),
    ],
)
def test_a_bad_query_is_refused_by_name(visitor: Client, query: str, parameter: str) -> None:
    told = problem(visitor.get(f"/v1/games?{query}"), 400, "malformed-request")
    assert told["parameter"] == parameter


def test_routes_without_a_query_refuse_one(ada: Client) -> None:
    game = ada.create()
    for path in (game.path, f"{game.path}/audit", f"{game.path}/export", "/v1/players/me", "/v1/rulesets"):
        assert problem(ada.get(f"{path}?x=1"), 400, "malformed-request")["parameter"] == "x"
