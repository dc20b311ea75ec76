"""Building an element, its points, building card and rewards [HU6, HU10, HU11]."""

import pytest

from domain.porta_nigra import PORTA_NIGRA
from domain.porta_nigra import refusals as no
from domain.porta_nigra.board import BOARD
from domain.porta_nigra.commands import BuildElement, ChooseBrick, EndTurn
from domain.porta_nigra.events.actions import ElementBuilt, RewardGranted
from tests.domain.porta_nigra.builders import after, bricks, is_refused, legal, outcome, position

CARD, BUILD = "ACT-2", 2  # three torches: black, red, build, influence


def build(site: str, number: int, whites: int = 0) -> BuildElement:
    return BuildElement(symbol=BUILD, site=site, bricks=number, whites=whites)


def builds_on(site: str, supply: str) -> list[tuple[int, int]]:
    listed = legal(position(card=CARD, own={0: {"bricks": supply}}), BuildElement)
    return [(command.bricks, command.whites) for command in listed if command.site == site]


@pytest.mark.parametrize(
    ("supply", "elements"),
    [
        ("3 red", [(3, 0)]),
        ("1 red, 2 white", [(3, 2)]),
        ("3 red, 3 white", [(3, 0), (3, 1), (3, 2), (3, 3)]),
        ("2 red, 1 yellow", []),
        ("2 red, 1 white", [(3, 1)]),
        ("3 white", [(3, 3)]),
    ],
)
def test_t8_white_bricks_stand_for_any_colour(supply: str, elements: list[tuple[int, int]]) -> None:
    assert builds_on("AMP-A2", supply) == elements


def test_t8_without_a_roman_nothing_is_built() -> None:
    state = position(card=CARD, own={0: {"bricks": "3 red", "romans": 0}})
    assert legal(state, BuildElement) == []
    assert is_refused(state, build("AMP-A2", 3), no.NO_ROMAN)


def test_t8_bricks_of_another_colour_do_not_help() -> None:
    state = position(card=CARD, own={0: {"bricks": "2 red, 1 yellow"}})
    assert is_refused(state, build("AMP-A2", 3), no.BRICKS_MISSING, "/data/bricks")
    assert is_refused(state, build("AMP-A2", 3, 1), no.BRICKS_MISSING, "/data/bricks")


def test_t9_gabor_builds_with_points_card_and_reward() -> None:
    state = position(
        card=CARD,
        elements={"BAS-A1": 0},
        own={0: {"quarter": "porta_nigra", "bricks": "2 yellow"}},
        building_display=("BLD-basilica-yellow", "BLD-cityWall-yellow"),
    )
    events = outcome(state, build("BAS-A5", 2))
    assert events == (
        ElementBuilt(
            seat=0,
            symbol=BUILD,
            torch="card",
            influence=0,
            site="BAS-A5",
            color="yellow",
            bricks=2,
            whites=0,
            quarter="basilica",
            fee=1,
            vp=9,
            building_card="BLD-basilica-yellow",
            total=4,
        ),
        RewardGranted(
            seat=0, building="basilica", total=4, times=1, sesterces=0, torches=1, influence=0, romans=1, bricks=0
        ),
    )
    player = after(state, build("BAS-A5", 2)).player
    assert (player.vp, player.sesterces, player.bricks) == (9, 19, bricks(""))
    assert (player.romans, player.romans_in_reserve, player.torches) == (5 - 1 + 1, 9, 2)
    assert player.building_cards == ("BLD-basilica-yellow",)
    assert player.placed == (4, 0, 0, 0)
    assert after(state, build("BAS-A5", 2)).building_display == ("BLD-cityWall-yellow",)


def test_t9_two_more_bricks_bring_one_more_reward() -> None:
    state = position(card=CARD, elements={"BAS-A1": 0, "BAS-A5": 0}, own={0: {"bricks": "2 red"}})
    reward = outcome(state, build("BAS-B1", 2))[1]
    assert isinstance(reward, RewardGranted)
    assert (reward.total, reward.times) == (6, 1)


