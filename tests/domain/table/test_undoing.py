"""Undo and redo by a seat alone: what it may take back, how far, and what stands in the way."""

import pytest

from domain.errors import NotAllowed, WrongMoment
from domain.game import Command
from domain.table import CreateGame, MySeat, OpenSeat, Undo, undo_for
from domain.table.commands import JoinGame, Redo, RequestUndo, Resign
from domain.table.events import HistoryRewound
from domain.table.undo import MOST_STEPS
from tests.support.logged import LoggedGame, hot_seat
from tests.support.toy import Add, Call, Finish, Flip, Peek


def toy(seats: int = 2, undo: str = "free") -> LoggedGame:
    return LoggedGame(hot_seat("toy", seats, undo=undo))


def offered(game: LoggedGame, seat: int | None = 0) -> Undo:
    return undo_for(game.table, seat)


def refused(game: LoggedGame, to_version: int, seat: int = 0) -> str:
    refusal = game.refusal(RequestUndo(to_version=to_version), seat)
    assert isinstance(refusal, WrongMoment)
    assert refusal.code == "undo-not-possible"
    return refusal.detail


START = 3
"""The version of a toy game after its set-up."""


# Going back


def test_an_undo_restores_the_board_and_says_so_in_one_event() -> None:
    game = toy()
    board = game.board
    game.give(Add(points=3), 0)
    assert game.give(RequestUndo(to_version=START), 0) == [HistoryRewound(to=START, seat=0)]
    assert game.board == board
    assert game.version == START + 2


def test_one_undo_takes_back_several_commands_at_once() -> None:
    game = toy()
    boards = {}
    for points in (1, 2, 3):
        boards[game.version] = game.board
        game.give(Add(points=points), 0)
    game.give(RequestUndo(to_version=START + 1), 0)
    assert game.board == boards[START + 1]
    assert offered(game).to_version == START


def test_undo_after_undo_goes_further_back() -> None:
    game = toy()
    board = game.board
    game.give(Add(points=1), 0)
    game.give(Add(points=2), 0)
    game.give(RequestUndo(to_version=START + 1), 0)
    game.give(RequestUndo(to_version=START), 0)
    assert game.board == board
    assert offered(game) == Undo(allowed=False, reason="nothing_played", redo_to=START + 3)


def test_an_undo_across_an_earlier_undo_lands_on_the_line_that_is_played() -> None:
    game = toy()
    game.give(Add(points=1), 0)
    game.give(RequestUndo(to_version=START), 0)
    board = game.board
    game.give(Add(points=5), 0)
    assert offered(game).to_version == START + 2
    game.give(RequestUndo(to_version=START + 2), 0)
    assert game.board == board


def test_what_is_on_offer_is_told_before_anyone_asks() -> None:
    game = toy()
    assert not offered(game).allowed
    game.give(Add(points=1), 0)
    game.give(Add(points=2), 0)
    offer = offered(game)
    assert (offer.allowed, offer.to_version, offer.earliest_version) == (True, START + 1, START)
    assert (offer.needs, offer.reason, offer.redo_to) == ((), None, None)


@pytest.mark.parametrize("to_version", [1, 2, START, START + 2, 99])
def test_an_undo_goes_back_to_a_boundary_between_ones_own_commands_only(to_version: int) -> None:
    game = toy()
    game.give(Add(points=1), 1)
    game.give(Add(points=2), 0)
    refused(game, to_version)
    game.give(RequestUndo(to_version=START + 1), 0)


def test_the_versions_to_which_a_seat_may_go_back_are_named() -> None:
    game = toy()
    game.give(Add(points=1), 0)
    game.give(Add(points=2), 0)
    refusal = game.refusal(RequestUndo(to_version=1), 0)
    assert refusal.pointer == "/data/to_version"
    assert f"{START}, {START + 1}" in refusal.detail


def test_a_boundary_is_between_commands_not_between_events() -> None:
    game = toy()
    game.give(Add(points=1), 0)
    game.give(Flip(), 0)  # two events
    game.give(Add(points=1), 0)
    middle = game.version - 2
    refused(game, middle)


# What stands in the way


def test_the_start_of_a_game_cannot_be_undone() -> None:
    game = toy()
    for version in range(1, START + 1):
        refused(game, version)


