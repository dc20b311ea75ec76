"""Players: registering, and the caller's own account."""

from typing import Any

from flask import Blueprint, Response
from msgspec import Struct

from domain.table.state import Status
from service.accounts import Player
from service.answers import answer, encoded, secret_answer
from service.callers import player
from service.incoming import checked, read_json, read_query
from service.resources import Game, PlayerRef, game_of
from service.schemas import MOST_IN_A_LIST, NoQuerySchema, RegisterSchema, RenameSchema
from service.services import services

blueprint = Blueprint("players", __name__)

NO_QUERY = NoQuerySchema()
REGISTER = RegisterSchema()
RENAME = RenameSchema()


class OwnGames(Struct, frozen=True):
    """The caller's games that are not over, newest first, at most 100 each; `GET /v1/games?player=` lists them all."""

    open: list[Game]
    active: list[Game]


class Me(Struct, frozen=True):
    """The caller, and their open and active games."""

    player: PlayerRef
    games: OwnGames


class Renamed(Struct, frozen=True):
    """A player with another name."""

    player: Player


@blueprint.post("/v1/players")
def register() -> Response:
    """A new player, with the token, which is shown this once."""
    read_query(NO_QUERY)
    body = checked(REGISTER, read_json())
    return secret_answer(services().accounts.register(body["name"]), 201)


@blueprint.get("/v1/players/me")
def me() -> Response:
    """The caller, and their games that are not over."""
    own = player()
    read_query(NO_QUERY)
    games = OwnGames(open=_games(own, "open"), active=_games(own, "active"))
    return answer(encoded(Me(player=PlayerRef(id=own), games=games)))


@blueprint.patch("/v1/players/me")
def rename() -> Response:
    """Another name for the caller."""
    own = player()
    read_query(NO_QUERY)
    body: dict[str, Any] = checked(RENAME, read_json())
    return answer(encoded(Renamed(player=services().accounts.rename(own, body["name"]))))


def _games(own: str, status: Status) -> list[Game]:
    house = services()
    page, _ = house.lobby.page(status=status, player=own, viewer=own, limit=MOST_IN_A_LIST)
    return [game_of(session, house.root) for session in house.sessions.load_many(page)]
