"""District scoring, the King's bonuses, the end."""

import pytest
from msgspec.structs import replace

from domain.canterbury import CANTERBURY, events
from domain.canterbury.commands import ScoreEnd
from domain.canterbury.scoring import district_bonus, kings_bonus
from domain.canterbury.state import State
from domain.game import Result
from tests.domain.canterbury.builders import (
    BLUE,
    CENTRE,
    EDITION,
    GREEN,
    NEUTRAL,
    RED,
    SERVICES,
    only,
    position,
    settle,
)

KING = EDITION.data.kings_bonus.value


def scored(state: State) -> dict[int, events.DistrictScored]:
    """The first scoring of all districts, by district."""
    _, what = settle(replace(state, city=101, turn_over=True))
    return {event.district: event for event in what if isinstance(event, events.DistrictScored)}


def ended(state: State) -> tuple[State, list[events.Event]]:
    """The end of the game after the fourth scoring."""
    last = state.seats - 1
    over = replace(
        state, city=301, round=9, active=last, turn_over=True, scorings=4, paid=3, final_round=9, action="levy"
    )
    assert CANTERBURY.owed(over) == ScoreEnd()
    final, what = settle(over)
    return final, [event for event in what if isinstance(event, events.Event)]


def test_t16_a_full_district_pays_6_for_the_most_cubes_and_3_for_the_second_most() -> None:
    full = "well garden fountain farm"
    cubes = {RED: {"water": [7], "food": [7]}, BLUE: {"religion": [7]}}
    event = scored(position({7: full}, cubes))[7]
    assert (event.first, event.second) == (6, 3)
    assert event.cubes == (2, 1, 0)
    assert event.points == (6, 3, 0)


def test_t17_the_second_bonus_is_half_rounded_down() -> None:
    cubes = {RED: {"water": [7, 8], "food": [7, 8]}, BLUE: {"religion": [7, 8]}}
    found = scored(position({7: "well garden chapel fountain", 8: "well"}, cubes))
    assert found[7].points == (5, 2, 0)
    assert found[8].points == (1, 0, 0)


def test_t18_tied_for_most_cubes_they_share_and_nobody_is_second() -> None:
    cubes = {RED: {"water": [7], "food": [7]}, BLUE: {"religion": [7], "defense": [7]}, GREEN: {"culture": [7]}}
    assert scored(position({7: "well garden chapel fountain"}, cubes))[7].points == (2, 2, 0)
    cubes = {RED: {"water": [7]}, BLUE: {"religion": [7]}, GREEN: {"culture": [7]}}
    assert scored(position({7: "well garden chapel fountain"}, cubes))[7].points == (1, 1, 1)


def test_t19_tied_for_the_second_place_nobody_gets_it() -> None:
    cubes = {RED: {"water": [7], "food": [7]}, BLUE: {"religion": [7]}, GREEN: {"culture": [7]}}
    assert scored(position({7: "well garden chapel fountain"}, cubes))[7].points == (5, 0, 0)


def test_t20_cubes_without_a_structure_pay_nothing() -> None:
    state = position(cubes={RED: {"water": [0], "food": [0]}})
    found = scored(state)
    assert 0 not in found
    assert sum(points for event in found.values() for points in event.points) == 0


def test_t21_the_roman_well_fills_no_lot_for_the_scoring() -> None:
    cubes = {RED: {"food": [CENTRE]}}
    assert scored(position({CENTRE: "fountain farm garden"}, cubes))[CENTRE].points == (5, 0, 0)
    assert scored(position({CENTRE: "- fountain farm church"}, cubes))[CENTRE].points == (6, 0, 0)


def test_the_purple_cube_counts_for_nobody() -> None:
    event = scored(position({CENTRE: "garden"}, {RED: {"food": [CENTRE]}}))[CENTRE]
    assert event.cubes == (1, 0, 0)
    assert event.points == (1, 0, 0)


def test_a_sole_supplier_gets_the_first_bonus_only() -> None:
    assert scored(position({7: "fountain farm"}, {RED: {"water": [7]}}))[7].points == (4, 0, 0)


def test_a_district_without_cubes_pays_nobody() -> None:
    assert scored(position({7: "fountain farm"}))[7].points == (0, 0, 0)


def test_the_sum_of_a_scoring_is_told() -> None:
    cubes = {RED: {"water": [7, 8], "food": [7, 8]}, BLUE: {"religion": [7, 8]}}
    state = replace(position({7: "well garden", 8: "well fountain"}, cubes), city=101, turn_over=True)
    after, what = settle(state)
    assert only(what, events.DistrictsScored).points == (5, 2, 0)
    assert after.scores == (5, 2, 0)


