"""Undo and redo with the consent of the other players."""

import pytest

from domain.errors import DomainError, NotAllowed, WrongMoment
from domain.table import BotSeat, CreateGame, MySeat, OpenSeat, undo_for
from domain.table.commands import AnswerUndo, JoinGame, LapseUndo, Redo, RequestUndo, Resign, UndoPolicy
from domain.table.events import HistoryRewound, UndoAnswered, UndoLapsed, UndoRequested
from domain.table.undo import MOST_STEPS
from tests.support.logged import LoggedGame
from tests.support.toy import Add, Call, Finish, Flip, Settle

ADA, BOB, CLEO = 0, 1, 2


def table(*players: str, bots: int = 0, undo: UndoPolicy = "consent") -> LoggedGame:
    """Ada and these players, then bots."""
    seats: tuple[MySeat | OpenSeat | BotSeat, ...] = (MySeat(), *[OpenSeat()] * len(players), *[BotSeat()] * bots)
    game = LoggedGame(CreateGame(ruleset="toy", seats=seats, undo=undo))
    for seat, player in enumerate(players, start=1):
        game.give(JoinGame(seat=seat), player=player)
    return game


def ask(game: LoggedGame, to_version: int, seat: int = ADA) -> None:
    (requested,) = game.give(RequestUndo(to_version=to_version), seat)
    assert isinstance(requested, UndoRequested)


def wrong_moment(refusal: DomainError) -> str:
    assert isinstance(refusal, WrongMoment)
    return refusal.code


def test_ones_own_last_commands_need_nobodys_consent() -> None:
    game = table("bob")
    start = game.version
    game.give(Add(points=1), ADA)
    assert game.give(RequestUndo(to_version=start), ADA) == [HistoryRewound(to=start, seat=ADA)]


def test_further_back_every_other_player_is_asked_and_all_must_agree() -> None:
    game = table("bob", "cleo")
    start, board = game.version, game.board
    game.give(Add(points=1), ADA)
    game.give(Add(points=2), BOB)
    assert game.give(RequestUndo(to_version=start), ADA) == [
        UndoRequested(seat=ADA, to=start, redo=False, needs=(BOB, CLEO))
    ]
    assert game.give(AnswerUndo(accept=True), CLEO) == [UndoAnswered(seats=(CLEO,), accepted=True)]
    assert game.table.request is not None
    assert game.give(AnswerUndo(accept=True), BOB) == [
        UndoAnswered(seats=(BOB,), accepted=True),
        HistoryRewound(to=start, seat=ADA),
    ]
    assert game.board == board
    assert game.table.request is None


def test_what_is_hidden_is_crossed_with_consent() -> None:
    game = table("bob")
    start, board = game.version, game.board
    game.give(Flip(), ADA)
    offer = undo_for(game.table, ADA)
    assert (offer.allowed, offer.needs, offer.reason) == (True, (BOB,), "hidden_information_revealed")
    assert (offer.to_version, offer.earliest_version) == (start, start)
    ask(game, start)
    game.give(AnswerUndo(accept=True), BOB)
    assert game.board == board


def test_one_who_does_not_agree_ends_the_request() -> None:
    game = table("bob", "cleo")
    start = game.version
    game.give(Flip(), ADA)
    ask(game, start)
    assert game.give(AnswerUndo(accept=False), BOB) == [UndoAnswered(seats=(BOB,), accepted=False)]
    assert game.table.request is None
    assert wrong_moment(game.refusal(AnswerUndo(accept=True), CLEO)) == "no-undo-requested"


def test_a_player_with_several_seats_answers_once_for_all_of_them() -> None:
    game = table("bob", "bob")
    start = game.version
    game.give(Flip(), ADA)
    ask(game, start)
    answered, rewound = game.give(AnswerUndo(accept=True), BOB)
    assert answered == UndoAnswered(seats=(BOB, CLEO), accepted=True)
    assert rewound == HistoryRewound(to=start, seat=ADA)


