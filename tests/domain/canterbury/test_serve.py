"""Service cubes: what each size of structure supplies, and the choice of districts."""

from domain.canterbury import CANTERBURY, events
from domain.canterbury.board import districts_in
from domain.canterbury.commands import Build, EndTurn, Serve, StopServing
from domain.canterbury.state import State, cubes_left
from tests.domain.canterbury.builders import (
    BLUE,
    CENTRE,
    EDITION,
    GREEN,
    RED,
    SERVICES,
    building,
    give,
    has_cube,
    legal,
    only,
    position,
    refused,
)


def supplied_by(state: State, colour: int, service: str) -> list[int]:
    return districts_in(state.cubes[colour][SERVICES.index(service)])


def spending(left: int) -> dict[str, list[int]]:
    """Cubes of one colour so that `left` of the 42 are left, none of them water and all outside the inner city."""
    corner = [0, 1, 2, 3, 4, 5, 9, 10, 14, 15, 19]
    placed = 42 - left
    return {service: corner[: max(0, min(11, placed - 11 * n))] for n, service in enumerate(SERVICES[1:])}


def test_a_small_structure_supplies_its_own_district() -> None:
    state, _ = give(building(position()), Build("well", 7))
    assert supplied_by(state, RED, "water") == [7]


def test_a_medium_structure_supplies_its_neighbours_too_even_unopened_ones() -> None:
    state, what = give(building(position()), Build("fountain", 7))
    assert supplied_by(state, RED, "water") == [2, 6, 7, 8]
    assert only(what, events.StructurePlaced).cubes == (2, 6, 7, 8)


def test_a_space_that_has_a_cube_gets_no_other() -> None:
    state, _ = give(building(position(cubes={BLUE: {"water": [6, 7]}})), Build("fountain", 7))
    assert supplied_by(state, RED, "water") == [2, 8]
    assert supplied_by(state, BLUE, "water") == [6, 7]


def test_t25_the_bonus_board_counts_the_cubes_placed() -> None:
    cubes = {GREEN: {service: [6] for service in SERVICES[:4]}}
    state, _ = give(building(position({6: "well"}, cubes)), Build("traders_stall", 6), Build("stage", 6))
    assert CANTERBURY.view(state, None).players[RED].bonus_board == (0, 0, 0, 0, 1, 5)


def test_t26_only_free_spaces_count() -> None:
    cubes = {GREEN: {service: [6] for service in SERVICES[:5]}, BLUE: {"culture": [1, 5]}}
    state, _ = give(building(position({6: "well"}, cubes)), Build("stage", 6))
    assert CANTERBURY.view(state, None).players[RED].bonus_board == (0, 0, 0, 0, 0, 3)


def test_a_large_structure_supplies_its_own_district_and_up_to_five_of_choice() -> None:
    state, what = give(building(position()), Build("aqueduct", 7))
    began = only(what, events.ServingBegan)
    assert (began.most, began.optional, began.colour) == (5, True, RED)
    assert supplied_by(state, RED, "water") == [7]
    state, what = give(state, Serve(0), Serve(4), Serve(20), Serve(24), Serve(2))
    assert supplied_by(state, RED, "water") == [0, 2, 4, 7, 20, 24]
    assert isinstance(what[1], events.ServingEnded)
    assert state.active == BLUE


def test_serving_may_stop_from_the_start() -> None:
    state, _ = give(building(position()), Build("aqueduct", 7))
    assert legal(state)[-1] == StopServing()
    state, _ = give(state, StopServing())
    assert supplied_by(state, RED, "water") == [7]
    assert state.active == BLUE


def test_t35_a_district_that_is_already_supplied_cannot_be_chosen() -> None:
    state, _ = give(building(position(cubes={BLUE: {"water": [4]}})), Build("aqueduct", 7))
    assert refused(state, Serve(4)) == "already_supplied"
    assert refused(state, Serve(7)) == "already_supplied"
    assert refused(state, Serve(CENTRE)) == "already_supplied"
    assert refused(state, Serve(25)) == "unknown_district"


def test_serving_ends_by_itself_without_a_target() -> None:
    cubes = {BLUE: {"water": [d for d in range(25) if d not in (0, 1, 7)]}}
    state, what = give(building(position(cubes=cubes)), Build("aqueduct", 7))
    assert only(what, events.ServingBegan).districts == (0, 1)
    state, _ = give(state, Serve(1), Serve(0))
    assert state.active == BLUE


def test_a_large_structure_without_any_target_begins_no_serving() -> None:
    cubes = {BLUE: {"water": [d for d in range(25) if d != 7]}}
    state, what = give(building(position(cubes=cubes)), Build("aqueduct", 7))
    assert not any(isinstance(event, events.ServingBegan) for event in what)
    assert state.active == BLUE


def test_serving_ends_by_itself_without_cubes() -> None:
    state = building(position(cubes={RED: spending(3)}))
    assert cubes_left(state, RED) == 3
    state, what = give(state, Build("aqueduct", 7))
    assert only(what, events.ServingBegan).most == 2
    state, _ = give(state, Serve(0), Serve(1))
    assert cubes_left(state, RED) == 0
    assert state.active == BLUE


def test_a_medium_structure_with_too_few_cubes_fills_its_own_district_then_by_choice() -> None:
    state, what = give(building(position({7: "well"}, {RED: spending(3)})), Build("fountain", 6))
    assert only(what, events.StructurePlaced).cubes == (6,)
    assert legal(state) == [Serve(1), Serve(5), Serve(7), Serve(11)]
    assert refused(state, StopServing()) == "must_serve"
    assert refused(state, Serve(8)) == "not_next_door"
    assert refused(state, Serve(6)) == "already_supplied"
    state, _ = give(state, Serve(5), Serve(11))
    assert supplied_by(state, RED, "water") == [5, 6, 11]
    assert legal(state)[-1] == EndTurn()


def test_a_medium_structure_with_just_enough_cubes_leaves_no_choice() -> None:
    state, what = give(building(position(cubes={RED: spending(4)})), Build("fountain", 7))
    assert only(what, events.StructurePlaced).cubes == (2, 6, 7, 8)
    assert cubes_left(state, RED) == 0


def test_a_medium_structure_with_one_cube_supplies_its_own_district_only() -> None:
    state, _ = give(building(position(cubes={RED: spending(1)})), Build("fountain", 7))
    assert supplied_by(state, RED, "water") == [7]


def test_a_seat_without_cubes_may_still_build() -> None:
    state, what = give(building(position(cubes={RED: spending(0)})), Build("fountain", 7))
    assert only(what, events.StructurePlaced).cubes == ()
    assert not has_cube(state, RED, "water", 7)


def test_the_cubes_of_a_seat_are_finite() -> None:
    assert cubes_left(position(cubes={RED: spending(0)}), RED) == 0
    assert EDITION.data.cubes.value == 42
