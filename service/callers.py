"""Who is calling, and what their token allows."""

from collections.abc import Callable

from flask import g, request

from domain.errors import DomainError, NotAllowed
from service.services import services
from service.tokens import Principal, Scope

_READING = {"GET", "HEAD"}


class Unauthenticated(DomainError):
    """There is no token, or none of ours (HTTP 401)."""


class InsufficientScope(NotAllowed):
    """The token is good, but not for this (HTTP 403); `needed` is the scope that would be."""

    def __init__(self, needed: Scope) -> None:
        super().__init__("insufficient-scope", "This needs a token with the scope '{scope}'.", scope=needed)
        self.needed = needed


def principal() -> Principal | None:
    """Who calls, None without a token; found once a request. Raises Unauthenticated for a bad token, Blocked."""
    if "principal" not in g:
        g.principal = _found()
    found: Principal | None = g.principal
    return found


def _found() -> Principal | None:
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    found = services().tokens.principal(token.strip()) if scheme.lower() == "bearer" else None
    if found is None:
        raise _no_token_of_ours()
    return found


def caller() -> str | None:
    """The player whose token the request carries, None without one. Raises Unauthenticated for a bad token."""
    found = principal()
    return None if found is None else found.player


def holder(scope: Scope | None = None) -> Principal:
    """Who calls, with a token that has `scope`; any will do for None. Raises Unauthenticated, InsufficientScope."""
    found = principal()
    if found is None:
        says = "This needs a player's token: send 'Authorization: Bearer <token>'. POST /v1/players gives one."
        raise Unauthenticated("unauthenticated", says)
    if scope is not None and scope not in found.scopes:
        raise InsufficientScope(scope)
    return found


def player() -> str:
    """The player whose token the request carries: any to read, else one to play with.

    Raises Unauthenticated, InsufficientScope.
    """
    return holder(None if request.method in _READING else "play").player


def lasting(access_token: str | None, game: str | None) -> Callable[[], None]:
    """What raises Unauthenticated or Blocked once the token of this request is good no longer: a stream outlives it."""
    tokens, header = services().tokens, request.headers.get("Authorization", "").partition(" ")[2].strip()

    def demand() -> None:
        is_good = tokens.listener(access_token, game) if access_token else not header or tokens.principal(header)
        if not is_good:
            raise _no_token_of_ours()

    return demand


def listener(access_token: str | None, game: str | None) -> str | None:
    """The player who opens a stream of `game`, by a stream token in the address or as any caller. Raises Unauthenticated."""
    if access_token is None:
        return caller()
    if principal() is not None:
        raise Unauthenticated("unauthenticated", "Send a token in the address or in 'Authorization', not in both.")
    found = services().tokens.listener(access_token, game)
    if found is None:
        says = "This is no stream token, or one that is good no longer or for another game: POST /v1/stream-tokens."
        raise Unauthenticated("unauthenticated", says)
    return found


def _no_token_of_ours() -> Unauthenticated:
    return Unauthenticated(
        "unauthenticated", "This is not a token of this service: send 'Authorization: Bearer <token>'."
    )
