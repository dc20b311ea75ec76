"""The printed game as tables: one `Edition` for each data file, read once at import.

Districts are numbered row by row from 0. A set of districts is an int, a *mask*: bit d stands for district d, so that
a question about the whole city (where is there water, where is there room) is a few operations on ints.
"""

from collections.abc import Iterable
from typing import Any, Final

from msgspec import Struct

from domain.canonical import digest
from domain.canterbury.data import Data, SizeData, StructureData, raw_data, typed_data

SMALL: Final = 0
MEDIUM: Final = 1
LARGE: Final = 2


class Tile(Struct, frozen=True, gc=False):
    """A kind of tile as the rules use it; the Roman well is one of its own.

    `service` and `size` are indices, `twins` the kinds that may not share a district with it (itself among them),
    `points` the player points by district (0 where it may not stand), `sites` the districts where it may stand.
    """

    index: int
    id: str
    service: int
    size: int
    lots: int
    cost: int
    city: int
    twins: tuple[int, ...]
    points: tuple[int, ...]
    sites: int


class Edition(Struct, frozen=True):
    """The tables of one edition of the printed game."""

    id: str
    digest: str
    data: Data
    raw: dict[str, Any]
    services: tuple[str, ...]
    sizes: tuple[SizeData, ...]
    districts: int
    columns: int
    lots: int
    everywhere: int
    first_column: int
    last_column: int
    neighbours: tuple[int, ...]
    for_sale: tuple[Tile, ...]
    tiles: tuple[Tile, ...]
    """Those for sale, then the Roman well: `tiles[i].index == i`."""
    kinds: tuple[tuple[tuple[int, ...], ...], ...]
    """Indices of tiles by service and size; the Roman well is among the small ones."""
    by_id: dict[str, Tile]
    roman_well: Tile
    purple: tuple[int, ...]
    """By service the districts supplied from the start: where the purple cube lies to the end."""
    stacks: tuple[int, ...]
    """The tiles that each of two players keeps for the neutral colour, in the order in which they are built."""

    def around(self, mask: int) -> int:
        """The districts orthogonally adjacent to those in `mask`."""
        columns = self.columns
        sideways = ((mask << 1) & ~self.first_column) | ((mask >> 1) & ~self.last_column)
        return (sideways | (mask << columns) | (mask >> columns)) & self.everywhere

    def treasury(self, city: int) -> int:
        """What a levy pays when the city has `city` points."""
        table = self.data.treasury.value
        return table.base + city // table.city_points_per_shilling

    def tax(self, city: int) -> int:
        """What tax and build pays: a share of the treasury, rounded down."""
        return self.treasury(city) // self.data.treasury.value.tax_divisor

    def hundreds(self, city: int) -> int:
        """How many of the scored hundreds the city has passed; landing on one is not passing it."""
        return sum(city > hundred for hundred in self.data.city.value.hundreds)

    def city_after(self, city: int, points: int) -> int:
        """The city after it gained `points`: it stops just past the last hundred."""
        return min(city + points, self.data.city.value.cap)


def mask_of(districts: Iterable[int]) -> int:
    """The set of these districts."""
    mask = 0
    for district in districts:
        mask |= 1 << district
    return mask


def districts_in(mask: int) -> list[int]:
    """The districts of a set, lowest first."""
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found


def _edition(file: str) -> Edition:
    """The tables made from a data file."""
    raw = raw_data(file)
    data = typed_data(raw)
    districts = data.board.rows * data.board.columns
    services = data.services.value
    for_sale = tuple(_tile(data, index) for index in range(len(data.structures.value)))
    roman_well = _roman_well(data, for_sale)
    tiles = (*for_sale, roman_well)
    by_id = {tile.id: tile for tile in tiles}
    return Edition(
        id=data.edition,
        digest=digest(raw),
        data=data,
        raw=raw,
        services=services,
        sizes=data.sizes.value,
        districts=districts,
        columns=data.board.columns,
        lots=data.board.lots_per_district,
        everywhere=mask_of(range(districts)),
        first_column=mask_of(range(0, districts, data.board.columns)),
        last_column=mask_of(range(data.board.columns - 1, districts, data.board.columns)),
        neighbours=tuple(_neighbours(district, data.board.rows, data.board.columns) for district in range(districts)),
        for_sale=for_sale,
        tiles=tiles,
        kinds=tuple(
            tuple(
                tuple(tile.index for tile in tiles if (tile.service, tile.size) == (service, size))
                for size in range(len(data.sizes.value))
            )
            for service in range(len(services))
        ),
        by_id=by_id,
        roman_well=roman_well,
        purple=tuple(roman_well.sites if service == roman_well.service else 0 for service in range(len(services))),
        stacks=tuple(by_id[tile].index for stack in data.stacks.value for tile in stack),
    )


def _neighbours(district: int, rows: int, columns: int) -> int:
    """The orthogonal neighbours of one district."""
    row, column = divmod(district, columns)
    around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return mask_of(r * columns + c for r, c in around if 0 <= r < rows and 0 <= c < columns)


def _tile(data: Data, index: int) -> Tile:
    """A structure for sale."""
    structure = data.structures.value[index]
    return Tile(
        index=index,
        id=structure.id,
        service=data.services.value.index(structure.service),
        size=next(number for number, size in enumerate(data.sizes.value) if size.id == structure.size),
        lots=next(size.lots for size in data.sizes.value if size.id == structure.size),
        cost=structure.cost,
        city=structure.city,
        twins=_twins(data, structure),
        points=tuple(structure.player[part] or 0 for part in data.parts.value),
        sites=mask_of(d for d, part in enumerate(data.parts.value) if structure.player[part] is not None),
    )


def _twins(data: Data, structure: StructureData) -> tuple[int, ...]:
    """The kinds that count as this one: itself, and the Roman well where it is the same."""
    kinds = data.structures.value
    alone = (kinds.index(structure),)
    return (*alone, len(kinds)) if structure.id == data.roman_well.counts_as else alone


def _roman_well(data: Data, for_sale: tuple[Tile, ...]) -> Tile:
    """The Roman well: the kind that it counts as, but worth nothing and not for sale."""
    kind = next(tile for tile in for_sale if tile.id == data.roman_well.counts_as)
    return Tile(
        index=len(for_sale),
        id=data.roman_well.id,
        service=kind.service,
        size=kind.size,
        lots=kind.lots,
        cost=0,
        city=0,
        twins=kind.twins,
        points=(0,) * len(kind.points),
        sites=1 << data.roman_well.district,
    )


EDITIONS: Final = {edition.id: edition for edition in (_edition("data.json"),)}
