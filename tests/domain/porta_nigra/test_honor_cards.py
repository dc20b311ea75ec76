"""All kinds of honor cards: cost, discard, effect [HU7, HU9, HU12]."""

from typing import Any

import pytest

from domain.porta_nigra import PORTA_NIGRA
from domain.porta_nigra import refusals as no
from domain.porta_nigra.board import BOARD
from domain.porta_nigra.commands import BuyHonorCard, ChooseBrick, EndTurn, TopUpElement
from domain.porta_nigra.events.actions import ElementToppedUp, HonorCardBought, RewardGranted
from domain.porta_nigra.state import State
from tests.domain.porta_nigra.builders import Elements, after, bricks, is_refused, legal, outcome, position, scored

SET = ("BLD-basilica-red", "BLD-amphitheatre-red", "BLD-cityWall-red", "BLD-portaNigra-red")
COSTS = {
    "HON-FS30": 2, "HON-FS42": 3, "HON-FS56": 3,
    "HON-SUB-basilica": 2, "HON-SUB-amphitheatre": 2, "HON-SUB-cityWall": 2, "HON-SUB-portaNigra": 2,
    "HON-VP4": 1, "HON-COIN6": 1, "HON-TORCH2": 1, "HON-ROMAN2": 1, "HON-BRICK1": 1,
    "HON-VP8": 2, "HON-PNBRICK": 2, "HON-BRICK2": 2,
    "HON-VP12": 3, "HON-COIN12": 3, "HON-BRICK3": 3,
}  # fmt: skip


def shown(*cards: str, **own: Any) -> State:
    return position(own={0: {"influence": 3, **own}}, honor_display=cards, honor_pile=())


def buy(card: str, *discard: str) -> BuyHonorCard:
    return BuyHonorCard(card=card, discard=discard)


@pytest.mark.parametrize("card", BOARD.honor_cards)
def test_every_honor_card_costs_what_the_data_says(card: str) -> None:
    own: dict[str, Any] = {"building_cards": SET, "final_cards": ("HON-FS30", "HON-FS42")}
    discard = {"HON-FS30": SET, "HON-FS42": ("HON-FS30",), "HON-FS56": ("HON-FS42",)}.get(card, ())
    state = position(elements={"POR-P1": (0, 3)}, own={0: {"influence": 3, **own}}, honor_display=(card,))
    assert legal(state, BuyHonorCard) == [buy(card, *discard)]
    bought = outcome(state, buy(card, *discard))[0]
    assert isinstance(bought, HonorCardBought)
    assert bought.influence == COSTS[card]
    assert after(state, buy(card, *discard)).player.influence == 3 - COSTS[card]
    assert after(state, buy(card, *discard)).honor_display == ()


def test_the_kinds_are_28_cards_together() -> None:
    assert sum(BOARD.honor_cards[card].copies for card in COSTS) == 28
    assert set(COSTS) == set(BOARD.honor_cards)


@pytest.mark.parametrize(("card", "points"), [("HON-VP4", 4), ("HON-VP8", 8), ("HON-VP12", 12)])
def test_points_are_paid_at_once_and_the_card_leaves_the_game(card: str, points: int) -> None:
    state = after(shown(card), buy(card))
    assert state.player.vp == points
    assert state.removed_honor_cards == (card,)


@pytest.mark.parametrize(("card", "sesterces"), [("HON-COIN6", 6), ("HON-COIN12", 12)])
def test_sesterces_are_paid_at_once(card: str, sesterces: int) -> None:
    assert after(shown(card), buy(card)).player.sesterces == 20 + sesterces


def test_two_torches_are_taken() -> None:
    assert after(shown("HON-TORCH2"), buy("HON-TORCH2")).player.torches == 3


@pytest.mark.parametrize(("reserve", "taken"), [(10, 2), (1, 1)])
def test_two_romans_are_taken_as_far_as_the_reserve_has_them(reserve: int, taken: int) -> None:
    player = after(shown("HON-ROMAN2", romans_in_reserve=reserve), buy("HON-ROMAN2")).player
    assert (player.romans, player.romans_in_reserve) == (5 + taken, reserve - taken)


