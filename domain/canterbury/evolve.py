"""Facts become state. Nothing is judged here: each function copies one kind of event."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.canterbury import events
from domain.canterbury.board import EDITIONS, mask_of
from domain.canterbury.state import Built, Serving, Site, State, placed, serving_of, site_of, tables


def evolve(state: State | None, event: events.Event) -> State:
    """The state after `event`; the first event makes the state."""
    if state is None:
        return _game_began(event)
    return _TAKERS[type(event)](state, event)


def _game_began(event: Any) -> State:
    edition = EDITIONS[event.edition]
    well = edition.roman_well
    left = {stock.structure: stock.left for stock in event.supply}
    everywhere = (edition.everywhere,) * edition.lots
    return State(
        edition=event.edition,
        seats=event.seats,
        city=event.city,
        scores=(0,) * event.seats,
        shillings=event.shillings,
        cubes=((0,) * len(edition.services),) * len(event.cubes),
        standing=placed((0,) * len(edition.tiles), well.index, 1 << event.roman_well),
        free=_with_free_lots(everywhere, event.roman_well, edition.lots - well.lots),
        supply=tuple(left[tile.id] for tile in edition.for_sale),
        stacks=tuple(tuple(edition.by_id[tile].index for tile in stack) for stack in event.stacks),
        markers=("full_build",) * event.seats,
    )


def _turn_began(state: State, event: events.TurnBegan) -> State:
    return replace(
        state,
        round=event.round,
        active=event.seat,
        neutral="done" if event.tile is None else "due",
        action=None,
        built=(),
        turn_over=False,
    )


def _neutral_placed(state: State, event: events.NeutralPlaced) -> State:
    tile = tables(state).by_id[event.structure]
    return replace(
        state,
        stacks=_without_top(state, event.seat),
        neutral="done",
        standing=placed(state.standing, tile.index, state.standing[tile.index] | 1 << event.district),
        free=_with_free_lots(state.free, event.district, event.free_lots),
        cubes=_with_cubes(state, state.seats, tile.service, mask_of(event.cubes)),
        city=event.city,
    )


def _neutral_swapped(state: State, event: events.NeutralSwapped) -> State:
    return replace(state, stacks=_without_top(state, event.seat), neutral="swapped")


def _neutral_tile_lost(state: State, event: events.NeutralTileLost) -> State:
    return replace(state, stacks=_without_top(state, event.seat), neutral="done")


def _treasury_levied(state: State, event: events.TreasuryLevied) -> State:
    return replace(_choosing(state, "levy"), shillings=_paid(state, event.seat, event.shillings))


def _full_build_began(state: State, _event: events.FullBuildBegan) -> State:
    return _choosing(state, "full_build")


def _citizens_taxed(state: State, event: events.CitizensTaxed) -> State:
    return replace(_choosing(state, "tax_and_build"), shillings=_paid(state, event.seat, event.shillings))


def _turn_passed(state: State, _event: events.TurnPassed) -> State:
    return _choosing(state, "full_build")


def _structure_bought(state: State, event: events.StructureBought) -> State:
    tile = tables(state).by_id[event.structure].index
    return replace(
        state,
        shillings=_paid(state, event.seat, -event.cost),
        supply=placed(state.supply, tile, state.supply[tile] - 1),
        site=Site(tile, event.district),
    )


def _structure_demolished(state: State, event: events.StructureDemolished) -> State:
    tile = tables(state).by_id[event.structure].index
    site = site_of(state)
    return replace(
        state,
        standing=placed(state.standing, tile, state.standing[tile] & ~(1 << event.district)),
        free=_with_free_lots(state.free, event.district, event.free_lots),
        site=Site(site.tile, site.district, (*site.cleared, tile)),
    )


def _structure_placed(state: State, event: events.StructurePlaced) -> State:
    tile = tables(state).by_id[event.structure]
    return replace(
        state,
        site=None,
        built=(*state.built, Built(tile.index, event.district, event.opens, event.upgrades)),
        standing=placed(state.standing, tile.index, state.standing[tile.index] | 1 << event.district),
        free=_with_free_lots(state.free, event.district, event.free_lots),
        cubes=_with_cubes(state, event.seat, tile.service, mask_of(event.cubes)),
    )


def _serving_began(state: State, event: events.ServingBegan) -> State:
    service = tables(state).services.index(event.service)
    return replace(state, serving=Serving(event.colour, service, mask_of(event.districts), event.most, event.optional))


def _district_served(state: State, event: events.DistrictServed) -> State:
    service = tables(state).services.index(event.service)
    serving, district = serving_of(state), 1 << event.district
    return replace(
        state,
        cubes=_with_cubes(state, event.colour, service, district),
        serving=replace(serving, districts=serving.districts & ~district, most=serving.most - 1),
    )


def _serving_ended(state: State, _event: events.ServingEnded) -> State:
    return replace(state, serving=None)


def _prosperity_gained(state: State, event: events.ProsperityGained) -> State:
    return replace(state, city=event.city, scores=_scored(state, event.seat, event.points))


def _rewarded(state: State, event: events.OpeningRewarded | events.UpgradeRewarded | events.ShillingsCounted) -> State:
    return replace(state, scores=_scored(state, event.seat, event.points))


def _turn_ended(state: State, _event: events.TurnEnded) -> State:
    return replace(state, turn_over=True)


def _end_announced(state: State, event: events.EndAnnounced) -> State:
    return replace(state, final_round=event.final_round)


def _city_halted(state: State, _event: events.CityHalted) -> State:
    return replace(state, halted=True)


def _points_awarded(state: State, event: events.DistrictScored | events.KingRewarded) -> State:
    scores = tuple(score + points for score, points in zip(state.scores, event.points, strict=False))
    return replace(state, scores=scores)


def _districts_scored(state: State, event: events.DistrictsScored) -> State:
    return replace(state, scorings=event.scoring)


def _rank_paid(state: State, event: events.RankPaid) -> State:
    return replace(state, shillings=_paid(state, event.seat, event.shillings))


def _ranks_paid(state: State, event: events.RanksPaid) -> State:
    return replace(state, paid=event.scoring)


def _game_ended(state: State, event: events.GameEnded) -> State:
    return replace(state, ranking=event.ranking)


_TAKERS: dict[type[events.Event], Callable[[State, Any], State]] = {
    events.TurnBegan: _turn_began,
    events.NeutralPlaced: _neutral_placed,
    events.NeutralSwapped: _neutral_swapped,
    events.NeutralTileLost: _neutral_tile_lost,
    events.TreasuryLevied: _treasury_levied,
    events.FullBuildBegan: _full_build_began,
    events.CitizensTaxed: _citizens_taxed,
    events.TurnPassed: _turn_passed,
    events.StructureBought: _structure_bought,
    events.StructureDemolished: _structure_demolished,
    events.StructurePlaced: _structure_placed,
    events.ServingBegan: _serving_began,
    events.DistrictServed: _district_served,
    events.ServingEnded: _serving_ended,
    events.ProsperityGained: _prosperity_gained,
    events.OpeningRewarded: _rewarded,
    events.UpgradeRewarded: _rewarded,
    events.TurnEnded: _turn_ended,
    events.EndAnnounced: _end_announced,
    events.CityHalted: _city_halted,
    events.DistrictScored: _points_awarded,
    events.DistrictsScored: _districts_scored,
    events.RankPaid: _rank_paid,
    events.RanksPaid: _ranks_paid,
    events.KingRewarded: _points_awarded,
    events.ShillingsCounted: _rewarded,
    events.GameEnded: _game_ended,
}


def _choosing(state: State, action: str) -> State:
    """The active seat chose `action` and moved its marker there."""
    markers = (*state.markers[: state.active], action, *state.markers[state.active + 1 :])
    return replace(state, action=action, markers=markers)


def _paid(state: State, seat: int, shillings: int) -> tuple[int, ...]:
    return placed(state.shillings, seat, state.shillings[seat] + shillings)


def _scored(state: State, seat: int, points: int) -> tuple[int, ...]:
    return placed(state.scores, seat, state.scores[seat] + points)


def _without_top(state: State, seat: int) -> tuple[tuple[int, ...], ...]:
    return (*state.stacks[:seat], state.stacks[seat][1:], *state.stacks[seat + 1 :])


def _with_cubes(state: State, colour: int, service: int, districts: int) -> tuple[tuple[int, ...], ...]:
    """The cubes after `colour` put one of `service` into each of `districts` (a mask)."""
    if not districts:
        return state.cubes
    services = state.cubes[colour]
    services = placed(services, service, services[service] | districts)
    return (*state.cubes[:colour], services, *state.cubes[colour + 1 :])


def _with_free_lots(free: tuple[int, ...], district: int, lots: int) -> tuple[int, ...]:
    """The masks of free lots when `district` has `lots` free ones."""
    bit = 1 << district
    return tuple([mask | bit if more < lots else mask & ~bit for more, mask in enumerate(free)])
