"""What happened: past tense, whole, with ids of the data file. `fee` and `price` are sesterces paid, `sesterces` received."""

from typing import Literal

from msgspec import Struct

from domain.chance import Shuffle
from domain.game import Event, Part

Torch = Literal["card", "token"]
"""What paid for an action: a torch of the action card, or a torch token."""


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


class BuilderPlaced(PortaNigraEvent, frozen=True):
    """The master builder came onto the board."""

    type = "porta_nigra.builder_placed"
    seat: int
    quarter: str


class ActionCardPlayed(PortaNigraEvent, frozen=True):
    """An action card was played; it pays for `torches` actions."""

    type = "porta_nigra.action_card_played"
    seat: int
    card: str
    torches: int


class BrickBought(PortaNigraEvent, frozen=True):
    """The builder went to `quarter` for `fee` and bought a brick for `price`."""

    type = "porta_nigra.brick_bought"
    seat: int
    symbol: int
    torch: Torch
    shop: str
    quarter: str
    fee: int
    price: int


class ElementBuilt(PortaNigraEvent, frozen=True):
    """An element was built by a symbol and a torch, or for `influence`.

    The builder went to the site's quarter for `fee`; `color` is the site's, `whites` of the `bricks` stand for it. The
    building now holds `total` bricks of this seat. `building_card` was taken from the display, if one matched.
    """

    type = "porta_nigra.element_built"
    seat: int
    symbol: int | None
    torch: Torch | None
    influence: int
    site: str
    color: str
    bricks: int
    whites: int
    quarter: str
    fee: int
    vp: int
    building_card: str | None
    total: int


class RewardGranted(PortaNigraEvent, frozen=True):
    """The master builder reward of a building, `times` over, since the seat's `total` bricks there passed multiples.

    Romans and `bricks` (whose colours are then to be named) are what the reserves still gave.
    """

    type = "porta_nigra.reward_granted"
    seat: int
    building: str
    total: int
    times: int
    sesterces: int
    torches: int
    influence: int
    romans: int
    bricks: int


class InfluenceTaken(PortaNigraEvent, frozen=True):
    """An influence token was taken by a symbol."""

    type = "porta_nigra.influence_taken"
    seat: int
    symbol: int
    torch: Torch


class TorchTaken(PortaNigraEvent, frozen=True):
    """A torch token was taken by a symbol."""

    type = "porta_nigra.torch_taken"
    seat: int
    symbol: int
    torch: Torch


class CoinsTaken(PortaNigraEvent, frozen=True):
    """Sesterces were taken by a symbol."""

    type = "porta_nigra.coins_taken"
    seat: int
    symbol: int
    torch: Torch
    sesterces: int


class TorchConverted(PortaNigraEvent, frozen=True):
    """A torch of the card was given up, or a torch token returned, for sesterces."""

    type = "porta_nigra.torch_converted"
    seat: int
    source: Torch
    sesterces: int


class HonorCardBought(PortaNigraEvent, frozen=True):
    """An honor card was bought for `influence` and the cards of `discarded`, and took effect.

    `kept` says that it lies in the play area now; else it left the game. Romans and `bricks` (whose colours are then to
    be named) are what the reserves gave; `top_up` means that a brick goes on top of an element next.
    """

    type = "porta_nigra.honor_card_bought"
    seat: int
    card: str
    influence: int
    discarded: tuple[str, ...]
    kept: Literal["building_card", "final_card"] | None
    vp: int
    sesterces: int
    torches: int
    romans: int
    bricks: int
    top_up: bool


class RomanBought(PortaNigraEvent, frozen=True):
    """One Roman was taken from the reserve for `influence`."""

    type = "porta_nigra.roman_bought"
    seat: int
    influence: int


class BrickChosen(PortaNigraEvent, frozen=True):
    """A brick from the reserve went to the personal supply as this colour."""

    type = "porta_nigra.brick_chosen"
    seat: int
    color: str


class ElementToppedUp(PortaNigraEvent, frozen=True):
    """A brick from the reserve went on top of an element, which is now `bricks` high; `total` bricks in the building."""

    type = "porta_nigra.element_topped_up"
    seat: int
    site: str
    building: str
    bricks: int
    total: int


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


EVENT_TYPES: tuple[type[PortaNigraEvent], ...] = (
    GameSetUp,
    RoundStarted,
    HandsDrawn,
    TurnStarted,
    SupplyShuffled,
    SupplyCardTurned,
    BuildingCardsTurned,
    HonorCardsTurned,
    BuilderPlaced,
    ActionCardPlayed,
    BrickBought,
    ElementBuilt,
    RewardGranted,
    InfluenceTaken,
    TorchTaken,
    CoinsTaken,
    TorchConverted,
    HonorCardBought,
    RomanBought,
    BrickChosen,
    ElementToppedUp,
    EarlyEndCalled,
    TurnEnded,
    ScoringDue,
    InterimCounted,
    InterimSplit,
    StartChoiceGiven,
    StartPlayerChosen,
    BuildingCardsScored,
    FinalCardsScored,
    LeftoversScored,
    MajorityScored,
    GameEnded,
)
