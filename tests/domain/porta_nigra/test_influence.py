"""Influence actions: Romans, building, and the limits of honor cards [HU4, HU7]."""

import pytest

from domain.porta_nigra import PORTA_NIGRA
from domain.porta_nigra import refusals as no
from domain.porta_nigra.commands import BuyHonorCard, InfluenceBuild, InfluenceRoman, PlayActionCard
from domain.porta_nigra.events.actions import ElementBuilt, RomanBought
from domain.porta_nigra.state import State
from tests.domain.porta_nigra.builders import after, bricks, is_refused, legal, outcome, position

VP4 = BuyHonorCard(card="HON-VP4", discard=())


def evi(roman_cost: int = 1) -> State:
    display = ("HON-VP4", "HON-VP4")
    return position(
        own={0: {"hand": ("ACT-1",), "influence": 3}}, roman_cost=roman_cost, honor_display=display, honor_pile=()
    )


def test_t11_evi_buys_a_card_for_one_and_two_romans_for_two() -> None:
    state = after(evi(), VP4)
    assert (state.player.influence, state.player.vp) == (2, 4)
    assert (state.honor_display, state.removed_honor_cards) == (("HON-VP4",), ("HON-VP4",))
    state = after(state, InfluenceRoman(), InfluenceRoman())
    assert (state.player.influence, state.player.romans, state.player.romans_in_reserve) == (0, 7, 8)


def test_t11_by_the_letter_of_the_rule_two_influence_pay_one_roman() -> None:
    state = after(evi(roman_cost=2), VP4)
    assert outcome(state, InfluenceRoman())[0] == RomanBought(seat=0, influence=2)
    state = after(state, InfluenceRoman())
    assert (state.player.influence, state.player.romans) == (0, 6)
    assert is_refused(state, InfluenceRoman(), no.TOO_LITTLE_INFLUENCE)


def test_t11_a_second_honor_card_in_one_turn_is_refused() -> None:
    state = after(evi(), VP4)
    assert legal(state, BuyHonorCard) == []
    assert is_refused(state, VP4, no.ONE_HONOR_CARD)


def test_the_honor_display_is_refilled_in_the_next_refill_phase_only() -> None:
    state = after(evi(), VP4, PlayActionCard(card="ACT-1"))
    assert state.honor_display == ("HON-VP4",)


def test_an_honor_card_must_lie_in_the_display() -> None:
    for card in ("HON-VP8", "HON-0"):
        assert is_refused(evi(), BuyHonorCard(card=card, discard=()), no.NOT_ON_DISPLAY, "/data/card")


def test_without_enough_influence_an_honor_card_is_refused() -> None:
    state = position(own={0: {"influence": 2}}, honor_display=("HON-VP12",))
    assert is_refused(state, BuyHonorCard(card="HON-VP12", discard=()), no.TOO_LITTLE_INFLUENCE, "/data/card")


def test_romans_are_not_offered_while_the_own_reserve_is_empty() -> None:
    state = position(own={0: {"influence": 3, "romans_in_reserve": 0}}, honor_display=("HON-ROMAN2",))
    assert is_refused(state, InfluenceRoman(), no.NO_ROMAN_IN_RESERVE)
    assert is_refused(state, BuyHonorCard(card="HON-ROMAN2", discard=()), no.NO_ROMAN_IN_RESERVE, "/data/card")


def test_building_for_two_influence_needs_no_symbol() -> None:
    own = {"influence": 2, "quarter": "porta_nigra", "bricks": "2 blue"}
    state = position(own={0: {**own, "hand": ("ACT-1",)}}, building_display=("BLD-basilica-blue",))
    command = InfluenceBuild(site="BAS-A1", bricks=2, whites=0)
    assert command in legal(state)
    built = outcome(state, command)[0]
    assert isinstance(built, ElementBuilt)
    assert (built.symbol, built.torch, built.influence, built.fee) == (None, None, 2, 1)
    player = after(state, command).player
    assert (player.influence, player.sesterces, player.bricks, player.romans) == (0, 19, bricks(""), 4)
    assert player.building_cards == ("BLD-basilica-blue",)
    assert player.torches == 1


def test_building_for_influence_costs_no_torch_of_the_card() -> None:
    state = position(card="ACT-1", own={0: {"influence": 2, "bricks": "2 blue"}})
    state = after(state, InfluenceBuild(site="BAS-A1", bricks=2, whites=0))
    assert (state.card_torches, state.covered) == (2, 0)


def test_all_other_costs_of_building_stay() -> None:
    command = InfluenceBuild(site="BAS-A1", bricks=2, whites=0)
    own = {"influence": 2, "bricks": "2 blue"}
    assert is_refused(position(own={0: {**own, "influence": 1}}), command, no.TOO_LITTLE_INFLUENCE)
    assert is_refused(position(own={0: {**own, "romans": 0}}), command, no.NO_ROMAN)
    assert is_refused(position(own={0: {**own, "bricks": ""}}), command, no.BRICKS_MISSING, "/data/bricks")
    own = {**own, "quarter": "amphitheatre", "sesterces": 2}
    assert is_refused(position(own={0: own}), command, no.TOO_FEW_SESTERCES, "/data/site")


def test_influence_actions_are_not_limited_in_number() -> None:
    state = after(position(own={0: {"influence": 5}}), *[InfluenceRoman()] * 5)
    assert (state.player.influence, state.player.romans) == (0, 10)


@pytest.mark.parametrize("card", ["", "ACT-1"])
def test_influence_actions_come_before_and_after_the_card(card: str) -> None:
    state = position(card=card, own={0: {"influence": 1}})
    assert InfluenceRoman() in legal(state)
    assert PORTA_NIGRA.phase(after(state, InfluenceRoman())) == ("take_actions" if card else "play_card")
