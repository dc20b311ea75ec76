"""What happened, with its outcome.

Structures and services are named by their ids, districts by number. A *colour* is the number of its seat; in a game of
two, colour 2 is the neutral one. Tuples over colours hold the seats first, then the neutral colour if there is one.
"""

from typing import ClassVar

from msgspec import Struct

from domain import game


class Event(game.Event, frozen=True):
    """An event of this game."""


class Stock(Struct, frozen=True, forbid_unknown_fields=True):
    """How many tiles of a structure lie in the supply."""

    structure: str
    left: int


class GameBegan(Event, frozen=True):
    """The board is set up. `stacks`: by seat the tiles for the neutral colour, in the order in which they come."""

    type: ClassVar[str] = "canterbury.game_began"

    seats: int
    edition: str
    city: int
    shillings: tuple[int, ...]
    cubes: tuple[int, ...]
    supply: tuple[Stock, ...]
    roman_well: int
    stacks: tuple[tuple[str, ...], ...]


class TurnBegan(Event, frozen=True):
    """A turn begins; round and turn count from 1.

    `token` is the side of the variant token now up (`"build"`, `"no_build"`; None with more than two players), `tile`
    the tile that the neutral colour builds in this turn, if any.
    """

    type: ClassVar[str] = "canterbury.turn_began"

    seat: int
    round: int
    token: str | None
    tile: str | None


class NeutralPlaced(Event, frozen=True):
    """The neutral colour built: `cubes` are the districts that got one of its cubes, `city` is the city's new prosperity."""

    type: ClassVar[str] = "canterbury.neutral_placed"

    seat: int
    structure: str
    district: int
    free_lots: int
    cubes: tuple[int, ...]
    city_points: int
    city: int


class NeutralSwapped(Event, frozen=True):
    """A tile of the medium stack went back to the box; `tile` is the one to build instead."""

    type: ClassVar[str] = "canterbury.neutral_swapped"

    seat: int
    structure: str
    tile: str


class NeutralTileLost(Event, frozen=True):
    """A tile of the neutral colour could not be placed and left the game."""

    type: ClassVar[str] = "canterbury.neutral_tile_lost"

    seat: int
    structure: str


class TreasuryLevied(Event, frozen=True):
    """A seat took the treasury."""

    type: ClassVar[str] = "canterbury.treasury_levied"

    seat: int
    shillings: int


class FullBuildBegan(Event, frozen=True):
    """A seat chose the full build."""

    type: ClassVar[str] = "canterbury.full_build_began"

    seat: int


class CitizensTaxed(Event, frozen=True):
    """A seat took the tax and will build one structure."""

    type: ClassVar[str] = "canterbury.citizens_taxed"

    seat: int
    shillings: int


class TurnPassed(Event, frozen=True):
    """A seat had to choose the full build but can build nothing; its obligation is met."""

    type: ClassVar[str] = "canterbury.turn_passed"

    seat: int


class StructureBought(Event, frozen=True):
    """A structure is paid and not yet on the board."""

    type: ClassVar[str] = "canterbury.structure_bought"

    seat: int
    structure: str
    district: int
    cost: int


class StructureDemolished(Event, frozen=True):
    """A tile left the game to make room; `free_lots` are those of its district now."""

    type: ClassVar[str] = "canterbury.structure_demolished"

    seat: int
    structure: str
    district: int
    free_lots: int


class StructurePlaced(Event, frozen=True):
    """A structure is on the board.

    `cubes` are the districts that got a cube of the seat, `opens` says that no structure ever stood in the district,
    `upgrades` that a smaller one of its service was demolished for it.
    """

    type: ClassVar[str] = "canterbury.structure_placed"

    seat: int
    structure: str
    district: int
    free_lots: int
    cubes: tuple[int, ...]
    opens: bool
    upgrades: bool


class ServingBegan(Event, frozen=True):
    """The seat chooses which of `districts` get a cube of `colour`: at most `most`, fewer only if `optional`."""

    type: ClassVar[str] = "canterbury.serving_began"

    seat: int
    colour: int
    service: str
    districts: tuple[int, ...]
    most: int
    optional: bool


