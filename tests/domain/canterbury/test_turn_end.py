"""The end of a turn: the city, the seat, its rewards, and what is owed then."""

from msgspec.structs import replace

from domain.canterbury import CANTERBURY, events
from domain.canterbury.commands import Build, Demolish, EndTurn, Levy, PayRanks, ScoreDistricts, StopServing
from domain.game import HOUSE
from tests.domain.canterbury.builders import (
    BLUE,
    CENTRE,
    CHANCE,
    EDITION,
    GREEN,
    RED,
    SERVICES,
    YELLOW,
    building,
    give,
    only,
    position,
    settle,
)


def test_the_city_and_the_seat_gain_for_both_structures_together_at_the_end_of_the_turn() -> None:
    state, _ = give(building(position(city=10)), Build("fountain", 7))
    assert (state.city, state.scores[0]) == (10, 0)
    _, what = give(state, Build("farm", 7))
    gained = only(what, events.ProsperityGained)
    assert (gained.city_points, gained.city, gained.points) == (4 + 6, 20, 2 + 3)


def test_the_order_of_effects_at_the_end_of_a_turn() -> None:
    cubes = {BLUE: {service: [7, 8] for service in SERVICES[:4]}}
    state = building(position({7: "traders_stall"}, cubes, city=95))
    _, what = give(state, Build("watchtower", 8), Build("market_square", 7), Demolish("traders_stall"))
    assert [type(event) for event in what] == [
        events.StructureDemolished,
        events.StructurePlaced,
        events.ProsperityGained,
        events.OpeningRewarded,
        events.UpgradeRewarded,
        events.TurnEnded,
    ]


def test_t22_opening_a_district_that_was_supplied_before() -> None:
    state = building(position({8: "church"}, {RED: {"water": [7]}, BLUE: {"food": [7]}}, seats=4, active=GREEN))
    state, what = give(state, Build("chapel", 7), Build("watchtower", 7))
    reward = only(what, events.OpeningRewarded)
    assert (reward.seat, reward.cubes, reward.points) == (GREEN, 4, 4)
    assert state.scores[GREEN] == 3 + 4 + 4
    assert not any(isinstance(event, events.UpgradeRewarded) for event in what)


def test_the_purple_cube_belongs_to_nobody_and_the_centre_is_open_from_the_start() -> None:
    _, what = give(building(position(shillings=4)), Build("garden", CENTRE))
    assert not any(isinstance(event, events.OpeningRewarded) for event in what)


def test_the_opening_reward_counts_cubes_that_the_second_structure_brings() -> None:
    cubes = {BLUE: {"water": [8]}}
    _, what = give(building(position({8: "well"}, cubes)), Build("well", 7), Build("farm", 8))
    assert only(what, events.OpeningRewarded).points == 2


def test_cubes_do_not_open_a_district() -> None:
    _, what = give(building(position(cubes={BLUE: {"water": [7], "commerce": [7]}})), Build("well", 7), EndTurn())
    assert only(what, events.OpeningRewarded).points == 2


def test_t37_landing_on_a_hundred_is_not_passing_it() -> None:
    state, _ = give(building(position(city=98), "tax_and_build"), Build("garden", CENTRE))
    assert state.city == 100
    assert CANTERBURY.owed(state) is None
    assert CANTERBURY.view(state, None).city.discs == 0
    assert EDITION.treasury(state.city) == 15
    state, _ = give(building(state, "tax_and_build"), Build("well", 7))
    assert state.city == 101
    assert CANTERBURY.owed(state) == ScoreDistricts()
    assert CANTERBURY.phase(state) == "scoring"
    assert CANTERBURY.to_act(state) == ()
    assert CANTERBURY.legal_commands(state, 0) == ()


def test_after_a_scoring_the_ranks_are_paid_and_the_next_seat_goes_on() -> None:
    state, _ = give(building(position(city=200, seats=4, shillings=2, scorings=1, paid=1)), Build("well", 7))
    assert CANTERBURY.owed(state) == ScoreDistricts()
    state, what = settle(state)
    assert only(what, events.DistrictsScored).scoring == 2
    paid = [event for event in what if isinstance(event, events.RankPaid)]
    assert [(event.rank, event.shillings) for event in paid] == [(1, 2), (2, 4), (3, 6), (4, 8)]
    assert state.shillings == (2, 6, 8, 10)
    assert isinstance(what[-1], events.TurnBegan)
    assert CANTERBURY.to_act(state) == (BLUE,)


