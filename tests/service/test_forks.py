"""New games from how others stood, over REST: where they begin, who sits where, what stays hidden."""

from typing import Any

import pytest

from domain.catalogue import GAMES
from events import audit
from tests.service.client import Client, House, Seat, problem
from tests.service.test_secrecy import CHANNELS, FOR_PLAYERS, blanked, secretive
from tests.support.toy import CARDS


def game_of(ada: Client, bob: Client, **choices: Any) -> Seat:
    """Ada and Bob at a table; each has peeked at a card and made some points."""
    game = ada.create(seats="mo", **choices)
    bob.at(game).do("join_game", {"seat": 1})
    for points, player in enumerate((ada, bob), start=1):
        player.at(game).do("peek")
        player.at(game).do("add", {"points": points})
    return game


def fork(client: Client, game: Seat, at: int | None = None, **choices: Any) -> Seat:
    response = client.post(f"{game.path}/forks", {"at": at or game.version, **choices})
    assert response.status_code == 201, response.data
    assert response.json is not None
    assert response.headers["Location"].endswith(response.json["id"])
    return Seat(client, response.json["id"])


def seats(game: Seat) -> list[tuple[str, str | None]]:
    """Who sits where: the kind, and the player or the bot."""
    return [
        (seat["kind"], seat["player"]["id"] if seat["kind"] == "player" else seat["bot"]) for seat in game.now["seats"]
    ]


def secret(house: House, game: Seat) -> Any:
    """The state of a game, secrets and all."""
    return house.session(game.game).position.game


def test_a_fork_is_a_game_of_its_own_and_names_its_parent(ada: Client, bob: Client) -> None:
    parent = game_of(ada, bob)
    before = parent.now
    forked = fork(bob, parent)
    now = forked.now
    head = parent.see("events")["items"][-1]["digest"]
    assert now["origin"] == {"kind": "fork", "game": parent.game, "version": before["version"], "head": head}
    assert (now["status"], now["rated"], now["undo"]) == ("active", False, "consent")
    assert now["commitment"] != before["commitment"]
    assert parent.now == before
    forked.do("add", {"points": 5})
    assert (parent.version, forked.see("board")["board"]["totals"][1]) == (before["version"], 8)
    first = forked.see("events")["items"][0]
    assert (first["type"], first["data"]["parent"]["game"]) == ("table.game_forked", parent.game)


def test_the_forker_keeps_the_seat_held_and_bots_take_the_others(ada: Client, bob: Client) -> None:
    parent = game_of(ada, bob)
    assert seats(fork(bob, parent)) == [("bot", "greedy"), ("player", bob.id)]
    eve = ada.house.player("Eve")
    assert seats(fork(eve, parent)) == [("player", eve.id), ("bot", "greedy")]


def test_others_may_be_seated(ada: Client, bob: Client) -> None:
    parent = game_of(ada, bob)
    forked = fork(ada, parent, seats=[{"kind": "bot", "bot": "random"}, {"kind": "open"}])
    assert (seats(forked)[0], forked.now["status"]) == (("bot", "random"), "open")
    board = forked.see("board")["board"]
    bob.at(forked).do("join_game", {"seat": 1})
    assert forked.see("board")["board"] == board
    assert forked.now["status"] == "active"


def test_a_fork_begins_at_the_boundary_before_the_version_asked_for(ada: Client, bob: Client) -> None:
    parent = game_of(ada, bob)
    boundary = parent.version
    parent.do("flip")
    for at in (boundary, boundary + 1):
        assert fork(ada, parent, at).now["origin"]["version"] == boundary
    assert fork(ada, parent, boundary + 2).now["origin"]["version"] == boundary + 2


def test_a_fork_of_the_past_has_the_board_of_the_past(ada: Client, bob: Client) -> None:
    parent = game_of(ada, bob, undo="consent")
    at = parent.version
    then = parent.see("board")["board"]
    parent.do("add", {"points": 5})
    parent.do("flip")
    forked = fork(ada, parent, at)
    assert forked.see("board")["board"] == then


