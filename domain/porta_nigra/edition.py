"""The data file of an edition as it lies on disk: shapes, and reading it once. `board` makes the tables of it."""

from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Literal

import msgspec
from msgspec import Struct

from domain.canonical import digest


class SeatLimits(Struct, frozen=True):
    """How many may play."""

    min: int
    max: int


class RomanCost(Struct, frozen=True):
    """Influence for one Roman: what holds, and what the option may choose instead."""

    default: int
    alternative: int


class Constants(Struct, frozen=True):
    """The counts and amounts of the game. Dicts are by number of seats, `set_vp` by number of buildings in a set."""

    players: SeatLimits
    rounds: dict[int, int]
    interim_multiplier: dict[int, int]
    action_cards_per_round: dict[int, int]
    hand_size: int
    sesterces: int
    torches: int
    influence: int
    vp: int
    romans: int
    romans_in_reserve: int
    romans_per_color: int
    bricks: int
    market_low: int
    market_full: int
    building_display: int
    honor_display: int
    border_fee: int
    sesterces_per_torch: int
    influence_build_cost: int
    influence_roman_cost: RomanCost
    reward_every_bricks: int
    early_end_vp: int
    set_vp: dict[int, int]
    roman_vp: int
    influence_vp: int
    torch_vp: int
    brick_vp: int
    sesterces_per_vp: int


class ColorEntry(Struct, frozen=True):
    """A brick colour; the file lists them by price."""

    id: str
    price: int


class RewardEntry(Struct, frozen=True):
    """What one master builder reward pays."""

    sesterces: int
    torches: int
    influence: int
    romans: int
    bricks: int


class QuarterEntry(Struct, frozen=True):
    """A quarter with its building and its coloured shop; the file lists them clockwise."""

    id: str
    shop: str
    reward: RewardEntry


class WhiteShop(Struct, frozen=True):
    """The shop that belongs to every quarter."""

    color: str


class MajorityEntry(Struct, frozen=True):
    """A scored part: a row, or a level of the Porta Nigra, with its two prizes."""

    building: str
    row: str | None
    level: int | None
    first: int
    second: int


class SiteEntry(Struct, frozen=True):
    """A building site; `vp` for a fixed one, `vp_per_brick` where the height is free."""

    id: str
    building: str
    row: str
    color: str
    min_bricks: int
    max_bricks: int
    vp: int | None
    vp_per_brick: int | None
    grants_building_card: bool


class SupplyEntry(Struct, frozen=True):
    """A supply card: one brick for each shop named."""

    id: str
    bricks: tuple[str, ...]


class SymbolEntry(Struct, frozen=True):
    """An action symbol; `shop` (a colour or `any`) of a buy symbol, `amount` of a coins symbol."""

    type: Literal["buy", "build", "influence", "torch", "coins"]
    shop: str | None
    amount: int | None


class ActionEntry(Struct, frozen=True):
    """An action card."""

    id: str
    torches: int
    symbols: tuple[SymbolEntry, ...]
    only_two_or_three_players: bool


class DiscardEntry(Struct, frozen=True):
    """What an honor card asks for beside influence: building cards of different buildings, or one final card."""

    type: Literal["building_cards", "final_card"]
    count: int
    card: str | None


class EffectEntry(Struct, frozen=True):
    """What an honor card does."""

    type: Literal["final_vp", "substitute_building_card", "vp", "sesterces", "torches", "romans", "bricks", "top_up"]
    amount: int
    building: str | None


class HonorEntry(Struct, frozen=True):
    """A kind of honor card."""

    id: str
    copies: int
    influence_cost: int
    discard: DiscardEntry | None
    effect: EffectEntry
    kept: bool


class BuildingEntry(Struct, frozen=True):
    """A building card."""

    id: str
    building: str
    color: str


class Edition(Struct, frozen=True):
    """A whole data file."""

    edition: str
    constants: Constants
    colors: tuple[ColorEntry, ...]
    white_shop: WhiteShop
    quarters: tuple[QuarterEntry, ...]
    majorities: tuple[MajorityEntry, ...]
    sites: tuple[SiteEntry, ...]
    supply_cards: tuple[SupplyEntry, ...]
    action_cards: tuple[ActionEntry, ...]
    honor_cards: tuple[HonorEntry, ...]
    building_cards: tuple[BuildingEntry, ...]


def _edition(data: Mapping[str, Any]) -> Edition:
    constants = {name: entry["value"] for name, entry in data["constants"].items()}
    return msgspec.convert({**data, "constants": constants}, Edition, str_keys=True)


_DATA: dict[str, Any] = msgspec.json.decode(files(__package__).joinpath("data.json").read_bytes())

REFERENCE: dict[str, Any] = {_DATA["edition"]: _DATA}
"""Edition -> its file as plain JSON values, each with its source; the default edition first."""

EDITIONS = {edition: _edition(data) for edition, data in REFERENCE.items()}
"""Edition -> its data."""

DIGESTS = {edition: digest(data) for edition, data in REFERENCE.items()}
"""Edition -> digest of its data."""
