"""The whole contract, put together."""

from typing import Any

import msgspec
import yaml
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from marshmallow import Schema

from events.ruleset import Rulesets
from service.openapi.components import REFERENCE, ref, schemas
from service.openapi.operations import HEADERS, LIMITS, PARAMETERS, PROBLEM, PROBLEMS, operations
from service.openapi.pushed import MESSAGES, pushed
from service.schemas import (
    MOST_COMMANDS,
    MOST_SEATS,
    CreateGameSchema,
    ForkSchema,
    MakeStreamTokenSchema,
    MakeTokenSchema,
    MakeWebhookSchema,
    RecoverSchema,
    RegisterSchema,
    RenameSchema,
    SetRegistrationSchema,
)

_ABOUT = """\
Board games over REST, each an event-sourced log that anyone can replay and check.

Register a player, set a game up or join one, then: read `to_act` of the game, ask for `legal-commands`, give one of them as a
command, and follow `events`. Every refusal is an `application/problem+json` whose `type` is an address that explains it.

An `ETag` is the version of a game. Send it back as `If-Match` with a command, and the command is done only if the game has not
moved on; send an `Idempotency-Key`, and it can be repeated safely.

`RateLimit-Policy` and `RateLimit` say how much there is of the budget that a request is taken from, and what is left of it, in
the structured fields of draft-ietf-httpapi-ratelimit-headers-10.

Pages of any origin may call, unless the operator says otherwise.
"""

_BODIES = (
    RegisterSchema,
    RenameSchema,
    MakeTokenSchema,
    RecoverSchema,
    MakeStreamTokenSchema,
    MakeWebhookSchema,
    SetRegistrationSchema,
    CreateGameSchema,
    ForkSchema,
)

_OF_STATUS = {401: ["WWW-Authenticate"], 403: ["WWW-Authenticate"], 429: ["Retry-After"], 503: ["Retry-After"]}

_TAGS = {
    "players": "Who plays",
    "tokens": "What players show to be known: tokens and their scopes",
    "rulesets": "The games that can be played",
    "games": "Setting games up and finding them",
    "play": "Playing: boards and commands",
    "history": "The log: events, audit, export",
    "trust": "Checking the service itself: its keys, and the log of finished games",
    "webhooks": "Being told of events by HTTP, by the Standard Webhooks specification",
    "operators": "What operators of the service do, with a token of the scope `admin`",
    "service": "The service itself",
}


def document(rulesets: Rulesets) -> dict[str, Any]:
    """The OpenAPI document of a service that offers these rulesets."""
    plugin = MarshmallowPlugin(schema_name_resolver=_name_of)
    spec = APISpec(
        title="Annales",
        version="1",
        openapi_version="3.1.0",
        plugins=[plugin],
        info={"description": _ABOUT, "license": {"name": "MIT", "identifier": "MIT"}},
        servers=[{"url": "/", "description": "This service"}],
        tags=[{"name": name, "description": meaning} for name, meaning in _TAGS.items()],
    )
    spec.components.security_scheme("token", {"type": "http", "scheme": "bearer"})
    for name, header in HEADERS.items():
        spec.components.header(name, header)
    for name, parameter in PARAMETERS.items():
        spec.components.parameter(name, parameter["in"], parameter)
    for status, (name, meaning) in PROBLEMS.items():
        spec.components.response(name, _problem(status, meaning))
    for body in _BODIES:
        spec.components.schema(_name_of(body), schema=body)
    for path, methods in operations().items():
        spec.path(path, operations={method: dict(operation) for method, operation in methods.items()})
    made: dict[str, Any] = {**spec.to_dict(), "webhooks": pushed()}
    _finish(made, rulesets)
    return made


def as_json(made: dict[str, Any]) -> bytes:
    """The document as JSON."""
    return msgspec.json.format(msgspec.json.encode(made), indent=1)


def as_yaml(made: dict[str, Any]) -> bytes:
    """The document as YAML."""
    text: str = yaml.dump(made, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)
    return text.encode()


class _Dumper(yaml.SafeDumper):
    """Writes what occurs twice twice, without anchors."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 a rule for all data
        return True


def _name_of(schema: Schema | type[Schema] | str) -> str:
    name = schema if isinstance(schema, str) else schema.__name__ if isinstance(schema, type) else type(schema).__name__
    return name.removesuffix("Schema")


def _problem(status: int, meaning: str) -> dict[str, Any]:
    names = ["X-Request-Id", "Content-Language", *_OF_STATUS.get(status, ()), *LIMITS]
    return {
        "description": meaning,
        "headers": {name: {"$ref": f"#/components/headers/{name}"} for name in names},
        "content": {PROBLEM: {"schema": ref("Problem")}},
    }


def _finish(made: dict[str, Any], rulesets: Rulesets) -> None:
    """Add the schemas of the msgspec types, and say in those of marshmallow what they leave open."""
    bodies: dict[str, Any] = made["components"]["schemas"]
    bodies["CreateGame"]["properties"]["options"] = ref("Options")
    bodies["CreateGame"]["properties"]["clock"] = {"anyOf": [ref("Clock"), {"type": "null"}]}
    bodies["CreateGame"]["properties"]["ruleset"]["enum"] = list(rulesets.by_id)
    bodies["CommandSeat"] = {
        "type": ["integer", "null"],
        "minimum": 0,
        "maximum": MOST_SEATS - 1,
        "description": "The caller's seat that gives it; left out: the one that is to act, else the lowest",
    }
    bodies["Batch"] = {
        "type": "object",
        "description": "Several commands, applied all or none.",
        "properties": {
            "commands": {"type": "array", "items": ref("Command"), "minItems": 1, "maxItems": MOST_COMMANDS}
        },
        "required": ["commands"],
        "additionalProperties": False,
    }
    others = {**schemas(rulesets), **MESSAGES}
    if twice := bodies.keys() & others.keys():
        raise ValueError(f"these names stand for two schemas each: {', '.join(sorted(twice))}")
    bodies |= others
    reached = _reached(made)
    made["components"]["schemas"] = {name: bodies[name] for name in sorted(bodies) if name in reached}
    _fill_in(made, list(rulesets.by_id))


def _reached(made: dict[str, Any]) -> set[str]:
    """The schemas that anything refers to."""
    bodies, reached = made["components"]["schemas"], set[str]()
    waiting = [made["paths"], made["webhooks"], made["components"]["responses"]]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            name = str(node.get("$ref", "")).removeprefix(REFERENCE)
            if name in bodies and name not in reached:
                reached.add(name)
                waiting.append(bodies[name])
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node
    return reached


def _fill_in(made: dict[str, Any], rulesets: list[str]) -> None:
    """The rulesets that a list of games can be filtered by; no default where leaving out means any."""
    for methods in made["paths"].values():
        for operation in methods.values():
            for parameter in operation.get("parameters", []):
                if parameter.get("in") == "query":
                    parameter["schema"] = _unless_left_out(parameter["schema"])
                    if parameter["name"] == "ruleset":
                        parameter["schema"]["enum"] = rulesets


def _unless_left_out(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of a query parameter: it can be left out, but not be null."""
    kinds, values = schema.get("type"), schema.get("enum", [])
    made = {name: value for name, value in schema.items() if not (name == "default" and value is None)}
    if isinstance(kinds, list):
        made["type"] = next(kind for kind in kinds if kind != "null")
    if values:
        made["enum"] = [value for value in values if value is not None]
    return made
