import threading

import msgspec
import pytest
from werkzeug.test import TestResponse

from tests.service.client import Client, House, Seat, problem


@pytest.fixture
def game(ada: Client, bob: Client) -> Seat:
    """A game of Ada, in seat 0, and Bob, in seat 1."""
    game = ada.create(seats="mo", undo="free")
    bob.at(game).do("join_game", {"seat": 1})
    return game


def test_an_accepted_command_tells_what_happened_and_the_game_after_it(ada: Client, game: Seat) -> None:
    version = game.version
    response = game.give("add", {"points": 3})
    assert response.status_code == 201
    body = response.json
    assert body is not None
    assert body["version"] == version + 1
    (event,) = body["events"]
    assert (event["type"], event["version"], event["seat"], event["actor"]) == ("toy.added", version + 1, 0, "player")
    assert event["command"]["type"] == "add"
    assert event["command"]["data"] == {"points": 3}
    assert body["game"] == game.now


def test_an_event_is_told_as_the_log_has_it(game: Seat) -> None:
    body = game.do("peek")
    assert body["events"] == game.see(f"events?after={body['version'] - len(body['events'])}")["items"]


def test_a_batch_is_applied_whole_and_in_one_go(game: Seat) -> None:
    version = game.version
    body = game.give_all({"type": "add", "data": {"points": 1}}, {"type": "add", "data": {"points": 2}}).json
    assert body is not None
    assert [event["data"]["points"] for event in body["events"]] == [1, 2]
    assert body["version"] == version + 2


def test_a_batch_with_a_bad_command_leaves_nothing(game: Seat) -> None:
    version = game.version
    response = game.give_all({"type": "add", "data": {"points": 1}}, {"type": "add", "data": {"points": 9}})
    told = problem(response, 422, "too_much")
    assert told["pointer"] == "/commands/1/data/points"
    assert game.version == version


def test_a_batch_may_not_go_beyond_a_reveal(game: Seat) -> None:
    version = game.version
    told = problem(game.give_all({"type": "flip"}, {"type": "add", "data": {"points": 1}}), 409, "batch-crosses-reveal")
    assert told["pointer"].startswith("/commands/1")
    assert game.version == version
    assert game.give_all({"type": "add", "data": {"points": 1}}, {"type": "flip"}).status_code == 201


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/type"),
        ({"type": 5}, "/type"),
        ({"type": ""}, "/type"),
        ({"type": "dance"}, "/type"),
        ({"type": "settle"}, "/type"),
        ({"type": "add"}, "/data/points"),
        ({"type": "add", "data": None}, "/data"),
        ({"type": "add", "data": [1]}, "/data"),
        ({"type": "add", "data": {"points": "three"}}, "/data/points"),
        ({"type": "add", "data": {"points": 1.5}}, "/data/points"),
        ({"type": "add", "data": {"points": True}}, "/data/points"),
        ({"type": "add", "data": {"points": 0}}, "/data/points"),
        ({"type": "add", "data": {"points": 1, "colour": 2}}, "/data/colour"),
        ({"type": "add", "data": {"points": 1}, "seat": "0"}, "/seat"),
        ({"type": "add", "data": {"points": 1}, "seat": -1}, "/seat"),
        ({"type": "add", "data": {"points": 1}, "seat": True}, "/seat"),
        ({"type": "add", "data": {"points": 1}, "version": 3}, "/version"),
        ({"type": "join_game", "data": {"seat": 1}, "seat": 0}, "/seat"),
        ({"type": "join_game", "data": {"seat": 9}}, "/data/seat"),
        ({"commands": []}, "/commands"),
        ({"commands": {}}, "/commands"),
        ({"commands": [{"type": "add", "data": {"points": 1}}] * 65}, "/commands"),
        ({"commands": [{"type": "add", "data": {"points": 1}}, {}]}, "/commands/1/type"),
        ({"commands": [{"type": "add", "data": {"points": 1}}, {"type": "add"}]}, "/commands/1/data/points"),
        ({"commands": [{"type": "add", "data": {"points": 1}}], "type": "add"}, "/type"),
        ([], ""),
        ("add", ""),
        (None, ""),
    ],
)
def test_a_malformed_command_is_refused_with_a_pointer(game: Seat, body: object, pointer: str) -> None:
    version = game.version
    response = game.client.call("POST", f"{game.path}/commands", raw=msgspec.json.encode(body))
    assert response.status_code == 400, response.data
    assert response.json is not None
    assert response.json.get("pointer", "") == pointer, response.json
    assert game.version == version