def test_what_the_forker_has_not_seen_is_drawn_anew(ada: Client, bob: Client, house: House) -> None:
    parent = game_of(ada, bob)
    state = secret(house, parent)
    forks = [secret(house, fork(bob, parent)) for _ in range(6)]
    assert {fork.seen[1] for fork in forks} == {state.seen[1]}
    assert len({(fork.seen[0], fork.pile) for fork in forks}) > 1
    for each in forks:
        assert sorted([*each.pile, *each.seen[0], *each.seen[1]]) == sorted(CARDS)


def test_a_stranger_keeps_nothing_that_is_hidden(ada: Client, bob: Client, house: House) -> None:
    parent = game_of(ada, bob)
    eve = house.player("Eve")
    forks = [fork(eve, parent) for _ in range(6)]
    assert len({secret(house, each).seen for each in forks}) > 1
    for each in forks:
        assert "data" not in each.see("events")["items"][0]["private"][0]


def test_a_fork_is_redrawn_even_when_the_parent_is_over(ada: Client, bob: Client, house: House) -> None:
    parent = game_of(ada, bob)
    at, state = parent.version, secret(house, parent)
    parent.do("finish")
    assert len({secret(house, fork(ada, parent, at)).pile for _ in range(4)}) > 1
    same = fork(ada, parent, at, chance="same")
    assert secret(house, same) == state
    assert same.see("events")["items"][0]["data"]["same_chance"]


def test_the_same_chance_is_for_after_the_end(ada: Client, bob: Client) -> None:
    parent = game_of(ada, bob)
    body = {"at": parent.version, "chance": "same"}
    told = problem(ada.post(f"{parent.path}/forks", body), 409, "game-not-over")
    assert told["pointer"] == "/chance"


def test_a_rated_game_is_not_forked_while_it_runs(ada: Client, bob: Client) -> None:
    parent = game_of(ada, bob, rated=True, undo="off")
    at = parent.version
    for forker in (ada, bob, ada.house.player("Eve")):
        problem(forker.post(f"{parent.path}/forks", {"at": at}), 403, "rated-game-running")
    parent.do("finish")
    assert not fork(ada, parent, at).now["rated"]


@pytest.mark.parametrize(
    ("body", "status", "code", "pointer"),
    [
        ({}, 400, "malformed-request", "/at"),
        ({"at": 0}, 400, "malformed-request", "/at"),
        ({"at": "6"}, 400, "malformed-request", "/at"),
        ({"at": 6, "chance": "luck"}, 400, "malformed-request", "/chance"),
        ({"at": 6, "seats": [{"kind": "me"}]}, 400, "seats-out-of-range", "/seats"),
        ({"at": 6, "seats": [{"kind": "me"}, {"kind": "you"}]}, 400, "malformed-request", "/seats/1/kind"),
        ({"at": 6, "version": 6}, 400, "malformed-request", "/version"),
        ({"at": 1}, 409, "game-not-started", "/at"),
        ({"at": 3}, 409, "game-not-started", "/at"),
        ({"at": 999}, 404, "not-found", None),
    ],
)
def test_a_fork_that_cannot_be_is_refused(
    ada: Client, bob: Client, body: Any, status: int, code: str, pointer: str | None
) -> None:
    parent = game_of(ada, bob)
    told = problem(ada.post(f"{parent.path}/forks", body), status, code)
    assert told.get("pointer") == pointer


def test_a_private_game_is_forked_by_its_own_players_alone_and_stays_private(ada: Client, bob: Client) -> None:
    parent = ada.create(seats="mm", visibility="private")
    problem(bob.post(f"{parent.path}/forks", {"at": parent.version}), 404, "not-found")
    forked = fork(ada, parent)
    assert forked.now["visibility"] == "private"
    problem(bob.at(forked).get("board"), 404, "not-found")


