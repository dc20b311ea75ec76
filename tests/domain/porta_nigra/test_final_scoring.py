"""The final scoring: sets, final cards, leftovers, majorities; the winners [HU9-11]."""

import pytest

from domain.game import Result
from domain.porta_nigra import PORTA_NIGRA
from domain.porta_nigra import refusals as no
from domain.porta_nigra.board import BOARD
from domain.porta_nigra.commands import EndTurn, ScoreInterim
from domain.porta_nigra.events.scoring import (
    BuildingCardsScored,
    Contender,
    FinalCardsScored,
    GameEnded,
    LeftoversOfSeat,
    LeftoversScored,
    MajorityScored,
)
from domain.porta_nigra.final_scoring import leftover_points, majority, set_points, sets
from tests.domain.porta_nigra.builders import Elements, bricks, is_refused, outcome, position, scored

Prizes = dict[int, int]

MONI, GABOR = 0, 1
EVI, ZSOLT = 0, 1
NOTHING = {"sesterces": 0, "torches": 0, "romans": 0}


def prizes(elements: Elements, building: str, part: str | int, seats: int = 4) -> Prizes:
    """What a row or level pays, by seat."""
    state = position(seats, elements=elements)
    area = next(area for area in BOARD.areas if area.building == building and part in (area.row, area.level))
    return {contender.seat: contender.vp for contender in majority(BOARD, state, area)}


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("", 0),
        ("basilica-red amphitheatre-red cityWall-blue basilica-blue", 14),
        ("basilica-red amphitheatre-red cityWall-blue portaNigra-red", 20),
        ("basilica-red basilica-blue", 4),
        ("basilica-red cityWall-red", 6),
        ("basilica-red basilica-blue cityWall-red cityWall-blue portaNigra-red", 12 + 6),
    ],
)
def test_t13_sets_of_different_buildings(cards: str, points: int) -> None:
    assert set_points(BOARD, [f"BLD-{card}" for card in cards.split()]) == points


def test_substitutes_count_in_sets() -> None:
    cards = ("BLD-basilica-red", "HON-SUB-amphitheatre", "HON-SUB-basilica")
    assert sets(BOARD, cards) == (("BLD-basilica-red", "HON-SUB-amphitheatre"), ("HON-SUB-basilica",))


def test_t15_leftovers() -> None:
    own = {"romans": 2, "sesterces": 7, "influence": 1, "torches": 1, "bricks": "2 red, 1 white"}
    assert leftover_points(BOARD, position(own={0: own}).player) == 9


def test_t17_the_dearer_brick_breaks_the_tie_in_the_basilica() -> None:
    elements = {"BAS-A3": MONI, "BAS-A5": GABOR, "BAS-A1": GABOR, "BAS-B1": GABOR}
    assert prizes(elements, "basilica", "A") == {MONI: 12, GABOR: 6}
    assert prizes(elements, "basilica", "B") == {GABOR: 12}


def test_t18_yellow_beats_red_in_the_amphitheatre() -> None:
    assert prizes({"AMP-A4": ZSOLT, "AMP-A2": EVI}, "amphitheatre", "A") == {ZSOLT: 15, EVI: 5}


def test_more_bricks_beat_dearer_ones() -> None:
    assert prizes({"BAS-A2": 0, "BAS-A5": 1}, "basilica", "A") == {0: 12, 1: 6}


def test_only_the_dearest_brick_is_compared() -> None:
    elements = {"CIT-W2": 0, "CIT-W1": 0, "CIT-W9": 1, "CIT-W8": 1}
    assert prizes(elements, "city_wall", "W") == {0: 20, 1: 10}


def test_t20_an_element_takes_part_in_every_level_that_it_reaches() -> None:
    elements: Elements = {"POR-P4": (EVI, 7)}
    reached = [level for level in range(3, 9) if prizes(elements, "porta_nigra", level)]
    assert reached == [3, 4, 5, 6, 7]


def test_at_a_level_elements_count_and_the_dearest_of_those_that_reach_it_breaks_ties() -> None:
    elements: Elements = {
        "POR-P5": (0, 3),
        "POR-P1": (0, 5),
        "POR-P2": (1, 5),
        "POR-P3": (1, 3),
    }
    assert prizes(elements, "porta_nigra", 3) == {0: 3, 1: 1}  # two each; white beats red
    assert prizes(elements, "porta_nigra", 5) == {1: 5, 0: 2}  # one each; blue beats black


