"""The schemas of the contract: resources, commands and events from their msgspec types, bodies from their marshmallow schemas."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from domain.game import Command, Event
from domain.table import COMMANDS, EVENTS, Clock
from events.ruleset import Ruleset, Rulesets
from events.signing import KeySet
from service.accounts import Registered
from service.credentials import TokenList
from service.games import GameList
from service.health import Alive, Ready
from service.history import Audit, EventPage
from service.invitations import InviteList
from service.invites import NewInvite
from service.notices import NoticePage
from service.operators import Registration
from service.players import Me, Renamed
from service.problems import Problem
from service.resources import BoardAnswer, CommandAnswer, LegalCommands, Trial
from service.ruleset_pages import RulesetList, RulesetPage
from service.shapes import split
from service.tokens import NewToken, StreamToken
from service.trust import Consistency, Entries, Inclusion, TreeHead
from service.webhooks import DeliveryList, NewWebhook, WebhookList

Schema = dict[str, Any]

REFERENCE = "#/components/schemas/"
RESOURCES: Sequence[type[msgspec.Struct]] = (
    Alive,
    Audit,
    BoardAnswer,
    CommandAnswer,
    Consistency,
    DeliveryList,
    Entries,
    EventPage,
    GameList,
    Inclusion,
    InviteList,
    KeySet,
    LegalCommands,
    Me,
    NewInvite,
    NewToken,
    NewWebhook,
    NoticePage,
    Problem,
    Ready,
    Registered,
    Registration,
    Renamed,
    RulesetList,
    RulesetPage,
    StreamToken,
    TokenList,
    TreeHead,
    Trial,
    WebhookList,
)
"""What answers hold; whatever they hold in turn comes along."""

DIGEST: Schema = {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"}


def ref(name: str) -> Schema:
    """A reference to a schema."""
    return {"$ref": REFERENCE + name}


def schemas(rulesets: Rulesets) -> dict[str, Schema]:
    """All schemas by name."""
    found = _of_resources()
    families: dict[str, Family] = {"Table": Family("", COMMANDS.values(), EVENTS)}
    for ruleset in rulesets.by_id.values():
        game = ruleset.game
        prefix = prefix_of(ruleset)
        families[prefix] = Family(prefix, game.command_types, game.event_types)
        found |= families[prefix].data([game.view_type, game.options_type])
    found |= families["Table"].data([])
    for name, family in families.items():
        found |= family.envelopes(name, found)
    found |= _of_all(families)
    _complete(found, rulesets)
    return found


def prefix_of(ruleset: Ruleset) -> str:
    """What the names of a ruleset's schemas begin with: `"PortaNigra"`."""
    return ruleset.game.id.title().replace("-", "")


class Family:
    """The commands and events of the table or of one ruleset; the names of their schemas begin with `prefix`."""

    def __init__(self, prefix: str, commands: Iterable[type[Command]], events: Iterable[type[Event]]) -> None:
        self.prefix = prefix
        self.commands = list(commands)
        self.events = list(events)

    def data(self, others: Iterable[type]) -> dict[str, Schema]:
        """The schemas of what commands and events hold, and of `others`."""
        template = f"{REFERENCE}{self.prefix}{{name}}"
        _, found = msgspec.json.schema_components([*self.commands, *self.events, *others], ref_template=template)
        return {self.prefix + name: _tidied(schema) for name, schema in found.items()}

    def envelopes(self, name: str, found: Mapping[str, Schema]) -> dict[str, Schema]:
        """The schemas of whole commands and events, and the unions of them."""
        commands = {command.type: f"{self.prefix}{command.__name__}Command" for command in self.commands}
        made: dict[str, Schema] = {
            commands[command.type]: _command(command, self.prefix + command.__name__, found)
            for command in self.commands
        }
        made[f"{name}Command"] = _union(f"A command of {_spoken(name)}.", commands)
        for event in self.events:
            data_name = self.prefix + event.__name__
            public, private = split(found[data_name], dict(found), REFERENCE + "{name}")
            made[data_name] = {**public, "required": list(public["properties"])}
            made[f"{data_name}Event"] = _event(event, data_name, private)
        return made


def event_name(event: type[Event], prefix: str) -> str:
    """The name of the schema of a whole event."""
    return f"{prefix}{event.__name__}Event"


def _of_resources() -> dict[str, Schema]:
    _, found = msgspec.json.schema_components([*RESOURCES, Clock], ref_template=REFERENCE + "{name}")
    made = {name: _tidied(schema) for name, schema in found.items()}
    for name, schema in made.items():
        if name not in {"Problem", "Mistake", "Clock"} and "properties" in schema:
            schema["required"] = list(schema["properties"])
    return made


def _of_all(families: Mapping[str, Family]) -> dict[str, Schema]:
    events = {event.type: event_name(event, family.prefix) for family in families.values() for event in family.events}
    return {
        "Command": {
            "description": "A command: of every game, or of its ruleset.",
            "anyOf": [ref(f"{name}Command") for name in families],
        },
        "Event": _union("A fact of the log, with its outcome.", events),
        "CommandRef": _COMMAND_REF,
        "SealedPart": _SEALED_PART,
        "TrialEvent": _TRIAL_EVENT,
    }


