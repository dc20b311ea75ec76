"""Every log that was ever released is read as on its first day, and no event changes its shape without a new schema number."""

from typing import Any, ClassVar

import msgspec
import pytest

from domain.game import Event, Part
from domain.table.events import EVENTS as TABLE_EVENTS
from events import audit, envelope
from events.codec import EventCodec
from tests.golden import record
from tests.support.logged import RULESETS

FILES = sorted(record.LOGS.glob("*.ndjson"))
BOARDS = record.read_boards()
EVENTS = list(record.event_types())


def types_in(*names: str) -> set[str]:
    return {
        envelope.decode(line).type
        for file in FILES
        if file.stem.startswith(names)
        for line in file.read_bytes().splitlines()[1:]
    }


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_golden_log_is_verified(file: Any) -> None:
    report = audit.verify_export(file.read_bytes(), RULESETS, record.RING.public)
    assert report.first_bad is None
    assert report.verdict == "verified"
    for check in report.checks:
        by_older_rules = check.name == "decisions" and "rules" in check.detail and "unknown" in check.detail
        by_older_views = check.name == "board" and "views of schema" in check.detail
        assert check.verdict == "passed" or by_older_rules or by_older_views, check


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_golden_log_replays_to_its_recorded_boards(file: Any) -> None:
    found, recorded = record.golden(file.read_bytes()), BOARDS[file.stem]
    assert found.view_schema == recorded.view_schema, "look at the new views, then record the boards again: --boards"
    assert found == recorded


def test_every_golden_log_has_its_boards_and_can_be_recorded() -> None:
    assert {file.stem for file in FILES} == set(BOARDS) == set(record.LOGS_TO_RECORD)


@pytest.mark.parametrize("ruleset", record.GAMES)
def test_every_event_of_a_game_stands_in_a_golden_log(ruleset: str) -> None:
    game = RULESETS[ruleset].game
    assert {event.type for event in game.event_types} <= types_in(ruleset)


def test_every_event_of_the_table_stands_in_a_golden_log() -> None:
    assert {event.type for event in TABLE_EVENTS} <= types_in("")


@pytest.mark.parametrize("event_type", EVENTS, ids=record.shape_name)
def test_an_event_has_the_shape_that_was_recorded_under_its_schema_number(event_type: type[Event]) -> None:
    says = (
        "its fields have changed: give it a new schema number and an upcaster, then run python -m tests.golden.record"
    )
    assert record.changed_shapes(record.read_shapes(), [event_type]) == [], says


def test_every_older_form_of_an_event_has_an_upcaster() -> None:
    codecs = {ruleset: RULESETS[ruleset].codec for ruleset in record.GAMES}
    current = {event.type: event.schema for event in EVENTS}
    for name in record.read_shapes():
        type_name, _, schema = name.partition(" ")
        for codec in codecs.values():
            if type_name in codec.types and int(schema) < current[type_name]:
                assert (type_name, int(schema)) in codec.upcasts, name


class First(Event, frozen=True):
    """A well as it was recorded at first: `depth` in feet."""

    type: ClassVar[str] = "example.well_dug"
    depth: int


class Secret(msgspec.Struct, frozen=True):
    """What is at the bottom."""

    coins: int


class Third(Event, frozen=True):
    """A well as it is recorded now: in centimetres, with a name, and with a secret that is a list."""

    type: ClassVar[str] = "example.well_dug"
    schema: ClassVar[int] = 3
    centimetres: int
    name: str
    private: tuple[Part[Secret], ...] = ()


def to_second(fields: dict[str, Any]) -> dict[str, Any]:
    """Feet become centimetres."""
    depth = fields.pop("depth")
    return {**fields, "centimetres": depth * 30}


def to_third(fields: dict[str, Any]) -> dict[str, Any]:
    """Wells have names, and the secret counts coins, not purses of ten."""
    private = [
        {"seats": part["seats"], "data": {"coins": part["data"]["purses"] * 10}} for part in fields.get("private", [])
    ]
    return {**fields, "name": "the old well", "private": private}


CODEC = EventCodec([Third], {("example.well_dug", 1): to_second, ("example.well_dug", 2): to_third})


def test_an_old_form_is_lifted_step_by_step_when_it_is_read() -> None:
    parts = [{"seats": [1], "data": {"purses": 2}}]
    lifted = Third(centimetres=90, name="the old well", private=(Part((1,), Secret(20)),))
    assert CODEC.decode("example.well_dug", 1, {"depth": 3}, parts) == lifted
    assert CODEC.decode("example.well_dug", 2, {"centimetres": 90}, parts) == lifted


def test_the_present_form_is_not_lifted() -> None:
    now = Third(centimetres=90, name="the well")
    data, parts = CODEC.encode(now)
    assert CODEC.decode("example.well_dug", 3, data, parts) == now


def test_lifting_leaves_what_is_stored_as_it_is() -> None:
    stored = {"depth": 3}
    CODEC.decode("example.well_dug", 1, stored)
    assert stored == {"depth": 3}


def test_an_old_form_without_its_upcaster_is_not_guessed_at() -> None:
    codec = EventCodec([Third], {("example.well_dug", 2): to_third})
    with pytest.raises(LookupError):
        codec.decode("example.well_dug", 1, {"depth": 3})


def test_a_changed_shape_under_the_same_number_is_noticed() -> None:
    known = {record.shape_name(First): record.shape(First)}
    assert record.changed_shapes(known, [First]) == []

    class Deeper(First, frozen=True):
        rope: int = 0

    class Renamed(Event, frozen=True):
        type: ClassVar[str] = "example.well_dug"
        feet: int

    assert record.changed_shapes(known, [Deeper]) == ["example.well_dug 1"]
    assert record.changed_shapes(known, [Renamed]) == ["example.well_dug 1"]
    assert record.changed_shapes(known, [Third]) == ["example.well_dug 3"]


def test_words_about_an_event_are_not_its_shape() -> None:
    class Reworded(Event, frozen=True):
        """In other words."""

        type: ClassVar[str] = "example.well_dug"
        depth: int

    assert record.shape(Reworded) == record.shape(First)
