"""Whether this process lives, and whether it can do its work."""

from typing import cast

from flask import Blueprint, Response
from msgspec import Struct

from events.errors import StoreUnavailable
from events.settings import Durability
from events.store import FORMAT, reading, unsafe
from service.answers import JSON, encoded
from service.services import services

blueprint = Blueprint("health", __name__)

_NOW = {"Cache-Control": "no-store"}


class Alive(Struct, frozen=True):
    """The process answers."""

    status: str = "ok"


class Ready(Struct, frozen=True, kw_only=True):
    """The store can be reached and keeps what it acknowledges.

    `durability`: `always`, what is acknowledged is on disk; `everysec`, up to a second of it may be lost. `format` is that of
    the data, `partitions` how many parts the games are spread over, `streams` how many this process has open.
    """

    status: str = "ready"
    durability: Durability
    format: str
    partitions: int
    streams: int


@blueprint.get("/healthz")
def healthz() -> Response:
    """This process lives."""
    return Response(encoded(Alive()), headers=_NOW, content_type=JSON)


@blueprint.get("/readyz")
def readyz() -> Response:
    """This process can do its work."""
    house = services()
    with reading():
        problems = unsafe(house.store.client, house.settings.durability)
        written = cast("bytes | None", house.store.client.hget("annales:meta", "format"))
    if written != FORMAT.encode():
        problems.append(f"The data has format {written!r}, this code knows format {FORMAT}.")
    if problems:
        raise StoreUnavailable(" ".join(problems))
    ready = Ready(
        durability=house.settings.durability,
        format=FORMAT,
        partitions=house.store.keys.partitions,
        streams=len(house.streams),
    )
    return Response(encoded(ready), headers=_NOW, content_type=JSON)
