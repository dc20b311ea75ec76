"""What operators of the service do, with tokens of the scope `admin`. Each deed is noted in the log, in one line."""

import logging
from typing import Any

from flask import Blueprint, Response, request
from msgspec import Struct

from domain.table import Order
from domain.table.commands import AbandonGame
from events.sessions import Key
from service.answers import answer, encoded
from service.callers import holder
from service.incoming import checked, read_json, read_query
from service.marks import request_id
from service.resources import game_of
from service.schemas import NoQuerySchema, SetRegistrationSchema
from service.services import services

LOG = logging.getLogger(__name__)

blueprint = Blueprint("operators", __name__)

NO_QUERY = NoQuerySchema()
REGISTRATION = SetRegistrationSchema()


class Registration(Struct, frozen=True):
    """Whether anybody may register."""

    open: bool


@blueprint.post("/v1/admin/games/<id:game>/close")
def close(game: str) -> Response:
    """End a game as it stands."""
    operator, house = _operator(), services()
    read_query(NO_QUERY)
    order = Order(command=AbandonGame(reason="closed"), actor="system")
    outcome = house.sessions.handle(game, lambda _: [order], Key.own())
    _note(operator, "close", game=game)
    return answer(encoded(game_of(outcome.session, house.root)))


@blueprint.put("/v1/admin/players/<id:player>/block")
def block(player: str) -> Response:
    """Let no token of a player be good."""
    operator = _operator()
    read_query(NO_QUERY)
    services().accounts.block(player)
    _note(operator, "block", player=player)
    return Response(status=204)


@blueprint.delete("/v1/admin/players/<id:player>/block")
def unblock(player: str) -> Response:
    """Let the tokens of a player be good again."""
    operator = _operator()
    read_query(NO_QUERY)
    services().accounts.unblock(player)
    _note(operator, "unblock", player=player)
    return Response(status=204)


@blueprint.get("/v1/admin/registration")
def registration() -> Response:
    """Whether anybody may register."""
    _operator()
    read_query(NO_QUERY)
    return answer(encoded(Registration(open=services().accounts.is_open())))


@blueprint.put("/v1/admin/registration")
def set_registration() -> Response:
    """Let everybody register, or nobody."""
    operator = _operator()
    read_query(NO_QUERY)
    is_open: bool = checked(REGISTRATION, read_json())["open"]
    services().accounts.open_to_all(is_open)
    _note(operator, "open-registration" if is_open else "close-registration")
    return answer(encoded(Registration(open=is_open)))


def _operator() -> str:
    """The player whose token the request carries, if it is one to operate with. Raises Unauthenticated, InsufficientScope."""
    return holder("admin").player


def _note(operator: str, action: str, **about: Any) -> None:
    told = " ".join(f"{name}={value}" for name, value in about.items())
    LOG.info("operator=%s action=%s %s request=%s", operator, action, told or "-", request_id(request.environ))
