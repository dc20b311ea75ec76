"""What a seat sees, and the states that a view allows (ruling 19)."""

import msgspec

from domain.kreta import KRETA
from domain.kreta.commands import MoveShip, MoveVillager, PlayCharacter, ReplaceFortCard, Score
from domain.kreta.view import ProvinceView, RowCard, Supply, View
from tests.domain.kreta.builders import BLUE, CHANCE, RED, after, position

ROW = (2, 17, 14, 1, 3, 4, 5, 6, 7, 8, 9)
HIDDEN = (1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 18, 19, 20, 21, 22, 23, 24, 25, 26)


def test_a_view_shows_cards_pieces_supply_and_tiles_of_every_seat() -> None:
    state = position(
        villagers={RED: "amari amari sitia"},
        villages={RED: "candia"},
        abbots={RED: "amari"},
        ships={RED: "kydonia"},
        forts={RED: (2, 14)},
        face_up={RED: "king abbot"},
        collected={RED: "olive wheat olive"},
        scores=(7, 0),
    )
    red = KRETA.view(state, BLUE).seats[RED]
    assert red.hand == ("admiral", "commander", "farmer", "architect", "castellan")
    assert red.face_up == ("king", "abbot")
    assert (red.villagers, red.villages, red.abbots) == (("amari", "amari", "sitia"), ("candia",), ("amari",))
    assert (red.ships, red.forts, red.score) == (("kydonia",), (2, 14), 7)
    assert red.supply == Supply(villagers=2, villages=3, abbots=0, ships=1, forts=1)
    assert red.tiles == ("wheat", "olive", "olive")


def test_a_view_shows_the_tile_and_the_number_of_figures_of_every_province() -> None:
    state = position(villagers={RED: "sfakia sfakia"}, abbots={BLUE: "sfakia"}, harvested="kissamos")
    provinces = KRETA.view(state, RED).provinces
    assert provinces[:2] == (ProvinceView("kissamos", None, 0), ProvinceView("sfakia", "thyme", 3))


def test_a_view_hides_the_face_down_cards_and_tells_which_they_can_be() -> None:
    state = position(turned_down=1, turned_up=3)
    view = KRETA.view(state, RED)
    assert view.fort_row[:4] == (
        RowCard(1, "scored", 2),
        RowCard(2, "open", 17),
        RowCard(3, "open", 14),
        RowCard(4, "hidden", None),
    )
    assert all(card == RowCard(card.place, "hidden", None) for card in view.fort_row[3:])
    assert view.pile == (None,) * 15
    assert view.unseen == HIDDEN


def test_a_card_that_was_put_under_the_pile_is_known_to_lie_there() -> None:
    state = after(position(), PlayCharacter("castellan"), Score(), ReplaceFortCard())
    view = KRETA.view(state, BLUE)
    assert view.pile == (*(None,) * 14, 14)
    assert view.unseen == tuple(point for point in HIDDEN if point != 10)
    assert view.fort_row[2] == RowCard(3, "open", 10)


def test_a_view_tells_how_far_the_action_under_way_has_come() -> None:
    state = position(phase="commander", villagers={RED: "kydonia"})
    assert KRETA.view(state, RED).steps_left == 4
    view = KRETA.view(after(state, MoveVillager("kydonia", "kissamos")), RED)
    assert (view.phase, view.active_seat, view.begun, view.steps_left) == ("commander", RED, True, 3)
    state = after(position(phase="admiral", ships={RED: "kydonia candia"}), MoveShip("kydonia", "sitia"))
    assert KRETA.view(state, RED).moved_ships == ("sitia",)


def test_everybody_sees_the_same() -> None:
    state = position(3)
    views = [KRETA.view(state, seat) for seat in (None, 0, 1, 2)]
    assert views == views[:1] * 4


def test_an_opened_view_shows_every_card() -> None:
    state = after(position(), PlayCharacter("castellan"), Score(), ReplaceFortCard())
    view = KRETA.view(state, None, reveal=True)
    assert tuple(card.point for card in view.fort_row) == state.row
    assert (view.pile, view.unseen) == (state.pile, ())
    assert view.fort_row[4] == RowCard(5, "hidden", ROW[4])
    assert KRETA.imagine(view, CHANCE) == state


def test_an_imagined_state_deals_the_unseen_cards_anew_and_nothing_else() -> None:
    state = after(position(villagers={RED: "amari"}), PlayCharacter("castellan"), Score(), ReplaceFortCard())
    imagined = KRETA.imagine(KRETA.view(state, BLUE), CHANCE)
    assert imagined != state
    assert imagined.row[:3] == state.row[:3]
    assert imagined.pile[-1] == 14
    assert sorted(imagined.row + imagined.pile) == list(range(1, 27))
    assert msgspec.structs.replace(imagined, row=state.row, pile=state.pile) == state


def test_a_position_is_redrawn_by_dealing_the_unseen_cards_anew_whoever_holds_the_seats() -> None:
    state = after(position(villagers={RED: "amari"}), PlayCharacter("castellan"), Score(), ReplaceFortCard())
    redrawn = KRETA.redraw(state, [RED, BLUE], CHANCE)
    assert redrawn.row + redrawn.pile != state.row + state.pile
    assert KRETA.view(redrawn, RED) == KRETA.view(state, RED)


def test_a_view_goes_through_json() -> None:
    view = KRETA.view(position(), RED)
    assert msgspec.json.decode(msgspec.json.encode(view), type=View) == view
