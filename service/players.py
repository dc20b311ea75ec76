"""Players: registering, and the caller's own account."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from flask import Blueprint, Response
from msgspec import Struct

from domain.errors import WrongMoment
from domain.table import Order
from domain.table.commands import LeaveGame, ReplaceWithBot
from domain.table.state import Status
from events.errors import NotFound
from events.sessions import Key
from events.store import reading
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
    services().accounts.demand_open()
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


@blueprint.delete("/v1/players/me")
def erase() -> Response:
    """Forget the caller: they leave games that have not begun, bots play on in the others, the rest is gone."""
    own, house = player(), services()
    read_query(NO_QUERY)
    with reading():
        house.lobby.catch_up()
    for game in _unfinished(own):
        with suppress(NotFound):
            _leave(game, own)
    house.webhooks.erase(own)
    house.accounts.erase(own)
    return Response(status=204)


def _unfinished(own: str) -> Iterator[str]:
    """The caller's games that are not over; a game that is left drops out of the list only after a moment."""
    house = services()
    for status in ("open", "active"):
        cursor = None
        while True:
            page, cursor = house.lobby.page(status=status, player=own, viewer=own, cursor=cursor, limit=MOST_IN_A_LIST)
            yield from page
            if cursor is None:
                break


def _leave(game: str, own: str) -> None:
    """Give back or hand over every seat of the caller, as long as the game is not over."""
    house = services()
    while seats := (table := house.sessions.load(game).position.table).seats_of(own):
        if table.status not in {"open", "active"}:
            return
        command = LeaveGame() if table.status == "open" else ReplaceWithBot()
        order = Order(command=command, actor="player", seat=seats[0], player=own)
        with suppress(WrongMoment):  # it has begun or ended just now
            _give(game, order)


def _give(game: str, order: Order) -> None:
    services().sessions.handle(game, lambda _: [order], Key.own())


def _games(own: str, status: Status) -> list[Game]:
    house = services()
    page, _ = house.lobby.page(status=status, player=own, viewer=own, limit=MOST_IN_A_LIST)
    return [game_of(session, house.root) for session in house.sessions.load_many(page)]
