"""The stream of a player: what happens to them in all their games."""

import base64
import binascii
from collections.abc import Sequence

from flask import Blueprint, Response, request
from msgspec import Struct

from events.notices import Notice, Numbered, with_id
from service.answers import JSON, answer, encoded
from service.callers import lasting, listener, player
from service.incoming import BadParameter, read_query
from service.schemas import MOST_IN_A_PAGE, NoticesQuerySchema
from service.services import services
from service.streams import FORMS, Following, Message, live

blueprint = Blueprint("notices", __name__)

NOTICES_QUERY = NoticesQuerySchema()
LATEST = "latest"
DEFAULT_PAGE = 100
_LONGEST = 15
"""Digits of a number."""


class NoticePage(Struct, frozen=True):
    """Notices in order. `next` is the cursor after the last of them: `after` of the next page, or of a stream."""

    items: Sequence[Notice]
    next: str


@blueprint.get("/v1/events")
def notices() -> Response:
    """Notices after a cursor: a page, or a live stream for who accepts one."""
    query = read_query(NOTICES_QUERY)
    media_type = request.accept_mimetypes.best_match([JSON, *FORMS])
    access_token, limit = query["access_token"], query["limit"]
    if media_type not in FORMS and access_token is not None:
        raise BadParameter("access_token", "A token in the address is for live streams alone; send 'Authorization'.")
    reader = (listener(access_token, None) if access_token is not None else None) or player()
    after = _after(reader, query["after"])
    house = services()
    found = house.notices.read(reader, after, min(limit or DEFAULT_PAGE, MOST_IN_A_PAGE))
    if media_type not in FORMS:
        items = [with_id(numbered, written(reader, numbered.number)) for numbered in found]
        following = items[-1].id if items else written(reader, after)
        return answer(encoded(NoticePage(items=items, next=following)), headers={"Vary": "Accept, Authorization"})
    demand = lasting(access_token, None)

    def read(after: int, count: int) -> list[Message]:
        demand()
        return [_message(reader, numbered) for numbered in house.notices.read(reader, after, count)]

    following_them = Following(name=reader, after=after, limit=limit, read=read)
    return live(house.streams, house.bells, reader, FORMS[media_type], following_them)


def _message(reader: str, numbered: Numbered) -> Message:
    cursor = written(reader, numbered.number)
    return Message(numbered.number, cursor.encode(), encoded(with_id(numbered, cursor)))


def _after(reader: str, after: str | None) -> int:
    """The number after which to begin: that of Last-Event-ID, else of the query, else before all that is kept.

    Raises BadParameter, StoreUnavailable.
    """
    last = request.headers.get("Last-Event-ID")
    if last is not None:
        return _read("Last-Event-ID", reader, last)
    if after is None:
        return services().notices.first(reader)
    return services().notices.last(reader) if after == LATEST else _read("after", reader, after)


def written(reader: str, number: int) -> str:
    """The cursor after a notice."""
    return base64.urlsafe_b64encode(f"{number}.{reader}".encode()).rstrip(b"=").decode()


def _read(parameter: str, reader: str, cursor: str) -> int:
    """The number of the notice that a cursor stands for. Raises BadParameter."""
    try:
        number, _, owner = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii").partition(".")
    except (binascii.Error, ValueError):
        number = owner = ""
    if not number.isdigit() or len(number) > _LONGEST or owner != reader or written(reader, int(number)) != cursor:
        raise BadParameter(
            parameter, "This is no cursor of your stream: take the 'id' of a notice, or 'next' of a page."
        )
    return int(number)