def test_scoring_and_rank_payment_are_two_steps_of_the_house() -> None:
    state, _ = give(building(position(city=100, shillings=2)), Build("well", 7))
    owed = []
    while (command := CANTERBURY.owed(state)) is not None:
        owed.append(command)
        for event in CANTERBURY.decide(state, HOUSE, command, CHANCE):
            state = CANTERBURY.evolve(state, event)
    assert owed == [ScoreDistricts(), PayRanks()]


def test_t31_the_city_stops_at_301_and_the_third_scoring_follows() -> None:
    cubes = {BLUE: {service: [7] for service in SERVICES}}
    state = building(position({7: "well"}, cubes, city=296, scorings=2, paid=2))
    state, what = give(state, Build("watchtower", 7), Build("traders_stall", 7))
    gained = only(what, events.ProsperityGained)
    assert (gained.city_points, gained.city) == (9, 301)
    view = CANTERBURY.view(state, None)
    assert (view.city.discs, view.city.treasury, view.city.tax) == (3, 35, 17)
    assert only(what, events.EndAnnounced).final_round == 3
    state, what = settle(state)
    assert only(what, events.DistrictsScored).scoring == 3
    assert [event.shillings for event in what if isinstance(event, events.RankPaid)] == [3, 6, 9]
    assert CANTERBURY.to_act(state) == (BLUE,)


def test_the_city_does_not_move_beyond_301() -> None:
    state = building(position(city=301, scorings=3, paid=3, final_round=3))
    state, what = give(state, Build("fountain", 7), Build("fountain", 11))
    gained = only(what, events.ProsperityGained)
    assert (gained.city_points, gained.city, gained.points) == (8, 301, 4)
    assert CANTERBURY.owed(state) is None


def test_t32_the_round_is_finished_and_one_more_is_played() -> None:
    state = building(position(city=300, scorings=2, paid=2, shillings=2))
    state, _ = give(state, Build("well", 7))
    state, _ = settle(state)
    turns = []
    while CANTERBURY.owed(state) is None:
        turns.append((state.round, state.active))
        state, _ = give(replace(state, markers=("full_build",) * 3), Levy())
    assert turns == [(2, 1), (2, 2), (3, 0), (3, 1), (3, 2)]
    assert CANTERBURY.owed(state) == ScoreDistricts()


def test_t32_passed_by_the_last_seat_the_final_round_begins_at_once() -> None:
    state = building(position(city=300, scorings=2, paid=2, shillings=2, active=2))
    state, what = give(state, Build("well", 7))
    assert only(what, events.EndAnnounced).final_round == 3
    state, what = settle(state)
    assert only([event for event in what if isinstance(event, events.TurnBegan)], events.TurnBegan).round == 3
    assert (state.round, CANTERBURY.to_act(state)) == (3, (0,))


def test_a_levy_is_legal_in_the_last_round() -> None:
    state = position(city=301, scorings=3, paid=3, final_round=2, active=2)
    state, _ = give(state, Levy())
    assert CANTERBURY.owed(state) == ScoreDistricts()


def test_the_rewards_never_go_to_the_city() -> None:
    state, what = give(building(position(city=10, shillings=2)), Build("well", 7))
    assert only(what, events.OpeningRewarded).points == 1
    assert state.city == 11


def test_a_serving_delays_the_end_of_the_turn() -> None:
    state, _ = give(building(position(city=95)), Build("aqueduct", 7))
    assert CANTERBURY.owed(state) is None
    state, _ = give(state, StopServing())
    assert CANTERBURY.owed(state) == ScoreDistricts()


def test_the_turn_of_the_right_seat_goes_on_after_a_scoring_in_the_last_turn_of_a_round() -> None:
    state = replace(building(position(city=100, seats=4, active=YELLOW)), shillings=(2, 2, 2, 2))
    state, _ = settle(give(state, Build("well", 7))[0])
    assert (state.round, CANTERBURY.to_act(state)) == (3, (0,))
