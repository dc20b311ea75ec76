"""What a seat may want, and the steps of the house.

A turn is one action; building in it is `build`, `demolish` as often as needed, `place`, then `serve` as often as chosen.
"""

from typing import Annotated, ClassVar

from msgspec import Meta

from domain import game
from domain.canterbury.board import EDITIONS

_FOR_SALE = sorted({tile.id for edition in EDITIONS.values() for tile in edition.for_sale})
_STANDING = sorted({tile.id for edition in EDITIONS.values() for tile in edition.tiles})
_LAST = max(edition.districts for edition in EDITIONS.values()) - 1

StructureId = Annotated[str, Meta(description="A kind of structure.", extra_json_schema={"enum": _FOR_SALE})]
StandingId = Annotated[str, Meta(description="A tile on the board.", extra_json_schema={"enum": _STANDING})]
District = Annotated[
    int,
    Meta(description="A district, row by row from 0.", extra_json_schema={"minimum": 0, "maximum": _LAST}),
]


class Command(game.Command, frozen=True, gc=False):
    """A command of this game."""


class PlaceNeutral(Command, frozen=True, gc=False):
    """Two players: put the top tile of your stack into a district for the neutral colour."""

    type: ClassVar[str] = "place_neutral"

    district: District


class SwapNeutral(Command, frozen=True, gc=False):
    """Two players, medium stack: return the top tile and build the one below instead."""

    type: ClassVar[str] = "swap_neutral"


class DiscardNeutral(Command, frozen=True, gc=False):
    """Two players: let go of a top medium tile that can't be placed, rather than swap it."""

    type: ClassVar[str] = "discard_neutral"


class Levy(Command, frozen=True, gc=False):
    """Take the treasury; the next turn must be a full build."""

    type: ClassVar[str] = "levy"


class FullBuild(Command, frozen=True, gc=False):
    """Begin to build one or two small or medium structures, or one large one."""

    type: ClassVar[str] = "full_build"


class TaxAndBuild(Command, frozen=True, gc=False):
    """Take half the treasury, then build exactly one structure."""

    type: ClassVar[str] = "tax_and_build"


class Build(Command, frozen=True, gc=False):
    """Pay for a structure and put it into a district, at once unless something may be demolished for it."""

    type: ClassVar[str] = "build"

    structure: StructureId
    district: District


class Demolish(Command, frozen=True, gc=False):
    """Demolish a smaller structure where the new one is to stand."""

    type: ClassVar[str] = "demolish"

    structure: StandingId


class Place(Command, frozen=True, gc=False):
    """Put the paid structure down without demolishing anything more."""

    type: ClassVar[str] = "place"


class Serve(Command, frozen=True, gc=False):
    """Put a service cube of the structure just placed into another district."""

    type: ClassVar[str] = "serve"

    district: District


class StopServing(Command, frozen=True, gc=False):
    """Leave the large structure's other cubes where they are."""

    type: ClassVar[str] = "stop_serving"


class EndTurn(Command, frozen=True, gc=False):
    """Build no second structure."""

    type: ClassVar[str] = "end_turn"


class ScoreDistricts(Command, frozen=True, gc=False):
    """The house scores all districts."""

    type: ClassVar[str] = "score_districts"


class PayRanks(Command, frozen=True, gc=False):
    """The house pays the rank tokens after one of the first three scorings."""

    type: ClassVar[str] = "pay_ranks"


class ScoreEnd(Command, frozen=True, gc=False):
    """The house pays the King's bonuses, turns shillings into points and ends the game."""

    type: ClassVar[str] = "score_end"


COMMAND_TYPES: tuple[type[Command], ...] = (
    PlaceNeutral,
    SwapNeutral,
    DiscardNeutral,
    Levy,
    FullBuild,
    TaxAndBuild,
    Build,
    Demolish,
    Place,
    Serve,
    StopServing,
    EndTurn,
)
HOUSE_COMMAND_TYPES: tuple[type[Command], ...] = (ScoreDistricts, PayRanks, ScoreEnd)
