"""Seats that change hands, clocks that run out, games that nobody plays on."""

from typing import Any

import pytest

from domain.errors import BadCommand, NotAllowed, WrongMoment
from domain.game import Command
from domain.table import BotSeat, Clock, CreateGame, MySeat, OpenSeat, Seat, due
from domain.table.clocks import Times
from domain.table.commands import (
    AbandonGame,
    AnswerUndo,
    ExpireClock,
    JoinGame,
    LapseUndo,
    Redo,
    ReplaceWithBot,
    RequestUndo,
    Resign,
    TakeOver,
)
from domain.table.events import (
    ClockExpired,
    GameAbandoned,
    GameEnded,
    SeatGivenToBot,
    SeatResigned,
    SeatTakenOver,
    SeedRevealed,
)
from events.history import milliseconds
from tests.support.logged import SEED, LoggedGame
from tests.support.toy import Add, Call, Finish, Flip

ADA, BOB, CLEO = 0, 1, 2
MONTH = 30 * 86_400_000
DAY = 86_400_000


def table(*players: str, bots: int = 0, ruleset: str = "toy", **choices: Any) -> LoggedGame:
    """Ada and these players, then bots."""
    seats = (MySeat(), *[OpenSeat()] * len(players), *[BotSeat()] * bots)
    game = LoggedGame(CreateGame(**{"ruleset": ruleset, "seats": seats, **choices}))
    for seat, player in enumerate(players, start=1):
        game.give(JoinGame(seat=seat), player=player)
    return game


def times(game: LoggedGame) -> Times:
    assert game.table.times is not None
    return game.table.times


# A bot in one's place, and back


def test_a_player_hands_the_seat_to_a_bot_and_takes_it_back() -> None:
    game = table("bob")
    assert game.give(ReplaceWithBot(bot="random"), BOB) == [SeatGivenToBot(seat=BOB, bot="random")]
    assert game.table.seats[BOB] == Seat(kind="bot", player="bob", bot="random")
    assert game.pending == "bot"
    assert game.give(TakeOver(seat=BOB), player="bob") == [SeatTakenOver(seat=BOB, player="bob")]
    assert game.table.seats[BOB] == Seat(kind="player", player="bob")


def test_a_player_with_several_seats_says_which_one_the_bot_gets() -> None:
    game = table("ada")
    game.give(ReplaceWithBot(seat=1), ADA)
    assert [seat.kind for seat in game.table.seats] == ["player", "bot"]


def test_nobody_puts_a_bot_in_another_players_place() -> None:
    refusal = table("bob").refusal(ReplaceWithBot(seat=BOB), ADA)
    assert isinstance(refusal, NotAllowed)
    assert (refusal.code, refusal.pointer) == ("not-your-seat", "/data/seat")


def test_a_bots_seat_cannot_be_handed_to_a_bot() -> None:
    refusal = table("bob", bots=1).refusal(ReplaceWithBot(seat=2), ADA)
    assert isinstance(refusal, WrongMoment)
    assert (refusal.code, refusal.pointer) == ("no-player-there", "/data/seat")


@pytest.mark.parametrize("command", [ReplaceWithBot(seat=5), TakeOver(seat=5)], ids=lambda command: command.type)
def test_a_seat_that_does_not_exist_is_refused(command: ReplaceWithBot | TakeOver) -> None:
    refusal = table("bob").refusal(command, ADA)
    assert isinstance(refusal, BadCommand)
    assert (refusal.code, refusal.pointer) == ("malformed-request", "/data/seat")


def test_in_an_unrated_game_anybody_from_outside_may_take_over_what_was_left() -> None:
    game = table("bob")
    game.give(ReplaceWithBot(), BOB)
    game.give(TakeOver(seat=BOB), player="eve")
    assert game.table.seats[BOB].player == "eve"


def test_nobody_at_the_table_takes_a_second_hand_over() -> None:
    game = table("bob")
    game.give(ReplaceWithBot(), BOB)
    refusal = game.refusal(TakeOver(seat=BOB), player="ada")
    assert isinstance(refusal, NotAllowed)
    assert (refusal.code, refusal.pointer) == ("not-your-seat", "/data/seat")


