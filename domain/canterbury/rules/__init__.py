"""The rules: which command is judged by which function in which phase, and what is legal there."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from domain.canterbury import refusals
from domain.canterbury.commands import (
    Build,
    Command,
    Demolish,
    DiscardNeutral,
    EndTurn,
    FullBuild,
    Levy,
    PayRanks,
    Place,
    PlaceNeutral,
    ScoreDistricts,
    ScoreEnd,
    Serve,
    StopServing,
    SwapNeutral,
    TaxAndBuild,
)
from domain.canterbury.course import Course
from domain.canterbury.events import Event
from domain.canterbury.rules.actions import full_build, legal_actions, levy, stop_building, tax_and_build
from domain.canterbury.rules.building import build, demolish, legal_builds, legal_demolitions, place
from domain.canterbury.rules.house import pay_ranks, score_districts, score_end
from domain.canterbury.rules.neutral import discard_neutral, legal_neutral, place_neutral, swap_neutral
from domain.canterbury.rules.serving import legal_servings, serve, stop_serving
from domain.canterbury.state import State, phase
from domain.errors import RuleViolation

_Judge = Callable[[Course, Any], None]

_JUDGES: Mapping[str, Mapping[type[Command], _Judge]] = {
    "neutral": {PlaceNeutral: place_neutral, SwapNeutral: swap_neutral, DiscardNeutral: discard_neutral},
    "action": {Levy: levy, FullBuild: full_build, TaxAndBuild: tax_and_build},
    "build": {Build: build, EndTurn: stop_building},
    "demolish": {Demolish: demolish, Place: place},
    "serve": {Serve: serve, StopServing: stop_serving},
    "scoring": {ScoreDistricts: score_districts, PayRanks: pay_ranks, ScoreEnd: score_end},
}

_LISTS: Mapping[str, Callable[[State], list[Command]]] = {
    "neutral": legal_neutral,
    "action": legal_actions,
    "build": legal_builds,
    "demolish": legal_demolitions,
    "serve": legal_servings,
}


def decide(state: State, command: Command) -> Sequence[Event]:
    """What `command` of the seat to act (or of the house) brings about. Raises RuleViolation."""
    judges = _JUDGES[phase(state)]
    judge = judges.get(type(command))
    if judge is None:
        expected = ", ".join(accepted.type for accepted in judges)
        raise RuleViolation(refusals.WRONG_STEP, pointer="/type", command=command.type, expected=expected)
    course = Course(state)
    judge(course, command)
    return course.events


def legal_commands(state: State) -> Sequence[Command]:
    """Exactly the commands that `decide` accepts from the seat to act."""
    return _LISTS[phase(state)](state)