def test_who_has_not_played_has_nothing_to_take_back() -> None:
    game = toy()
    game.give(Add(points=1), 1)
    assert "others_have_acted" in refused(game, START)
    assert offered(game, 0) == Undo(allowed=False, reason="others_have_acted")
    assert offered(game, 1).allowed


def test_others_have_acted_since() -> None:
    game = toy()
    game.give(Add(points=1), 0)
    game.give(Add(points=1), 1)
    assert "others_have_acted" in refused(game, START)


def test_others_have_acted_even_when_they_took_it_back() -> None:
    game = toy()
    game.give(Add(points=1), 0)
    game.give(Add(points=1), 1)
    game.give(RequestUndo(to_version=START + 1), 1)
    assert "others_have_acted" in refused(game, START)


def test_between_two_of_ones_own_commands_another_seats_stands_for_good() -> None:
    game = toy()
    game.give(Add(points=1), 0)
    game.give(Add(points=2), 1)
    game.give(Add(points=3), 0)
    refused(game, START)
    refused(game, START + 1)
    assert offered(game).earliest_version == START + 2
    game.give(RequestUndo(to_version=START + 2), 0)
    assert game.state.totals == (1, 2)
    assert offered(game) == Undo(allowed=False, reason="others_have_acted", redo_to=START + 3)


@pytest.mark.parametrize("command", [Peek(), Flip()], ids=["shown to one seat", "shown to all"])
def test_what_was_shown_to_somebody_stays_known(command: Command) -> None:
    game = toy()
    game.give(Add(points=1), 0)
    game.give(command, 0)
    assert "hidden_information_revealed" in refused(game, START)
    assert offered(game) == Undo(allowed=False, reason="hidden_information_revealed")


def test_after_a_reveal_new_commands_may_be_taken_back_as_far_as_the_reveal() -> None:
    game = toy()
    game.give(Flip(), 0)
    board, version = game.board, game.version
    game.give(Add(points=2), 0)
    refused(game, START)
    game.give(RequestUndo(to_version=version), 0)
    assert game.board == board


def test_a_step_of_the_service_stands_in_the_way() -> None:
    game = toy()
    game.give(Call(), 0)
    assert offered(game).allowed
    game.settle()
    assert "others_have_acted" in refused(game, START)


def test_an_owed_step_that_has_not_been_done_can_still_be_taken_back() -> None:
    game = toy()
    game.give(Call(), 0)
    game.give(RequestUndo(to_version=START), 0)
    assert game.pending is None
    assert game.awaited == (0, 1)


def test_a_bot_that_has_acted_stands_in_the_way() -> None:
    game = toy(3)
    game.give(Resign(), 2)
    game.give(Add(points=1), 0)
    game.give(Add(points=1), 2, actor="bot")
    assert "others_have_acted" in refused(game, START + 1)


def test_a_resignation_stands_in_the_way() -> None:
    game = toy(3)
    game.give(Add(points=1), 0)
    game.give(Resign(), 1)
    assert "others_have_acted" in refused(game, START)


def test_a_game_without_undo_refuses_it() -> None:
    game = toy(undo="off")
    game.give(Add(points=1), 0)
    assert game.refusal(RequestUndo(to_version=START), 0).code == "undo-off"
    assert offered(game) == Undo(allowed=False, reason="undo_off")


def test_a_spectator_undoes_nothing() -> None:
    game = toy()
    game.give(Add(points=1), 0)
    assert offered(game, None) == Undo(allowed=False, reason="spectator")
    for command in (RequestUndo(to_version=START), Redo()):
        refusal = game.refusal(command, player="eve")
        assert isinstance(refusal, NotAllowed)
        assert refusal.code == "forbidden"


def test_a_game_that_is_not_under_way_offers_no_undo() -> None:
    before = LoggedGame(CreateGame(ruleset="toy", seats=(MySeat(), OpenSeat()), undo="free"))
    assert offered(before) == Undo(allowed=False, reason="game_not_active")
    game = toy()
    game.give(Add(points=1), 0)
    game.give(Finish(), 0)
    assert offered(game) == Undo(allowed=False, reason="game_not_active")


def test_far_back_is_too_far_so_that_a_command_costs_the_same_in_a_long_game() -> None:
    game = toy()
    for _ in range(MOST_STEPS + 5):
        game.give(Add(points=1), 0)
    assert len(game.table.line.steps) == MOST_STEPS
    refused(game, START + 4)
    game.give(RequestUndo(to_version=START + 5), 0)
    assert game.state.totals == (5, 0)


