"""Undo, redo and jumps over REST: what the board says of them, whom they need, and what happens while one waits."""

from typing import Any

import pytest
from freezegun import freeze_time

from domain.table import Order
from events.sessions import Key
from tests.service.client import Client, House, Seat, problem
from tests.service.test_secrecy import CHANNELS, FOR_PLAYERS, blanked, secretive
from tests.support.toy import Add
from workers.steps import take_bot_turn, take_step

MORNING = "2026-03-01T08:00:00Z"


def table(ada: Client, *others: Client, bots: int = 0, **choices: Any) -> Seat:
    """Ada, these players and then bots."""
    game = ada.create(seats="m" + "o" * len(others) + "b" * bots, **{"undo": "consent", **choices})
    for seat, other in enumerate(others, start=1):
        other.at(game).do("join_game", {"seat": seat})
    return game


def add(game: Seat, points: int = 1, seat: int | None = None) -> int:
    """The version after a move."""
    return int(game.do("add", {"points": points}, seat)["version"])


def offer(game: Seat, **told: Any) -> None:
    """The board says this of undo, and nothing else."""
    nothing: dict[str, Any] = {
        "allowed": False,
        "to_version": None,
        "earliest_version": None,
        "needs": [],
        "reason": None,
        "redo_to": None,
        "redo_needs": [],
        "request": None,
    }
    assert game.see("board")["undo"] == {**nothing, **told}


def ask(game: Seat, to_version: int, seat: int | None = None) -> int:
    """An undo that waits for consent."""
    answer = game.do("request_undo", {"to_version": to_version}, seat)
    assert [event["type"] for event in answer["events"]] == ["table.undo_requested"]
    return int(answer["version"])


def agree(game: Seat, *, accept: bool = True) -> list[str]:
    """The types of the events of an answer."""
    return [event["type"] for event in game.do("answer_undo", {"accept": accept})["events"]]


def totals(game: Seat) -> list[int]:
    return list(game.see("board")["board"]["totals"])


# What the board says before anyone asks


def test_before_the_start_and_after_the_end_there_is_nothing_to_undo(ada: Client, bob: Client) -> None:
    game = ada.create(seats="mo")
    offer(game, reason="game_not_active")
    bob.at(game).do("join_game", {"seat": 1})
    add(game)
    game.do("finish")
    offer(game, reason="game_not_active")
    problem(game.give("request_undo", {"to_version": 4}), 409, "game-not-active")
    problem(game.give("redo"), 409, "game-not-active")


def test_a_game_may_be_played_without_undo(ada: Client) -> None:
    game = table(ada, bots=1, undo="off")
    add(game)
    offer(game, reason="undo_off")
    problem(game.give("request_undo", {"to_version": 3}), 409, "undo-off")


def test_a_spectator_has_nothing_to_undo(ada: Client, bob: Client, visitor: Client) -> None:
    game = table(ada, bob)
    add(game)
    offer(visitor.at(game), reason="spectator")


@pytest.mark.parametrize("undo", ["free", "consent"])
def test_before_the_first_command_nothing_has_been_played(ada: Client, bob: Client, undo: str) -> None:
    offer(table(ada, bob, undo=undo), reason="nothing_played")


@pytest.mark.parametrize("undo", ["free", "consent"])
def test_ones_own_latest_commands_need_nobody(ada: Client, bob: Client, undo: str) -> None:
    game = table(ada, bob, undo=undo)
    start = game.version
    second = add(game)
    third = add(game, 2)
    offer(game, allowed=True, to_version=second, earliest_version=start)
    assert game.do("request_undo", {"to_version": start})["version"] == third + 1
    assert totals(game) == [0, 0]
    offer(game, reason="nothing_played", redo_to=third)
    assert game.do("redo")["version"] == third + 2
    assert totals(game) == [3, 0]
    offer(game, allowed=True, to_version=second, earliest_version=start)


def test_when_others_have_acted_it_takes_their_consent(ada: Client, bob: Client) -> None:
    game = table(ada, bob)
    start = game.version
    second = add(game)
    add(bob.at(game))
    offer(game, allowed=True, to_version=second, earliest_version=start, needs=[1], reason="others_have_acted")
    offer(bob.at(game), allowed=True, to_version=second, earliest_version=second)


