"""The course of a turn: builder, action card, end; who is next; the end of a round [HU3, HU4, HU8]."""

import pytest

from domain.porta_nigra import PORTA_NIGRA
from domain.porta_nigra import refusals as no
from domain.porta_nigra.board import BOARD
from domain.porta_nigra.commands import (
    BuyBrick,
    BuyHonorCard,
    ChooseBrick,
    ChooseStartPlayer,
    EndTurn,
    InfluenceBuild,
    InfluenceRoman,
    PlaceBuilder,
    PlayActionCard,
    ScoreFinal,
    ScoreInterim,
    SplitInterim,
    TakeCoins,
    TopUpElement,
    TorchToCoin,
)
from domain.porta_nigra.events.course import ScoringDue, TurnEnded, TurnStarted
from tests.domain.porta_nigra.builders import after, is_refused, legal, opening, outcome, position, with_builders


def test_the_builder_may_start_in_any_quarter() -> None:
    state = opening()
    assert PORTA_NIGRA.phase(state) == "place_builder"
    assert legal(state) == [PlaceBuilder(quarter=quarter) for quarter in BOARD.quarters]
    for index, quarter in enumerate(BOARD.quarters):
        assert after(state, PlaceBuilder(quarter=quarter)).player.quarter == index


def test_nothing_comes_before_the_builder() -> None:
    state = opening()
    for command in (PlayActionCard(card=state.player.hand[0]), TorchToCoin(source="token"), EndTurn()):
        assert is_refused(state, command, no.BUILDER_FIRST)


def test_the_builder_is_placed_once() -> None:
    state = with_builders(opening())
    assert is_refused(state, PlaceBuilder(quarter="basilica"), no.BUILDER_ON_BOARD)
    assert is_refused(opening(), PlaceBuilder(quarter="forum"), no.UNKNOWN_QUARTER, "/data/quarter")


def test_placing_the_builder_costs_nothing_and_the_card_comes_next() -> None:
    state = with_builders(opening())
    assert state.player.sesterces == 20
    assert PORTA_NIGRA.phase(state) == "play_card"


def test_a_card_of_the_hand_is_played() -> None:
    state = position(own={0: {"hand": ("ACT-3", "ACT-7")}})
    assert legal(state, PlayActionCard) == [PlayActionCard(card="ACT-3"), PlayActionCard(card="ACT-7")]
    state = after(state, PlayActionCard(card="ACT-7"))
    assert (state.card, state.card_torches, state.player.hand) == ("ACT-7", 2, ("ACT-3",))
    assert PORTA_NIGRA.phase(state) == "take_actions"


def test_a_card_that_is_not_in_hand_is_refused() -> None:
    state = position(own={0: {"hand": ("ACT-3",)}})
    assert is_refused(state, PlayActionCard(card="ACT-7"), no.CARD_NOT_IN_HAND, "/data/card")
    assert is_refused(state, PlayActionCard(card="ACT-99"), no.CARD_NOT_IN_HAND, "/data/card")


def test_one_card_a_turn() -> None:
    state = position(card="ACT-3", own={0: {"hand": ("ACT-7",)}})
    assert is_refused(state, PlayActionCard(card="ACT-7"), no.CARD_ALREADY_PLAYED)


@pytest.mark.parametrize("command", [BuyBrick(symbol=0, shop="red"), TakeCoins(symbol=2), EndTurn()])
def test_actions_of_the_card_wait_for_the_card(command: BuyBrick | TakeCoins | EndTurn) -> None:
    assert is_refused(position(own={0: {"hand": ("ACT-1",)}}), command, no.CARD_FIRST)


def test_influence_actions_and_tokens_do_not_wait_for_the_card() -> None:
    state = position(
        own={0: {"hand": ("ACT-1",), "influence": 3, "bricks": "2 blue"}}, honor_display=("HON-VP4",), honor_pile=()
    )
    for command in (
        TorchToCoin(source="token"),
        BuyHonorCard(card="HON-VP4", discard=()),
        InfluenceRoman(),
        InfluenceBuild(site="BAS-A1", bricks=2, whites=0),
    ):
        assert command in legal(state)
        assert PORTA_NIGRA.phase(after(state, command)) == "play_card"
    assert is_refused(state, TorchToCoin(source="card"), no.NO_CARD_TORCH, "/data/source")


@pytest.mark.parametrize("card", ["", "ACT-1"])
def test_answers_to_questions_that_were_not_asked_are_refused(card: str) -> None:
    state = position(card=card)
    assert is_refused(state, ChooseBrick(color="red"), no.NO_BRICK_DUE)
    assert is_refused(state, TopUpElement(site="POR-P1"), no.NO_TOP_UP_DUE)
    assert is_refused(state, SplitInterim(vp=0), no.NO_SPLIT_DUE)
    assert is_refused(state, ChooseStartPlayer(seat=0), no.NO_START_CHOICE)
    assert is_refused(state, ScoreInterim(), no.NO_SCORING_DUE)
    assert is_refused(state, ScoreFinal(), no.NO_SCORING_DUE)


