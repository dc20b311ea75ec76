"""The rules that refuse, and the page that explains them."""

import re
from pathlib import Path

import msgspec

from domain.kreta import KRETA
from domain.kreta.board import BOARDS
from tests.domain.kreta.builders import BOARD

PAGE = (Path(__file__).parents[3] / "docs" / "rules" / "kreta.md").read_text()


def test_every_refusal_has_a_code_of_its_own_that_the_page_explains() -> None:
    codes = [rule.code for rule in KRETA.rulebook]
    assert len(set(codes)) == len(codes)
    refusals = PAGE.partition("## Refusals")[2].partition("## Words")[0]
    assert re.findall(r"^\| `(\w+)`", refusals, re.MULTILINE) == codes


def test_the_places_that_the_page_names_exist() -> None:
    package = Path(__file__).parents[3] / "domain" / "kreta"
    named = set(re.findall(r"`([a-z]+)\.(_?[a-z_]+)`", PAGE)) - {("kreta", "md"), ("reconstructed", "json")}
    for module, name in named:
        assert re.search(rf"^def {name}\(", (package / f"{module}.py").read_text(), re.MULTILINE), f"{module}.{name}"


def test_the_schemas_of_the_commands_name_what_they_can_hold() -> None:
    _, schemas = msgspec.json.schema_components([*KRETA.command_types, KRETA.options_type])
    place = schemas["PlaceVillager"]["properties"]["province"]
    assert place == {"type": "string", "enum": list(BOARD.provinces)}
    assert schemas["BuildFort"]["properties"]["site"]["enum"] == list(range(1, 27))
    assert schemas["PlayCharacter"]["required"] == ["character"]
    assert schemas["PlayCharacter"]["properties"]["character"]["enum"] == list(BOARD.characters)
    assert schemas["KretaOptions"]["properties"]["farmer_harvest"]["enum"] == ["all_reachable", "one_tile"]


def test_events_are_named_for_the_game_and_commands_plainly() -> None:
    assert all(event.type.startswith("kreta.") for event in KRETA.event_types)
    assert [command.type for command in KRETA.house_command_types] == ["score"]
    assert (KRETA.id, KRETA.title, KRETA.rules, KRETA.view_schema, list(BOARDS)) == (
        "kreta",
        "Kreta",
        1,
        1,
        ["reconstructed"],
    )