def test_bots_agree_at_once_and_so_does_nobody_else_at_all() -> None:
    game = table(bots=2)
    start = game.version
    game.give(Add(points=1), ADA)
    game.give(Add(points=1), 1, actor="bot")
    game.give(Flip(), ADA)
    offer = undo_for(game.table, ADA)
    assert (offer.allowed, offer.needs, offer.earliest_version) == (True, (), start)
    assert game.give(RequestUndo(to_version=start), ADA) == [HistoryRewound(to=start, seat=ADA)]


def test_while_a_request_waits_bots_and_owed_steps_wait_too() -> None:
    game = table("bob", bots=1)
    start = game.version
    game.give(Add(points=1), ADA)
    assert game.pending == "bot"
    game.give(Call(), BOB)
    assert game.pending == "scoring"
    ask(game, start)
    assert game.pending is None
    assert game.settle() == []
    game.give(AnswerUndo(accept=False), BOB)
    assert game.pending == "scoring"


def test_an_owed_step_that_comes_while_a_request_waits_is_refused() -> None:
    game = table("bob")
    start = game.version
    game.give(Call(), BOB)
    ask(game, start)
    assert wrong_moment(game.refusal(Settle(), actor="system")) == "nothing-owed"


def test_a_request_lapses_when_a_player_goes_on() -> None:
    game = table("bob")
    start = game.version
    game.give(Flip(), ADA)
    ask(game, start)
    game.give(Add(points=1), BOB)
    assert game.table.request is None
    assert wrong_moment(game.refusal(AnswerUndo(accept=True), BOB)) == "no-undo-requested"


def test_a_request_lapses_after_a_minute_and_not_before() -> None:
    game = table("bob")
    start = game.version
    assert wrong_moment(game.refusal(LapseUndo(), actor="system")) == "nothing-owed"
    game.give(Flip(), ADA)
    ask(game, start)
    game.wait(59.999)
    assert wrong_moment(game.refusal(LapseUndo(), actor="system")) == "nothing-owed"
    game.wait(0.001)
    assert game.give(LapseUndo(), actor="system") == [UndoLapsed()]
    assert game.table.request is None


def test_one_request_at_a_time() -> None:
    game = table("bob")
    start = game.version
    game.give(Flip(), ADA)
    ask(game, start)
    for seat in (ADA, BOB):
        refusal = game.refusal(RequestUndo(to_version=start), seat)
        assert wrong_moment(refusal) == "undo-requested"
        assert f"Seat {ADA}" in refusal.detail


def test_only_those_who_are_asked_answer() -> None:
    game = table("bob", "cleo")
    start = game.version
    game.give(Flip(), ADA)
    ask(game, start)
    game.give(AnswerUndo(accept=True), BOB)
    for player in ("ada", "bob", "eve"):
        refusal = game.refusal(AnswerUndo(accept=True), player=player)
        assert isinstance(refusal, NotAllowed)
        assert refusal.code == "forbidden"


def test_there_must_be_something_to_answer() -> None:
    assert wrong_moment(table("bob").refusal(AnswerUndo(accept=True), BOB)) == "no-undo-requested"


def test_consent_goes_back_to_any_boundary_since_the_start_and_to_nothing_else() -> None:
    game = table("bob")
    start = game.version
    game.give(Add(points=1), ADA)
    game.give(Flip(), BOB)  # two events
    after = game.version
    game.give(Add(points=1), ADA)
    for version in (1, start - 1, after - 1, game.version, game.version + 1):
        refusal = game.refusal(RequestUndo(to_version=version), BOB)
        assert wrong_moment(refusal) == "undo-not-possible"
        assert refusal.pointer == "/data/to_version"
    for version in (start, start + 1, after):
        ask(game, version, BOB)
        game.give(AnswerUndo(accept=False), ADA)


def test_before_the_first_command_there_is_nothing_to_ask_for() -> None:
    game = table("bob")
    assert not undo_for(game.table, ADA).allowed
    assert wrong_moment(game.refusal(RequestUndo(to_version=game.version), ADA)) == "undo-not-possible"


