"""Refusals: what they say, and where they point."""

from typing import Annotated

import msgspec
import pytest

from domain.errors import BadCommand, DomainError, Rule, RuleViolation

HARBOUR = Rule("harbour_full", "In {province} lie {count} ships already.", "Admiral")


class Place(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    size: Annotated[int, msgspec.Meta(ge=1)] = 1


class Order(msgspec.Struct, forbid_unknown_fields=True):
    places: list[Place]
    by: dict[str, int] = {}


def malformed(value: object) -> BadCommand:
    with pytest.raises(msgspec.ValidationError) as wrong:
        msgspec.convert(value, Order)
    return BadCommand.malformed(wrong.value, "/data")


def test_a_refusal_makes_its_sentence_from_its_template() -> None:
    refusal = DomainError("busy", "Seat {seat} is busy.", pointer="/seat", seat=3)
    assert (refusal.code, refusal.detail, refusal.pointer) == ("busy", "Seat 3 is busy.", "/seat")
    assert str(refusal) == "busy: Seat 3 is busy."


def test_what_a_player_typed_cannot_break_the_sentence() -> None:
    assert DomainError("busy", "'{name}' is busy.", name="{0} {x} %s").detail == "'{0} {x} %s' is busy."


def test_a_broken_rule_carries_its_code_its_place_in_the_rulebook_and_its_sentence() -> None:
    refusal = RuleViolation(HARBOUR, pointer="/data/province", province="Candia", count=2)
    assert (refusal.code, refusal.rule, refusal.pointer) == ("harbour_full", HARBOUR, "/data/province")
    assert refusal.detail == "In Candia lie 2 ships already."
    assert not isinstance(refusal, BadCommand)


@pytest.mark.parametrize(
    ("value", "pointer", "reason"),
    [
        ([], "/data", "object"),
        ({}, "/data/places", "missing"),
        ({"places": 3}, "/data/places", "array"),
        ({"places": [{"name": "a"}, {"name": 4}]}, "/data/places/1/name", "str"),
        ({"places": [{"size": 2}]}, "/data/places/0/name", "missing"),
        ({"places": [{"name": "a", "size": 0}]}, "/data/places/0/size", ">= 1"),
        ({"places": [], "colour": 1}, "/data/colour", "unknown"),
        ({"places": [], "a/b~c": 1}, "/data/a~1b~0c", "unknown"),
        ({"places": [], "a`b\nc": 1}, "/data/a`b\nc", "unknown"),
        ({"places": [{"name": "a", "x": 1}]}, "/data/places/0/x", "unknown"),
    ],
)
def test_a_malformed_value_is_pointed_at(value: object, pointer: str, reason: str) -> None:
    refusal = malformed(value)
    assert (refusal.code, refusal.pointer) == ("malformed-request", pointer)
    assert reason in refusal.detail
    assert refusal.detail.endswith(".")