def test_a_whole_number_may_be_written_with_a_point(game: Seat) -> None:
    raw = b'{"type": "add", "data": {"points": 2.0}, "seat": 0e0}'
    response = game.client.call("POST", f"{game.path}/commands", raw=raw)
    assert response.status_code == 201, response.data


def test_a_rule_violation_names_the_rule_and_its_source(game: Seat) -> None:
    told = problem(game.give("add", {"points": 6}), 422, "too_much")
    assert told["type"] == "/problems/rule-violation"
    assert told["rule"] == {"code": "too_much", "source": "toy, 1"}
    assert told["pointer"] == "/data/points"
    assert told["detail"] == "At most 5 may be added at once."


def test_only_the_players_of_a_game_give_commands(game: Seat, house: House, visitor: Client) -> None:
    problem(visitor.at(game).give("add", {"points": 1}), 401, "unauthenticated")
    problem(house.player("Carl").at(game).give("add", {"points": 1}), 403, "forbidden")
    told = problem(game.give("add", {"points": 1}, seat=1), 403, "not-your-seat")
    assert told["pointer"] == "/seat"


def test_nobody_gives_commands_for_a_bot(ada: Client) -> None:
    game = ada.create(seats="mb")
    problem(game.give("add", {"points": 1}, seat=1), 403, "not-your-seat")
    problem(game.give("add", {"points": 1}, seat=7), 403, "not-your-seat")


def test_a_command_out_of_turn_is_told_so(ada: Client, bob: Client) -> None:
    game = ada.create("kreta", "mo")
    bob.at(game).do("join_game", {"seat": 1})
    command = game.see("legal-commands")["commands"][0]
    problem(bob.at(game).give(command["type"], command["data"]), 409, "not-your-turn")


def test_while_the_service_scores_there_is_no_turn(game: Seat, house: House) -> None:
    game.do("call")
    assert game.now["pending"] == "scoring"
    assert game.see("legal-commands")["commands"] == []
    problem(game.give("add", {"points": 1}), 409, "scoring-in-progress")
    house.do_owed(game.game)
    assert game.now["pending"] is None
    assert game.see("events?limit=1000")["items"][-1]["actor"] == "system"


def test_a_command_for_an_older_version_is_refused_with_what_was_missed(game: Seat, bob: Client) -> None:
    version = game.version
    added = bob.at(game).do("peek")
    told = problem(game.give("add", {"points": 1}, If_Match=f'"{version}"'), 412, "version-mismatch")
    assert told["current_version"] == added["version"]
    assert told["missed_events"] == game.see(f"events?after={version}")["items"]
    assert "data" not in told["missed_events"][0]["private"][0]
    assert game.version == added["version"]


def test_a_command_for_a_version_to_come_has_missed_nothing(game: Seat) -> None:
    told = problem(game.give("add", {"points": 1}, If_Match='"999"'), 412, "version-mismatch")
    assert told["missed_events"] == []


def test_a_command_for_the_present_version_is_accepted(game: Seat) -> None:
    assert game.give("add", {"points": 1}, If_Match=f'"{game.version}"').status_code == 201
    assert game.give("add", {"points": 1}, If_Match="*").status_code == 201


@pytest.mark.parametrize("header", ["41", 'W/"41"', '"x"', '"1", "2"', "", '"-1"', '"99999999999999999999"'])
def test_a_malformed_if_match_is_refused(game: Seat, header: str) -> None:
    told = problem(game.give("add", {"points": 1}, If_Match=header), 400, "malformed-request")
    assert told["parameter"] == "If-Match"


