"""Games: setting them up, listing them, looking at one."""

from collections.abc import Sequence

import msgspec
from flask import Blueprint, Response
from msgspec import Struct

from domain.errors import BadCommand
from domain.table import CreateGame
from events.draft import Session
from events.redaction import may_see
from events.sessions import Outcome
from service.answers import answer, encoded, not_modified, tag
from service.callers import caller, player
from service.incoming import BadParameter, checked, idempotency_key, knows_already, read_json, read_query
from service.resources import Game, game_of, path_of
from service.rights import demand_sight
from service.schemas import CreateGameSchema, GameQuerySchema, NoQuerySchema
from service.services import services

blueprint = Blueprint("games", __name__)

NO_QUERY = NoQuerySchema()
QUERY = GameQuerySchema()
CREATE = CreateGameSchema()


class GameList(Struct, frozen=True):
    """A page of games, newest first; `next` is the `cursor` of the next one."""

    items: Sequence[Game]
    next: str | None


class _Made(Struct):
    id: str
    version: int


_MADE = msgspec.json.Decoder(_Made)


@blueprint.post("/v1/games")
def create() -> Response:
    """A new game; with an Idempotency-Key, the same game for the same request."""
    creator, house = player(), services()
    read_query(NO_QUERY)
    body = read_json()
    command = _create_game(checked(CREATE, body))
    key = idempotency_key(creator, "games", body)
    outcome = house.sessions.create(command, creator, key, lambda made: encoded(game_of(made.session, house.root)))
    return created(outcome)


def _create_game(loaded: dict[str, object]) -> CreateGame:
    try:
        return msgspec.convert(loaded, CreateGame)
    except msgspec.ValidationError as error:
        raise BadCommand.malformed(error, "") from error


def created(outcome: Outcome) -> Response:
    """The answer to the making of a game."""
    house = services()
    made = _MADE.decode(outcome.answer)
    headers = {"Location": house.root + path_of(made.id), "ETag": tag(made.version)}
    if outcome.replayed:
        headers["Idempotency-Replayed"] = "true"
    return answer(outcome.answer, 201, headers)


@blueprint.get("/v1/games")
def every() -> Response:
    """Games by status, ruleset and player, newest first: the public ones, and all of the caller's own."""
    viewer, house = caller(), services()
    query = read_query(house.games_query)
    try:
        page, following = house.lobby.page(viewer=viewer, **query)
    except BadCommand as refusal:
        raise BadParameter("cursor", refusal.template, **refusal.params) from refusal
    games = [
        game_of(session, house.root)
        for session in house.sessions.load_many(page)
        if may_see(session.position.table, viewer)
    ]
    return answer(encoded(GameList(items=games, next=following)))


@blueprint.get("/v1/games/<id:game>")
def one(game: str) -> Response:
    """One game."""
    viewer, house = caller(), services()
    invite = read_query(QUERY)["invite"]
    session = house.sessions.load(game)
    if invite is None or not house.invites.admits(session, invite):
        demand_sight(session.position.table, viewer)
    etag = tag(session.version)
    if knows_already(etag) and not session.rematch:  # which comes without a new version
        return not_modified(etag)
    return answer(encoded(game_of(session, house.root)), headers={"ETag": etag})


def seen(game: str, viewer: str | None) -> Session:
    """The game as it stands, for one who may see it. Raises NotFound."""
    session = services().sessions.load(game)
    demand_sight(session.position.table, viewer)
    return session
