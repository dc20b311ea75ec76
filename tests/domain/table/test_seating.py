"""Before the start: joining, adding entropy, leaving, sending away, cancelling, starting."""

from hashlib import sha256

import pytest

from domain.errors import BadCommand, NotAllowed, WrongMoment
from domain.game import Command
from domain.table import BotSeat, CreateGame, MySeat, OpenSeat, Seat
from domain.table.commands import (
    AddEntropy,
    CancelGame,
    JoinGame,
    KeptSeat,
    LeaveGame,
    Redo,
    RemoveGuest,
    RequestUndo,
    Resign,
    StartGame,
)
from domain.table.events import (
    EntropyAdded,
    GameCancelled,
    GameStarted,
    GuestRemoved,
    SeatLeft,
    SeatTaken,
    SeedRevealed,
)
from tests.support.logged import SEED, LoggedGame, hot_seat
from tests.support.toy import Add, SetUp


def open_table(**choices: object) -> LoggedGame:
    """Ada at seat 0, seats 1 and 2 open."""
    command = {"ruleset": "toy", "seats": (MySeat(), OpenSeat(), OpenSeat()), **choices}
    return LoggedGame(CreateGame(**command))  # type: ignore[arg-type]


def sha(text: str) -> str:
    return "sha256:" + sha256(text.encode()).hexdigest()


# Joining


def test_a_player_takes_an_open_seat() -> None:
    game = open_table()
    assert game.give(JoinGame(seat=2), player="bob") == [SeatTaken(seat=2, player="bob")]
    assert game.table.seats == (Seat("player", "ada"), Seat("open"), Seat("player", "bob"))
    assert game.table.entropies == ()


def test_whoever_joins_may_add_entropy_of_which_the_digest_is_kept() -> None:
    game = open_table()
    assert game.give(JoinGame(seat=1, entropy="my dog"), player="bob") == [SeatTaken(1, "bob", sha("my dog"))]
    assert game.table.entropies == (sha("my dog"),)


def test_a_taken_seat_is_refused_and_the_open_ones_named() -> None:
    game = open_table()
    refusal = game.refusal(JoinGame(seat=0), player="bob")
    assert isinstance(refusal, WrongMoment)
    assert (refusal.code, refusal.pointer) == ("seat-taken", "/data/seat")
    assert "[1, 2]" in refusal.detail


def test_a_bots_seat_is_taken() -> None:
    game = LoggedGame(CreateGame(ruleset="toy", seats=(OpenSeat(), BotSeat())))
    assert game.refusal(JoinGame(seat=1), player="bob").code == "seat-taken"


def test_a_seat_that_does_not_exist_is_refused_and_the_seats_named() -> None:
    refusal = open_table().refusal(JoinGame(seat=3), player="bob")
    assert isinstance(refusal, BadCommand)
    assert (refusal.code, refusal.pointer) == ("malformed-request", "/data/seat")
    assert "0 to 2" in refusal.detail


def test_only_a_player_joins() -> None:
    refusal = open_table().refusal(JoinGame(seat=1))
    assert isinstance(refusal, NotAllowed)
    assert refusal.code == "forbidden"


def test_a_player_may_take_several_seats() -> None:
    game = open_table()
    game.give(JoinGame(seat=1), player="ada")
    game.give(JoinGame(seat=2), player="ada")
    assert [seat.player for seat in game.table.seats] == ["ada"] * 3


def test_in_a_rated_game_nobody_takes_two_seats() -> None:
    game = open_table(rated=True, undo="off")
    refusal = game.refusal(JoinGame(seat=1), player="ada")
    assert isinstance(refusal, WrongMoment)
    assert (refusal.code, refusal.pointer) == ("already-seated", "/data/seat")
    game.give(JoinGame(seat=1), player="bob")
    assert game.refusal(JoinGame(seat=2), player="bob").code == "already-seated"


# Entropy


def test_a_seated_player_may_add_entropy_more_than_once() -> None:
    game = open_table()
    assert game.give(AddEntropy(entropy="one"), seat=0) == [EntropyAdded(seat=0, entropy=sha("one"))]
    game.give(AddEntropy(entropy="two"), seat=0)
    assert game.table.entropies == (sha("one"), sha("two"))


