"""Actions by the symbols of the action card [HU4, HU5, HU7], and torches for sesterces."""

from collections.abc import Sequence

from domain.errors import RuleViolation
from domain.porta_nigra import refusals as no
from domain.porta_nigra.board import ANY_SHOP, Board, Symbol
from domain.porta_nigra.commands import BuyBrick, TakeCoins, TakeInfluence, TakeTorch, TorchToCoin
from domain.porta_nigra.draft import Draft
from domain.porta_nigra.events.actions import BrickBought, CoinsTaken, InfluenceTaken, Torch, TorchConverted, TorchTaken
from domain.porta_nigra.state import State


def paying_torch(state: State) -> Torch | None:
    """What pays for the next action: torches of the card before tokens [S11], None if neither."""
    if state.card_torches:
        return "card"
    return "token" if state.player.torches else None


def use_symbol(draft: Draft, position: int, kind: str) -> tuple[Symbol, Torch]:
    """The free symbol at `position` and the torch that pays for it [HU4]. Raises RuleViolation."""
    state = draft.state
    symbols = draft.board.action_cards[state.card].symbols
    at = "/data/symbol"
    if not 0 <= position < len(symbols):
        raise RuleViolation(no.NO_SUCH_SYMBOL, pointer=at, symbol=position, card=state.card, last=len(symbols) - 1)
    symbol = symbols[position]
    if symbol.kind != kind:
        raise RuleViolation(
            no.OTHER_SYMBOL, pointer=at, symbol=position, card=state.card, kind=symbol.kind, needed=kind
        )
    if state.covered >> position & 1:
        raise RuleViolation(no.SYMBOL_COVERED, pointer=at, symbol=position)
    torch = paying_torch(state)
    if torch is None:
        raise RuleViolation(no.NO_TORCH_LEFT)
    return symbol, torch


def buy_fault(
    board: Board, symbol_shop: int, shop: int, stocked: Sequence[bool], quarter: int, sesterces: int
) -> RuleViolation | None:
    """Why a buy symbol for `symbol_shop` does not buy in `shop` now, or None; `stocked` says which shops have bricks.

    A symbol whose own shop is empty buys anywhere [A9]; way and price are paid together or not at all [A12].
    """
    if not any(stocked):
        return RuleViolation(no.MARKET_EMPTY)
    if symbol_shop not in (ANY_SHOP, shop) and stocked[symbol_shop]:
        return RuleViolation(no.OTHER_SHOP, pointer="/data/shop", shop=board.colors[symbol_shop])
    if not stocked[shop]:
        return RuleViolation(no.SHOP_EMPTY, pointer="/data/shop", shop=board.colors[shop])
    cost = board.shop_costs[quarter][shop]
    if cost > sesterces:
        fee = cost - board.prices[shop]
        return RuleViolation(no.TOO_FEW_SESTERCES, pointer="/data/shop", cost=cost, fee=fee, sesterces=sesterces)
    return None


def color_named(board: Board, color: str, pointer: str) -> int:
    """The index of a colour. Raises RuleViolation."""
    index = board.color_index.get(color)
    if index is None:
        raise RuleViolation(no.UNKNOWN_COLOR, pointer=pointer, color=color, known=", ".join(board.colors))
    return index


def buy_brick(draft: Draft, command: BuyBrick) -> None:
    """Go clockwise to the shop if need be, and buy exactly one brick [HU5]."""
    board, state, player = draft.board, draft.state, draft.state.player
    symbol, torch = use_symbol(draft, command.symbol, "buy")
    shop = color_named(board, command.shop, "/data/shop")
    fault = buy_fault(board, symbol.shop, shop, tuple(map(bool, state.market)), player.quarter, player.sesterces)
    if fault is not None:
        raise fault
    quarter = board.shop_quarters[player.quarter][shop]
    draft.tell(
        BrickBought(
            seat=state.active,
            symbol=command.symbol,
            torch=torch,
            shop=command.shop,
            quarter=board.quarters[quarter],
            fee=board.fees[player.quarter][quarter],
            price=board.prices[shop],
        )
    )


def take_influence(draft: Draft, command: TakeInfluence) -> None:
    """One influence token [HU7, C]."""
    _, torch = use_symbol(draft, command.symbol, "influence")
    draft.tell(InfluenceTaken(seat=draft.state.active, symbol=command.symbol, torch=torch))


def take_torch(draft: Draft, command: TakeTorch) -> None:
    """One torch token [HU7, D]; a token may pay for it (S10)."""
    _, torch = use_symbol(draft, command.symbol, "torch")
    draft.tell(TorchTaken(seat=draft.state.active, symbol=command.symbol, torch=torch))


def take_coins(draft: Draft, command: TakeCoins) -> None:
    """The sesterces of the symbol [HU7, E]."""
    symbol, torch = use_symbol(draft, command.symbol, "coins")
    draft.tell(CoinsTaken(seat=draft.state.active, symbol=command.symbol, torch=torch, sesterces=symbol.amount))


def torch_to_coin(draft: Draft, command: TorchToCoin) -> None:
    """Give up an action of the card, or return a token, for sesterces [HU7, A13, A14]."""
    state = draft.state
    if command.source == "card" and not state.card_torches:
        raise RuleViolation(no.NO_CARD_TORCH, pointer="/data/source")
    if command.source == "token" and not state.player.torches:
        raise RuleViolation(no.NO_TORCH_TOKEN, pointer="/data/source")
    sesterces = draft.board.constants.sesterces_per_torch
    draft.tell(TorchConverted(seat=state.active, source=command.source, sesterces=sesterces))
