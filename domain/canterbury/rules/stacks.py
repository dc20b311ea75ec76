"""Two players: the stacks from which the neutral colour builds."""

from domain.canterbury.board import Tile
from domain.canterbury.state import State, tables
from domain.canterbury.survey import Survey


def top_tile(state: State, seat: int) -> Tile:
    """The tile that comes next from the stacks of `seat`."""
    return tables(state).tiles[state.stacks[seat][0]]


def neutral_sites(state: State) -> int:
    """Where the active seat's top tile may be placed: by the rules for all, but nothing is demolished for it."""
    return Survey(state, clearing=False).sites(top_tile(state, state.active))


def may_swap(state: State) -> bool:
    """Whether the top tile may go back to the box: once a turn, from the second stack, with a tile below."""
    return state.neutral == "due" and in_second_stack(state) and len(state.stacks[state.active]) > 1


def in_second_stack(state: State) -> bool:
    """Whether the active seat's first stack is used up."""
    first, *_ = tables(state).data.stacks.value
    return len(state.stacks[state.active]) <= len(tables(state).stacks) - len(first)
