"""What a seat, a spectator or, at the end, everybody sees; and the states that such a view allows.

All seats see the same: hands follow from the cards that lie face up, and the face-down fort cards are nobody's.
"""

from collections.abc import Sequence

from msgspec import Struct

from domain.chance import Chance
from domain.kreta.board import BOARDS, Board
from domain.kreta.position import steps_left
from domain.kreta.state import HARVESTED, State


class Supply(Struct, frozen=True, gc=False):
    """The pieces of a seat that are not on the board."""

    villagers: int
    villages: int
    abbots: int
    ships: int
    forts: int


class SeatView(Struct, frozen=True, gc=False):
    """One seat: cards, pieces (provinces by id, forts by fort point), the tiles it has collected."""

    seat: int
    score: int
    hand: tuple[str, ...]
    face_up: tuple[str, ...]
    villagers: tuple[str, ...]
    villages: tuple[str, ...]
    abbots: tuple[str, ...]
    ships: tuple[str, ...]
    forts: tuple[int, ...]
    supply: Supply
    tiles: tuple[str, ...]


class ProvinceView(Struct, frozen=True, gc=False):
    """One province: its tile, unless that is harvested, and how many figures (of the most allowed) stand there."""

    province: str
    tile: str | None
    figures: int


class RowCard(Struct, frozen=True, gc=False):
    """One place of the row: `"scored"`, `"open"` or `"hidden"`, and the fort point unless it is hidden."""

    place: int
    status: str
    point: int | None


class View(Struct, frozen=True, gc=False):
    """The whole table.

    `steps_left` and `moved_ships` concern the action under way. `pile` goes from the top; cards that nobody has seen
    are null, those that were put under it are known. `unseen` are the fort points that the hidden cards of row
    and pile can be.
    """

    edition: str
    farmer_harvest: str
    phase: str
    active_seat: int
    begun: bool
    steps_left: int
    moved_ships: tuple[str, ...]
    seats: tuple[SeatView, ...]
    provinces: tuple[ProvinceView, ...]
    fort_row: tuple[RowCard, ...]
    pile: tuple[int | None, ...]
    known_under: int
    unseen: tuple[int, ...]


def view(state: State, *, reveal: bool = False) -> View:
    """What everybody has learnt; with `reveal`, the order of the face-down cards as well."""
    board = state.board
    unknown = 0 if reveal else len(state.pile) - state.known_under
    turned_up = len(state.row) if reveal else state.turned_up
    return View(
        edition=state.edition,
        farmer_harvest=state.farmer_harvest,
        phase=state.phase,
        active_seat=state.active,
        begun=state.begun,
        steps_left=steps_left(state),
        moved_ships=_names(board, state.moved_ships),
        seats=tuple(_seat_view(state, board, seat) for seat in range(len(state.scores))),
        provinces=tuple(
            ProvinceView(province, None if tile == HARVESTED else board.tiles[tile].tile, figures)
            for province, tile, figures in zip(board.provinces, state.tiles, state.figures, strict=True)
        ),
        fort_row=tuple(
            RowCard(place, _status(state, place), point if place <= turned_up else None)
            for place, point in enumerate(state.row, start=1)
        ),
        pile=(None,) * unknown + state.pile[unknown:],
        known_under=state.known_under,
        unseen=tuple(sorted((*state.row[turned_up:], *state.pile[:unknown]))),
    )


def imagine(seen: View, chance: Chance) -> State:
    """A state that the view allows: the hidden fort cards are dealt anew from the unseen ones."""
    board = BOARDS[seen.edition]
    hidden = iter(chance.shuffle("imagined_fort_cards", seen.unseen).order)
    row = tuple(int(next(hidden)) if card.point is None else card.point for card in seen.fort_row)
    pile = tuple(int(next(hidden)) if point is None else point for point in seen.pile)
    seats = seen.seats
    return State(
        edition=seen.edition,
        farmer_harvest=seen.farmer_harvest,
        phase=seen.phase,
        active=seen.active_seat,
        begun=seen.begun,
        steps_taken=board.commander_steps - seen.steps_left,
        moved_ships=_indices(board, seen.moved_ships),
        scores=tuple(seat.score for seat in seats),
        played=tuple(seat.face_up for seat in seats),
        tiles=tuple(
            HARVESTED if province.tile is None else board.tile_index[province.tile] for province in seen.provinces
        ),
        collected=tuple(tuple(seat.tiles.count(kind.tile) for kind in board.tiles) for seat in seats),
        villagers=tuple(_indices(board, seat.villagers) for seat in seats),
        villages=tuple(_indices(board, seat.villages) for seat in seats),
        abbots=tuple(_indices(board, seat.abbots) for seat in seats),
        ships=tuple(_indices(board, seat.ships) for seat in seats),
        forts=tuple(seat.forts for seat in seats),
        figures=tuple(province.figures for province in seen.provinces),
        row=row,
        turned_down=sum(card.status == "scored" for card in seen.fort_row),
        turned_up=sum(card.status != "hidden" for card in seen.fort_row),
        pile=pile,
        known_under=seen.known_under,
    )


def _status(state: State, place: int) -> str:
    if place <= state.turned_down:
        return "scored"
    return "open" if place <= state.turned_up else "hidden"


def _seat_view(state: State, board: Board, seat: int) -> SeatView:
    pieces, played = board.pieces, state.played[seat]
    villagers, villages, abbots = state.villagers[seat], state.villages[seat], state.abbots[seat]
    ships, forts = state.ships[seat], state.forts[seat]
    return SeatView(
        seat=seat,
        score=state.scores[seat],
        hand=tuple(character for character in board.characters if character not in played),
        face_up=played,
        villagers=_names(board, villagers),
        villages=_names(board, villages),
        abbots=_names(board, abbots),
        ships=_names(board, ships),
        forts=forts,
        supply=Supply(
            villagers=pieces.villager.count - len(villagers),
            villages=pieces.village.count - len(villages),
            abbots=pieces.abbot.count - len(abbots),
            ships=pieces.ship.count - len(ships),
            forts=pieces.fort.count - len(forts),
        ),
        tiles=tuple(
            kind.tile for kind, count in zip(board.tiles, state.collected[seat], strict=True) for _ in range(count)
        ),
    )


def _names(board: Board, provinces: Sequence[int]) -> tuple[str, ...]:
    return tuple([board.provinces[province] for province in provinces])


def _indices(board: Board, names: Sequence[str]) -> tuple[int, ...]:
    return tuple([board.index[name] for name in names])
