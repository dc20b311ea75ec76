"""What people read of Canterbury."""

import pytest

from domain.canterbury import CANTERBURY
from domain.canterbury.board import EDITIONS
from domain.canterbury.events import (
    CityHalted,
    DistrictScored,
    DistrictServed,
    GameEnded,
    KingRewarded,
    NeutralPlaced,
    ServingBegan,
    StructureBought,
    StructurePlaced,
    TreasuryLevied,
    TurnBegan,
)
from domain.canterbury.wording import NAMES, WORDING
from domain.game import Event
from tests.support.playing import Playthrough
from tests.support.wordings import HUNGARIAN, check_all, told


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", [1, 2])
def test_every_event_of_a_game_is_described_in_every_language(seats: int, seed: int) -> None:
    check_all(CANTERBURY, Playthrough(CANTERBURY, seats, seed=seed).play().events, seats)


def test_every_type_of_event_has_its_sentence() -> None:
    assert set(WORDING.sentences) == set(CANTERBURY.event_types)


def test_everything_that_has_an_id_has_a_name() -> None:
    edition = EDITIONS["reconstructed"]
    assert set(NAMES["structure"]) == {tile.id for tile in edition.tiles}
    assert set(NAMES["service"]) == set(edition.services)
    assert set(NAMES["size"]) == {size.id for size in edition.sizes}
    assert set(NAMES["part"]) == set(edition.data.parts.value)


def _placed(cubes: tuple[int, ...]) -> StructurePlaced:
    return StructurePlaced(0, "market_square", 5, 2, cubes, opens=False, upgrades=False)


@pytest.mark.parametrize(
    ("event", "english", "hungarian"),
    [
        (
            TurnBegan(1, 3, None, None),
            "Round 3: it is the turn of Seat 1.",
            "3. forduló: az 1. hely következik.",
        ),
        (
            TurnBegan(0, 2, "build", "well"),
            "Round 2: it is the turn of Seat 0, and the neutral colour builds first: well.",
            "2. forduló: a 0. hely következik, de előbb a semleges játékos építkezik: kút.",
        ),
        (
            NeutralPlaced(0, "well", 11, 5, (), 1, 9),
            "Seat 0 builds for the neutral colour in district 11: well. The city gains 1 point and has 9.",
            (
                "A 0. hely a semleges játékosnak épít a 11. negyedben: kút. "
                "A város 1 gazdagságpontot kap, így már 9 van neki."
            ),
        ),
        (
            NeutralPlaced(0, "fountain", 1, 4, (1, 6), 4, 13),
            (
                "Seat 0 builds for the neutral colour in district 1: fountain. Districts supplied: 1 and 6. "
                "The city gains 4 points and has 13."
            ),
            (
                "A 0. hely a semleges játékosnak épít az 1. negyedben: szökőkút. Az ellátott negyedek: 1 és 6. "
                "A város 4 gazdagságpontot kap, így már 13 van neki."
            ),
        ),
        (
            TreasuryLevied(1, 1),
            "Seat 1 levies the treasury and takes 1 shilling.",
            "Az 1. hely a kincstárba látogat, és 1 shillinget kap.",
        ),
        (
            StructureBought(2, "traders_stall", 15, 7),
            "Seat 2 pays 7 shillings for a structure in district 15: trader's stall.",
            "A 2. hely 7 shillinget fizet egy épületért a 15. negyedben: kereskedőbódé.",
        ),
        (
            _placed(()),
            "Seat 0 builds in district 5: market square.",
            "A 0. hely építkezik az 5. negyedben: piactér.",
        ),
        (
            _placed((5, 6)),
            "Seat 0 builds in district 5: market square. Districts supplied: 5 and 6.",
            "A 0. hely építkezik az 5. negyedben: piactér. Az ellátott negyedek: 5 és 6.",
        ),
        (
            ServingBegan(1, 2, "food", (3, 4), 1, optional=False),
            "Seat 1 is to choose 1 district for service cubes of the neutral colour (food).",
            "Az 1. hely választ 1 negyedet, ahová a semleges játékos szolgáltatáskockája kerül (élelmiszer).",
        ),
        (
            ServingBegan(1, 1, "food", (3, 4), 2, optional=True),
            "Seat 1 may choose up to 2 districts for service cubes (food).",
            "Az 1. hely legfeljebb 2 negyedet választhat, ahová szolgáltatáskockája kerül (élelmiszer).",
        ),
        (
            ServingBegan(1, 1, "religion", (3, 4), 1, optional=False),
            "Seat 1 is to choose 1 district for service cubes (religion).",
            "Az 1. hely választ 1 negyedet, ahová szolgáltatáskockája kerül (mise).",
        ),
        (
            DistrictServed(0, 0, "defense", 10),
            "Seat 0 puts a service cube in district 10: defense.",
            "A 0. hely szolgáltatáskockát rak a 10. negyedre: közrend.",
        ),
        (
            DistrictServed(0, 2, "defense", 10),
            "Seat 0 puts a service cube of the neutral colour in district 10: defense.",
            "A 0. hely a semleges játékos szolgáltatáskockáját rakja a 10. negyedre: közrend.",
        ),
        (
            DistrictScored(1, 12, 0, 0, (1, 0, 0), (0, 0, 0)),
            "District 12 is scored (0 and 0): nobody gains points.",
            "A 12. negyed kiértékelése (bónuszai: 0 és 0): senki sem kap gazdagságpontot.",
        ),
        (
            DistrictScored(1, 3, 4, 2, (2, 0, 3), (2, 0, 4)),
            "District 3 is scored (4 and 2): Seat 0 gains 2 points; the neutral colour gains 4 points.",
            (
                "A 3. negyed kiértékelése (bónuszai: 4 és 2): a 0. hely 2 gazdagságpontot kap; "
                "a semleges játékos 4 gazdagságpontja senkié."
            ),
        ),
        (
            KingRewarded("culture", (0, 0, 0), (0, 0, 0)),
            "The King's bonus for culture: nobody gains points.",
            "A király bónusza (kultúra): senki sem kap gazdagságpontot.",
        ),
        (
            KingRewarded("water", (5, 3), (5, 1)),
            "The King's bonus for water: Seat 0 gains 5 points; Seat 1 gains 1 point.",
            "A király bónusza (víz): a 0. hely 5 gazdagságpontot kap; az 1. hely 1 gazdagságpontot kap.",
        ),
        (
            CityHalted(0),
            "The city cannot grow any more: the last scoring and the end follow at once.",
            "A város nem fejlődhet tovább: nyomban az utolsó kiértékelés és a játék vége következik.",
        ),
        (
            GameEnded((80, 75), (3, 4), ((0,), (1,))),
            "The game is over. First: Seat 0. Points: Seat 0: 80; Seat 1: 75.",
            "A játék véget ért. Győzött: 0. hely. Pontok: 0. hely: 80; 1. hely: 75.",
        ),
    ],
)
def test_an_event_reads_well(event: Event, english: str, hungarian: str) -> None:
    assert told(CANTERBURY, event, 2) == english
    assert told(CANTERBURY, event, 2, HUNGARIAN) == hungarian


def test_with_three_seats_the_third_colour_is_a_seats() -> None:
    event = DistrictScored(1, 3, 4, 2, (2, 0, 3), (2, 0, 4))
    assert told(CANTERBURY, event, 3) == "District 3 is scored (4 and 2): Seat 0 gains 2 points; Seat 2 gains 4 points."
