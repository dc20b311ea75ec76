"""The data of the edition: what the sources say about the printed board and its pieces."""

import json
from importlib.resources import files
from typing import Any

import pytest

from domain.canonical import digest
from domain.kreta import KRETA
from tests.domain.kreta.builders import BOARD, EDITION

DATA: dict[str, Any] = json.loads((files("domain.kreta") / "editions" / "reconstructed.json").read_bytes())
PROVINCES = {province["id"]: province for province in DATA["map"]["provinces"]}
POINTS = {point["site"]: point for point in DATA["map"]["fort_points"]}
LEVELS = set(DATA["confidence_levels"])


def test_the_edition_is_named_with_the_digest_of_its_data() -> None:
    assert KRETA.editions == {EDITION: digest(DATA)}
    assert KRETA.reference() == {EDITION: DATA}
    assert KRETA.options_type().edition == EDITION


def test_an_edition_is_never_edited_since_logs_name_its_digest() -> None:
    assert KRETA.editions[EDITION] == "sha256:265bd1b048ca828ea4ccf5206ce0af226505351d2ca645c0ae9e67d21b29383c"


def test_every_table_names_its_source_and_how_sure_it_is() -> None:
    tables = [table for table in DATA.values() if isinstance(table, dict) and "provenance" in table]
    assert len(tables) == 13
    for table in tables:
        assert table["provenance"]
        assert table["confidence"] in LEVELS


def test_there_are_two_fields_eight_hills_and_six_mountains() -> None:
    assert [BOARD.terrains.count(terrain) for terrain in ("field", "hill", "mountain")] == [2, 8, 6]


def test_a_province_is_worth_its_terrain_and_its_harbour_58_in_all() -> None:
    worth = DATA["terrain_values"]
    for province in PROVINCES.values():
        assert province["value"] == worth[province["terrain"]] + worth["harbour"] * province["harbour"]
    assert sum(BOARD.values) == 58


def test_seven_provinces_have_a_harbour_both_fields_among_them() -> None:
    harbours = [province for province in PROVINCES.values() if province["harbour"]]
    assert len(harbours) == BOARD.harbours.bit_count() == 7
    assert sum(province["terrain"] == "field" for province in harbours) == 2
    assert all(province["harbour_point"] for province in harbours)


def test_borders_are_mutual_and_lie_between_the_fort_points_at_their_ends() -> None:
    borders = {frozenset(border["between"]): border for border in DATA["map"]["borders"]}
    assert len(borders) == 27
    for name, province in PROVINCES.items():
        assert {frozenset((name, other)) for other in province["adjacent"]} == {
            pair for pair in borders if name in pair
        }
    for pair, border in borders.items():
        for site in (border["from_site"], border["to_site"]):
            assert pair <= set(POINTS[site]["provinces"])


def test_26_fort_points_touch_two_to_four_provinces_each() -> None:
    assert sorted(POINTS) == list(range(1, 27))
    for site, point in POINTS.items():
        assert 2 <= len(point["provinces"]) <= 4
        assert {name for name, province in PROVINCES.items() if site in province["fort_points"]} == set(
            point["provinces"]
        )
    corners = sum(point["coastal"] and len(point["provinces"]) == 3 for point in POINTS.values())
    assert corners + sum(len(point["provinces"]) == 4 for point in POINTS.values()) == 4


def test_point_2_touches_a_hill_a_hill_with_harbour_and_a_mountain_with_harbour() -> None:
    around = [PROVINCES[name] for name in POINTS[2]["provinces"]]
    assert sorted((province["terrain"], province["value"]) for province in around) == [
        ("hill", 3),
        ("hill", 5),
        ("mountain", 4),
    ]


def test_the_island_is_connected_and_six_steps_wide() -> None:
    assert max(max(row) for row in BOARD.distances) == 6


@pytest.mark.parametrize(
    ("origin", "target"),
    [
        ("sfakia", "mylopotamos"),
        ("kydonia", "amari"),
        ("mylopotamos", "monofatsi"),
        ("amari", "candia"),
        ("candia", "viannos"),
        ("monofatsi", "lasithi"),
        ("sitia", "ierapetra"),
    ],
)
def test_provinces_that_meet_in_a_point_only_are_not_adjacent(origin: str, target: str) -> None:
    assert BOARD.distances[BOARD.index[origin]][BOARD.index[target]] == 2


def test_there_is_a_tile_for_every_province() -> None:
    for terrain in ("field", "hill", "mountain"):
        assert BOARD.terrains.count(terrain) == sum(kind.count for kind in BOARD.tiles if kind.terrain == terrain)
    assert max(kind.count for kind in BOARD.tiles) == len(BOARD.tile_points)


def test_pieces_cards_and_limits_are_those_of_the_rulebook() -> None:
    pieces = BOARD.pieces
    counts = [kind.count for kind in (pieces.villager, pieces.village, pieces.abbot, pieces.ship, pieces.fort)]
    assert counts == [5, 4, 1, 2, 3]
    assert (len(BOARD.characters), BOARD.row_length, BOARD.row_open) == (7, 11, 2)
    assert (BOARD.figures_in_a_province, BOARD.commander_steps, BOARD.abbot_steps) == (7, 4, 3)
    assert KRETA.seats == range(2, 5)
