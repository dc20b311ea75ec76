"""What a bot that looks one command ahead makes of a state."""

import random

from msgspec.structs import replace

from domain.canterbury import CANTERBURY
from domain.canterbury.commands import Build, Command, Demolish, EndTurn, FullBuild, Levy
from domain.canterbury.state import State
from domain.game import HOUSE
from tests.domain.canterbury.builders import BLUE, CHANCE, RED, SERVICES, building, legal, new_game, position
from tests.support.playing import Playthrough


def after(state: State, command: Command) -> State:
    (seat,) = CANTERBURY.to_act(state)
    for event in CANTERBURY.decide(state, seat, command, CHANCE):
        state = CANTERBURY.evolve(state, event)
    while (owed := CANTERBURY.owed(state)) is not None:
        for event in CANTERBURY.decide(state, HOUSE, owed, CHANCE):
            state = CANTERBURY.evolve(state, event)
    return state


def best(state: State) -> Command:
    (seat,) = CANTERBURY.to_act(state)
    return max(legal(state), key=lambda command: CANTERBURY.evaluate(after(state, command), seat))


def test_points_money_and_cubes_are_better_than_none() -> None:
    state = position()
    base = CANTERBURY.evaluate(state, RED)
    assert CANTERBURY.evaluate(replace(state, scores=(5, 0, 0)), RED) == base + 5
    assert CANTERBURY.evaluate(replace(state, shillings=(110, 100, 100)), RED) > base
    assert CANTERBURY.evaluate(position({7: "well"}, {RED: {"water": [7]}}), RED) > base
    assert CANTERBURY.evaluate(position({7: "well"}, {BLUE: {"water": [7]}}), RED) < base


def test_in_the_end_points_alone_count() -> None:
    over = replace(position(shillings=9), scores=(10, 4, 6), turn_over=True, ranking=((0,), (2,), (1,)))
    assert CANTERBURY.evaluate(over, RED) == 10 - (4 + 6) / 2


def test_money_is_worth_its_points_once_it_cannot_be_spent() -> None:
    last = position(city=301, scorings=3, paid=3, round=5, final_round=5, active=1)
    richer = replace(last, shillings=(130, 100, 100))
    assert CANTERBURY.evaluate(richer, RED) - CANTERBURY.evaluate(last, RED) == 10
    assert CANTERBURY.evaluate(replace(richer, halted=True), RED) - CANTERBURY.evaluate(last, RED) == 10


def test_a_full_purse_is_spent_and_an_empty_one_filled() -> None:
    cubes = {RED: {service: [7, 11] for service in SERVICES}}
    no_large = (9,) * 6 + (5,) * 6 + (0,) * 6
    both = position({7: "well", 11: "well"}, cubes, shillings=60, city=120, scorings=1, paid=1, supply=no_large)
    assert isinstance(best(both), FullBuild)
    assert isinstance(best(position({7: "well"}, shillings=1, city=250, scorings=2, paid=2)), Levy)


def test_a_second_structure_is_built_when_it_pays() -> None:
    cubes = {RED: {service: [7, 11] for service in SERVICES}}
    state = building(position({7: "well", 11: "well"}, cubes, shillings=40, city=150, scorings=1, paid=1))
    state = after(state, best(state))
    assert state.active == RED
    assert not isinstance(best(state), EndTurn)


def test_an_upgrade_is_seen_behind_the_purchase() -> None:
    cubes = {RED: {service: [7] for service in SERVICES}}
    state = building(position({7: "traders_stall"}, cubes, city=150, scorings=1, paid=1))
    bought = after(state, Build("market_square", 7))
    assert CANTERBURY.evaluate(bought, RED) == max(
        CANTERBURY.evaluate(after(bought, command), RED) for command in legal(bought)
    )
    assert best(bought) == Demolish("traders_stall")


def test_a_greedy_bot_beats_a_random_one() -> None:
    won = 0
    for seed in range(4):
        play = Playthrough(CANTERBURY, 2, seed=seed)
        greedy, luck = seed % 2, random.Random(seed)
        while not play.is_over:
            (seat,) = CANTERBURY.to_act(play.state)
            play.give(seat, best(play.state) if seat == greedy else luck.choice(legal(play.state)))
        result = CANTERBURY.result(play.state)
        assert result is not None
        won += result.winners == (greedy,)
    assert won == 4


def test_every_state_of_a_game_has_a_value() -> None:
    play = Playthrough(CANTERBURY, 3, seed=5)
    assert CANTERBURY.evaluate(new_game(3), 0) == CANTERBURY.evaluate(play.state, 0)
    for _ in play.steps():
        values = [CANTERBURY.evaluate(play.state, seat) for seat in range(3)]
        assert all(isinstance(value, float) for value in values)
