"""Buying a brick: the way, the price, the shop [HU5]."""

import pytest

from domain.porta_nigra import refusals as no
from domain.porta_nigra.board import BOARD
from domain.porta_nigra.commands import BuyBrick
from domain.porta_nigra.events.actions import BrickBought
from tests.domain.porta_nigra.builders import after, bricks, is_refused, legal, outcome, position

RED_SHOP, BLACK_SHOP = "city_wall", "basilica"
BLACK_THEN_RED, WHITE_FIRST, ANY_FIRST = "ACT-2", "ACT-4", "ACT-1"


def test_t4_the_builder_goes_clockwise_to_the_shop_and_pays_way_and_price() -> None:
    state = position(card=BLACK_THEN_RED, market="1 black, 1 red", own={0: {"quarter": RED_SHOP, "sesterces": 3}})
    bought = BuyBrick(symbol=0, shop="black")
    assert outcome(state, bought)[0] == BrickBought(
        seat=0, symbol=0, torch="card", shop="black", quarter="basilica", fee=2, price=1
    )
    state = after(state, bought)
    assert state.player.sesterces == 0
    assert state.player.quarter == BOARD.quarter_index[BLACK_SHOP]
    assert state.player.bricks == bricks("1 black")
    assert state.market == bricks("1 red")


def test_t4_with_two_sesterces_in_all_it_is_refused() -> None:
    state = position(card=BLACK_THEN_RED, market="1 black, 1 red", own={0: {"quarter": RED_SHOP, "sesterces": 2}})
    assert is_refused(state, BuyBrick(symbol=0, shop="black"), no.TOO_FEW_SESTERCES, "/data/shop")


def test_t5_the_white_shop_lies_in_every_quarter() -> None:
    for index, quarter in enumerate(BOARD.quarters):
        state = position(card=WHITE_FIRST, own={0: {"quarter": quarter, "sesterces": 5}})
        state = after(state, BuyBrick(symbol=0, shop="white"))
        assert (state.player.quarter, state.player.sesterces) == (index, 0)
        assert state.player.bricks == bricks("1 white")


def test_t6_in_the_own_quarter_only_the_price_is_paid() -> None:
    state = position(card=BLACK_THEN_RED, own={0: {"quarter": BLACK_SHOP, "sesterces": 1}})
    assert after(state, BuyBrick(symbol=0, shop="black")).player.sesterces == 0


@pytest.mark.parametrize(("shop", "cost"), [("blue", 1 + 2), ("red", 2 + 3), ("yellow", 3 + 4), ("white", 5)])
def test_t7_a_symbol_whose_shop_is_empty_buys_anywhere(shop: str, cost: int) -> None:
    state = position(card=BLACK_THEN_RED, market="1 blue, 1 red, 1 yellow, 1 white", own={0: {"quarter": BLACK_SHOP}})
    assert after(state, BuyBrick(symbol=0, shop=shop)).player.sesterces == 20 - cost


def test_a_white_symbol_buys_anywhere_too_when_the_white_shop_is_empty() -> None:
    state = position(card=WHITE_FIRST, market="1 blue, 1 red", own={0: {"quarter": BLACK_SHOP}})
    assert legal(state, BuyBrick) == [BuyBrick(symbol=0, shop="blue"), BuyBrick(symbol=0, shop="red")]


def test_a_symbol_of_a_colour_buys_in_its_shop_while_that_has_bricks() -> None:
    state = position(card=BLACK_THEN_RED)
    assert is_refused(state, BuyBrick(symbol=0, shop="blue"), no.OTHER_SHOP, "/data/shop")
    assert legal(state, BuyBrick) == [BuyBrick(symbol=0, shop="black"), BuyBrick(symbol=1, shop="red")]


def test_a_grey_symbol_buys_in_any_stocked_shop_and_two_equal_symbols_are_both_listed() -> None:
    state = position(card=ANY_FIRST, market="1 black, 1 white")
    assert legal(state, BuyBrick) == [BuyBrick(symbol=at, shop=shop) for at in (0, 1) for shop in ("black", "white")]
    assert is_refused(state, BuyBrick(symbol=0, shop="blue"), no.SHOP_EMPTY, "/data/shop")


def test_the_empty_shop_rule_is_tested_when_the_symbol_is_used() -> None:
    state = position(card="ACT-5", market="1 black, 1 blue, 1 white", own={0: {"quarter": BLACK_SHOP}})
    state = after(state, BuyBrick(symbol=0, shop="black"))
    assert legal(state, BuyBrick) == [BuyBrick(symbol=1, shop="blue")]
    state = after(position(card="ACT-5", market="1 black, 1 blue", own={0: {}}), BuyBrick(symbol=1, shop="blue"))
    assert legal(state, BuyBrick) == [BuyBrick(symbol=0, shop="black")]


def test_with_an_empty_market_buy_symbols_cannot_be_used() -> None:
    state = position(card=ANY_FIRST, market="")
    assert legal(state, BuyBrick) == []
    assert is_refused(state, BuyBrick(symbol=0, shop="black"), no.MARKET_EMPTY)


def test_an_unknown_shop_is_refused() -> None:
    assert is_refused(position(card=ANY_FIRST), BuyBrick(symbol=0, shop="green"), no.UNKNOWN_COLOR, "/data/shop")


@pytest.mark.parametrize(("color", "price"), [("black", 1), ("blue", 2), ("red", 3), ("yellow", 4), ("white", 5)])
def test_each_colour_has_its_price(color: str, price: int) -> None:
    quarter = BOARD.shop_quarters[0][BOARD.color_index[color]]
    state = position(card=ANY_FIRST, own={0: {"quarter": quarter, "sesterces": price}})
    bought = outcome(state, BuyBrick(symbol=0, shop=color))[0]
    assert isinstance(bought, BrickBought)
    assert (bought.fee, bought.price) == (0, price)
    state = position(card=ANY_FIRST, own={0: {"quarter": quarter, "sesterces": price - 1}})
    assert is_refused(state, BuyBrick(symbol=0, shop=color), no.TOO_FEW_SESTERCES, "/data/shop")
