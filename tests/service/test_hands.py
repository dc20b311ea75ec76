"""Seats that change hands, over REST: resigning, a bot in one's place, taking over, and what rated games forbid."""

from typing import Any

import pytest

from tests.service.client import Client, House, Seat, problem


def table(ada: Client, *others: Client, bots: int = 0, ruleset: str = "toy", **choices: Any) -> Seat:
    game = ada.create(ruleset, seats="m" + "o" * len(others) + "b" * bots, **choices)
    for seat, other in enumerate(others, start=1):
        other.at(game).do("join_game", {"seat": seat})
    return game


@pytest.fixture
def cleo(house: House) -> Client:
    return house.player("Cleo")


def seat(game: Seat, number: int) -> tuple[str, str | None, str | None, bool]:
    """Kind, player, bot, resigned."""
    told = game.now["seats"][number]
    return told["kind"], told["player"] and told["player"]["name"], told["bot"], told["resigned"]


# Resigning


def test_of_two_players_one_who_resigns_leaves_the_win_to_the_other(ada: Client, bob: Client) -> None:
    game = table(ada, bob)
    game.do("add", {"points": 5})
    answer = game.do("resign")
    types = [event["type"] for event in answer["events"]]
    assert types == ["table.seat_resigned", "table.game_ended", "table.seed_revealed"]
    assert answer["game"]["status"] == "finished"
    assert answer["game"]["result"] == {"scores": [5, 0], "ranking": [[1], [0]], "winners": [1]}
    assert answer["events"][1]["data"]["reason"] == "resigned"
    assert game.see("audit")["verdict"] == "verified"
    problem(bob.at(game).give("resign"), 409, "game-not-active")


@pytest.mark.parametrize("ruleset", ["kreta", "canterbury", "porta-nigra"])
def test_of_more_players_a_bot_plays_on_for_who_resigns_and_the_seat_ranks_last(
    house: House, ada: Client, bob: Client, ruleset: str
) -> None:
    game = table(ada, bob, bots=1, ruleset=ruleset)
    answer = game.do("resign")
    assert [event["type"] for event in answer["events"]] == ["table.seat_resigned"]
    assert seat(game, 0) == ("bot", "Ada", "greedy", True)
    bob.at(game).do("replace_with_bot", {"bot": "random"})
    house.do_owed(game.game)
    result = game.now["result"]
    assert result["ranking"][-1] == [0]
    assert 0 not in result["winners"]
    assert game.see("audit")["verdict"] == "verified"


def test_who_resigned_does_not_come_back_and_plays_no_more(ada: Client, bob: Client, cleo: Client) -> None:
    game = table(ada, bob, cleo)
    game.do("resign")
    problem(game.give("add", {"points": 1}), 403, "forbidden")
    problem(game.give("take_over", {"seat": 0}), 409, "seat-taken")
    problem(ada.house.player("Eve").at(game).give("take_over", {"seat": 0}), 409, "seat-taken")


def test_only_a_seat_of_ones_own_is_resigned(ada: Client, bob: Client, visitor: Client) -> None:
    game = table(ada, bob)
    problem(game.give("resign", seat=1), 403, "not-your-seat")
    problem(ada.house.player("Eve").at(game).give("resign"), 403, "forbidden")
    problem(visitor.at(game).give("resign"), 401, "unauthenticated")
    waiting = ada.create(seats="mo")
    problem(waiting.give("resign"), 409, "game-not-active")


def test_who_resigned_in_a_game_that_goes_on_sees_what_spectators_see(ada: Client, bob: Client, cleo: Client) -> None:
    game = table(ada, bob, cleo)
    bob.at(game).do("peek")
    game.do("peek")
    assert game.see("board")["board"]["seen"][0] is not None
    game.do("resign")
    board = game.see("board")
    assert (board["viewer"], board["board"]["seen"]) == (None, [None, None, None])


# A bot in one's place


def test_a_player_hands_the_seat_to_a_bot_and_takes_it_back(house: House, ada: Client, bob: Client) -> None:
    game = table(ada, bob)
    game.do("replace_with_bot", {"bot": "random"})
    assert seat(game, 0) == ("bot", "Ada", "random", False)
    assert game.now["pending"] == "bot"
    problem(game.give("add", {"points": 1}), 403, "forbidden")
    game.do("take_over", {"seat": 0})
    assert seat(game, 0) == ("player", "Ada", None, False)
    assert game.now["pending"] is None
    game.do("add", {"points": 1})


def test_of_several_seats_the_one_that_is_named_is_handed_over(ada: Client) -> None:
    game = ada.create(seats="mm")
    game.do("replace_with_bot", {"seat": 1})
    assert [seat(game, number)[0] for number in (0, 1)] == ["player", "bot"]


