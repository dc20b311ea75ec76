"""What the service sends to webhooks, for the contract."""

from collections.abc import Mapping
from typing import Any

from events.deliveries import TEST
from service.openapi.components import ref

Spec = dict[str, Any]

TAG = "webhooks"

MESSAGES: Mapping[str, Spec] = {
    "EventMessage": {
        "type": "object",
        "description": "An event of a game, as the owner of the webhook may read it.",
        "properties": {
            "type": {"type": "string", "description": "The type of the event"},
            "timestamp": {"type": "string", "format": "date-time", "description": "When it happened"},
            "data": {
                "type": "object",
                "properties": {
                    "game": {"type": "string"},
                    "version": {"type": "integer", "minimum": 1},
                    "event": ref("Event"),
                },
                "required": ["game", "version", "event"],
                "additionalProperties": False,
            },
        },
        "required": ["type", "timestamp", "data"],
        "additionalProperties": False,
    },
    "TestMessage": {
        "type": "object",
        "description": "A message that tells of no event, asked for to see whether messages arrive.",
        "properties": {
            "type": {"type": "string", "const": TEST},
            "timestamp": {"type": "string", "format": "date-time"},
            "data": {
                "type": "object",
                "properties": {"webhook": {"type": "string", "description": "The id of the webhook"}},
                "required": ["webhook"],
                "additionalProperties": False,
            },
        },
        "required": ["type", "timestamp", "data"],
        "additionalProperties": False,
    },
}
"""The schemas of messages."""


def pushed() -> Mapping[str, Spec]:
    """The requests that the service makes, by name."""
    return {
        "event": {"post": _message("receiveEvent", "An event has happened", "EventMessage")},
        "test": {"post": _message("receiveTest", "A test was asked for", "TestMessage")},
    }


def _message(name: str, summary: str, schema: str) -> Spec:
    return {
        "operationId": name,
        "tags": [TAG],
        "summary": summary,
        "security": [],
        "parameters": [
            _header("webhook-id", "The id of the message, the same however often it is sent", {"type": "string"}),
            _header(
                "webhook-timestamp", "When it was sent, in Unix seconds", {"type": "string", "pattern": "^[0-9]+$"}
            ),
            _header(
                "webhook-signature",
                "`v1,` and the HMAC-SHA256 in base64, once for each secret that is good, with spaces between",
                {"type": "string"},
            ),
        ],
        "requestBody": {"required": True, "content": {"application/json": {"schema": ref(schema)}}},
        "responses": {
            "2XX": {"description": "Taken. The body is not read."},
            "410": {"description": "There is nobody any more: the webhook is switched off."},
            "default": {"description": "Not taken: it is sent again later."},
        },
    }


def _header(name: str, meaning: str, schema: Spec) -> Spec:
    return {"in": "header", "name": name, "required": True, "description": meaning, "schema": schema}
