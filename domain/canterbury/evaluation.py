"""How good a state is for a seat, in points."""

from domain.canterbury.state import State


def evaluate(state: State, seat: int) -> float:
    """Points so far."""
    return float(state.scores[seat])
