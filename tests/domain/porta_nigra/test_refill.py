"""The refill phase at the start of a turn [HU3]."""

from domain.game import NOBODY
from domain.porta_nigra.board import BOARD
from domain.porta_nigra.commands import BuyBrick, EndTurn
from domain.porta_nigra.events.course import (
    BuildingCardsTurned,
    HonorCardsTurned,
    SupplyCardTurned,
    SupplyShuffled,
    TurnStarted,
)
from domain.porta_nigra.state import State
from tests.domain.porta_nigra.builders import after, bricks, folded, outcome, position

THREE = ("SUP-06", "SUP-07", "SUP-08", "SUP-09", "SUP-10")
FOUR = ("SUP-01", "SUP-02", "SUP-03", "SUP-04", "SUP-05")


def refilled(state: State) -> State:
    return after(state, EndTurn())


def test_t1_market_and_displays_are_refilled() -> None:
    state = position(
        market="1 black, 1 blue, 1 red, 1 yellow, 1 white",
        card="ACT-1",
        supply_pile=("SUP-01", "SUP-06", "SUP-05", "SUP-02"),
        supply_discards=(),
        building_display=("BLD-basilica-red", "BLD-cityWall-red", "BLD-basilica-blue", "BLD-cityWall-blue"),
        building_pile=("BLD-portaNigra-red", "BLD-amphitheatre-red", "BLD-portaNigra-blue"),
        honor_display=("HON-VP4",) * 13,
        honor_pile=("HON-VP8", "HON-VP12"),
    )
    events = [event for event in outcome(state, EndTurn()) if not isinstance(event, TurnStarted)]
    assert events[1:] == [
        SupplyCardTurned(card="SUP-01", bricks=("blue", "red", "yellow", "white")),
        SupplyCardTurned(card="SUP-06", bricks=("black", "blue", "red")),
        SupplyCardTurned(card="SUP-05", bricks=("black", "blue", "red", "yellow")),
        BuildingCardsTurned(cards=("BLD-portaNigra-red", "BLD-amphitheatre-red")),
        HonorCardsTurned(cards=("HON-VP8",)),
    ]
    state = refilled(state)
    assert state.market == bricks("3 black, 4 blue, 4 red, 3 yellow, 2 white")
    assert sum(state.market) == 16
    assert state.reserve == 40 - 11
    assert state.supply_discards == ("SUP-01", "SUP-06", "SUP-05")
    assert state.supply_pile == ("SUP-02",)
    assert (len(state.building_display), state.building_pile) == (6, ("BLD-portaNigra-blue",))
    assert (len(state.honor_display), state.honor_pile) == (14, ("HON-VP12",))


def test_a_market_of_seven_is_not_refilled_even_if_a_shop_is_empty() -> None:
    state = refilled(position(market="7 black", card="ACT-1"))
    assert state.market == bricks("7 black")


def test_a_market_of_six_is_refilled() -> None:
    state = refilled(position(market="6 black", card="ACT-1"))
    assert sum(state.market) >= 14


def test_the_market_is_filled_no_further_than_fourteen_asks() -> None:
    state = position(market="6 white", card="ACT-1", supply_pile=FOUR, supply_discards=THREE)
    assert sum(refilled(state).market) == 14


def test_when_the_supply_pile_runs_out_its_discards_are_shuffled() -> None:
    discards = (*FOUR, *THREE[1:])
    state = position(market="6 white", card="ACT-1", supply_pile=("SUP-06",), supply_discards=discards)
    events = outcome(state, EndTurn())
    shuffled = [event for event in events if isinstance(event, SupplyShuffled)]
    assert [(event.cards, event.private[0].seats) for event in shuffled] == [(10, NOBODY)]
    order = shuffled[0].private[0].data.shuffle
    assert order.items == (*discards, "SUP-06")
    assert sorted(order.order) == sorted(BOARD.supply_cards)
    state = folded(state, events)
    assert state.supply_discards + state.supply_pile == order.order
    assert sum(state.market) >= 14


def test_the_last_bricks_of_the_reserve_are_placed_in_price_order() -> None:
    state = position(market="2 white", reserve=6, card="ACT-1", supply_pile=FOUR, supply_discards=THREE)
    state = refilled(state)
    assert state.reserve == 0
    assert state.market == bricks("1 black, 1 blue, 2 red, 1 yellow, 3 white")
    assert state.supply_discards == (*THREE, "SUP-01", "SUP-02")


def test_with_an_empty_reserve_no_supply_card_is_turned() -> None:
    state = position(market="2 white", reserve=0, card="ACT-1")
    assert all(not isinstance(event, SupplyCardTurned) for event in outcome(state, EndTurn()))


def test_displays_whose_pile_is_empty_are_filled_no_more() -> None:
    state = position(
        card="ACT-1",
        building_display=(),
        building_pile=("BLD-basilica-red",),
        honor_display=("HON-VP4",),
        honor_pile=(),
    )
    state = refilled(state)
    assert state.building_display == ("BLD-basilica-red",)
    assert state.honor_display == ("HON-VP4",)
    assert state.building_pile == state.honor_pile == ()


def test_nothing_is_refilled_within_a_turn() -> None:
    state = position(market="1 black", card="ACT-2", own={0: {"sesterces": 9}})
    assert sum(after(state, BuyBrick(symbol=0, shop="black")).market) == 0