@pytest.mark.parametrize("leaving", [ReplaceWithBot(), Resign()])
def test_who_has_left_a_seat_does_not_see_another_hand_either(leaving: Command) -> None:
    game = table("bob", "cid")
    game.give(ReplaceWithBot(), BOB)
    game.give(leaving, ADA)
    refusal = game.refusal(TakeOver(seat=BOB), player="ada")
    assert isinstance(refusal, NotAllowed)
    assert refusal.code == "not-your-seat"


def test_in_a_rated_game_only_the_player_takes_the_seat_over() -> None:
    game = table("bob", rated=True, undo="off")
    game.give(ReplaceWithBot(), BOB)
    assert game.refusal(TakeOver(seat=BOB), player="eve").code == "not-your-seat"
    game.give(TakeOver(seat=BOB), player="bob")


def test_what_nobody_left_cannot_be_taken_over() -> None:
    game = table("bob", "cleo", bots=1)
    game.give(Resign(), CLEO)
    for seat in (BOB, CLEO, 3):
        refusal = game.refusal(TakeOver(seat=seat), player="cleo")
        assert isinstance(refusal, WrongMoment)
        assert refusal.code == "seat-taken"


def test_only_a_player_takes_over() -> None:
    game = table("bob")
    game.give(ReplaceWithBot(), BOB)
    assert game.refusal(TakeOver(seat=BOB)).code == "forbidden"


def test_what_one_hand_did_the_other_does_not_take_back() -> None:
    game = table("bob", undo="free")
    start = game.version
    game.give(Add(points=1), BOB)
    game.give(ReplaceWithBot(), BOB)
    game.give(TakeOver(seat=BOB), player="eve")
    assert game.refusal(RequestUndo(to_version=start), BOB).code == "undo-not-possible"


# Clocks


@pytest.mark.parametrize("clock", [Clock(), Clock(per_turn_seconds=5, bank_seconds=5)])
def test_a_clock_counts_either_the_turn_or_a_bank(clock: Clock) -> None:
    with pytest.raises(BadCommand) as refusal:
        table("bob", clock=clock)
    assert (refusal.value.code, refusal.value.pointer) == ("malformed-request", "/clock")


def test_a_clock_that_runs_out_gives_the_seat_to_a_bot() -> None:
    game = table("bob", ruleset="kreta", clock=Clock(per_turn_seconds=60))
    game.wait(59.999)
    assert game.refusal(ExpireClock(seat=ADA), actor="system").code == "nothing-owed"
    game.wait(0.001)
    assert game.give(ExpireClock(seat=ADA), actor="system") == [
        ClockExpired(seat=ADA),
        SeatGivenToBot(seat=ADA, bot="greedy"),
    ]
    assert game.pending == "bot"


def test_a_clock_that_runs_out_resigns_where_that_was_agreed() -> None:
    game = table("bob", ruleset="kreta", clock=Clock(bank_seconds=10, on_expiry="resign"))
    game.wait(10)
    expired, resigned, ended, revealed = game.give(ExpireClock(seat=ADA), actor="system")
    assert (expired, resigned) == (ClockExpired(seat=ADA), SeatResigned(seat=ADA, bot=None))
    assert isinstance(ended, GameEnded)
    assert ended.winners == (BOB,)
    assert isinstance(revealed, SeedRevealed)


def test_a_clock_runs_only_while_its_seat_is_awaited() -> None:
    game = table("bob", ruleset="kreta", clock=Clock(bank_seconds=10))
    game.wait(100)
    assert game.refusal(ExpireClock(seat=BOB), actor="system").code == "nothing-owed"


def test_after_its_time_a_seat_plays_no_more_but_its_bot_does() -> None:
    game = table("bob", clock=Clock(per_turn_seconds=60))
    game.wait(60)
    assert game.refusal(Add(points=1), ADA).code == "clock-expired"
    game.give(ExpireClock(seat=ADA), actor="system")
    game.give(Add(points=1), ADA, actor="bot")


