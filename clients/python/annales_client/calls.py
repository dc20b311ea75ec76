"""All that can be asked of the service: each call says what is sent and what the answer is read as."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from urllib.parse import quote
from uuid import uuid4

import httpx

from annales_client.resources import (
    Audit,
    Board,
    Clock,
    Command,
    CommandAnswer,
    EventPage,
    Game,
    GameList,
    LegalCommands,
    Me,
    NewSeat,
    Registered,
    Status,
    Trial,
    UndoPolicy,
    Visibility,
)

T = TypeVar("T")

ME: NewSeat = {"kind": "me"}
"""A seat of the caller's."""
OPEN: NewSeat = {"kind": "open"}
"""A seat for whoever joins."""


def bot(name: str) -> NewSeat:
    """A seat for a bot of the service, `"greedy"` or `"random"`; the ruleset lists them all."""
    return {"kind": "bot", "bot": name}


def _json(response: httpx.Response) -> Any:
    return response.json()


@dataclass(frozen=True)
class Call(Generic[T]):
    """One request, and how its answer is read. `repeatable`: sent twice, it does no more than sent once."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    read: Callable[[httpx.Response], T] = _json
    repeatable: bool = True


def register(name: str) -> Call[Registered]:
    """Become a player. The token is shown this once; the client uses it from now on."""
    return Call("POST", "/v1/players", body={"name": name}, repeatable=False)


def me() -> Call[Me]:
    """The caller, and their games that are not over."""
    return Call("GET", "/v1/players/me")


def rulesets() -> Call[Any]:
    """The games that can be played."""
    return Call("GET", "/v1/rulesets")


def ruleset(name: str) -> Call[Any]:
    """All about a ruleset: its options, commands, events, bots, rules and static data."""
    return Call("GET", f"/v1/rulesets/{quote(name, safe='')}")


def create(
    ruleset: str,
    seats: Sequence[NewSeat],
    *,
    options: Mapping[str, Any] | None = None,
    visibility: Visibility | None = None,
    undo: UndoPolicy | None = None,
    clock: Clock | None = None,
    rated: bool | None = None,
    start: str | None = None,
    key: str | None = None,
) -> Call[Game]:
    """Set up a game. It starts by itself when no seat is open, unless `start` is `"manual"`."""
    body = {
        "ruleset": ruleset,
        "seats": list(seats),
        "options": options,
        "visibility": visibility,
        "undo": undo,
        "clock": clock,
        "rated": rated,
        "start": start,
    }
    return Call("POST", "/v1/games", headers=_once(key), body=_given(body))


def games(
    *,
    status: Status | None = None,
    ruleset: str | None = None,
    player: str | None = None,
    cursor: str | None = None,
    limit: int | None = None,
) -> Call[GameList]:
    """A page of games, newest first: public ones, and with `player` the caller all of their own."""
    query = {"status": status, "ruleset": ruleset, "player": player, "cursor": cursor, "limit": limit}
    return Call("GET", "/v1/games", query=_given(query))


def game(game: str) -> Call[Game]:
    """A game as it stands."""
    return Call("GET", _path(game))


def legal_commands(game: str, *, seat: int | None = None) -> Call[LegalCommands]:
    """All that a seat may do now: by default the caller's that is to act, else their lowest."""
    return Call("GET", _path(game, "legal-commands"), query=_given({"seat": seat}))


def board(game: str, *, at: int | None = None, seat: int | None = None, reveal: bool | None = None) -> Call[Board]:
    """The board as the caller may see it, now or `at` an earlier version; `reveal` opens all of a finished game."""
    return Call("GET", _path(game, "board"), query=_given({"at": at, "seat": seat, "reveal": reveal}))


def give(
    game: str, command: Command | Sequence[Command], *, version: int | None = None, key: str | None = None
) -> Call[CommandAnswer]:
    """Give a command, or several of which all or none are done.

    With `version` it is done only if the game still stands there, and else refused with VersionMismatch. `key` names this
    command for good; the client makes one, so that however often it has to send the command, it is done once.
    """
    headers = {**_once(key), **_at(version)}
    return Call("POST", _path(game, "commands"), headers=headers, body=_commands(command))


def dry_run(game: str, command: Command | Sequence[Command], *, version: int | None = None) -> Call[Trial]:
    """What a command would bring about. Nothing is stored."""
    query = {"dry_run": True}
    return Call("POST", _path(game, "commands"), query=query, headers=_at(version), body=_commands(command))


def join(
    game: str, seat: int, *, entropy: str | None = None, invite: str | None = None, key: str | None = None
) -> Call[CommandAnswer]:
    """Sit down on an open seat. `entropy` is mixed into the chance of the game, `invite` admits to a private one."""
    data = _given({"seat": seat, "entropy": entropy, "invite": invite})
    return give(game, {"type": "join_game", "data": data}, key=key)


def undo(
    game: str, to_version: int, *, seat: int | None = None, version: int | None = None, key: str | None = None
) -> Call[CommandAnswer]:
    """Take back what came after `to_version`; `undo` of the board says how far, and who must agree."""
    return give(game, _by(seat, "request_undo", to_version=to_version), version=version, key=key)


def answer_undo(
    game: str, *, accept: bool, seat: int | None = None, version: int | None = None, key: str | None = None
) -> Call[CommandAnswer]:
    """Agree to somebody's undo, or not."""
    return give(game, _by(seat, "answer_undo", accept=accept), version=version, key=key)


def redo(
    game: str, *, seat: int | None = None, version: int | None = None, key: str | None = None
) -> Call[CommandAnswer]:
    """Take the last undo back."""
    return give(game, _by(seat, "redo"), version=version, key=key)


def resign(
    game: str, *, seat: int | None = None, version: int | None = None, key: str | None = None
) -> Call[CommandAnswer]:
    """Give the game up."""
    return give(game, _by(seat, "resign"), version=version, key=key)


def events(
    game: str, *, after: int | None = None, limit: int | None = None, describe: bool | None = None
) -> Call[EventPage]:
    """A page of the log, from after a version; `describe` adds a sentence to each event."""
    query = _given({"after": after, "limit": limit, "describe": describe})
    return Call("GET", _path(game, "events"), query=query)


def stream(game: str, *, after: int, describe: bool | None = None) -> Call[None]:
    """The log from after a version, live."""
    headers = {"Accept": "text/event-stream", "Last-Event-ID": str(after)}
    query = _given({"describe": describe})
    return Call("GET", _path(game, "events"), query=query, headers=headers, read=lambda _: None)


def export(game: str) -> Call[bytes]:
    """The whole log as the caller may read it, as NDJSON, byte for byte as its digests are made."""
    return Call("GET", _path(game, "export"), read=lambda response: response.content)


def audit(game: str) -> Call[Audit]:
    """Whether the log holds."""
    return Call("GET", _path(game, "audit"))


def _path(game: str, *more: str) -> str:
    return "/".join(["/v1/games", quote(game, safe=""), *more])


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _once(key: str | None) -> dict[str, str]:
    return {"Idempotency-Key": key or uuid4().hex}


def _at(version: int | None) -> dict[str, str]:
    return {} if version is None else {"If-Match": f'"{version}"'}


def _by(seat: int | None, kind: str, **data: Any) -> Command:
    return {"type": kind, "data": data, "seat": seat}


def _commands(command: Command | Sequence[Command]) -> Any:
    return command if isinstance(command, Mapping) else {"commands": list(command)}