@pytest.mark.parametrize(("card", "number"), [("HON-BRICK1", 1), ("HON-BRICK2", 2), ("HON-BRICK3", 3)])
def test_each_brick_is_a_question_of_its_own(card: str, number: int) -> None:
    state = after(shown(card), buy(card))
    for due in range(number, 0, -1):
        assert PORTA_NIGRA.phase(state) == "choose_brick"
        assert state.bricks_due == due
        assert len(legal(state)) == 5
        state = after(state, ChooseBrick(color="white"))
    assert state.player.bricks == bricks(f"{number} white")
    assert state.reserve == 40 - number
    assert PORTA_NIGRA.phase(state) == "play_card"


def test_no_more_bricks_are_asked_for_than_the_reserve_holds() -> None:
    state = position(own={0: {"influence": 3}}, honor_display=("HON-BRICK3",), reserve=2)
    assert after(state, buy("HON-BRICK3")).bricks_due == 2


@pytest.mark.parametrize("card", ["HON-BRICK1", "HON-BRICK2", "HON-BRICK3", "HON-PNBRICK"])
def test_bricks_are_not_offered_while_the_reserve_is_empty(card: str) -> None:
    own = {0: {"influence": 3}}
    state = position(elements={"POR-P1": (0, 3)}, own=own, honor_display=(card,), reserve=0)
    assert is_refused(state, buy(card), no.NO_BRICK_IN_RESERVE, "/data/card")


def test_a_substitute_is_kept_as_a_building_card() -> None:
    state = after(shown("HON-SUB-cityWall"), buy("HON-SUB-cityWall"))
    assert state.player.building_cards == ("HON-SUB-cityWall",)
    assert state.removed_honor_cards == ()


def test_cards_that_ask_for_nothing_take_no_discard() -> None:
    state = shown("HON-VP4", building_cards=SET)
    assert is_refused(state, buy("HON-VP4", SET[0]), no.WRONG_DISCARD, "/data/discard")


# ---- final scoring cards


def test_t14_four_different_building_cards_buy_the_thirty() -> None:
    state = after(shown("HON-FS30", building_cards=(*SET, "BLD-basilica-blue")), buy("HON-FS30", *SET))
    assert state.player.building_cards == ("BLD-basilica-blue",)
    assert state.player.final_cards == ("HON-FS30",)
    assert state.removed_building_cards == SET
    assert state.removed_honor_cards == ()


@pytest.mark.parametrize(("card", "given"), [("HON-FS42", "HON-FS30"), ("HON-FS56", "HON-FS42")])
def test_t14_an_upgrade_replaces_the_card_below(card: str, given: str) -> None:
    state = after(shown(card, final_cards=(given,)), buy(card, given))
    assert state.player.final_cards == (card,)
    assert state.removed_honor_cards == (given,)


@pytest.mark.parametrize(("held", "points"), [("HON-FS30", 30), ("HON-FS42", 42), ("HON-FS56", 56)])
def test_t14_only_the_card_that_is_held_scores(held: str, points: int) -> None:
    own = {0: {"final_cards": (held,), "sesterces": 0, "romans": 0, "torches": 0}, 1: {}}
    state = scored(position(own=own, stage="final_scoring"))
    assert state.players[0].vp == points


def test_every_combination_of_different_buildings_is_listed_in_quarter_order() -> None:
    cards = ("BLD-cityWall-red", "BLD-basilica-red", "HON-SUB-basilica", "BLD-amphitheatre-red", "BLD-portaNigra-red")
    rest = ("BLD-amphitheatre-red", "BLD-cityWall-red", "BLD-portaNigra-red")
    state = shown("HON-FS30", building_cards=cards)
    assert legal(state, BuyHonorCard) == [
        buy("HON-FS30", first, *rest) for first in ("BLD-basilica-red", "HON-SUB-basilica")
    ]
    assert is_refused(state, buy("HON-FS30", *rest, "BLD-basilica-red"), no.WRONG_DISCARD, "/data/discard")