def test_the_others_may_put_a_bot_in_place_of_whose_time_is_up() -> None:
    game = table("bob", ruleset="kreta", clock=Clock(per_turn_seconds=60))
    assert game.refusal(ReplaceWithBot(seat=ADA), BOB).code == "not-your-seat"
    game.wait(61)
    assert game.give(ReplaceWithBot(seat=ADA), BOB) == [SeatGivenToBot(seat=ADA, bot="greedy")]


def test_a_bank_is_charged_over_turns_and_grows_by_the_increment() -> None:
    game = table("bob", clock=Clock(bank_seconds=100, increment_seconds=5))
    game.wait(30)
    game.give(Add(points=1), ADA)  # both are still awaited: charged, and nothing is added
    assert game.table.times is not None
    assert game.table.times.left == (70_000, 70_000)
    game.wait(10)
    game.give(Call(), ADA)  # nobody is awaited now
    assert game.table.times.left == (65_000, 65_000)
    game.wait(1000)
    game.settle()
    assert game.table.times.left == (65_000, 65_000)
    assert game.table.times.run == (ADA, BOB)


def test_each_turn_begins_with_its_whole_time() -> None:
    game = table("bob", clock=Clock(per_turn_seconds=60))
    game.wait(50)
    game.give(Call(), ADA)
    game.settle()
    assert game.table.times is not None
    assert game.table.times.left == (60_000, 60_000)


def test_the_clocks_run_on_while_an_undo_waits_for_consent() -> None:
    game = table("bob", clock=Clock(per_turn_seconds=60))
    start = game.version
    game.give(Flip(), ADA)
    game.wait(10)
    game.give(RequestUndo(to_version=start), ADA)
    game.wait(20)
    game.give(AnswerUndo(accept=False), BOB)
    assert times(game).left == (30_000, 30_000)
    game.give(RequestUndo(to_version=start), ADA)
    game.wait(30)
    assert due(game.table, MONTH, MONTH) == (milliseconds(game.now), ExpireClock(seat=ADA))
    game.give(ExpireClock(seat=ADA), actor="system")
    assert game.table.request is None


def test_who_takes_a_turn_back_goes_on_with_the_time_that_was_left() -> None:
    game = table("bob", ruleset="kreta", undo="free", clock=Clock(per_turn_seconds=60))
    start = game.version
    game.wait(50)
    while game.awaited == (ADA,):
        before = game.version
        command = next(c for c in game.legal(ADA) if getattr(c, "character", "") != "castellan")
        game.give(command, ADA)
    assert times(game).left == (10_000, 60_000)
    game.wait(5)
    game.give(RequestUndo(to_version=before), ADA)
    assert times(game).left == (10_000, 55_000)
    assert times(game).run == (ADA,)
    game.wait(4)
    game.give(Redo(), ADA)
    assert times(game).left == (6_000, 60_000)
    game.give(RequestUndo(to_version=start), ADA)
    game.wait(6)
    for late in (Redo(), RequestUndo(to_version=start), command):
        assert game.refusal(late, ADA).code == "clock-expired"


def test_an_increment_is_given_once_for_a_turn_however_often_it_is_taken_back() -> None:
    game = table("bob", undo="free", clock=Clock(bank_seconds=100, increment_seconds=5))
    for _ in range(3):
        start = game.version
        game.give(Call(), ADA)
        assert times(game).left[ADA] == 105_000
        game.give(RequestUndo(to_version=start), ADA)
        assert times(game).left[ADA] == 100_000
        game.give(Redo(), ADA)
        assert times(game).left[ADA] == 105_000
        game.give(RequestUndo(to_version=start), ADA)


def test_after_an_undo_by_consent_the_seats_awaited_have_their_whole_time() -> None:
    game = table("bob", ruleset="kreta", clock=Clock(per_turn_seconds=60))
    start = game.version
    game.wait(59)
    while game.awaited == (ADA,):
        game.give(next(c for c in game.legal(ADA) if getattr(c, "character", "") != "castellan"), ADA)
    while game.awaited == (BOB,):
        game.give(next(c for c in game.legal(BOB) if getattr(c, "character", "") != "castellan"), BOB)
    game.give(RequestUndo(to_version=start), BOB)
    game.give(AnswerUndo(accept=True), ADA)
    assert (times(game).left[ADA], times(game).run) == (60_000, (ADA,))


