"""Who has how much influence on a province, and what that pays."""

from collections.abc import Sequence

from msgspec.structs import replace

from domain.kreta.board import Board
from domain.kreta.events import ProvinceScored, Standing
from domain.kreta.state import State


def score_point(state: State, place: int, point: int) -> tuple[ProvinceScored, ...]:
    """The provinces around the fort point of a card, each scored by itself, in the order of the data (ruling 16)."""
    board = state.board
    return tuple(
        ProvinceScored(place, point, board.provinces[province], board.values[province], standings(state, province))
        for province in board.around[point]
    )


def standings(state: State, province: int) -> tuple[Standing, ...]:
    """The seats with influence on `province`, best first; without influence nobody is paid (ruling 15)."""
    seats = range(len(state.scores))
    present = [standing for seat in seats if (standing := _presence(state, seat, province)).influence]
    influences = [standing.influence for standing in present]
    value = state.board.values[province]
    paid = [
        replace(standing, rank=rank, points=payment(state.board, len(seats), value, rank))
        for standing in present
        for rank in (rank_of(standing.influence, influences),)
    ]
    return tuple(sorted(paid, key=lambda standing: standing.rank))


def rank_of(influence: int, influences: Sequence[int]) -> int:
    """1 for the most influence; nobody is second beside a tie for the first rank."""
    return 1 + sum(other > influence for other in influences)


def payment(board: Board, seats: int, value: int, rank: int) -> int:
    """The first rank takes the value, each second its share rounded down unless the game is too small for one."""
    if rank == 1:
        return value
    if rank == 2 and seats >= board.second_place_from:
        numerator, denominator = board.second_place_share
        return value * numerator // denominator
    return 0


def influences(state: State) -> list[list[int]]:
    """The influence of every seat on every province, by province and seat."""
    board, seats = state.board, len(state.scores)
    pieces, around = board.pieces, board.around
    table = [[0] * seats for _ in board.provinces]
    for places, influence in (
        (state.villagers, pieces.villager.influence),
        (state.villages, pieces.village.influence),
        (state.abbots, pieces.abbot.influence),
        (state.ships, pieces.ship.influence),
    ):
        for seat, provinces in enumerate(places):
            for province in provinces:
                table[province][seat] += influence
    for seat, sites in enumerate(state.forts):
        for site in sites:
            for province in around[site]:
                table[province][seat] += pieces.fort.influence
    return table


def _presence(state: State, seat: int, province: int) -> Standing:
    """Pieces by kind; a fort counts in every province that its point touches, a ship in its harbour's."""
    pieces, around = state.board.pieces, state.board.around
    villagers = state.villagers[seat].count(province)
    villages = state.villages[seat].count(province)
    abbots = state.abbots[seat].count(province)
    ships = state.ships[seat].count(province)
    forts = sum(province in around[site] for site in state.forts[seat])
    influence = (
        villagers * pieces.villager.influence
        + villages * pieces.village.influence
        + abbots * pieces.abbot.influence
        + ships * pieces.ship.influence
        + forts * pieces.fort.influence
    )
    return Standing(seat, villagers, villages, abbots, ships, forts, influence, rank=0, points=0)
