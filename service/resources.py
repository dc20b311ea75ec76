"""The resources of the API, as they go out. The names of players are null here and filled in by `service.names`."""

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Raw, Struct
from msgspec.structs import asdict

from domain.game import Result
from domain.table import Clock, Undo, pending, to_act, undo_for
from domain.table.clocks import Times
from domain.table.commands import UndoPolicy, Visibility
from domain.table.state import Seat as TableSeat
from domain.table.state import Status
from events.draft import Session


class PlayerRef(Struct, frozen=True):
    """A player. `name` is null when it has been erased."""

    id: str
    name: str | None = None


class Seat(Struct, frozen=True):
    """Who sits there now; an open seat with a player is kept for them.

    `resigned`: that player gave the game up, and `bot`, if there is one, plays on.
    """

    seat: int
    kind: Literal["player", "bot", "open"]
    player: PlayerRef | None
    bot: str | None
    resigned: bool


class Links(Struct, frozen=True):
    """Where to go from a game."""

    board: str
    commands: str
    legal_commands: str
    events: str
    audit: str
    export: str


class Origin(Struct, frozen=True):
    """Where a fork begins, what a copy is a copy of, what a rematch plays once more: a game, its version, the digest there."""

    kind: Literal["fork", "import", "rematch"]
    game: str
    version: int
    head: str


class Game(Struct, frozen=True, kw_only=True):
    """A game. `to_act` lists the seats whose decision is awaited, `pending` names what the service itself owes.

    `times` are the milliseconds that each seat has left on its clock as of `since` (Unix milliseconds), and the seats
    whose clocks run. `origin` is where a fork begins, what a rematch plays once more, or what an imported game is a copy of:
    nobody plays that one any more. `rematch` is the id of the game that plays this one once more.
    """

    id: str
    ruleset: str
    edition: str
    status: Status
    version: int
    seats: tuple[Seat, ...]
    to_act: tuple[int, ...]
    pending: Literal["scoring", "bot"] | None
    options: dict[str, Any]
    visibility: Visibility
    rated: bool
    undo: UndoPolicy
    clock: Clock | None
    times: Times | None
    commitment: str
    result: Result | None
    origin: Origin | None
    rematch: str | None
    created_at: str
    updated_at: str
    links: Links


class CommandAnswer(Struct, frozen=True):
    """What a command brought about: its events, as the caller may read them, and the game after it."""

    version: int
    events: Sequence[Raw]
    game: Game


class Trial(Struct, frozen=True):
    """What a command would bring about, as far as the caller can know; `complete`: that is all of it."""

    events: Sequence[Raw]
    complete: bool


class BoardAnswer(Struct, frozen=True, kw_only=True):
    """What `viewer` (null: a spectator) sees at `version`. `board` and `phase` are null before the start."""

    version: int
    viewer: int | None
    phase: str | None
    to_act: tuple[int, ...]
    pending: Literal["scoring", "bot"] | None
    board: Any
    undo: Undo


class LegalCommand(Struct, frozen=True):
    """A command that is accepted as it stands."""

    type: str
    data: Any


class LegalCommands(Struct, frozen=True):
    """All commands of the ruleset that `seat` may give at `version`."""

    version: int
    seat: int
    commands: Sequence[LegalCommand]


def path_of(game: str) -> str:
    """The address of a game."""
    return f"/v1/games/{game}"


def game_of(session: Session, root: str) -> Game:
    """The resource of a game; `root` goes before every path."""
    table = session.position.table
    path = root + path_of(session.id)
    return Game(
        id=session.id,
        ruleset=table.ruleset,
        edition=table.edition,
        status=table.status,
        version=table.version,
        seats=tuple(_seat(number, seat) for number, seat in enumerate(table.seats)),
        to_act=to_act(session.ruleset.game, session.position),
        pending=pending(session.ruleset.game, session.position),
        options=table.options,
        visibility=table.visibility,
        rated=table.rated,
        undo=table.undo,
        clock=table.clock,
        times=table.times,
        commitment=table.commitment,
        result=table.result,
        origin=_origin(session),
        rematch=session.rematch or None,
        created_at=table.created_at,
        updated_at=table.updated_at,
        links=Links(
            board=f"{path}/board",
            commands=f"{path}/commands",
            legal_commands=f"{path}/legal-commands",
            events=f"{path}/events",
            audit=f"{path}/audit",
            export=f"{path}/export",
        ),
    )


def _origin(session: Session) -> Origin | None:
    table = session.position.table
    if session.is_copy:
        return Origin(kind="import", game=table.id, version=session.version, head=session.head)
    if table.rematch_of is not None:
        return Origin(kind="rematch", **asdict(table.rematch_of))
    return None if table.parent is None else Origin(kind="fork", **asdict(table.parent))


def _seat(number: int, seat: TableSeat) -> Seat:
    player = None if seat.player is None else PlayerRef(id=seat.player)
    return Seat(seat=number, kind=seat.kind, player=player, bot=seat.bot, resigned=seat.resigned)


def board_of(session: Session, viewer: int | None, *, reveal: bool, present: bool) -> BoardAnswer:
    """What `viewer` sees of a game; `present`: `session` is the game as it stands, so that there may be something to undo."""
    state = session.position.game
    game = session.ruleset.game
    return BoardAnswer(
        version=session.version,
        viewer=viewer,
        phase=None if state is None else game.phase(state),
        to_act=to_act(game, session.position),
        pending=pending(game, session.position),
        board=session.view(viewer, reveal=reveal),
        undo=undo_for(session.position.table, viewer) if present else Undo(allowed=False, reason="past_version"),
    )


def legal_commands_of(session: Session, seat: int) -> LegalCommands:
    """What `seat` may do now."""
    commands = [LegalCommand(type=command.type, data=command) for command in session.legal_commands(seat)]
    return LegalCommands(version=session.version, seat=seat, commands=commands)
