"""Events and commands to JSON and back; older forms of events; bad commands pointed at."""

from typing import Any, ClassVar

import msgspec
import pytest

from domain.chance import Shuffle
from domain.errors import BadCommand
from domain.game import Event, Part
from domain.table.commands import JoinGame, RequestUndo
from events.codec import EventCodec, UnknownEvent, decode_command, encode_command, shuffles
from events.ruleset import Rulesets
from tests.support.logged import RULESETS
from tests.support.toy import TOY, Added, Card, Peeked, Pile, SetUp


class Moved(Event, frozen=True):
    """Its first form had `where`, its second `from_place` and `to_place`, its third knows the seat."""

    type: ClassVar[str] = "toy.moved"
    schema: ClassVar[int] = 3
    seat: int
    from_place: str
    to_place: str


class Counted(Event, frozen=True):
    """Its first form had a bare number in the private part."""

    type: ClassVar[str] = "toy.counted"
    schema: ClassVar[int] = 2
    private: tuple[Part[Card], ...] = ()


class Mixed(Event, frozen=True):
    type: ClassVar[str] = "toy.mixed"
    one: Shuffle
    many: tuple[Shuffle, ...]
    none: tuple[Shuffle, ...] = ()
    names: tuple[str, ...] = ("a",)
    private: tuple[Part[Pile], ...] = ()


def _moved_1(data: dict[str, Any]) -> dict[str, Any]:
    return {"from_place": "start", "to_place": data["where"]}


def _moved_2(data: dict[str, Any]) -> dict[str, Any]:
    return {**data, "seat": 0}


def _counted_1(data: dict[str, Any]) -> dict[str, Any]:
    parts = [{"seats": part["seats"], "data": {"card": part["data"]}} for part in data["private"]]
    return {**data, "private": parts}


CODEC = EventCodec(
    [Moved, Counted, Added, Peeked],
    {("toy.moved", 1): _moved_1, ("toy.moved", 2): _moved_2, ("toy.counted", 1): _counted_1},
)


def test_the_private_parts_are_taken_out_of_the_data() -> None:
    event = Peeked(seat=1, private=(Part(seats=(1,), data=Card(4)),))
    data, parts = CODEC.encode(event)
    assert msgspec.json.encode([data, parts]) == b'[{"seat":1},[{"seats":[1],"data":{"card":4}}]]'
    assert CODEC.decode("toy.peeked", 1, data, parts) == event


@pytest.mark.parametrize(
    ("schema", "data"),
    [
        (1, {"where": "Candia"}),
        (2, {"from_place": "start", "to_place": "Candia"}),
        (3, {"seat": 0, "from_place": "start", "to_place": "Candia"}),
    ],
)
def test_older_forms_are_lifted_step_by_step(schema: int, data: dict[str, Any]) -> None:
    assert CODEC.decode("toy.moved", schema, data) == Moved(seat=0, from_place="start", to_place="Candia")


def test_the_private_parts_of_older_forms_are_lifted_too() -> None:
    lifted = CODEC.decode("toy.counted", 1, {}, [{"seats": [0], "salt": "x", "data": 7}])
    assert lifted == Counted(private=(Part(seats=(0,), data=Card(7)),))


def test_lifting_does_not_touch_what_was_read() -> None:
    data = {"where": "Candia"}
    CODEC.decode("toy.moved", 1, data)
    assert data == {"where": "Candia"}


@pytest.mark.parametrize(("type_name", "schema"), [("toy.flown", 1), ("toy.moved", 4), ("kreta.fort_built", 1)])
def test_events_of_newer_code_are_not_guessed_at(type_name: str, schema: int) -> None:
    with pytest.raises(UnknownEvent, match=rf"{type_name}, schema {schema}"):
        CODEC.decode(type_name, schema, {})


