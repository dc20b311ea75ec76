"""The set-up and the data behind it."""

import pytest

from domain.canterbury import CANTERBURY
from domain.canterbury.board import EDITIONS
from domain.canterbury.state import cubes_left, supplied
from domain.canterbury.view import view
from domain.errors import BadCommand
from domain.game import Options
from tests.domain.canterbury.builders import CENTRE, EDITION, NEUTRAL, new_game, stands


def test_t1_a_new_game() -> None:
    state = new_game(4)
    seen = view(state)
    assert (seen.city.prosperity, seen.city.treasury, seen.city.tax, seen.city.discs) == (1, 5, 2, 0)
    assert state.scores == (0, 0, 0, 0)
    assert state.shillings == (6, 6, 6, 6)
    assert [player.action for player in seen.players] == ["full_build"] * 4
    assert [cubes_left(state, seat) for seat in range(4)] == [42] * 4
    assert CANTERBURY.to_act(state) == (0,)


def test_the_roman_well_stands_in_the_centre_and_supplies_it_with_the_purple_cube() -> None:
    state = new_game()
    assert stands(state, "roman_well", CENTRE)
    assert supplied(state, 0) == 1 << CENTRE
    assert view(state).districts[CENTRE].cubes == (-1, None, None, None, None, None)
    assert view(state).districts[CENTRE].free_lots == 5


def test_rank_1_starts_and_ranks_follow_the_seats() -> None:
    assert [player.rank for player in view(new_game(4)).players] == [1, 2, 3, 4]


def test_the_supply_holds_all_tiles_but_the_roman_well() -> None:
    supply = {stock.structure: stock.left for stock in view(new_game(3)).supply}
    assert sorted(supply.values()) == [1] * 6 + [5] * 6 + [9] * 6
    assert sum(supply.values()) == 90


def test_two_players_keep_two_stacks_each_for_the_neutral_colour_taken_from_the_supply() -> None:
    state = new_game(2)
    seen = view(state)
    supply = {stock.structure: stock.left for stock in seen.supply}
    assert sorted(supply.values()) == [1] * 6 + [3] * 6 + [7] * 6
    assert seen.neutral is not None
    small = ("well", "garden", "chapel", "watchtower", "traders_stall", "entertainers_wagon")
    medium = ("fountain", "farm", "church", "barracks", "market_square", "stage")
    assert seen.neutral.stacks == (small + medium,) * 2
    assert cubes_left(state, NEUTRAL) == 44


def test_three_players_have_no_neutral_colour() -> None:
    assert view(new_game(3)).neutral is None


def test_the_board_has_one_central_eight_inner_and_sixteen_outer_districts() -> None:
    parts = EDITION.data.parts.value
    assert (parts.count("central"), parts.count("inner"), parts.count("outer")) == (1, 8, 16)
    assert parts[CENTRE] == "central"
    assert {d for d, part in enumerate(parts) if part == "inner"} == {6, 7, 8, 11, 13, 16, 17, 18}


def test_neighbours_are_orthogonal() -> None:
    for district, neighbours in enumerate(EDITION.neighbours):
        assert EDITION.around(1 << district) == neighbours
    assert EDITION.neighbours[0] == 1 << 1 | 1 << 5
    assert EDITION.neighbours[4] == 1 << 3 | 1 << 9
    assert EDITION.neighbours[CENTRE] == 1 << 7 | 1 << 11 | 1 << 13 | 1 << 17


def test_every_value_names_its_provenance() -> None:
    known = set(EDITION.raw["provenance"])
    tables = {name: table for name, table in EDITION.raw.items() if isinstance(table, dict)}
    for name in tables.keys() - {"game", "provenance", "structures"}:
        assert tables[name]["provenance"] in known
        assert tables[name]["source"]
    assert set(tables["structures"]["provenance"].values()) <= known


def test_the_data_fits_the_constraints_of_the_rulebook() -> None:
    tiles = EDITION.for_sale
    small, medium, large = tiles[:6], tiles[6:12], tiles[12:]
    assert small[0].cost + small[1].cost <= 6
    for size in (small, medium):
        worth = [max(tile.points) / tile.cost for tile in size]
        assert worth == sorted(worth)
    city = sum(9 * tile.city for tile in small) + sum(5 * tile.city for tile in medium) + sum(t.city for t in large)
    assert city == 549


def test_an_edition_is_named_with_the_digest_of_its_data() -> None:
    assert dict(CANTERBURY.editions) == {"reconstructed": EDITIONS["reconstructed"].digest}
    assert CANTERBURY.reference()["reconstructed"]["edition"] == "reconstructed"


def test_an_unknown_edition_is_refused() -> None:
    CANTERBURY.check(3, Options())
    with pytest.raises(BadCommand, match="reconstructed") as refusal:
        CANTERBURY.check(3, Options(edition="printed"))
    assert refusal.value.pointer == "/options/edition"


def test_every_rule_has_a_code_of_its_own() -> None:
    codes = [rule.code for rule in CANTERBURY.rulebook]
    assert len(codes) == len(set(codes))