def test_t22_unbroken_ties_for_first_get_the_second_prize_and_nobody_else_scores() -> None:
    elements: Elements = {"POR-P2": (0, 3), "POR-P8": (1, 3), "POR-P1": (2, 3)}
    assert prizes(elements, "porta_nigra", 3) == {0: 1, 1: 1, 2: 0}


def test_t22_unbroken_ties_for_second_get_nothing() -> None:
    elements: Elements = {
        "POR-P5": (0, 3),
        "POR-P2": (1, 3),
        "POR-P8": (2, 3),
        "POR-P1": (3, 3),
    }
    assert prizes(elements, "porta_nigra", 3) == {0: 3, 1: 0, 2: 0, 3: 0}


def test_the_same_holds_for_rows() -> None:
    assert prizes({"CIT-W1": 0, "CIT-W2": 1, "CIT-W5": 2, "CIT-W9": 3}, "city_wall", "W") == {0: 20, 2: 10, 1: 0, 3: 0}
    assert prizes({"CIT-W3": 0, "CIT-W4": 1, "CIT-W9": 1}, "city_wall", "W") == {1: 20, 0: 10}


def test_a_sole_player_gets_the_first_prize_only_and_nobody_without_bricks_any() -> None:
    assert prizes({"AMP-B1": 3}, "amphitheatre", "B") == {3: 12}
    assert prizes({}, "amphitheatre", "B") == {}


def test_each_part_and_each_majority_is_an_event_of_its_own() -> None:
    own = {
        0: {**NOTHING, "building_cards": ("BLD-basilica-red",), "final_cards": ("HON-FS30",)},
        1: {**NOTHING, "bricks": "1 black"},
    }
    elements: Elements = {"BAS-A1": 0, "POR-P1": (1, 4)}
    state = position(own=own, elements=elements, stage="final_scoring")
    owed = PORTA_NIGRA.owed(state)
    assert owed is not None
    cards, finals, leftovers, *majorities, ended = outcome(state, owed)
    assert isinstance(cards, BuildingCardsScored)
    assert [(entry.sets, entry.vp) for entry in cards.seats] == [((("BLD-basilica-red",),), 2), ((), 0)]
    assert isinstance(finals, FinalCardsScored)
    assert [(entry.cards, entry.vp) for entry in finals.seats] == [(("HON-FS30",), 30), ((), 0)]
    assert isinstance(leftovers, LeftoversScored)
    assert leftovers.seats[1] == LeftoversOfSeat(seat=1, romans=0, sesterces=0, influence=0, torches=0, bricks=1, vp=1)
    assert majorities == [
        MajorityScored("basilica", "A", None, (Contender(seat=0, count=2, best=2, place=1, vp=12),)),
        MajorityScored("porta_nigra", None, 3, (Contender(seat=1, count=1, best=1, place=1, vp=3),)),
        MajorityScored("porta_nigra", None, 4, (Contender(seat=1, count=1, best=1, place=1, vp=4),)),
    ]
    assert ended == GameEnded(scores=(2 + 30 + 12, 1 + 3 + 4))


def test_the_most_points_win_and_equal_points_share_the_victory() -> None:
    own = {seat: {**NOTHING, "vp": vp} for seat, vp in enumerate((7, 9, 9))}
    state = scored(position(3, own=own, stage="final_scoring"))
    assert PORTA_NIGRA.result(state) == Result(scores=(7, 9, 9), ranking=((1, 2), (0,)), winners=(1, 2))
    assert PORTA_NIGRA.to_act(state) == ()
    assert PORTA_NIGRA.owed(state) is None
    assert PORTA_NIGRA.phase(state) == "over"
    assert PORTA_NIGRA.legal_commands(state, state.active) == ()


def test_nothing_comes_after_the_end() -> None:
    state = scored(position(stage="final_scoring"))
    assert is_refused(state, EndTurn(), no.NOTHING_TO_DECIDE)
    assert is_refused(state, ScoreInterim(), no.NOTHING_TO_DECIDE)
    assert bricks("") == state.players[0].bricks