class DistrictServed(Event, frozen=True):
    """A district got a cube."""

    type: ClassVar[str] = "canterbury.district_served"

    seat: int
    colour: int
    service: str
    district: int


class ServingEnded(Event, frozen=True):
    """No further district is served."""

    type: ClassVar[str] = "canterbury.serving_ended"

    seat: int


class ProsperityGained(Event, frozen=True):
    """The structures built in the turn count: `points` for the seat, `city_points` for the city, which now has `city`."""

    type: ClassVar[str] = "canterbury.prosperity_gained"

    seat: int
    city_points: int
    city: int
    points: int


class OpeningRewarded(Event, frozen=True):
    """The reward for opening a district: a point for each of the `cubes` in it."""

    type: ClassVar[str] = "canterbury.opening_rewarded"

    seat: int
    district: int
    cubes: int
    points: int


class UpgradeRewarded(Event, frozen=True):
    """The bonus for a structure that replaced a smaller one of its service."""

    type: ClassVar[str] = "canterbury.upgrade_rewarded"

    seat: int
    structure: str
    district: int
    points: int


class TurnEnded(Event, frozen=True):
    """A turn is over."""

    type: ClassVar[str] = "canterbury.turn_ended"

    seat: int


class EndAnnounced(Event, frozen=True):
    """The city has passed the last hundred: the game ends with `final_round`."""

    type: ClassVar[str] = "canterbury.end_announced"

    seat: int
    final_round: int


class CityHalted(Event, frozen=True):
    """The city can't grow any more, whatever is paid: the last scoring and the end follow at once."""

    type: ClassVar[str] = "canterbury.city_halted"

    seat: int


class DistrictScored(Event, frozen=True):
    """A district with at least one structure is scored.

    `first` and `second` are its bonuses, `cubes` by colour how many cubes lie there, `points` by colour what each gets
    (the neutral colour's points go to nobody).
    """

    type: ClassVar[str] = "canterbury.district_scored"

    scoring: int
    district: int
    first: int
    second: int
    cubes: tuple[int, ...]
    points: tuple[int, ...]


class DistrictsScored(Event, frozen=True):
    """All districts are scored; `points` by seat is the sum."""

    type: ClassVar[str] = "canterbury.districts_scored"

    scoring: int
    points: tuple[int, ...]


class RankPaid(Event, frozen=True):
    """A seat got the shillings on its rank token."""

    type: ClassVar[str] = "canterbury.rank_paid"

    seat: int
    scoring: int
    rank: int
    shillings: int


class RanksPaid(Event, frozen=True):
    """All rank tokens are paid for this scoring."""

    type: ClassVar[str] = "canterbury.ranks_paid"

    scoring: int


class KingRewarded(Event, frozen=True):
    """The King's bonus for a service: by colour the cubes on the bonus board and the points."""

    type: ClassVar[str] = "canterbury.king_rewarded"

    service: str
    cubes: tuple[int, ...]
    points: tuple[int, ...]


class ShillingsCounted(Event, frozen=True):
    """A seat's shillings became points; they stay with it, since they decide ties."""

    type: ClassVar[str] = "canterbury.shillings_counted"

    seat: int
    shillings: int
    points: int


class GameEnded(Event, frozen=True):
    """The game is over; of equal scores the one with fewer shillings ranks higher."""

    type: ClassVar[str] = "canterbury.game_ended"

    scores: tuple[int, ...]
    shillings: tuple[int, ...]
    ranking: tuple[tuple[int, ...], ...]


EVENT_TYPES: tuple[type[Event], ...] = (
    GameBegan,
    TurnBegan,
    NeutralPlaced,
    NeutralSwapped,
    NeutralTileLost,
    TreasuryLevied,
    FullBuildBegan,
    CitizensTaxed,
    TurnPassed,
    StructureBought,
    StructureDemolished,
    StructurePlaced,
    ServingBegan,
    DistrictServed,
    ServingEnded,
    ProsperityGained,
    OpeningRewarded,
    UpgradeRewarded,
    TurnEnded,
    EndAnnounced,
    CityHalted,
    DistrictScored,
    DistrictsScored,
    RankPaid,
    RanksPaid,
    KingRewarded,
    ShillingsCounted,
    GameEnded,
)
