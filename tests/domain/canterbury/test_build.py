"""Choosing, paying and placing structures."""

import pytest
from msgspec.structs import replace

from domain.canterbury import CANTERBURY, events
from domain.canterbury.commands import Build, EndTurn, FullBuild, StopServing, TaxAndBuild
from domain.canterbury.state import free_lots
from domain.errors import RuleViolation
from tests.domain.canterbury.builders import (
    BLUE,
    CENTRE,
    CHANCE,
    EDITION,
    GREEN,
    RED,
    YELLOW,
    building,
    give,
    has_cube,
    legal,
    new_game,
    only,
    position,
    refused,
    stands,
)


def test_t6_the_roman_well_counts_as_a_well() -> None:
    state, _ = give(new_game(), FullBuild())
    assert refused(state, Build("well", CENTRE)) == "duplicate"
    assert Build("well", 7) in legal(state)


def test_t7_a_farm_may_stand_where_a_fountain_next_door_brought_water() -> None:
    state, _ = give(building(position()), Build("fountain", 7))
    assert not stands(state, "fountain", 2)
    assert has_cube(state, RED, "water", 2)
    assert Build("farm", 2) in legal(state)


def test_t8_a_structure_needs_all_services_before_its_own() -> None:
    cubes = {RED: {"water": [7]}, GREEN: {"food": [7]}, YELLOW: {"religion": [7]}}
    state = building(position({7: "well garden", 8: "church"}, cubes, seats=4))
    assert Build("watchtower", 7) in legal(state)
    assert Build("barracks", 7) in legal(state)
    for structure in ("traders_stall", "market_square", "guildhall", "entertainers_wagon", "stage", "theatre"):
        assert refused(state, Build(structure, 7)) == "missing_service"


def test_t9_cubes_spread_without_prerequisites_but_building_needs_them() -> None:
    cubes = {RED: {"water": [2, 7], "food": [7]}}
    state = building(position({2: "well", 7: "well garden"}, cubes))
    state, _ = give(state, Build("church", 7))
    assert has_cube(state, RED, "religion", 2)
    assert refused(state, Build("watchtower", 2)) == "missing_service"
    state, _ = give(state, Build("garden", 2))
    state = building(replace(state, active=0))
    assert Build("watchtower", 2) in legal(state)


def test_t10_in_an_empty_district_without_cubes_only_water_can_begin() -> None:
    state = building(position())
    assert {command.structure for command in legal(state) if isinstance(command, Build) and command.district == 7} == {
        "well",
        "fountain",
        "aqueduct",
    }


def test_t11_a_well_and_a_garden_in_one_empty_district_in_that_order() -> None:
    state = building(position())
    assert refused(state, Build("garden", 7)) == "missing_service"
    state, what = give(state, Build("well", 7), Build("garden", 7))
    reward = only(what, events.OpeningRewarded)
    assert (reward.district, reward.cubes, reward.points) == (7, 2, 2)
    assert state.scores[0] == 1 + 2 + 2


def test_t12_the_first_structure_may_open_the_way_for_the_second() -> None:
    state = building(position())
    assert refused(state, Build("well", 2)) == "out_of_reach"
    state, what = give(state, Build("well", 7), Build("well", 2))
    rewards = [event for event in what if isinstance(event, events.OpeningRewarded)]
    assert [(reward.district, reward.points) for reward in rewards] == [(7, 1), (2, 1)]
    assert state.scores[0] == 1 + 1 + 1 + 1


def test_t13_a_large_structure_is_built_alone() -> None:
    cubes = {RED: {"water": [7]}}
    state = building(position(cubes=cubes))
    after, _ = give(state, Build("aqueduct", 7))
    assert after.serving is not None
    one, _ = give(state, Build("fountain", 11))
    assert refused(one, Build("aqueduct", 7)) == "large_alone"
    assert Build("farm", 7) in legal(one)
    assert Build("garden", 7) in legal(one)


def test_two_medium_structures_may_be_built() -> None:
    state, what = give(building(position()), Build("fountain", 7), Build("farm", 7))
    assert free_lots(state, 7) == 2
    assert isinstance(what[-1], events.TurnBegan)


def test_a_large_structure_ends_the_turn_without_another() -> None:
    cubes = {RED: {"water": range(25)}}
    state, what = give(building(position(cubes=cubes)), Build("aqueduct", 7))
    assert isinstance(what[-1], events.TurnBegan)
    assert state.active == 1


def test_the_turn_may_end_between_two_builds() -> None:
    state, _ = give(building(position()), Build("well", 7))
    assert legal(state)[-1] == EndTurn()
    state, _ = give(state, EndTurn())
    assert state.active == 1


