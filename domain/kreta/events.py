"""What has happened, with its outcome. Provinces are ids, fort points printed numbers, places of the row count from 1."""

from typing import ClassVar, get_args

from msgspec import Struct

from domain.chance import Shuffle
from domain.game import Event, Part


class FortCards(Struct, frozen=True, forbid_unknown_fields=True):
    """How the fort cards lie after the deal: the row from the left, the pile from the top."""

    shuffle: Shuffle
    row: tuple[int, ...]
    pile: tuple[int, ...]


class GameSetUp(Event, frozen=True):
    """The tiles lie on the provinces, the fort cards in their row, and `first_seat` begins."""

    type: ClassVar[str] = "kreta.game_set_up"
    reveals: ClassVar[tuple[str, ...]] = ("tile_shuffles", "tiles", "open_points")
    edition: str
    seats: int
    farmer_harvest: str
    first_seat: int
    tile_shuffles: tuple[Shuffle, ...]
    tiles: tuple[str, ...]
    """By province, in the order of the data."""
    open_points: tuple[int, ...]
    """The cards of the row that lie face up, from the left."""
    private: tuple[Part[FortCards], ...] = ()


class CharacterPlayed(Event, frozen=True):
    """A seat has laid a card face up before itself; the king `copies` one that lay there already."""

    type: ClassVar[str] = "kreta.character_played"
    seat: int
    character: str
    copies: str | None = None


class ShipPlaced(Event, frozen=True):
    """A ship has come from the supply into a harbour."""

    type: ClassVar[str] = "kreta.ship_placed"
    seat: int
    province: str


class ShipMoved(Event, frozen=True):
    """A ship has gone to another harbour."""

    type: ClassVar[str] = "kreta.ship_moved"
    seat: int
    from_province: str
    to_province: str


class VillagerPlaced(Event, frozen=True):
    """A villager has come from the supply."""

    type: ClassVar[str] = "kreta.villager_placed"
    seat: int
    province: str


class VillagerMoved(Event, frozen=True):
    """A villager has gone `steps` provinces far."""

    type: ClassVar[str] = "kreta.villager_moved"
    seat: int
    from_province: str
    to_province: str
    steps: int


class AbbotPlaced(Event, frozen=True):
    """The abbot has come from the supply."""

    type: ClassVar[str] = "kreta.abbot_placed"
    seat: int
    province: str


class AbbotMoved(Event, frozen=True):
    """The abbot has gone `steps` provinces far."""

    type: ClassVar[str] = "kreta.abbot_moved"
    seat: int
    from_province: str
    to_province: str
    steps: int


class TileHarvested(Event, frozen=True):
    """A seat has taken the tile of a province, its `count`-th of the kind, for `points`."""

    type: ClassVar[str] = "kreta.tile_harvested"
    seat: int
    province: str
    tile: str
    count: int
    points: int


class FortBuilt(Event, frozen=True):
    """A fort stands on a fort point for good."""

    type: ClassVar[str] = "kreta.fort_built"
    seat: int
    site: int


class VillageBuilt(Event, frozen=True):
    """A village stands in a province for good."""

    type: ClassVar[str] = "kreta.village_built"
    seat: int
    province: str


class Standing(Struct, frozen=True, forbid_unknown_fields=True):
    """One seat in a province that is scored: its pieces by kind, their influence, and what that paid.

    `rank` counts seats with more influence, from 1: seats with equal influence share a rank.
    """

    seat: int
    villagers: int
    villages: int
    abbots: int
    ships: int
    forts: int
    influence: int
    rank: int
    points: int


class ProvinceScored(Event, frozen=True):
    """A province at a fort point has paid; `standings` of the seats with influence there, best first."""

    type: ClassVar[str] = "kreta.province_scored"
    place: int
    point: int
    province: str
    value: int
    standings: tuple[Standing, ...]


class FortCardTurnedDown(Event, frozen=True):
    """The card has been scored."""

    type: ClassVar[str] = "kreta.fort_card_turned_down"
    seat: int
    place: int
    point: int


class FortCardTurnedUp(Event, frozen=True):
    """The next card of the row lies open, and its seat decides about it."""

    type: ClassVar[str] = "kreta.fort_card_turned_up"
    reveals: ClassVar[tuple[str, ...]] = ("point",)
    seat: int
    place: int
    point: int


class FortCardKept(Event, frozen=True):
    """The card that was turned up stays."""

    type: ClassVar[str] = "kreta.fort_card_kept"
    seat: int
    place: int
    point: int


class FortCardReplaced(Event, frozen=True):
    """The card that was turned up, `put_under`, lies at the bottom of the pile; `point`, the pile's top card, took its place."""

    type: ClassVar[str] = "kreta.fort_card_replaced"
    reveals: ClassVar[tuple[str, ...]] = ("point",)
    seat: int
    place: int
    put_under: int
    point: int


class CardsTakenBack(Event, frozen=True):
    """The castellan of `seat` has ended the round: everybody took back the cards that lay face up (`cards`, by seat)."""

    type: ClassVar[str] = "kreta.cards_taken_back"
    seat: int
    cards: tuple[tuple[str, ...], ...]


class TurnEnded(Event, frozen=True):
    """The turn of `seat` is over, `next_seat` is to play a card."""

    type: ClassVar[str] = "kreta.turn_ended"
    seat: int
    next_seat: int


class GameEnded(Event, frozen=True):
    """The last card of the row has been scored."""

    type: ClassVar[str] = "kreta.game_ended"
    scores: tuple[int, ...]
    ranking: tuple[tuple[int, ...], ...]
    winners: tuple[int, ...]


KretaEvent = (
    GameSetUp
    | CharacterPlayed
    | ShipPlaced
    | ShipMoved
    | VillagerPlaced
    | VillagerMoved
    | AbbotPlaced
    | AbbotMoved
    | TileHarvested
    | FortBuilt
    | VillageBuilt
    | ProvinceScored
    | FortCardTurnedDown
    | FortCardTurnedUp
    | FortCardKept
    | FortCardReplaced
    | CardsTakenBack
    | TurnEnded
    | GameEnded
)

EVENT_TYPES: tuple[type[KretaEvent], ...] = get_args(KretaEvent)
