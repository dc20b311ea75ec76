"""The commands of seats and of the house. Ids are those of the data file [S2]; see docs/rules/porta_nigra.md."""

from typing import Annotated, Literal

from msgspec import Meta

from domain.game import Command
from domain.porta_nigra.board import BOARD

QuarterId = Annotated[str, Meta(extra_json_schema={"enum": list(BOARD.quarters)})]
ColorId = Annotated[str, Meta(extra_json_schema={"enum": list(BOARD.colors)})]
SiteId = Annotated[str, Meta(extra_json_schema={"enum": list(BOARD.site_index)})]
ActionCardId = Annotated[str, Meta(extra_json_schema={"enum": list(BOARD.action_cards)})]
HonorCardId = Annotated[str, Meta(extra_json_schema={"enum": list(BOARD.honor_cards)})]
DiscardId = Annotated[str, Meta(extra_json_schema={"enum": [*BOARD.card_buildings, *BOARD.final_cards]})]


class PortaNigraCommand(Command, frozen=True):
    """Any command of the game."""


class PlaceBuilder(PortaNigraCommand, frozen=True):
    """Put the master builder on the board, in the first turn of the game."""

    type = "place_builder"
    quarter: QuarterId


class PlayActionCard(PortaNigraCommand, frozen=True):
    """Play one card of the hand."""

    type = "play_action_card"
    card: ActionCardId


class BuyBrick(PortaNigraCommand, frozen=True):
    """Buy one brick by the buy symbol at position `symbol` of the card, moving the builder as needed."""

    type = "buy_brick"
    symbol: int
    shop: ColorId


class BuildElement(PortaNigraCommand, frozen=True):
    """Build by the symbol: `bricks` in all, of which `whites` are white ones in place of the site's colour."""

    type = "build_element"
    symbol: int
    site: SiteId
    bricks: int
    whites: int


class TakeInfluence(PortaNigraCommand, frozen=True):
    """Take an influence token by the symbol."""

    type = "take_influence"
    symbol: int


class TakeTorch(PortaNigraCommand, frozen=True):
    """Take a torch token by the symbol."""

    type = "take_torch"
    symbol: int


class TakeCoins(PortaNigraCommand, frozen=True):
    """Take the sesterces that the symbol shows."""

    type = "take_coins"
    symbol: int


class TorchToCoin(PortaNigraCommand, frozen=True):
    """Give up a torch of the card, or a torch token, for sesterces."""

    type = "torch_to_coin"
    source: Literal["card", "token"]


class BuyHonorCard(PortaNigraCommand, frozen=True):
    """Buy an honor card of this kind; `discard` lists the building or final cards that it asks for."""

    type = "buy_honor_card"
    card: HonorCardId
    discard: tuple[DiscardId, ...]


class InfluenceBuild(PortaNigraCommand, frozen=True):
    """Build for influence instead of a symbol."""

    type = "influence_build"
    site: SiteId
    bricks: int
    whites: int


class InfluenceRoman(PortaNigraCommand, frozen=True):
    """Take one Roman from the reserve for influence."""

    type = "influence_roman"


class ChooseBrick(PortaNigraCommand, frozen=True):
    """Name the colour of a brick from the reserve."""

    type = "choose_brick"
    color: ColorId


class TopUpElement(PortaNigraCommand, frozen=True):
    """Put the honor card's brick on top of an own element of the Porta Nigra."""

    type = "top_up_element"
    site: SiteId


class SplitInterim(PortaNigraCommand, frozen=True):
    """Take `vp` of the interim points as victory points, the rest in sesterces."""

    type = "split_interim"
    vp: int


class ChooseStartPlayer(PortaNigraCommand, frozen=True):
    """Name the start player of the next round."""

    type = "choose_start_player"
    seat: int


class EndTurn(PortaNigraCommand, frozen=True):
    """End the turn; torches of the card that are left lapse."""

    type = "end_turn"


class ScoreInterim(PortaNigraCommand, frozen=True):
    """The house counts every seat's interim points."""

    type = "score_interim"


class ScoreFinal(PortaNigraCommand, frozen=True):
    """The house does the final scoring."""

    type = "score_final"


COMMAND_TYPES: tuple[type[PortaNigraCommand], ...] = (
    PlaceBuilder,
    PlayActionCard,
    BuyBrick,
    BuildElement,
    TakeInfluence,
    TakeTorch,
    TakeCoins,
    TorchToCoin,
    BuyHonorCard,
    InfluenceBuild,
    InfluenceRoman,
    ChooseBrick,
    TopUpElement,
    SplitInterim,
    ChooseStartPlayer,
    EndTurn,
)

HOUSE_COMMAND_TYPES: tuple[type[PortaNigraCommand], ...] = (ScoreInterim, ScoreFinal)
