"""Between typed commands and events and the JSON values of the envelope. Strict in both directions."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from domain.chance import Shuffle
from domain.errors import BadCommand
from domain.game import Command, Event, Game, Part, Upcasts

AnyGame = Game[Any, Any, Any, Any]
C = TypeVar("C", bound=Command)


class UnknownEvent(Exception):
    """An event of a type or a schema that this code does not know: written by newer code, or not ours."""


class EventCodec:
    """Events of the given types to and from `data` and private parts.

    `upcasts` lifts older forms: `(type, schema) -> function from the data of that schema to the data of the next`;
    the dict it is given holds the private parts under `"private"`.
    """

    def __init__(self, types: Iterable[type[Event]], upcasts: Upcasts | None = None) -> None:
        self.types = {event_type.type: event_type for event_type in types}
        self.upcasts = dict(upcasts or {})

    def encode(self, event: Event) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The public data and the private parts (`{"seats", "data"}`) of `event`, as JSON values."""
        data: dict[str, Any] = msgspec.to_builtins(event)
        return data, data.pop("private", [])

    def decode(
        self, type_name: str, schema: int, data: Mapping[str, Any], parts: Iterable[Mapping[str, Any]] = ()
    ) -> Event:
        """The event. Raises UnknownEvent for a type or schema that is not known, msgspec.ValidationError for bad data."""
        event_type = self.types.get(type_name)
        if event_type is None or schema > event_type.schema:
            raise UnknownEvent(f"{type_name}, schema {schema}")
        fields = dict(data)
        private = [{"seats": part["seats"], "data": part["data"]} for part in parts]
        if private:
            fields["private"] = private
        for older in range(schema, event_type.schema):
            fields = self.upcasts[type_name, older](fields)
        return msgspec.convert(fields, event_type)


def decode_command(types: Mapping[str, type[C]], type_name: str, data: Any, pointer: str = "") -> C:
    """The command of that name. Raises BadCommand with a JSON pointer to what is wrong, below `pointer`."""
    command_type = types.get(type_name)
    if command_type is None:
        known = ", ".join(sorted(types))
        says = "There is no command '{type}' here. Known are: {known}."
        raise BadCommand("unknown-command", says, pointer=pointer + "/type", type=type_name, known=known)
    try:
        return msgspec.convert(data, command_type)
    except msgspec.ValidationError as error:
        raise BadCommand.malformed(error, f"{pointer}/data") from error


def encode_command(command: Command) -> dict[str, Any]:
    """The `data` of a command as JSON values."""
    data: dict[str, Any] = msgspec.to_builtins(command)
    return data


def shuffles(event: Event) -> tuple[Shuffle, ...]:
    """All shuffles that `event` records, in its fields and in those of its private parts."""
    private: tuple[Part[Any], ...] = getattr(event, "private", ())
    holders = [event, *(part.data for part in private)]
    return tuple(found for holder in holders for name in holder.__struct_fields__ for found in _held(holder, name))


def _held(holder: Any, name: str) -> tuple[Shuffle, ...]:
    value = getattr(holder, name)
    if isinstance(value, Shuffle):
        return (value,)
    if isinstance(value, tuple) and value and isinstance(value[0], Shuffle):
        return value
    return ()