def test_only_a_seat_adds_entropy() -> None:
    refusal = open_table().refusal(AddEntropy(entropy="one"), player="bob")
    assert isinstance(refusal, NotAllowed)
    assert refusal.code == "forbidden"


def test_entropy_changes_the_deal_even_that_of_the_player_who_fills_the_table() -> None:
    def dealt(*entropies: str) -> tuple[object, ...]:
        game = open_table()
        for entropy in entropies[:-2]:
            game.give(AddEntropy(entropy=entropy), seat=0)
        for seat, entropy in enumerate(entropies[-2:], start=1):
            game.give(JoinGame(seat=seat, entropy=entropy or None), player="bob")
        set_up = game.typed[-1]
        assert isinstance(set_up, SetUp)
        return set_up.private[0].data.shuffle.order

    deals = [dealt("", ""), dealt("", "a"), dealt("a", ""), dealt("a", "b"), dealt("b", "a"), dealt("x", "", "a")]
    # The same digest in another seat is the same entropy: only the text and its place in the order count.
    assert deals[1] == deals[2]
    assert len(set(deals)) == 5
    assert dealt("a", "b") == deals[3]


# Leaving and cancelling


def test_a_seat_that_was_given_back_is_open_again() -> None:
    game = open_table()
    game.give(JoinGame(seat=1, entropy="kept"), player="bob")
    assert game.give(LeaveGame(), seat=1) == [SeatLeft(seat=1, player="bob")]
    assert game.table.seats[1] == Seat("open")
    assert game.table.entropies == (sha("kept"),)
    game.give(JoinGame(seat=1), player="cleo")
    assert game.table.seats[1].player == "cleo"


def test_who_has_no_seat_has_none_to_leave() -> None:
    refusal = open_table().refusal(LeaveGame(), player="bob")
    assert isinstance(refusal, NotAllowed)
    assert refusal.code == "forbidden"


def test_the_creator_sends_a_guest_away_for_good() -> None:
    game = open_table()
    game.give(JoinGame(seat=1, entropy="kept"), player="bob")
    assert game.give(RemoveGuest(seat=1), player="ada") == [GuestRemoved(seat=1, player="bob")]
    assert game.table.seats[1] == Seat("open")
    assert game.table.entropies == (sha("kept"),)
    refusal = game.refusal(JoinGame(seat=1), player="bob")
    assert isinstance(refusal, NotAllowed)
    assert refusal.code == "removed"
    game.give(JoinGame(seat=1), player="cleo")


def test_nobody_else_sends_away() -> None:
    game = open_table()
    game.give(JoinGame(seat=1), player="bob")
    refusal = game.refusal(RemoveGuest(seat=1), player="bob")
    assert isinstance(refusal, NotAllowed)
    assert refusal.code == "forbidden"


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_only_a_guest_is_sent_away(seat: int) -> None:
    game = LoggedGame(CreateGame(ruleset="toy", seats=(MySeat(), OpenSeat(), BotSeat())))
    refusal = game.refusal(RemoveGuest(seat=seat), player="ada")
    assert isinstance(refusal, WrongMoment)
    assert (refusal.code, refusal.pointer) == ("no-guest-there", "/data/seat")


def test_a_guest_is_sent_away_from_a_seat_that_there_is() -> None:
    assert open_table().refusal(RemoveGuest(seat=3), player="ada").code == "malformed-request"


def test_a_kept_seat_is_for_its_player_alone() -> None:
    game = LoggedGame(CreateGame(ruleset="toy", seats=(MySeat(), KeptSeat("bob"), OpenSeat())))
    assert game.table.seats[1] == Seat("open", player="bob")
    refusal = game.refusal(JoinGame(seat=1), player="cleo")
    assert isinstance(refusal, WrongMoment)
    assert refusal.code == "seat-taken"
    assert "kept" in refusal.detail
    assert "[2]" in refusal.detail
    game.give(JoinGame(seat=2), player="cleo")
    game.give(JoinGame(seat=1), player="bob")
    assert game.table.status == "active"


def test_a_seat_that_is_kept_no_longer_is_open_to_all_and_to_whom_it_was_kept() -> None:
    game = LoggedGame(CreateGame(ruleset="toy", seats=(MySeat(), KeptSeat("bob"), KeptSeat("cleo"))))
    for seat in (1, 2):
        game.give(RemoveGuest(seat=seat), player="ada")
        assert game.table.seats[seat] == Seat("open")
    game.give(JoinGame(seat=1), player="dora")
    game.give(JoinGame(seat=2), player="bob")
    assert game.table.status == "active"


