"""Bots: each gives a legal command, from nothing but what its seat sees."""

import random
from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.chance import SeededChance
from events.ruleset import Ruleset
from tests.support.examples import examples
from tests.support.logged import RULESETS
from tests.support.playing import Playthrough
from tests.support.toy import MOST, TOY, Add, Call, Settle, Toy, ToyCommand, ToyState
from workers.bots import BOTS, after, choose, imagination, play_greedy, play_random

REAL = [name for name in RULESETS.by_id if name != "toy"]
every_ruleset = pytest.mark.parametrize("ruleset", REAL)
every_bot = pytest.mark.parametrize("bot", BOTS)


def view_of(ruleset: Ruleset, state: Any, seat: int) -> bytes:
    return msgspec.json.encode(ruleset.game.view(state, seat))


@every_ruleset
@every_bot
def test_bots_play_whole_games_to_their_end(ruleset: str, bot: str) -> None:
    rules = RULESETS[ruleset]
    for seats in rules.game.seats:
        played, luck = Playthrough(rules.game, seats, seed=seats), random.Random(seats)
        while not played.is_over:
            seat = rules.game.to_act(played.state)[0]
            command = choose(rules, bot, view_of(rules, played.state, seat), seat, luck)
            assert command in rules.game.legal_commands(played.state, seat)
            played.give(seat, command)
            assert len(played.events) < 5000


@every_ruleset
@every_bot
@settings(max_examples=examples(8))
@given(seed=st.integers(0, 2**32), moves=st.integers(0, 150))
def test_a_bot_gives_the_same_command_in_two_worlds_that_look_the_same_to_its_seat(
    ruleset: str, bot: str, seed: int, moves: int
) -> None:
    rules = RULESETS[ruleset]
    played = Playthrough(rules.game, rules.game.seats[seed % len(rules.game.seats)], seed=seed)
    for _, _ in zip(range(moves), played.steps(), strict=False):
        pass
    if played.is_over:
        return
    seat = rules.game.to_act(played.state)[0]
    chance = SeededChance(lambda: seed.to_bytes(32, "big"), "twin", (), 0)
    other = rules.game.redraw(played.state, [seat], chance)
    commands = [
        choose(rules, bot, view_of(rules, state, seat), seat, random.Random(seed)) for state in (played.state, other)
    ]
    assert commands[0] == commands[1]


def test_a_bot_is_given_bytes_in_which_no_secret_is() -> None:
    """The toy's view for a seat has neither the pile nor what others have seen."""
    played = Playthrough(TOY, 2, seed=4)
    shown = msgspec.json.decode(view_of(RULESETS["toy"], played.state, 0))
    assert shown["pile"] is None
    assert shown["seen"][1] is None


def test_the_random_bot_takes_every_legal_command_about_as_often() -> None:
    played = Playthrough(TOY, 2)
    luck = random.Random(1)
    counts = Counter(str(play_random(TOY, played.state, 0, luck)) for _ in range(900))
    assert len(counts) == len(TOY.legal_commands(played.state, 0)) == 9
    assert all(60 < count < 140 for count in counts.values())


def test_the_greedy_bot_takes_what_is_best_one_step_ahead() -> None:
    played = Playthrough(TOY, 2)
    for seed in range(20):
        assert play_greedy(TOY, played.state, 1, random.Random(seed)) == Add(points=MOST)


class Indifferent(Toy):
    """Every position is as good."""

    def evaluate(self, state: ToyState, seat: int) -> float:  # noqa: ARG002
        return 1.0


class Endless(Toy):
    """The service owes something for ever."""

    def owed(self, state: ToyState) -> ToyCommand | None:  # noqa: ARG002
        return Settle()


def test_the_greedy_bot_takes_any_of_the_best() -> None:
    state = Playthrough(TOY, 2).state
    taken = {str(play_greedy(Indifferent(), state, 0, random.Random(seed))) for seed in range(200)}
    assert len(taken) == len(TOY.legal_commands(state, 0))


def test_the_steps_that_the_service_owes_are_played_out_in_the_imagined_game() -> None:
    state = Playthrough(TOY, 2).state
    settled = after(TOY, state, 0, Call(), imagination(random.Random(1)))
    assert settled.totals == (2, 2)
    assert TOY.owed(settled) is None


def test_an_imagined_game_that_owes_for_ever_is_left_after_a_while() -> None:
    state = after(Endless(), Playthrough(TOY, 2).state, 0, Add(points=1), imagination(random.Random(1)))
    assert state.totals[1] > 2


def test_imaginations_with_the_same_luck_are_the_same() -> None:
    one, two, other = (imagination(random.Random(seed)).shuffle("x", range(20)).order for seed in (1, 1, 2))
    assert one == two != other
