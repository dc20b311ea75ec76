"""The data file of an edition as it lies on disk: shapes, and reading it once. `board` makes the tables of it."""

from importlib.resources import files
from typing import Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Struct

from domain.canonical import digest

T = TypeVar("T")


class Value(Struct, Generic[T], frozen=True):
    """One printed value; its confidence and source stand beside it in the file."""

    value: T


class SeatLimits(Struct, frozen=True):
    """How many may play."""

    min: int
    max: int


class RomanCost(Struct, frozen=True):
    """Influence for one Roman: what holds, and what the option may choose instead."""

    default: int
    alternative: int


class Constants(Struct, frozen=True):
    """The counts and amounts of the game. Keys of the dicts are numbers of seats, or of different buildings in a set."""

    players: Value[SeatLimits]
    rounds: Value[dict[int, int]]
    interim_multiplier: Value[dict[int, int]]
    action_cards_per_round: Value[dict[int, int]]
    hand_size: Value[int]
    sesterces: Value[int]
    torches: Value[int]
    influence: Value[int]
    vp: Value[int]
    romans: Value[int]
    romans_in_reserve: Value[int]
    romans_per_color: Value[int]
    bricks: Value[int]
    market_low: Value[int]
    market_full: Value[int]
    building_display: Value[int]
    honor_display: Value[int]
    border_fee: Value[int]
    sesterces_per_torch: Value[int]
    influence_build_cost: Value[int]
    influence_roman_cost: Value[RomanCost]
    reward_every_bricks: Value[int]
    early_end_vp: Value[int]
    set_vp: Value[dict[int, int]]
    roman_vp: Value[int]
    influence_vp: Value[int]
    torch_vp: Value[int]
    brick_vp: Value[int]
    sesterces_per_vp: Value[int]


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


_TEXT = files(__package__).joinpath("data.json").read_bytes()

EDITIONS: tuple[Edition, ...] = (msgspec.json.decode(_TEXT, type=Edition),)
"""Every known edition, the default one first."""

REFERENCE: dict[str, Any] = {EDITIONS[0].edition: msgspec.json.decode(_TEXT)}
"""Edition -> its file as plain JSON values, provenance included: what clients are shown."""

DIGESTS: dict[str, str] = {edition: digest(data) for edition, data in REFERENCE.items()}
"""Edition -> digest of its data."""
