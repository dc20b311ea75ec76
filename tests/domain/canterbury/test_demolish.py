"""Demolishing what is superfluous."""

from msgspec.structs import replace

from domain.canterbury import events
from domain.canterbury.commands import Build, Demolish, Place, StopServing
from domain.canterbury.state import free_lots, tiles_in
from tests.domain.canterbury.builders import (
    BLUE,
    CENTRE,
    EDITION,
    RED,
    building,
    give,
    has_cube,
    legal,
    only,
    position,
    refused,
    stands,
)

SIX_SMALL = "well garden chapel watchtower traders_stall entertainers_wagon"
ALL_SERVICES = {BLUE: {service: [7] for service in EDITION.services}}


def test_t14_a_guildhall_among_six_small_structures() -> None:
    state = building(position({7: SIX_SMALL, 2: "fountain", 6: "farm", 8: "church"}, ALL_SERVICES))
    state, _ = give(state, Build("guildhall", 7))
    assert [command for command in legal(state) if isinstance(command, Demolish)] == [
        Demolish("well"),
        Demolish("garden"),
        Demolish("chapel"),
        Demolish("traders_stall"),
    ]
    assert refused(state, Place()) == "no_room_yet"
    state, _ = give(state, Demolish("well"), Demolish("garden"), Demolish("chapel"))
    assert legal(state) == [Demolish("traders_stall")]
    state, _ = give(state, Demolish("traders_stall"))
    assert {EDITION.tiles[tile].id for tile in tiles_in(state, 7)} == {"watchtower", "entertainers_wagon", "guildhall"}
    assert free_lots(state, 7) == 0
    _, what = give(state, StopServing())
    assert only(what, events.UpgradeRewarded).points == 3


def test_t15_a_watchtower_without_a_larger_defense_near_stays() -> None:
    state = building(position({7: SIX_SMALL, 2: "fountain", 6: "farm", 8: "church"}, ALL_SERVICES))
    state, _ = give(state, Build("guildhall", 7))
    assert refused(state, Demolish("watchtower")) == "still_needed"
    assert refused(state, Demolish("entertainers_wagon")) == "still_needed"


def test_t23_a_market_square_in_the_place_of_a_traders_stall_earns_the_upgrade_bonus() -> None:
    state = building(position({7: "traders_stall"}, ALL_SERVICES), "tax_and_build")
    state, _ = give(state, Build("market_square", 7))
    assert legal(state) == [Demolish("traders_stall"), Place()]
    after, what = give(state, Demolish("traders_stall"))
    assert only(what, events.UpgradeRewarded).points == 3
    assert after.scores[0] == 8 + 3
    kept, what = give(state, Place())
    assert kept.scores[0] == 8
    assert stands(kept, "traders_stall", 7)
    assert free_lots(kept, 7) == 3


def test_t24_a_stage_in_the_place_of_a_chapel_earns_no_upgrade_bonus() -> None:
    full = "chapel fountain barracks garden"
    needed = building(position({7: full}, ALL_SERVICES))
    assert refused(needed, Build("stage", 7)) == "no_room"
    state = building(position({7: "chapel fountain barracks", 8: "church"}, ALL_SERVICES), "tax_and_build")
    state, _ = give(state, Build("stage", 7))
    assert legal(state) == [Demolish("chapel")]
    _, what = give(state, Demolish("chapel"))
    assert not any(isinstance(event, events.UpgradeRewarded) for event in what)
    assert only(what, events.ProsperityGained).points == 10


def test_t38_a_medium_structure_in_the_same_district_does_not_make_a_small_one_superfluous() -> None:
    state = building(position({7: "well fountain church"}, ALL_SERVICES))
    assert refused(state, Build("stage", 7)) == "no_room"
    with_more = building(position({7: "well garden fountain chapel watchtower", 8: "farm church"}, ALL_SERVICES))
    state, _ = give(with_more, Build("stage", 7))
    assert refused(state, Demolish("well")) == "still_needed"
    assert legal(state) == [Demolish("garden"), Demolish("chapel")]


def test_a_large_structure_anywhere_makes_small_and_medium_ones_of_its_service_superfluous() -> None:
    state = building(position({7: "well fountain farm chapel", 24: "aqueduct"}, ALL_SERVICES))
    state, _ = give(state, Build("cathedral", 7))
    assert legal(state) == [Demolish("well"), Demolish("chapel"), Demolish("fountain")]
    assert refused(state, Demolish("farm")) == "still_needed"


