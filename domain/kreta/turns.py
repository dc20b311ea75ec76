"""How a turn goes on after a step of its action."""

from domain.kreta.actions import is_finished
from domain.kreta.events import KretaEvent, TurnEnded
from domain.kreta.evolution import evolve
from domain.kreta.state import State

Events = tuple[KretaEvent, ...]


def turn_ended(state: State) -> TurnEnded:
    """The end of the active seat's turn."""
    return TurnEnded(state.active, (state.active + 1) % len(state.scores))


def and_end(state: State, event: KretaEvent) -> Events:
    """`event` is all that the action allows, so the turn ends."""
    return (event, turn_ended(state))


def and_go_on(state: State, event: KretaEvent) -> Events:
    """The action goes on after `event`; when nothing is left to do, the turn ends by itself (ruling 22)."""
    return and_end(state, event) if is_finished(evolve(state, event)) else (event,)