@pytest.mark.parametrize("header", ["", "x" * 129, "caf\u00e9", "a\tb"])
def test_a_malformed_idempotency_key_is_refused(game: Seat, header: str) -> None:
    told = problem(game.give("add", {"points": 1}, Idempotency_Key=header), 400, "malformed-request")
    assert told["parameter"] == "Idempotency-Key"


def test_a_repeated_command_is_answered_byte_for_byte_and_stores_nothing(game: Seat) -> None:
    match = f'"{game.version}"'
    first = game.give("add", {"points": 1}, Idempotency_Key="k", If_Match=match)
    version = game.version
    again = game.give("add", {"points": 1}, Idempotency_Key="k", If_Match=match)
    assert (again.status_code, again.data) == (first.status_code, first.data)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert game.version == version


def test_a_repeated_command_may_be_written_in_another_order(game: Seat) -> None:
    path = f"{game.path}/commands"
    one, other = b'{"type":"add","data":{"points":1}}', b'{ "data": {"points": 1}, "type": "add" }'
    first = game.client.call("POST", path, raw=one, headers={"Idempotency-Key": "k"})
    assert game.client.call("POST", path, raw=other, headers={"Idempotency-Key": "k"}).data == first.data


def test_a_key_belongs_to_its_caller_and_game(game: Seat, ada: Client, bob: Client) -> None:
    other = ada.create()
    game.do("add", {"points": 1}, Idempotency_Key="k")
    assert bob.at(game).give("add", {"points": 2}, Idempotency_Key="k").status_code == 201
    assert other.give("add", {"points": 3}, Idempotency_Key="k").status_code == 201


def test_a_key_that_was_used_for_another_command_is_refused(game: Seat) -> None:
    game.do("add", {"points": 1}, Idempotency_Key="k")
    problem(game.give("add", {"points": 2}, Idempotency_Key="k"), 422, "idempotency-key-reused")


def test_a_refusal_is_judged_anew_under_the_same_key(game: Seat, house: House) -> None:
    game.do("call")
    problem(game.give("add", {"points": 1}, Idempotency_Key="k"), 409, "scoring-in-progress")
    house.do_owed(game.game)
    assert game.give("add", {"points": 1}, Idempotency_Key="k").status_code == 201


def test_a_command_that_cost_its_caller_the_seat_is_still_answered_again(ada: Client, bob: Client) -> None:
    game = ada.create(seats="moo")
    guest = bob.at(game)
    guest.do("join_game", {"seat": 1})
    left = guest.give("leave_game", seat=1, Idempotency_Key="bye")
    assert left.status_code == 201
    assert guest.give("leave_game", seat=1, Idempotency_Key="bye").data == left.data
    problem(guest.give("leave_game", seat=1), 403, "not-your-seat")
    problem(guest.give("leave_game", seat=0, Idempotency_Key="bye"), 403, "not-your-seat")


def test_a_stored_answer_holds_no_name(game: Seat, house: House) -> None:
    body = game.do("add", {"points": 1}, Idempotency_Key="k")
    assert body["game"]["seats"][1]["player"]["name"] == "Bob"
    store = house.services.store.client
    answers = [store.get(key) or b"" for key in store.scan_iter("*answer:*")]
    assert any(b'"version"' in answer for answer in answers)
    assert not any(b"Ada" in answer or b"Bob" in answer for answer in answers)


def test_of_many_claims_for_one_seat_one_is_granted(ada: Client, house: House) -> None:
    game = ada.create(seats="moo")
    guests = [house.player(f"guest {number}") for number in range(8)]
    answers: list[TestResponse] = []

    def claim(guest: Client) -> None:
        answers.append(guest.at(game).give("join_game", {"seat": 1}))

    threads = [threading.Thread(target=claim, args=(guest,)) for guest in guests]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 7


