"""Commander: place a villager, or move villagers four steps in all (rulings 7 and 8)."""

from msgspec.structs import replace

from domain.kreta.commands import EndTurn, MoveVillager, PlaceVillager, PlayCharacter
from domain.kreta.events import TurnEnded, VillagerMoved, VillagerPlaced
from domain.kreta.refusals import (
    ACTION_IMPOSSIBLE,
    ALREADY_THERE,
    NO_PIECE_LEFT,
    NO_VILLAGER_THERE,
    NOTHING_DONE_YET,
    PLACE_OR_MOVE,
    PROVINCE_FULL,
    TOO_FAR,
    UNKNOWN_PROVINCE,
)
from tests.domain.kreta.builders import BLUE, BOARD, RED, YELLOW, after, legal, outcome, position, refused

FULL_AMARI = {"villagers": {BLUE: "amari " * 5}, "villages": {YELLOW: "amari " * 2}}


def test_a_villager_comes_from_the_supply_into_any_province_and_the_turn_ends() -> None:
    state = position(phase="commander")
    assert legal(state) == {PlaceVillager(province) for province in BOARD.provinces}
    assert outcome(state, PlaceVillager("amari")) == (VillagerPlaced(RED, "amari"), TurnEnded(RED, BLUE))


def test_with_five_villagers_on_the_board_none_is_left_to_place() -> None:
    state = position(phase="commander", villagers={RED: "amari " * 5})
    assert "5" in refused(state, PlaceVillager("sitia"), NO_PIECE_LEFT)


def test_t1_one_villager_may_go_four_provinces_far_and_the_turn_ends() -> None:
    state = position(phase="commander", villagers={RED: "kissamos"})
    moved, ended = outcome(state, MoveVillager("kissamos", "pediada"))
    assert moved == VillagerMoved(RED, "kissamos", "pediada", 4)
    assert ended == TurnEnded(RED, BLUE)


def test_t1_one_villager_may_go_three_provinces_and_another_one() -> None:
    state = position(phase="commander", villagers={RED: "kissamos sitia"})
    state = after(state, MoveVillager("kissamos", "candia"), MoveVillager("sitia", "mirabello"))
    assert state.active == BLUE
    assert [BOARD.provinces[province] for province in state.villagers[RED]] == ["candia", "mirabello"]


def test_t1_two_villagers_may_go_two_provinces_each() -> None:
    state = position(phase="commander", villagers={RED: "kissamos sitia"})
    state = after(state, MoveVillager("kissamos", "amari"), MoveVillager("sitia", "candia"))
    assert state.active == BLUE


def test_t1_five_steps_in_all_are_too_many() -> None:
    state = position(phase="commander", villagers={RED: "kissamos sitia"})
    assert "5 steps" in refused(state, MoveVillager("kissamos", "mirabello"), TOO_FAR, "/data/to_province")
    state = after(state, MoveVillager("kissamos", "candia"))
    assert "1 are left" in refused(state, MoveVillager("sitia", "candia"), TOO_FAR, "/data/to_province")


def test_t1_provinces_that_meet_in_a_point_only_are_two_steps_apart() -> None:
    state = position(phase="commander", villagers={RED: "kydonia kissamos"})
    state = after(state, MoveVillager("kissamos", "candia"))
    says = refused(state, MoveVillager("kydonia", "amari"), TOO_FAR, "/data/to_province")
    assert "'kydonia' to 'amari' it is 2 steps" in says
    assert MoveVillager("kydonia", "mylopotamos") in legal(state)


def test_a_villager_moves_to_a_different_province() -> None:
    state = position(phase="commander", villagers={RED: "kydonia"})
    refused(state, MoveVillager("kydonia", "kydonia"), ALREADY_THERE, "/data/to_province")


def test_ending_where_one_began_is_allowed() -> None:
    state = position(phase="commander", villagers={RED: "kydonia"})
    state = after(state, MoveVillager("kydonia", "kissamos"), MoveVillager("kissamos", "kydonia"))
    assert state.steps_taken == 2
    assert state.villagers[RED] == (BOARD.index["kydonia"],)


