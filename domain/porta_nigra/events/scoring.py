"""The interim scoring, and the final scoring in its four parts."""

from msgspec import Struct

from domain.porta_nigra.events.course import PortaNigraEvent


class InterimPoints(Struct, frozen=True):
    """A seat's interim points: its `bricks` on the board, times the multiplier."""

    seat: int
    bricks: int
    points: int


class InterimCounted(PortaNigraEvent, frozen=True):
    """The interim points of all seats, in the order in which they split them."""

    type = "porta_nigra.interim_counted"
    round: int
    multiplier: int
    points: tuple[InterimPoints, ...]


class InterimSplit(PortaNigraEvent, frozen=True):
    """A seat took its interim points as victory points and sesterces; `next_seat` splits next, if any."""

    type = "porta_nigra.interim_split"
    seat: int
    vp: int
    sesterces: int
    next_seat: int | None


class SetsOfSeat(Struct, frozen=True):
    """A seat's building cards grouped into sets of different buildings, largest first."""

    seat: int
    sets: tuple[tuple[str, ...], ...]
    vp: int


class BuildingCardsScored(PortaNigraEvent, frozen=True):
    """Final scoring, part 1."""

    type = "porta_nigra.building_cards_scored"
    seats: tuple[SetsOfSeat, ...]


class FinalCardsOfSeat(Struct, frozen=True):
    """A seat's final scoring cards."""

    seat: int
    cards: tuple[str, ...]
    vp: int


class FinalCardsScored(PortaNigraEvent, frozen=True):
    """Final scoring, part 2."""

    type = "porta_nigra.final_cards_scored"
    seats: tuple[FinalCardsOfSeat, ...]


class LeftoversOfSeat(Struct, frozen=True):
    """What is left in a seat's play area."""

    seat: int
    romans: int
    sesterces: int
    influence: int
    torches: int
    bricks: int
    vp: int


class LeftoversScored(PortaNigraEvent, frozen=True):
    """Final scoring, part 3."""

    type = "porta_nigra.leftovers_scored"
    seats: tuple[LeftoversOfSeat, ...]


class Contender(Struct, frozen=True):
    """A seat in a majority: its bricks (at a level its elements), the price of its best one, its place (0: none) and points."""

    seat: int
    count: int
    best: int
    place: int
    vp: int


class MajorityScored(PortaNigraEvent, frozen=True):
    """Final scoring, part 4: one row, or one level of the Porta Nigra; those who have nothing there are not named."""

    type = "porta_nigra.majority_scored"
    building: str
    row: str | None
    level: int | None
    contenders: tuple[Contender, ...]


class GameEnded(PortaNigraEvent, frozen=True):
    """The final scoring is done."""

    type = "porta_nigra.game_ended"
    scores: tuple[int, ...]


TYPES: tuple[type[PortaNigraEvent], ...] = (
    InterimCounted,
    InterimSplit,
    BuildingCardsScored,
    FinalCardsScored,
    LeftoversScored,
    MajorityScored,
    GameEnded,
)