# What a rewind does not touch


def test_a_rewind_moves_the_game_and_not_the_table() -> None:
    game = LoggedGame(CreateGame(ruleset="toy", seats=(MySeat(), OpenSeat()), undo="free"))
    game.give(JoinGame(seat=1, entropy="x"), player="bob")
    version = game.version
    game.give(Add(points=1), 1)
    before = game.table
    game.give(RequestUndo(to_version=version), 1)
    for kept in ("seats", "entropies", "draws", "status", "commitment", "created_at"):
        assert getattr(game.table, kept) == getattr(before, kept)


# Redo


def test_a_redo_takes_the_undo_back() -> None:
    game = toy()
    game.give(Add(points=1), 0)
    game.give(Add(points=2), 0)
    board, stood = game.board, game.version
    game.give(RequestUndo(to_version=START), 0)
    assert offered(game).redo_to == stood
    assert game.give(Redo(), 0) == [HistoryRewound(to=stood, seat=0, redo=True)]
    assert game.board == board
    assert offered(game).redo_to is None
    assert (offered(game).to_version, offered(game).earliest_version) == (START + 1, START)


def test_several_undos_are_redone_in_turn() -> None:
    game = toy()
    boards = []
    for points in (1, 2, 3):
        game.give(Add(points=points), 0)
        boards.append(game.board)
    for back in (START + 2, START + 1):
        game.give(RequestUndo(to_version=back), 0)
    for board in boards[1:]:
        game.give(Redo(), 0)
        assert game.board == board
    assert game.refusal(Redo(), 0).code == "nothing-to-redo"


def test_an_undo_after_a_redo_and_its_redo_come_out_right() -> None:
    game = toy()
    game.give(Add(points=1), 0)
    game.give(Add(points=2), 0)
    board = game.board
    game.give(RequestUndo(to_version=START), 0)
    game.give(Redo(), 0)
    game.give(RequestUndo(to_version=START + 1), 0)
    assert game.state.totals == (1, 0)
    game.give(Redo(), 0)
    assert game.board == board


def test_there_is_nothing_to_redo_before_an_undo() -> None:
    game = toy()
    game.give(Add(points=1), 0)
    refusal = game.refusal(Redo(), 0)
    assert isinstance(refusal, WrongMoment)
    assert refusal.code == "nothing-to-redo"


@pytest.mark.parametrize("seat", [0, 1])
def test_a_new_command_of_any_seat_ends_the_redo(seat: int) -> None:
    game = toy()
    game.give(Add(points=1), 0)
    game.give(RequestUndo(to_version=START), 0)
    game.give(Add(points=2), seat)
    assert game.refusal(Redo(), 0).code == "nothing-to-redo"
    assert offered(game).redo_to is None


def test_only_the_seat_that_undid_redoes() -> None:
    game = toy()
    game.give(Add(points=1), 0)
    game.give(RequestUndo(to_version=START), 0)
    assert offered(game, 1).redo_to is None
    assert game.refusal(Redo(), 1).code == "nothing-to-redo"
    assert offered(game, 0).redo_to == START + 1


def test_a_resignation_ends_the_redo() -> None:
    game = toy(3)
    game.give(Add(points=1), 0)
    game.give(RequestUndo(to_version=START), 0)
    game.give(Resign(), 2)
    assert game.refusal(Redo(), 0).code == "nothing-to-redo"


# The barrier of a real game


def test_kreta_a_fort_card_that_was_turned_up_bars_the_way_back() -> None:
    game = LoggedGame(hot_seat("kreta"))
    start = game.version
    castellan = next(c for c in game.legal(0) if getattr(c, "character", "") == "castellan")
    game.give(castellan, 0)
    assert offered(game).to_version == start
    assert game.pending == "scoring"
    game.settle()
    assert offered(game) == Undo(allowed=False, reason="hidden_information_revealed")
    keep, replace = game.legal(0)
    turned_up = game.version
    game.give(keep, 0)
    assert offered(game).to_version == turned_up
    game.give(RequestUndo(to_version=turned_up), 0)
    game.give(replace, 0)
    assert offered(game).reason == "hidden_information_revealed"
    assert "hidden_information_revealed" in refused(game, turned_up)
