"""A city that can't reach its last hundred."""

from domain.canterbury import CANTERBURY, events
from domain.canterbury.commands import Levy
from domain.canterbury.state import State
from tests.domain.canterbury.builders import give, legal, only, position, settle


def full_city(**fields: object) -> State:
    """Water is everywhere, food nowhere, and water structures may stand nowhere any more."""
    wells = {district: "well fountain" for district in range(25) if district != 12}
    supply = (0,) * 6 + (0,) * 6 + (0,) + (1,) * 5
    return position({12: "fountain", **wells}, supply=supply, **fields)  # type: ignore[arg-type]


def test_when_nothing_can_be_built_at_any_price_the_end_follows_at_once() -> None:
    state, what = give(full_city(city=250, scorings=2, paid=2), Levy())
    assert only(what, events.CityHalted).seat == 1
    state, what = settle(state)
    assert only(what, events.DistrictsScored).scoring == 4
    assert not any(isinstance(event, events.RankPaid) for event in what)
    assert CANTERBURY.result(state) is not None


def test_before_the_first_scoring_too_the_last_scoring_is_the_only_one() -> None:
    state, _ = give(full_city(city=60), Levy())
    state, what = settle(state)
    assert [event.scoring for event in what if isinstance(event, events.DistrictsScored)] == [4]
    assert CANTERBURY.result(state) is not None


def test_a_city_that_has_passed_the_last_hundred_plays_its_last_rounds() -> None:
    state, what = give(full_city(city=301, scorings=3, paid=3, final_round=3), Levy())
    assert not any(isinstance(event, events.CityHalted) for event in what)
    assert legal(state) == [Levy()]


def test_lack_of_money_does_not_halt_the_city() -> None:
    state, what = give(position(shillings=0), Levy())
    assert not any(isinstance(event, events.CityHalted) for event in what)
    assert CANTERBURY.to_act(state) == (1,)
