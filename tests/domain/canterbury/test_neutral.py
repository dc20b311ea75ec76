"""Two players: the neutral colour."""

from typing import Any

from msgspec.structs import replace

from domain.canterbury import CANTERBURY, events
from domain.canterbury.board import EDITIONS
from domain.canterbury.commands import (
    Build,
    DiscardNeutral,
    EndTurn,
    FullBuild,
    Levy,
    PlaceNeutral,
    ScoreDistricts,
    Serve,
    SwapNeutral,
)
from domain.canterbury.state import State, cubes_left
from tests.domain.canterbury.builders import (
    BLUE,
    CENTRE,
    EDITION,
    NEUTRAL,
    RED,
    SERVICES,
    give,
    has_cube,
    legal,
    new_game,
    only,
    position,
    refused,
    settle,
    stands,
)


def due(standing: dict[int, str] | None, top: str, *below: str, cubes: Any = None, **fields: Any) -> State:
    """Seat 0 is to build these tiles for the neutral colour."""
    stack = tuple(EDITION.by_id[tile].index for tile in (top, *below))
    stacks = (stack, EDITIONS["reconstructed"].stacks)
    return position(standing, cubes, seats=2, stacks=stacks, neutral="due", **fields)


WHOLE_SMALL = ("garden", "chapel", "watchtower", "traders_stall", "entertainers_wagon")
MEDIUM = ("fountain", "farm", "church", "barracks", "market_square", "stage")


def test_t36_the_neutral_colour_rests_in_the_first_turn_of_each_and_builds_a_well_in_the_second() -> None:
    state = new_game(2)
    view = CANTERBURY.view(state, None)
    assert view.neutral is not None
    assert view.neutral.tokens == ("no_build", "build")
    state, what = give(state, FullBuild(), Build("well", 7), EndTurn())
    assert only(what, events.TurnBegan).token == "no_build"  # noqa: S105
    state, what = give(state, FullBuild(), Build("well", 11), EndTurn())
    began = only(what, events.TurnBegan)
    assert (began.token, began.tile, began.round) == ("build", "well", 2)
    assert CANTERBURY.phase(state) == "neutral"
    before = state
    state, what = give(state, PlaceNeutral(13))
    placed = only(what, events.NeutralPlaced)
    assert (placed.structure, placed.city_points, placed.city) == ("well", 1, before.city + 1)
    assert state.scores == before.scores
    assert has_cube(state, NEUTRAL, "water", 13)
    assert cubes_left(state, NEUTRAL) == 43
    assert CANTERBURY.phase(state) == "action"
    state, what = give(state, Levy())
    assert only(what, events.TurnBegan).tile == "well"


def test_with_more_players_there_is_no_token() -> None:
    _, what = give(position(), Levy())
    assert only(what, events.TurnBegan).token is None


def test_the_neutral_colour_builds_by_the_rules_for_all() -> None:
    state = due({7: "well"}, "well", *WHOLE_SMALL, *MEDIUM)
    assert {command for command in legal(state) if isinstance(command, PlaceNeutral)} == {
        PlaceNeutral(district) for district in (2, 6, 8, 11, 13, 17)
    }
    assert refused(state, PlaceNeutral(7)) == "duplicate"
    assert refused(state, PlaceNeutral(CENTRE)) == "duplicate"
    assert refused(state, PlaceNeutral(0)) == "out_of_reach"
    assert refused(state, PlaceNeutral(25)) == "unknown_district"
    assert refused(state, Levy()) == "wrong_step"


def test_the_neutral_colour_needs_the_services_before() -> None:
    state = due({7: "well"}, "garden", *WHOLE_SMALL[1:], *MEDIUM, cubes={RED: {"water": [7]}})
    assert legal(state) == [PlaceNeutral(7), PlaceNeutral(CENTRE)]
    assert refused(state, PlaceNeutral(2)) == "missing_service"


def test_nothing_is_demolished_for_the_neutral_colour() -> None:
    cubes = {RED: {service: [7] for service in SERVICES}}
    crowd = "well garden chapel watchtower traders_stall entertainers_wagon"
    state = due({7: crowd, 8: "fountain farm"}, "stage", cubes=cubes)
    assert refused(state, PlaceNeutral(7)) == "no_room"


def test_the_neutral_colour_pays_nothing_and_gets_no_reward() -> None:
    state = due(None, "well", *WHOLE_SMALL, *MEDIUM)
    after, what = give(state, PlaceNeutral(7))
    assert after.shillings == state.shillings
    assert [type(event) for event in what] == [events.NeutralPlaced]


def test_a_district_that_the_neutral_colour_opened_is_no_longer_empty() -> None:
    state = due(None, "well", *WHOLE_SMALL, *MEDIUM)
    _, what = give(state, PlaceNeutral(7), FullBuild(), Build("garden", 7), EndTurn())
    assert not any(isinstance(event, events.OpeningRewarded) for event in what)


def test_a_medium_tile_supplies_the_neighbours_with_neutral_cubes() -> None:
    state = due(None, *MEDIUM, cubes={RED: {"water": [6]}})
    state, what = give(state, PlaceNeutral(7))
    assert only(what, events.NeutralPlaced).cubes == (2, 7, 8)
    assert has_cube(state, NEUTRAL, "water", 2)
    assert not has_cube(state, NEUTRAL, "water", 6)
    view = CANTERBURY.view(state, None)
    assert view.neutral is not None
    assert view.neutral.bonus_board == (3, 0, 0, 0, 0, 0)


