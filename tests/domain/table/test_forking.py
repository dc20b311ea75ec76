"""A game that begins from how another stood."""

from typing import Any

import pytest

from domain.errors import BadCommand, NotAllowed, WrongMoment
from domain.table import BotSeat, CreateGame, ForkGame, MySeat, OpenSeat, Seat
from domain.table.commands import JoinGame, Parent, ReplaceWithBot
from domain.table.events import GameForked, GameStarted
from domain.table.founding import commitment_to
from tests.support.logged import LoggedGame
from tests.support.toy import CARDS, Add, Finish, Peek

SEED = bytes(32)


def parent(**choices: Any) -> LoggedGame:
    """Ada and Bob have each peeked at a card and made some points."""
    game = LoggedGame(CreateGame(**{"ruleset": "toy", "seats": (MySeat(), OpenSeat()), **choices}))
    game.give(JoinGame(seat=1), player="bob")
    for seat in (0, 1):
        game.give(Peek(), seat)
        game.give(Add(points=seat + 2), seat)
    return game


def forked(game: LoggedGame, creator: str = "bob", at: int | None = None, **choices: Any) -> LoggedGame:
    return game.fork(ForkGame(game="g1", at=at or game.version, **choices), creator, seed=SEED)


def test_a_fork_says_where_it_comes_from_and_goes_on_from_there() -> None:
    game = parent()
    fork = forked(game)
    event = fork.typed[0]
    assert isinstance(event, GameForked)
    assert event.parent == Parent(game="g1", version=game.version, head=game.log[-1].digest)
    assert event.commitment == commitment_to(SEED)
    assert fork.table.parent == event.parent
    assert fork.typed[1:] == [GameStarted()]
    assert fork.table.status == "active"
    assert fork.state.totals == game.state.totals
    fork.give(Add(points=1), 1)


def test_what_the_forkers_seat_has_seen_stays_and_the_rest_is_drawn_anew() -> None:
    game = parent()
    states = [forked(game, "bob").state, forked(game, "eve").state]
    assert states[0].seen[1] == game.state.seen[1]
    for state in states:
        assert sorted([*state.pile, *state.seen[0], *state.seen[1]]) == sorted(CARDS)
        assert state.pile != game.state.pile
    event = forked(game, "bob").typed[0]
    assert isinstance(event, GameForked)
    assert (event.knowing, event.same_chance) == ((1,), False)
    (shuffle,) = event.private[0].data.shuffles
    assert shuffle.draw == 0
    assert forked(game).table.draws == 1


def test_the_forker_sits_where_they_sat_and_bots_take_the_other_seats() -> None:
    fork = forked(parent())
    assert fork.table.seats == (Seat("bot", None, "greedy"), Seat("player", "bob"))
    assert fork.table.creator == "bob"


def test_who_did_not_play_forks_from_seat_0() -> None:
    assert forked(parent(), "eve").table.seats == (Seat("player", "eve"), Seat("bot", None, "greedy"))


def test_the_forker_may_seat_others_and_then_it_waits_for_them() -> None:
    fork = forked(parent(), seats=(OpenSeat(), BotSeat("random")))
    assert (fork.table.status, fork.version) == ("open", 1)
    assert fork.state is not None
    board = fork.board
    assert fork.give(JoinGame(seat=0), player="cleo")[-1] == GameStarted()
    assert fork.board == board


def test_a_fork_has_as_many_seats_as_its_parent() -> None:
    with pytest.raises(BadCommand) as refusal:
        forked(parent(), seats=(MySeat(),) * 3)
    assert (refusal.value.code, refusal.value.pointer) == ("seats-out-of-range", "/seats")


def test_before_the_start_there_is_nothing_to_fork() -> None:
    with pytest.raises(WrongMoment) as refusal:
        forked(parent(), at=1)
    assert (refusal.value.code, refusal.value.pointer) == ("game-not-started", "/at")


def test_the_same_chance_is_had_when_the_parent_is_over() -> None:
    game = parent()
    with pytest.raises(WrongMoment) as refusal:
        forked(game, chance="same")
    assert (refusal.value.code, refusal.value.pointer) == ("game-not-over", "/chance")
    before = game.version
    state = game.state
    game.give(Finish(), 0)
    fork = forked(game, at=before, chance="same")
    assert fork.state == state
    event = fork.typed[0]
    assert isinstance(event, GameForked)
    assert event.same_chance


def test_a_rated_game_is_forked_when_it_is_over() -> None:
    game = parent(rated=True, undo="off")
    before = game.version
    with pytest.raises(NotAllowed) as refusal:
        forked(game)
    assert refusal.value.code == "rated-game-running"
    game.give(Finish(), 0)
    fork = forked(game, at=before)
    assert (fork.table.rated, fork.table.undo) == (False, "consent")


def test_a_fork_can_be_forked() -> None:
    fork = forked(parent())
    again = fork.fork(ForkGame(game="g2", at=fork.version), "bob", game="g3")
    assert again.table.parent is not None
    assert again.table.parent.game == "g2"
    assert again.state.totals == fork.state.totals


def test_who_gave_the_seat_away_later_forks_from_the_seat_held_then() -> None:
    game = parent()
    at, state = game.version, game.state
    game.give(ReplaceWithBot(), 1)
    fork = forked(game, "bob", at=at)
    assert fork.table.seats[1] == Seat("player", "bob")
    assert fork.state.seen[1] == state.seen[1]


def test_what_the_forker_saw_from_a_seat_that_others_take_in_the_fork_is_drawn_anew() -> None:
    game = parent()
    forks = [
        game.fork(ForkGame(game="g1", at=game.version, seats=(MySeat(), OpenSeat())), "bob", seed=bytes([seed]) * 32)
        for seed in range(8)
    ]
    assert {event.knowing for fork in forks if isinstance(event := fork.typed[0], GameForked)} == {()}
    assert len({fork.state.seen[1] for fork in forks}) > 1