def test_t10_only_a_newly_reached_multiple_of_three_is_rewarded() -> None:
    four = {"AMP-A1": 0, "AMP-C1": 0}
    state = position(card=CARD, elements=four, own={0: {"bricks": "1 black"}})
    assert len(outcome(state, build("AMP-C2", 1))) == 1
    state = position(card=CARD, elements={**four, "AMP-C4": 0}, own={0: {"bricks": "1 black"}})
    rewards = outcome(state, build("AMP-C2", 1))[1:]
    assert rewards == (
        RewardGranted(
            seat=0, building="amphitheatre", total=6, times=1, sesterces=5, torches=0, influence=0, romans=1, bricks=0
        ),
    )


def test_t16_the_basilica_pays_a_torch_and_a_roman() -> None:
    state = position(card=CARD, own={0: {"bricks": "2 blue"}})
    assert len(outcome(state, build("BAS-A1", 2))) == 1
    state = position(card=CARD, elements={"BAS-A1": 0}, own={0: {"bricks": "2 red"}})
    player = after(state, build("BAS-B1", 2)).player
    assert (player.torches, player.romans) == (2, 5)


def test_t19_row_c_of_the_amphitheatre_grants_no_building_card() -> None:
    display = ("BLD-amphitheatre-red",)
    state = position(card=CARD, own={0: {"bricks": "1 red"}}, building_display=display)
    assert after(state, build("AMP-C1", 1)).player.building_cards == ()
    state = position(card=CARD, own={0: {"bricks": "2 red"}}, building_display=display)
    assert after(state, build("AMP-B4", 2)).player.building_cards == display


def test_t20_evi_builds_seven_yellow_on_the_porta_nigra() -> None:
    state = position(
        card=CARD,
        elements={"POR-P1": (0, 3)},
        own={0: {"quarter": "porta_nigra", "bricks": "6 yellow, 1 white"}},
        building_display=("BLD-portaNigra-white", "BLD-basilica-yellow"),
    )
    built, reward = outcome(state, build("POR-P4", 7, 1))
    assert isinstance(built, ElementBuilt)
    assert (built.vp, built.building_card, built.fee, built.total) == (28, None, 0, 10)
    assert reward == RewardGranted(
        seat=0, building="porta_nigra", total=10, times=2, sesterces=0, torches=0, influence=2, romans=4, bricks=0
    )
    player = after(state, build("POR-P4", 7, 1)).player
    assert (player.vp, player.influence, player.romans, player.bricks) == (28, 2, 5 - 1 + 4, bricks(""))


def test_t21_a_porta_nigra_element_has_three_to_eight_bricks() -> None:
    state = position(card=CARD, own={0: {"bricks": "9 blue"}})
    assert builds_on("POR-P2", "9 blue") == [(height, 0) for height in range(3, 9)]
    for number in (2, 9):
        assert is_refused(state, build("POR-P2", number), no.WRONG_HEIGHT, "/data/bricks")


def test_every_height_with_every_number_of_whites_is_listed() -> None:
    assert builds_on("POR-P2", "3 blue, 2 white") == [(3, 0), (3, 1), (3, 2), (4, 1), (4, 2), (5, 2)]


def test_white_sites_take_white_bricks_only_and_whites_is_zero() -> None:
    assert builds_on("POR-P5", "3 blue, 4 white") == [(3, 0), (4, 0)]
    assert builds_on("BAS-B3", "1 white") == [(1, 0)]
    state = position(card=CARD, own={0: {"bricks": "1 white"}})
    assert is_refused(state, build("BAS-B3", 1, 1), no.WRONG_WHITES, "/data/whites")
    state = after(state, build("BAS-B3", 1))
    assert (state.player.bricks, state.player.vp) == (bricks(""), 5)


@pytest.mark.parametrize("whites", [-1, 4])
def test_whites_are_part_of_the_bricks(whites: int) -> None:
    state = position(card=CARD, own={0: {"bricks": "9 red, 9 white"}})
    assert is_refused(state, build("AMP-A2", 3, whites), no.WRONG_WHITES, "/data/whites")


def test_a_substituted_element_counts_as_the_colour_of_the_site() -> None:
    display = ("BLD-basilica-blue", "BLD-basilica-white")
    state = position(card=CARD, own={0: {"bricks": "2 white"}}, building_display=display)
    built = outcome(state, build("BAS-A1", 2, 2))[0]
    assert isinstance(built, ElementBuilt)
    assert (built.color, built.vp, built.building_card) == ("blue", 5, "BLD-basilica-blue")


