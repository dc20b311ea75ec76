"""Architect: build a fort or a village (rulings 4 and 5)."""

from domain.kreta.commands import BuildFort, BuildVillage, PlayCharacter
from domain.kreta.events import FortBuilt, TurnEnded, VillageBuilt
from domain.kreta.refusals import (
    ACTION_IMPOSSIBLE,
    NO_PIECE_LEFT,
    PROVINCE_FULL,
    SITE_TAKEN,
    TOO_FEW_TILES,
    UNKNOWN_PROVINCE,
    UNKNOWN_SITE,
)
from tests.domain.kreta.builders import BLUE, BOARD, RED, YELLOW, after, legal, outcome, position, refused


def test_a_fort_is_built_on_any_fort_point_and_the_turn_ends() -> None:
    state = position(phase="architect")
    assert legal(state) == {BuildFort(site) for site in range(1, 27)}
    assert outcome(state, BuildFort(14)) == (FortBuilt(RED, 14), TurnEnded(RED, BLUE))
    assert after(state, BuildFort(14)).forts[RED] == (14,)


def test_each_point_holds_one_fort_of_any_owner() -> None:
    state = position(phase="architect", forts={RED: (2,), BLUE: (14,)})
    refused(state, BuildFort(2), SITE_TAKEN, "/data/site")
    refused(state, BuildFort(14), SITE_TAKEN, "/data/site")


def test_a_point_that_has_been_scored_may_still_be_built_on() -> None:
    assert BuildFort(2) in legal(position(phase="architect", turned_down=1, turned_up=3))


def test_an_unknown_fort_point_is_refused_with_the_known_ones() -> None:
    says = refused(position(phase="architect"), BuildFort(27), UNKNOWN_SITE, "/data/site")
    assert says.endswith("25, 26.")


def test_with_three_forts_on_the_board_none_is_left() -> None:
    refused(position(phase="architect", forts={RED: (1, 2, 3)}), BuildFort(4), NO_PIECE_LEFT)


def test_a_village_needs_a_collected_tile() -> None:
    refused(position(phase="architect"), BuildVillage("amari"), TOO_FEW_TILES)
    state = position(phase="architect", collected={RED: "olive"})
    assert legal(state, BuildVillage) == {BuildVillage(province) for province in BOARD.provinces}
    assert outcome(state, BuildVillage("amari")) == (VillageBuilt(RED, "amari"), TurnEnded(RED, BLUE))
    refused(state, BuildVillage("atlantis"), UNKNOWN_PROVINCE, "/data/province")


def test_t11_there_are_no_more_villages_than_collected_tiles() -> None:
    villages = {RED: "amari sitia"}
    state = position(phase="architect", villages=villages, collected={RED: "olive wine"})
    says = refused(state, BuildVillage("amari"), TOO_FEW_TILES)
    assert "Village number 3" in says
    state = position(phase="architect", villages=villages, collected={RED: "olive wine wine"})
    assert BuildVillage("amari") in legal(state)


def test_tiles_are_kept_when_a_village_is_built() -> None:
    state = position(phase="architect", collected={RED: "olive"})
    assert after(state, BuildVillage("amari")).collected == state.collected


def test_with_four_villages_on_the_board_none_is_left() -> None:
    state = position(phase="architect", villages={RED: "amari " * 4}, collected={RED: "olive " * 4 + "wine"})
    refused(state, BuildVillage("sitia"), NO_PIECE_LEFT)


def test_t2_in_a_full_province_no_village_is_built_but_a_fort_is() -> None:
    villagers = {BLUE: "amari " * 4, YELLOW: "amari " * 3}
    state = position(3, phase="architect", villagers=villagers, collected={RED: "olive"})
    refused(state, BuildVillage("amari"), PROVINCE_FULL, "/data/province")
    assert BuildFort(5) in legal(state)


def test_without_forts_and_tiles_the_architect_is_not_playable() -> None:
    refused(position(forts={RED: (1, 2, 3)}), PlayCharacter("architect"), ACTION_IMPOSSIBLE, "/data/character")
