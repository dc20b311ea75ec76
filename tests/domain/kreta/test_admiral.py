"""Admiral: place a ship, or move one or both (rulings 10 and 22)."""

from domain.kreta.commands import EndTurn, MoveShip, PlaceShip, PlayCharacter
from domain.kreta.events import ShipMoved, ShipPlaced, TurnEnded
from domain.kreta.refusals import (
    HARBOUR_FULL,
    NO_HARBOUR,
    NO_PIECE_LEFT,
    NO_SHIP_THERE,
    NOTHING_DONE_YET,
    OWN_SHIP_THERE,
    PLACE_OR_MOVE,
    SHIP_HAS_MOVED,
    UNKNOWN_PROVINCE,
)
from tests.domain.kreta.builders import BLUE, GREEN, RED, YELLOW, after, legal, outcome, position, refused

HARBOURS = {"sfakia", "kydonia", "messara", "candia", "monofatsi", "sitia", "ierapetra"}


def test_a_ship_comes_from_the_supply_into_any_harbour_and_the_turn_ends() -> None:
    state = position(phase="admiral")
    assert legal(state) == {PlaceShip(harbour) for harbour in HARBOURS}
    assert outcome(state, PlaceShip("candia")) == (ShipPlaced(RED, "candia"), TurnEnded(RED, BLUE))
    assert after(state, PlaceShip("candia")).ships[RED] == (8,)


def test_a_province_without_a_harbour_takes_no_ship() -> None:
    says = refused(position(phase="admiral"), PlaceShip("amari"), NO_HARBOUR, "/data/province")
    assert "kydonia" in says


def test_an_unknown_province_is_named_with_the_known_ones() -> None:
    says = refused(position(phase="admiral"), PlaceShip("atlantis"), UNKNOWN_PROVINCE, "/data/province")
    assert "ierapetra" in says


def test_with_both_ships_on_the_board_none_is_left_to_place() -> None:
    state = position(phase="admiral", ships={RED: "kydonia candia"})
    refused(state, PlaceShip("sitia"), NO_PIECE_LEFT)


def test_t12_with_two_seats_a_harbour_holds_one_ship() -> None:
    state = position(phase="admiral", ships={RED: "kydonia", BLUE: "candia"})
    refused(state, PlaceShip("candia"), HARBOUR_FULL, "/data/province")
    refused(state, MoveShip("kydonia", "candia"), HARBOUR_FULL, "/data/to_province")


def test_t12_with_three_or_four_seats_a_harbour_holds_two_ships_but_not_three() -> None:
    for seats in (3, 4):
        state = position(seats, phase="admiral", ships={BLUE: "candia"})
        assert PlaceShip("candia") in legal(state)
        state = position(seats, phase="admiral", ships={BLUE: "candia", YELLOW: "candia"})
        refused(state, PlaceShip("candia"), HARBOUR_FULL, "/data/province")


def test_t12_the_own_two_ships_may_not_lie_in_one_harbour() -> None:
    state = position(3, phase="admiral", ships={RED: "candia"})
    refused(state, PlaceShip("candia"), OWN_SHIP_THERE, "/data/province")
    refused(
        position(3, phase="admiral", ships={RED: "candia sitia"}),
        MoveShip("sitia", "candia"),
        OWN_SHIP_THERE,
        "/data/to_province",
    )


def test_a_ship_moves_to_a_different_harbour_at_any_distance() -> None:
    state = position(phase="admiral", ships={RED: "kydonia"})
    assert legal(state, MoveShip) == {MoveShip("kydonia", harbour) for harbour in HARBOURS - {"kydonia"}}
    refused(state, MoveShip("kydonia", "kydonia"), OWN_SHIP_THERE, "/data/to_province")


def test_only_an_own_ship_moves() -> None:
    state = position(phase="admiral", ships={RED: "kydonia", BLUE: "candia"})
    assert "kydonia" in refused(state, MoveShip("candia", "sitia"), NO_SHIP_THERE, "/data/from_province")
    refused(state, MoveShip("atlantis", "sitia"), UNKNOWN_PROVINCE, "/data/from_province")
    refused(state, MoveShip("kydonia", "atlantis"), UNKNOWN_PROVINCE, "/data/to_province")
    assert "Yours lie at: -." in refused(
        position(phase="admiral"), MoveShip("sitia", "candia"), NO_SHIP_THERE, "/data/from_province"
    )


def test_with_one_ship_the_turn_ends_after_its_move() -> None:
    state = position(phase="admiral", ships={RED: "kydonia"})
    assert outcome(state, MoveShip("kydonia", "sitia")) == (ShipMoved(RED, "kydonia", "sitia"), TurnEnded(RED, BLUE))


def test_after_the_first_ship_the_second_may_move_or_the_turn_may_end() -> None:
    state = after(position(phase="admiral", ships={RED: "kydonia candia"}), MoveShip("kydonia", "sitia"))
    assert state.active == RED
    assert legal(state) == {
        EndTurn(),
        *(MoveShip("candia", harbour) for harbour in HARBOURS - {"candia", "sitia"}),
    }
    assert after(state, EndTurn()).active == BLUE


def test_the_second_ship_may_take_the_place_that_the_first_has_left() -> None:
    state = after(position(phase="admiral", ships={RED: "kydonia candia"}), MoveShip("kydonia", "sitia"))
    assert outcome(state, MoveShip("candia", "kydonia"))[-1] == TurnEnded(RED, BLUE)


def test_each_ship_moves_at_most_once() -> None:
    state = after(position(phase="admiral", ships={RED: "kydonia candia"}), MoveShip("kydonia", "sitia"))
    refused(state, MoveShip("sitia", "kydonia"), SHIP_HAS_MOVED, "/data/from_province")


def test_after_a_move_no_ship_is_placed() -> None:
    state = after(position(phase="admiral", ships={RED: "kydonia candia"}), MoveShip("kydonia", "sitia"))
    refused(state, PlaceShip("messara"), PLACE_OR_MOVE)


def test_after_a_move_with_a_ship_in_the_supply_the_turn_ends_since_only_moves_would_be_left() -> None:
    assert after(position(phase="admiral", ships={RED: "kydonia"}), MoveShip("kydonia", "sitia")).active == BLUE


def test_the_admiral_ends_no_turn_before_a_ship_has_moved() -> None:
    refused(position(phase="admiral", ships={RED: "kydonia"}), EndTurn(), NOTHING_DONE_YET)


def test_the_admiral_is_always_playable_since_the_harbours_outnumber_the_ships_that_block_them() -> None:
    ships = {RED: "kydonia sitia", BLUE: "sfakia messara", YELLOW: "sfakia messara", GREEN: "candia monofatsi"}
    state = position(4, ships=ships)
    assert PlayCharacter("admiral") in legal(state)
    assert MoveShip("sitia", "ierapetra") in legal(after(state, PlayCharacter("admiral")))
