"""Influence and what it pays (rulings 15 to 17)."""

from typing import Any

import pytest

from domain.kreta.commands import Score
from domain.kreta.events import ProvinceScored, Standing
from domain.kreta.scoring import influences
from domain.kreta.state import State
from tests.domain.kreta.builders import BLUE, BOARD, GREEN, RED, YELLOW, after, outcome, position

A, B, C = "kissamos", "kydonia", "sfakia"

EXAMPLE: dict[str, Any] = {
    "phase": "scoring",
    "active": YELLOW,
    "forts": {RED: (2,), YELLOW: (5,), BLUE: (7,)},
    "villagers": {BLUE: A, GREEN: B, YELLOW: C},
    "villages": {YELLOW: B, RED: B, GREEN: B, BLUE: C},
    "ships": {YELLOW: B},
}


def paid(state: State) -> dict[str, dict[int, int]]:
    """What each province of the next scoring pays to each seat with influence."""
    return {
        event.province: {standing.seat: standing.points for standing in event.standings}
        for event in outcome(state, Score())
        if isinstance(event, ProvinceScored)
    }


def test_t8_the_full_scoring_of_four_seats() -> None:
    state = position(4, **EXAMPLE)
    assert paid(state) == {
        A: {BLUE: 3, RED: 3},
        B: {YELLOW: 5, RED: 2, GREEN: 2},
        C: {BLUE: 4, YELLOW: 2, RED: 0},
    }
    assert after(state, Score()).scores == (5, 7, 7, 2)


def test_t8_the_events_tell_each_seats_influence_by_kind_of_piece() -> None:
    events = [event for event in outcome(position(4, **EXAMPLE), Score()) if isinstance(event, ProvinceScored)]
    kydonia = next(event for event in events if event.province == B)
    assert (kydonia.place, kydonia.point, kydonia.value) == (1, 2, 5)
    assert kydonia.standings == (
        Standing(YELLOW, villagers=0, villages=1, abbots=0, ships=1, forts=1, influence=4, rank=1, points=5),
        Standing(RED, villagers=0, villages=1, abbots=0, ships=0, forts=1, influence=3, rank=2, points=2),
        Standing(GREEN, villagers=1, villages=1, abbots=0, ships=0, forts=0, influence=3, rank=2, points=2),
    )


def test_t8_the_same_position_with_two_seats_pays_no_second_place() -> None:
    state = position(
        2,
        phase="scoring",
        forts={RED: (5,), BLUE: (7,)},
        villagers={BLUE: A, RED: C},
        villages={RED: B, BLUE: C},
        ships={RED: B},
    )
    assert paid(state) == {A: {BLUE: 3}, B: {RED: 5}, C: {BLUE: 4, RED: 0}}


@pytest.mark.parametrize(
    ("pieces", "influence"),
    [
        ({"villagers": {RED: B}}, 1),
        ({"villagers": {RED: f"{B} {B} {B}"}}, 3),
        ({"abbots": {RED: B}}, 1),
        ({"ships": {RED: B}}, 1),
        ({"forts": {RED: (1, 4)}}, 2),
        ({"villages": {RED: f"{B} {B}"}}, 4),
    ],
)
def test_a_village_counts_two_and_every_other_piece_one(pieces: dict[str, Any], influence: int) -> None:
    state = position(phase="scoring", **pieces)
    assert influences(state)[BOARD.index[B]] == [influence, 0]


def test_a_fort_counts_in_every_province_that_its_point_touches_and_a_ship_in_its_harbours_alone() -> None:
    table = influences(position(forts={RED: (5,)}, ships={BLUE: "candia"}))
    touched = {province for province, (red, _) in zip(BOARD.provinces, table, strict=True) if red}
    assert touched == {"sfakia", "kydonia", "mylopotamos", "amari"}
    assert [province for province, (_, blue) in zip(BOARD.provinces, table, strict=True) if blue] == ["candia"]


def test_where_nobody_has_influence_nobody_is_paid() -> None:
    state = position(3, phase="scoring")
    assert paid(state) == {A: {}, B: {}, C: {}}


def test_a_lone_seat_takes_the_full_value_and_no_second_is_paid() -> None:
    assert paid(position(3, phase="scoring", villagers={YELLOW: B}))[B] == {YELLOW: 5}


@pytest.mark.parametrize(
    ("villagers", "points"),
    [
        ({RED: 1, BLUE: 1, YELLOW: 1}, {RED: 5, BLUE: 5, YELLOW: 5}),
        ({RED: 2, BLUE: 1, YELLOW: 1}, {RED: 5, BLUE: 2, YELLOW: 2}),
        ({RED: 2, BLUE: 2, YELLOW: 1}, {RED: 5, BLUE: 5, YELLOW: 0}),
        ({RED: 3, BLUE: 2, YELLOW: 1}, {RED: 5, BLUE: 2, YELLOW: 0}),
        ({RED: 1, BLUE: 2}, {BLUE: 5, RED: 2}),
    ],
)
def test_all_firsts_take_the_value_and_seconds_half_rounded_down_unless_the_first_rank_is_shared(
    villagers: dict[int, int], points: dict[int, int]
) -> None:
    names = {seat: f"{B} " * count for seat, count in villagers.items()}
    assert paid(position(3, phase="scoring", villagers=names))[B] == points


def test_a_harvested_province_scores_as_before() -> None:
    assert paid(position(phase="scoring", villagers={RED: B}, harvested=B))[B] == {RED: 5}


def test_pieces_in_a_province_at_peace_count() -> None:
    state = position(3, phase="scoring", villagers={RED: f"{B} {B}"}, abbots={BLUE: B})
    assert paid(state)[B] == {RED: 5, BLUE: 2}


def test_a_province_that_the_card_does_not_touch_pays_nothing() -> None:
    state = position(phase="scoring", villagers={RED: "sitia"})
    assert "sitia" not in paid(state)
    assert after(state, Score()).scores == (0, 0)
