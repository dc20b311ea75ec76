"""What is seen, and what commands look like from outside."""

import msgspec
import pytest
from msgspec.structs import replace

from domain.canterbury import CANTERBURY
from domain.canterbury.commands import Build, Demolish, PlaceNeutral
from domain.canterbury.view import View
from domain.game import HOUSE, Command
from tests.domain.canterbury.builders import (
    BLUE,
    CENTRE,
    CHANCE,
    NEUTRAL,
    RED,
    building,
    give,
    new_game,
    position,
)


@pytest.mark.parametrize(("points", "token"), [(0, 0), (99, 0), (100, 100), (199, 100), (200, 200), (342, 200)])
def test_t33_the_score_token_shows_the_hundreds(points: int, token: int) -> None:
    player = CANTERBURY.view(replace(new_game(), scores=(points, 0, 0)), None).players[0]
    assert (player.points, player.score_token) == (points, token)


def test_a_district_shows_its_structures_its_lots_and_whose_cubes_serve_it() -> None:
    state = position({7: "well fountain"}, {RED: {"water": [7]}, NEUTRAL: {"culture": [7]}}, seats=2)
    district = CANTERBURY.view(state, RED).districts[7]
    assert district.part == "inner"
    assert district.structures == ("well", "fountain")
    assert district.free_lots == 3
    assert district.cubes == (RED, None, None, None, None, NEUTRAL)


def test_the_view_shows_the_bonus_board_and_the_cubes_left() -> None:
    state = position(cubes={BLUE: {"water": [1, 2], "food": [3]}})
    player = CANTERBURY.view(state, None).players[BLUE]
    assert player.bonus_board == (2, 1, 0, 0, 0, 0)
    assert player.cubes_left == 39


def test_a_structure_that_is_paid_but_not_put_down_is_seen() -> None:
    state, _ = give(building(position()), Build("fountain", CENTRE))
    seen = CANTERBURY.view(state, None)
    assert seen.phase == "demolish"
    assert seen.site is not None
    assert (seen.site.structure, seen.site.district, seen.site.demolished) == ("fountain", CENTRE, ())
    assert CANTERBURY.imagine(seen, CHANCE) == state


def test_a_choice_of_districts_is_seen() -> None:
    state, _ = give(building(position()), Build("aqueduct", 7))
    serving = CANTERBURY.view(state, None).serving
    assert serving is not None
    assert (serving.service, serving.most, serving.optional, serving.colour) == ("water", 5, True, RED)
    assert CENTRE not in serving.districts
    assert CANTERBURY.imagine(CANTERBURY.view(state, None), CHANCE) == state


def test_everybody_sees_the_same() -> None:
    state, _ = give(building(position()), Build("well", 7))
    seen = CANTERBURY.view(state, None)
    assert CANTERBURY.view(state, 0) == seen
    assert CANTERBURY.view(state, 1, reveal=True) == seen


def test_there_is_nothing_to_draw_anew() -> None:
    state = new_game()
    assert CANTERBURY.redraw(state, (0,), CHANCE) == state


def test_the_view_is_json() -> None:
    seen = CANTERBURY.view(new_game(2), None)
    assert msgspec.json.decode(msgspec.json.encode(seen), type=View) == seen


def test_the_schemas_of_the_commands_name_what_can_be_chosen() -> None:
    schema = msgspec.json.schema(Build)["$defs"]["Build"]["properties"]
    assert "theatre" in schema["structure"]["enum"]
    assert "roman_well" not in schema["structure"]["enum"]
    assert (schema["district"]["minimum"], schema["district"]["maximum"]) == (0, 24)
    assert "roman_well" in msgspec.json.schema(Demolish)["$defs"]["Demolish"]["properties"]["structure"]["enum"]


def test_commands_of_another_shape_are_not_read() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"district": "7"}, PlaceNeutral)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"district": 7, "lot": 1}, PlaceNeutral)


def test_the_names_of_commands_and_events_are_unique_and_carry_the_game() -> None:
    commands: list[type[Command]] = [*CANTERBURY.command_types, *CANTERBURY.house_command_types]
    assert len({command.type for command in commands}) == len(commands)
    names = [event.type for event in CANTERBURY.event_types]
    assert len(set(names)) == len(names)
    assert all(name.startswith("canterbury.") for name in names)


def test_the_house_has_no_seat() -> None:
    assert CANTERBURY.legal_commands(new_game(), HOUSE) == ()
