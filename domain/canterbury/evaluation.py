"""How good a state is for a seat, in points: what a bot that looks one command ahead maximises.

Points on hand and points that the turn has already earned count whole. What the districts and the King will pay counts
by what they would pay now, and a part of it by shares, so that a cube is worth something before it changes a place.
"""

from collections.abc import Sequence

from domain.canterbury.board import Edition, districts_in
from domain.canterbury.commands import Command
from domain.canterbury.evolve import evolve
from domain.canterbury.rules import decide, legal_commands
from domain.canterbury.scoring import district_bonus, kings_bonus
from domain.canterbury.state import State, cubes_in, phase, scored_lots, tables
from domain.canterbury.survey import Survey

SCORINGS = (0.0, 1.0, 1.8, 2.4, 2.8)
"""What a point in every scoring to come is worth, by how many are to come: places change hands."""
SHARE = 0.4
"""The part of a district's or the King's bonus that is shared out by cubes."""
GROWTH = 1.0
"""How many more lots of a district will be filled when it is scored next."""
SHILLING = 0.8
"""What a shilling is worth while it can still be spent."""
CUBE = 1.5
"""What a cube that is still to be placed is worth."""
MEDIUM_CUBES = 3
"""How many cubes a medium structure places, more or less."""
KING = 0.8
"""What a point of the King's bonuses is worth before the end."""


def evaluate(state: State, seat: int) -> float:
    """The lead of `seat` over the others' mean, in points.

    When `seat` has an action or a structure begun, the state is worth what going on makes of it.
    """
    step = phase(state)
    if state.active == seat and step == "demolish":
        return evaluate(_after(state, legal_commands(state)[0]), seat)
    if state.active == seat and step == "build" and not state.built:
        return max(evaluate(_after(state, command), seat) for command in legal_commands(state))
    prospects = [_prospects(state, other) for other in range(state.seats)]
    for other, points in enumerate(_bonuses(state)[: state.seats]):
        prospects[other] += points
    if not state.turn_over:
        prospects[state.active] += _turn(state, step)
    own = prospects[seat]
    return own - (sum(prospects) - own) / (state.seats - 1)


def _after(state: State, command: Command) -> State:
    for event in decide(state, command):
        state = evolve(state, event)
    return state


def _prospects(state: State, seat: int) -> float:
    """The points of a seat, and what its shillings are worth: points at the end, more as long as they can be spent."""
    shillings = state.shillings[seat]
    if state.ranking is not None:
        return state.scores[seat]
    if _turns_left(state, seat):
        return state.scores[seat] + SHILLING * shillings
    return state.scores[seat] + shillings // tables(state).data.shillings_per_point.value


def _turns_left(state: State, seat: int) -> bool:
    """Whether the seat has another turn after the one under way, as far as is known."""
    if state.final_round is None or state.round < state.final_round:
        return not state.halted
    return seat > state.active


def _turn(state: State, step: str) -> float:
    """What the turn under way has earned already, and what it still allows."""
    edition = tables(state)
    points = 0.0
    for built in state.built:
        points += edition.tiles[built.tile].points[built.district]
        if built.opens:
            points += sum(cubes_in(state, built.district))
        if built.upgrades:
            points += edition.data.upgrade_points.value
    if state.serving is not None:
        return points + CUBE * state.serving.most
    if step == "build" and state.built:
        return points + _second_structure(state, edition)
    return points


def _second_structure(state: State, edition: Edition) -> float:
    """A guess at what the best second structure adds."""
    price = SHILLING if _turns_left(state, state.active) else 1 / edition.data.shillings_per_point.value
    return max(
        tile.points[-1] + CUBE * (MEDIUM_CUBES if tile.size else 1) - price * tile.cost
        for tile, _ in Survey(state).buildable(state.shillings[state.active])
    )


def _bonuses(state: State) -> list[float]:
    """By colour what the districts and the King will pay."""
    edition = tables(state)
    expected = [0.0] * len(state.cubes)
    if state.ranking is not None:
        return expected
    to_come = SCORINGS[len(SCORINGS) - 1 - min(state.scorings, len(SCORINGS) - 1)]
    for district in districts_in(edition.everywhere):
        cubes = cubes_in(state, district)
        lots = scored_lots(state, district)
        if any(cubes):
            first = min(edition.lots, lots + GROWTH)
            _share(expected, cubes, district_bonus(cubes, lots, lots // 2), first, to_come)
    table = edition.data.kings_bonus.value
    for service in range(len(edition.services)):
        cubes = tuple(services[service].bit_count() for services in state.cubes)
        if any(cubes):
            _share(expected, cubes, kings_bonus(cubes, table.first, table.second), table.first[max(cubes)], KING)
    return expected


def _share(expected: list[float], cubes: Sequence[int], points: Sequence[int], first: float, weight: float) -> None:
    """Add what a bonus will pay: partly by places as they are, partly by shares of the cubes."""
    total = sum(cubes)
    for colour, count in enumerate(cubes):
        expected[colour] += weight * ((1 - SHARE) * points[colour] + SHARE * first * count / total)