def test_where_undo_is_free_what_others_have_answered_stands(ada: Client, bob: Client) -> None:
    game = table(ada, bob, undo="free")
    start = game.version
    add(game)
    add(bob.at(game))
    offer(game, reason="others_have_acted")
    told = problem(game.give("request_undo", {"to_version": start}), 409, "undo-not-possible")
    assert "others_have_acted" in told["detail"]


@pytest.mark.parametrize("command", ["peek", "flip"])
def test_beyond_a_reveal_it_takes_the_consent_of_all(ada: Client, bob: Client, command: str) -> None:
    game = table(ada, bob)
    start = game.version
    game.do(command)
    reason = "hidden_information_revealed"
    offer(game, allowed=True, to_version=start, earliest_version=start, needs=[1], reason=reason)
    free = table(ada, bob, undo="free")
    free.do(command)
    offer(free, reason=reason)


def test_bots_agree_at_once(ada: Client, house: House) -> None:
    game = table(ada, bots=2)
    start = game.version
    second = add(game)
    move = Order(command=Add(points=4), actor="bot", seat=1)
    version = house.services.sessions.handle(game.game, lambda _: [move], Key.own()).session.version
    offer(game, allowed=True, to_version=second, earliest_version=start, reason="others_have_acted")
    assert game.do("request_undo", {"to_version": start})["version"] == version + 1
    assert totals(game) == [0, 0, 0]


def test_the_players_of_a_hot_seat_agree_with_themselves(ada: Client) -> None:
    game = ada.create(seats="mm", undo="consent")
    start = game.version
    second = add(game, seat=0)
    add(game, seat=1)
    undo = game.see("board?seat=0")["undo"]
    assert (undo["allowed"], undo["to_version"], undo["needs"]) == (True, second, [])
    game.do("request_undo", {"to_version": start}, 0)
    assert totals(game) == [0, 0]


def test_a_board_of_the_past_is_only_looked_at(ada: Client) -> None:
    game = ada.create(seats="mm", undo="free")
    add(game)
    add(game)
    undo = game.see("board?at=4")["undo"]
    assert (undo["allowed"], undo["reason"]) == (False, "past_version")


# Asking, answering


def test_who_is_asked_and_what_for_is_shown_to_all(ada: Client, bob: Client, visitor: Client) -> None:
    cleo = ada.house.player("Cleo")
    game = table(ada, bob, cleo)
    start = game.version
    add(game)
    add(bob.at(game))
    with freeze_time(MORNING):
        ask(game, start)
    for looker in (ada, bob, cleo, visitor):
        request = looker.at(game).see("board")["undo"]["request"]
        assert request == {"seat": 0, "to": start, "redo": False, "needs": [1, 2], "time": 1772352000000}
    assert agree(cleo.at(game)) == ["table.undo_answered"]
    assert game.see("board")["undo"]["request"]["needs"] == [1]
    assert agree(bob.at(game)) == ["table.undo_answered", "table.history_rewound"]
    assert totals(game) == [0, 0, 0]


def test_one_who_does_not_agree_is_enough(ada: Client, bob: Client) -> None:
    game = table(ada, bob)
    start = game.version
    add(game)
    add(bob.at(game))
    ask(game, start)
    assert agree(bob.at(game), accept=False) == ["table.undo_answered"]
    assert game.see("board")["undo"]["request"] is None
    assert totals(game) == [1, 1]
    problem(bob.at(game).give("answer_undo", {"accept": True}), 409, "no-undo-requested")


def test_only_those_who_are_asked_answer(ada: Client, bob: Client, visitor: Client) -> None:
    eve = ada.house.player("Eve")
    game = table(ada, bob)
    start = game.version
    add(game)
    add(bob.at(game))
    ask(game, start)
    problem(game.give("answer_undo", {"accept": True}), 403, "forbidden")
    problem(eve.at(game).give("answer_undo", {"accept": True}), 403, "forbidden")
    problem(bob.at(game).give("answer_undo", {"accept": True}, 0), 403, "not-your-seat")
    problem(visitor.at(game).give("answer_undo", {"accept": True}), 401, "unauthenticated")
    problem(bob.at(game).give("request_undo", {"to_version": start}), 409, "undo-requested")