def test_the_creator_cancels_and_the_seed_is_opened() -> None:
    game = open_table()
    cancelled, revealed = game.give(CancelGame(), player="ada")
    assert cancelled == GameCancelled()
    assert revealed == SeedRevealed(seed=SEED.hex(), board_digest=None, view_schema=None)
    assert game.table.status == "abandoned"
    assert game.table.seed_revealed


def test_nobody_else_cancels() -> None:
    game = open_table()
    game.give(JoinGame(seat=1), player="bob")
    refusal = game.refusal(CancelGame(), player="bob")
    assert isinstance(refusal, NotAllowed)
    assert refusal.code == "forbidden"


# Starting


def test_a_game_without_open_seats_starts_at_once() -> None:
    game = LoggedGame(hot_seat("toy", 3))
    assert [type(event).__name__ for event in game.typed] == ["GameCreated", "GameStarted", "SetUp"]
    assert game.table.status == "active"
    assert game.awaited == (0, 1, 2)


def test_a_game_starts_when_the_last_seat_is_taken() -> None:
    game = open_table()
    game.give(JoinGame(seat=2), player="bob")
    assert game.table.status == "open"
    taken, started, _ = game.give(JoinGame(seat=1), player="cleo")
    assert (taken, started) == (SeatTaken(seat=1, player="cleo"), GameStarted())


def test_a_game_of_bots_alone_starts_at_once() -> None:
    game = LoggedGame(CreateGame(ruleset="toy", seats=(BotSeat(), BotSeat("random"))))
    assert game.table.status == "active"
    assert game.pending == "bot"


def test_a_game_to_be_started_by_hand_waits_for_its_creator() -> None:
    game = LoggedGame(hot_seat("toy", start="manual"))
    assert (game.table.status, game.version) == ("open", 1)
    assert game.give(StartGame(), player="ada")[0] == GameStarted()
    assert game.table.status == "active"


def test_leaving_keeps_a_game_to_be_started_by_hand_from_starting() -> None:
    game = open_table(start="manual")
    game.give(JoinGame(seat=1), player="bob")
    game.give(JoinGame(seat=2), player="cleo")
    game.give(LeaveGame(), seat=1)
    assert game.refusal(StartGame(), player="ada").code == "seats-open"


def test_open_seats_keep_a_game_from_starting_and_are_named() -> None:
    refusal = open_table(start="manual").refusal(StartGame(), player="ada")
    assert isinstance(refusal, WrongMoment)
    assert refusal.code == "seats-open"
    assert "[1, 2]" in refusal.detail


def test_only_the_creator_starts() -> None:
    game = LoggedGame(hot_seat("toy", start="manual"))
    refusal = game.refusal(StartGame(), player="bob")
    assert isinstance(refusal, NotAllowed)
    assert refusal.code == "forbidden"


# The wrong moment


@pytest.mark.parametrize(
    "command",
    [JoinGame(seat=1), AddEntropy(entropy="a"), LeaveGame(), CancelGame(), StartGame(), RemoveGuest(seat=0)],
    ids=lambda c: c.type,
)
@pytest.mark.parametrize("status", ["active", "abandoned"])
def test_what_belongs_before_the_start_is_refused_after_it(command: Command, status: str) -> None:
    game = LoggedGame(hot_seat("toy", start="manual"))
    game.give(StartGame() if status == "active" else CancelGame(), player="ada")
    seat = 0 if isinstance(command, AddEntropy | LeaveGame) else None
    refusal = game.refusal(command, seat, "ada")
    assert isinstance(refusal, WrongMoment)
    assert refusal.code == "game-not-open"
    assert status in refusal.detail


@pytest.mark.parametrize("command", [Resign(), RequestUndo(to_version=1), Redo(), Add(points=1)], ids=lambda c: c.type)
def test_what_belongs_to_a_game_under_way_is_refused_before_the_start(command: Command) -> None:
    refusal = open_table().refusal(command, 0)
    assert isinstance(refusal, WrongMoment)
    assert refusal.code == "game-not-active"
    assert "open" in refusal.detail
