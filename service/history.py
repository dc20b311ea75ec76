"""The log of a game as the caller may read it: pages, live streams, audit, export."""

from collections.abc import Callable, Sequence

from flask import Blueprint, Response, request
from msgspec import Raw, Struct

from domain.table.events import SeedRevealed
from events.audit import Check, FirstBad, Verdict, header_line
from events.draft import Session
from events.redaction import Reader
from events.store import PAGE, Logged
from events.transfer import checkpoint_of
from service.answers import JSON, answer, encoded, not_modified, tag
from service.callers import caller, lasting, listener
from service.descriptions import Describer
from service.games import seen
from service.incoming import BadParameter, knows_already, read_query
from service.language import in_language, language
from service.rights import demand_sight
from service.schemas import HIGHEST_VERSION, MOST_IN_A_PAGE, EventsQuerySchema, NoQuerySchema
from service.services import services
from service.streams import FORMS, Following, Form, Lines, Message, live

blueprint = Blueprint("history", __name__)

EVENTS_QUERY = EventsQuerySchema()
NO_QUERY = NoQuerySchema()
DEFAULT_PAGE = 100
Telling = Callable[[Session, list[bytes]], list[bytes]]
"""What becomes of the lines of events before they go out."""


class EventPage(Struct, frozen=True):
    """Events in order. `next` is the `after` of the next page, null when this one ends the log as it stands."""

    items: Sequence[Raw]
    next: int | None


class Audit(Struct, frozen=True, kw_only=True):
    """What an audit of a log found, on what everybody may read of it.

    `verified`: everything holds. `sealed`: all that can be checked holds, and the rest opens when the game ends.
    `failed`: `first_bad` names the first event that does not fit, and why.
    """

    game: str
    verdict: Verdict
    version: int
    head: str
    checks: Sequence[Check]
    first_bad: FirstBad | None
    checkpoint: str | None


@blueprint.get("/v1/games/<id:game>/events")
def events(game: str) -> Response:
    """Events after a version: a page, or a live stream for who accepts one."""
    query = read_query(EVENTS_QUERY)
    media_type = request.accept_mimetypes.best_match([JSON, *FORMS])
    access_token = query["access_token"]
    if media_type not in FORMS and access_token is not None:
        raise BadParameter("access_token", "A token in the address is for live streams alone; send 'Authorization'.")
    reader = listener(access_token, game)
    last = _last_event_id()
    if media_type in FORMS:
        after = query["after"] if last is None else last
        telling, demand = _telling(query["describe"]), lasting(access_token, game)
        response = _stream(seen(game, reader), reader, demand, FORMS[media_type], telling, after, query["limit"])
    else:
        limit = min(query["limit"] or DEFAULT_PAGE, MOST_IN_A_PAGE)
        response = _page(game, reader, _telling(query["describe"]), query["after"], limit)
    return in_language(response) if query["describe"] and response.status_code == 200 else response


def _telling(describe: bool) -> Telling:
    """Lines as they are, or with a sentence each in the language of the caller."""
    if not describe:
        return lambda _, lines: lines
    accounts, spoken = services().accounts, language()
    return lambda session, lines: Describer(session, spoken, accounts).described(lines)


def _last_event_id() -> int | None:
    """The version after which a broken stream goes on. Raises BadParameter."""
    header = request.headers.get("Last-Event-ID")
    if header is None:
        return None
    if not header.isascii() or not header.isdigit() or len(header) > len(str(HIGHEST_VERSION)):
        raise BadParameter("Last-Event-ID", "Last-Event-ID is the version of an event.")
    return int(header)


def _page(game: str, reader: str | None, telling: Telling, after: int, limit: int) -> Response:
    session, rows = services().sessions.load_with_events(game, after, limit)
    demand_sight(session.position.table, reader)
    items = [Raw(line) for line in telling(session, Reader(session, reader).lines(rows))]
    following = rows[-1].version if len(rows) == limit and rows[-1].version < session.version else None
    return answer(encoded(EventPage(items=items, next=following)), headers={"Vary": "Accept, Authorization"})


def _stream(
    session: Session,
    reader: str | None,
    demand: Callable[[], None],
    form: Form,
    telling: Telling,
    after: int,
    limit: int | None,
) -> Response:
    """A live stream; before it tells anything that not everybody may know, `demand` makes sure that the token is good."""
    if session.position.table.seed_revealed and after >= session.version:
        return Response(status=204)
    house, is_private = services(), session.position.table.visibility == "private"

    def shown(rows: list[Logged]) -> list[bytes]:
        if not is_private and not any(row.has_private for row in rows):
            return telling(session, [row.line for row in rows])
        demand()
        now = house.sessions.load(session.id)
        demand_sight(now.position.table, reader)
        return telling(now, Reader(now, reader).lines(rows))

    def read(after: int, count: int) -> list[Message]:
        rows = house.store.read(session.id, after, count)
        return [Message(row.version, b"%d" % row.version, line) for row, line in zip(rows, shown(rows), strict=True)]

    following = Following(name=session.id, after=after, limit=limit, read=read, last=SeedRevealed.type)
    return live(house.streams, house.wakeups, reader, form, following)


@blueprint.get("/v1/games/<id:game>/audit")
def audit(game: str) -> Response:
    """Whether the log of a game holds."""
    reader = caller()
    read_query(NO_QUERY)
    session = seen(game, reader)
    etag = tag(session.version)
    if knows_already(etag):
        return not_modified(etag)
    found = services().audits.of(session)
    told = Audit(
        game=game,
        verdict=found.verdict,
        version=found.version,
        head=found.head,
        checks=found.checks,
        first_bad=found.first_bad,
        checkpoint=checkpoint_of(session, services().ring),
    )
    return answer(encoded(told), headers={"ETag": etag})


@blueprint.get("/v1/games/<id:game>/export")
def export(game: str) -> Response:
    """The whole log as the caller may read it."""
    reader = caller()
    read_query(NO_QUERY)
    session = seen(game, reader)
    lines, shown = (
        [header_line(session.position.table.id, checkpoint_of(session, services().ring))],
        Reader(session, reader),
    )
    for first in range(0, session.version, PAGE):
        lines += shown.lines(services().store.read(game, first, min(PAGE, session.version - first)))
    headers = {
        "Cache-Control": "private, no-cache",
        "Vary": "Authorization",
        "Content-Disposition": f'attachment; filename="{game}.ndjson"',
    }
    return Response(b"\n".join(lines) + b"\n", headers=headers, content_type=Lines.media_type)
