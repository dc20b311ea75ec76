"""Setting up the game [HU2], and what a table may choose."""

import msgspec
import pytest

from domain.errors import BadCommand
from domain.porta_nigra import PORTA_NIGRA
from domain.porta_nigra.board import BOARD
from domain.porta_nigra.events.course import GameSetUp, HandsDrawn, RoundStarted
from domain.porta_nigra.options import PortaNigraOptions
from tests.domain.porta_nigra.builders import opening
from tests.support.playing import Playthrough

SEATS = pytest.mark.parametrize("seats", PORTA_NIGRA.seats)


def test_two_to_four_play() -> None:
    assert list(PORTA_NIGRA.seats) == [2, 3, 4]
    assert PORTA_NIGRA.id == "porta-nigra"


@SEATS
def test_everybody_begins_with_twenty_sesterces_a_torch_and_five_romans(seats: int) -> None:
    for player in opening(seats).players:
        assert (player.vp, player.sesterces, player.torches, player.influence) == (0, 20, 1, 0)
        assert (player.romans, player.romans_in_reserve, player.elements) == (5, 10, 0)
        assert player.quarter < 0
        assert sum(player.bricks) == sum(player.placed) == 0
        assert (player.played, player.building_cards, player.final_cards) == ((), (), ())


@SEATS
def test_six_building_cards_and_fourteen_honor_cards_lie_open(seats: int) -> None:
    state = opening(seats)
    assert (len(state.building_display), len(state.building_pile)) == (6, 14)
    assert (len(state.honor_display), len(state.honor_pile)) == (14, 14)


@SEATS
def test_everybody_draws_two_cards_of_the_own_deck(seats: int) -> None:
    for player in opening(seats).players:
        assert len(player.hand) == 2
        assert sorted(player.hand + player.pile) == sorted(BOARD.decks[seats])


def test_t2_in_the_first_turn_of_the_game_the_empty_market_is_filled_to_at_least_fourteen() -> None:
    for seed in range(20):
        state = opening(3, seed)
        assert 14 <= sum(state.market) <= 17
        assert sum(state.market) + state.reserve == 90
        assert sum(map(len, (BOARD.supply_cards[card] for card in state.supply_discards))) == sum(state.market)


def test_t25_with_four_players_a_deck_has_seven_cards_else_eight() -> None:
    assert [len(BOARD.decks[seats]) for seats in (2, 3, 4)] == [8, 8, 7]
    assert all("ACT-8" not in player.hand + player.pile for player in opening(4).players)


@pytest.mark.parametrize(("seats", "turns"), [(2, 24), (3, 16), (4, 14)])
def test_t25_turns_of_each_player_in_a_game_that_does_not_end_early(seats: int, turns: int) -> None:
    for seed in range(50):
        game = Playthrough(PORTA_NIGRA, seats, seed=seed).play()
        if all(event.type != "porta_nigra.early_end_called" for event in game.events):
            ended = [event.seat for event in game.events if event.type == "porta_nigra.turn_ended"]  # type: ignore[attr-defined]
            assert [ended.count(seat) for seat in range(seats)] == [turns] * seats
            return
    raise AssertionError("every game ended early")


def test_the_start_player_is_drawn_and_begins() -> None:
    starts = set()
    for seed in range(20):
        game = Playthrough(PORTA_NIGRA, 3, seed=seed)
        first = game.events[0]
        assert isinstance(first, GameSetUp)
        assert first.start_player.order[0] == first.start_seat == game.state.start_seat == game.state.active
        assert PORTA_NIGRA.to_act(game.state) == (first.start_seat,)
        starts.add(first.start_seat)
    assert starts == {0, 1, 2}


def test_the_first_event_names_edition_and_digest() -> None:
    first = Playthrough(PORTA_NIGRA, 2).events[0]
    assert isinstance(first, GameSetUp)
    assert PORTA_NIGRA.editions[first.edition] == first.data_digest


def test_piles_are_nobodys_and_hands_their_owners() -> None:
    first, started, drawn = Playthrough(PORTA_NIGRA, 3).events[:3]
    assert isinstance(first, GameSetUp)
    assert isinstance(started, RoundStarted)
    assert isinstance(drawn, HandsDrawn)
    assert [part.seats for part in first.private] == [()]
    assert [part.seats for part in started.private] == [(), (), ()]
    assert [part.seats for part in drawn.private] == [(0,), (1,), (2,)]


def test_the_age_order_is_the_seat_order_unless_given() -> None:
    assert opening(3).age_order == (0, 1, 2)
    assert opening(3, age_order=(2, 0, 1)).age_order == (2, 0, 1)


def test_a_roman_costs_one_influence_unless_the_option_says_two() -> None:
    assert opening().roman_cost == 1
    assert opening(roman_cost=2).roman_cost == 2


@pytest.mark.parametrize(
    ("options", "pointer"),
    [
        (PortaNigraOptions(age_order=(0, 1)), "/options/age_order"),
        (PortaNigraOptions(age_order=(0, 1, 1)), "/options/age_order"),
        (PortaNigraOptions(roman_cost=3), "/options/roman_cost"),
        (PortaNigraOptions(edition="printed"), "/options/edition"),
    ],
)
def test_bad_options_are_refused(options: PortaNigraOptions, pointer: str) -> None:
    with pytest.raises(BadCommand) as caught:
        PORTA_NIGRA.check(3, options)
    assert caught.value.pointer == pointer
    assert "{" not in caught.value.detail


def test_good_options_are_taken() -> None:
    PORTA_NIGRA.check(3, PortaNigraOptions())
    PORTA_NIGRA.check(3, PortaNigraOptions(age_order=(2, 0, 1), roman_cost=2))


def test_the_schema_of_the_options_bounds_the_roman_cost() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"roman_cost": 3}, PortaNigraOptions)
