"""A game under way: whose turn it is, what is owed, how it ends, and what resigning does."""

import pytest

from domain.canonical import digest
from domain.errors import NotAllowed, RuleViolation, WrongMoment
from domain.game import Command
from domain.table import (
    BotSeat,
    CreateGame,
    Fact,
    Moment,
    MySeat,
    Order,
    Seat,
    chance_of,
    evolve,
    follow_up,
    owed_order,
    to_act,
)
from domain.table.commands import Redo, RequestUndo, Resign
from domain.table.events import GameEnded, GameStarted, SeatResigned, SeedRevealed
from tests.support.logged import SEED, LoggedGame, hot_seat
from tests.support.toy import TOO_MUCH, TOY, Add, Added, Call, Called, Finish, Finished, Settle, Settled


def toy(seats: int = 2) -> LoggedGame:
    return LoggedGame(hot_seat("toy", seats))


# Turns


def test_an_awaited_seat_plays() -> None:
    game = toy()
    assert game.give(Add(points=3), 1) == [Added(seat=1, points=3)]
    assert game.state.totals == (0, 3)


def test_a_rule_of_the_game_refuses_with_its_code_and_the_table_stays() -> None:
    refusal = toy().refusal(Add(points=9), 0)
    assert isinstance(refusal, RuleViolation)
    assert (refusal.rule, refusal.pointer) == (TOO_MUCH, "/data/points")


def test_a_seat_that_is_not_awaited_is_refused_and_the_awaited_named() -> None:
    game = LoggedGame(hot_seat("kreta", options={"first_seat": 1}))
    refusal = game.refusal(game.legal(1)[0], 0)
    assert isinstance(refusal, WrongMoment)
    assert refusal.code == "not-your-turn"
    assert "awaited: 1" in refusal.detail


def test_who_has_no_seat_does_not_play() -> None:
    refusal = toy().refusal(Add(points=1), player="bob")
    assert isinstance(refusal, NotAllowed)
    assert refusal.code == "forbidden"


# What the service owes


def test_while_a_step_is_owed_nobody_is_awaited_and_commands_are_refused() -> None:
    game = toy()
    assert game.give(Call(), 0) == [Called(seat=0)]
    assert game.pending == "scoring"
    assert game.awaited == ()
    for seat in (0, 1):
        refusal = game.refusal(Add(points=1), seat)
        assert isinstance(refusal, WrongMoment)
        assert refusal.code == "scoring-in-progress"


def test_the_service_does_the_owed_step_and_the_game_goes_on() -> None:
    game = toy()
    game.give(Call(), 0)
    assert game.settle() == [Settled(points=(2, 2))]
    assert (game.log[-1].seat, game.log[-1].actor) == (None, "system")
    assert game.pending is None
    assert game.awaited == (0, 1)


def test_a_step_that_is_not_owed_is_refused() -> None:
    game = toy()
    refusal = game.refusal(Settle(), actor="system")
    assert isinstance(refusal, WrongMoment)
    assert refusal.code == "nothing-owed"


def test_another_step_than_the_owed_one_is_refused() -> None:
    game = toy()
    game.give(Call(), 0)
    assert game.refusal(Add(points=1), actor="system").code == "nothing-owed"


def test_nothing_is_owed_before_the_start_nor_after_the_end() -> None:
    game = LoggedGame(hot_seat("toy", start="manual"))
    assert owed_order(TOY, game.position) is None
    ended = toy()
    ended.give(Call(), 0)
    assert owed_order(TOY, ended.position) == Order(command=Settle(), actor="system")
    ended.give(Resign(), 0)
    assert (ended.table.status, ended.pending) == ("finished", None)
    assert owed_order(TOY, ended.position) is None


def test_a_bot_that_is_awaited_is_pending() -> None:
    game = LoggedGame(CreateGame(ruleset="kreta", seats=(MySeat(), BotSeat()), options={"first_seat": 1}))
    assert game.pending == "bot"
    assert game.awaited == (1,)
    mine = LoggedGame(CreateGame(ruleset="kreta", seats=(MySeat(), BotSeat())))
    assert mine.pending is None


# The end


def test_a_game_played_to_its_end_says_who_won_and_opens_the_seed_in_the_same_command() -> None:
    game = toy()
    game.give(Add(points=4), 1)
    finished, ended, revealed = game.give(Finish(), 0)
    assert finished == Finished(seat=0)
    assert ended == GameEnded(reason="completed", scores=(0, 4), ranking=((1,), (0,)), winners=(1,))
    board = digest(TOY.view(game.state, None, reveal=True))
    assert revealed == SeedRevealed(seed=SEED.hex(), board_digest=board, view_schema=TOY.view_schema)
    assert {event.command.id for event in game.log[-3:]} == {game.log[-1].command.id}
    assert game.table.status == "finished"
    assert game.table.result is not None
    assert game.table.result.winners == (1,)


