"""How good a state is for a seat, in points: what a bot that looks one command ahead maximises.

Points on hand count whole. What the fort cards will pay counts less the later they come; hidden ones count by what the
unseen cards pay on average. Only what everybody sees is used: hidden cards enter as the set of the unseen ones.
"""

from functools import lru_cache

from domain.kreta.actions import ACTIONS, legal_commands
from domain.kreta.board import BOARDS
from domain.kreta.commands import SeatCommand
from domain.kreta.evolution import evolve
from domain.kreta.position import harvestable_provinces, tiles_collected
from domain.kreta.rules import decide
from domain.kreta.scoring import influences, payment, rank_of
from domain.kreta.state import SCORING, State

NEXT_CARD = 0.8
"""What a point of the leftmost open card is worth before its castellan is played; each later card is worth this part again."""
HIDDEN_CARD = 0.3
"""What a point of a hidden card of the row is worth."""
PRESENCE = 0.25
"""The part of a province's value that is shared out by influence, so that a second piece counts where it changes no rank."""
CARD_FACE_UP = 0.35
"""What it costs that a card cannot be played again in this round."""
TILE = 0.5
"""What a collected tile is worth beyond its points, since it allows a village."""
TILE_IN_REACH = 0.3
"""The part of a tile's points that counts when an own ship and villagers already wait there."""
PIECE_IN_SUPPLY = 0.4
"""A fort or village that can still be built where it matters."""


def evaluate(state: State, seat: int) -> float:
    """The lead of `seat` over the others' mean, in points, with what lies on the board and in the row.

    When `seat` has just played a card, the state is worth what the best command of its action makes of it.
    """
    if state.active == seat and state.phase in ACTIONS and not state.begun:
        return max(_worth(_after(state, command), seat) for command in legal_commands(state))
    return _worth(state, seat)


def _after(state: State, command: SeatCommand) -> State:
    for event in decide(state, command):
        state = evolve(state, event)
    return state


def _worth(state: State, seat: int) -> float:
    """The same, for a state between two steps."""
    prospects = [score + _holdings(state, other) for other, score in enumerate(state.scores)]
    for other, expected in enumerate(_expected_points(state)):
        prospects[other] += expected
    rivals = len(prospects) - 1
    return prospects[seat] - (sum(prospects) - prospects[seat]) / rivals


def _holdings(state: State, seat: int) -> float:
    """Cards in hand, tiles, and pieces that can still be built, in points."""
    pieces = state.board.pieces
    face_up = 0 if state.phase == SCORING else len(state.played[seat])
    tiles = tiles_collected(state, seat)
    forts = pieces.fort.count - len(state.forts[seat])
    villages = min(pieces.village.count, tiles) - len(state.villages[seat])
    return (
        TILE * tiles
        + PIECE_IN_SUPPLY * (forts + villages)
        - CARD_FACE_UP * face_up
        + TILE_IN_REACH * _harvest(state, seat)
    )


def _harvest(state: State, seat: int) -> int:
    """What the tiles would pay, each by itself, that the farmer of `seat` reaches."""
    points, collected = state.board.tile_points, state.collected[seat]
    return sum(points[collected[state.tiles[province]]] for province in harvestable_provinces(state, seat))


def _expected_points(state: State) -> list[float]:
    """By seat, what the fort cards would pay if the pieces stayed where they are."""
    board, seats = state.board, len(state.scores)
    expected = [0.0] * seats
    weights = _province_weights(
        state.edition,
        state.phase == SCORING,
        state.row[state.turned_down : state.turned_up],
        frozenset(state.row[state.turned_up :] + state.pile[: len(state.pile) - state.known_under]),
        len(state.row) - state.turned_up,
    )
    for present, value, weight in zip(influences(state), board.values, weights, strict=True):
        if weight and any(present):
            for seat, influence in enumerate(present):
                if influence:
                    paid = payment(board, seats, value, rank_of(influence, present))
                    expected[seat] += weight * (paid + PRESENCE * value * influence / sum(present))
    return expected


@lru_cache(maxsize=1024)
def _province_weights(
    edition: str, is_scored_now: bool, open_points: tuple[int, ...], unseen: frozenset[int], hidden: int
) -> tuple[float, ...]:
    """By province, what a point there is worth: the open cards in their order, and the mean of the unseen for each hidden one."""
    board = BOARDS[edition]
    weights = [0.0] * len(board.provinces)
    weight = 1.0 if is_scored_now else NEXT_CARD
    for point in open_points:
        for province in board.around[point]:
            weights[province] += weight
        weight *= NEXT_CARD
    for point in unseen:
        for province in board.around[point]:
            weights[province] += HIDDEN_CARD * hidden / len(unseen)
    return tuple(weights)