def test_at_the_end_of_a_turn_the_card_is_discarded_and_one_is_drawn() -> None:
    own = {"hand": ("ACT-2",), "pile": ("ACT-5", "ACT-6"), "played": ("ACT-3",)}
    state = position(card="ACT-1", own={0: own})
    ended = outcome(state, EndTurn())[0]
    assert isinstance(ended, TurnEnded)
    assert (ended.seat, ended.card, ended.draws) == (0, "ACT-1", 1)
    assert [(part.seats, part.data.cards) for part in ended.private] == [((0,), ("ACT-5",))]
    player = after(state, EndTurn()).players[0]
    assert (player.hand, player.pile, player.played) == (("ACT-2", "ACT-5"), ("ACT-6",), ("ACT-3", "ACT-1"))


def test_with_an_empty_pile_no_card_is_drawn() -> None:
    state = position(card="ACT-1", own={0: {"hand": ("ACT-2",), "pile": ()}})
    ended = outcome(state, EndTurn())[0]
    assert isinstance(ended, TurnEnded)
    assert (ended.draws, ended.private) == (0, ())
    assert after(state, EndTurn()).players[0].hand == ("ACT-2",)


def test_turns_go_clockwise_and_begin_afresh() -> None:
    state = position(3, active=2, card="ACT-1", covered=3, has_bought_honor=True)
    following = after(state, EndTurn())
    assert (following.active, following.card, following.covered, following.card_torches) == (0, "", 0, 0)
    assert not following.has_bought_honor
    assert TurnStarted(seat=0) in outcome(state, EndTurn())


def test_unused_torches_of_the_card_lapse() -> None:
    state = position(card="ACT-2")
    assert state.card_torches == 3
    player = after(state, EndTurn()).players[0]
    assert (player.torches, player.sesterces) == (1, 20)


def test_a_turn_in_which_only_end_turn_is_left_ends_by_itself() -> None:
    state = position(card="ACT-1", card_torches=1, own={0: {"torches": 0}})
    events = outcome(state, TakeCoins(symbol=2))
    assert isinstance(events[1], TurnEnded)
    assert after(state, TakeCoins(symbol=2)).active == 1


@pytest.mark.parametrize("own", [{"torches": 1}, {"torches": 0, "influence": 1}])
def test_a_turn_does_not_end_while_anything_else_is_left(own: dict[str, int]) -> None:
    state = after(position(card="ACT-1", card_torches=1, own={0: own}), TakeCoins(symbol=2))
    assert state.active == 0
    assert EndTurn() in legal(state)


def test_influence_that_buys_nothing_does_not_keep_a_turn_open() -> None:
    own = {"torches": 0, "influence": 1, "romans_in_reserve": 0}
    display = ("HON-ROMAN2", "HON-VP8", "HON-FS30")
    state = position(card="ACT-1", card_torches=1, own={0: own}, honor_display=display)
    assert after(state, TakeCoins(symbol=2)).active == 1


def test_playing_the_last_card_ends_the_round_after_everybody_has() -> None:
    state = position(
        card="ACT-1", active=1, start_seat=0, own={0: {"hand": (), "pile": ()}, 1: {"hand": (), "pile": ()}}
    )
    assert outcome(state, EndTurn())[-1] == ScoringDue(scoring="interim")
    state = after(state, EndTurn())
    assert PORTA_NIGRA.to_act(state) == ()
    assert PORTA_NIGRA.owed(state) == ScoreInterim()
    assert PORTA_NIGRA.legal_commands(state, 0) == PORTA_NIGRA.legal_commands(state, 1) == ()


@pytest.mark.parametrize(("seats", "last"), [(2, 3), (3, 2), (4, 2)])
def test_after_the_last_round_the_final_scoring_is_due(seats: int, last: int) -> None:
    empty = {seat: {"hand": (), "pile": ()} for seat in range(seats)}
    for number in range(1, last + 1):
        state = position(seats, card="ACT-1", active=seats - 1, round=number, own=empty)
        due = ScoringDue(scoring="final") if number == last else ScoringDue(scoring="interim")
        assert outcome(state, EndTurn())[-1] == due
    assert PORTA_NIGRA.owed(after(state, EndTurn())) == ScoreFinal()


def test_nobody_acts_out_of_turn() -> None:
    state = position(3)
    assert PORTA_NIGRA.to_act(state) == (0,)
    assert PORTA_NIGRA.legal_commands(state, 1) == ()
    assert PORTA_NIGRA.owed(state) is None
    assert PORTA_NIGRA.result(state) is None
