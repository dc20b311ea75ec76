"""How good a state is for a seat: what a bot that looks one command ahead maximises."""

from domain.kreta.state import State


def evaluate(state: State, seat: int) -> float:
    """Points."""
    return float(state.scores[seat])
