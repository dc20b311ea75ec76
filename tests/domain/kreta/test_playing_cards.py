"""Playing a character card, the king included (rulings 11, 14 and 22)."""

import pytest

from domain.kreta import KRETA
from domain.kreta.commands import BuildFort, EndTurn, MoveVillager, PlaceVillager, PlayCharacter
from domain.kreta.events import CharacterPlayed
from domain.kreta.refusals import (
    ACTION_IMPOSSIBLE,
    CARD_NOT_IN_HAND,
    KING_COPIES,
    NOT_FACE_UP,
    ONLY_KING_COPIES,
    UNKNOWN_CHARACTER,
    WRONG_ACTION,
)
from tests.domain.kreta.builders import BLUE, RED, after, legal, outcome, position, refused


def test_at_the_beginning_every_card_is_playable_but_king_and_farmer() -> None:
    playable = ("admiral", "commander", "abbot", "architect", "castellan")
    assert legal(position()) == {PlayCharacter(character) for character in playable}


def test_a_card_that_was_played_lies_face_up_and_its_action_is_carried_out() -> None:
    assert outcome(position(), PlayCharacter("abbot")) == (CharacterPlayed(RED, "abbot"),)
    state = after(position(), PlayCharacter("abbot"))
    assert (state.played[RED], state.phase, state.active) == (("abbot",), "abbot", RED)


def test_a_card_that_lies_face_up_is_not_played_again() -> None:
    state = position(face_up={RED: "abbot commander"})
    says = refused(state, PlayCharacter("abbot"), CARD_NOT_IN_HAND, "/data/character")
    assert "admiral, farmer, architect, king, castellan" in says


def test_the_others_cards_do_not_bar_the_own_ones() -> None:
    assert PlayCharacter("abbot") in legal(position(face_up={BLUE: "abbot"}))


def test_an_unknown_character_is_refused_with_the_known_ones() -> None:
    assert "castellan" in refused(position(), PlayCharacter("minotaur"), UNKNOWN_CHARACTER, "/data/character")
    state = position(face_up={RED: "abbot"})
    refused(state, PlayCharacter("king", "minotaur"), UNKNOWN_CHARACTER, "/data/copies")


def test_one_action_is_not_another() -> None:
    says = refused(position(), BuildFort(3), WRONG_ACTION)
    assert "play_character" in says
    says = refused(position(phase="commander"), BuildFort(3), WRONG_ACTION)
    assert "place_villager, move_villager, end_turn" in says
    refused(position(phase="architect"), EndTurn(), WRONG_ACTION)
    assert "awaited: -." in refused(position(phase="over"), PlayCharacter("abbot"), WRONG_ACTION)


@pytest.mark.parametrize("character", ["admiral", "castellan", "farmer"])
def test_only_the_king_copies(character: str) -> None:
    state = position(face_up={RED: "abbot"})
    refused(state, PlayCharacter(character, "abbot"), ONLY_KING_COPIES, "/data/copies")


def test_the_king_names_the_card_that_it_copies() -> None:
    refused(position(face_up={RED: "abbot"}), PlayCharacter("king"), KING_COPIES, "/data/character")


def test_t6_the_king_copies_exactly_the_own_cards_that_lie_face_up_and_are_possible() -> None:
    state = position(
        face_up={RED: "commander admiral farmer", BLUE: "architect"},
        villagers={RED: "kydonia"},
        ships={RED: "kydonia"},
    )
    kings = {command for command in legal(state) if command.character == "king"}
    assert kings == {PlayCharacter("king", copied) for copied in ("commander", "admiral", "farmer")}
    says = refused(state, PlayCharacter("king", "architect"), NOT_FACE_UP, "/data/copies")
    assert says.endswith("commander, admiral, farmer.")
    barren = position(face_up={RED: "commander admiral farmer"})
    assert PlayCharacter("king", "farmer") not in legal(barren)
    refused(barren, PlayCharacter("king", "farmer"), ACTION_IMPOSSIBLE, "/data/character")


def test_t6_a_king_that_copies_the_commander_places_a_villager_or_moves_four_steps() -> None:
    state = position(face_up={RED: "commander"}, villagers={RED: "kissamos"})
    state = after(state, PlayCharacter("king", "commander"))
    assert (state.phase, state.played[RED]) == ("commander", ("commander", "king"))
    assert {PlaceVillager("sitia"), MoveVillager("kissamos", "pediada")} <= legal(state)


def test_t6_without_a_card_face_up_the_king_is_not_playable() -> None:
    assert not any(command.character == "king" for command in legal(position()))
    says = refused(position(), PlayCharacter("king", "abbot"), NOT_FACE_UP, "/data/copies")
    assert says.endswith(": -.")


@pytest.mark.parametrize("copied", ["king", "castellan"])
def test_the_king_copies_neither_itself_nor_the_castellan(copied: str) -> None:
    refused(position(face_up={RED: "abbot"}), PlayCharacter("king", copied), NOT_FACE_UP, "/data/copies")


def test_the_castellan_is_playable_at_any_time() -> None:
    everything_else = "admiral commander abbot farmer architect king"
    assert legal(position(face_up={RED: everything_else})) == {PlayCharacter("castellan")}


def test_only_the_active_seat_has_legal_commands() -> None:
    state = position(3)
    assert KRETA.to_act(state) == (RED,)
    assert KRETA.legal_commands(state, BLUE) == ()


def test_turns_go_round_and_round() -> None:
    state = position(3)
    for seat in (0, 1, 2, 0):
        assert state.active == seat
        state = after(state, PlayCharacter("commander" if state.active or not state.played[0] else "architect"))
        state = after(state, PlaceVillager("amari") if state.phase == "commander" else BuildFort(5))
