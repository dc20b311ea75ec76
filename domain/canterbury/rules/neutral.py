"""Two players: the build of the neutral colour at the beginning of a turn."""

from domain.canterbury import events, refusals
from domain.canterbury.board import districts_in
from domain.canterbury.commands import Command, DiscardNeutral, PlaceNeutral, SwapNeutral
from domain.canterbury.course import Course
from domain.canterbury.rules.districts import known_district
from domain.canterbury.rules.serving import choose_or_go_on, supply_of
from domain.canterbury.rules.sites import refuse_site
from domain.canterbury.rules.stacks import in_second_stack, may_swap, neutral_sites, top_tile
from domain.canterbury.rules.turns import begin_action, settle_neutral
from domain.canterbury.state import State, free_lots, tables
from domain.canterbury.survey import Survey
from domain.errors import Rule, RuleViolation


def place_neutral(course: Course, command: PlaceNeutral) -> None:
    """Build the tile for nothing; the city's points count at once, nobody else's do."""
    state = course.state
    tile = top_tile(state, state.active)
    district = known_district(state, command.district)
    if not neutral_sites(state) >> district & 1:
        raise refuse_site(Survey(state, clearing=False), tile, district)
    cubes, serving = supply_of(state, state.seats, tile, district)
    course.record(
        events.NeutralPlaced(
            seat=state.active,
            structure=tile.id,
            district=district,
            free_lots=free_lots(state, district) - tile.lots,
            cubes=tuple(districts_in(cubes)),
            city_points=tile.city,
            city=tables(state).city_after(state.city, tile.city),
        )
    )
    choose_or_go_on(course, serving)


def swap_neutral(course: Course, _command: SwapNeutral) -> None:
    """Return the top tile; the one below comes instead, and leaves the game if it can't be placed."""
    state = course.state
    if not may_swap(state):
        raise RuleViolation(_against_swap(state))
    top, below = state.stacks[state.active][:2]
    tiles = tables(state).tiles
    course.record(events.NeutralSwapped(seat=state.active, structure=tiles[top].id, tile=tiles[below].id))
    settle_neutral(course)


def discard_neutral(course: Course, _command: DiscardNeutral) -> None:
    """Let a tile that can't be placed go, and build nothing for the neutral colour."""
    state = course.state
    if neutral_sites(state):
        raise RuleViolation(refusals.CAN_BE_PLACED)
    course.record(events.NeutralTileLost(seat=state.active, structure=top_tile(state, state.active).id))
    begin_action(course)


def legal_neutral(state: State) -> list[Command]:
    """Where to place the tile, and whether to swap or to discard it."""
    sites = neutral_sites(state)
    commands: list[Command] = [PlaceNeutral(district) for district in districts_in(sites)]
    if may_swap(state):
        commands.append(SwapNeutral())
    if not sites:
        commands.append(DiscardNeutral())
    return commands


def _against_swap(state: State) -> Rule:
    """Why the top tile may not be swapped."""
    if not in_second_stack(state):
        return refusals.NO_SWAP_FROM_SMALL
    return refusals.SWAP_USED if state.neutral == "swapped" else refusals.NOTHING_BELOW
