"""Games that their players left alone, over REST."""

from datetime import UTC, datetime, timedelta

from freezegun import freeze_time

from tests.service.client import Client, House, Seat, problem
from workers.steps import take_bot_turn

MORNING = datetime(2026, 3, 1, 8, tzinfo=UTC)
MONTH = timedelta(days=30)


def left_alone(house: House, ada: Client, bob: Client, days: timedelta = MONTH) -> Seat:
    """A game whose last command was given in the morning, looked at so many days later."""
    with freeze_time(MORNING) as now:
        game = ada.create(seats="mo")
        bob.at(game).do("join_game", {"seat": 1})
        game.do("peek")
        now.tick(days)
        house.services.sessions.take_due(game.game, game.version)
    return game


def test_a_game_in_which_no_player_acts_for_thirty_days_is_over_and_opened(
    house: House, ada: Client, bob: Client, visitor: Client
) -> None:
    game = left_alone(house, ada, bob)
    now = game.now
    assert (now["status"], now["result"], now["to_act"], now["pending"]) == ("abandoned", None, [], None)
    types = [event["type"] for event in game.see("events")["items"][-2:]]
    assert types == ["table.game_abandoned", "table.seed_revealed"]
    opened = visitor.at(game).see("board?reveal=true")["board"]
    assert (len(opened["pile"]), opened["seen"][0]) == (7, visitor.at(game).see("board?seat=0")["board"]["seen"][0])
    assert visitor.at(game).see("audit")["verdict"] == "verified"


def test_a_day_before_it_still_is_theirs(house: House, ada: Client, bob: Client) -> None:
    game = left_alone(house, ada, bob, MONTH - timedelta(milliseconds=1))
    assert game.now["status"] == "active"
    bob.at(game).do("add", {"points": 1})


def test_what_bots_do_does_not_count(house: House, ada: Client) -> None:
    with freeze_time(MORNING) as now:
        game = ada.create("kreta", seats="mb")
        while not game.now["pending"]:
            command = game.see("legal-commands")["commands"][0]
            game.do(command["type"], command["data"])
        now.tick(MONTH / 2)
        while game.now["pending"] == "bot":
            assert take_bot_turn(house.services.sessions, game.game, game.version)
        now.tick(MONTH / 2)
        assert house.services.sessions.take_due(game.game, game.version) is not None
    assert game.now["status"] == "abandoned"


def test_any_command_of_a_player_begins_the_time_anew(house: House, ada: Client, bob: Client) -> None:
    with freeze_time(MORNING) as now:
        game = ada.create(seats="mo", undo="consent")
        bob.at(game).do("join_game", {"seat": 1})
        game.do("flip")
        now.tick(MONTH - timedelta(seconds=1))
        game.do("request_undo", {"to_version": game.version - 2})
        bob.at(game).do("answer_undo", {"accept": False})
        now.tick(MONTH - timedelta(seconds=1))
        assert house.services.sessions.take_due(game.game, game.version) is None
        now.tick(1)
        assert house.services.sessions.take_due(game.game, game.version) is not None


def test_an_abandoned_game_is_final_and_may_be_forked_and_copied(house: House, ada: Client, bob: Client) -> None:
    game = left_alone(house, ada, bob)
    for kind, data in (("add", {"points": 1}), ("request_undo", {"to_version": 4}), ("redo", {}), ("resign", {})):
        problem(game.give(kind, data), 409, "game-not-active")
    at = game.version - 2
    for chance in ("anew", "same"):
        response = ada.post(f"{game.path}/forks", {"at": at, "chance": chance})
        assert response.status_code == 201, response.data
        assert response.json is not None
        assert response.json["status"] == "active"
    copy = ada.call(
        "POST",
        "/v1/games/import",
        raw=game.get("export").data,
        headers={"Content-Type": "application/x-ndjson"},
    )
    assert copy.status_code == 201, copy.data


def test_a_game_that_nobody_joins_expires(house: House, ada: Client) -> None:
    with freeze_time(MORNING) as now:
        game = ada.create(seats="mo")
        now.tick(MONTH - timedelta(milliseconds=1))
        assert house.services.sessions.take_due(game.game, game.version) is None
        now.tick(timedelta(milliseconds=1))
        assert house.services.sessions.take_due(game.game, game.version) is not None
    assert game.now["status"] == "abandoned"
    assert [event["type"] for event in game.see("events")["items"][1:]] == [
        "table.game_abandoned",
        "table.seed_revealed",
    ]
    assert game.see("audit")["verdict"] == "verified"


def test_whoever_comes_to_an_open_game_begins_its_time_anew(house: House, ada: Client, bob: Client) -> None:
    with freeze_time(MORNING) as now:
        game = ada.create(seats="moo")
        now.tick(MONTH - timedelta(seconds=1))
        bob.at(game).do("join_game", {"seat": 1})
        now.tick(MONTH - timedelta(seconds=1))
        assert house.services.sessions.take_due(game.game, game.version) is None
    assert game.now["status"] == "open"
