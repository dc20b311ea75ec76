"""The whole state of a game, secrets included. Colours and quarters are indices, cards are ids (see `board`)."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

NO_SEAT = -1
"""In place of a seat: nobody."""

NO_CARD = ""
"""In place of an action card: none is played yet."""

Stage = Literal["turns", "interim_scoring", "split_interim", "choose_start_player", "final_scoring", "over"]


class Element(Struct, frozen=True, gc=False):
    """A building element: the index of its site, its owner, how many bricks high."""

    site: int
    seat: int
    bricks: int


class Player(Struct, frozen=True, gc=False):
    """What belongs to one seat.

    `bricks` is the personal supply by colour, `placed` the own bricks in each building. `pile` is the draw pile from the
    top, `played` the discard pile. `building_cards` holds substitutes too. `interim` is what is still to be split.
    """

    vp: int
    sesterces: int
    torches: int
    influence: int
    romans: int
    romans_in_reserve: int
    quarter: int
    bricks: tuple[int, ...]
    placed: tuple[int, ...]
    elements: int = 0
    hand: tuple[str, ...] = ()
    pile: tuple[str, ...] = ()
    played: tuple[str, ...] = ()
    building_cards: tuple[str, ...] = ()
    final_cards: tuple[str, ...] = ()
    interim: int = 0


class State(Struct, frozen=True, gc=False):
    """The table.

    `active` is the seat whose decision is awaited. Of its turn: `card` played, `covered` symbols (bit by position),
    `card_torches` left on the card, whether an honor card was bought, `bricks_due` to be named, `top_up_due`.
    `ender` is the seat that called the early end. `removed_…` left the game. Piles lie from the top.
    """

    edition: str
    roman_cost: int
    age_order: tuple[int, ...]
    players: tuple[Player, ...]
    reserve: int
    market: tuple[int, ...]
    supply_pile: tuple[str, ...]
    supply_discards: tuple[str, ...]
    building_pile: tuple[str, ...]
    building_display: tuple[str, ...]
    removed_building_cards: tuple[str, ...]
    honor_pile: tuple[str, ...]
    honor_display: tuple[str, ...]
    removed_honor_cards: tuple[str, ...]
    elements: tuple[Element, ...]
    free_sites: int
    start_seat: int
    active: int
    stage: Stage = "turns"
    round: int = 0
    card: str = NO_CARD
    covered: int = 0
    card_torches: int = 0
    has_bought_honor: bool = False
    bricks_due: int = 0
    top_up_due: bool = False
    ender: int = NO_SEAT

    @property
    def player(self) -> Player:
        """The player whose decision is awaited."""
        return self.players[self.active]

    def clockwise_from(self, seat: int) -> Sequence[int]:
        """All seats in turn order, `seat` first."""
        seats = len(self.players)
        return [(seat + step) % seats for step in range(seats)]


def phase(state: State) -> str:
    """What is awaited now: one of the stages, or within a turn what its player must or may do next."""
    if state.stage != "turns":
        return state.stage
    if state.bricks_due:
        return "choose_brick"
    if state.top_up_due:
        return "top_up_element"
    if state.card:
        return "take_actions"
    return "place_builder" if state.player.quarter < 0 else "play_card"