def test_equal_points_share_the_victory() -> None:
    game = toy(3)
    game.give(Add(points=4), 1)
    game.give(Add(points=4), 2)
    game.give(Finish(), 0)
    assert game.table.result is not None
    assert game.table.result.ranking == ((1, 2), (0,))


def test_nothing_follows_the_end() -> None:
    game = toy()
    game.give(Finish(), 0)
    moment = Moment(time=0, chance=chance_of(game.table, lambda: SEED), past=game.history)
    assert follow_up(TOY, game.position, moment, lambda: SEED) == []


@pytest.mark.parametrize("command", [Add(points=1), Resign(), RequestUndo(to_version=3), Redo()], ids=lambda c: c.type)
def test_after_the_end_every_command_is_refused(command: Command) -> None:
    game = toy()
    game.give(Finish(), 0)
    refusal = game.refusal(command, 0)
    assert isinstance(refusal, WrongMoment)
    assert refusal.code == "game-not-active"
    assert "finished" in refusal.detail


def test_after_the_end_nobody_is_awaited() -> None:
    game = toy()
    game.give(Finish(), 0)
    assert to_act(TOY, game.position) == ()
    assert game.legal(0) == ()
    assert game.pending is None


# Resigning


def test_with_two_seats_the_other_wins_whatever_the_points() -> None:
    game = toy()
    game.give(Add(points=5), 0)
    resigned, ended, revealed = game.give(Resign(), 0)
    assert resigned == SeatResigned(seat=0, bot=None)
    assert ended == GameEnded(reason="resigned", scores=(5, 0), ranking=((1,), (0,)), winners=(1,))
    assert isinstance(revealed, SeedRevealed)
    assert revealed.board_digest == digest(TOY.view(game.state, None, reveal=True))
    assert game.table.seats[0] == Seat(kind="player", player="ada", resigned=True)


def test_with_more_seats_a_bot_plays_on_in_the_name_of_the_player() -> None:
    game = toy(3)
    assert game.give(Resign(), 1) == [SeatResigned(seat=1, bot="greedy")]
    assert game.table.status == "active"
    assert game.table.seats[1] == Seat(kind="bot", player="ada", bot="greedy", resigned=True)
    assert game.pending == "bot"


def test_a_seat_may_resign_out_of_turn_and_while_a_step_is_owed() -> None:
    game = LoggedGame(hot_seat("kreta", 3))
    game.give(Resign(), 2)
    assert game.table.seats[2].resigned
    owing = toy(3)
    owing.give(Call(), 0)
    owing.give(Resign(), 1)
    assert owing.pending == "scoring"


def test_a_resigned_seat_ranks_last_even_with_the_most_points() -> None:
    game = toy(3)
    game.give(Resign(), 1)
    game.give(Add(points=5), 1, actor="bot")
    game.give(Add(points=2), 2)
    _, ended, _ = game.give(Finish(), 0)
    assert ended == GameEnded(reason="completed", scores=(0, 5, 2), ranking=((2,), (0,), (1,)), winners=(2,))


def test_several_resigned_seats_rank_last_among_themselves_by_points() -> None:
    game = toy(4)
    for seat in (1, 2):
        game.give(Resign(), seat)
    game.give(Add(points=5), 1, actor="bot")
    game.give(Add(points=3), 2, actor="bot")
    _, ended, _ = game.give(Finish(), 0)
    assert isinstance(ended, GameEnded)
    assert ended.ranking == ((0, 3), (1,), (2,))


def test_when_all_have_resigned_the_bots_play_it_out() -> None:
    game = toy(3)
    for seat in range(3):
        game.give(Resign(), seat)
    game.give(Add(points=1), 2, actor="bot")
    game.give(Finish(), 0, actor="bot")
    assert game.table.result is not None
    assert game.table.result.ranking == ((2,), (0, 1))


def test_who_has_no_seat_cannot_resign() -> None:
    refusal = toy().refusal(Resign(), player="bob")
    assert isinstance(refusal, NotAllowed)
    assert refusal.code == "forbidden"


# What the log may hold


def test_a_log_begins_with_a_founding_event() -> None:
    fact = Fact(
        event=GameStarted(), game="g1", version=1, at="", time=0, seat=None, actor="system", opens=True, draws=0
    )
    with pytest.raises(TypeError, match=r"table\.game_started"):
        evolve(TOY, None, fact, LoggedGame(hot_seat("toy")).history)
