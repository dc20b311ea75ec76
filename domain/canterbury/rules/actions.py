"""Choosing the action of a turn, and ending it between two builds."""

from domain.canterbury import events, refusals
from domain.canterbury.commands import Command, EndTurn, FullBuild, Levy, TaxAndBuild
from domain.canterbury.course import Course
from domain.canterbury.rules.turns import end_turn, must_full_build
from domain.canterbury.state import State, tables
from domain.canterbury.survey import Survey
from domain.errors import RuleViolation


def levy(course: Course, _command: Levy) -> None:
    """Take the treasury; the turn is over and the next one must be a full build."""
    state = course.state
    _refuse_if_bound(state)
    course.record(events.TreasuryLevied(seat=state.active, shillings=tables(state).treasury(state.city)))
    end_turn(course)


def full_build(course: Course, _command: FullBuild) -> None:
    """Begin to build with the money at hand."""
    state = course.state
    shillings = state.shillings[state.active]
    if not Survey(state).can_build(shillings):
        raise RuleViolation(refusals.NOTHING_TO_BUILD, shillings=shillings)
    course.record(events.FullBuildBegan(seat=state.active))


def tax_and_build(course: Course, _command: TaxAndBuild) -> None:
    """Take the tax, by the city before this turn's building, and begin to build one structure."""
    state = course.state
    _refuse_if_bound(state)
    tax = tables(state).tax(state.city)
    shillings = state.shillings[state.active] + tax
    if not Survey(state).can_build(shillings):
        raise RuleViolation(refusals.NOTHING_TO_BUILD, shillings=shillings)
    course.record(events.CitizensTaxed(seat=state.active, shillings=tax))


def stop_building(course: Course, _command: EndTurn) -> None:
    """Be content with one structure."""
    if not course.state.built:
        raise RuleViolation(refusals.BUILD_FIRST)
    end_turn(course)


def legal_actions(state: State) -> list[Command]:
    """The actions open to the active seat."""
    survey = Survey(state)
    shillings = state.shillings[state.active]
    full: list[Command] = [FullBuild()] if survey.can_build(shillings) else []
    if must_full_build(state):
        return full
    taxed = full or survey.can_build(shillings + tables(state).tax(state.city))
    return [Levy(), *full, TaxAndBuild()] if taxed else [Levy()]


def _refuse_if_bound(state: State) -> None:
    if state.round == 1:
        raise RuleViolation(refusals.FULL_BUILD_FIRST)
    if must_full_build(state):
        raise RuleViolation(refusals.FULL_BUILD_OWED)
