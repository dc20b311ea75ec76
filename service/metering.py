"""What each request costs, taken out of its caller's budget before it is answered, and told with the answer."""

from collections.abc import Mapping

from flask import Response, g, request

from service.callers import caller
from service.limits import WINDOW, Budget, RateLimited, Standing
from service.services import services

REFUSED_COST = 4
"""What a command that is refused costs beside the one: who asks for the legal ones has room for all of them."""

COSTS: Mapping[str, tuple[Budget, int]] = {
    "players.register": ("registrations", 1),
    "credentials.recover": ("registrations", 1),
    "commands.give": ("commands", 1),
    "games.create": ("commands", 10),
    "branches.fork": ("commands", 10),
    "branches.import_game": ("commands", 100),
    "history.audit": ("reads", 20),
    "history.export": ("reads", 20),
}
"""What a request costs and of which budget, by the name of its route; others cost one read, or five commands."""


def check() -> None:
    """Before a request of the API: take its cost out of the caller's budget. Raises RateLimited, Unauthenticated, Blocked."""
    if request.endpoint is None or not request.path.startswith("/v1/") or request.method == "OPTIONS":
        return
    is_read = request.method in {"GET", "HEAD"}
    usual: tuple[Budget, int] = ("reads", 1) if is_read else ("commands", 5)
    budget, cost = COSTS.get(request.endpoint, usual)
    limits = services().limits
    if not limits.limits[budget]:
        return
    address = request.remote_addr or ""
    who = address if budget == "registrations" else caller() or address
    g.spender = who
    try:
        g.standing = limits.spend(budget, who, cost)
    except RateLimited as refusal:
        g.standing = Standing(budget=budget, limit=limits.limits[budget], left=0, seconds=refusal.seconds)
        raise


def tell(response: Response) -> Response:
    """Tell the caller what is left, in the structured fields of draft-ietf-httpapi-ratelimit-headers-10."""
    standing: Standing | None = g.get("standing")
    if standing is None:
        return response
    response.headers["RateLimit-Policy"] = f'"{standing.budget}";q={standing.limit};w={WINDOW}'
    response.headers["RateLimit"] = f'"{standing.budget}";r={standing.left};t={standing.seconds}'
    if standing.budget == "commands" and 400 <= response.status_code < 500 and response.status_code != 429:
        services().limits.add(standing.budget, g.spender, REFUSED_COST)
    return response
