"""The deal and the options (ruling 20)."""

from collections import Counter

import msgspec
import pytest

from domain.errors import BadCommand
from domain.kreta import KRETA
from domain.kreta.events import GameSetUp
from domain.kreta.opening import KretaOptions
from events.codec import EventCodec, shuffles
from tests.domain.kreta.builders import BOARD, CHANCE
from tests.support.playing import Playthrough


def opened(seed: int = 0, seats: int = 2, options: KretaOptions | None = None) -> GameSetUp:
    (event,) = Playthrough(KRETA, seats, options, seed).events
    assert isinstance(event, GameSetUp)
    return event


def test_every_province_gets_a_tile_of_its_terrain() -> None:
    terrain_of = {kind.tile: kind.terrain for kind in BOARD.tiles}
    for seed in range(5):
        tiles = opened(seed).tiles
        assert tuple(terrain_of[tile] for tile in tiles) == BOARD.terrains
        assert Counter(tiles) == {kind.tile: kind.count for kind in BOARD.tiles}
    assert opened(0).tiles != opened(1).tiles


def test_eleven_fort_cards_lie_in_the_row_two_of_them_open_and_fifteen_in_the_pile() -> None:
    event = opened()
    (part,) = event.private
    assert (len(part.data.row), len(part.data.pile)) == (11, 15)
    assert sorted(part.data.row + part.data.pile) == list(range(1, 27))
    assert event.open_points == part.data.row[:2]


def test_nobody_reads_how_the_fort_cards_lie_and_everybody_how_the_tiles_were_shuffled() -> None:
    data, parts = EventCodec(KRETA.event_types).encode(opened())
    assert [part["seats"] for part in parts] == [()]
    public = msgspec.json.encode(data)
    assert b"fort_cards" not in public
    assert b"hill_tiles" in public


def test_every_shuffle_is_recorded_with_its_draw() -> None:
    records = shuffles(opened())
    assert sorted(record.draw for record in records) == list(range(len(records)))
    assert {record.label for record in records} == {"hill_tiles", "mountain_tiles", "field_tiles", "fort_cards"}


def test_what_the_deal_shows_could_not_be_known_before() -> None:
    assert set(GameSetUp.reveals) == {"tile_shuffles", "tiles", "open_points"}


def test_everybody_starts_with_seven_cards_all_pieces_and_no_points() -> None:
    state = Playthrough(KRETA, 4).state
    for seat in KRETA.view(state, None).seats:
        assert (seat.score, seat.hand, seat.face_up, seat.tiles) == (0, BOARD.characters, (), ())
        supply = seat.supply
        assert (supply.villagers, supply.villages, supply.abbots, supply.ships, supply.forts) == (5, 4, 1, 2, 3)


@pytest.mark.parametrize("first_seat", [0, 1, 2])
def test_the_first_seat_begins(first_seat: int) -> None:
    options = KretaOptions(first_seat=first_seat)
    KRETA.check(3, options)
    assert KRETA.to_act(Playthrough(KRETA, 3, options).state) == (first_seat,)


def test_a_first_seat_beyond_the_table_is_refused() -> None:
    with pytest.raises(BadCommand) as refusal:
        KRETA.check(3, KretaOptions(first_seat=3))
    assert (refusal.value.code, refusal.value.pointer) == ("unknown-seat", "/options/first_seat")
    assert refusal.value.detail == "The first seat is one of 0 to 2, not 3."


def test_the_farmers_option_is_carried_into_the_game() -> None:
    assert opened(options=KretaOptions(farmer_harvest="one_tile")).farmer_harvest == "one_tile"


def test_options_of_another_shape_are_refused() -> None:
    for bad in ({"farmer_harvest": "two_tiles"}, {"first_seat": -1}, {"colour": "red"}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(bad, KRETA.options_type)


def test_the_same_chance_deals_the_same_game() -> None:
    assert opened(7) == opened(7)
    assert CHANCE.draws >= 4