def test_the_seat_that_is_to_act_is_meant_when_none_is_named(ada: Client) -> None:
    game = ada.create("kreta", "mm", options={"first_seat": 1})
    legal = game.see("legal-commands")
    assert legal["seat"] == 1
    done = game.do(legal["commands"][0]["type"], legal["commands"][0]["data"])
    assert done["events"][0]["seat"] == 1


def test_in_a_batch_the_seat_is_found_when_the_turn_of_the_command_has_come(ada: Client, house: House) -> None:
    game = ada.create("kreta", "mm")
    following = {"type": "play_character", "data": {"character": "commander"}}
    for _ in range(50):
        legal = game.see("legal-commands")
        ending = {"type": "end_turn", "data": {}}
        if ending in legal["commands"]:
            body = game.give_all(ending, following).json
            assert body is not None
            seats = {event["seat"] for event in body["events"] if event["type"] == "kreta.character_played"}
            assert seats == {1 - legal["seat"]}
            return
        game.do(legal["commands"][0]["type"], legal["commands"][0]["data"])
        house.do_owed(game.game)
    raise AssertionError("no turn could be ended")


def test_in_a_batch_who_joins_may_act_from_then_on(ada: Client, bob: Client) -> None:
    guest = bob.at(ada.create(seats="moo"))
    join, add = {"type": "join_game", "data": {"seat": 1}}, {"type": "add_entropy", "data": {"entropy": "dice"}}
    body = guest.give_all(join, add).json
    assert body is not None
    assert [event["type"] for event in body["events"]] == ["table.seat_taken", "table.entropy_added"]
    left = guest.give_all({"type": "leave_game"}, add)
    problem(left, 403, "forbidden")
    assert guest.version == body["version"]


@pytest.mark.parametrize("number", [0, 1])
def test_in_a_batch_a_foreign_seat_is_pointed_at(game: Seat, number: int) -> None:
    commands = [{"type": "add", "data": {"points": 1}, "seat": 7 if at == number else None} for at in range(2)]
    told = problem(game.give_all(*commands), 403, "not-your-seat")
    assert told["pointer"] == f"/commands/{number}/seat"


def test_undo_and_redo_lead_back_and_forth(game: Seat) -> None:
    before = game.see("board")
    done = game.do("add", {"points": 2})
    undo = game.see("board")["undo"]
    assert undo["allowed"]
    assert undo["to_version"] == before["version"]
    game.do("request_undo", {"to_version": before["version"]})
    assert game.see("board")["board"] == before["board"]
    game.do("redo")
    assert game.see("board")["board"] == game.see(f"board?at={done['version']}")["board"]


def test_a_reveal_is_a_barrier_for_undo(game: Seat) -> None:
    version = game.version
    game.do("flip")
    assert game.see("board")["undo"]["reason"] == "hidden_information_revealed"
    problem(game.give("request_undo", {"to_version": version}), 409, "undo-not-possible")


def test_after_the_end_nothing_can_be_done(game: Seat) -> None:
    game.do("finish")
    assert game.now["result"] is not None
    problem(game.give("add", {"points": 1}), 409, "game-not-active")


def test_whoever_resigns_loses_to_the_other(game: Seat) -> None:
    body = game.do("resign")
    assert body["game"]["status"] == "finished"
    assert body["game"]["result"]["winners"] == [1]
    assert body["game"]["seats"][0]["resigned"]


def test_a_seat_left_to_a_bot_may_be_taken_over(game: Seat, house: House) -> None:
    game.do("replace_with_bot", {"bot": "random"})
    assert game.now["seats"][0]["kind"] == "bot"
    problem(game.give("add", {"points": 1}), 403, "forbidden")
    body = house.player("Carl").at(game).do("take_over", {"seat": 0})
    assert body["game"]["seats"][0]["player"]["name"] == "Carl"