def test_forking_needs_a_player(ada: Client, visitor: Client) -> None:
    parent = ada.create()
    problem(visitor.post(f"{parent.path}/forks", {"at": parent.version}), 401, "unauthenticated")


def test_the_same_key_makes_one_fork(ada: Client, bob: Client) -> None:
    parent = game_of(ada, bob)
    body = {"at": parent.version}
    first, again = (ada.post(f"{parent.path}/forks", body, Idempotency_Key="once") for _ in range(2))
    assert (first.status_code, again.data) == (201, first.data)
    assert again.headers["Idempotency-Replayed"] == "true"
    problem(ada.post(f"{parent.path}/forks", {"at": 6}, Idempotency_Key="once"), 422, "idempotency-key-reused")
    assert bob.post(f"{parent.path}/forks", body, Idempotency_Key="once").data != first.data


def test_an_undo_that_waits_in_the_parent_does_not_wait_in_the_fork(ada: Client, bob: Client) -> None:
    parent = game_of(ada, bob, undo="consent")
    at = parent.version
    parent.do("request_undo", {"to_version": at - 1})
    undo = fork(ada, parent).see("board")["undo"]
    assert (undo["request"], undo["allowed"], undo["reason"]) == (None, False, "nothing_played")


def test_a_step_that_the_parent_owed_is_owed_in_the_fork(ada: Client, bob: Client, house: House) -> None:
    parent = game_of(ada, bob)
    parent.do("call")
    forked = fork(ada, parent)
    assert forked.now["pending"] == "scoring"
    totals = forked.see("board")["board"]["totals"]
    assert house.services.sessions.take_owed(forked.game, forked.version) is not None
    assert forked.see("board")["board"]["totals"] == [total + 2 for total in totals]


def test_a_fork_of_how_a_game_ended_is_over_at_once(ada: Client, bob: Client) -> None:
    parent = game_of(ada, bob)
    parent.do("finish")
    forked = fork(ada, parent)
    assert (forked.now["status"], forked.now["result"]) == ("finished", parent.now["result"])
    assert forked.see("audit")["verdict"] == "verified"


def test_a_game_called_off_before_its_start_has_nothing_to_fork(ada: Client) -> None:
    parent = ada.create(seats="mm", start="manual")
    parent.do("cancel_game")
    problem(ada.post(f"{parent.path}/forks", {"at": parent.version}), 409, "game-not-started")


@pytest.mark.parametrize("ruleset", GAMES)
def test_a_fork_plays_on_to_a_verified_end_and_its_export_needs_no_parent(
    ada: Client, house: House, ruleset: str
) -> None:
    parent = ada.create(ruleset, seats="mbb")
    for _ in range(12):
        house.do_owed(parent.game)
        commands = parent.see("legal-commands")["commands"]
        parent.do(commands[0]["type"], commands[0]["data"])
    at = parent.version // 2
    forked = fork(house.player("Eve"), parent, at, seats=[{"kind": "bot", "bot": "random"}] * 3)
    assert forked.see("audit")["verdict"] == "sealed"
    house.do_owed(forked.game)
    assert forked.now["status"] == "finished"
    export = forked.get("export").data
    parent_lines = set(parent.get("export").data.splitlines())
    assert not parent_lines & set(export.splitlines())
    assert audit.verify_export(export, house.services.rulesets).verdict == "verified"
    assert forked.see("audit")["verdict"] == "verified"


@pytest.mark.parametrize("channel", [*CHANNELS, *FOR_PLAYERS])
def test_no_channel_of_a_fork_tells_a_secret_of_its_parent(
    ada: Client, bob: Client, monkeypatch: pytest.MonkeyPatch, channel: str
) -> None:
    look = {**CHANNELS, **FOR_PLAYERS}[channel]
    parents = [secretive(ada, bob, seed, monkeypatch) for seed in (1, 2, 3, 4)]
    assert len({blanked(look(fork(bob, parent))) for parent in parents}) == 1