def _complete(found: dict[str, Schema], rulesets: Rulesets) -> None:
    """Say what the types leave open: raw events, boards and options of each ruleset."""
    prefixed = {prefix_of(ruleset): ruleset.game for ruleset in rulesets.by_id.values()}
    found["EventPage"]["properties"]["items"]["items"] = ref("Event")
    found["CommandAnswer"]["properties"]["events"]["items"] = ref("Event")
    found["Problem"]["properties"]["missed_events"]["items"] = ref("Event")
    found["Trial"]["properties"]["events"]["items"] = ref("TrialEvent")
    found["LegalCommand"] = {
        "description": "A command that is accepted as it stands.",
        "anyOf": [ref(f"{prefix}Command") for prefix in prefixed],
    }
    views = [ref(prefix + game.view_type.__name__) for prefix, game in prefixed.items()]
    found["BoardAnswer"]["properties"]["board"] = {"anyOf": [*views, {"type": "null"}]}
    found["Options"] = {
        "description": "What a table may choose for its game.",
        "anyOf": [ref(prefix + game.options_type.__name__) for prefix, game in prefixed.items()],
    }
    found["Game"]["properties"]["options"] = ref("Options")
    found["Notice"]["properties"]["at"]["format"] = "date-time"
    for time in ("created_at", "updated_at"):
        found["Game"]["properties"][time]["format"] = "date-time"
    found["GameCreated"]["properties"]["options"] = ref("Options")
    found["GameForked"]["properties"]["options"] = ref("Options")


def _tidied(schema: Any) -> Any:
    """The schema as generators of clients like it: enumerations have a type, and only their names name schemas."""
    if isinstance(schema, dict):
        made = {key: _tidied(value) for key, value in schema.items() if not _idle(key, value)}
        if "enum" in made and all(isinstance(value, str) for value in made["enum"]):
            made = {"type": "string", **made}
        return made
    if isinstance(schema, list | tuple):
        return [_tidied(value) for value in schema]
    return schema


def _idle(key: str, value: Any) -> bool:
    """Whether a schema says as much without this; a title is the name of a type, which several rulesets may have."""
    return (key == "default" and value is None) or (key == "title" and isinstance(value, str))


def _union(description: str, members: Mapping[str, str]) -> Schema:
    return {
        "description": description,
        "oneOf": [ref(name) for name in members.values()],
        "discriminator": {
            "propertyName": "type",
            "mapping": {kind: REFERENCE + name for kind, name in members.items()},
        },
    }


def _command(command: type[Command], data_name: str, found: Mapping[str, Schema]) -> Schema:
    needs_data = bool(found[data_name].get("required"))
    return {
        "type": "object",
        "description": _doc(command),
        "properties": {
            "type": {"type": "string", "const": command.type},
            "data": ref(data_name),
            "seat": {"$ref": REFERENCE + "CommandSeat"},
        },
        "required": ["type", "data"] if needs_data else ["type"],
        "additionalProperties": False,
    }


def _event(event: type[Event], data_name: str, private: Schema | None) -> Schema:
    parts: Schema = {"type": "array", "maxItems": 0, "items": ref("SealedPart")}
    if private is not None:
        parts = {"type": "array", "items": {"anyOf": [_open_part(private), ref("SealedPart")]}}
    return {
        "type": "object",
        "description": _doc(event),
        "properties": {
            "game": {"type": "string"},
            "version": {"type": "integer", "minimum": 1},
            "type": {"type": "string", "const": event.type},
            "schema": {"type": "integer", "const": event.schema},
            "data": ref(data_name),
            "private": parts,
            "seat": {"type": ["integer", "null"]},
            "actor": {"type": "string", "enum": ["player", "bot", "system"]},
            "command": ref("CommandRef"),
            "at": {"type": "string", "format": "date-time"},
            "private_digest": {**DIGEST, "type": ["string", "null"]},
            "prev": DIGEST,
            "digest": DIGEST,
            "description": _DESCRIPTION,
        },
        "required": list(_ENVELOPE),
        "additionalProperties": False,
    }


def _open_part(data: Schema) -> Schema:
    return {
        "type": "object",
        "description": "A private part, for a reader.",
        "properties": {"seats": _SEATS, "salt": {"type": "string"}, "data": data},
        "required": ["seats", "salt", "data"],
        "additionalProperties": False,
    }


def _doc(documented: type) -> str:
    return (documented.__doc__ or "").strip()


def _spoken(name: str) -> str:
    return "every game" if name == "Table" else name


_ENVELOPE = (
    "game",
    "version",
    "type",
    "schema",
    "data",
    "private",
    "seat",
    "actor",
    "command",
    "at",
    "private_digest",
    "prev",
    "digest",
)

_DESCRIPTION: Schema = {
    "type": "string",
    "description": "With `describe=true`: the event in one sentence. It stands beside the envelope and no digest "
    "covers it: leave it out before you compute one",
}

_SEATS: Schema = {"type": "array", "items": {"type": "integer"}, "description": "Who may read it; nobody when empty"}

_SEALED_PART: Schema = {
    "type": "object",
    "description": "A private part, for those who may not read it: its digest alone.",
    "properties": {"seats": _SEATS, "digest": DIGEST},
    "required": ["seats", "digest"],
    "additionalProperties": False,
}

_COMMAND_REF: Schema = {
    "type": "object",
    "description": "The command that caused an event: whole on its first event, only its id on the others.",
    "properties": {
        "id": {"type": "string"},
        "type": {"type": "string"},
        "data": {"type": "object"},
        "rules": {"type": "integer", "description": "The version of the rules that decided it"},
    },
    "required": ["id"],
    "additionalProperties": False,
}

_TRIAL_EVENT: Schema = {
    "type": "object",
    "description": "An event of a dry run: like an event of the log, but what nobody can know yet is null, and what "
    "depends on that is null or empty.",
    "properties": {
        **{name: {} for name in _ENVELOPE},
        "version": {"type": "integer"},
        "type": {"type": "string"},
        "schema": {"type": "integer"},
        "data": {"type": "object"},
        "seat": {"type": ["integer", "null"]},
        "command": {"$ref": REFERENCE + "CommandRef"},
    },
    "required": list(_ENVELOPE),
}