def test_in_a_game_of_free_undo_nobody_is_asked() -> None:
    game = table("bob", undo="free")
    start = game.version
    game.give(Add(points=1), ADA)
    game.give(Add(points=1), BOB)
    assert not undo_for(game.table, ADA).allowed
    assert wrong_moment(game.refusal(RequestUndo(to_version=start), ADA)) == "undo-not-possible"


def test_what_others_agreed_to_undo_takes_their_consent_to_redo() -> None:
    game = table("bob")
    start = game.version
    game.give(Add(points=1), ADA)
    game.give(Add(points=2), BOB)
    board = game.board
    ask(game, start)
    game.give(AnswerUndo(accept=True), BOB)
    undone = game.version
    offers = [undo_for(game.table, seat) for seat in (ADA, BOB)]
    assert [(offer.redo_to, offer.redo_needs) for offer in offers] == [(undone - 1, (BOB,)), (undone - 1, (ADA,))]
    assert game.give(Redo(), BOB) == [UndoRequested(seat=BOB, to=undone - 1, redo=True, needs=(ADA,))]
    assert game.give(AnswerUndo(accept=True), ADA)[1] == HistoryRewound(to=undone - 1, seat=BOB, redo=True)
    assert game.board == board


def test_alone_with_bots_a_redo_of_such_an_undo_is_done_at_once() -> None:
    game = table(bots=1)
    start = game.version
    game.give(Flip(), ADA)
    board = game.board
    game.give(RequestUndo(to_version=start), ADA)
    (redone,) = game.give(Redo(), ADA)
    assert isinstance(redone, HistoryRewound)
    assert game.board == board


def test_a_request_is_shown_to_all_with_what_it_waits_for() -> None:
    game = table("bob")
    start = game.version
    game.give(Flip(), ADA)
    ask(game, start)
    for viewer in (ADA, BOB, None):
        request = undo_for(game.table, viewer).request
        assert request is not None
        assert (request.seat, request.to, request.needs) == (ADA, start, (BOB,))


def test_the_end_of_the_game_and_a_resignation_end_a_request() -> None:
    for end in (Finish(), Resign()):
        game = table("bob", "cleo")
        start = game.version
        game.give(Flip(), ADA)
        ask(game, start)
        game.give(end, BOB)
        assert game.table.request is None


@pytest.mark.parametrize("command", [AnswerUndo(accept=True), Redo()], ids=lambda command: command.type)
def test_after_the_end_nothing_is_answered_or_redone(command: AnswerUndo | Redo) -> None:
    game = table("bob")
    game.give(Finish(), ADA)
    assert wrong_moment(game.refusal(command, BOB)) == "game-not-active"


def test_after_an_undo_the_next_step_back_is_the_command_before() -> None:
    game = table("bob")
    start, boundaries = game.version, []
    for points in (1, 2, 3):
        for seat in (ADA, BOB):
            boundaries.append(game.version)
            game.give(Add(points=points), seat)
    stood = game.version
    while boundaries:
        seat = ADA if len(boundaries) % 2 else BOB
        other = BOB if seat == ADA else ADA
        offer = undo_for(game.table, other)
        assert (offer.to_version, offer.earliest_version) == (boundaries.pop(), start)
        assert offer.to_version is not None
        ask(game, offer.to_version, other)
        game.give(AnswerUndo(accept=True), seat)
    offer = undo_for(game.table, ADA)
    assert (offer.allowed, offer.reason, offer.to_version) == (False, "nothing_played", None)
    for _ in range(6):
        game.give(Redo(), ADA)
        game.give(AnswerUndo(accept=True), BOB)
    assert game.state.totals == (6, 6)
    assert undo_for(game.table, ADA).to_version == stood - 1


def test_beyond_what_the_table_remembers_the_next_step_back_is_the_start() -> None:
    game = table("bob")
    start = game.version
    for seat in (ADA, BOB) * MOST_STEPS:
        game.give(Add(points=1), seat)
    ask(game, start + 4)
    game.give(AnswerUndo(accept=True), BOB)
    offer = undo_for(game.table, ADA)
    assert (offer.allowed, offer.to_version) == (True, start)
    assert len(game.table.line.trail) == 1
