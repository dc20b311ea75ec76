"""Whole random games: what holds at every step, and at the end."""

import contextlib
import os
from collections import Counter

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.canterbury import CANTERBURY
from domain.canterbury.board import districts_in
from domain.canterbury.events import NeutralPlaced, StructurePlaced
from domain.canterbury.state import State, cubes_left, free_lots, supplied, tiles_in
from domain.canterbury.view import View
from domain.errors import RuleViolation
from tests.domain.canterbury.builders import CHANCE, EDITION
from tests.domain.canterbury.oracle import expected
from tests.domain.canterbury.recount import DATA, LOTS, STRUCTURES, recounted
from tests.domain.canterbury.universe import universe
from tests.support.playing import Playthrough, replayed

MORE = int(os.environ.get("ANNALES_FUZZ", "1"))
UNIVERSE = universe()

games = st.builds(
    lambda seats, seed: Playthrough(CANTERBURY, seats, seed=seed), st.integers(2, 4), st.integers(0, 2**32)
)


def whole(examples: int) -> settings:
    """Settings for so many games, more when asked for."""
    return settings(max_examples=examples * MORE, deadline=None)


def check_board(state: State) -> None:
    """The state is one board: masks agree with each other, nothing is lost, nothing is there twice."""
    for district in range(EDITION.districts):
        used = sum(EDITION.tiles[tile].lots for tile in tiles_in(state, district))
        assert 0 <= used <= EDITION.lots
        assert free_lots(state, district) == EDITION.lots - used
        for service in range(len(EDITION.services)):
            owners = [colour for colour, masks in enumerate(state.cubes) if masks[service] >> district & 1]
            assert len(owners) <= 1
            assert not (owners and EDITION.purple[service] >> district & 1)
    for more, fewer in zip(state.free, state.free[1:], strict=False):
        assert fewer & ~more == 0
    assert min(state.shillings) >= 0
    assert all(cubes_left(state, colour) >= 0 for colour in range(len(state.cubes)))


@whole(12)
@given(games)
def test_lots_cubes_and_money_are_conserved_at_every_step(play: Playthrough) -> None:
    for seat, _ in play.steps():
        state = play.state
        check_board(state)
        assert CANTERBURY.to_act(state) == (seat,)
    check_board(play.state)


@whole(12)
@given(games)
def test_tiles_are_conserved(play: Playthrough) -> None:
    play.play()
    state, recount = play.state, recounted(play.events)
    where: Counter[str] = Counter(recount.gone)
    for tiles in recount.tiles.values():
        where.update(tiles)
    for stock, left in zip(EDITION.for_sale, state.supply, strict=True):
        where[stock.id] += left
    where.update(EDITION.tiles[tile].id for stack in state.stacks for tile in stack)
    assert where == {name: row["copies"] for name, row in STRUCTURES.items()} | {"roman_well": 1}


@whole(12)
@given(games)
def test_scores_money_and_city_equal_an_independent_recount(play: Playthrough) -> None:
    play.play()
    recount = recounted(play.events)
    result = CANTERBURY.result(play.state)
    assert result is not None
    assert list(result.scores) == recount.scores
    assert list(play.state.shillings) == recount.shillings
    assert play.state.city == recount.city
    best = max(zip(recount.scores, [-money for money in recount.shillings], strict=True))
    keys = list(zip(recount.scores, [-money for money in recount.shillings], strict=True))
    assert result.winners == tuple(seat for seat, key in enumerate(keys) if key == best)


@whole(8)
@given(games)
def test_the_city_is_worth_the_tiles_that_were_built(play: Playthrough) -> None:
    play.play()
    placing = (StructurePlaced, NeutralPlaced)
    built = Counter(event.structure for event in play.events if isinstance(event, placing))
    total = 1 + sum(STRUCTURES[tile]["city"] * count for tile, count in built.items())
    assert play.state.city == min(301, total)


@whole(8)
@given(games)
def test_the_bonus_board_equals_the_cubes_on_the_board(play: Playthrough) -> None:
    for _ in play.steps():
        pass
    seen = CANTERBURY.view(play.state, None)
    for player in seen.players:
        for service, count in enumerate(player.bonus_board):
            assert count == sum(district.cubes[service] == player.seat for district in seen.districts)
        assert player.cubes_left == DATA["cubes"]["value"] - sum(player.bonus_board)


@whole(8)
@given(games)
def test_services_never_leave_and_structures_stand_on_the_services_before_theirs(play: Playthrough) -> None:
    before = [0] * len(EDITION.services)
    for _ in play.steps():
        now = [supplied(play.state, service) for service in range(len(EDITION.services))]
        assert all(then & ~mask == 0 for then, mask in zip(before, now, strict=True))
        before = now
    for tile in EDITION.for_sale:
        for district in districts_in(play.state.standing[tile.index]):
            assert all(before[service] >> district & 1 for service in range(tile.service))


@whole(6)
@given(games)
def test_exactly_the_listed_commands_are_accepted(play: Playthrough) -> None:
    for seat, _ in play.steps():
        state = play.state
        listed = CANTERBURY.legal_commands(state, seat)
        assert len(listed) <= 18 * 25
        assert len(set(listed)) == len(listed) > 0
        if play.rng.random() < 0.05 or CANTERBURY.phase(state) in ("neutral", "demolish", "serve"):
            accepted = set()
            for command in UNIVERSE:
                with contextlib.suppress(RuleViolation):
                    assert CANTERBURY.decide(state, seat, command, CHANCE)
                    accepted.add(command)
            assert accepted == set(listed)


@whole(8)
@given(games)
def test_builds_and_demolitions_are_those_of_a_plain_reading_of_the_rules(play: Playthrough) -> None:
    for seat, _ in play.steps():
        seen = CANTERBURY.view(play.state, seat)
        if seen.phase in ("build", "demolish", "neutral"):
            listed = CANTERBURY.legal_commands(play.state, seat)
            compared = {command for command in listed if command.type not in ("swap_neutral", "discard_neutral")}
            assert set(expected(seen)) == compared


@whole(6)
@given(games)
def test_no_turn_ever_waits_for_end_turn_alone(play: Playthrough) -> None:
    for seat, _ in play.steps():
        commands = CANTERBURY.legal_commands(play.state, seat)
        assert [command.type for command in commands] != ["end_turn"]


@whole(6)
@given(games)
def test_a_replay_through_json_gives_the_same_state(play: Playthrough) -> None:
    assert replayed(CANTERBURY, play.play().events) == play.state


@whole(6)
@given(games)
def test_the_view_is_json_and_tells_the_whole_state(play: Playthrough) -> None:
    for seat, _ in play.steps():
        seen = CANTERBURY.view(play.state, seat)
        assert msgspec.json.decode(msgspec.json.encode(seen), type=View) == seen
        imagined = CANTERBURY.imagine(seen, CHANCE)
        assert imagined == play.state
        assert CANTERBURY.view(imagined, seat) == seen


@whole(12)
@given(games)
def test_the_rounds_end_as_announced(play: Playthrough) -> None:
    play.play()
    state = play.state
    assert state.halted or (state.round == state.final_round and state.active == state.seats - 1)
    assert state.scorings == len(DATA["city"]["value"]["hundreds"]) + 1


def test_the_lots_of_the_data_are_those_of_the_recount() -> None:
    assert {size["id"]: size["lots"] for size in DATA["sizes"]["value"]} == LOTS
