"""The state of a table, and how events change it."""

from collections.abc import Callable
from typing import Any, Generic, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from domain.game import Event, Game, Result
from domain.table.commands import StartPolicy, UndoPolicy, Visibility
from domain.table.events import (
    EntropyAdded,
    GameCancelled,
    GameCreated,
    GameEnded,
    GameStarted,
    HistoryRewound,
    SeatLeft,
    SeatResigned,
    SeatTaken,
    SeedRevealed,
    TableEvent,
)

AnyGame = Game[Any, Any, Any, Any]
Status = Literal["open", "active", "finished", "abandoned"]
Actor = Literal["player", "bot", "system"]
Barrier = Literal["nothing_played", "hidden_information_revealed", "others_have_acted"]
S = TypeVar("S")


class Seat(Struct, frozen=True):
    """Who sits there now. `resigned`: a player gave it up and a bot plays on, ranked last."""

    kind: Literal["player", "bot", "open"]
    player: str | None = None
    bot: str | None = None
    resigned: bool = False


class Step(Struct, frozen=True, array_like=True):
    """One command on the current line: the version `before` it, and the seat that gave it."""

    before: int
    seat: int


class Undone(Struct, frozen=True, array_like=True):
    """One undo that can be taken back: the version before it, and the steps that could be undone then."""

    to: int
    steps: tuple[Step, ...]


class Table(Struct, frozen=True, kw_only=True):
    """All that a table knows beside the state of its game.

    `version` and `updated_at` are those of the last event. `steps` are the latest commands of one seat since the last
    `barrier`, oldest first: what that seat may take back by itself; at most `MOST_STEPS` are kept, so that the cost of a
    command does not grow with the game. `draws` counts the shuffles.
    """

    id: str
    version: int
    ruleset: str
    edition: str
    options: dict[str, Any]
    seats: tuple[Seat, ...]
    creator: str
    visibility: Visibility
    undo: UndoPolicy
    rated: bool
    start: StartPolicy
    commitment: str
    created_at: str
    updated_at: str
    clock: None = None
    status: Status = "open"
    entropies: tuple[str, ...] = ()
    draws: int = 0
    steps: tuple[Step, ...] = ()
    undone: tuple[Undone, ...] = ()
    barrier: Barrier = "nothing_played"
    result: Result | None = None
    seed_revealed: bool = False


MOST_STEPS = 64


class Position(Struct, Generic[S], frozen=True):
    """A table and the state of its game (None before the start)."""

    table: Table
    game: S | None


class Fact(Struct, frozen=True):
    """An event with what the log knows about it.

    `opens`: it is the first event of its command. `draws`: how many shuffles it records. `seat`: who gave the command,
    None for the service itself.
    """

    event: Event
    game: str
    version: int
    at: str
    seat: int | None
    actor: Actor
    opens: bool
    draws: int


def evolve(game: AnyGame, position: Position[Any] | None, fact: Fact, past: Callable[[int], Any]) -> Position[Any]:
    """The position after `fact`. `past(version)` is the state of the game at an earlier version, for rewinds."""
    event = fact.event
    if isinstance(event, GameCreated):
        return Position(_created(event, fact), None)
    assert position is not None, "the first event of a game is table.game_created"  # noqa: S101 - the log says so
    table = replace(position.table, version=fact.version, updated_at=fact.at, draws=position.table.draws + fact.draws)
    if isinstance(event, HistoryRewound):
        return Position(_rewound(table, event, fact.version - 1), past(event.to))
    if isinstance(event, TableEvent):
        return Position(_changed(table, event), position.game)
    return Position(_played(table, fact), game.evolve(position.game, event))


def to_act(game: AnyGame, position: Position[Any]) -> tuple[int, ...]:
    """The seats whose decision is awaited."""
    if position.table.status != "active":
        return ()
    return tuple(game.to_act(position.game))


def pending(game: AnyGame, position: Position[Any]) -> Literal["scoring", "bot"] | None:
    """What the service itself owes next."""
    table = position.table
    if table.status != "active":
        return None
    if game.owed(position.game) is not None:
        return "scoring"
    if any(table.seats[seat].kind == "bot" for seat in game.to_act(position.game)):
        return "bot"
    return None


def is_reveal(event: Event) -> bool:
    """Whether the event shows somebody what they could not know before: a barrier for undo, dry runs and batches."""
    return bool(event.reveals) or any(part.seats for part in getattr(event, "private", ()))


def _created(event: GameCreated, fact: Fact) -> Table:
    return Table(
        id=fact.game,
        version=fact.version,
        ruleset=event.ruleset,
        edition=event.edition,
        options=event.options,
        seats=tuple(Seat(kind=seat.kind, player=seat.player, bot=seat.bot) for seat in event.seats),
        creator=event.creator,
        visibility=event.visibility,
        undo=event.undo,
        rated=event.rated,
        start=event.start,
        clock=event.clock,
        commitment=event.commitment,
        created_at=fact.at,
        updated_at=fact.at,
    )


def _changed(table: Table, event: TableEvent) -> Table:
    match event:
        case SeatTaken():
            table = _with_seat(table, event.seat, Seat(kind="player", player=event.player))
            return table if event.entropy is None else replace(table, entropies=(*table.entropies, event.entropy))
        case SeatLeft():
            return _with_seat(table, event.seat, Seat(kind="open"))
        case EntropyAdded():
            return replace(table, entropies=(*table.entropies, event.entropy))
        case GameStarted():
            return replace(table, status="active")
        case GameCancelled():
            return replace(table, status="abandoned")
        case SeatResigned():
            return _resigned(table, event)
        case GameEnded():
            result = Result(scores=event.scores, ranking=event.ranking, winners=event.winners)
            return replace(table, status="finished", result=result, steps=(), undone=())
        case SeedRevealed():
            return replace(table, seed_revealed=True)
        case _:
            raise TypeError(f"no table event: {event!r}")


def _with_seat(table: Table, number: int, seat: Seat) -> Table:
    return replace(table, seats=(*table.seats[:number], seat, *table.seats[number + 1 :]))


def _resigned(table: Table, event: SeatResigned) -> Table:
    before = table.seats[event.seat]
    kind: Literal["bot", "player"] = "bot" if event.bot else "player"
    after = Seat(kind=kind, player=before.player, bot=event.bot, resigned=True)
    return replace(_with_seat(table, event.seat, after), steps=(), undone=(), barrier="others_have_acted")


def _played(table: Table, fact: Fact) -> Table:
    """What an event of the game means for undo."""
    steps, undone, barrier = table.steps, table.undone, table.barrier
    if fact.opens:
        undone = ()
        if fact.actor != "player" or fact.seat is None:
            steps, barrier = (), "others_have_acted"
        else:
            step = Step(before=fact.version - 1, seat=fact.seat)
            steps, barrier = (
                ((*steps[1 - MOST_STEPS :], step), barrier)
                if steps and steps[-1].seat == fact.seat
                else ((step,), "others_have_acted" if steps else barrier)
            )
    if is_reveal(fact.event):
        steps, barrier = (), "hidden_information_revealed"
    return replace(table, steps=steps, undone=undone, barrier=barrier)


def _rewound(table: Table, event: HistoryRewound, before: int) -> Table:
    if event.redo:
        last = table.undone[-1]
        return replace(table, steps=last.steps, undone=table.undone[:-1])
    kept = tuple(step for step in table.steps if step.before < event.to)
    return replace(table, steps=kept, undone=(*table.undone, Undone(to=before, steps=table.steps)))