@pytest.mark.parametrize("data", [{}, {"seat": "0", "points": 1}, {"seat": 0, "points": 1, "more": 1}, {"seat": 0.5}])
def test_bad_data_is_not_bent_into_shape(data: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        CODEC.decode("toy.added", 1, data)


def test_a_part_that_the_event_type_does_not_have_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        CODEC.decode("toy.added", 1, {"seat": 0, "points": 1}, [{"seats": [], "data": {}}])


def test_all_shuffles_of_an_event_are_found_in_order() -> None:
    one, two, three, four = (Shuffle(label="x", draw=draw, items=(1, 2), order=(2, 1)) for draw in range(4))
    event = Mixed(one=one, many=(two, three), private=(Part(seats=(), data=Pile(four)),))
    assert shuffles(event) == (one, two, three, four)
    assert shuffles(Added(seat=0, points=1)) == ()
    assert shuffles(SetUp(seats=2, edition="second")) == ()


# Commands


def test_a_command_goes_through_its_json() -> None:
    command = RULESETS["toy"].command("join_game", {"seat": 1})
    assert command == JoinGame(seat=1)
    assert encode_command(RequestUndo(to_version=3)) == {"to_version": 3}


@pytest.mark.parametrize(
    ("type_name", "data", "code", "pointer"),
    [
        ("fly", {}, "unknown-command", "/commands/2/type"),
        ("settle", {}, "unknown-command", "/commands/2/type"),
        ("create_game", {}, "unknown-command", "/commands/2/type"),
        ("abandon_game", {}, "unknown-command", "/commands/2/type"),
        ("add", {}, "malformed-request", "/commands/2/data/points"),
        ("add", {"points": "4"}, "malformed-request", "/commands/2/data/points"),
        ("add", {"points": 0}, "malformed-request", "/commands/2/data/points"),
        ("add", {"points": 1, "by": 2}, "malformed-request", "/commands/2/data/by"),
        ("add", [1], "malformed-request", "/commands/2/data"),
        ("add", None, "malformed-request", "/commands/2/data"),
        ("join_game", {"seat": -1}, "malformed-request", "/commands/2/data/seat"),
        ("join_game", {"seat": 1, "entropy": ""}, "malformed-request", "/commands/2/data/entropy"),
        ("join_game", {"seat": 1, "entropy": "x" * 257}, "malformed-request", "/commands/2/data/entropy"),
        ("request_undo", {"to_version": 0}, "malformed-request", "/commands/2/data/to_version"),
        ("request_undo", {"to_version": True}, "malformed-request", "/commands/2/data/to_version"),
    ],
)
def test_a_bad_command_is_pointed_at(type_name: str, data: Any, code: str, pointer: str) -> None:
    with pytest.raises(BadCommand) as refusal:
        RULESETS["toy"].command(type_name, data, "/commands/2")
    assert (refusal.value.code, refusal.value.pointer) == (code, pointer)


def test_an_unknown_command_is_answered_with_the_known_ones() -> None:
    with pytest.raises(BadCommand) as refusal:
        decode_command(RULESETS["toy"].commands, "fly", {})
    assert "add, add_entropy, answer_undo, call" in refusal.value.detail


def test_a_log_may_hold_the_commands_of_the_house_and_of_the_founding() -> None:
    ruleset = RULESETS["toy"]
    assert ruleset.any_command("settle", {}).type == "settle"
    assert ruleset.any_command("abandon_game", {}).type == "abandon_game"
    assert ruleset.any_command("create_game", {"ruleset": "toy", "seats": []}).type == "create_game"
    with pytest.raises(BadCommand):
        ruleset.any_command("fly", {})


def test_commands_of_the_table_are_decided_by_its_rules_and_the_others_by_the_games() -> None:
    ruleset = RULESETS["toy"]
    assert ruleset.rules_of(ruleset.command("add", {"points": 1})) == TOY.rules
    assert ruleset.rules_of(ruleset.any_command("settle", {})) == TOY.rules
    for of_the_table in ("resign", "redo", "abandon_game"):
        assert ruleset.rules_of(ruleset.any_command(of_the_table, {})) == 1


def test_a_ruleset_that_nobody_knows_is_answered_with_the_known_ones() -> None:
    with pytest.raises(BadCommand) as refusal:
        Rulesets([TOY])["chess"]
    assert (refusal.value.code, refusal.value.pointer) == ("unknown-ruleset", "/ruleset")
    assert "Known are: toy." in refusal.value.detail


def test_the_form_of_a_snapshot_is_named_after_game_state_and_rules() -> None:
    names = [ruleset.snapshot_schema for ruleset in RULESETS.by_id.values()]
    assert len(set(names)) == len(names)

    class Newer(type(TOY)):  # type: ignore[misc]
        rules = 8

    assert Rulesets([Newer()])["toy"].snapshot_schema != RULESETS["toy"].snapshot_schema
