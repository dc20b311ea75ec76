"""The deal: tiles on the provinces, fort cards in their row and pile, and who begins."""

from typing import Annotated, Literal

from msgspec import Meta

from domain.chance import Chance, Shuffle
from domain.errors import BadCommand
from domain.game import NOBODY, Options, Part
from domain.kreta.board import BOARDS, Board
from domain.kreta.events import FortCards, GameSetUp


class KretaOptions(Options, frozen=True):
    """What a table may choose.

    `farmer_harvest`: the farmer takes as many of the reachable tiles as wanted, or one (ruling 1).
    `first_seat`: who begins; the rulebook's youngest player (ruling 20).
    """

    farmer_harvest: Literal["all_reachable", "one_tile"] = "all_reachable"
    first_seat: Annotated[int, Meta(ge=0)] = 0


def check(seats: int, options: KretaOptions) -> None:
    """Refuse a first seat that does not exist. Raises BadCommand."""
    if options.first_seat >= seats:
        says = "The first seat is one of 0 to {last}, not {seat}."
        pointer = "/options/first_seat"
        raise BadCommand("unknown-seat", says, pointer=pointer, last=seats - 1, seat=options.first_seat)


def setup(seats: int, options: KretaOptions, chance: Chance) -> tuple[GameSetUp]:
    """The one event that opens the game. Everybody sees how the tiles were shuffled, nobody how the fort cards were."""
    board = BOARDS[options.edition]
    tile_shuffles = tuple(
        chance.shuffle(_label(terrain), _tiles_of(board, terrain)) for terrain in dict.fromkeys(board.terrains)
    )
    fort_cards = chance.shuffle("fort_cards", tuple(board.around))
    points = tuple(map(int, fort_cards.order))
    row, pile = points[: board.row_length], points[board.row_length :]
    event = GameSetUp(
        edition=options.edition,
        seats=seats,
        farmer_harvest=options.farmer_harvest,
        first_seat=options.first_seat,
        tile_shuffles=tile_shuffles,
        tiles=_placed(board, tile_shuffles),
        open_points=row[: board.row_open],
        private=(Part(seats=NOBODY, data=FortCards(shuffle=fort_cards, row=row, pile=pile)),),
    )
    return (event,)


def _tiles_of(board: Board, terrain: str) -> list[str]:
    return [kind.tile for kind in board.tiles if kind.terrain == terrain for _ in range(kind.count)]


def _placed(board: Board, shuffles: tuple[Shuffle, ...]) -> tuple[str, ...]:
    """By province, the tile that fell on it: those of its terrain in the shuffled order, along the provinces of the data."""
    piles = {shuffle.label: iter(shuffle.order) for shuffle in shuffles}
    return tuple(str(next(piles[_label(terrain)])) for terrain in board.terrains)


def _label(terrain: str) -> str:
    return f"{terrain}_tiles"
