"""Service cubes: which districts a structure supplies at once, and which by choice."""

from domain.canterbury import events, refusals
from domain.canterbury.board import Tile, districts_in
from domain.canterbury.commands import Command, Serve, StopServing
from domain.canterbury.course import Course
from domain.canterbury.rules.districts import known_district
from domain.canterbury.rules.turns import go_on
from domain.canterbury.state import Serving, State, cubes_left, serving_of, supplied, tables
from domain.errors import RuleViolation


def supply_of(state: State, colour: int, tile: Tile, district: int) -> tuple[int, Serving | None]:
    """The districts that get a cube when `tile` is put down, and those to choose from afterwards.

    Home comes first. A medium structure supplies all its neighbours, by choice only when the cubes don't suffice; a
    large one up to five others of choice. A space that has a cube never gets another.
    """
    edition = tables(state)
    size = edition.sizes[tile.size]
    home = 1 << district
    open_spaces = edition.everywhere & ~supplied(state, tile.service)
    left = cubes_left(state, colour)
    at_once = home & open_spaces if left else 0
    left -= at_once.bit_count()
    reached = open_spaces & ~home & (edition.neighbours[district] if size.neighbours else 0)
    if reached.bit_count() <= left:
        at_once |= reached
        left -= reached.bit_count()
        reached = 0
    others = open_spaces & ~home if size.others else reached
    most = min(left, size.others or left, others.bit_count())
    if not most:
        return at_once, None
    return at_once, Serving(colour, tile.service, others, most, optional=bool(size.others))


def choose_or_go_on(course: Course, serving: Serving | None) -> None:
    """Let the active seat choose the districts, if there is a choice."""
    state = course.state
    if serving is None:
        go_on(course)
        return
    course.record(
        events.ServingBegan(
            seat=state.active,
            colour=serving.colour,
            service=tables(state).services[serving.service],
            districts=tuple(districts_in(serving.districts)),
            most=serving.most,
            optional=serving.optional,
        )
    )


def serve(course: Course, command: Serve) -> None:
    """Put one cube."""
    state = course.state
    serving = serving_of(state)
    service = tables(state).services[serving.service]
    district = known_district(state, command.district)
    if not serving.districts >> district & 1:
        taken = supplied(state, serving.service) >> district & 1
        rule = refusals.ALREADY_SUPPLIED if taken else refusals.NOT_NEXT_DOOR
        raise RuleViolation(rule, pointer="/data/district", district=district, service=service)
    course.record(events.DistrictServed(seat=state.active, colour=serving.colour, service=service, district=district))
    if serving.most == 1:
        _end(course)


def stop_serving(course: Course, _command: StopServing) -> None:
    """Supply no further district."""
    if not serving_of(course.state).optional:
        raise RuleViolation(refusals.MUST_SERVE)
    _end(course)


def legal_servings(state: State) -> list[Command]:
    """The districts to choose from, and to stop where that is allowed."""
    serving = serving_of(state)
    targets: list[Command] = [Serve(district) for district in districts_in(serving.districts)]
    return [*targets, StopServing()] if serving.optional else targets


def _end(course: Course) -> None:
    course.record(events.ServingEnded(seat=course.state.active))
    go_on(course)