def test_only_own_villagers_move() -> None:
    state = position(phase="commander", villagers={RED: "kydonia", BLUE: "amari"})
    assert "kydonia" in refused(state, MoveVillager("amari", "sfakia"), NO_VILLAGER_THERE, "/data/from_province")
    refused(state, MoveVillager("atlantis", "sfakia"), UNKNOWN_PROVINCE, "/data/from_province")
    refused(state, MoveVillager("kydonia", "atlantis"), UNKNOWN_PROVINCE, "/data/to_province")


def test_after_a_move_with_steps_left_the_turn_goes_on_until_it_is_ended() -> None:
    state = after(position(phase="commander", villagers={RED: "kydonia"}), MoveVillager("kydonia", "kissamos"))
    assert (state.active, state.steps_taken) == (RED, 1)
    assert EndTurn() in legal(state)
    ended = after(state, EndTurn())
    assert (ended.active, ended.phase, ended.steps_taken, ended.begun) == (BLUE, "choose_card", 0, False)


def test_after_a_move_no_villager_is_placed() -> None:
    state = after(position(phase="commander", villagers={RED: "kydonia"}), MoveVillager("kydonia", "kissamos"))
    refused(state, PlaceVillager("sitia"), PLACE_OR_MOVE)


def test_the_commander_ends_no_turn_before_a_villager_has_moved() -> None:
    refused(position(phase="commander", villagers={RED: "kydonia"}), EndTurn(), NOTHING_DONE_YET)


def test_t2_in_a_full_province_no_villager_is_placed_or_stops() -> None:
    state = position(
        3, phase="commander", villagers={RED: "sfakia", **FULL_AMARI["villagers"]}, villages=FULL_AMARI["villages"]
    )
    assert "'amari' holds 7" in refused(state, PlaceVillager("amari"), PROVINCE_FULL, "/data/province")
    refused(state, MoveVillager("sfakia", "amari"), PROVINCE_FULL, "/data/to_province")


def test_t2_villagers_pass_through_a_full_province() -> None:
    state = position(
        3, phase="commander", villagers={RED: "sfakia", **FULL_AMARI["villagers"]}, villages=FULL_AMARI["villages"]
    )
    moved = outcome(state, MoveVillager("sfakia", "monofatsi"))[0]
    assert moved == VillagerMoved(RED, "sfakia", "monofatsi", 2)


def test_an_earlier_move_may_make_room_for_a_later_one() -> None:
    villagers = {RED: "amari kydonia", BLUE: "amari " * 4}
    state = position(3, phase="commander", villagers=villagers, villages=FULL_AMARI["villages"])
    refused(state, MoveVillager("kydonia", "amari"), PROVINCE_FULL, "/data/to_province")
    state = after(state, MoveVillager("amari", "sfakia"))
    assert MoveVillager("kydonia", "amari") in legal(state)


def test_the_turn_ends_by_itself_when_no_move_within_the_steps_left_is_allowed() -> None:
    full = {
        "villagers": {BLUE: "kydonia " * 5},
        "villages": {BLUE: "kydonia " * 2 + "sfakia " * 2, YELLOW: "sfakia " * 4},
        "abbots": {BLUE: "sfakia"},
    }
    villagers = {RED: "mylopotamos", **full["villagers"]}
    state = position(3, phase="commander", villagers=villagers, villages=full["villages"], abbots=full["abbots"])
    assert outcome(state, MoveVillager("mylopotamos", "kissamos"))[-1] == VillagerMoved(
        RED, "mylopotamos", "kissamos", 2
    )
    villagers = {RED: "candia", **full["villagers"]}
    state = position(3, phase="commander", villagers=villagers, villages=full["villages"], abbots=full["abbots"])
    assert outcome(state, MoveVillager("candia", "kissamos"))[-1] == TurnEnded(RED, BLUE)


def test_with_all_villagers_shut_in_the_commander_is_not_playable() -> None:
    figures = tuple(5 if province == "mirabello" else 7 for province in BOARD.provinces)
    state = replace(position(villagers={RED: "mirabello " * 5}), figures=figures)
    says = refused(state, PlayCharacter("commander"), ACTION_IMPOSSIBLE, "/data/character")
    assert "commander" in says
