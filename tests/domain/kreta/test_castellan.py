"""Castellan: the scoring, the row of fort cards, the end of the round and of the game (rulings 12, 13 and 23)."""

import pytest
from msgspec.structs import replace

from domain.errors import RuleViolation
from domain.game import HOUSE, Result
from domain.kreta import KRETA
from domain.kreta.commands import KeepFortCard, PlayCharacter, ReplaceFortCard, Score
from domain.kreta.events import (
    CardsTakenBack,
    CharacterPlayed,
    FortCardKept,
    FortCardReplaced,
    FortCardTurnedDown,
    FortCardTurnedUp,
    GameEnded,
    ProvinceScored,
    TurnEnded,
)
from domain.kreta.refusals import WRONG_ACTION
from domain.kreta.state import State
from tests.domain.kreta.builders import BLUE, CHANCE, RED, YELLOW, after, legal, outcome, position, refused

ROW = (2, 17, 14, 1, 3, 4, 5, 6, 7, 8, 9)


def scored(scorings: int) -> State:
    """The state after the castellan was played for the scoring after `scorings` others."""
    return position(phase="scoring", turned_down=scorings, turned_up=min(scorings + 2, len(ROW)))


def open_points(state: State) -> tuple[int, ...]:
    return state.row[state.turned_down : state.turned_up]


def test_a_played_castellan_makes_the_house_owe_the_scoring_and_nobody_may_act() -> None:
    state = position()
    assert KRETA.owed(state) is None
    assert outcome(state, PlayCharacter("castellan")) == (CharacterPlayed(RED, "castellan"),)
    state = after(state, PlayCharacter("castellan"))
    assert KRETA.owed(state) == Score()
    assert KRETA.to_act(state) == ()
    assert KRETA.phase(state) == "scoring"
    assert legal(state) == set()
    with pytest.raises(RuleViolation):
        KRETA.decide(state, RED, KeepFortCard(), CHANCE)


def test_nothing_is_scored_unless_a_castellan_was_played() -> None:
    refused(position(), Score(), WRONG_ACTION)
    with pytest.raises(RuleViolation):
        KRETA.decide(position(), HOUSE, Score(), CHANCE)


def test_t7_card_2_scores_exactly_one_mountain_and_two_hills() -> None:
    provinces = [event.province for event in outcome(scored(0), Score()) if isinstance(event, ProvinceScored)]
    assert provinces == ["kissamos", "sfakia", "kydonia"]


def test_t9_the_scored_card_is_turned_down_and_the_next_one_turned_up() -> None:
    events = outcome(scored(0), Score())
    assert events[-2:] == (FortCardTurnedDown(RED, 1, 2), FortCardTurnedUp(RED, 3, 14))
    state = after(scored(0), Score())
    assert (open_points(state), state.phase, KRETA.to_act(state)) == ((17, 14), "fort_card", (RED,))
    assert legal(state) == {KeepFortCard(), ReplaceFortCard()}


def test_t9_a_card_that_is_kept_stays_open() -> None:
    state = after(scored(0), Score())
    assert outcome(state, KeepFortCard()) == (
        FortCardKept(RED, 3, 14),
        CardsTakenBack(RED, ((), ())),
        TurnEnded(RED, BLUE),
    )
    kept = after(state, KeepFortCard())
    assert (open_points(kept), kept.pile) == ((17, 14), state.pile)


def test_t9_a_card_that_is_replaced_goes_under_the_pile_and_its_top_card_must_be_accepted() -> None:
    state = after(scored(0), Score())
    top = state.pile[0]
    assert outcome(state, ReplaceFortCard())[0] == FortCardReplaced(RED, 3, 14, top)
    replaced = after(state, ReplaceFortCard())
    assert open_points(replaced) == (17, top)
    assert replaced.pile == (*state.pile[1:], 14)
    assert replaced.known_under == 1
    assert (replaced.active, replaced.phase) == (BLUE, "choose_card")


def test_t9_the_other_open_card_is_scored_next() -> None:
    state = after(scored(0), Score(), KeepFortCard(), PlayCharacter("castellan"))
    assert outcome(state, Score())[0].point == 17  # type: ignore[union-attr]


def test_t9_everybody_takes_back_the_cards_after_the_decision_and_not_before() -> None:
    state = position(3, face_up={RED: "abbot", BLUE: "king admiral", YELLOW: "farmer"})
    state = after(state, PlayCharacter("castellan"), Score())
    assert state.played == (("abbot", "castellan"), ("king", "admiral"), ("farmer",))
    event = outcome(state, KeepFortCard())[1]
    assert event == CardsTakenBack(RED, (("abbot", "castellan"), ("king", "admiral"), ("farmer",)))
    assert after(state, KeepFortCard()).played == ((), (), ())


def test_t10_a_castellan_changes_no_piece_on_the_board() -> None:
    before = position(
        villagers={RED: "amari", BLUE: "sfakia"}, ships={RED: "kydonia"}, forts={RED: (2,)}, abbots={BLUE: "amari"}
    )
    state = after(before, PlayCharacter("castellan"), Score(), ReplaceFortCard())
    for kind in ("villagers", "villages", "abbots", "ships", "forts", "figures", "tiles", "collected"):
        assert getattr(state, kind) == getattr(before, kind)


def test_after_the_ninth_scoring_the_whole_row_is_open() -> None:
    state = after(scored(8), Score())
    assert state.turned_up == len(ROW)
    assert open_points(state) == ROW[9:]


def test_after_the_tenth_scoring_nothing_is_turned_up_and_the_round_closes_by_itself() -> None:
    state = replace(scored(9), played=(("abbot", "castellan"), ("king",)))
    assert outcome(state, Score())[-3:] == (
        FortCardTurnedDown(RED, 10, ROW[9]),
        CardsTakenBack(RED, (("abbot", "castellan"), ("king",))),
        TurnEnded(RED, BLUE),
    )


def test_t13_the_eleventh_scoring_ends_the_game_at_once_and_the_highest_score_wins() -> None:
    state = replace(scored(10), scores=(30, 40), villagers=((1,), ()))
    assert KRETA.result(state) is None
    events = outcome(state, Score())
    assert events[-2:] == (FortCardTurnedDown(RED, 11, 9), GameEnded((30, 40), ((BLUE,), (RED,)), (BLUE,)))
    over = after(state, Score())
    assert KRETA.result(over) == Result((30, 40), ((BLUE,), (RED,)), (BLUE,))
    assert (KRETA.to_act(over), KRETA.owed(over), legal(over), KRETA.phase(over)) == ((), None, set(), "over")


def test_the_last_scoring_counts_for_the_result() -> None:
    state = replace(scored(10), scores=(38, 40), ships=((4,), ()))
    assert KRETA.result(after(state, Score())) == Result((44, 40), ((RED,), (BLUE,)), (RED,))


def test_equal_points_share_the_victory() -> None:
    state = replace(position(3, phase="scoring", turned_down=10, turned_up=11), scores=(40, 12, 40))
    assert KRETA.result(after(state, Score())) == Result((40, 12, 40), ((RED, YELLOW), (BLUE,)), (RED, YELLOW))


def test_with_a_pile_that_everybody_knows_a_replaced_card_adds_no_knowledge() -> None:
    state = after(scored(0), Score())
    state = after(replace(state, known_under=len(state.pile)), ReplaceFortCard())
    assert state.known_under == len(state.pile)