def test_a_player_with_several_seats_is_asked_for_all_of_them_and_answers_once(ada: Client, bob: Client) -> None:
    game = table(ada, bob, bob)
    start = game.version
    add(game)
    add(bob.at(game), seat=2)
    ask(game, start)
    assert game.see("board")["undo"]["request"]["needs"] == [1, 2]
    assert agree(bob.at(game)) == ["table.undo_answered", "table.history_rewound"]


@pytest.mark.parametrize("to_version", [1, 3, 99])
def test_back_goes_to_a_boundary_between_commands_since_the_start(ada: Client, bob: Client, to_version: int) -> None:
    game = table(ada, bob)
    assert game.version == 4
    add(game)
    add(bob.at(game))
    told = problem(game.give("request_undo", {"to_version": to_version}), 409, "undo-not-possible")
    assert told["pointer"] == "/data/to_version"


def test_a_jump_by_consent_goes_to_any_line_that_was_ever_played(ada: Client, bob: Client) -> None:
    game = table(ada, bob)
    start = game.version
    add(game, 5)
    tip = add(bob.at(game), 4)
    for to_version in (start, tip):
        ask(game, to_version)
        agree(bob.at(game))
        add(game)
        add(bob.at(game))
    assert totals(game) == [6, 5]
    assert [game.see(f"board?at={version}")["board"]["totals"] for version in (tip, game.version - 2)] == [[5, 4]] * 2


def test_what_took_consent_to_undo_takes_consent_to_redo(ada: Client, bob: Client) -> None:
    game = table(ada, bob)
    start = game.version
    add(game)
    tip = add(bob.at(game))
    ask(game, start)
    agree(bob.at(game))
    offer(game, reason="nothing_played", redo_to=tip + 2, redo_needs=[1])
    offer(bob.at(game), reason="nothing_played", redo_to=tip + 2, redo_needs=[0])
    bob.at(game).do("redo")
    assert game.see("board")["undo"]["request"]["redo"]
    assert agree(game) == ["table.undo_answered", "table.history_rewound"]
    assert totals(game) == [1, 1]


# While one waits


@pytest.mark.parametrize(
    ("command", "data"),
    [("add", {"points": 1}), ("call", {}), ("flip", {}), ("resign", {}), ("replace_with_bot", {})],
)
@pytest.mark.parametrize("by", ["asker", "asked"])
def test_it_lapses_by_another_command_of_a_player(
    ada: Client, bob: Client, command: str, data: dict[str, Any], by: str
) -> None:
    game = table(ada, bob, bob)
    start = game.version
    add(game)
    add(bob.at(game), seat=1)
    ask(game, start)
    (game if by == "asker" else bob.at(game)).do(command, data)
    assert game.see("board")["undo"]["request"] is None
    problem(bob.at(game).give("answer_undo", {"accept": True}, 2), 409, "no-undo-requested")


def test_it_lapses_after_a_minute_without_answer(ada: Client, bob: Client, house: House) -> None:
    sessions = house.services.sessions
    with freeze_time(MORNING) as clock:
        game = table(ada, bob)
        start = game.version
        add(game)
        add(bob.at(game))
        asked = ask(game, start)
        clock.tick(59.999)
        assert sessions.take_due(game.game, asked) is None
        clock.tick(0.001)
        lapsed = sessions.take_due(game.game, asked)
        assert lapsed is not None
        assert [event.type for event in lapsed.events] == ["table.undo_lapsed"]
        problem(bob.at(game).give("answer_undo", {"accept": True}), 409, "no-undo-requested")
        assert totals(game) == [1, 1]
        assert sessions.take_due(game.game, asked) is None
        ask(game, start)


def test_bots_and_owed_steps_wait_while_one_is_open(ada: Client, bob: Client, house: House) -> None:
    game = table(ada, bob, bots=1)
    start = game.version
    add(game)
    assert game.now["pending"] == "bot"
    called = bob.at(game).do("call")["version"]
    assert game.now["pending"] == "scoring"
    asked = ask(game, start)
    assert game.now["pending"] is None
    sessions = house.services.sessions
    for version in (called, asked):
        assert take_step(sessions, game.game, version) is None
        assert take_bot_turn(sessions, game.game, version) is None
    agree(bob.at(game), accept=False)
    assert game.now["pending"] == "scoring"
    assert take_step(sessions, game.game, game.version) is not None
    assert game.now["pending"] == "bot"


