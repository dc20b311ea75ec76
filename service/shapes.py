"""The JSON Schemas of commands and events, from the very types that decode them."""

from typing import Any

import msgspec
from msgspec import Struct

from domain.game import Event

SELF_CONTAINED = "#/$defs/{name}"


class EventShape(Struct, frozen=True):
    """What an event of one type holds: `data`, and the `data` of its private parts (null when it has none)."""

    schema: int
    data: dict[str, Any]
    private: dict[str, Any] | None


def command_shape(command: type[Struct]) -> dict[str, Any]:
    """The JSON Schema of the `data` of a command (or of options), complete in itself."""
    return _inlined(msgspec.json.schema(command))


def event_shape(event: type[Event]) -> EventShape:
    """The JSON Schemas of what an event holds, each complete in itself."""
    whole = _inlined(msgspec.json.schema(event))
    definitions = whole.pop("$defs", {})
    data, private = split(whole, definitions, SELF_CONTAINED)
    return EventShape(
        schema=event.schema,
        data=_with(data, definitions),
        private=None if private is None else _with(private, definitions),
    )


def split(
    whole: dict[str, Any], definitions: dict[str, Any], reference: str
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The schema of an event as those of its public data and of the data of its private parts.

    `reference` is the template of references into `definitions`.
    """
    data = {**whole, "properties": {**whole["properties"]}}
    parts = data["properties"].pop("private", None)
    if parts is None:
        return data, None
    prefix, _, suffix = reference.partition("{name}")
    part = definitions[parts["items"]["$ref"].removeprefix(prefix).removesuffix(suffix)]
    return data, part["properties"]["data"]


def _inlined(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema whose top is no reference."""
    definitions = schema.get("$defs", {})
    if "$ref" not in schema:
        return schema
    top = definitions.pop(schema["$ref"].rpartition("/")[2])
    return {**top, "$defs": definitions} if definitions else dict(top)


def _with(schema: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    """The schema with those of the definitions that it needs."""
    needed: dict[str, Any] = {}
    _collect(schema, definitions, needed)
    return {**schema, "$defs": needed} if needed else schema


def _collect(node: Any, definitions: dict[str, Any], needed: dict[str, Any]) -> None:
    if isinstance(node, dict):
        name = node.get("$ref", "").rpartition("/")[2]
        if name and name not in needed:
            needed[name] = definitions[name]
            _collect(definitions[name], definitions, needed)
        for below in node.values():
            _collect(below, definitions, needed)
    elif isinstance(node, list):
        for below in node:
            _collect(below, definitions, needed)
