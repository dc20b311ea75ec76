"""The steps that the house owes: scoring the districts, paying the rank tokens, the end of the game."""

from domain.canterbury import events
from domain.canterbury.board import districts_in
from domain.canterbury.commands import PayRanks, ScoreDistricts, ScoreEnd
from domain.canterbury.course import Course
from domain.canterbury.rules.turns import last_turn_over, next_turn
from domain.canterbury.scoring import district_bonus, kings_bonus, ranking
from domain.canterbury.state import State, cubes_by_district, scored_lots, tables


def score_districts(course: Course, _command: ScoreDistricts) -> None:
    """Score every district that has a structure; the scoring at the end is the last of all, whichever went before."""
    state = course.state
    edition = tables(state)
    last = len(edition.data.city.value.hundreds) + 1
    scoring = last if last_turn_over(state) else state.scorings + 1
    before = state.scores
    cubes = cubes_by_district(state)
    for district in districts_in(edition.everywhere & ~state.free[-1]):
        course.record(_district_scored(state, scoring, district, cubes[district]))
    gained = tuple(now - then for now, then in zip(course.state.scores, before, strict=True))
    course.record(events.DistrictsScored(scoring=scoring, points=gained))
    next_turn(course)


def pay_ranks(course: Course, _command: PayRanks) -> None:
    """Pay every seat the shillings that its rank token shows for this scoring."""
    state = course.state
    for seat in range(state.seats):
        shillings = tables(state).data.rank_payouts.value[seat][state.scorings - 1]
        course.record(events.RankPaid(seat=seat, scoring=state.scorings, rank=seat + 1, shillings=shillings))
    course.record(events.RanksPaid(scoring=state.scorings))
    next_turn(course)


def score_end(course: Course, _command: ScoreEnd) -> None:
    """Pay the King's bonuses service by service, then a point for every so many shillings, and rank the seats."""
    state = course.state
    edition = tables(state)
    table = edition.data.kings_bonus.value
    for service, name in enumerate(edition.services):
        cubes = tuple(services[service].bit_count() for services in state.cubes)
        points = kings_bonus(cubes, table.first, table.second)
        course.record(events.KingRewarded(service=name, cubes=cubes, points=points))
    for seat, shillings in enumerate(state.shillings):
        points_of_money = shillings // edition.data.shillings_per_point.value
        course.record(events.ShillingsCounted(seat=seat, shillings=shillings, points=points_of_money))
    state = course.state
    course.record(events.GameEnded(scores=state.scores, shillings=state.shillings, ranking=ranking(state)))


def _district_scored(state: State, scoring: int, district: int, cubes: tuple[int, ...]) -> events.DistrictScored:
    first = scored_lots(state, district)
    second = first // tables(state).data.second_bonus_divisor.value
    return events.DistrictScored(
        scoring=scoring,
        district=district,
        first=first,
        second=second,
        cubes=cubes,
        points=district_bonus(cubes, first, second),
    )
