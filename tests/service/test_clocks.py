"""Clocks over REST: what is told, what comes too late, what the service does when one runs out, and that a replay has none."""

from datetime import UTC, datetime
from typing import Any

import pytest
from freezegun import freeze_time

from events import audit
from events.sessions import Outcome
from tests.service.client import Client, House, Seat, problem
from tests.support.stored import everything

MORNING = datetime(2026, 3, 1, 8, tzinfo=UTC)
CENTURY = datetime(2126, 1, 1, tzinfo=UTC)


def table(ada: Client, bob: Client, **clock: Any) -> Seat:
    """A game of Kreta between Ada, who begins, and Bob."""
    game = ada.create("kreta", seats="mo", undo="free", clock=clock)
    bob.at(game).do("join_game", {"seat": 1})
    return game


def turn(game: Seat) -> None:
    """A whole turn of the caller's seat, without a card that reveals anything."""
    seat = game.now["to_act"]
    while game.now["to_act"] == seat:
        commands = game.see("legal-commands")["commands"]
        chosen = next(one for one in commands if one["data"].get("character") != "castellan")
        game.do(chosen["type"], chosen["data"])


def left(game: Seat) -> list[int]:
    """Seconds left of each seat as of the last event."""
    return [milliseconds // 1000 for milliseconds in game.now["times"]["left"]]


def fall_due(house: House, game: Seat) -> Outcome | None:
    """What the worker does at the deadline."""
    return house.services.sessions.take_due(game.game, game.version)


def types(outcome: Outcome | None) -> list[str]:
    assert outcome is not None
    return [event.type for event in outcome.events]


@pytest.mark.parametrize(
    ("clock", "pointer"),
    [
        ({}, "/clock"),
        ({"per_turn_seconds": 5, "bank_seconds": 5}, "/clock"),
        ({"increment_seconds": 5}, "/clock"),
        ({"per_turn_seconds": 0}, "/clock/per_turn_seconds"),
        ({"bank_seconds": 10**9}, "/clock/bank_seconds"),
        ({"bank_seconds": "5"}, "/clock/bank_seconds"),
        ({"bank_seconds": 5, "on_expiry": "explode"}, "/clock/on_expiry"),
        ({"bank_seconds": 5, "delay": 1}, "/clock/delay"),
    ],
)
def test_a_clock_that_cannot_be_is_refused(ada: Client, clock: dict[str, Any], pointer: str) -> None:
    body = {"ruleset": "toy", "seats": [{"kind": "me"}, {"kind": "open"}], "clock": clock}
    told = problem(ada.post("/v1/games", body), 400, "malformed-request")
    assert told["pointer"] == pointer


def test_a_game_tells_its_clock_and_the_time_that_is_left(ada: Client, bob: Client) -> None:
    with freeze_time(MORNING) as now:
        game = table(ada, bob, bank_seconds=100, increment_seconds=5)
        clock = {"per_turn_seconds": None, "bank_seconds": 100, "increment_seconds": 5, "on_expiry": "bot"}
        assert game.now["clock"] == clock
        since = int(MORNING.timestamp() * 1000)
        assert game.now["times"] == {"left": [100_000, 100_000], "since": since, "run": [0]}
        now.tick(30)
        assert game.now["times"]["since"] == since
        turn(game)
        assert left(game) == [75, 100]
        assert game.now["times"]["run"] == [1]


def test_a_bank_is_charged_over_the_turns_and_each_turn_adds_the_increment(ada: Client, bob: Client) -> None:
    with freeze_time(MORNING) as now:
        game = table(ada, bob, bank_seconds=100, increment_seconds=5)
        for seconds, player in ((10, ada), (20, bob), (30, ada)):
            now.tick(seconds)
            turn(player.at(game))
            if game.now["pending"]:
                ada.house.do_owed(game.game)
        assert left(game) == [70, 85]


def test_each_turn_has_its_whole_time(ada: Client, bob: Client) -> None:
    with freeze_time(MORNING) as now:
        game = table(ada, bob, per_turn_seconds=60)
        for player in (ada, bob, ada, bob):
            now.tick(59)
            turn(player.at(game))
        assert game.now["status"] == "active"
        assert left(game)[game.now["to_act"][0]] == 60


def test_before_the_time_is_up_nothing_is_done(house: House, ada: Client, bob: Client) -> None:
    with freeze_time(MORNING) as now:
        game = table(ada, bob, per_turn_seconds=60)
        now.tick(59.999)
        assert fall_due(house, game) is None
        turn(game)
        now.tick(0.001)
        assert fall_due(house, game) is None


def test_who_comes_too_late_is_refused_whether_or_not_the_service_has_noticed(
    house: House, ada: Client, bob: Client
) -> None:
    with freeze_time(MORNING) as now:
        game = table(ada, bob, per_turn_seconds=60)
        command = game.see("legal-commands")["commands"][0]
        now.tick(60)
        version = game.version
        for late in (
            game.give(command["type"], command["data"]),
            game.give("request_undo", {"to_version": version - 1}),
            game.give("redo"),
            game.give(command["type"], command["data"], query="?dry_run=true"),
        ):
            problem(late, 409, "clock-expired")
        assert game.version == version
        fall_due(house, game)
        problem(game.give(command["type"], command["data"]), 403, "forbidden")


def test_a_bot_takes_the_seat_of_whose_time_is_up_and_the_player_may_come_back(
    house: House, ada: Client, bob: Client
) -> None:
    with freeze_time(MORNING) as now:
        game = table(ada, bob, per_turn_seconds=60)
        now.tick(60)
        expired = fall_due(house, game)
        assert types(expired) == ["table.clock_expired", "table.seat_given_to_bot"]
        assert expired is not None
        assert {(event.actor, event.seat) for event in expired.events} == {("system", None)}
        assert game.now["seats"][0]["kind"] == "bot"
        assert game.now["pending"] == "bot"
        house.do_owed(game.game)
        assert game.now["to_act"] == [1]
        game.do("take_over", {"seat": 0})
        turn(bob.at(game))
        assert left(game)[0] == 60


def test_where_it_was_agreed_the_seat_resigns(house: House, ada: Client, bob: Client) -> None:
    with freeze_time(MORNING) as now:
        game = table(ada, bob, bank_seconds=60, on_expiry="resign")
        now.tick(61)
        assert types(fall_due(house, game)) == [
            "table.clock_expired",
            "table.seat_resigned",
            "table.game_ended",
            "table.seed_revealed",
        ]
        assert game.now["result"]["winners"] == [1]
        assert game.see("audit")["verdict"] == "verified"


def test_others_may_hand_over_the_seat_of_whose_time_is_up_and_not_before(ada: Client, bob: Client) -> None:
    with freeze_time(MORNING) as now:
        game = table(ada, bob, per_turn_seconds=60)
        problem(bob.at(game).give("replace_with_bot", {"seat": 0}), 403, "not-your-seat")
        now.tick(60)
        bob.at(game).do("replace_with_bot", {"seat": 0})
        assert game.now["seats"][0]["kind"] == "bot"


def test_a_bank_that_is_used_up_is_not_taken_over(house: House, ada: Client, bob: Client) -> None:
    with freeze_time(MORNING) as now:
        game = table(ada, bob, bank_seconds=60)
        now.tick(60)
        fall_due(house, game)
        problem(game.give("take_over", {"seat": 0}), 409, "clock-expired")


def test_a_deadline_of_an_older_version_has_no_effect(house: House, ada: Client, bob: Client) -> None:
    with freeze_time(MORNING) as now:
        game = table(ada, bob, per_turn_seconds=60)
        old = game.version
        now.tick(50)
        turn(game)
        now.tick(10)
        assert house.services.sessions.take_due(game.game, old) is None
        assert [seat["kind"] for seat in game.now["seats"]] == ["player", "player"]


def test_a_clock_that_ran_out_while_the_service_was_down_is_called_when_it_is_back(
    house: House, ada: Client, bob: Client
) -> None:
    with freeze_time(MORNING):
        game = table(ada, bob, per_turn_seconds=60)
    with freeze_time(CENTURY):
        sessions = house.services.sessions
        due = sessions.due_at(sessions.load(game.game))
        assert due == int(MORNING.timestamp() * 1000) + 60_000
        assert types(fall_due(house, game)) == ["table.clock_expired", "table.seat_given_to_bot"]


def test_a_replay_does_not_look_at_the_clock_on_the_wall(house: House, ada: Client, bob: Client) -> None:
    """The same boards, the same time left and the same verdict, whenever and however often the log is read."""
    sessions = house.services.sessions
    with freeze_time(MORNING) as now:
        game = table(ada, bob, bank_seconds=100, increment_seconds=5, on_expiry="bot")
        for seconds, player in ((10, ada), (20, bob)):
            now.tick(seconds)
            turn(player.at(game))
        now.tick(1)
        mover = ada if game.now["to_act"] == [0] else bob
        version = game.version
        turn(mover.at(game))
        mover.at(game).do("request_undo", {"to_version": version})
        now.tick(200)
        fall_due(house, game)
        stood = sessions.load(game.game)
        log = everything(sessions, "*events")
    seen = []
    for when in (MORNING, CENTURY, datetime(1990, 1, 1, tzinfo=UTC)):
        with freeze_time(when):
            assert sessions.fold(game.game).position == stood.position
            house.services.store.client.delete(house.services.store.keys.game(game.game, "milestones"))
            folded = [sessions.at(game.game, at).position for at in range(1, stood.version + 1)]
            verdict = audit.verify((row.line for row in house.services.store.read(game.game)), sessions.rulesets)
            seen.append((folded, verdict))
            assert stood.position.table.times is not None
            assert game.now["times"]["since"] == stood.position.table.times.since
    assert seen[0] == seen[1] == seen[2]
    assert seen[0][1].first_bad is None
    assert everything(sessions, "*events") == log
