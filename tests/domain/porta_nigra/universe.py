"""All well-formed commands that a client could conceive, within a margin around what the rules allow."""

from functools import lru_cache
from itertools import product

from domain.porta_nigra import commands as c
from domain.porta_nigra.board import BOARD, Site
from domain.porta_nigra.influence import discards
from domain.porta_nigra.state import State

_SYMBOLS = range(-1, 6)


def universe(seats: int) -> list[c.PortaNigraCommand]:
    """Every command whatever the position, but for discards."""
    return [*_simple(seats), *_builds()]


def discarding(state: State) -> list[c.PortaNigraCommand]:
    """Purchases of every honor card with every discard that any honor card could ask of the player, and some it could not."""
    asked = {discard for card in BOARD.honor_cards.values() for discard in discards(BOARD, state.player, card)}
    asked |= {discard[::-1] for discard in asked} | {
        ("HON-FS30", "HON-FS30"),
        ("nothing",),
        ("HON-FS30",),
        ("HON-FS42",),
        (),
    }
    return [
        c.BuyHonorCard(card=card, discard=discard)
        for card in (*BOARD.honor_cards, "HON-0")
        for discard in sorted(asked)
    ]


@lru_cache
def _simple(seats: int) -> list[c.PortaNigraCommand]:
    return [
        *(c.PlaceBuilder(quarter=quarter) for quarter in (*BOARD.quarters, "forum")),
        *(c.PlayActionCard(card=card) for card in (*BOARD.action_cards, "ACT-9")),
        *(c.BuyBrick(symbol=at, shop=shop) for at, shop in product(_SYMBOLS, (*BOARD.colors, "any"))),
        *(take(symbol=at) for take, at in product((c.TakeInfluence, c.TakeTorch, c.TakeCoins), _SYMBOLS)),
        c.TorchToCoin(source="card"),
        c.TorchToCoin(source="token"),
        c.InfluenceRoman(),
        *(c.ChooseBrick(color=color) for color in (*BOARD.colors, "green")),
        *(c.TopUpElement(site=site.id) for site in BOARD.sites),
        c.TopUpElement(site="POR-P0"),
        *(c.SplitInterim(vp=vp) for vp in range(-1, 130)),
        *(c.ChooseStartPlayer(seat=seat) for seat in range(-1, seats + 1)),
        c.EndTurn(),
    ]


@lru_cache
def _builds() -> list[c.PortaNigraCommand]:
    elements = [
        (site.id, bricks, whites)
        for site in BOARD.sites
        for bricks in _margin(site)
        for whites in range(-1, bricks + 2)
    ]
    elements.append(("BAS-C1", 1, 0))
    return [
        *(c.BuildElement(at, *element) for at, element in product(_SYMBOLS, elements)),
        *(c.InfluenceBuild(*element) for element in elements),
    ]


def _margin(site: Site) -> range:
    return range(site.sizes[0] - 1, site.sizes[-1] + 2)
