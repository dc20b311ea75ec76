"""The printed game: map, pieces and counts, read once from the data files of the editions.

Inside the package a province is its index in the data (west to east), a fort point its printed number, a set of
provinces a bit mask with bit i for province i.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct

from domain.canonical import digest

ADMIRAL = "admiral"
COMMANDER = "commander"
ABBOT = "abbot"
FARMER = "farmer"
ARCHITECT = "architect"
KING = "king"
CASTELLAN = "castellan"


class Piece(Struct, frozen=True):
    """How many of a kind each seat has, and the influence of one on a province."""

    count: int
    influence: int


class Pieces(Struct, frozen=True):
    """The kinds of pieces."""

    villager: Piece
    village: Piece
    abbot: Piece
    ship: Piece
    fort: Piece


class TileType(Struct, frozen=True):
    """A kind of agriculture tile: the terrain it grows on and how many there are."""

    tile: str
    terrain: str
    count: int


class Board(Struct, frozen=True):
    """The tables of one edition."""

    edition: str
    digest: str
    seats: range
    characters: tuple[str, ...]
    provinces: tuple[str, ...]
    """The ids, by index."""
    index: Mapping[str, int]
    terrains: tuple[str, ...]
    values: tuple[int, ...]
    """Victory points of each province, the harbour's bonus included."""
    adjacent: tuple[int, ...]
    """By province, the mask of its neighbours."""
    distances: tuple[tuple[int, ...], ...]
    """The length of the shortest way along borders."""
    within: tuple[tuple[int, ...], ...]
    """By province and number of steps, the mask of the other provinces that can be reached."""
    everywhere: int
    harbours: int
    """The mask of the provinces that have one."""
    around: Mapping[int, tuple[int, ...]]
    """By fort point, the provinces that touch it."""
    tiles: tuple[TileType, ...]
    tile_index: Mapping[str, int]
    tile_points: tuple[int, ...]
    """What the first, second, … tile of a kind pays."""
    pieces: Pieces
    figures_in_a_province: int
    ships_in_a_harbour: Mapping[int, int]
    """By number of seats."""
    second_place_from: int
    """The least number of seats with which the second place is paid."""
    second_place_share: tuple[int, int]
    """Numerator and denominator of its part of the value."""
    commander_steps: int
    abbot_steps: int
    row_length: int
    row_open: int


def mask_of(provinces: Iterable[int]) -> int:
    """The set of `provinces` as a mask."""
    mask = 0
    for province in provinces:
        mask |= 1 << province
    return mask


@cache
def provinces_in(mask: int) -> tuple[int, ...]:
    """The members of a mask, ascending."""
    return tuple(province for province in range(mask.bit_length()) if mask >> province & 1)


def _distances(adjacent: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return tuple(_distances_from(origin, adjacent) for origin in range(len(adjacent)))


def _distances_from(origin: int, adjacent: tuple[int, ...]) -> tuple[int, ...]:
    found = {origin: 0}
    for province in (queue := [origin]):
        for neighbour in provinces_in(adjacent[province]):
            if neighbour not in found:
                found[neighbour] = found[province] + 1
                queue.append(neighbour)
    return tuple(found[province] for province in range(len(adjacent)))


def _within(distances: tuple[int, ...], most: int) -> tuple[int, ...]:
    return tuple(
        mask_of(target for target, distance in enumerate(distances) if 0 < distance <= steps)
        for steps in range(most + 1)
    )


def board_from(data: Mapping[str, Any]) -> Board:
    """The tables of the edition that `data` describes."""
    provinces = data["map"]["provinces"]
    index = {province["id"]: number for number, province in enumerate(provinces)}
    adjacent = tuple(mask_of(index[other] for other in province["adjacent"]) for province in provinces)
    distances = _distances(adjacent)
    most_steps = max(data["commander_steps"]["value"], data["abbot_steps"]["value"])
    tiles = msgspec.convert(data["tiles"]["types"], tuple[TileType, ...])
    share = data["second_place"]["share"]
    return Board(
        edition=data["edition"],
        digest=digest(data),
        seats=range(data["seats"]["least"], data["seats"]["most"] + 1),
        characters=tuple(data["characters"]["value"]),
        provinces=tuple(index),
        index=index,
        terrains=tuple(province["terrain"] for province in provinces),
        values=tuple(province["value"] for province in provinces),
        adjacent=adjacent,
        distances=distances,
        within=tuple(_within(row, most_steps) for row in distances),
        everywhere=mask_of(range(len(provinces))),
        harbours=mask_of(index[province["id"]] for province in provinces if province["harbour"]),
        around={
            point["site"]: tuple(index[province] for province in point["provinces"])
            for point in data["map"]["fort_points"]
        },
        tiles=tiles,
        tile_index={kind.tile: number for number, kind in enumerate(tiles)},
        tile_points=tuple(data["tile_points"]["value"]),
        pieces=msgspec.convert(data["pieces"], Pieces),
        figures_in_a_province=data["figures_in_a_province"]["value"],
        ships_in_a_harbour={limit["seats"]: limit["most"] for limit in data["ships_in_a_harbour"]["by_seats"]},
        second_place_from=data["second_place"]["least_seats"],
        second_place_share=(share["numerator"], share["denominator"]),
        commander_steps=data["commander_steps"]["value"],
        abbot_steps=data["abbot_steps"]["value"],
        row_length=data["fort_cards"]["in_row"],
        row_open=data["fort_cards"]["face_up"],
    )


def _read_editions() -> dict[str, dict[str, Any]]:
    folder = files("domain.kreta") / "editions"
    found = [msgspec.json.decode(file.read_bytes()) for file in folder.iterdir() if file.name.endswith(".json")]
    return {data["edition"]: data for data in sorted(found, key=lambda data: str(data["edition"]))}


DATA: Mapping[str, Mapping[str, Any]] = _read_editions()
"""The data of each edition as it stands in its file."""

BOARDS: Mapping[str, Board] = {edition: board_from(data) for edition, data in DATA.items()}
"""The tables of each edition."""
