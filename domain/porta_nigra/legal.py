"""Exactly the commands that `rules.decide` accepts, proposed from the tables and judged by the rules' own questions.

Each list is a function of a few small values, so it is made once for them and kept.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

from domain.porta_nigra import commands as c
from domain.porta_nigra.actions import buy_fault
from domain.porta_nigra.board import BOARDS, Board, members
from domain.porta_nigra.building import element_fault, growing
from domain.porta_nigra.influence import discards, honor_fault, roman_fault
from domain.porta_nigra.state import State, phase

Commands = Sequence[c.PortaNigraCommand]

_KEPT = 1 << 14
"""How many lists of each kind are kept."""

_ROMAN = (c.InfluenceRoman(),)
_CARD_TO_COIN = (c.TorchToCoin(source="card"),)
_TOKEN_TO_COIN = (c.TorchToCoin(source="token"),)


def legal_commands(state: State, seat: int) -> Commands:
    """What `seat` may do, in a stable order: nothing unless its decision is awaited."""
    if seat != state.active:
        return ()
    return _LISTS[phase(state)](BOARDS[state.edition], state)


def has_more_to_do(board: Board, state: State) -> bool:
    """Whether the player of a turn has anything but `end_turn` left."""
    player = state.player
    return bool(state.card_torches or player.torches or (player.influence and _by_influence(board, state)))


def _nothing(board: Board, state: State) -> Commands:  # noqa: ARG001
    return ()


def _place_builder(board: Board, state: State) -> Commands:  # noqa: ARG001
    return _builder_places(board.edition)


@lru_cache
def _builder_places(edition: str) -> Commands:
    return tuple(c.PlaceBuilder(quarter=quarter) for quarter in BOARDS[edition].quarters)


def _play_card(board: Board, state: State) -> Commands:
    player = state.player
    plays = _plays(player.hand)
    return (*plays, *(_TOKEN_TO_COIN if player.torches else ()), *_by_influence(board, state))


@lru_cache(_KEPT)
def _plays(hand: tuple[str, ...]) -> Commands:
    return tuple(c.PlayActionCard(card=card) for card in hand)


def _take_actions(board: Board, state: State) -> Commands:
    player = state.player
    plain, builds, last = _plain_actions(
        board.edition,
        state.card,
        state.covered,
        state.card_torches > 0,
        player.torches > 0,
        tuple(map(bool, state.market)),
        player.quarter,
        min(player.sesterces, board.dearest),
    )
    commands = list(plain)
    if player.romans:
        for symbol in builds:
            commands += _builds(board, state, symbol)
    commands += _by_influence(board, state)
    commands += last
    return commands


@lru_cache(_KEPT)
def _plain_actions(
    edition: str,
    card: str,
    covered: int,
    has_card_torch: bool,
    has_token: bool,
    stocked: tuple[bool, ...],
    quarter: int,
    sesterces: int,
) -> tuple[Commands, Sequence[int], Commands]:
    """The actions by symbols but for building; the build symbols that may be used; what ends an action or the turn."""
    symbols = BOARDS[edition].action_cards[card].symbols if has_card_torch or has_token else ()
    plain: list[c.PortaNigraCommand] = []
    builds: list[int] = []
    for position, symbol in enumerate(symbols):
        if covered >> position & 1:
            continue
        if symbol.kind == "build":
            builds.append(position)
        elif symbol.kind == "buy":
            plain += _buys(edition, position, symbol.shop, stocked, quarter, sesterces)
        else:
            plain.append(_TAKES[symbol.kind](symbol=position))
    last = [*(_CARD_TO_COIN if has_card_torch else ()), *(_TOKEN_TO_COIN if has_token else ()), c.EndTurn()]
    return plain, builds, last


@lru_cache(_KEPT)
def _buys(
    edition: str, position: int, symbol_shop: int, stocked: tuple[bool, ...], quarter: int, sesterces: int
) -> Commands:
    board = BOARDS[edition]
    return [
        c.BuyBrick(symbol=position, shop=name)
        for shop, name in enumerate(board.colors)
        if buy_fault(board, symbol_shop, shop, stocked, quarter, sesterces) is None
    ]


_TAKES: dict[str, Callable[..., c.PortaNigraCommand]] = {
    "influence": c.TakeInfluence,
    "torch": c.TakeTorch,
    "coins": c.TakeCoins,
}


def _builds(board: Board, state: State, symbol: int | None) -> Commands:
    """Building by `symbol`, or for influence (None), for a player who has a Roman."""
    player, bricks = state.player, state.player.bricks
    reach = board.reach[player.quarter][min(player.sesterces, board.farthest)]
    sites = state.free_sites & reach & _sites_for(board.edition, bricks)
    whites = bricks[board.white]
    return [
        build
        for site in members(sites)
        for build in _builds_on(board.edition, symbol, site, bricks[board.sites[site].color], whites)
    ]


@lru_cache(_KEPT)
def _sites_for(edition: str, bricks: tuple[int, ...]) -> int:
    """The set of sites for which a supply of `bricks` is enough."""
    board = BOARDS[edition]
    return sum(
        1 << site.index
        for site in board.sites
        if _builds_on(edition, None, site.index, bricks[site.color], bricks[board.white])
    )


@lru_cache(_KEPT)
def _builds_on(edition: str, symbol: int | None, index: int, own: int, own_whites: int) -> Commands:
    """Every element for the site out of so many bricks of its colour and white ones."""
    board = BOARDS[edition]
    site = board.sites[index]
    return [
        c.InfluenceBuild(site=site.id, bricks=bricks, whites=whites)
        if symbol is None
        else c.BuildElement(symbol=symbol, site=site.id, bricks=bricks, whites=whites)
        for bricks in site.sizes
        for whites in range(bricks + 1)
        if element_fault(board, site, bricks, whites, own, own_whites) is None
    ]


def _by_influence(board: Board, state: State) -> Commands:
    player = state.player
    if not player.influence:
        return ()
    honor = () if state.has_bought_honor else _honor_cards(board, state)
    cost = board.constants.influence_build_cost
    builds = _builds(board, state, None) if player.influence >= cost and player.romans else ()
    return (*honor, *builds, *(_ROMAN if roman_fault(state) is None else ()))


def _honor_cards(board: Board, state: State) -> Commands:
    return [
        c.BuyHonorCard(card=card, discard=discard)
        for card in _affordable(board.edition, state.honor_display, state.player.influence)
        if honor_fault(board, state, card) is None
        for discard in discards(board, state.player, board.honor_cards[card])
    ]


@lru_cache(_KEPT)
def _affordable(edition: str, display: tuple[str, ...], influence: int) -> Sequence[str]:
    """The kinds on display that cost no more influence, as the data file lists them."""
    shown = set(display)
    return [
        card.id
        for card in BOARDS[edition].honor_cards.values()
        if card.id in shown and card.influence_cost <= influence
    ]


def _choose_brick(board: Board, state: State) -> Commands:  # noqa: ARG001
    return _brick_choices(board.edition)


@lru_cache
def _brick_choices(edition: str) -> Commands:
    return tuple(c.ChooseBrick(color=color) for color in BOARDS[edition].colors)


def _top_up_element(board: Board, state: State) -> Commands:
    return [c.TopUpElement(site=board.sites[element.site].id) for element in growing(board, state)]


def _split_interim(board: Board, state: State) -> Commands:  # noqa: ARG001
    return [c.SplitInterim(vp=vp) for vp in range(state.player.interim + 1)]


def _choose_start_player(board: Board, state: State) -> Commands:  # noqa: ARG001
    return [c.ChooseStartPlayer(seat=seat) for seat in range(len(state.players))]


_LISTS: dict[str, Callable[[Board, State], Commands]] = {
    "place_builder": _place_builder,
    "play_card": _play_card,
    "take_actions": _take_actions,
    "choose_brick": _choose_brick,
    "top_up_element": _top_up_element,
    "split_interim": _split_interim,
    "choose_start_player": _choose_start_player,
    "interim_scoring": _nothing,
    "final_scoring": _nothing,
    "over": _nothing,
}
