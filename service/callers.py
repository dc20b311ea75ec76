"""Who is calling."""

from flask import request

from domain.errors import DomainError
from service.services import services


class Unauthenticated(DomainError):
    """There is no token, or none of ours (HTTP 401)."""


def caller() -> str | None:
    """The player whose token the request carries, None without one. Raises Unauthenticated for a bad token."""
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    player = services().accounts.owner(token.strip()) if scheme.lower() == "bearer" else None
    if player is None:
        raise Unauthenticated(
            "unauthenticated", "This is not a token of this service: send 'Authorization: Bearer <token>'."
        )
    return player


def player() -> str:
    """The player whose token the request carries. Raises Unauthenticated."""
    found = caller()
    if found is None:
        says = "This needs a player's token: send 'Authorization: Bearer <token>'. POST /v1/players gives one."
        raise Unauthenticated("unauthenticated", says)
    return found
