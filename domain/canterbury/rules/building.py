"""Building a structure: pay, demolish what may go, put the tile down, place the service cubes."""

from domain.canterbury import events, refusals
from domain.canterbury.board import EDITIONS, LARGE, Tile, districts_in
from domain.canterbury.commands import Build, Command, Demolish, EndTurn, Place
from domain.canterbury.course import Course
from domain.canterbury.rules.districts import known_district
from domain.canterbury.rules.serving import choose_or_go_on, supply_of
from domain.canterbury.rules.sites import refuse_site
from domain.canterbury.state import State, free_lots, site_of, tables, tiles_in
from domain.canterbury.survey import Survey
from domain.errors import Rule, RuleViolation

_BUILDS = {
    edition.id: [[Build(tile.id, district) for district in range(edition.districts)] for tile in edition.for_sale]
    for edition in EDITIONS.values()
}
"""All build commands of an edition, by tile and district, made once."""


def build(course: Course, command: Build) -> None:
    """Pay for a structure; it is put down at once unless something may be demolished for it."""
    state = course.state
    edition = tables(state)
    tile = edition.by_id.get(command.structure)
    if tile is None or tile is edition.roman_well:
        known = ", ".join(known.id for known in edition.for_sale)
        raise RuleViolation(
            refusals.UNKNOWN_STRUCTURE, pointer="/data/structure", structure=command.structure, known=known
        )
    district = known_district(state, command.district)
    _refuse_purchase(state, tile)
    survey = Survey(state)
    if not survey.sites(tile) >> district & 1:
        raise refuse_site(survey, tile, district)
    course.record(events.StructureBought(seat=state.active, structure=tile.id, district=district, cost=tile.cost))
    _place_unless_more_may_go(course)


def demolish(course: Course, command: Demolish) -> None:
    """Take a smaller structure out of the game."""
    state = course.state
    edition = tables(state)
    tile = edition.by_id.get(command.structure)
    if tile is None:
        known = ", ".join(edition.tiles[standing].id for standing in tiles_in(state, site_of(state).district))
        raise RuleViolation(
            refusals.UNKNOWN_STRUCTURE, pointer="/data/structure", structure=command.structure, known=known
        )
    rule = _against_demolition(Survey(state), tile)
    if rule is not None:
        raise _refuse_demolition(state, rule, tile)
    district = site_of(state).district
    lots = free_lots(state, district) + tile.lots
    course.record(events.StructureDemolished(seat=state.active, structure=tile.id, district=district, free_lots=lots))
    _place_unless_more_may_go(course)


def place(course: Course, _command: Place) -> None:
    """Put the structure down and demolish nothing more."""
    state = course.state
    if not _has_room(state):
        site = site_of(state)
        tile = tables(state).tiles[site.tile]
        free = free_lots(state, site.district)
        raise RuleViolation(refusals.NO_ROOM_YET, building=tile.id, lots=tile.lots, free=free)
    _put_down(course)


def legal_builds(state: State) -> list[Command]:
    """Every structure that can be paid, everywhere it may stand; after the first one also to end the turn."""
    builds = _BUILDS[state.edition]
    commands: list[Command] = [
        builds[tile.index][district]
        for tile, sites in Survey(state).buildable(state.shillings[state.active])
        for district in districts_in(sites)
    ]
    if state.built:
        commands.append(EndTurn())
    return commands


def legal_demolitions(state: State) -> list[Command]:
    """What may go for the structure that is paid, and whether it may be put down."""
    commands: list[Command] = [Demolish(tile.id) for tile in _may_go(state)]
    if _has_room(state):
        commands.append(Place())
    return commands


def _refuse_purchase(state: State, tile: Tile) -> None:
    """Refuse a structure that is not to be had, wherever it were to stand."""
    shillings = state.shillings[state.active]
    if not state.supply[tile.index]:
        raise RuleViolation(refusals.NONE_LEFT, pointer="/data/structure", structure=tile.id)
    if tile.size == LARGE and state.built:
        raise RuleViolation(refusals.LARGE_ALONE, pointer="/data/structure")
    if tile.cost > shillings:
        raise RuleViolation(
            refusals.TOO_EXPENSIVE,
            pointer="/data/structure",
            structure=tile.id,
            cost=tile.cost,
            shillings=shillings,
        )


def _has_room(state: State) -> bool:
    """Whether there are enough free lots for the structure that is paid."""
    site = site_of(state)
    lots = tables(state).tiles[site.tile].lots
    return bool(state.free[lots - 1] >> site.district & 1)


def _may_go(state: State) -> list[Tile]:
    """What may be demolished now for the structure that is paid."""
    survey = Survey(state)
    standing = [survey.edition.tiles[tile] for tile in tiles_in(state, site_of(state).district)]
    return [tile for tile in standing if _against_demolition(survey, tile) is None]


def _against_demolition(survey: Survey, tile: Tile) -> Rule | None:
    """The rule that keeps a tile where the new structure is to stand, if any."""
    state, site = survey.state, site_of(survey.state)
    building = survey.edition.tiles[site.tile]
    if not state.standing[tile.index] >> site.district & 1:
        return refusals.NOT_STANDING
    if tile.size == LARGE:
        return refusals.LARGE_STAYS
    if tile.size >= building.size:
        return refusals.NOT_SMALLER
    if not survey.settled(tile.index) >> site.district & 1:
        return refusals.BUILT_THIS_TURN
    if tile.service == building.service:
        return None
    if _has_room(state):
        return refusals.ROOM_ENOUGH
    if not survey.dispensable(tile.service, tile.size) >> site.district & 1:
        return refusals.STILL_NEEDED
    return None


def _refuse_demolition(state: State, rule: Rule, tile: Tile) -> RuleViolation:
    """The refusal with all that a player needs to do better."""
    edition, site = tables(state), site_of(state)
    return RuleViolation(
        rule,
        pointer="/data/structure",
        structure=tile.id,
        district=site.district,
        building=edition.tiles[site.tile].id,
        service=edition.services[tile.service],
    )


def _place_unless_more_may_go(course: Course) -> None:
    if not _may_go(course.state):
        _put_down(course)


def _put_down(course: Course) -> None:
    """The tile goes down, then the cubes; whether the district was empty is judged without what was just demolished."""
    state = course.state
    site, edition = site_of(state), tables(state)
    tile, district = edition.tiles[site.tile], site.district
    lots = free_lots(state, district)
    cubes, serving = supply_of(state, state.active, tile, district)
    course.record(
        events.StructurePlaced(
            seat=state.active,
            structure=tile.id,
            district=district,
            free_lots=lots - tile.lots,
            cubes=tuple(districts_in(cubes)),
            opens=lots == edition.lots and not site.cleared,
            upgrades=any(edition.tiles[cleared].service == tile.service for cleared in site.cleared),
        )
    )
    choose_or_go_on(course, serving)
