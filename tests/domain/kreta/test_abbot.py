"""Abbot: place or move it, and the peace that it keeps (rulings 6, 7 and 9)."""

from domain.kreta.commands import BuildVillage, MoveAbbot, MoveVillager, PlaceAbbot, PlaceVillager
from domain.kreta.events import AbbotMoved, AbbotPlaced, TurnEnded
from domain.kreta.refusals import (
    ABBOT_NOT_PLACED,
    ABBOTS_PEACE,
    ALREADY_THERE,
    NO_PIECE_LEFT,
    PROVINCE_FULL,
    TOO_FAR,
    UNKNOWN_PROVINCE,
)
from tests.domain.kreta.builders import BLUE, BOARD, RED, YELLOW, after, legal, outcome, position, refused


def test_the_abbot_comes_from_the_supply_into_any_province() -> None:
    state = position(phase="abbot")
    assert legal(state) == {PlaceAbbot(province) for province in BOARD.provinces}
    assert outcome(state, PlaceAbbot("amari")) == (AbbotPlaced(RED, "amari"), TurnEnded(RED, BLUE))
    refused(state, PlaceAbbot("atlantis"), UNKNOWN_PROVINCE, "/data/province")


def test_an_abbot_in_the_supply_does_not_move() -> None:
    assert "place_abbot" in refused(position(phase="abbot"), MoveAbbot("amari"), ABBOT_NOT_PLACED)


def test_there_is_one_abbot() -> None:
    refused(position(phase="abbot", abbots={RED: "amari"}), PlaceAbbot("sitia"), NO_PIECE_LEFT)


def test_the_abbot_moves_one_to_three_steps_along_borders() -> None:
    state = position(phase="abbot", abbots={RED: "kissamos"})
    distances = BOARD.distances[BOARD.index["kissamos"]]
    near = {province for province in BOARD.provinces if 1 <= distances[BOARD.index[province]] <= 3}
    assert legal(state) == {MoveAbbot(province) for province in near}
    assert outcome(state, MoveAbbot("candia")) == (AbbotMoved(RED, "kissamos", "candia", 3), TurnEnded(RED, BLUE))
    assert "4 steps" in refused(state, MoveAbbot("pediada"), TOO_FAR, "/data/province")
    refused(state, MoveAbbot("kissamos"), ALREADY_THERE, "/data/province")


def test_t2_in_a_full_province_no_abbot_is_placed_or_stops_but_it_passes_through() -> None:
    full = {BLUE: "mylopotamos " * 4, YELLOW: "mylopotamos " * 3}
    refused(position(3, phase="abbot", villagers=full), PlaceAbbot("mylopotamos"), PROVINCE_FULL, "/data/province")
    state = position(3, phase="abbot", villagers=full, abbots={RED: "kydonia"})
    refused(state, MoveAbbot("mylopotamos"), PROVINCE_FULL, "/data/province")
    assert MoveAbbot("candia") in legal(state)


def test_an_abbot_may_enter_a_province_with_another_abbot() -> None:
    state = position(phase="abbot", abbots={RED: "kydonia", BLUE: "kissamos"})
    assert MoveAbbot("kissamos") in legal(state)
    assert PlaceAbbot("kissamos") in legal(position(phase="abbot", abbots={BLUE: "kissamos"}))


def test_t3_where_a_foreign_abbot_stands_no_villager_is_placed_or_stops_and_no_village_is_built() -> None:
    peace = {BLUE: "amari"}
    commander = position(phase="commander", villagers={RED: "amari sfakia"}, abbots=peace)
    refused(commander, PlaceVillager("amari"), ABBOTS_PEACE, "/data/province")
    refused(commander, MoveVillager("sfakia", "amari"), ABBOTS_PEACE, "/data/to_province")
    architect = position(phase="architect", abbots=peace, collected={RED: "olive"})
    refused(architect, BuildVillage("amari"), ABBOTS_PEACE, "/data/province")


def test_t3_pieces_that_stand_there_already_stay_and_may_leave() -> None:
    state = position(phase="abbot", active=BLUE, villagers={RED: "amari"})
    state = after(state, PlaceAbbot("amari"))
    assert state.villagers[RED] == (BOARD.index["amari"],)
    leaving = position(phase="commander", villagers={RED: "amari"}, abbots={BLUE: "amari"})
    assert MoveVillager("amari", "sfakia") in legal(leaving)


def test_t3_villagers_pass_through_the_peace() -> None:
    state = position(phase="commander", villagers={RED: "sfakia"}, abbots={BLUE: "amari"})
    assert MoveVillager("sfakia", "monofatsi") in legal(state)


def test_t3_the_abbots_owner_adds_villagers_and_villages() -> None:
    assert PlaceVillager("amari") in legal(position(phase="commander", active=BLUE, abbots={BLUE: "amari"}))
    architect = position(phase="architect", active=BLUE, abbots={BLUE: "amari"}, collected={BLUE: "olive"})
    assert BuildVillage("amari") in legal(architect)


def test_t3_an_own_abbot_lifts_the_peace_for_its_owner_and_for_nobody_else() -> None:
    both = {RED: "amari", BLUE: "amari"}
    for seat in (RED, BLUE):
        assert PlaceVillager("amari") in legal(position(3, phase="commander", active=seat, abbots=both))
        architect = position(3, phase="architect", active=seat, abbots=both, collected={seat: "olive"})
        assert BuildVillage("amari") in legal(architect)
    yellow = position(3, phase="commander", active=YELLOW, abbots=both)
    refused(yellow, PlaceVillager("amari"), ABBOTS_PEACE, "/data/province")


def test_the_peace_leaves_with_the_abbot() -> None:
    state = after(position(phase="abbot", active=BLUE, abbots={BLUE: "amari"}), MoveAbbot("sfakia"))
    assert state.active == RED
    free = position(phase="commander", abbots={BLUE: "sfakia"})
    assert PlaceVillager("amari") in legal(free)