def test_a_fixed_site_takes_its_own_number_of_bricks() -> None:
    state = position(card=CARD, own={0: {"bricks": "3 blue"}})
    assert is_refused(state, build("BAS-A1", 3), no.WRONG_HEIGHT, "/data/bricks")


def test_a_site_is_built_on_once() -> None:
    state = position(card=CARD, elements={"BAS-A1": 1}, own={0: {"bricks": "2 blue"}})
    assert is_refused(state, build("BAS-A1", 2), no.SITE_TAKEN, "/data/site")
    state = after(position(card=CARD, own={0: {"bricks": "2 blue"}}), build("BAS-A1", 2))
    assert not state.free_sites & 1


def test_an_unknown_site_is_refused() -> None:
    assert is_refused(position(card=CARD), build("BAS-C1", 2), no.UNKNOWN_SITE, "/data/site")


def test_the_way_to_the_site_must_be_paid() -> None:
    own = {"quarter": "amphitheatre", "bricks": "2 blue", "sesterces": 2}
    state = position(card=CARD, own={0: own})
    assert is_refused(state, build("BAS-A1", 2), no.TOO_FEW_SESTERCES, "/data/site")
    state = after(position(card=CARD, own={0: {**own, "sesterces": 3}}), build("BAS-A1", 2))
    assert (state.player.sesterces, state.player.quarter) == (0, 0)


def test_a_roman_of_the_same_build_comes_too_late() -> None:
    state = position(card=CARD, elements={"BAS-A1": 0}, own={0: {"bricks": "2 red", "romans": 0}})
    assert is_refused(state, build("BAS-B1", 2), no.NO_ROMAN)


def test_the_build_symbol_is_needed() -> None:
    state = position(card=CARD, own={0: {"bricks": "2 blue"}})
    wrong = BuildElement(symbol=0, site="BAS-A1", bricks=2, whites=0)
    assert is_refused(state, wrong, no.OTHER_SYMBOL, "/data/symbol")


def test_the_city_wall_pays_a_brick_of_a_colour_of_choice_and_no_roman() -> None:
    state = position(card=CARD, own={0: {"bricks": "3 black"}}, reserve=2)
    reward = outcome(state, build("CIT-W6", 3))[1]
    assert isinstance(reward, RewardGranted)
    assert (reward.building, reward.romans, reward.bricks) == ("city_wall", 0, 1)
    state = after(state, build("CIT-W6", 3))
    assert PORTA_NIGRA.phase(state) == "choose_brick"
    assert legal(state) == [ChooseBrick(color=color) for color in BOARD.colors]
    assert is_refused(state, EndTurn(), no.BRICK_FIRST)
    assert is_refused(state, ChooseBrick(color="green"), no.UNKNOWN_COLOR, "/data/color")
    state = after(state, ChooseBrick(color="white"))
    assert (state.player.bricks, state.reserve) == (bricks("1 white"), 1)
    assert PORTA_NIGRA.phase(state) == "take_actions"


def test_with_an_empty_reserve_the_brick_is_lost() -> None:
    state = position(card=CARD, own={0: {"bricks": "3 black"}}, reserve=0)
    state = after(state, build("CIT-W6", 3))
    assert PORTA_NIGRA.phase(state) == "take_actions"
    assert state.player.bricks == bricks("")


def test_with_too_few_romans_in_the_reserve_the_rest_is_lost() -> None:
    own = {"bricks": "3 red", "romans_in_reserve": 1}
    state = after(position(card=CARD, own={0: own}), build("POR-P3", 3))
    assert (state.player.romans, state.player.romans_in_reserve) == (5, 0)
    assert state.player.influence == 1


def test_t27_the_score_is_a_plain_number_beyond_99_and_199() -> None:
    for before in (97, 197):
        state = position(card=CARD, own={0: {"bricks": "2 blue", "vp": before}})
        assert after(state, build("BAS-A1", 2)).player.vp == before + 5


def test_building_ends_the_turn_when_nothing_else_is_left() -> None:
    state = position(card=CARD, card_torches=1, own={0: {"bricks": "2 blue", "torches": 0}})
    assert after(state, build("BAS-A1", 2)).active == 1
