"""The course of the game: set-up, rounds, turns, the refill phase."""

from typing import Literal

from msgspec import Struct

from domain.chance import Shuffle
from domain.game import Event, Part


class PortaNigraEvent(Event, frozen=True):
    """Any event of the game."""


class Purse(Struct, frozen=True):
    """What every player begins with."""

    vp: int
    sesterces: int
    torches: int
    influence: int
    romans: int
    romans_in_reserve: int


class Piles(Struct, frozen=True):
    """The three piles of the table as they were shuffled."""

    supply: Shuffle
    building: Shuffle
    honor: Shuffle


class GameSetUp(PortaNigraEvent, frozen=True):
    """The table is laid; `start_player` draws the start player, the first of its order. The displays are turned up."""

    type = "porta_nigra.game_set_up"
    reveals = ("start_player", "start_seat", "building_display", "honor_display")
    edition: str
    data_digest: str
    seats: int
    roman_cost: int
    age_order: tuple[int, ...]
    purse: Purse
    bricks: int
    start_player: Shuffle
    start_seat: int
    building_display: tuple[str, ...]
    honor_display: tuple[str, ...]
    private: tuple[Part[Piles], ...]


class Deck(Struct, frozen=True):
    """A seat's action cards as they were shuffled into its draw pile."""

    seat: int
    shuffle: Shuffle


class RoundStarted(PortaNigraEvent, frozen=True):
    """The round marker moves; everybody shuffles all their action cards."""

    type = "porta_nigra.round_started"
    round: int
    start_seat: int
    private: tuple[Part[Deck], ...]


class Hand(Struct, frozen=True):
    """Action cards that a seat drew."""

    seat: int
    cards: tuple[str, ...]


class HandsDrawn(PortaNigraEvent, frozen=True):
    """Everybody drew `cards` action cards from the own pile."""

    type = "porta_nigra.hands_drawn"
    cards: int
    private: tuple[Part[Hand], ...]


class TurnStarted(PortaNigraEvent, frozen=True):
    """A turn began."""

    type = "porta_nigra.turn_started"
    seat: int


class SupplyOrder(Struct, frozen=True):
    """The supply discards as they were shuffled."""

    shuffle: Shuffle


class SupplyShuffled(PortaNigraEvent, frozen=True):
    """The supply pile ran out: its `cards` discards are the new pile."""

    type = "porta_nigra.supply_shuffled"
    cards: int
    private: tuple[Part[SupplyOrder], ...]


class SupplyCardTurned(PortaNigraEvent, frozen=True):
    """Refill: a supply card put one brick on each shop of `bricks` (fewer than it shows when the reserve gives out)."""

    type = "porta_nigra.supply_card_turned"
    reveals = ("card", "bricks")
    card: str
    bricks: tuple[str, ...]


class BuildingCardsTurned(PortaNigraEvent, frozen=True):
    """Refill: building cards joined the display."""

    type = "porta_nigra.building_cards_turned"
    reveals = ("cards",)
    cards: tuple[str, ...]


class HonorCardsTurned(PortaNigraEvent, frozen=True):
    """Refill: honor cards joined the display."""

    type = "porta_nigra.honor_cards_turned"
    reveals = ("cards",)
    cards: tuple[str, ...]


class EarlyEndCalled(PortaNigraEvent, frozen=True):
    """The seat placed its last element, or reserve and market ran out in its turn: everybody else has one more turn."""

    type = "porta_nigra.early_end_called"
    seat: int
    trigger: Literal["elements", "bricks"]
    vp: int


class TurnEnded(PortaNigraEvent, frozen=True):
    """The played card went to the own discard pile, and `draws` cards were drawn from the own pile."""

    type = "porta_nigra.turn_ended"
    seat: int
    card: str
    draws: int
    private: tuple[Part[Hand], ...] = ()


class ScoringDue(PortaNigraEvent, frozen=True):
    """All turns of the round, or of the game, have been taken."""

    type = "porta_nigra.scoring_due"
    scoring: Literal["interim", "final"]


class StartChoiceGiven(PortaNigraEvent, frozen=True):
    """`seat`, the youngest of those `tied` with the fewest `vp`, is to name the next start player."""

    type = "porta_nigra.start_choice_given"
    seat: int
    vp: int
    tied: tuple[int, ...]


class StartPlayerChosen(PortaNigraEvent, frozen=True):
    """`seat` named `start_seat` the start player of the next round."""

    type = "porta_nigra.start_player_chosen"
    seat: int
    start_seat: int


TYPES: tuple[type[PortaNigraEvent], ...] = (
    GameSetUp,
    RoundStarted,
    HandsDrawn,
    TurnStarted,
    SupplyShuffled,
    SupplyCardTurned,
    BuildingCardsTurned,
    HonorCardsTurned,
    EarlyEndCalled,
    TurnEnded,
    ScoringDue,
    StartChoiceGiven,
    StartPlayerChosen,
)
