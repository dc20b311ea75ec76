"""The whole state of a game. It has no secrets: Canterbury is played with open cards and without chance."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from domain.canterbury.board import EDITIONS, Edition, districts_in

ROMAN: Final = -1
"""The colour of the purple cube, which belongs to nobody."""


class Built(Struct, frozen=True, gc=False):
    """A structure that the active seat has put down in this turn."""

    tile: int
    district: int
    opens: bool
    upgrades: bool


class Site(Struct, frozen=True, gc=False):
    """A structure that is paid and not yet put down; `cleared` are the tiles demolished for it."""

    tile: int
    district: int
    cleared: tuple[int, ...] = ()


class Serving(Struct, frozen=True, gc=False):
    """Cubes to be put by choice: into `districts` (a mask), `most` of them, fewer only if `optional`."""

    colour: int
    service: int
    districts: int
    most: int
    optional: bool


class State(Struct, frozen=True, gc=False):
    """A game under way. Tiles and services are indices into the tables of `edition`, sets of districts are masks."""

    edition: str
    seats: int
    city: int
    scores: tuple[int, ...]
    shillings: tuple[int, ...]
    cubes: tuple[tuple[int, ...], ...]
    """By colour and service the districts with a cube; the purple cube is not among them."""
    standing: tuple[int, ...]
    """By tile the districts where it stands."""
    free: tuple[int, ...]
    """free[n]: the districts with more than n free lots."""
    supply: tuple[int, ...]
    stacks: tuple[tuple[int, ...], ...]
    """By seat the tiles for the neutral colour, next one first; empty with more than two players."""
    markers: tuple[str, ...]
    """By seat the action that it chose last."""
    round: int = 0
    active: int = 0
    neutral: str = "done"
    """The neutral colour's build in this turn: `"due"`, `"swapped"` (due, and the swap is used) or `"done"`."""
    action: str | None = None
    """The action chosen in this turn."""
    site: Site | None = None
    serving: Serving | None = None
    built: tuple[Built, ...] = ()
    turn_over: bool = False
    """Between the end of a turn and the beginning of the next, when the house may owe a step."""
    scorings: int = 0
    """How many times the districts have been scored (the last one counts as all)."""
    paid: int = 0
    """For how many scorings the rank tokens have been paid."""
    final_round: int | None = None
    """The round with which the game ends, once the city has passed the last hundred."""
    halted: bool = False
    ranking: tuple[tuple[int, ...], ...] | None = None


def tables(state: State) -> Edition:
    """The tables of the edition that this game is played with."""
    return EDITIONS[state.edition]


def phase(state: State) -> str:
    """What is going on: `neutral`, `action`, `build`, `demolish`, `serve`, `scoring` or `over`."""
    if state.ranking is not None:
        return "over"
    if state.turn_over:
        return "scoring"
    if state.serving is not None:
        return "serve"
    if state.site is not None:
        return "demolish"
    if state.neutral != "done":
        return "neutral"
    return "action" if state.action is None else "build"


def supplied(state: State, service: int) -> int:
    """The districts that have a cube of `service`, the purple one included."""
    mask = tables(state).purple[service]
    for services in state.cubes:
        mask |= services[service]
    return mask


def cubes_left(state: State, colour: int) -> int:
    """How many service cubes a colour has off the board."""
    data = tables(state).data
    start = data.cubes.value if colour < state.seats else data.neutral_cubes.value
    return start - sum(districts.bit_count() for districts in state.cubes[colour])


def cubes_in(state: State, district: int) -> tuple[int, ...]:
    """How many service cubes each colour has in a district."""
    return tuple(sum(mask >> district & 1 for mask in services) for services in state.cubes)


def cubes_by_district(state: State) -> list[tuple[int, ...]]:
    """The same for every district."""
    counts = [[0] * tables(state).districts for _ in state.cubes]
    for count, services in zip(counts, state.cubes, strict=True):
        for mask in services:
            for district in districts_in(mask):
                count[district] += 1
    return list(zip(*counts, strict=True))


def free_lots(state: State, district: int) -> int:
    """How many lots of a district are free."""
    return sum(mask >> district & 1 for mask in state.free)


def scored_lots(state: State, district: int) -> int:
    """How many lots count as filled when the district is scored: the Roman well's lot counts as empty."""
    edition = tables(state)
    well = edition.roman_well
    empty_after_all = well.lots - edition.data.roman_well.scored_lots
    roman = state.standing[well.index] >> district & 1
    return edition.lots - free_lots(state, district) - roman * empty_after_all


def tiles_in(state: State, district: int) -> list[int]:
    """The tiles that stand in a district, by index."""
    return [tile for tile, mask in enumerate(state.standing) if mask >> district & 1]


def site_of(state: State) -> Site:
    """The structure that is paid and not yet put down, in the phase `demolish` and when it begins."""
    assert state.site is not None  # noqa: S101 - the phase says so
    return state.site


def serving_of(state: State) -> Serving:
    """The choice of districts under way, in the phase `serve`."""
    assert state.serving is not None  # noqa: S101 - the phase says so
    return state.serving


def placed(values: Sequence[int], index: int, value: int) -> tuple[int, ...]:
    """The same values but for one."""
    return (*values[:index], value, *values[index + 1 :])