def test_to_change_hands_wins_no_time() -> None:
    game = table("bob", clock=Clock(per_turn_seconds=60, increment_seconds=5))
    game.wait(50)
    game.give(ReplaceWithBot(), ADA)
    game.wait(100)
    game.give(TakeOver(seat=ADA), player="ada")
    assert times(game).left[ADA] == 10_000


def test_a_bank_that_is_used_up_is_not_taken_over() -> None:
    game = table("bob", clock=Clock(bank_seconds=10))
    game.wait(10)
    game.give(ExpireClock(seat=ADA), actor="system")
    refusal = game.refusal(TakeOver(seat=ADA), player="ada")
    assert (refusal.code, refusal.pointer) == ("clock-expired", "/data/seat")


def test_with_time_for_each_turn_a_seat_whose_clock_ran_out_is_taken_over() -> None:
    game = table("bob", clock=Clock(per_turn_seconds=10))
    game.wait(10)
    game.give(ExpireClock(seat=ADA), actor="system")
    game.give(Call(), ADA, actor="bot")
    game.settle()
    game.give(TakeOver(seat=ADA), player="ada")
    assert times(game).left[ADA] == 10_000


def test_a_game_without_clock_has_none_that_runs_out() -> None:
    game = table("bob")
    game.wait(10**6)
    assert game.table.times is None
    assert game.refusal(ExpireClock(seat=ADA), actor="system").code == "nothing-owed"


# What falls due


def test_a_game_that_its_players_left_alone_is_abandoned_and_opened() -> None:
    game = table("bob")
    abandoned, revealed = game.give(AbandonGame(), actor="system")
    assert abandoned == GameAbandoned()
    assert isinstance(revealed, SeedRevealed)
    assert revealed.seed == SEED.hex()
    assert revealed.board_digest is not None
    assert game.table.status == "abandoned"
    assert game.refusal(AbandonGame(), actor="system").code == "game-not-active"


def test_abandoning_falls_due_so_long_after_the_last_command_of_a_player() -> None:
    game = table("bob", bots=1)
    since = game.table.human_at
    game.wait(100)
    game.give(Add(points=1), 2, actor="bot")
    assert due(game.table, MONTH, MONTH) == (since + MONTH, AbandonGame())
    game.give(Add(points=1), ADA)
    assert due(game.table, MONTH, MONTH) == (since + MONTH + 100_000, AbandonGame())


def test_the_first_clock_falls_due_before() -> None:
    game = table("bob", clock=Clock(per_turn_seconds=60))
    assert due(game.table, MONTH, MONTH) == (game.table.human_at + 60_000, ExpireClock(seat=ADA))


def test_a_request_falls_due_a_minute_later() -> None:
    game = table("bob", clock=Clock(per_turn_seconds=600))
    start = game.version
    game.give(Flip(), ADA)
    game.give(RequestUndo(to_version=start), ADA)
    assert due(game.table, MONTH, MONTH) == (game.table.human_at + 60_000, LapseUndo())


def test_an_open_game_falls_due_by_a_time_of_its_own() -> None:
    waiting = LoggedGame(CreateGame(ruleset="toy", seats=(MySeat(), OpenSeat(), OpenSeat())))
    assert due(waiting.table, MONTH, DAY) == (waiting.table.human_at + DAY, AbandonGame())
    since = waiting.table.human_at
    waiting.wait(100)
    waiting.give(JoinGame(seat=1), player="bob")
    assert due(waiting.table, MONTH, DAY) == (since + 100_000 + DAY, AbandonGame())
    abandoned, revealed = waiting.give(AbandonGame(), actor="system")
    assert abandoned == GameAbandoned(reason="silence")
    assert revealed == SeedRevealed(seed=SEED.hex(), board_digest=None, view_schema=None)


def test_the_log_says_when_a_game_was_closed() -> None:
    game = table("bob")
    assert game.give(AbandonGame(reason="closed"), actor="system")[0] == GameAbandoned(reason="closed")


def test_nothing_falls_due_after_the_end() -> None:
    ended = table("bob")
    ended.give(Finish(), ADA)
    assert due(ended.table, MONTH, DAY) is None