def test_the_neutral_colour_takes_places_and_its_points_vanish() -> None:
    cubes = {NEUTRAL: {"water": [7], "food": [7]}, RED: {"religion": [7]}}
    state = position({7: "well garden chapel fountain"}, cubes, seats=2)
    assert scored(state)[7].points == (2, 0, 5)
    after, what = settle(replace(state, city=101, turn_over=True))
    assert after.scores == (2, 0)
    assert only(what, events.DistrictsScored).points == (2, 0)


def test_t27_the_king_rewards_the_first_and_the_second_by_their_own_cubes() -> None:
    assert kings_bonus((10, 8, 5, 3), KING.first, KING.second) == (10, 4, 0, 0)


def test_t28_tied_for_first_they_share_both_bonuses() -> None:
    assert kings_bonus((10, 10, 8), KING.first, KING.second) == (7, 7, 0)
    assert kings_bonus((5, 5, 5), KING.first, KING.second) == (2, 2, 2)


def test_t29_tied_for_second_nobody_gets_it() -> None:
    assert kings_bonus((10, 6, 6), KING.first, KING.second) == (10, 0, 0)


@pytest.mark.parametrize(("cubes", "points"), [((3, 0, 0), (3, 0, 0)), ((0, 0, 0), (0, 0, 0)), ((3, 1, 0), (3, 0, 0))])
def test_the_king_rewards_nobody_without_cubes(cubes: tuple[int, ...], points: tuple[int, ...]) -> None:
    assert kings_bonus(cubes, KING.first, KING.second) == points


def test_the_district_bonus_needs_a_cube() -> None:
    assert district_bonus((0, 0), 6, 3) == (0, 0)


def test_t27_in_a_game_the_king_rewards_every_service_in_order() -> None:
    cubes = {GREEN: {"defense": range(10)}, RED: {"defense": range(10, 18)}, BLUE: {"defense": range(18, 22)}}
    state, what = ended(position(cubes=cubes, shillings=0))
    rewards = [event for event in what if isinstance(event, events.KingRewarded)]
    assert [reward.service for reward in rewards] == list(SERVICES)
    assert rewards[3].points == (4, 0, 10)
    assert rewards[3].cubes == (8, 4, 10)
    assert state.scores == (4, 0, 10)


def test_the_neutral_colour_takes_the_kings_bonus_away() -> None:
    cubes = {NEUTRAL: {"defense": range(10)}, RED: {"defense": range(10, 18)}, BLUE: {"defense": range(18, 22)}}
    state, _ = ended(position(cubes=cubes, shillings=0, seats=2))
    assert state.scores == (4, 0)


def test_t30_three_shillings_are_a_point() -> None:
    state, what = ended(position(shillings=8))
    counted = [event for event in what if isinstance(event, events.ShillingsCounted)]
    assert [(event.shillings, event.points) for event in counted] == [(8, 2)] * 3
    assert state.scores == (2, 2, 2)
    assert state.shillings == (8, 8, 8)


def test_the_most_points_win() -> None:
    state, what = ended(replace(position(shillings=0), scores=(10, 30, 20)))
    assert CANTERBURY.result(state) == Result(scores=(10, 30, 20), ranking=((1,), (2,), (0,)), winners=(1,))
    assert only(what, events.GameEnded).ranking == ((1,), (2,), (0,))
    assert CANTERBURY.phase(state) == "over"
    assert CANTERBURY.to_act(state) == ()
    assert CANTERBURY.owed(state) is None


def test_of_equal_scores_the_one_with_fewer_shillings_wins() -> None:
    state, _ = ended(replace(position(), scores=(11, 10, 10), shillings=(0, 5, 4)))
    assert CANTERBURY.scores(state) == (11, 11, 11)
    result = CANTERBURY.result(state)
    assert result is not None
    assert result.ranking == ((0,), (2,), (1,))


def test_full_equals_share_the_victory() -> None:
    state, _ = ended(replace(position(shillings=4), scores=(10, 10, 3)))
    result = CANTERBURY.result(state)
    assert result is not None
    assert result.winners == (0, 1)


def test_a_game_under_way_has_no_result() -> None:
    assert CANTERBURY.result(position()) is None


def test_after_the_last_turn_the_districts_are_scored_a_fourth_time_without_rank_payment() -> None:
    state = position({7: "well"}, {RED: {"water": [7]}}, shillings=0)
    over = replace(state, city=301, active=2, round=3, turn_over=True, scorings=3, paid=3, final_round=3)
    after, what = settle(over)
    assert only(what, events.DistrictsScored).scoring == 4
    assert not any(isinstance(event, events.RankPaid) for event in what)
    assert isinstance(what[-1], events.GameEnded)
    assert after.scores == (1 + 1, 0, 0)
