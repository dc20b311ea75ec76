"""What players do in their turns. `fee` and `price` are sesterces paid, `sesterces` are received."""

from typing import Literal

from domain.porta_nigra.events.course import PortaNigraEvent

Torch = Literal["card", "token"]
"""What paid for an action: a torch of the action card, or a torch token."""


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


TYPES: tuple[type[PortaNigraEvent], ...] = (
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
)
