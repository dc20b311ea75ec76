"""Levy, full build, tax and build."""

import pytest
from msgspec.structs import replace

from domain.canterbury import CANTERBURY, events
from domain.canterbury.commands import (
    Build,
    EndTurn,
    FullBuild,
    Levy,
    Place,
    PlaceNeutral,
    Serve,
    StopServing,
    TaxAndBuild,
)
from tests.domain.canterbury.builders import EDITION, building, give, legal, new_game, only, position, refused


def test_t2_a_levy_pays_the_treasury_and_obliges_to_a_full_build() -> None:
    state, what = give(position(city=39, shillings=0), Levy())
    assert only(what, events.TreasuryLevied).shillings == 8
    assert state.shillings == (8, 0, 0)
    again = replace(state, active=0, round=3)
    assert legal(again) == [FullBuild()]
    assert refused(again, Levy()) == "full_build_owed"
    assert refused(again, TaxAndBuild()) == "full_build_owed"


@pytest.mark.parametrize(
    ("marker", "discs", "shillings"), [(0, 1, 15), (99, 2, 34), (1, 3, 35), (1, 0, 5), (9, 0, 5), (10, 0, 6)]
)
def test_t3_the_treasury_follows_the_city_marker_and_its_discs(marker: int, discs: int, shillings: int) -> None:
    assert EDITION.treasury(100 * discs + marker) == shillings


def test_t4_the_tax_is_half_the_treasury_rounded_down() -> None:
    pairs = {EDITION.treasury(city): EDITION.tax(city) for city in range(1, 302)}
    assert sorted(pairs) == list(range(5, 36))
    assert all(tax == treasury // 2 for treasury, tax in pairs.items())
    assert [pairs[treasury] for treasury in (5, 6, 34, 35)] == [2, 3, 17, 17]


def test_t5_in_the_first_round_everybody_must_choose_the_full_build() -> None:
    state = new_game(4)
    for seat in range(4):
        assert CANTERBURY.to_act(state) == (seat,)
        assert legal(state) == [FullBuild()]
        assert refused(state, Levy()) == "first_round_full_build"
        assert refused(state, TaxAndBuild()) == "first_round_full_build"
        state, _ = give(state, FullBuild())
        state, _ = give(state, legal(state)[0], EndTurn())
    assert set(legal(state)) == {Levy(), FullBuild(), TaxAndBuild()}


def test_a_levy_ends_the_turn() -> None:
    state, what = give(position(), Levy())
    assert [type(event) for event in what] == [events.TreasuryLevied, events.TurnEnded, events.TurnBegan]
    assert CANTERBURY.to_act(state) == (1,)


def test_the_obligation_after_a_levy_ends_with_the_full_build() -> None:
    state, _ = give(position(markers=("levy", "full_build", "full_build")), FullBuild(), Build("well", 7), EndTurn())
    assert Levy() in legal(replace(state, active=0, round=3))


def test_tax_and_build_leaves_no_obligation() -> None:
    state, _ = give(position(), TaxAndBuild(), Build("well", 7))
    assert Levy() in legal(replace(state, active=0, round=3))


def test_tax_and_build_pays_the_tax_of_the_city_before_the_building() -> None:
    state, what = give(position(city=59, shillings=0), TaxAndBuild())
    assert only(what, events.CitizensTaxed).shillings == 5
    assert state.shillings == (5, 0, 0)
    state, _ = give(state, Build("well", 7))
    assert state.shillings == (3, 0, 0)


def test_tax_and_build_builds_exactly_one_structure_of_any_size() -> None:
    state = building(position(cubes={1: {"water": [7]}}), "tax_and_build")
    assert refused(state, EndTurn()) == "build_first"
    assert {Build("well", 7), Build("fountain", 7), Build("aqueduct", 7)} <= set(legal(state))
    after, what = give(state, Build("fountain", 7))
    assert isinstance(what[-1], events.TurnBegan)
    assert CANTERBURY.to_act(after) == (1,)


def test_tax_and_build_is_legal_only_if_a_build_is_after_the_tax() -> None:
    poor = position(shillings=0, city=1)
    assert legal(poor) == [Levy(), TaxAndBuild()]
    state = position({d: "well" for d in range(25) if d != 12}, shillings=0, city=1)
    assert legal(state) == [Levy()]
    assert refused(state, TaxAndBuild()) == "nothing_to_build"


def test_full_build_is_legal_only_if_some_build_is() -> None:
    state = position(shillings=1)
    assert FullBuild() not in legal(state)
    assert refused(state, FullBuild()) == "nothing_to_build"


def test_full_build_obliges_to_build_at_least_one_structure() -> None:
    assert refused(building(position()), EndTurn()) == "build_first"


def test_an_owed_full_build_that_nobody_could_pay_passes_by_itself_and_is_met() -> None:
    state = position(markers=("full_build", "levy", "full_build"), shillings=0)
    state, what = give(state, Levy())
    assert only(what, events.TurnPassed).seat == 1
    assert CANTERBURY.to_act(state) == (2,)
    assert state.markers == ("levy", "full_build", "full_build")


def test_all_may_pass_one_after_the_other() -> None:
    state, what = give(position(markers=("full_build", "levy", "levy"), shillings=0, city=1), Levy())
    assert [event.seat for event in what if isinstance(event, events.TurnPassed)] == [1, 2]
    assert CANTERBURY.to_act(state) == (0,)
    assert (state.round, state.markers) == (3, ("levy", "full_build", "full_build"))


def test_a_turn_follows_the_next_until_the_round_is_over() -> None:
    state, _ = give(position(), Levy(), Levy())
    assert (state.round, CANTERBURY.to_act(state)) == (2, (2,))
    state, _ = give(state, Levy())
    assert (state.round, CANTERBURY.to_act(state)) == (3, (0,))


def test_what_belongs_to_another_step_is_refused_and_the_right_step_named() -> None:
    state = position()
    for command in (Build("well", 7), Place(), Serve(7), StopServing(), EndTurn(), PlaceNeutral(7)):
        assert refused(state, command) == "wrong_step"
    assert refused(building(state), Levy()) == "wrong_step"


def test_another_seat_has_no_legal_commands() -> None:
    assert CANTERBURY.legal_commands(position(), 1) == ()
