"""Folding what players do in their turns."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.porta_nigra.board import BOARDS
from domain.porta_nigra.events import actions as e
from domain.porta_nigra.events.course import PortaNigraEvent
from domain.porta_nigra.evolution.changes import plus, seated, without
from domain.porta_nigra.state import Element, State


def _builder_placed(state: State, event: e.BuilderPlaced) -> State:
    quarter = BOARDS[state.edition].quarter_index[event.quarter]
    return replace(
        state, players=seated(state.players, event.seat, replace(state.players[event.seat], quarter=quarter))
    )


def _action_card_played(state: State, event: e.ActionCardPlayed) -> State:
    player = state.players[event.seat]
    player = replace(player, hand=without(player.hand, event.card))
    return replace(
        state, players=seated(state.players, event.seat, player), card=event.card, card_torches=event.torches
    )


def _brick_bought(state: State, event: e.BrickBought) -> State:
    board, player = BOARDS[state.edition], state.players[event.seat]
    color, token = board.color_index[event.shop], event.torch == "token"
    player = replace(
        player,
        sesterces=player.sesterces - event.fee - event.price,
        quarter=board.quarter_index[event.quarter],
        bricks=plus(player.bricks, color, 1),
        torches=player.torches - token,
    )
    return replace(
        state,
        players=seated(state.players, event.seat, player),
        market=plus(state.market, color, -1),
        covered=state.covered | 1 << event.symbol,
        card_torches=state.card_torches - (not token),
    )


def _element_built(state: State, event: e.ElementBuilt) -> State:
    board, player, seat = BOARDS[state.edition], state.players[event.seat], event.seat
    site, quarter, token = board.site_index[event.site], board.quarter_index[event.quarter], event.torch == "token"
    bricks = plus(player.bricks, board.color_index[event.color], event.whites - event.bricks)
    taken = event.building_card
    player = replace(
        player,
        vp=player.vp + event.vp,
        sesterces=player.sesterces - event.fee,
        torches=player.torches - token,
        influence=player.influence - event.influence,
        romans=player.romans - 1,
        quarter=quarter,
        bricks=plus(bricks, board.white, -event.whites),
        placed=plus(player.placed, quarter, event.bricks),
        elements=player.elements + 1,
        building_cards=player.building_cards if taken is None else (*player.building_cards, taken),
    )
    display = state.building_display
    return replace(
        state,
        players=seated(state.players, seat, player),
        elements=(*state.elements, Element(site, seat, event.bricks)),
        free_sites=state.free_sites & ~(1 << site),
        building_display=display if taken is None else without(display, taken),
        covered=state.covered if event.symbol is None else state.covered | 1 << event.symbol,
        card_torches=state.card_torches - (event.torch == "card"),
    )


def _reward_granted(state: State, event: e.RewardGranted) -> State:
    player = state.players[event.seat]
    player = replace(
        player,
        sesterces=player.sesterces + event.sesterces,
        torches=player.torches + event.torches,
        influence=player.influence + event.influence,
        romans=player.romans + event.romans,
        romans_in_reserve=player.romans_in_reserve - event.romans,
    )
    return replace(state, players=seated(state.players, event.seat, player), bricks_due=state.bricks_due + event.bricks)


def _taken(
    state: State, event: e.InfluenceTaken | e.TorchTaken | e.CoinsTaken, sesterces: int, torches: int, influence: int
) -> State:
    player, token = state.players[event.seat], event.torch == "token"
    player = replace(
        player,
        sesterces=player.sesterces + sesterces,
        torches=player.torches + torches - token,
        influence=player.influence + influence,
    )
    covered = state.covered | 1 << event.symbol
    return replace(
        state,
        players=seated(state.players, event.seat, player),
        covered=covered,
        card_torches=state.card_torches - (not token),
    )


def _influence_taken(state: State, event: e.InfluenceTaken) -> State:
    return _taken(state, event, sesterces=0, torches=0, influence=1)


def _torch_taken(state: State, event: e.TorchTaken) -> State:
    return _taken(state, event, sesterces=0, torches=1, influence=0)


def _coins_taken(state: State, event: e.CoinsTaken) -> State:
    return _taken(state, event, sesterces=event.sesterces, torches=0, influence=0)


def _torch_converted(state: State, event: e.TorchConverted) -> State:
    player, token = state.players[event.seat], event.source == "token"
    player = replace(player, sesterces=player.sesterces + event.sesterces, torches=player.torches - token)
    return replace(
        state, players=seated(state.players, event.seat, player), card_torches=state.card_torches - (not token)
    )


def _honor_card_bought(state: State, event: e.HonorCardBought) -> State:
    player, final_cards, card = state.players[event.seat], BOARDS[state.edition].final_cards, event.card
    building_cards, own_finals = player.building_cards, player.final_cards
    gone_building, gone_honor = state.removed_building_cards, state.removed_honor_cards
    for discarded in event.discarded:
        if discarded in final_cards:
            own_finals = without(own_finals, discarded)
            gone_honor += (discarded,)
        else:
            building_cards = without(building_cards, discarded)
            gone_building += (discarded,)
    if event.kept == "building_card":
        building_cards += (card,)
    elif event.kept == "final_card":
        own_finals += (card,)
    else:
        gone_honor += (card,)
    player = replace(
        player,
        vp=player.vp + event.vp,
        sesterces=player.sesterces + event.sesterces,
        torches=player.torches + event.torches,
        influence=player.influence - event.influence,
        romans=player.romans + event.romans,
        romans_in_reserve=player.romans_in_reserve - event.romans,
        building_cards=building_cards,
        final_cards=own_finals,
    )
    return replace(
        state,
        players=seated(state.players, event.seat, player),
        honor_display=without(state.honor_display, card),
        removed_building_cards=gone_building,
        removed_honor_cards=gone_honor,
        has_bought_honor=True,
        bricks_due=event.bricks,
        top_up_due=event.top_up,
    )


def _roman_bought(state: State, event: e.RomanBought) -> State:
    player = state.players[event.seat]
    player = replace(
        player,
        influence=player.influence - event.influence,
        romans=player.romans + 1,
        romans_in_reserve=player.romans_in_reserve - 1,
    )
    return replace(state, players=seated(state.players, event.seat, player))


def _brick_chosen(state: State, event: e.BrickChosen) -> State:
    player = state.players[event.seat]
    color = BOARDS[state.edition].color_index[event.color]
    player = replace(player, bricks=plus(player.bricks, color, 1))
    return replace(
        state,
        players=seated(state.players, event.seat, player),
        reserve=state.reserve - 1,
        bricks_due=state.bricks_due - 1,
    )


def _element_topped_up(state: State, event: e.ElementToppedUp) -> State:
    board, player = BOARDS[state.edition], state.players[event.seat]
    site = board.site_index[event.site]
    player = replace(player, placed=plus(player.placed, board.quarter_index[event.building], 1))
    elements = tuple(
        replace(element, bricks=event.bricks) if element.site == site else element for element in state.elements
    )
    return replace(
        state,
        players=seated(state.players, event.seat, player),
        elements=elements,
        reserve=state.reserve - 1,
        top_up_due=False,
    )


FOLDS: dict[type[PortaNigraEvent], Callable[[Any, Any], State]] = {
    e.BuilderPlaced: _builder_placed,
    e.ActionCardPlayed: _action_card_played,
    e.BrickBought: _brick_bought,
    e.ElementBuilt: _element_built,
    e.RewardGranted: _reward_granted,
    e.InfluenceTaken: _influence_taken,
    e.TorchTaken: _torch_taken,
    e.CoinsTaken: _coins_taken,
    e.TorchConverted: _torch_converted,
    e.HonorCardBought: _honor_card_bought,
    e.RomanBought: _roman_bought,
    e.BrickChosen: _brick_chosen,
    e.ElementToppedUp: _element_topped_up,
}
