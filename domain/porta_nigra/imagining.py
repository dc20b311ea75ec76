"""A whole state that a view allows: what the view hides is dealt anew, each possibility equally likely."""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec.structs import astuple, replace

from domain.chance import Chance
from domain.porta_nigra.board import BOARDS, NOWHERE, Board
from domain.porta_nigra.state import NO_CARD, NO_SEAT, Element, Player, State
from domain.porta_nigra.view import PileView, PlayerView, View
from domain.porta_nigra.view import view as view_of

Cards = tuple[str, ...]


def imagine(view: View, chance: Chance) -> State:
    """The state of `view`, its piles and the hands of others drawn from the cards that have not been seen."""
    board = BOARDS[view.edition]
    elements = tuple(Element(board.site_index[own.site], own.seat, own.bricks) for own in view.elements)
    held = [card for player in view.players for card in (*player.building_cards, *player.final_cards)]
    seen_building = (*view.building_display, *view.removed_building_cards, *held)
    seen_honor = (*view.honor_display, *view.removed_honor_cards, *held)
    return State(
        edition=view.edition,
        roman_cost=view.roman_cost,
        age_order=view.age_order,
        players=tuple(_player(board, view, own, chance) for own in view.players),
        reserve=view.bricks_in_reserve,
        market=astuple(view.market),
        supply_pile=_pile(view.supply_pile, "supply_cards", board.supply_cards, view.supply_discards, chance),
        supply_discards=view.supply_discards,
        building_pile=_pile(view.building_pile, "building_cards", board.building_cards, seen_building, chance),
        building_display=view.building_display,
        removed_building_cards=view.removed_building_cards,
        honor_pile=_pile(view.honor_pile, "honor_cards", board.honor_pile, seen_honor, chance),
        honor_display=view.honor_display,
        removed_honor_cards=view.removed_honor_cards,
        elements=elements,
        free_sites=board.all_sites - sum(1 << element.site for element in elements),
        start_seat=view.start_seat,
        active=view.turn.seat,
        stage=view.stage,
        round=view.round,
        card=view.turn.card or NO_CARD,
        covered=sum(1 << position for position in view.turn.covered_symbols),
        card_torches=view.turn.card_torches,
        has_bought_honor=view.turn.has_bought_honor,
        bricks_due=view.turn.bricks_to_choose,
        top_up_due=view.turn.has_top_up,
        ender=NO_SEAT if view.early_end_by is None else view.early_end_by,
    )


def redraw(state: State, seats: Sequence[int], chance: Chance) -> State:
    """The state with all that none of `seats` has seen dealt anew."""
    seen = view_of(state, None)
    players = tuple(view_of(state, own.seat).players[own.seat] if own.seat in seats else own for own in seen.players)
    return imagine(replace(seen, players=players), chance)


def _played(view: View, player: PlayerView) -> Cards:
    """The cards of this round that `player` has shown: its discard pile and the card of the turn."""
    card = view.turn.card
    return player.played if card is None or view.turn.seat != player.seat else (*player.played, card)


def _player(board: Board, view: View, own: PlayerView, chance: Chance) -> Player:
    hidden = _rest(board.decks[len(view.players)], (*_played(view, own), *(own.hand or ())))
    dealt = () if own.draw_pile is not None else _shuffled(f"action_cards_of_seat_{own.seat}", hidden, chance)
    missing = own.hand_size if own.hand is None else 0
    return Player(
        vp=own.vp,
        sesterces=own.sesterces,
        torches=own.torches,
        influence=own.influence,
        romans=own.romans,
        romans_in_reserve=own.romans_in_reserve,
        quarter=NOWHERE if own.quarter is None else board.quarter_index[own.quarter],
        bricks=astuple(own.bricks),
        placed=astuple(own.bricks_on_board),
        elements=sum(element.seat == own.seat for element in view.elements),
        hand=dealt[:missing] if own.hand is None else own.hand,
        pile=dealt[missing:] if own.draw_pile is None else own.draw_pile,
        played=own.played,
        building_cards=own.building_cards,
        final_cards=own.final_cards,
        interim=own.interim_points,
    )


def _pile(pile: PileView, label: str, cards: Iterable[str], seen: Iterable[str], chance: Chance) -> Cards:
    return _shuffled(label, _rest(cards, seen), chance) if pile.cards is None else pile.cards


def _rest(cards: Iterable[str], seen: Iterable[str]) -> Cards:
    """The cards that are left when those `seen` are taken away, sorted."""
    left = Counter([*cards])
    left.subtract(card for card in seen if card in left)
    return tuple(sorted(left.elements()))


def _shuffled(label: str, cards: Cards, chance: Chance) -> Cards:
    return tuple(map(str, chance.shuffle(label, cards).order))
