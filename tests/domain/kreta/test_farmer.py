"""Farmer: harvest the tiles that own villagers link to an own ship (rulings 1 to 3)."""

import pytest

from domain.kreta.commands import EndTurn, Harvest, PlayCharacter
from domain.kreta.events import TileHarvested, TurnEnded
from domain.kreta.refusals import ACTION_IMPOSSIBLE, NO_TILE_LEFT, NOT_REACHABLE, NOTHING_DONE_YET, UNKNOWN_PROVINCE
from domain.kreta.state import HARVESTED
from tests.domain.kreta.builders import BLUE, BOARD, RED, after, legal, outcome, position, refused


def test_t4_the_second_tile_of_a_kind_pays_two_at_once_and_the_first_of_another_kind_one() -> None:
    state = position(phase="farmer", ships={RED: "kydonia"}, villagers={RED: "kydonia"}, collected={RED: "olive"})
    harvested, ended = outcome(state, Harvest("kydonia"))
    assert harvested == TileHarvested(RED, "kydonia", "olive", 2, 2)
    assert ended == TurnEnded(RED, BLUE)
    state = position(phase="farmer", ships={RED: "candia"}, villagers={RED: "candia"}, collected={RED: "olive olive"})
    assert outcome(state, Harvest("candia"))[0] == TileHarvested(RED, "candia", "wine", 1, 1)


def test_a_harvest_pays_into_the_score_and_leaves_the_province_bare() -> None:
    state = position(phase="farmer", ships={RED: "kydonia"}, villagers={RED: "kydonia"}, scores=(10, 20))
    state = after(state, Harvest("kydonia"))
    assert state.scores == (11, 20)
    assert state.collected[RED] == tuple(int(kind.tile == "olive") for kind in BOARD.tiles)
    assert state.tiles[BOARD.index["kydonia"]] == HARVESTED


def test_t5_a_chain_of_villagers_from_the_ship_reaches_every_province_on_it() -> None:
    state = position(phase="farmer", ships={RED: "kydonia"}, villagers={RED: "kydonia mylopotamos candia"})
    assert legal(state) == {Harvest("kydonia"), Harvest("mylopotamos"), Harvest("candia")}


def test_t5_without_a_villager_where_the_ship_lies_nothing_is_reached() -> None:
    state = position(ships={RED: "kydonia"}, villagers={RED: "mylopotamos candia"})
    assert PlayCharacter("farmer") not in legal(state)
    refused(state, PlayCharacter("farmer"), ACTION_IMPOSSIBLE, "/data/character")


def test_t5_a_gap_in_the_chain_ends_it() -> None:
    state = position(phase="farmer", ships={RED: "kydonia"}, villagers={RED: "kydonia candia"})
    assert legal(state) == {Harvest("kydonia")}
    says = refused(state, Harvest("candia"), NOT_REACHABLE, "/data/province")
    assert "Reached are: kydonia." in says
    refused(state, Harvest("atlantis"), UNKNOWN_PROVINCE, "/data/province")


@pytest.mark.parametrize("link", ["abbots", "villages"])
def test_only_villagers_link(link: str) -> None:
    pieces = {link: {RED: "mylopotamos"}}
    state = position(phase="farmer", ships={RED: "kydonia"}, villagers={RED: "kydonia candia"}, **pieces)  # type: ignore[arg-type]
    assert legal(state) == {Harvest("kydonia")}


def test_forts_and_foreign_pieces_do_not_link_and_foreign_abbots_do_not_bar() -> None:
    state = position(
        phase="farmer",
        ships={RED: "kydonia", BLUE: "candia"},
        villagers={RED: "kydonia candia", BLUE: "mylopotamos"},
        forts={RED: (5, 10)},
        abbots={BLUE: "kydonia"},
    )
    assert legal(state) == {Harvest("kydonia")}


def test_two_ships_open_two_chains() -> None:
    state = position(phase="farmer", ships={RED: "kydonia ierapetra"}, villagers={RED: "kydonia ierapetra viannos"})
    assert legal(state) == {Harvest("kydonia"), Harvest("ierapetra"), Harvest("viannos")}


def test_a_harvested_province_links_and_yields_nothing_more() -> None:
    state = position(
        phase="farmer", ships={RED: "kydonia"}, villagers={RED: "kydonia mylopotamos"}, harvested="kydonia"
    )
    assert legal(state) == {Harvest("mylopotamos")}
    refused(state, Harvest("kydonia"), NO_TILE_LEFT, "/data/province")


def test_with_nothing_left_to_harvest_the_farmer_is_not_playable() -> None:
    state = position(ships={RED: "kydonia"}, villagers={RED: "kydonia"}, harvested="kydonia")
    refused(state, PlayCharacter("farmer"), ACTION_IMPOSSIBLE, "/data/character")


def test_all_reachable_tiles_may_be_taken_one_by_one_and_the_last_ends_the_turn() -> None:
    state = position(phase="farmer", ships={RED: "kydonia"}, villagers={RED: "kydonia mylopotamos candia"})
    state = after(state, Harvest("mylopotamos"))
    assert legal(state) == {Harvest("kydonia"), Harvest("candia"), EndTurn()}
    assert outcome(state, EndTurn()) == (TurnEnded(RED, BLUE),)
    state = after(state, Harvest("candia"))
    assert outcome(state, Harvest("kydonia")) == (
        TileHarvested(RED, "kydonia", "olive", 2, 2),
        TurnEnded(RED, BLUE),
    )


def test_at_least_one_tile_is_taken() -> None:
    state = position(phase="farmer", ships={RED: "kydonia"}, villagers={RED: "kydonia"})
    refused(state, EndTurn(), NOTHING_DONE_YET)


def test_with_the_option_one_tile_the_turn_ends_after_the_first() -> None:
    villagers = {RED: "kydonia mylopotamos candia"}
    state = position(phase="farmer", ships={RED: "kydonia"}, villagers=villagers, farmer_harvest="one_tile")
    assert legal(state) == {Harvest("kydonia"), Harvest("mylopotamos"), Harvest("candia")}
    assert outcome(state, Harvest("candia"))[-1] == TurnEnded(RED, BLUE)
