"""The shapes of what the service tells: plain JSON with types.

`openapi.yaml` states them in full; what the `data` of commands and events and the `board` hold depends on the ruleset.
"""

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict

Status = Literal["open", "active", "finished", "abandoned"]
Visibility = Literal["public", "unlisted", "private"]
UndoPolicy = Literal["free", "consent", "off"]


class PlayerRef(TypedDict):
    """A player. `name` is null when it has been erased."""

    id: str
    name: str | None


class Registered(TypedDict):
    """A new player, with the two secrets that are shown once."""

    player: PlayerRef
    token: str
    recovery: str


class NewSeat(TypedDict):
    """Who is to sit there."""

    kind: Literal["me", "open", "bot"]
    bot: NotRequired[str]


class Seat(TypedDict):
    """Who sits there now. `resigned`: that player gave the game up, and `bot`, if there is one, plays on."""

    seat: int
    kind: Literal["player", "bot", "open"]
    player: PlayerRef | None
    bot: str | None
    resigned: bool


class Clock(TypedDict, total=False):
    """The time that the seats of a game have."""

    per_turn_seconds: int | None
    bank_seconds: int | None
    increment_seconds: int
    on_expiry: Literal["bot", "resign"]


class Result(TypedDict):
    """How a game ended: points by seat, seats from first to last (ties together), winners."""

    scores: list[int]
    ranking: list[list[int]]
    winners: list[int]


class Game(TypedDict):
    """A game. `to_act` lists the seats whose decision is awaited, `pending` names what the service itself owes.

    `origin` is the game that this one goes back to (a fork, a copy, a rematch), `rematch` the one that plays it once more.
    """

    id: str
    ruleset: str
    edition: str
    status: Status
    version: int
    seats: list[Seat]
    to_act: list[int]
    pending: Literal["scoring", "bot"] | None
    options: dict[str, Any]
    visibility: Visibility
    rated: bool
    undo: UndoPolicy
    clock: Clock | None
    times: dict[str, Any] | None
    commitment: str
    result: Result | None
    origin: dict[str, Any] | None
    rematch: str | None
    created_at: str
    updated_at: str
    links: dict[str, str]


class GameList(TypedDict):
    """A page of games, newest first; `next` is the `cursor` of the next one."""

    items: list[Game]
    next: str | None


class OwnGames(TypedDict):
    """The caller's games that are not over, newest first."""

    open: list[Game]
    active: list[Game]


class Me(TypedDict):
    """The caller."""

    player: PlayerRef
    games: OwnGames


class Command(TypedDict):
    """A command. Without `seat`, the caller's seat that is to act is meant, else their lowest."""

    type: str
    data: NotRequired[Mapping[str, Any]]
    seat: NotRequired[int | None]


class LegalCommands(TypedDict):
    """All that `seat` may do at `version`; empty when it is not to act."""

    version: int
    seat: int
    commands: list[Command]


class Undo(TypedDict):
    """Whether the viewer may take something back: to where, and who must agree."""

    allowed: bool
    to_version: int | None
    earliest_version: int | None
    needs: list[int]
    reason: str | None
    redo_to: int | None
    redo_needs: list[int]
    request: dict[str, Any] | None


class Board(TypedDict):
    """What `viewer` (null: a spectator) sees at `version`. `board` and `phase` are null before the start."""

    version: int
    viewer: int | None
    phase: str | None
    to_act: list[int]
    pending: Literal["scoring", "bot"] | None
    board: dict[str, Any] | None
    undo: Undo


class CommandRef(TypedDict):
    """The command that caused an event: whole on its first event, only its id on the others."""

    id: str
    type: NotRequired[str]
    data: NotRequired[dict[str, Any]]
    rules: NotRequired[int]


class PrivatePart(TypedDict):
    """What only `seats` may read: `salt` and `data` for them, `digest` for the others."""

    seats: list[int]
    salt: NotRequired[str]
    data: NotRequired[dict[str, Any]]
    digest: NotRequired[str]


class Event(TypedDict):
    """A fact of the log. Versions run 1, 2, 3, … without a gap; an event never changes.

    `description` is there on request: the event in one sentence, which no digest covers.
    """

    game: str
    version: int
    type: str
    schema: int
    data: dict[str, Any]
    private: list[PrivatePart]
    seat: int | None
    actor: Literal["player", "bot", "system"]
    command: CommandRef
    at: str
    private_digest: str | None
    prev: str
    digest: str
    description: NotRequired[str]


class EventPage(TypedDict):
    """Events in order; `next` is the `after` of the next page, null at the end of the log as it stands."""

    items: list[Event]
    next: int | None


class CommandAnswer(TypedDict):
    """What a command brought about: its events, as the caller may read them, and the game after it."""

    version: int
    events: list[Event]
    game: Game


class Trial(TypedDict):
    """What a command would bring about, as far as the caller can know; `complete`: that is all of it.

    The events are like those of the log, with null for what nobody can know yet.
    """

    events: list[dict[str, Any]]
    complete: bool


class Check(TypedDict):
    """One thing that an audit looked at."""

    name: str
    verdict: str
    detail: str


class Audit(TypedDict):
    """What an audit of a log found. `sealed`: all that can be checked holds, and the rest opens when the game ends."""

    game: str
    verdict: Literal["verified", "sealed", "failed"]
    version: int
    head: str
    checks: list[Check]
    first_bad: dict[str, Any] | None
    checkpoint: str | None


class RuleRef(TypedDict):
    """A rule: its code, and its place in the rulebook or the ruling that decides."""

    code: str
    source: str


class Mistake(TypedDict):
    """One mistake in a body (`pointer`) or in a query or header (`parameter`)."""

    detail: str
    pointer: NotRequired[str]
    parameter: NotRequired[str]