def test_a_small_tile_that_cannot_be_placed_leaves_the_game_by_itself() -> None:
    state = position(seats=2, active=0, round=1)
    stack = tuple(EDITION.by_id[tile].index for tile in ("traders_stall", "entertainers_wagon", *MEDIUM))
    state = replace(state, stacks=(EDITION.stacks, stack), round=2)
    state, what = give(state, Levy())
    assert only(what, events.NeutralTileLost).structure == "traders_stall"
    assert (state.active, CANTERBURY.phase(state)) == (BLUE, "action")
    assert len(state.stacks[BLUE]) == 7


def test_the_small_stack_has_no_swap() -> None:
    state = due(None, "well", *WHOLE_SMALL, *MEDIUM)
    assert refused(state, SwapNeutral()) == "no_swap_from_small_stack"
    assert refused(state, DiscardNeutral()) == "can_be_placed"


def test_the_top_medium_tile_may_go_back_to_the_box_once_a_turn() -> None:
    state = due(None, *MEDIUM, cubes={RED: {"water": [7], "food": [7]}})
    state, what = give(state, SwapNeutral())
    swapped = only(what, events.NeutralSwapped)
    assert (swapped.structure, swapped.tile) == ("fountain", "farm")
    assert refused(state, SwapNeutral()) == "swap_used"
    assert refused(state, DiscardNeutral()) == "can_be_placed"
    assert legal(state) == [PlaceNeutral(7), PlaceNeutral(CENTRE)]
    state, _ = give(state, PlaceNeutral(7))
    assert stands(state, "farm", 7)
    assert len(state.stacks[0]) == 4


def test_the_last_tile_cannot_be_swapped() -> None:
    state = due(None, "fountain")
    assert refused(state, SwapNeutral()) == "nothing_below"
    state, _ = give(state, PlaceNeutral(7))
    assert state.stacks[0] == ()


def test_t39_a_top_medium_tile_that_cannot_be_placed_may_be_swapped_or_discarded() -> None:
    state = due(None, "market_square", "stage")
    assert legal(state) == [SwapNeutral(), DiscardNeutral()]
    after, what = give(state, DiscardNeutral())
    assert only(what, events.NeutralTileLost).structure == "market_square"
    assert CANTERBURY.phase(after) == "action"
    assert len(after.stacks[0]) == 1


def test_a_tile_swapped_in_that_cannot_be_placed_leaves_the_game_by_itself() -> None:
    state, what = give(due(None, "market_square", "stage"), SwapNeutral())
    assert only(what, events.NeutralTileLost).structure == "stage"
    assert CANTERBURY.phase(state) == "action"
    assert state.stacks[0] == ()


def test_the_last_medium_tile_that_cannot_be_placed_leaves_the_game_by_itself() -> None:
    state = replace(position(seats=2), stacks=((), (EDITION.by_id["stage"].index,)))
    state, what = give(state, Levy())
    assert only(what, events.NeutralTileLost).structure == "stage"
    assert (state.active, CANTERBURY.phase(state)) == (BLUE, "action")


def test_with_empty_stacks_the_neutral_colour_builds_no_more() -> None:
    state = replace(position(seats=2), stacks=(EDITION.stacks, ()))
    state, what = give(state, Levy())
    began = only(what, events.TurnBegan)
    assert (began.token, began.tile) == ("build", None)
    assert CANTERBURY.phase(state) == "action"


def test_a_hundred_that_the_neutral_colour_passes_is_scored_at_the_end_of_the_turn() -> None:
    state, _ = give(due(None, "well", *WHOLE_SMALL, *MEDIUM, city=100), PlaceNeutral(7))
    assert state.city == 101
    assert CANTERBURY.owed(state) is None
    assert CANTERBURY.view(state, None).city.treasury == 15
    state, _ = give(state, Levy())
    assert CANTERBURY.owed(state) == ScoreDistricts()
    state, what = settle(state)
    assert only(what, events.DistrictsScored).scoring == 1
    assert state.active == BLUE


def test_the_neutral_colour_may_announce_the_end() -> None:
    state, _ = give(due(None, "well", *WHOLE_SMALL, *MEDIUM, city=300, scorings=2, paid=2), PlaceNeutral(7))
    assert state.city == 301
    state, what = give(state, Levy())
    assert only(what, events.EndAnnounced).final_round == 3


def test_with_too_few_neutral_cubes_the_active_seat_chooses_the_districts() -> None:
    corner = [0, 1, 4, 5, 9, 10, 15, 19]
    spent = dict.fromkeys(SERVICES[1:], corner) | {"culture": [*corner, 20]}
    state = due(None, *MEDIUM, cubes={NEUTRAL: spent})
    assert cubes_left(state, NEUTRAL) == 3
    state, what = give(state, PlaceNeutral(7))
    began = only(what, events.ServingBegan)
    assert (began.colour, began.districts, began.most) == (NEUTRAL, (2, 6, 8), 2)
    assert legal(state) == [Serve(2), Serve(6), Serve(8)]
    state, what = give(state, Serve(8), Serve(2))
    assert only(what, events.DistrictServed).colour == NEUTRAL
    assert has_cube(state, NEUTRAL, "water", 8)
    assert not has_cube(state, NEUTRAL, "water", 6)
    assert CANTERBURY.phase(state) == "action"
    assert state.active == RED
