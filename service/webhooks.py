"""Webhooks over REST: a player's own, what was sent to them, and sending it once more."""

import base64
import binascii
from collections.abc import Sequence
from secrets import token_hex
from time import time

from flask import Blueprint, Response
from msgspec import Struct

from domain.errors import BadCommand
from domain.table import EVENTS
from events.deliveries import Delivery, of_test
from events.targets import Policy
from events.webhooks import Subscription, Webhook
from service.answers import answer, encoded, secret_answer
from service.callers import player
from service.games import seen
from service.incoming import BadParameter, checked, read_json, read_query
from service.schemas import DeliveriesQuerySchema, MakeWebhookSchema, NoQuerySchema
from service.services import services

blueprint = Blueprint("webhooks", __name__)

NO_QUERY = NoQuerySchema()
MAKE = MakeWebhookSchema()
DELIVERIES_QUERY = DeliveriesQuerySchema()


class NewWebhook(Struct, frozen=True):
    """A webhook with the secret that signs what is sent to it, which is shown this once."""

    webhook: Webhook
    secret: str


class WebhookList(Struct, frozen=True):
    """The webhooks of the caller, the oldest first."""

    items: Sequence[Webhook]


class DeliveryList(Struct, frozen=True):
    """The deliveries of a webhook, the newest first. `next` is the cursor of the next page, null after the last."""

    items: Sequence[Delivery]
    next: str | None


@blueprint.post("/v1/webhooks")
def make() -> Response:
    """A new webhook of the caller, with its secret."""
    maker, house = player(), services()
    read_query(NO_QUERY)
    body = checked(MAKE, read_json())
    Policy.of(house.settings).demand(body["url"])
    _demand_types(body["types"] or ())
    if body["game"] is not None:
        seen(body["game"], maker)
    return _with_secret(house.webhooks.make(maker, body["url"], body["game"], body["types"]), 201)


@blueprint.get("/v1/webhooks")
def every() -> Response:
    """The caller's webhooks, without their secrets."""
    own = player()
    read_query(NO_QUERY)
    return answer(encoded(WebhookList(items=[one.webhook for one in services().webhooks.every(own)])))


@blueprint.get("/v1/webhooks/<id:webhook>")
def get(webhook: str) -> Response:
    """One webhook of the caller, without its secret."""
    own = player()
    read_query(NO_QUERY)
    return answer(encoded(services().webhooks.get(own, webhook).webhook))


@blueprint.delete("/v1/webhooks/<id:webhook>")
def remove(webhook: str) -> Response:
    """Delete a webhook; nothing more is sent to it."""
    own = player()
    read_query(NO_QUERY)
    services().webhooks.remove(own, webhook)
    return Response(status=204)


@blueprint.post("/v1/webhooks/<id:webhook>/rotate")
def rotate(webhook: str) -> Response:
    """A new secret for a webhook; the one before signs too for a while."""
    own = player()
    read_query(NO_QUERY)
    return _with_secret(services().webhooks.rotate(own, webhook), 200)


@blueprint.post("/v1/webhooks/<id:webhook>/test")
def test(webhook: str) -> Response:
    """Send a message that tells of no event."""
    own, house = player(), services()
    read_query(NO_QUERY)
    delivery = of_test(house.webhooks.get(own, webhook).webhook.id, token_hex(12))
    house.deliveries.put(own, delivery, time())
    return answer(encoded(delivery), 202)


@blueprint.get("/v1/webhooks/<id:webhook>/deliveries")
def deliveries(webhook: str) -> Response:
    """What was sent to a webhook, or waits to be."""
    own, house = player(), services()
    query = read_query(DELIVERIES_QUERY)
    after = None if query["cursor"] is None else _read_cursor(query["cursor"])
    house.webhooks.get(own, webhook)
    found = [one for one in house.deliveries.every(own, webhook) if query["state"] in {None, one.state}]
    rest = [one for one in found if after is None or _place(one) < after]
    items = rest[: query["limit"]]
    following = _write_cursor(items[-1]) if len(rest) > len(items) else None
    return answer(encoded(DeliveryList(items=items, next=following)))


@blueprint.post("/v1/webhooks/<id:webhook>/deliveries/<id:delivery>/replay")
def replay(webhook: str, delivery: str) -> Response:
    """Send once more what was sent, or could not be."""
    own, house = player(), services()
    read_query(NO_QUERY)
    house.webhooks.get(own, webhook)
    return answer(encoded(house.deliveries.replay(own, webhook, delivery)), 202)


def _with_secret(made: Subscription, status: int) -> Response:
    return secret_answer(NewWebhook(webhook=made.webhook, secret=made.secret), status)


def _demand_types(types: Sequence[str]) -> None:
    """Raises BadCommand for a type that no event has here."""
    rulesets = services().rulesets.by_id.values()
    known = {event.type for event in EVENTS} | {event.type for one in rulesets for event in one.game.event_types}
    for number, kind in enumerate(types):
        if kind not in known:
            says = "No event has the type '{type}': GET /v1/rulesets/{{ruleset}} lists those of a ruleset."
            raise BadCommand("malformed-request", says, pointer=f"/types/{number}", type=kind)


def _place(delivery: Delivery) -> tuple[str, str]:
    return delivery.created_at, delivery.id


def _write_cursor(last: Delivery) -> str:
    return base64.urlsafe_b64encode(" ".join(_place(last)).encode()).rstrip(b"=").decode()


def _read_cursor(cursor: str) -> tuple[str, str]:
    try:
        created_at, separator, name = (
            base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode().partition(" ")
        )
    except (binascii.Error, ValueError):
        separator = ""
    if not separator:
        says = "This cursor is not one that was given out here; leave it out to begin with the first page."
        raise BadParameter("cursor", says)
    return created_at, name
