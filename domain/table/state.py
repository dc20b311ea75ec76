"""The state of a table, and how events change it."""

from typing import Any, Generic, Literal, Protocol, TypeVar, assert_never

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.game import Event, Game, Result
from domain.table import clocks, undo
from domain.table.clocks import Times, Turns
from domain.table.commands import Clock, Parent, StartPolicy, UndoPolicy, Visibility
from domain.table.events import (
    EntropyAdded,
    GameAbandoned,
    GameCancelled,
    GameCreated,
    GameEnded,
    GameForked,
    GameStarted,
    GuestRemoved,
    HistoryRewound,
    SeatGivenToBot,
    SeatLeft,
    SeatResigned,
    SeatTaken,
    SeatTakenOver,
    SeedRevealed,
    TableEvent,
    UndoAnswered,
    UndoLapsed,
    UndoRequested,
)
from domain.table.undo import Line, Request

AnyGame = Game[Any, Any, Any, Any]
Status = Literal["open", "active", "finished", "abandoned"]
Actor = Literal["player", "bot", "system"]
S = TypeVar("S")


class Seat(Struct, frozen=True):
    """Who sits there now.

    A bot's seat may have a `player`: who gave it up; so may an open one: for whom it is kept. `resigned`: for good, a bot
    plays on, and the seat ranks last.
    """

    kind: Literal["player", "bot", "open"]
    player: str | None = None
    bot: str | None = None
    resigned: bool = False


