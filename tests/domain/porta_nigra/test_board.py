"""The data file: what the sources state of the printed game, and the constraints that every value set must obey."""

from collections import Counter

import pytest

from domain.canonical import digest
from domain.porta_nigra import PORTA_NIGRA
from domain.porta_nigra.board import ANY_SHOP, BOARD, members
from domain.porta_nigra.edition import EDITIONS, REFERENCE
from domain.porta_nigra.view import Bricks, Placed

DATA = REFERENCE[BOARD.edition]
SITES = {site.id: site for site in BOARD.sites}


def row(building: str, name: str) -> list[tuple[int, str]]:
    quarter = BOARD.quarter_index[building]
    return [
        (site.sizes[-1], BOARD.colors[site.color])
        for site in BOARD.sites
        if site.building == quarter and site.row == name
    ]


def test_the_board_has_44_sites_in_the_rows_of_the_rulebook() -> None:
    rows = Counter((BOARD.quarters[site.building], site.row) for site in BOARD.sites)
    assert rows == {
        ("basilica", "A"): 5,
        ("basilica", "B"): 5,
        ("amphitheatre", "A"): 5,
        ("amphitheatre", "B"): 5,
        ("amphitheatre", "C"): 5,
        ("city_wall", "W"): 10,
        ("porta_nigra", "P"): 9,
    }
    assert rows.total() == 44


def test_the_sites_of_the_worked_examples_exist() -> None:
    basilica = DATA["sites"][4]
    assert (basilica["id"], basilica["color"], basilica["max_bricks"], basilica["vp"]) == ("BAS-A5", "yellow", 2, 9)
    assert {(2, "blue"), (2, "yellow"), (4, "white")} <= set(row("basilica", "A"))
    assert (2, "red") in row("basilica", "B")
    assert {(3, "red"), (3, "yellow")} <= set(row("amphitheatre", "A"))
    assert any(len(site.sizes) == 1 and site.sizes[0] == 2 and site.color == 0 for site in BOARD.sites)
    assert sum(color == "yellow" for _, color in row("porta_nigra", "P")) >= 1


def test_a_porta_nigra_element_pays_height_times_price() -> None:
    for site in BOARD.sites:
        if site.building == BOARD.quarter_index["porta_nigra"]:
            assert site.sizes == range(3, 9)
            assert [site.points[height] for height in site.sizes] == [
                height * BOARD.prices[site.color] for height in site.sizes
            ]
    assert SITES["POR-P4"].points[7] == 28


def test_fixed_sites_pay_by_the_formula_that_fits_the_one_known_value() -> None:
    for site in BOARD.sites:
        if len(site.sizes) == 1:
            height = site.sizes[0]
            assert site.points[height] == BOARD.prices[site.color] * height + height - 1


def test_only_row_c_of_the_amphitheatre_grants_no_building_card() -> None:
    assert {site.id for site in BOARD.sites if not site.grants_building_card} == {f"AMP-C{n}" for n in range(1, 6)}


def test_every_building_card_can_be_got() -> None:
    granting = {(site.building, site.color) for site in BOARD.sites if site.grants_building_card}
    assert set(BOARD.matching) <= granting
    assert len(BOARD.building_cards) == 20


def test_bricks_can_run_out_before_the_sites_do() -> None:
    fixed = sum(site.sizes[0] for site in BOARD.sites if len(site.sizes) == 1)
    assert fixed == 74
    assert fixed + 9 * 3 > BOARD.constants.bricks == 90


def test_the_shops_lie_red_yellow_black_blue_clockwise() -> None:
    order = [BOARD.colors[BOARD.shop_quarters[0].index(quarter)] for quarter in range(1, 4)]
    assert order == ["blue", "red", "yellow"]
    assert BOARD.shop_quarters[0][0] == 0
    assert [BOARD.shop_quarters[quarter][BOARD.white] for quarter in range(4)] == [0, 1, 2, 3]


def test_ways_go_clockwise_only() -> None:
    assert BOARD.fees == ((0, 1, 2, 3), (3, 0, 1, 2), (2, 3, 0, 1), (1, 2, 3, 0))


def test_prices_rise_from_black_to_white() -> None:
    assert dict(zip(BOARD.colors, BOARD.prices, strict=True)) == {
        "black": 1,
        "blue": 2,
        "red": 3,
        "yellow": 4,
        "white": 5,
    }


