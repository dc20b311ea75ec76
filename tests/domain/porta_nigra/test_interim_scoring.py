"""The interim scoring, the free split, and the choice of the next start player [HU8]."""

import pytest

from domain.porta_nigra import PORTA_NIGRA
from domain.porta_nigra import refusals as no
from domain.porta_nigra.board import BOARD
from domain.porta_nigra.commands import ChooseStartPlayer, PlayActionCard, SplitInterim
from domain.porta_nigra.events.course import HandsDrawn, RoundStarted, StartChoiceGiven, StartPlayerChosen, TurnStarted
from domain.porta_nigra.events.scoring import InterimCounted, InterimPoints, InterimSplit
from domain.porta_nigra.state import State
from tests.domain.porta_nigra.builders import after, is_refused, legal, outcome, position, scored

TEN = {"BAS-A2": 0, "AMP-A1": 0, "BAS-A3": 0}


def due(seats: int = 2, start_seat: int = 0, **changes: object) -> State:
    empty = {seat: {"hand": (), "pile": (), "played": BOARD.decks[seats]} for seat in range(seats)}
    changes = {"own": empty, "elements": TEN, "round": 1, **changes}
    return position(seats, stage="interim_scoring", start_seat=start_seat, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(("seats", "points"), [(2, 10), (3, 20), (4, 20)])
def test_t12_bricks_on_the_board_count_once_with_two_players_and_twice_with_more(seats: int, points: int) -> None:
    state = scored(due(seats))
    assert state.players[0].interim == points
    assert [player.interim for player in state.players[1:]] == [0] * (seats - 1)


def test_t12_twenty_points_are_split_into_fifteen_and_five() -> None:
    state = scored(due(4))
    assert outcome(state, SplitInterim(vp=15))[0] == InterimSplit(seat=0, vp=15, sesterces=5, next_seat=1)
    player = after(state, SplitInterim(vp=15)).players[0]
    assert (player.vp, player.sesterces, player.interim) == (15, 25, 0)


def test_the_house_counts_for_everybody_in_turn_order() -> None:
    state = due(3, start_seat=2)
    owed = PORTA_NIGRA.owed(state)
    assert owed is not None
    points = (InterimPoints(2, 0, 0), InterimPoints(0, 10, 20), InterimPoints(1, 0, 0))
    assert outcome(state, owed) == (InterimCounted(round=1, multiplier=2, points=points),)


def test_the_seats_split_one_after_the_other_from_the_start_player() -> None:
    state = scored(due(3, start_seat=2))
    for seat in (2, 0, 1):
        assert PORTA_NIGRA.to_act(state) == (seat,)
        assert PORTA_NIGRA.phase(state) == "split_interim"
        state = after(state, SplitInterim(vp=0))
    assert PORTA_NIGRA.phase(state) == "choose_start_player"


def test_every_split_is_listed_and_no_other_accepted() -> None:
    state = scored(due(2))
    assert legal(state) == [SplitInterim(vp=vp) for vp in range(11)]
    for vp in (-1, 11):
        assert is_refused(state, SplitInterim(vp=vp), no.SPLIT_OUT_OF_RANGE, "/data/vp")
    assert is_refused(state, PlayActionCard(card="ACT-1"), no.SPLIT_FIRST)
    assert is_refused(due(2), SplitInterim(vp=0), no.NOTHING_TO_DECIDE)


def to_choice(scores: tuple[int, ...], age_order: tuple[int, ...]) -> State:
    seats = len(scores)
    own = {
        seat: {"vp": score, "hand": (), "pile": (), "played": BOARD.decks[seats]} for seat, score in enumerate(scores)
    }
    state = scored(due(seats, own=own, elements={}, age_order=age_order))
    return after(state, *[SplitInterim(vp=0)] * seats)


def test_t26_the_younger_of_two_with_the_fewest_points_names_the_start_player() -> None:
    state = to_choice((12, 9, 9, 20), (0, 1, 2, 3))
    assert PORTA_NIGRA.to_act(state) == (2,)
    assert PORTA_NIGRA.to_act(to_choice((12, 9, 9, 20), (2, 1, 0, 3))) == (1,)
    assert legal(state) == [ChooseStartPlayer(seat=seat) for seat in range(4)]


def test_the_choice_is_told_with_who_was_tied() -> None:
    own = {seat: {"vp": 9, "hand": (), "pile": ()} for seat in range(2)}
    state = after(scored(due(2, own=own, elements={})), SplitInterim(vp=0))
    assert outcome(state, SplitInterim(vp=0))[1] == StartChoiceGiven(seat=1, vp=9, tied=(0, 1))


def test_the_one_with_the_fewest_points_may_name_oneself_or_another() -> None:
    state = to_choice((12, 3, 9), (0, 1, 2))
    assert PORTA_NIGRA.to_act(state) == (1,)
    for seat in range(3):
        events = outcome(state, ChooseStartPlayer(seat=seat))
        assert events[0] == StartPlayerChosen(seat=1, start_seat=seat)
        assert TurnStarted(seat=seat) in events
        started = after(state, ChooseStartPlayer(seat=seat))
        assert (started.active, started.start_seat, started.round) == (seat, seat, 2)
    for seat in (-1, 3):
        assert is_refused(state, ChooseStartPlayer(seat=seat), no.UNKNOWN_SEAT, "/data/seat")
    assert is_refused(state, SplitInterim(vp=0), no.START_PLAYER_FIRST)


def test_for_the_new_round_all_shuffle_their_cards_and_draw_two() -> None:
    state = to_choice((12, 3), (0, 1))
    events = outcome(state, ChooseStartPlayer(seat=0))
    started, drawn = events[1:3]
    assert isinstance(started, RoundStarted)
    assert isinstance(drawn, HandsDrawn)
    assert [part.seats for part in started.private] == [(), ()]
    assert [(part.seats, len(part.data.cards)) for part in drawn.private] == [((0,), 2), ((1,), 2)]
    state = after(state, ChooseStartPlayer(seat=0))
    for player in state.players:
        assert (len(player.hand), len(player.pile), player.played) == (2, 6, ())
        assert sorted(player.hand + player.pile) == sorted(BOARD.decks[2])


def test_everything_else_stays_between_rounds() -> None:
    before = to_choice((12, 3), (0, 1))
    state = after(before, ChooseStartPlayer(seat=0))
    assert PORTA_NIGRA.phase(state) == "play_card"
    for old, new in zip(before.players, state.players, strict=True):
        assert (old.bricks, old.romans, old.sesterces, old.torches, old.influence, old.quarter) == (
            new.bricks, new.romans, new.sesterces, new.torches, new.influence, new.quarter
        )  # fmt: skip
    assert state.elements == before.elements
