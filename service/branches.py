"""New games from old ones: forks, and copies of finished games that were played elsewhere."""

import msgspec
from flask import Blueprint, Response, request

from domain.errors import BadCommand
from domain.table import ForkGame
from events.draft import Session
from events.transfer import LARGEST, import_finished
from service.answers import answer, encoded, tag
from service.callers import player
from service.games import created, seen
from service.incoming import UnsupportedMediaType, checked, idempotency_key, read_body, read_json, read_query
from service.resources import game_of, path_of
from service.schemas import ForkSchema, NoQuerySchema
from service.services import services

blueprint = Blueprint("branches", __name__)

NO_QUERY = NoQuerySchema()
FORK = ForkSchema()
LINES = "application/x-ndjson"


@blueprint.post("/v1/games/<id:game>/forks")
def fork(game: str) -> Response:
    """A new game from how another stood."""
    forker, house = player(), services()
    read_query(NO_QUERY)
    body = read_json()
    loaded = checked(FORK, body)
    seen(game, forker)
    key = idempotency_key(forker, f"forks:{game}", body)
    try:
        command = msgspec.convert({**loaded, "game": game}, ForkGame)
    except msgspec.ValidationError as error:
        raise BadCommand.malformed(error, "") from error
    return created(house.sessions.fork(command, forker, key, lambda made: encoded(game_of(made.session, house.root))))


@blueprint.post("/v1/games/import")
def import_game() -> Response:
    """A copy of a finished game, from its export."""
    importer, house = player(), services()
    read_query(NO_QUERY)
    if request.mimetype != LINES:
        raise UnsupportedMediaType(
            "unsupported-media-type", "Send an export, with 'Content-Type: {media_type}'.", media_type=LINES
        )
    request.max_content_length = LARGEST
    export = read_body()
    key = idempotency_key(importer, "imports", export.decode("utf-8", "replace"))
    return _copied(import_finished(house.sessions, export, key))


def _copied(session: Session) -> Response:
    root = services().root
    headers = {"Location": root + path_of(session.id), "ETag": tag(session.version)}
    return answer(encoded(game_of(session, root)), 201, headers)