def test_a_medium_structure_goes_for_a_large_one_of_its_service() -> None:
    state = building(position({7: "fountain farm garden chapel", 8: "church"}, ALL_SERVICES))
    state, _ = give(state, Build("granary", 7))
    assert legal(state) == [Demolish("garden"), Demolish("chapel"), Demolish("farm")]
    assert refused(state, Demolish("fountain")) == "still_needed"
    state, _ = give(state, Demolish("garden"), Demolish("farm"), Demolish("chapel"))
    assert stands(state, "granary", 7)


def test_a_medium_structure_does_not_make_medium_ones_superfluous() -> None:
    state = building(position({7: "fountain farm church", 8: "fountain"}, ALL_SERVICES))
    assert refused(state, Build("stage", 7)) == "no_room"
    assert refused(state, Build("theatre", 7)) == "no_room"


def test_a_large_structure_is_never_demolished() -> None:
    state = building(position({7: "aqueduct garden chapel", 8: "farm church"}, ALL_SERVICES))
    state, _ = give(state, Build("stage", 7))
    assert refused(state, Demolish("aqueduct")) == "large_stays"
    assert legal(state) == [Demolish("garden"), Demolish("chapel")]


def test_only_smaller_structures_go() -> None:
    state = building(position({7: "fountain farm garden chapel", 24: "aqueduct", 8: "farm"}, ALL_SERVICES))
    assert refused(state, Build("barracks", 7)) == "no_room"
    state = building(position({7: "fountain farm garden watchtower", 24: "aqueduct", 8: "farm"}, ALL_SERVICES))
    state, _ = give(state, Build("barracks", 7))
    assert legal(state) == [Demolish("garden"), Demolish("watchtower")]
    assert refused(state, Demolish("fountain")) == "not_smaller"


def test_a_small_structure_demolishes_nothing() -> None:
    state = building(position({7: "fountain farm church", 24: "aqueduct"}, ALL_SERVICES))
    assert refused(state, Build("traders_stall", 7)) == "no_room"


def test_what_does_not_stand_there_cannot_be_demolished() -> None:
    state, _ = give(building(position({7: "traders_stall"}, ALL_SERVICES)), Build("market_square", 7))
    assert refused(state, Demolish("well")) == "not_standing"
    assert refused(state, Demolish("roman_well")) == "not_standing"
    assert refused(state, Demolish("inn")) == "unknown_structure"


def test_another_service_goes_only_while_room_is_lacking() -> None:
    state = building(position({7: "well traders_stall", 8: "fountain"}, ALL_SERVICES))
    state, _ = give(state, Build("market_square", 7))
    assert refused(state, Demolish("well")) == "room_enough"
    assert legal(state) == [Demolish("traders_stall"), Place()]


def test_no_more_goes_than_the_room_needs() -> None:
    state = building(position({7: "well garden fountain church", 8: "fountain farm"}, ALL_SERVICES))
    state, _ = give(state, Build("market_square", 7))
    assert legal(state) == [Demolish("well"), Demolish("garden")]
    state, what = give(state, Demolish("well"), Demolish("garden"))
    assert stands(state, "market_square", 7)
    assert isinstance(what[1], events.StructurePlaced)


def test_a_tile_of_the_same_service_may_still_go_when_there_is_room() -> None:
    state = building(position({7: "well garden watchtower fountain", 8: "fountain farm"}, ALL_SERVICES))
    state, _ = give(state, Build("barracks", 7), Demolish("well"))
    assert legal(state) == [Demolish("watchtower"), Place()]


def test_demolition_is_free_and_the_new_structure_costs_its_full_price() -> None:
    state = building(position({7: "traders_stall"}, ALL_SERVICES, shillings=16))
    state, _ = give(state, Build("market_square", 7))
    assert state.shillings[0] == 0
    state, _ = give(state, Demolish("traders_stall"))
    assert state.shillings[0] == 0


def test_a_demolished_tile_leaves_the_game() -> None:
    state = building(position({7: "traders_stall"}, ALL_SERVICES))
    before = state.supply[EDITION.by_id["traders_stall"].index]
    state, _ = give(state, Build("market_square", 7), Demolish("traders_stall"))
    assert state.supply[EDITION.by_id["traders_stall"].index] == before
    assert not stands(state, "traders_stall", 7)


