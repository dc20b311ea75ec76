"""What a caller may see of the board, and what they may do."""

from flask import Blueprint, Response

from domain.errors import NotAllowed, WrongMoment
from domain.table import Table
from events.draft import Session
from events.errors import NotFound
from service.answers import answer, encoded, not_modified, tag
from service.callers import caller, player
from service.games import seen
from service.incoming import knows_already, read_query
from service.resources import board_of, legal_commands_of
from service.rights import chosen_seat
from service.schemas import BoardQuerySchema, SeatQuerySchema
from service.services import services

blueprint = Blueprint("board", __name__)

BOARD_QUERY = BoardQuerySchema()
SEAT_QUERY = SeatQuerySchema()


@blueprint.get("/v1/games/<id:game>/board")
def board(game: str) -> Response:
    """The board as the caller may see it, now or at an earlier version; opened, when the game is over."""
    looker = caller()
    query = read_query(BOARD_QUERY)
    now = seen(game, looker)
    viewer = _viewer(now, looker, query["seat"])
    if query["reveal"]:
        _demand_over(now.position.table)
    at = query["at"] or now.version
    etag = tag(at) if at == now.version else _tag_of_the_past(at, viewer)
    if at <= now.version and knows_already(etag):
        return not_modified(etag)
    return answer(_shown(now, at, viewer, reveal=query["reveal"]), headers={"ETag": etag})


@blueprint.get("/v1/games/<id:game>/legal-commands")
def legal_commands(game: str) -> Response:
    """All commands of the ruleset that a seat of the caller's may give now."""
    own = player()
    query = read_query(SEAT_QUERY)
    session = seen(game, own)
    seat = chosen_seat(session, own, query["seat"], "seat")
    if seat is None:
        raise NotAllowed("forbidden", "Only a player with a seat in this game has commands.")
    etag = tag(session.version)
    if knows_already(etag):
        return not_modified(etag)
    return answer(encoded(legal_commands_of(session, seat)), headers={"ETag": etag})


def _viewer(session: Session, looker: str | None, named: int | None) -> int | None:
    """The seat whose board is shown: one of the caller's, any once the game is over, None for a spectator."""
    table = session.position.table
    if named is not None and table.seed_revealed and named < len(table.seats):
        return named
    return chosen_seat(session, looker, named, "seat")


def _tag_of_the_past(at: int, viewer: int | None) -> str:
    """The entity tag of an earlier board: whose it is changes when seats change hands, and a version that is past does not."""
    return f'"{at}-{"spectator" if viewer is None else viewer}"'


def _demand_over(table: Table) -> None:
    if not table.seed_revealed:
        raise WrongMoment(
            "game-not-over", "The board is opened when the game is over; it is {status}.", status=table.status
        )


def _shown(now: Session, at: int, viewer: int | None, *, reveal: bool) -> bytes:
    """The board at a version, made once for all who look at it: a log is never changed, so neither is what it says."""
    house, is_present = services(), at == now.version
    key = (now.id, at, viewer, reveal, is_present)
    known = house.boards.get(key)
    if known is None:
        then = now if is_present else _past(now, at)
        known = encoded(board_of(then, viewer, reveal=reveal, present=is_present))
        house.boards.put(key, known)
    return known


def _past(now: Session, at: int) -> Session:
    if at > now.version:
        raise NotFound("version")
    return services().sessions.at(now.id, at)
