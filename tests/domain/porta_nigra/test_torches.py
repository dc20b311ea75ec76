"""How many actions a card allows, torch tokens, and the actions that just take something [HU4, HU7]."""

import pytest

from domain.porta_nigra import refusals as no
from domain.porta_nigra.commands import (
    BuildElement,
    BuyBrick,
    EndTurn,
    TakeCoins,
    TakeInfluence,
    TakeTorch,
    TorchToCoin,
)
from domain.porta_nigra.events.actions import TorchConverted
from tests.domain.porta_nigra.builders import after, is_refused, legal, outcome, position

TWO_TORCHES_THREE_SYMBOLS = "ACT-4"  # white, build, influence
THREE_TORCHES = "ACT-5"  # black, blue, build, influence, coins 3
WHITE_ANY_TORCH_COINS = "ACT-7"


def test_t3_a_card_pays_for_two_actions_and_a_token_for_the_third() -> None:
    state = position(
        card=WHITE_ANY_TORCH_COINS, own={0: {"hand": ("ACT-2",), "pile": ("ACT-3",), "torches": 1, "sesterces": 20}}
    )
    state = after(state, TakeCoins(symbol=3), BuyBrick(symbol=0, shop="white"))
    assert (state.card_torches, state.player.torches) == (0, 1)
    state = after(state, BuyBrick(symbol=1, shop="white"))
    assert state.active == 1  # neither torch nor token nor influence is left: the turn is over
    player = state.players[0]
    assert player.torches == 0
    assert player.played == (WHITE_ANY_TORCH_COINS,)
    assert player.hand == ("ACT-2", "ACT-3")


def test_t3_the_card_with_exactly_three_symbols_is_used_up_by_two_torches_and_a_token() -> None:
    state = position(card=TWO_TORCHES_THREE_SYMBOLS, own={0: {"bricks": "2 blue", "influence": 1}})
    state = after(state, TakeInfluence(symbol=2), BuyBrick(symbol=0, shop="white"))
    assert state.card_torches == 0
    state = after(state, BuildElement(symbol=1, site="BAS-A1", bricks=2, whites=0))
    assert (state.active, state.player.torches, state.covered) == (0, 0, 0b111)
    assert {command.type for command in legal(state)} >= {"influence_roman", "end_turn"}


def test_t3_without_a_token_the_third_action_is_refused() -> None:
    state = position(card=TWO_TORCHES_THREE_SYMBOLS, own={0: {"torches": 0, "influence": 1}})
    state = after(state, TakeInfluence(symbol=2), TorchToCoin(source="card"))
    assert is_refused(state, BuyBrick(symbol=0, shop="white"), no.NO_TORCH_LEFT)


def test_each_symbol_is_used_once_a_turn() -> None:
    state = after(position(card=THREE_TORCHES), TakeCoins(symbol=4))
    assert is_refused(state, TakeCoins(symbol=4), no.SYMBOL_COVERED, "/data/symbol")


@pytest.mark.parametrize("symbol", [-1, 5])
def test_a_symbol_that_the_card_lacks_is_refused(symbol: int) -> None:
    assert is_refused(position(card=THREE_TORCHES), TakeCoins(symbol=symbol), no.NO_SUCH_SYMBOL, "/data/symbol")


@pytest.mark.parametrize("command", [TakeCoins(symbol=0), TakeInfluence(symbol=0), TakeTorch(symbol=0)])
def test_a_symbol_of_another_kind_is_refused(command: TakeCoins | TakeInfluence | TakeTorch) -> None:
    assert is_refused(position(card=THREE_TORCHES), command, no.OTHER_SYMBOL, "/data/symbol")


@pytest.mark.parametrize(("card", "symbol", "sesterces"), [("ACT-5", 4, 3), ("ACT-6", 3, 4), ("ACT-1", 2, 5)])
def test_coins_are_taken_as_the_card_shows(card: str, symbol: int, sesterces: int) -> None:
    state = position(card=card)
    assert after(state, TakeCoins(symbol=symbol)).player.sesterces == 20 + sesterces


def test_one_influence_token_is_taken() -> None:
    assert after(position(card=THREE_TORCHES), TakeInfluence(symbol=3)).player.influence == 1


def test_one_torch_token_is_taken_and_may_be_used_at_once() -> None:
    state = after(position(card=WHITE_ANY_TORCH_COINS, own={0: {"torches": 0}}), TakeTorch(symbol=2))
    assert (state.player.torches, state.card_torches) == (1, 1)
    state = after(state, TakeCoins(symbol=3), BuyBrick(symbol=0, shop="white"))
    assert state.players[0].torches == 0


def test_a_token_may_pay_for_taking_a_torch() -> None:
    state = position(card=WHITE_ANY_TORCH_COINS, card_torches=0, own={0: {"torches": 1}})
    assert TakeTorch(symbol=2) in legal(state)
    state = after(state, TakeTorch(symbol=2))
    assert state.player.torches == 1
    assert is_refused(state, TakeTorch(symbol=2), no.SYMBOL_COVERED, "/data/symbol")


def test_torches_of_the_card_are_used_before_tokens() -> None:
    state = after(position(card=THREE_TORCHES), TakeCoins(symbol=4))
    assert (state.card_torches, state.player.torches) == (2, 1)


def test_t23_the_last_torch_of_the_card_and_a_token_become_a_sesterce_each() -> None:
    state = position(card=THREE_TORCHES, covered=0b11000, card_torches=1)
    state = after(state, TorchToCoin(source="card"))
    assert (state.player.sesterces, state.card_torches, state.player.torches) == (21, 0, 1)
    assert is_refused(state, TorchToCoin(source="card"), no.NO_CARD_TORCH, "/data/source")
    assert outcome(state, TorchToCoin(source="token"))[0] == TorchConverted(seat=0, source="token", sesterces=1)
    assert after(state, TorchToCoin(source="token")).players[0].sesterces == 22


def test_without_a_token_none_can_be_returned() -> None:
    state = position(card=THREE_TORCHES, own={0: {"torches": 0}})
    assert is_refused(state, TorchToCoin(source="token"), no.NO_TORCH_TOKEN, "/data/source")


def test_actions_are_never_compulsory() -> None:
    assert EndTurn() in legal(position(card=THREE_TORCHES))
