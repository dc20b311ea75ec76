"""From events to state: facts are copied, nothing is judged, drawn or scored."""

from domain.porta_nigra.events.course import PortaNigraEvent
from domain.porta_nigra.evolution import actions, course, scoring
from domain.porta_nigra.state import State

_FOLDS = {**course.FOLDS, **actions.FOLDS, **scoring.FOLDS}


def evolve(state: State | None, event: PortaNigraEvent) -> State:
    """The state after `event`; the first event makes the state."""
    return _FOLDS[type(event)](state, event)