def test_an_undo_may_take_the_consent_of_the_others(ada: Client, bob: Client) -> None:
    game = ada.create(seats="mo")
    guest = bob.at(game)
    guest.do("join_game", {"seat": 1})
    game.do("add", {"points": 1})
    before = game.version
    guest.do("add", {"points": 1})
    undo = game.see("board")["undo"]
    assert (undo["allowed"], undo["needs"]) == (True, [1])
    game.do("request_undo", {"to_version": before})
    assert guest.see("board")["undo"]["request"]["needs"] == [1]
    guest.do("answer_undo", {"accept": True})
    assert game.see("board")["board"]["totals"] == [1, 0]


class TestDryRun:
    def test_says_what_would_happen_and_stores_nothing(self, game: Seat) -> None:
        version = game.version
        response = game.give("add", {"points": 2}, query="?dry_run=true", Idempotency_Key="k")
        assert response.status_code == 200
        assert response.json is not None
        assert response.json["complete"]
        assert response.json["events"][0]["data"] == {"seat": 0, "points": 2}
        assert game.version == version
        assert game.give("add", {"points": 3}, Idempotency_Key="k").status_code == 201

    def test_ends_with_what_nobody_can_know(self, game: Seat) -> None:
        body = game.give("flip", query="?dry_run=true").json
        assert body is not None
        assert not body["complete"]
        assert [event["type"] for event in body["events"]] == ["toy.flipped"]
        assert body["events"][0]["data"] == {"seat": 0, "card": None}

    def test_shows_no_private_part(self, game: Seat) -> None:
        body = game.give("peek", query="?dry_run=true").json
        assert body is not None
        assert not body["complete"]
        assert body["events"][0]["private"] == [{"seats": [0], "digest": ""}]

    def test_refuses_what_would_be_refused(self, game: Seat, visitor: Client) -> None:
        problem(game.give("add", {"points": 6}, query="?dry_run=true"), 422, "too_much")
        problem(game.give("add", {"points": 1}, seat=1, query="?dry_run=true"), 403, "not-your-seat")
        problem(visitor.at(game).give("add", {"points": 1}, query="?dry_run=true"), 401, "unauthenticated")
        problem(game.give("add", {"points": 1}, query="?dry_run=true", If_Match='"1"'), 412, "version-mismatch")

    @pytest.mark.parametrize("value", ["1", "yes", "True", ""])
    def test_is_asked_for_by_true_alone(self, game: Seat, value: str) -> None:
        told = problem(game.give("add", {"points": 1}, query=f"?dry_run={value}"), 400, "malformed-request")
        assert told["parameter"] == "dry_run"

    def test_may_be_switched_off(self, game: Seat) -> None:
        assert game.give("add", {"points": 1}, query="?dry_run=false").status_code == 201


class TestTheOrderOfTheChecks:
    """Token, shape, right to see and act, key, version, moment, rules: of two faults, the earlier one is told."""

    def test_token_before_shape(self, game: Seat, visitor: Client) -> None:
        problem(visitor.post(f"{game.path}/commands", {"nonsense": 1}), 401, "unauthenticated")

    def test_shape_before_existence(self, ada: Client) -> None:
        problem(ada.post(f"/v1/games/{'0' * 24}/commands", {"nonsense": 1}), 400, "malformed-request")

    def test_shape_of_the_data_before_the_right_to_act(self, game: Seat) -> None:
        problem(game.give("add", {"points": "x"}, seat=1), 400, "malformed-request")

    def test_right_to_act_before_key(self, game: Seat) -> None:
        game.do("add", {"points": 1}, Idempotency_Key="k")
        problem(game.give("add", {"points": 2}, seat=1, Idempotency_Key="k"), 403, "not-your-seat")

    def test_key_before_version(self, game: Seat) -> None:
        game.do("add", {"points": 1}, Idempotency_Key="k")
        problem(game.give("add", {"points": 2}, Idempotency_Key="k", If_Match='"1"'), 422, "idempotency-key-reused")

    def test_version_before_moment(self, game: Seat) -> None:
        game.do("call")
        problem(game.give("add", {"points": 1}, If_Match='"1"'), 412, "version-mismatch")

    def test_moment_before_rules(self, game: Seat) -> None:
        game.do("call")
        problem(game.give("add", {"points": 6}), 409, "scoring-in-progress")
