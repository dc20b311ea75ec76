"""Asking others to play: invite codes of private games, and playing a game once more."""

from collections.abc import Sequence

from flask import Blueprint, Response
from msgspec import Struct

from service.answers import answer, encoded, secret_answer, tag
from service.callers import player
from service.games import seen
from service.incoming import read_query
from service.invites import InviteInfo
from service.resources import game_of, path_of
from service.rights import demand_sight
from service.schemas import NoQuerySchema
from service.services import services

blueprint = Blueprint("invitations", __name__)

NO_QUERY = NoQuerySchema()


class InviteList(Struct, frozen=True):
    """The invites of a game, the oldest first."""

    items: Sequence[InviteInfo]


@blueprint.post("/v1/games/<id:game>/invites")
def make(game: str) -> Response:
    """A code that admits to a private game."""
    maker = player()
    read_query(NO_QUERY)
    return secret_answer(services().invites.make(seen(game, maker), maker), 201)


@blueprint.get("/v1/games/<id:game>/invites")
def every(game: str) -> Response:
    """The invites of a game, without their codes."""
    asker = player()
    read_query(NO_QUERY)
    return answer(encoded(InviteList(items=services().invites.every(seen(game, asker), asker))))


@blueprint.delete("/v1/games/<id:game>/invites/<id:invite>")
def revoke(game: str, invite: str) -> Response:
    """Withdraw an invite; whoever has joined by it stays."""
    asker = player()
    read_query(NO_QUERY)
    services().invites.revoke(seen(game, asker), asker, invite)
    return Response(status=204)


@blueprint.post("/v1/games/<id:game>/rematch")
def rematch(game: str) -> Response:
    """The game that plays this one once more: a new one for the first of its players who asks, the same for the others."""
    asker, house = player(), services()
    read_query(NO_QUERY)
    seen(game, asker)
    made = house.sessions.rematch(game, asker, lambda outcome: encoded(game_of(outcome.session, house.root)))
    demand_sight(made.session.position.table, asker)
    headers = {"Location": house.root + path_of(made.session.id), "ETag": tag(made.session.version)}
    return answer(encoded(game_of(made.session, house.root)), 200 if made.replayed else 201, headers)