class Table(Struct, frozen=True, kw_only=True):
    """All that a table knows beside the state of its game.

    `version` and `updated_at` are those of the last event, `human_at` the time of the last command of a player (Unix
    milliseconds). `draws` counts the shuffles. `line` is what can be undone and redone, `request` an undo that waits for
    consent, `times` the running clocks. `removed` are the players whom the creator has sent away.
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
    human_at: int
    clock: Clock | None = None
    times: Times | None = None
    status: Status = "open"
    entropies: tuple[str, ...] = ()
    draws: int = 0
    line: Line = Line()
    request: Request | None = None
    parent: Parent | None = None
    rematch_of: Parent | None = None
    removed: tuple[str, ...] = ()
    result: Result | None = None
    seed_revealed: bool = False

    def seats_of(self, player: str | None) -> tuple[int, ...]:
        """The seats that `player` plays now."""
        return tuple(n for n, seat in enumerate(self.seats) if seat.kind == "player" and seat.player == player)


class Position(Struct, Generic[S], frozen=True):
    """A table and the state of its game (None before the start)."""

    table: Table
    game: S | None


class Past(Protocol):
    """The log so far, for rewinds."""

    def state(self, version: int) -> Any:
        """The state of the game as it was at `version`; None before the start."""
        ...

    def is_boundary(self, version: int) -> bool:
        """Whether `version` lies between two commands (or is the present)."""
        ...


class Fact(Struct, frozen=True):
    """An event with what the log knows about it.

    `opens`: it is the first event of its command. `draws`: how many shuffles it records. `seat`: who gave the command,
    None for the service itself. `time` is `at` in Unix milliseconds.
    """

    event: Event
    game: str
    version: int
    at: str
    time: int
    seat: int | None
    actor: Actor
    opens: bool
    draws: int


def evolve(game: AnyGame, position: Position[Any] | None, fact: Fact, past: Past) -> Position[Any]:
    """The position after `fact`."""
    event = fact.event
    if isinstance(event, GameCreated):
        return Position(_created(event, fact), None)
    if isinstance(event, GameForked):
        return Position(_forked(event, fact), msgspec.convert(event.private[0].data.state, game.state_type))
    if position is None:
        raise TypeError(f"a log begins with a founding event, not with {event.type}")
    table = replace(
        position.table,
        version=fact.version,
        updated_at=fact.at,
        draws=position.table.draws + fact.draws,
        human_at=fact.time if fact.actor == "player" else position.table.human_at,
    )
    if isinstance(event, HistoryRewound):
        after = Position(_rewound(table, event, fact.version), past.state(event.to))
    elif isinstance(event, TableEvent):
        after = Position(_changed(table, event, fact), position.game)
    else:
        after = Position(_played(table, fact), game.evolve(position.game, event))
    if table.clock is None:
        return after
    return Position(replace(after.table, times=_times(game, table.clock, position, after, fact)), after.game)


def to_act(game: AnyGame, position: Position[Any]) -> tuple[int, ...]:
    """The seats whose decision is awaited; none while the events of the start are not all there yet."""
    if position.table.status != "active" or position.game is None:
        return ()
    return tuple(game.to_act(position.game))


def pending(game: AnyGame, position: Position[Any]) -> Literal["scoring", "bot"] | None:
    """What the service itself owes next; nothing while players have to agree on an undo."""
    table = position.table
    if table.status != "active" or table.request is not None or position.game is None:
        return None
    if game.owed(position.game) is not None:
        return "scoring"
    if any(table.seats[seat].kind == "bot" for seat in game.to_act(position.game)):
        return "bot"
    return None


def is_reveal(event: Event) -> bool:
    """Whether the event shows somebody what they could not know before: a barrier for undo, dry runs and batches."""
    return bool(event.reveals) or any(part.seats for part in getattr(event, "private", ()))


def _times(game: AnyGame, clock: Clock, before: Position[Any], after: Position[Any], fact: Fact) -> Times:
    """The clocks after an event. They run on while an undo waits for consent: asking for one wins no time."""
    awaited, now = to_act(game, before), to_act(game, after)
    thinking = tuple(seat for seat in now if after.table.seats[seat].kind == "player")
    times = before.table.times
    if times is None:
        return clocks.begin(clock, fact.time, len(after.table.seats), thinking)
    began, ended = frozenset(now) - frozenset(awaited), frozenset(times.run) - frozenset(now)
    turns, event = Turns(thinking, began, ended), fact.event
    if isinstance(event, HistoryRewound):
        own = frozenset([event.seat] if undo.is_alone(before.table.line, event) else [])
        turns = Turns(thinking, began - own, ended & own, resumed=began & own)
    return clocks.run(clock, times, fact.time, turns)


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
        rematch_of=event.rematch_of,
        commitment=event.commitment,
        created_at=fact.at,
        updated_at=fact.at,
        human_at=fact.time,
    )


def _forked(event: GameForked, fact: Fact) -> Table:
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
        rated=False,
        start="when_full",
        commitment=event.commitment,
        draws=fact.draws,
        parent=event.parent,
        created_at=fact.at,
        updated_at=fact.at,
        human_at=fact.time,
    )


def _changed(table: Table, event: TableEvent, fact: Fact) -> Table:
    match event:
        case SeatTaken():
            table = _with_seat(table, event.seat, Seat(kind="player", player=event.player))
            return table if event.entropy is None else replace(table, entropies=(*table.entropies, event.entropy))
        case SeatLeft():
            return _with_seat(table, event.seat, Seat(kind="open"))
        case GuestRemoved():
            gone = (event.player,) if table.seats[event.seat].kind == "player" else ()
            return replace(_with_seat(table, event.seat, Seat(kind="open")), removed=(*table.removed, *gone))
        case EntropyAdded():
            return replace(table, entropies=(*table.entropies, event.entropy))
        case GameStarted():
            return replace(table, status="active")
        case GameCancelled() | GameAbandoned():
            return replace(table, status="abandoned", line=Line(), request=None)
        case SeatResigned() | SeatGivenToBot() | SeatTakenOver():
            return _handed_over(table, event)
        case UndoRequested():
            request = Request(seat=event.seat, to=event.to, redo=event.redo, needs=event.needs, time=fact.time)
            return replace(table, request=request)
        case UndoAnswered():
            return replace(table, request=undo.answered(table.request, event))
        case UndoLapsed():
            return replace(table, request=None)
        case GameEnded():
            result = Result(scores=event.scores, ranking=event.ranking, winners=event.winners)
            return replace(table, status="finished", result=result, line=Line(), request=None)
        case SeedRevealed():
            return replace(table, seed_revealed=True)
        case _:
            return table


def _with_seat(table: Table, number: int, seat: Seat) -> Table:
    return replace(table, seats=(*table.seats[:number], seat, *table.seats[number + 1 :]))


def _handed_over(table: Table, event: SeatResigned | SeatGivenToBot | SeatTakenOver) -> Table:
    """A seat under another hand. What one hand has done, the other does not take back by itself."""
    before = table.seats[event.seat]
    match event:
        case SeatResigned(bot=None):
            after = replace(before, resigned=True)
        case SeatResigned():
            after = Seat(kind="bot", player=before.player, bot=event.bot, resigned=True)
        case SeatGivenToBot():
            after = Seat(kind="bot", player=before.player, bot=event.bot)
        case SeatTakenOver():
            after = Seat(kind="player", player=event.player)
        case _:
            assert_never(event)
    return replace(_with_seat(table, event.seat, after), line=undo.interrupted(table.line), request=None)


def _played(table: Table, fact: Fact) -> Table:
    """What an event of the game means for undo; a request for one lapses when a player goes on."""
    line = table.line
    if fact.opens:
        line = undo.played(line, fact.version - 1, fact.seat if fact.actor == "player" else None)
    if is_reveal(fact.event):
        line = undo.revealed(line)
    return replace(table, line=line, request=None)


def _rewound(table: Table, event: HistoryRewound, version: int) -> Table:
    return replace(table, line=undo.rewound(table.line, event, version - 1), request=None)
