"""The set-up of the board."""

from domain.canterbury import events
from domain.canterbury.board import EDITIONS, Edition
from domain.canterbury.course import Course
from domain.canterbury.evolve import evolve
from domain.canterbury.rules.turns import begin_turn


def set_up(seats: int, edition: str) -> list[events.Event]:
    """The opening of a game: the board, then the first turn of seat 0, which has rank 1.

    Two players play with the neutral colour; each keeps two stacks from the supply for it.
    """
    tables = EDITIONS[edition]
    data = tables.data
    variant = seats == min(data.seats.value)
    began = events.GameBegan(
        seats=seats,
        edition=edition,
        city=data.city.value.start,
        shillings=(data.shillings.value,) * seats,
        cubes=(data.cubes.value,) * seats + ((data.neutral_cubes.value,) if variant else ()),
        supply=_supply(tables, seats if variant else 0),
        roman_well=data.roman_well.district,
        stacks=(tuple(tables.tiles[tile].id for tile in tables.stacks),) * seats if variant else (),
    )
    course = Course(evolve(None, began))
    begin_turn(course, 0, 1)
    return [began, *course.events]


def _supply(tables: Edition, stacks: int) -> tuple[events.Stock, ...]:
    """The tiles left to build when the tiles of `stacks` pairs of stacks are taken out."""
    kinds = zip(tables.for_sale, tables.data.structures.value, strict=True)
    return tuple(events.Stock(tile.id, kind.copies - stacks * tables.stacks.count(tile.index)) for tile, kind in kinds)
