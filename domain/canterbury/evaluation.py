"""How good a state is for a seat, in points: what a bot that looks one command ahead maximises.

Points on hand and points that the turn has already earned count whole. The districts and the King count by what they
would pay now, for every scoring to come; shillings and cubes that can still be used count for what they usually bring.
"""

from functools import lru_cache

from domain.canterbury.board import EDITIONS
from domain.canterbury.commands import Command
from domain.canterbury.evolve import evolve
from domain.canterbury.rules import decide, legal_commands
from domain.canterbury.scoring import district_bonus, kings_bonus
from domain.canterbury.state import State, cubes_by_district, cubes_in, phase, scored_lots, tables
from domain.canterbury.survey import Survey

SCORINGS = (0.0, 1.0, 1.6, 2.0, 2.3)
"""What a point in every scoring to come is worth, by how many are to come: places change hands."""
SHILLING = 0.75
"""What a shilling is worth while it can still be spent."""
PURSE = 30
"""How many shillings a turn can spend well; more are worth only the points that they become in the end."""
CUBE = 1.1
"""What a cube that is still to be placed is worth."""
MEDIUM_CUBES = 4
"""How many cubes a medium structure places, more or less."""
LOT = 1.0
"""What a lot filled by a second structure will pay."""
KING = 1.0
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
    """The points of a seat, and what its shillings are worth."""
    return state.scores[seat] + (_purse(state, seat, state.shillings[seat]) if state.ranking is None else 0)


def _purse(state: State, seat: int, shillings: int) -> float:
    """What so many shillings are worth to a seat: points at the end, more as long as they can be spent well."""
    useful = min(shillings, PURSE) if _turns_left(state, seat) else 0
    return SHILLING * useful + (shillings - useful) // tables(state).data.shillings_per_point.value


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
        return points + _second_structure(state)
    return points


def _second_structure(state: State) -> float:
    """A guess at what the best second structure adds."""
    seat = state.active
    shillings = state.shillings[seat]
    now = _purse(state, seat, shillings)
    gains = (
        tile.points[-1]
        + CUBE * (MEDIUM_CUBES if tile.size else 1)
        + LOT * tile.lots
        + _purse(state, seat, shillings - tile.cost)
        - now
        for tile, _ in Survey(state).buildable(shillings)
    )
    return max(0.0, *gains)


def _bonuses(state: State) -> list[float]:
    """By colour what the districts and the King will pay."""
    edition = tables(state)
    expected = [0.0] * len(state.cubes)
    if state.ranking is not None:
        return expected
    to_come = SCORINGS[len(SCORINGS) - 1 - min(state.scorings, len(SCORINGS) - 1)]
    for district, cubes in enumerate(cubes_by_district(state)):
        if any(cubes):
            for colour, points in enumerate(_from_district(edition.id, cubes, scored_lots(state, district))):
                expected[colour] += to_come * points
    for service in range(len(edition.services)):
        cubes = tuple([services[service].bit_count() for services in state.cubes])
        if any(cubes):
            for colour, points in enumerate(_from_king(edition.id, cubes)):
                expected[colour] += KING * points
    return expected


@lru_cache(maxsize=1 << 14)
def _from_district(edition: str, cubes: tuple[int, ...], lots: int) -> tuple[int, ...]:
    """By colour what a district pays in a scoring."""
    return district_bonus(cubes, lots, lots // EDITIONS[edition].data.second_bonus_divisor.value)


@lru_cache(maxsize=1 << 14)
def _from_king(edition: str, cubes: tuple[int, ...]) -> tuple[int, ...]:
    """By colour what the King pays for a service."""
    table = EDITIONS[edition].data.kings_bonus.value
    return kings_bonus(cubes, table.first, table.second)