def test_a_bot_waits_for_the_answer_and_plays_when_it_lapses(ada: Client, bob: Client, house: House) -> None:
    game = table(ada, bob, bots=1)
    start = game.version
    add(bob.at(game))
    asked = ask(game, start)
    assert take_bot_turn(house.services.sessions, game.game, asked) is None
    agree(bob.at(game), accept=False)
    assert take_bot_turn(house.services.sessions, game.game, game.version, fallback=True) is not None


# Nothing of the old line leaks into the new one


def test_an_undo_while_a_bot_thinks_leaves_its_move_in_the_air(ada: Client, house: House) -> None:
    game = ada.create("kreta", seats="mb", undo="free")
    board = game.see("board")["board"]
    start = game.version
    while not (now := game.now)["pending"]:
        commands = game.see("legal-commands")["commands"]
        chosen = next(one for one in commands if one["data"].get("character") != "castellan")
        before = now["version"]
        game.do(chosen["type"], chosen["data"])
    assert now["pending"] == "bot"
    thinking = now["version"]
    game.do("request_undo", {"to_version": before})
    assert game.now["pending"] is None
    assert take_bot_turn(house.services.sessions, game.game, thinking) is None
    game.do("request_undo", {"to_version": start})
    assert game.see("board")["board"] == board
    assert [event["actor"] for event in game.see(f"events?after={start}")["items"]].count("bot") == 0


def test_an_undo_while_a_scoring_is_owed_takes_the_debt_back(ada: Client, house: House) -> None:
    game = ada.create(seats="mm", undo="free")
    start = game.version
    called = game.do("call")["version"]
    game.do("request_undo", {"to_version": start})
    assert game.now["pending"] is None
    assert take_step(house.services.sessions, game.game, called) is None
    assert take_step(house.services.sessions, game.game, called + 1) is None
    assert totals(game) == [0, 0]
    game.do("redo")
    assert game.now["pending"] == "scoring"
    house.do_owed(game.game)
    assert totals(game) == [2, 2]


def test_an_undo_while_a_clock_runs_leaves_the_old_deadline_without_effect(
    ada: Client, bob: Client, house: House
) -> None:
    sessions = house.services.sessions
    with freeze_time(MORNING) as clock:
        game = table(ada, bob, clock={"per_turn_seconds": 60})
        start = game.version
        add(game)
        called = bob.at(game).do("call")["version"]
        house.do_owed(game.game)
        scored = game.version
        clock.tick(50)
        ask(game, start)
        agree(bob.at(game))
        rewound = game.version
        clock.tick(10)
        for stale in (start, called, scored, rewound - 1):
            assert sessions.take_due(game.game, stale) is None
        assert [seat["kind"] for seat in game.now["seats"]] == ["player", "player"]
        assert totals(game) == [0, 0]


def test_a_batch_may_play_undo_and_play_again(ada: Client) -> None:
    game = ada.create(seats="mm", undo="free")
    version = game.version
    game.give_all(
        {"type": "add", "data": {"points": 5}},
        {"type": "request_undo", "data": {"to_version": version}},
        {"type": "add", "data": {"points": 1}},
    )
    assert totals(game) == [1, 0]
    assert game.see("audit")["verdict"] == "sealed"


@pytest.mark.parametrize("channel", [*CHANNELS, *FOR_PLAYERS])
def test_no_channel_tells_a_secret_while_an_undo_waits_or_after_it(
    ada: Client, bob: Client, monkeypatch: pytest.MonkeyPatch, channel: str
) -> None:
    look = {**CHANNELS, **FOR_PLAYERS}[channel]
    games = [secretive(ada, bob, seed, monkeypatch, undo="consent") for seed in (1, 2, 3, 4)]
    with freeze_time(MORNING):
        for accept in (False, True):
            for game in games:
                ask(game, 4)
            assert len({blanked(look(bob.at(game))) for game in games}) == 1
            for game in games:
                if game.see("board")["undo"]["request"] is not None:  # to look may have been to give a command
                    agree(bob.at(game), accept=accept)
        assert len({blanked(look(bob.at(game))) for game in games}) == 1