def test_majorities_pay_what_the_rulebook_says() -> None:
    prizes = {(area.building, area.row, area.level): (area.first, area.second) for area in BOARD.areas}
    assert prizes["basilica", "A", None] == prizes["basilica", "B", None] == (12, 6)
    assert prizes["amphitheatre", "A", None] == (15, 5)
    assert prizes["city_wall", "W", None] == (20, 10)
    assert [prizes["porta_nigra", None, level] for level in range(3, 9)] == [
        (3, 1),
        (4, 2),
        (5, 2),
        (6, 3),
        (7, 3),
        (8, 4),
    ]
    assert len(prizes) == 12


def test_supply_cards_name_no_colour_twice_and_each_colour_as_often() -> None:
    assert len(BOARD.supply_cards) == 10
    assert {len(card) for card in BOARD.supply_cards.values()} == {3, 4}
    assert all(len(set(card)) == len(card) for card in BOARD.supply_cards.values())
    assert set(Counter(color for card in BOARD.supply_cards.values() for color in card).values()) == {7}
    assert BOARD.supply_cards["SUP-01"] == tuple(map(BOARD.color_index.get, ("blue", "red", "yellow", "white")))


def test_action_cards_have_two_or_three_torches_and_three_to_five_symbols() -> None:
    cards = BOARD.action_cards.values()
    assert len(cards) == 8
    assert {card.torches for card in cards} == {2, 3}
    assert max(card.torches for card in cards) == DATA["constants"]["action_markers"]["value"]
    assert {len(card.symbols) for card in cards} == {3, 4, 5}
    assert {symbol.amount for card in cards for symbol in card.symbols if symbol.kind == "coins"} == {3, 4, 5}
    buys = Counter(symbol.shop for card in cards for symbol in card.symbols if symbol.kind == "buy")
    assert buys == {ANY_SHOP: 4, **dict.fromkeys(range(5), 2)}


def test_one_action_card_is_for_two_or_three_players_only() -> None:
    assert BOARD.decks[2] == BOARD.decks[3] == tuple(BOARD.action_cards)
    assert set(BOARD.decks[3]) - set(BOARD.decks[4]) == {"ACT-8"}
    assert {seats: len(deck) for seats, deck in BOARD.decks.items()} == BOARD.constants.action_cards_per_round


def test_there_are_28_honor_cards_in_a_chain_of_final_cards_and_others() -> None:
    assert len(BOARD.honor_pile) == 28
    assert {card.influence_cost for card in BOARD.honor_cards.values()} == {1, 2, 3}
    copies = [BOARD.honor_pile.count(card) for card in ("HON-FS30", "HON-FS42", "HON-FS56")]
    assert copies == sorted(copies, reverse=True) == [3, 2, 1]
    assert BOARD.final_cards == {"HON-FS30": 30, "HON-FS42": 42, "HON-FS56": 56}
    assert [
        BOARD.card_buildings[f"HON-SUB-{name}"] for name in ("basilica", "amphitheatre", "cityWall", "portaNigra")
    ] == [0, 1, 2, 3]


def test_the_romans_of_a_colour_are_fifteen() -> None:
    assert BOARD.constants.romans + BOARD.constants.romans_in_reserve == BOARD.constants.romans_per_color == 15


def test_every_value_has_its_source() -> None:
    for name in (
        "sites",
        "supply_cards",
        "action_cards",
        "honor_cards",
        "building_cards",
        "colors",
        "quarters",
        "majorities",
    ):
        for entry in DATA[name]:
            assert entry["confidence"], entry
            assert entry["source"], entry
    for entry in (*DATA["constants"].values(), *DATA["components"].values()):
        assert {"value", "confidence", "source"} <= set(entry)


def test_the_edition_is_named_with_the_digest_of_its_data() -> None:
    assert PORTA_NIGRA.editions == {"reconstructed": digest(DATA)}
    assert PORTA_NIGRA.reference() == {"reconstructed": DATA}
    assert [edition.edition for edition in EDITIONS.values()] == ["reconstructed"]


def test_views_name_colours_and_quarters_in_the_order_of_the_board() -> None:
    assert Bricks.__struct_fields__ == BOARD.colors
    assert Placed.__struct_fields__ == BOARD.quarters


@pytest.mark.parametrize(("bits", "indices"), [(0, []), (1, [0]), (0b1010, [1, 3]), (1 << 43, [43])])
def test_a_set_lists_its_members(bits: int, indices: list[int]) -> None:
    assert members(bits) == indices