def test_a_substitute_may_be_discarded_and_two_of_one_building_make_no_set() -> None:
    state = shown("HON-FS30", building_cards=("HON-SUB-basilica", *SET[1:]))
    state = after(state, buy("HON-FS30", "HON-SUB-basilica", *SET[1:]))
    assert state.removed_building_cards == ("HON-SUB-basilica", *SET[1:])
    state = shown("HON-FS30", building_cards=("HON-SUB-basilica", *SET[:3]))
    assert legal(state, BuyHonorCard) == []
    assert is_refused(state, buy("HON-FS30", "HON-SUB-basilica", *SET[:3]), no.WRONG_DISCARD, "/data/discard")


@pytest.mark.parametrize(("card", "held"), [("HON-FS42", ()), ("HON-FS56", ("HON-FS30",))])
def test_an_upgrade_needs_the_card_below(card: str, held: tuple[str, ...]) -> None:
    state = shown(card, final_cards=held)
    assert legal(state, BuyHonorCard) == []
    for discard in ((), ("HON-FS30",), ("HON-FS42",)):
        assert is_refused(state, buy(card, *discard), no.WRONG_DISCARD, "/data/discard")


# ---- a brick on top of an own Porta Nigra element


def topping(elements: Elements, **own: Any) -> State:
    state = position(elements=elements, own={0: {"influence": 2, **own}}, honor_display=("HON-PNBRICK",))
    return after(state, buy("HON-PNBRICK"))


def test_a_brick_goes_on_top_of_an_own_porta_nigra_element() -> None:
    state = topping({"POR-P4": (0, 7), "POR-P1": (0, 3), "POR-P2": (1, 3), "POR-P3": (0, 8), "BAS-A1": 0})
    assert PORTA_NIGRA.phase(state) == "top_up_element"
    assert legal(state) == [TopUpElement(site="POR-P1"), TopUpElement(site="POR-P4")]
    topped = outcome(state, TopUpElement(site="POR-P1"))[0]
    assert topped == ElementToppedUp(seat=0, site="POR-P1", building="porta_nigra", bricks=4, total=19)
    after_it = after(state, TopUpElement(site="POR-P1"))
    assert after_it.reserve == 39
    assert after_it.player.vp == 0
    assert after_it.player.placed[3] == 19
    assert [element.bricks for element in after_it.elements] == [7, 4, 3, 8, 2]
    assert PORTA_NIGRA.phase(after_it) == "play_card"


def test_the_brick_on_top_counts_for_the_reward() -> None:
    state = topping({"POR-P1": (0, 5)})
    reward = outcome(state, TopUpElement(site="POR-P1"))[1]
    assert isinstance(reward, RewardGranted)
    assert (reward.building, reward.total, reward.times, reward.romans) == ("porta_nigra", 6, 1, 2)


def test_it_brings_no_building_card() -> None:
    state = position(
        elements={"POR-P1": (0, 3)},
        own={0: {"influence": 2}},
        honor_display=("HON-PNBRICK",),
        building_display=("BLD-portaNigra-black",),
    )
    assert after(state, buy("HON-PNBRICK"), TopUpElement(site="POR-P1")).player.building_cards == ()


def test_only_own_elements_that_may_grow_take_it() -> None:
    state = topping({"POR-P1": (0, 3), "POR-P2": (1, 3), "POR-P3": (0, 8), "BAS-A1": 0})
    assert is_refused(state, EndTurn(), no.TOP_UP_FIRST)
    for site in ("POR-P2", "BAS-A1", "POR-P4"):
        assert is_refused(state, TopUpElement(site=site), no.NOT_OWN_ELEMENT, "/data/site")
    assert is_refused(state, TopUpElement(site="POR-P3"), no.ELEMENT_FULL, "/data/site")
    assert is_refused(state, TopUpElement(site="POR-P0"), no.UNKNOWN_SITE, "/data/site")


@pytest.mark.parametrize("elements", [{}, {"BAS-A1": 0}, {"POR-P1": (1, 3)}, {"POR-P1": (0, 8)}])
def test_without_such_an_element_the_card_is_not_offered(elements: Elements) -> None:
    state = position(elements=elements, own={0: {"influence": 2}}, honor_display=("HON-PNBRICK",))
    assert is_refused(state, buy("HON-PNBRICK"), no.NO_ELEMENT_TO_TOP_UP, "/data/card")