def test_the_seat_of_another_is_not_handed_over(ada: Client, bob: Client) -> None:
    game = table(ada, bob, bots=1)
    told = problem(game.give("replace_with_bot", {"seat": 1}), 403, "not-your-seat")
    assert told["pointer"] == "/data/seat"
    problem(game.give("replace_with_bot", {"seat": 2}), 409, "no-player-there")
    problem(game.give("replace_with_bot", {"seat": 7}), 400, "malformed-request")
    problem(game.give("replace_with_bot", {"bot": "deep-blue"}), 400, "malformed-request")


def test_anybody_takes_over_what_was_left_to_a_bot_and_then_it_is_theirs(ada: Client, bob: Client) -> None:
    eve = ada.house.player("Eve")
    game = table(ada, bob)
    game.do("peek")
    game.do("replace_with_bot")
    problem(bob.at(game).give("take_over", {"seat": 0}), 403, "not-your-seat")
    assert eve.at(game).do("take_over", {"seat": 0})["game"]["seats"][0]["player"]["name"] == "Eve"
    problem(game.give("take_over", {"seat": 0}), 409, "seat-taken")
    assert game.see("board")["viewer"] is None
    assert eve.at(game).see("board")["board"]["seen"][0] is not None
    eve.at(game).do("add", {"points": 1})


def test_a_seat_that_was_a_bots_from_the_start_is_not_taken_over(ada: Client) -> None:
    game = table(ada, bots=1)
    problem(game.give("take_over", {"seat": 1}), 409, "seat-taken")
    problem(ada.house.player("Eve").at(game).give("take_over", {"seat": 1}), 409, "seat-taken")
    problem(game.give("take_over", {"seat": 1}, 0), 400, "malformed-request")


def test_what_one_hand_did_the_other_does_not_take_back(ada: Client, bob: Client) -> None:
    game = table(ada, bob, undo="free")
    before = game.version
    game.do("add", {"points": 1})
    game.do("replace_with_bot")
    game.do("take_over", {"seat": 0})
    assert game.see("board")["undo"]["reason"] == "others_have_acted"
    problem(game.give("request_undo", {"to_version": before}), 409, "undo-not-possible")


def test_an_undo_does_not_move_the_seats(ada: Client, bob: Client) -> None:
    game = table(ada, bob, undo="consent")
    before = game.version
    game.do("add", {"points": 1})
    bob.at(game).do("replace_with_bot")
    game.do("request_undo", {"to_version": before})
    assert game.see("board")["board"]["totals"] == [0, 0]
    assert seat(game, 1) == ("bot", "Bob", "greedy", False)


def test_a_retried_resignation_is_answered_as_the_first_time(ada: Client, bob: Client, cleo: Client) -> None:
    game = table(ada, bob, cleo)
    first, again = (game.give("resign", Idempotency_Key="enough") for _ in range(2))
    assert (first.status_code, again.data) == (201, first.data)


# Rated games


@pytest.mark.parametrize(
    ("change", "code", "pointer"),
    [
        ({"undo": "free"}, "rated-needs-undo-off", "/undo"),
        ({"undo": "consent"}, "rated-needs-undo-off", "/undo"),
        ({"seats": "mm"}, "rated-needs-two-players", "/seats"),
        ({"seats": "mb"}, "rated-needs-two-players", "/seats"),
        ({"seats": "ob"}, "rated-needs-two-players", "/seats"),
        ({"seats": "mmo"}, "rated-needs-two-players", "/seats"),
    ],
)
def test_a_rated_game_is_between_players_and_without_undo(
    ada: Client, change: dict[str, str], code: str, pointer: str
) -> None:
    kinds = {"m": {"kind": "me"}, "o": {"kind": "open"}, "b": {"kind": "bot"}}
    seats = [kinds[letter] for letter in change.get("seats", "mo")]
    body = {"ruleset": "toy", "undo": "off", **change, "seats": seats, "rated": True}
    told = problem(ada.post("/v1/games", body), 400, code)
    assert told["pointer"] == pointer


def test_a_rated_game_has_one_seat_a_player(ada: Client, bob: Client) -> None:
    game = ada.create(seats="moo", rated=True, undo="off")
    problem(game.give("join_game", {"seat": 1}), 409, "already-seated")
    bob.at(game).do("join_game", {"seat": 1})
    problem(bob.at(game).give("join_game", {"seat": 2}), 409, "already-seated")
    assert game.now["rated"]


def test_in_a_rated_game_nobody_else_takes_over(ada: Client, bob: Client) -> None:
    game = table(ada, bob, rated=True, undo="off")
    game.do("replace_with_bot")
    problem(ada.house.player("Eve").at(game).give("take_over", {"seat": 0}), 403, "not-your-seat")
    game.do("take_over", {"seat": 0})
    game.do("add", {"points": 1})
    problem(game.give("request_undo", {"to_version": 4}), 409, "undo-off")
