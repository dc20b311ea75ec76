"""How good a state is for a seat, in points: what is sure, and what its goods may still bring."""

from domain.porta_nigra.board import Board
from domain.porta_nigra.state import State


def evaluate(board: Board, state: State, seat: int) -> float:
    """Points so far and to come."""
    return 0.0
