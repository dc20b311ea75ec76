"""Tokens over REST: making, listing, rotating and revoking one's own, recovering an account, tokens for streams."""

from collections.abc import Sequence

from flask import Blueprint, Response
from msgspec import Struct

from service.answers import answer, encoded, secret_answer
from service.callers import Unauthenticated, holder
from service.games import seen
from service.incoming import checked, read_json, read_query
from service.schemas import MakeStreamTokenSchema, MakeTokenSchema, NoQuerySchema, RecoverSchema
from service.services import services
from service.tokens import Principal, TokenInfo

blueprint = Blueprint("credentials", __name__)

NO_QUERY = NoQuerySchema()
NEW_TOKEN = MakeTokenSchema()
RECOVER = RecoverSchema()
STREAM_TOKEN = MakeStreamTokenSchema()


class TokenList(Struct, frozen=True):
    """The caller's tokens, the oldest first; `current` is the id of the one that asks."""

    items: Sequence[TokenInfo]
    current: str


@blueprint.post("/v1/tokens")
def make() -> Response:
    """A new token of the caller."""
    maker = _maker()
    read_query(NO_QUERY)
    body = checked(NEW_TOKEN, read_json())
    return secret_answer(services().tokens.make(maker, **body), 201)


@blueprint.get("/v1/tokens")
def every() -> Response:
    """The caller's tokens, without their secrets."""
    asker = holder()
    read_query(NO_QUERY)
    return answer(encoded(TokenList(items=services().tokens.every(asker.player), current=asker.token)))


@blueprint.delete("/v1/tokens/<id:token>")
def revoke(token: str) -> Response:
    """Withdraw a token. Any token may withdraw itself."""
    asker = holder()
    if token != asker.token:
        asker = _maker()
    read_query(NO_QUERY)
    services().tokens.revoke(asker, token)
    return Response(status=204)


@blueprint.post("/v1/tokens/<id:token>/rotate")
def rotate(token: str) -> Response:
    """Another token like this one, which goes on for ten minutes."""
    maker = _maker()
    read_query(NO_QUERY)
    return secret_answer(services().tokens.rotate(maker, token), 201)


@blueprint.post("/v1/tokens/recover")
def recover() -> Response:
    """A new token, and a new recovery code, for who has the recovery code."""
    read_query(NO_QUERY)
    body = checked(RECOVER, read_json())
    found = services().accounts.recover(body["recovery"], revoke=body["revoke"])
    if found is None:
        raise Unauthenticated("unauthenticated", "This is no recovery code, or one that has been used.")
    return secret_answer(found, 201)


@blueprint.post("/v1/stream-tokens")
def make_stream_token() -> Response:
    """A token for `?access_token=` of streams, which any token may make."""
    maker = holder()
    read_query(NO_QUERY)
    game = checked(STREAM_TOKEN, read_json())["game"]
    if game is not None:
        seen(game, maker.player)
    return secret_answer(services().tokens.make_stream_token(maker, game), 201)


def _maker() -> Principal:
    """Who may make and withdraw tokens: the holder of one to play or to operate with, which can do no more than that."""
    found = holder()
    return found if "admin" in found.scopes else holder("play")
