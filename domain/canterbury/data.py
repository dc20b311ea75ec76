"""The shape of the data file: each value of the printed game with its provenance."""

from importlib import resources
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

T = TypeVar("T")


class Sourced(Struct, Generic[T], frozen=True):
    """A value of the printed game, how sure it is (`provenance`) and where it comes from."""

    value: T
    provenance: str
    source: str


class BoardData(Struct, frozen=True):
    """The grid of districts."""

    rows: int
    columns: int
    lots_per_district: int
    centre: int


class SizeData(Struct, frozen=True):
    """What a size of structures takes and gives. `others`: districts of choice supplied beside the home district."""

    id: str
    lots: int
    neighbours: bool
    others: int


class StructureData(Struct, frozen=True):
    """A kind of structure. `player`: its points by part of the city, None where it may not stand."""

    id: str
    name: str
    service: str
    size: str
    copies: int
    cost: int
    city: int
    player: dict[str, int | None]


class RomanWellData(Struct, frozen=True):
    """The tile that stands at the start; it `counts_as` another kind. `scored_lots` are the lots that it fills for scoring."""

    id: str
    counts_as: str
    district: int
    scored_lots: int


class CityData(Struct, frozen=True):
    """The prosperity of the city: where it starts, which hundreds it may pass and where it stops."""

    start: int
    hundreds: tuple[int, ...]
    cap: int


class TreasuryData(Struct, frozen=True):
    """The treasury in shillings: `base` and one more for so many city points; the tax is its share."""

    base: int
    city_points_per_shilling: int
    tax_divisor: int


class KingsBonusData(Struct, frozen=True):
    """Points by the number of cubes under the marker."""

    first: tuple[int, ...]
    second: tuple[int, ...]


class StructuresData(Struct, frozen=True):
    """All kinds of structures, in the order of the supply: by size, then by service."""

    value: tuple[StructureData, ...]


class Data(Struct, frozen=True):
    """The data file."""

    edition: str
    seats: Sourced[tuple[int, ...]]
    services: Sourced[tuple[str, ...]]
    board: BoardData
    parts: Sourced[tuple[str, ...]]
    sizes: Sourced[tuple[SizeData, ...]]
    structures: StructuresData
    roman_well: RomanWellData
    city: Sourced[CityData]
    treasury: Sourced[TreasuryData]
    shillings: Sourced[int]
    cubes: Sourced[int]
    neutral_cubes: Sourced[int]
    builds: Sourced[dict[str, int]]
    upgrade_points: Sourced[int]
    score_tokens: Sourced[tuple[int, ...]]
    rank_payouts: Sourced[tuple[tuple[int, ...], ...]]
    kings_bonus: Sourced[KingsBonusData]
    second_bonus_divisor: Sourced[int]
    shillings_per_point: Sourced[int]
    stacks: Sourced[tuple[tuple[str, ...], ...]]


def raw_data(file: str) -> dict[str, Any]:
    """The data file as plain JSON values, for clients."""
    data: dict[str, Any] = msgspec.json.decode(resources.files("domain.canterbury").joinpath(file).read_bytes())
    return data


def typed_data(raw: dict[str, Any]) -> Data:
    """The same, typed. Raises msgspec.ValidationError where the file has another shape."""
    return msgspec.convert(raw, Data)
