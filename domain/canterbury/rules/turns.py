"""Turns and rounds: how a turn begins, what it pays at its end, what the house owes then and who comes next."""

from domain.canterbury import events
from domain.canterbury.board import LARGE
from domain.canterbury.commands import Command, PayRanks, ScoreDistricts, ScoreEnd
from domain.canterbury.course import Course
from domain.canterbury.rules.stacks import may_swap, neutral_sites, top_tile
from domain.canterbury.state import State, cubes_in, tables
from domain.canterbury.survey import Survey


def begin_turn(course: Course, seat: int, number: int) -> None:
    """Begin the turn of `seat` in round `number`.

    Two players: the variant token starts on its build side and is turned over first in every turn, so the neutral
    colour builds in every second one, as long as its stacks last. A tile that can't be placed leaves the game, unless
    the seat may swap it.
    """
    stacks = course.state.stacks
    side = None if not stacks else "no_build" if number % 2 else "build"
    tile = top_tile(course.state, seat).id if side == "build" and stacks[seat] else None
    course.record(events.TurnBegan(seat=seat, round=number, token=side, tile=tile))
    if tile is None:
        begin_action(course)
    else:
        settle_neutral(course)


def settle_neutral(course: Course) -> None:
    """Let the neutral colour's tile go if it can be neither placed nor swapped."""
    state = course.state
    if neutral_sites(state) or may_swap(state):
        return
    course.record(events.NeutralTileLost(seat=state.active, structure=top_tile(state, state.active).id))
    begin_action(course)


def begin_action(course: Course) -> None:
    """Let the active seat choose its action, unless nothing can be built.

    A city that has no site left for anything before it passed the last hundred ends the game. A seat that owes a full
    build and can't pay for any passes.
    """
    state = course.state
    survey = Survey(state)
    if not last_hundred_passed(state) and not survey.can_build(None):
        course.record(events.CityHalted(seat=state.active))
        end_turn(course)
    elif must_full_build(state) and not survey.can_build(state.shillings[state.active]):
        course.record(events.TurnPassed(seat=state.active))
        end_turn(course)


def last_hundred_passed(state: State) -> bool:
    """Whether the city stands at its end."""
    edition = tables(state)
    return edition.hundreds(state.city) == len(edition.data.city.value.hundreds)


def must_full_build(state: State) -> bool:
    """Whether the active seat has no other choice: in the first round, and after a levy."""
    return state.round == 1 or state.markers[state.active] == "levy"


def go_on(course: Course) -> None:
    """After a structure and its cubes: choose the action, or build a second structure, or end the turn."""
    action = course.state.action
    if action is None:
        begin_action(course)
    elif not _may_build_another(course.state, action):
        end_turn(course)


def _may_build_another(state: State, action: str) -> bool:
    """Whether the action allows a second structure, and one can be built. A large one is always alone."""
    edition = tables(state)
    return (
        len(state.built) < edition.data.builds.value[action]
        and edition.tiles[state.built[-1].tile].size < LARGE
        and Survey(state).can_build(state.shillings[state.active])
    )


def end_turn(course: Course) -> None:
    """Pay what the turn has earned: the city, the seat, its rewards; then go on unless the house owes a step."""
    seat = course.state.active
    if course.state.built:
        _score_structures(course, seat)
        _reward(course, seat)
    course.record(events.TurnEnded(seat=seat))
    if course.state.final_round is None and last_hundred_passed(course.state):
        final = course.state.round + 1
        course.record(events.EndAnnounced(seat=seat, final_round=final))
    next_turn(course)


def next_turn(course: Course) -> None:
    """Begin the next seat's turn, unless the house owes a step first."""
    state = course.state
    if owed(state) is None:
        seat = (state.active + 1) % state.seats
        begin_turn(course, seat, state.round + (seat == 0))


def owed(state: State) -> Command | None:
    """What the house owes: between turns, the scoring of each hundred passed, and at the end the last one."""
    if not state.turn_over or state.ranking is not None:
        return None
    edition = tables(state)
    if state.paid < state.scorings <= len(edition.data.city.value.hundreds):
        return PayRanks()
    if last_turn_over(state):
        return ScoreEnd() if state.scorings > len(edition.data.city.value.hundreds) else ScoreDistricts()
    return ScoreDistricts() if state.scorings < edition.hundreds(state.city) else None


def last_turn_over(state: State) -> bool:
    """Whether no turn follows: after the last seat's turn in the final round, or when the city can't grow."""
    return state.halted or (state.round == state.final_round and state.active == state.seats - 1)


def _score_structures(course: Course, seat: int) -> None:
    """The city marker moves for all structures of the turn together, then the seat's."""
    state = course.state
    edition = tables(state)
    city_points = sum(edition.tiles[built.tile].city for built in state.built)
    course.record(
        events.ProsperityGained(
            seat=seat,
            city_points=city_points,
            city=edition.city_after(state.city, city_points),
            points=sum(edition.tiles[built.tile].points[built.district] for built in state.built),
        )
    )


def _reward(course: Course, seat: int) -> None:
    """The rewards for opened districts, by all cubes there now, and for upgrades."""
    state = course.state
    edition = tables(state)
    for built in state.built:
        if built.opens:
            cubes = sum(cubes_in(state, built.district))
            course.record(events.OpeningRewarded(seat=seat, district=built.district, cubes=cubes, points=cubes))
    for built in state.built:
        if built.upgrades:
            course.record(
                events.UpgradeRewarded(
                    seat=seat,
                    structure=edition.tiles[built.tile].id,
                    district=built.district,
                    points=edition.data.upgrade_points.value,
                )
            )