def test_the_turn_ends_by_itself_when_no_second_structure_can_be_paid() -> None:
    state, what = give(building(position(shillings=3)), Build("well", 7))
    assert isinstance(what[-1], events.TurnBegan)
    assert state.active == 1


def test_the_cost_is_paid_at_once() -> None:
    state, what = give(building(position(shillings=11)), Build("fountain", 7))
    assert only(what, events.StructureBought).cost == 8
    assert state.shillings == (3, 11, 11)


def test_who_cannot_pay_cannot_build() -> None:
    state = building(position(shillings=7))
    assert refused(state, Build("fountain", 7)) == "too_expensive"


def test_the_second_structure_is_paid_from_what_the_first_has_left() -> None:
    state, _ = give(building(position(shillings=15)), Build("fountain", 7))
    assert refused(state, Build("fountain", 11)) == "too_expensive"


def test_a_structure_must_stand_beside_one_that_stands_not_diagonally() -> None:
    state = building(position())
    for district in (7, 11, 13, 17):
        assert Build("well", district) in legal(state)
    for district in (6, 8, 16, 18, 0):
        assert refused(state, Build("well", district)) == "out_of_reach"


def test_a_structure_may_stand_where_another_stands_with_no_structure_next_door() -> None:
    state = building(position({CENTRE: "-", 0: "well"}))
    assert Build("fountain", 0) in legal(state)
    assert refused(state, Build("well", CENTRE)) == "out_of_reach"


def test_cubes_alone_do_not_bring_a_district_into_reach() -> None:
    state = building(position(cubes={RED: {"water": [0, 1]}}))
    assert refused(state, Build("garden", 1)) == "out_of_reach"


def test_two_equal_structures_never_share_a_district() -> None:
    state = building(position({7: "fountain"}, {RED: {"water": [7]}}))
    assert refused(state, Build("fountain", 7)) == "duplicate"
    assert Build("well", 7) in legal(state)


def test_a_well_may_follow_where_the_roman_well_is_gone() -> None:
    assert Build("well", CENTRE) in legal(building(position({CENTRE: "- garden"})))


def test_a_structure_needs_its_lots() -> None:
    cubes = {RED: {"water": [7], "food": [7]}}
    state = building(position({7: "fountain farm church"}, cubes))
    assert refused(state, Build("garden", 7)) == "no_room"
    state = building(position({7: "fountain farm garden"}, cubes))
    assert refused(state, Build("church", 7)) == "no_room"
    assert Build("chapel", 7) in legal(state)


def test_the_supply_is_finite() -> None:
    state = building(position(supply=(0, *new_game().supply[1:])))
    assert refused(state, Build("well", 7)) == "none_left"
    assert Build("fountain", 7) in legal(state)


def test_a_structure_leaves_the_supply() -> None:
    state, _ = give(building(position()), Build("well", 7))
    assert state.supply[0] == 8


def test_t34_a_large_structure_pays_by_the_part_of_the_city() -> None:
    for district, points in ((2, 15), (7, 17), (CENTRE, 19)):
        state = building(position({7: "well"}, {RED: {service: [district] for service in EDITION.services[:5]}}))
        _, what = give(state, Build("theatre", district), StopServing())
        assert only(what, events.ProsperityGained).points == points


def test_t34_a_dash_bars_the_centre() -> None:
    state = building(position(cubes={RED: {"water": [CENTRE], "food": range(3)}}))
    assert refused(state, Build("granary", CENTRE)) == "not_in_this_part"


def test_a_structure_may_be_built_where_its_service_is_already_supplied() -> None:
    state, what = give(building(position(cubes={BLUE: {"water": [7]}})), Build("well", 7), EndTurn())
    assert stands(state, "well", 7)
    assert not has_cube(state, RED, "water", 7)
    assert only(what, events.ProsperityGained).points == 1


def test_what_is_not_for_sale_or_not_on_the_board_is_unknown() -> None:
    state = building(position())
    assert refused(state, Build("roman_well", 7)) == "unknown_structure"
    assert refused(state, Build("inn", 7)) == "unknown_structure"
    assert refused(state, Build("well", 25)) == "unknown_district"
    assert refused(state, Build("well", -1)) == "unknown_district"


def test_the_refusal_says_which_services_are_missing() -> None:
    state = building(position(cubes={RED: {"food": [7]}}))
    with pytest.raises(RuleViolation, match="water, religion") as refusal:
        CANTERBURY.decide(state, 0, Build("watchtower", 7), CHANCE)
    assert refusal.value.pointer == "/data/district"


def test_full_build_after_the_choice_lists_builds_only() -> None:
    state, _ = give(position(), FullBuild())
    assert all(isinstance(command, Build) for command in legal(state))
    taxed, _ = give(position(), TaxAndBuild())
    assert all(isinstance(command, Build) for command in legal(taxed))
