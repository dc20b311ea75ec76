"""Folding the course of the game."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.chance import Shuffle
from domain.porta_nigra.board import BOARDS, NOWHERE
from domain.porta_nigra.events import course as e
from domain.porta_nigra.events.course import PortaNigraEvent
from domain.porta_nigra.evolution.changes import seated
from domain.porta_nigra.state import NO_CARD, Player, State


def _cards(shuffle: Shuffle) -> tuple[str, ...]:
    return tuple(map(str, shuffle.order))


def _game_set_up(_: None, event: e.GameSetUp) -> State:
    board, purse, piles = BOARDS[event.edition], event.purse, event.private[0].data
    player = Player(
        vp=purse.vp,
        sesterces=purse.sesterces,
        torches=purse.torches,
        influence=purse.influence,
        romans=purse.romans,
        romans_in_reserve=purse.romans_in_reserve,
        quarter=NOWHERE,
        bricks=(0,) * len(board.colors),
        placed=(0,) * len(board.quarters),
    )
    return State(
        edition=event.edition,
        roman_cost=event.roman_cost,
        age_order=event.age_order,
        players=(player,) * event.seats,
        reserve=event.bricks,
        market=(0,) * len(board.colors),
        supply_pile=_cards(piles.supply),
        supply_discards=(),
        building_pile=_cards(piles.building)[len(event.building_display) :],
        building_display=event.building_display,
        removed_building_cards=(),
        honor_pile=_cards(piles.honor)[len(event.honor_display) :],
        honor_display=event.honor_display,
        removed_honor_cards=(),
        elements=(),
        free_sites=board.all_sites,
        start_seat=event.start_seat,
        active=event.start_seat,
    )


def _round_started(state: State, event: e.RoundStarted) -> State:
    decks = {part.data.seat: _cards(part.data.shuffle) for part in event.private}
    players = tuple(replace(player, pile=decks[seat], hand=(), played=()) for seat, player in enumerate(state.players))
    return replace(state, players=players, round=event.round, start_seat=event.start_seat, stage="turns")


def _hands_drawn(state: State, event: e.HandsDrawn) -> State:
    hands = {part.data.seat: part.data.cards for part in event.private}
    players = tuple(
        replace(player, hand=hands[seat], pile=player.pile[event.cards :]) for seat, player in enumerate(state.players)
    )
    return replace(state, players=players)


def _turn_started(state: State, event: e.TurnStarted) -> State:
    return replace(state, active=event.seat, card=NO_CARD, covered=0, card_torches=0, has_bought_honor=False)


def _supply_shuffled(state: State, event: e.SupplyShuffled) -> State:
    return replace(state, supply_pile=_cards(event.private[0].data.shuffle), supply_discards=())


def _supply_card_turned(state: State, event: e.SupplyCardTurned) -> State:
    index = BOARDS[state.edition].color_index
    market = list(state.market)
    for color in event.bricks:
        market[index[color]] += 1
    return replace(
        state,
        reserve=state.reserve - len(event.bricks),
        market=tuple(market),
        supply_pile=state.supply_pile[1:],
        supply_discards=(*state.supply_discards, event.card),
    )


def _building_cards_turned(state: State, event: e.BuildingCardsTurned) -> State:
    return replace(
        state,
        building_display=state.building_display + event.cards,
        building_pile=state.building_pile[len(event.cards) :],
    )


def _honor_cards_turned(state: State, event: e.HonorCardsTurned) -> State:
    return replace(
        state, honor_display=state.honor_display + event.cards, honor_pile=state.honor_pile[len(event.cards) :]
    )


def _early_end_called(state: State, event: e.EarlyEndCalled) -> State:
    player = state.players[event.seat]
    return replace(
        state, players=seated(state.players, event.seat, replace(player, vp=player.vp + event.vp)), ender=event.seat
    )


def _turn_ended(state: State, event: e.TurnEnded) -> State:
    player = state.players[event.seat]
    drawn = event.private[0].data.cards if event.draws else ()
    player = replace(
        player, hand=player.hand + drawn, pile=player.pile[event.draws :], played=(*player.played, event.card)
    )
    return replace(state, players=seated(state.players, event.seat, player), card=NO_CARD)


def _scoring_due(state: State, event: e.ScoringDue) -> State:
    return replace(state, stage="interim_scoring" if event.scoring == "interim" else "final_scoring")


def _start_choice_given(state: State, event: e.StartChoiceGiven) -> State:
    return replace(state, stage="choose_start_player", active=event.seat)


def _start_player_chosen(state: State, event: e.StartPlayerChosen) -> State:
    return replace(state, start_seat=event.start_seat)


FOLDS: dict[type[PortaNigraEvent], Callable[[Any, Any], State]] = {
    e.GameSetUp: _game_set_up,
    e.RoundStarted: _round_started,
    e.HandsDrawn: _hands_drawn,
    e.TurnStarted: _turn_started,
    e.SupplyShuffled: _supply_shuffled,
    e.SupplyCardTurned: _supply_card_turned,
    e.BuildingCardsTurned: _building_cards_turned,
    e.HonorCardsTurned: _honor_cards_turned,
    e.EarlyEndCalled: _early_end_called,
    e.TurnEnded: _turn_ended,
    e.ScoringDue: _scoring_due,
    e.StartChoiceGiven: _start_choice_given,
    e.StartPlayerChosen: _start_player_chosen,
}