def test_cubes_stay_when_their_structure_goes() -> None:
    state = building(position({7: "traders_stall"}, ALL_SERVICES))
    state, _ = give(state, Build("market_square", 7), Demolish("traders_stall"))
    assert has_cube(state, BLUE, "commerce", 7)
    assert not has_cube(state, RED, "commerce", 7)


def test_anybodys_structure_may_be_demolished() -> None:
    state = building(position({7: "traders_stall"}, ALL_SERVICES))
    assert Demolish("traders_stall") in legal(give(state, Build("market_square", 7))[0])


def test_the_roman_well_may_be_upgraded_in_its_place_and_its_cube_stays() -> None:
    state = building(position(), "tax_and_build")
    state, _ = give(state, Build("fountain", CENTRE))
    assert legal(state) == [Demolish("roman_well"), Place()]
    state, what = give(state, Demolish("roman_well"))
    placed = only(what, events.StructurePlaced)
    assert placed.upgrades
    assert CENTRE not in placed.cubes
    assert only(what, events.UpgradeRewarded).points == 3
    assert not any(has_cube(state, seat, "water", CENTRE) for seat in range(3))


def test_the_roman_well_may_go_for_room_when_a_fountain_stands_next_door() -> None:
    cubes = {BLUE: {service: [CENTRE] for service in EDITION.services}}
    crowd = "garden chapel watchtower traders_stall entertainers_wagon"
    state = building(position({CENTRE: crowd, 7: "fountain farm"}, cubes))
    state, _ = give(state, Build("barracks", CENTRE))
    assert legal(state) == [Demolish("garden"), Demolish("watchtower"), Demolish("roman_well")]
    state, _ = give(state, Demolish("roman_well"), Demolish("garden"), Place())
    assert stands(state, "barracks", CENTRE)
    assert not stands(state, "roman_well", CENTRE)


def test_two_tiles_upgraded_at_once_earn_one_bonus() -> None:
    state = building(position({7: "well fountain"}, {BLUE: {service: [7] for service in EDITION.services}}))
    state, _ = give(state, Build("aqueduct", 7), Demolish("well"), Demolish("fountain"))
    _, what = give(state, StopServing())
    assert only(what, events.UpgradeRewarded).points == 3


def test_each_of_two_builds_earns_its_own_upgrade_bonus() -> None:
    state = building(position({7: "well garden"}, ALL_SERVICES))
    state, _ = give(state, Build("fountain", 7), Demolish("well"), Build("farm", 7))
    _, what = give(state, Demolish("garden"))
    assert [event.points for event in what if isinstance(event, events.UpgradeRewarded)] == [3, 3]


def test_what_this_action_has_put_down_cannot_go_in_it() -> None:
    state = building(position({7: "garden"}, ALL_SERVICES))
    state, _ = give(state, Build("well", 7))
    state, what = give(state, Build("fountain", 7))
    assert isinstance(what[1], events.StructurePlaced)
    assert stands(state, "well", 7)


def test_what_was_built_in_this_turn_stays_while_others_may_go() -> None:
    state = building(position({7: "watchtower"}, ALL_SERVICES))
    state, _ = give(state, Build("well", 7), Build("barracks", 7))
    assert refused(state, Demolish("well")) == "built_this_turn"
    assert legal(state) == [Demolish("watchtower"), Place()]


def test_what_this_action_has_put_down_justifies_no_other_demolition() -> None:
    state = building(position({7: "well garden fountain church", 8: "well"}, ALL_SERVICES))
    state, _ = give(state, Build("fountain", 8), Place())
    assert refused(state, Build("stage", 7)) == "no_room"
    later = building(replace(state, active=0, built=()))
    assert refused(later, Build("stage", 7)) == "no_room"
    later = building(position({7: "well garden fountain church", 8: "well fountain farm"}, ALL_SERVICES))
    assert Build("stage", 7) in legal(later)


def test_rebuilding_a_district_whose_only_structure_went_does_not_open_it() -> None:
    state = building(position({7: "well"}, ALL_SERVICES), "tax_and_build")
    _, what = give(state, Build("fountain", 7), Demolish("well"))
    assert not only(what, events.StructurePlaced).opens
    assert not any(isinstance(event, events.OpeningRewarded) for event in what)
