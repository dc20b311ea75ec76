"""Playing a game once more."""

import pytest

from domain.errors import NotAllowed, WrongMoment
from domain.table import BotSeat, CreateGame, MySeat, OpenSeat, rematch
from domain.table.commands import CancelGame, Clock, JoinGame, KeptSeat, Parent, ReplaceWithBot, StartGame
from domain.table.state import Seat
from tests.support.logged import LoggedGame
from tests.support.toy import Finish

CHOICES = CreateGame(
    ruleset="toy",
    seats=(MySeat(), OpenSeat(), BotSeat("random")),
    options={"pace": "fast", "colours": ["red", "blue", "green"]},
    visibility="private",
    undo="free",
    clock=Clock(per_turn_seconds=60),
    start="manual",
)


def played() -> LoggedGame:
    game = LoggedGame(CHOICES)
    game.give(JoinGame(seat=1), player="bob")
    return game


def ended() -> LoggedGame:
    game = played()
    game.give(StartGame(), player="ada")
    game.give(Finish(), 0)
    return game


def again(game: LoggedGame, player: str) -> CreateGame:
    return rematch(game.table, game.log[-1].digest, player)


def test_it_is_played_by_the_same_choices_and_names_the_end_of_the_game_before() -> None:
    game = ended()
    command = again(game, "ada")
    assert command.options == game.table.options
    assert command.options["pace"] == "fast"
    assert (command.ruleset, command.visibility, command.undo) == ("toy", "private", "free")
    assert (command.clock, command.rated, command.start) == (CHOICES.clock, False, "manual")
    assert command.rematch_of == Parent(game=game.table.id, version=game.version, head=game.log[-1].digest)


def test_everybody_moves_up_a_seat_and_the_seats_of_the_others_are_kept_for_them() -> None:
    assert again(ended(), "ada").seats == (KeptSeat("bob"), BotSeat("random"), MySeat())
    assert again(ended(), "bob").seats == (MySeat(), BotSeat("random"), KeptSeat("ada"))


def test_the_first_event_of_the_new_game_names_the_old_one() -> None:
    old = ended()
    new = LoggedGame(again(old, "bob"), creator="bob", game="g2")
    assert new.table.rematch_of == Parent(game="g1", version=old.version, head=old.log[-1].digest)
    assert new.table.seats[2] == Seat("open", player="ada")
    new.give(JoinGame(seat=2), player="ada")


def test_who_has_left_a_seat_to_a_bot_is_wanted_again() -> None:
    game = LoggedGame(CreateGame(ruleset="toy", seats=(MySeat(), OpenSeat())))
    game.give(JoinGame(seat=1), player="bob")
    game.give(ReplaceWithBot(), 1)
    game.give(Finish(), 0)
    assert again(game, "ada").seats == (KeptSeat("bob"), MySeat())


def test_a_rated_game_is_played_once_more_by_the_same_players() -> None:
    game = LoggedGame(CreateGame(ruleset="toy", seats=(MySeat(), OpenSeat()), rated=True, undo="off"))
    game.give(JoinGame(seat=1), player="bob")
    game.give(Finish(), 0)
    new = LoggedGame(again(game, "ada"), game="g2")
    new.give(JoinGame(seat=0), player="bob")
    assert new.table.rated
    assert new.table.status == "active"


def test_a_game_that_never_began_may_be_set_up_once_more() -> None:
    game = LoggedGame(CHOICES)
    game.give(CancelGame(), player="ada")
    assert again(game, "ada").seats == (OpenSeat(), BotSeat("random"), MySeat())


def test_a_game_that_is_not_over_is_not_played_once_more() -> None:
    with pytest.raises(WrongMoment) as refusal:
        again(played(), "ada")
    assert refusal.value.code == "game-not-over"


def test_only_those_who_have_played_play_once_more() -> None:
    with pytest.raises(NotAllowed) as refusal:
        again(ended(), "cleo")
    assert refusal.value.code == "forbidden"
