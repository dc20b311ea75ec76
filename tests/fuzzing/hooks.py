"""What schemathesis is told about this service: who calls, which games there are, and how a live stream ends."""

import json
import os
import re
from pathlib import Path
from typing import Any

import schemathesis

from tests.service.outsider import Outsider

WORLD: dict[str, Any] = json.loads(Path(os.environ["FUZZED_WORLD"]).read_text())
GAMES: list[str] = [game for games in WORLD["games"].values() for game in games]
ID = re.compile("[0-9a-f]{24}")
STREAMS = ("text/event-stream", "application/x-ndjson")

_RISKY = {"makeToken", "rotateToken", "revokeToken", "listTokens", "recoverAccount"}
"""Operations after which a token may be good no longer: they have one of their own."""
_spare: list[str] = []


def _newcomer() -> str:
    """The token of a new player, for which registration is opened."""
    Outsider(WORLD["base"], WORLD["tokens"]["admin"]).call("PUT", "/v1/admin/registration", {"open": True})
    return str(Outsider.registered(WORLD["base"], "Newcomer").token)


def _spare_token() -> str:
    if not _spare or Outsider(WORLD["base"], _spare[-1]).call("GET", "/v1/players/me").status != 200:
        _spare.append(_newcomer())
    return _spare[-1]


@schemathesis.auth(refresh_interval=None)
class Callers:
    """The token of one who may do it, if anybody may."""

    def get(self, case: Any, _: Any) -> str:
        operation = case.operation.definition.raw
        if operation["operationId"] == "eraseMe":
            return _newcomer()
        if operation["operationId"] in _RISKY:
            return _spare_token()
        return str(WORLD["tokens"]["admin" if "operators" in operation["tags"] else "ada"])

    def set(self, case: Any, data: str, _: Any) -> None:
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}


@schemathesis.serializer("application/x-ndjson")
def as_lines(context: Any, value: Any) -> bytes:
    """An import is sent as it is."""
    return value if isinstance(value, bytes) else str(value).encode(errors="surrogatepass")


@schemathesis.hook
def map_path_parameters(context: Any, path_parameters: dict[str, Any]) -> dict[str, Any]:
    """Most of the ids that are well-formed become those of something that is there."""
    named = dict(path_parameters or {})
    for name, there in (("game", GAMES), ("player", WORLD["players"])):
        made = named.get(name)
        if isinstance(made, str) and ID.fullmatch(made) and (number := int(made[:8], 16)) % 8:
            named[name] = there[number // 8 % len(there)]
    return named


@schemathesis.hook
def map_query(context: Any, query: dict[str, Any]) -> dict[str, Any]:
    """No stream token: the caller is known by `Authorization`, and one may not be sent with the other."""
    return {name: value for name, value in (query or {}).items() if name != "access_token"}


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: Any) -> None:
    """Ask for a live stream where one ends: of a game that is over, and with a limit."""
    if (
        case.operation.definition.raw["operationId"] != "getEvents"
        or not str((case.query or {}).get("limit")).isdigit()
    ):
        return
    chosen = int(case.query["limit"]) % 3
    if chosen < len(STREAMS):
        finished = WORLD["games"]["finished"]
        case.path_parameters["game"] = finished[chosen % len(finished)]
        case.headers = {**(case.headers or {}), "Accept": STREAMS[chosen]}


@schemathesis.hook
def filter_failure(context: Any, failure: Any, case: Any, response: Any) -> bool:
    """OpenAPI 3.1 has no word for the single events of a stream: the contract calls the whole of it a text."""
    return not failure.title.startswith("SSE event")
