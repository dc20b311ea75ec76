"""The state of a game."""

from msgspec import Struct

from domain.kreta.board import BOARDS, Board

CHOOSE_CARD = "choose_card"
SCORING = "scoring"
FORT_CARD = "fort_card"
OVER = "over"

HARVESTED = -1
"""In `State.tiles`: nothing left here."""

Places = tuple[tuple[int, ...], ...]
"""By seat, where its pieces of one kind stand, ascending; a place with two pieces is named twice."""


class State(Struct, frozen=True, gc=False):
    """Everything there is, secrets included.

    While a card's action is carried out, `phase` is the character (`"admiral"`), else `"choose_card"`, `"scoring"`,
    `"fort_card"` (keep or replace) or `"over"`.
    """

    edition: str
    farmer_harvest: str
    phase: str
    active: int
    begun: bool
    """Whether the action of several steps has done one, so that `end_turn` is allowed."""
    steps_taken: int
    """By the commander in this turn."""
    moved_ships: tuple[int, ...]
    """Where the ships lie that the admiral has moved in this turn."""
    scores: tuple[int, ...]
    played: tuple[tuple[str, ...], ...]
    """By seat, the cards that lie face up, in the order of playing; the others are in its hand."""
    tiles: tuple[int, ...]
    """By province, the index of its tile's kind, or HARVESTED."""
    collected: tuple[tuple[int, ...], ...]
    """By seat and kind, the tiles taken."""
    villagers: Places
    villages: Places
    abbots: Places
    ships: Places
    """By the province of the harbour."""
    forts: Places
    """By fort point."""
    figures: tuple[int, ...]
    """By province, the villagers, villages and abbots of all seats, which the limit counts."""
    row: tuple[int, ...]
    """The fort cards of the row from the left: the first `turned_down` are scored, those up to `turned_up` lie open."""
    turned_down: int
    turned_up: int
    pile: tuple[int, ...]
    """From the top."""
    known_under: int
    """How many cards at the bottom of the pile everybody has seen, since they were put there."""

    @property
    def board(self) -> Board:
        """The tables of the state's edition."""
        return BOARDS[self.edition]
