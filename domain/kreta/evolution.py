"""How events change the state. Facts are taken over; nothing is judged, drawn or scored here."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from domain.kreta.board import BOARDS, CASTELLAN
from domain.kreta.events import (
    AbbotMoved,
    AbbotPlaced,
    CardsTakenBack,
    CharacterPlayed,
    FortBuilt,
    FortCardKept,
    FortCardReplaced,
    FortCardTurnedDown,
    FortCardTurnedUp,
    GameEnded,
    GameSetUp,
    KretaEvent,
    ProvinceScored,
    ShipMoved,
    ShipPlaced,
    TileHarvested,
    TurnEnded,
    VillageBuilt,
    VillagerMoved,
    VillagerPlaced,
)
from domain.kreta.state import CHOOSE_CARD, FORT_CARD, HARVESTED, OVER, SCORING, Places, State


def evolve(state: State | None, event: KretaEvent) -> State:
    """The state after `event`; GameSetUp makes the first one."""
    return _TRANSITIONS[type(event)](state, event)


def _with(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _more(places: Places, seat: int, place: int) -> Places:
    return (*places[:seat], tuple(sorted((*places[seat], place))), *places[seat + 1 :])


def _moved(places: Places, seat: int, origin: int, target: int) -> Places:
    moved = list(places[seat])
    moved.remove(origin)
    moved.append(target)
    return (*places[:seat], tuple(sorted(moved)), *places[seat + 1 :])


def _shifted(figures: tuple[int, ...], origin: int, target: int) -> tuple[int, ...]:
    tally = list(figures)
    tally[origin] -= 1
    tally[target] += 1
    return tuple(tally)


def _set_up(_nothing: None, event: GameSetUp) -> State:
    board = BOARDS[event.edition]
    (hidden,) = event.private
    nothing: Places = ((),) * event.seats
    return State(
        edition=event.edition,
        farmer_harvest=event.farmer_harvest,
        phase=CHOOSE_CARD,
        active=event.first_seat,
        begun=False,
        steps_taken=0,
        moved_ships=(),
        scores=(0,) * event.seats,
        played=((),) * event.seats,
        tiles=tuple(board.tile_index[tile] for tile in event.tiles),
        collected=((0,) * len(board.tiles),) * event.seats,
        villagers=nothing,
        villages=nothing,
        abbots=nothing,
        ships=nothing,
        forts=nothing,
        figures=(0,) * len(board.provinces),
        row=hidden.data.row,
        turned_down=0,
        turned_up=len(event.open_points),
        pile=hidden.data.pile,
        known_under=0,
    )


def _character_played(state: State, event: CharacterPlayed) -> State:
    seat, played = event.seat, state.played
    action = event.copies or event.character
    return replace(
        state,
        phase=SCORING if action == CASTELLAN else action,
        played=(*played[:seat], (*played[seat], event.character), *played[seat + 1 :]),
    )


def _ship_placed(state: State, event: ShipPlaced) -> State:
    return replace(state, ships=_more(state.ships, event.seat, state.board.index[event.province]))


def _ship_moved(state: State, event: ShipMoved) -> State:
    index = state.board.index
    target = index[event.to_province]
    ships = _moved(state.ships, event.seat, index[event.from_province], target)
    return replace(state, ships=ships, moved_ships=(*state.moved_ships, target), begun=True)


def _villager_placed(state: State, event: VillagerPlaced) -> State:
    province = state.board.index[event.province]
    figures = _with(state.figures, province, state.figures[province] + 1)
    return replace(state, villagers=_more(state.villagers, event.seat, province), figures=figures)


def _villager_moved(state: State, event: VillagerMoved) -> State:
    index = state.board.index
    origin, target = index[event.from_province], index[event.to_province]
    return replace(
        state,
        villagers=_moved(state.villagers, event.seat, origin, target),
        figures=_shifted(state.figures, origin, target),
        steps_taken=state.steps_taken + event.steps,
        begun=True,
    )


def _abbot_placed(state: State, event: AbbotPlaced) -> State:
    province = state.board.index[event.province]
    figures = _with(state.figures, province, state.figures[province] + 1)
    return replace(state, abbots=_more(state.abbots, event.seat, province), figures=figures)


def _abbot_moved(state: State, event: AbbotMoved) -> State:
    index = state.board.index
    origin, target = index[event.from_province], index[event.to_province]
    abbots = _moved(state.abbots, event.seat, origin, target)
    return replace(state, abbots=abbots, figures=_shifted(state.figures, origin, target))


def _tile_harvested(state: State, event: TileHarvested) -> State:
    board, seat, collected = state.board, event.seat, state.collected
    own = _with(collected[seat], board.tile_index[event.tile], event.count)
    return replace(
        state,
        tiles=_with(state.tiles, board.index[event.province], HARVESTED),
        collected=(*collected[:seat], own, *collected[seat + 1 :]),
        scores=_with(state.scores, seat, state.scores[seat] + event.points),
        begun=True,
    )


def _fort_built(state: State, event: FortBuilt) -> State:
    return replace(state, forts=_more(state.forts, event.seat, event.site))


def _village_built(state: State, event: VillageBuilt) -> State:
    province = state.board.index[event.province]
    figures = _with(state.figures, province, state.figures[province] + 1)
    return replace(state, villages=_more(state.villages, event.seat, province), figures=figures)


def _province_scored(state: State, event: ProvinceScored) -> State:
    scores = list(state.scores)
    for standing in event.standings:
        scores[standing.seat] += standing.points
    return replace(state, scores=tuple(scores))


def _fort_card_turned_down(state: State, event: FortCardTurnedDown) -> State:
    return replace(state, turned_down=event.place)


def _fort_card_turned_up(state: State, event: FortCardTurnedUp) -> State:
    return replace(state, turned_up=event.place, phase=FORT_CARD)


def _fort_card_kept(state: State, _event: FortCardKept) -> State:
    return state


def _fort_card_replaced(state: State, event: FortCardReplaced) -> State:
    return replace(
        state,
        row=_with(state.row, event.place - 1, event.point),
        pile=(*state.pile[1:], event.put_under),
        known_under=min(state.known_under + 1, len(state.pile)),
    )


def _cards_taken_back(state: State, event: CardsTakenBack) -> State:
    return replace(state, played=((),) * len(event.cards))


def _turn_ended(state: State, event: TurnEnded) -> State:
    return replace(state, active=event.next_seat, phase=CHOOSE_CARD, begun=False, steps_taken=0, moved_ships=())


def _game_ended(state: State, _event: GameEnded) -> State:
    return replace(state, phase=OVER)


_TRANSITIONS: Mapping[type[KretaEvent], Callable[[Any, Any], State]] = {
    GameSetUp: _set_up,
    CharacterPlayed: _character_played,
    ShipPlaced: _ship_placed,
    ShipMoved: _ship_moved,
    VillagerPlaced: _villager_placed,
    VillagerMoved: _villager_moved,
    AbbotPlaced: _abbot_placed,
    AbbotMoved: _abbot_moved,
    TileHarvested: _tile_harvested,
    FortBuilt: _fort_built,
    VillageBuilt: _village_built,
    ProvinceScored: _province_scored,
    FortCardTurnedDown: _fort_card_turned_down,
    FortCardTurnedUp: _fort_card_turned_up,
    FortCardKept: _fort_card_kept,
    FortCardReplaced: _fort_card_replaced,
    CardsTakenBack: _cards_taken_back,
    TurnEnded: _turn_ended,
    GameEnded: _game_ended,
}
