"""The refill phase at the start of every turn: bricks, building cards, honor cards [HU3]. It holds no decision."""

from domain.game import NOBODY, Part
from domain.porta_nigra.draft import Draft
from domain.porta_nigra.events.course import (
    BuildingCardsTurned,
    HonorCardsTurned,
    SupplyCardTurned,
    SupplyOrder,
    SupplyShuffled,
)


def refill(draft: Draft) -> None:
    """All three parts, in the rulebook's order."""
    constants = draft.board.constants
    if sum(draft.state.market) < constants.market_low:
        while draft.state.reserve and sum(draft.state.market) < constants.market_full:
            _turn_supply_card(draft)
    state = draft.state
    cards = state.building_pile[: constants.building_display - len(state.building_display)]
    if cards:
        draft.tell(BuildingCardsTurned(cards=cards))
    cards = state.honor_pile[: constants.honor_display - len(state.honor_display)]
    if cards:
        draft.tell(HonorCardsTurned(cards=cards))


def _turn_supply_card(draft: Draft) -> None:
    """One brick on each shop of the card, in price order while the reserve lasts [A21]; an empty pile is made anew first."""
    if not draft.state.supply_pile:
        shuffle = draft.chance.shuffle("supply_cards", draft.state.supply_discards)
        order = Part(seats=NOBODY, data=SupplyOrder(shuffle=shuffle))
        draft.tell(SupplyShuffled(cards=len(shuffle.order), private=(order,)))
    board, state = draft.board, draft.state
    card = state.supply_pile[0]
    shops = board.supply_cards[card][: state.reserve]
    draft.tell(SupplyCardTurned(card=card, bricks=tuple(board.colors[shop] for shop in shops)))
