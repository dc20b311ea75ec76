"""What a greedy bot prefers."""

import random
from typing import Any

from msgspec.structs import replace

from domain.kreta import KRETA
from domain.kreta.commands import BuildFort, Harvest, KretaCommand, PlaceVillager, PlayCharacter
from domain.kreta.state import State
from tests.domain.kreta.builders import BLUE, CHANCE, RED, YELLOW, after, position
from tests.support.playing import Playthrough


def best(state: State) -> KretaCommand:
    """What a bot plays that looks one command ahead, from what its seat sees."""
    seat = state.active
    imagined = KRETA.imagine(KRETA.view(state, seat), CHANCE)
    commands = KRETA.legal_commands(imagined, seat)
    return max(commands, key=lambda command: KRETA.evaluate(after(imagined, command), seat))


def test_points_count_against_the_mean_of_the_others() -> None:
    level = KRETA.evaluate(position(3), RED)
    assert KRETA.evaluate(position(3, scores=(4, 0, 0)), RED) == level + 4
    assert KRETA.evaluate(position(3, scores=(0, 4, 0)), RED) == level - 2


def test_an_earlier_fort_card_weighs_more_than_a_later_one() -> None:
    rest = tuple(range(3, 12))
    rows = [(2, 17, *rest), (17, 2, *rest), (17, 19, 2, *rest[1:]), (17, 19, *rest)]
    values = [KRETA.evaluate(position(villagers={RED: "kydonia"}, row=row), RED) for row in rows]
    assert values[0] > values[1] > values[2] == values[3] > KRETA.evaluate(position(), RED)


def test_the_card_that_is_being_scored_counts_whole() -> None:
    state = position(villagers={RED: "kydonia"})
    assert KRETA.evaluate(replace(state, phase="scoring"), RED) > KRETA.evaluate(state, RED)


def test_when_all_cards_are_open_the_unseen_ones_of_the_pile_do_not_count() -> None:
    state = position(turned_down=10, turned_up=11, villagers={RED: "sitia"})
    known = KRETA.evaluate(state, RED)
    assert known == KRETA.evaluate(replace(state, pile=state.pile[::-1]), RED)
    everything_known = replace(state, pile=(), known_under=0)
    assert KRETA.evaluate(everything_known, RED) == known


def test_a_played_card_is_worth_its_best_command() -> None:
    state = position(phase="commander")
    values = [KRETA.evaluate(after(state, command), RED) for command in KRETA.legal_commands(state, RED)]
    assert KRETA.evaluate(state, RED) == max(values)
    assert KRETA.evaluate(state, BLUE) == KRETA.evaluate(position(), BLUE)


def test_greedy_harvests_everything_before_it_ends_its_turn() -> None:
    state = position(phase="farmer", ships={RED: "kydonia"}, villagers={RED: "kydonia mylopotamos candia"})
    for _ in range(3):
        command = best(state)
        assert isinstance(command, Harvest)
        state = after(state, command)
    assert state.active == BLUE


def test_greedy_takes_the_lead_where_the_last_card_scores() -> None:
    last: dict[str, Any] = {"row": (17, 14, 1, 3, 4, 5, 6, 7, 8, 9, 2), "turned_down": 10, "turned_up": 11}
    state = position(3, phase="commander", villagers={BLUE: "kydonia"}, abbots={YELLOW: "sfakia"}, **last)
    assert best(state) == PlaceVillager("kydonia")
    assert best(position(phase="architect", **last)) == BuildFort(2)


def test_greedy_plays_the_castellan_when_it_leads_and_every_other_card_is_spent() -> None:
    state = position(villagers={RED: "kydonia"}, face_up={RED: "commander admiral abbot architect farmer king"})
    assert best(state) == PlayCharacter("castellan")


def test_greedy_brings_its_game_to_an_end_and_beats_random_play() -> None:
    for seed in range(6):
        game = Playthrough(KRETA, 2, seed=seed)
        rng = random.Random(seed)
        greedy = seed % 2
        for seat, _ in game.steps(
            lambda choices, greedy=greedy, game=game, rng=rng: (  # type: ignore[misc]
                (greedy, best(game.state)) if choices[0][0] == greedy else rng.choice(choices)
            ),
            most=400,
        ):
            assert seat in (0, 1)
        result = KRETA.result(game.state)
        assert result is not None
        assert result.winners == (greedy,)
