"""What a seat or a spectator has learnt, field by field."""

from msgspec import Struct

from domain.porta_nigra.board import BOARDS, NOWHERE, Board, members
from domain.porta_nigra.state import NO_SEAT, Element, Player, Stage, State, phase

Cards = tuple[str, ...]


class Bricks(Struct, frozen=True):
    """Bricks by colour."""

    black: int
    blue: int
    red: int
    yellow: int
    white: int


class Placed(Struct, frozen=True):
    """Own bricks in each building."""

    basilica: int
    amphitheatre: int
    city_wall: int
    porta_nigra: int


class PlayerView(Struct, frozen=True):
    """A seat's play area. `hand` is the seat's own, `draw_pile` nobody's: null for those who may not know."""

    seat: int
    vp: int
    sesterces: int
    torches: int
    influence: int
    romans: int
    romans_in_reserve: int
    quarter: str | None
    bricks: Bricks
    bricks_on_board: Placed
    hand_size: int
    hand: Cards | None
    draw_pile_size: int
    draw_pile: Cards | None
    played: Cards
    building_cards: Cards
    final_cards: Cards
    interim_points: int


class ElementView(Struct, frozen=True):
    """An element on its site."""

    site: str
    seat: int
    bricks: int


class PileView(Struct, frozen=True):
    """A pile of the table: how many cards, and from the end of the game on, which, from the top."""

    size: int
    cards: Cards | None


class TurnView(Struct, frozen=True):
    """The turn under way."""

    seat: int
    card: str | None
    covered_symbols: tuple[int, ...]
    card_torches: int
    has_bought_honor: bool
    bricks_to_choose: int
    has_top_up: bool


class View(Struct, frozen=True):
    """The table as one seat, or a spectator, sees it. Piles lie from the top; `early_end_by` called the early end."""

    edition: str
    roman_cost: int
    age_order: tuple[int, ...]
    round: int
    rounds: int
    stage: Stage
    phase: str
    start_seat: int
    early_end_by: int | None
    turn: TurnView
    market: Bricks
    bricks_in_reserve: int
    supply_pile: PileView
    supply_discards: Cards
    building_display: Cards
    building_pile: PileView
    removed_building_cards: Cards
    honor_display: Cards
    honor_pile: PileView
    removed_honor_cards: Cards
    elements: tuple[ElementView, ...]
    players: tuple[PlayerView, ...]


def view(state: State, seat: int | None, *, reveal: bool = False) -> View:
    """All that `seat` (None: a spectator) has learnt; with `reveal`, everything."""
    board = BOARDS[state.edition]
    return View(
        edition=state.edition,
        roman_cost=state.roman_cost,
        age_order=state.age_order,
        round=state.round,
        rounds=board.constants.rounds[len(state.players)],
        stage=state.stage,
        phase=phase(state),
        start_seat=state.start_seat,
        early_end_by=None if state.ender == NO_SEAT else state.ender,
        turn=TurnView(
            seat=state.active,
            card=state.card or None,
            covered_symbols=tuple(members(state.covered)),
            card_torches=state.card_torches,
            has_bought_honor=state.has_bought_honor,
            bricks_to_choose=state.bricks_due,
            has_top_up=state.top_up_due,
        ),
        market=Bricks(*state.market),
        bricks_in_reserve=state.reserve,
        supply_pile=_pile(state.supply_pile, reveal),
        supply_discards=state.supply_discards,
        building_display=state.building_display,
        building_pile=_pile(state.building_pile, reveal),
        removed_building_cards=state.removed_building_cards,
        honor_display=state.honor_display,
        honor_pile=_pile(state.honor_pile, reveal),
        removed_honor_cards=state.removed_honor_cards,
        elements=tuple(_element(board, element) for element in state.elements),
        players=tuple(
            _player(board, number, player, shows_hand=reveal or number == seat, shows_pile=reveal)
            for number, player in enumerate(state.players)
        ),
    )


def _pile(cards: Cards, shown: bool) -> PileView:
    return PileView(size=len(cards), cards=cards if shown else None)


def _element(board: Board, element: Element) -> ElementView:
    return ElementView(site=board.sites[element.site].id, seat=element.seat, bricks=element.bricks)


def _player(board: Board, seat: int, player: Player, *, shows_hand: bool, shows_pile: bool) -> PlayerView:
    return PlayerView(
        seat=seat,
        vp=player.vp,
        sesterces=player.sesterces,
        torches=player.torches,
        influence=player.influence,
        romans=player.romans,
        romans_in_reserve=player.romans_in_reserve,
        quarter=None if player.quarter == NOWHERE else board.quarters[player.quarter],
        bricks=Bricks(*player.bricks),
        bricks_on_board=Placed(*player.placed),
        hand_size=len(player.hand),
        hand=player.hand if shows_hand else None,
        draw_pile_size=len(player.pile),
        draw_pile=player.pile if shows_pile else None,
        played=player.played,
        building_cards=player.building_cards,
        final_cards=player.final_cards,
        interim_points=player.interim,
    )
