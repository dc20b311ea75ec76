"""What the table decides: who may do what when. The rules of the games themselves are theirs."""

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, assert_never

import msgspec
from msgspec import Struct

from domain.canonical import digest
from domain.chance import Chance, SeededChance
from domain.errors import BadCommand, NotAllowed, WrongMoment
from domain.game import HOUSE, NOBODY, Command, Event, Options, Part, ranked
from domain.table.commands import (
    AddEntropy,
    BotSeat,
    CancelGame,
    CreateGame,
    JoinGame,
    LeaveGame,
    MySeat,
    OpenSeat,
    Redo,
    RequestUndo,
    Resign,
    StartGame,
)
from domain.table.events import (
    EntropyAdded,
    GameCancelled,
    GameCreated,
    GameEnded,
    GameStarted,
    HistoryRewound,
    SeatLeft,
    SeatResigned,
    SeatSetup,
    SeatTaken,
    Seed,
    SeedRevealed,
)
from domain.table.state import Actor, AnyGame, Position, Table, Undone, to_act

RULES = 1
"""The version of the table's rules; it rises whenever `decide` answers differently for any command."""

PLAYS_ON = "greedy"
"""The bot that plays on after a resignation."""


class Order(Struct, frozen=True):
    """A command and who gives it: `seat` None where no seat is meant (joining, cancelling) and for the service itself."""

    command: Command
    actor: Actor
    seat: int | None = None
    player: str | None = None


class Undo(Struct, frozen=True):
    """What a viewer may undo and redo by the command `request_undo` and `redo`.

    `to_version` is the latest step back, `earliest_version` the furthest that needs the same consent; `needs` the seats
    that have to agree; `redo_to` the version that a redo returns to. `reason` says why not.
    """

    allowed: bool
    to_version: int | None = None
    earliest_version: int | None = None
    needs: tuple[int, ...] = ()
    reason: str | None = None
    redo_to: int | None = None


def create(game: AnyGame, command: CreateGame, creator: str, seed: bytes) -> GameCreated:
    """Set up a table. Raises BadCommand for options or seats that the ruleset does not offer."""
    options = read_options(game, command.options)
    if len(command.seats) not in game.seats:
        says = "{title} is for {low} to {high} seats."
        low, high = game.seats[0], game.seats[-1]
        raise BadCommand("seats-out-of-range", says, pointer="/seats", title=game.title, low=low, high=high)
    game.check(len(command.seats), options)
    if command.rated and command.undo != "off":
        raise BadCommand("rated-needs-undo-off", "A rated game has undo 'off'.", pointer="/undo")
    if command.rated and not any(isinstance(seat, OpenSeat) for seat in command.seats):
        raise BadCommand("rated-needs-two-players", "A rated game needs a seat for another player.", pointer="/seats")
    return GameCreated(
        ruleset=game.id,
        edition=options.edition,
        edition_digest=game.editions[options.edition],
        options=msgspec.json.decode(msgspec.json.encode(options)),
        seats=tuple(_seat_setup(seat, creator) for seat in command.seats),
        creator=creator,
        visibility=command.visibility,
        undo=command.undo,
        rated=command.rated,
        start=command.start,
        clock=command.clock,
        commitment="sha256:" + sha256(seed).hexdigest(),
        private=(Part(seats=NOBODY, data=Seed(seed=seed.hex())),),
    )


def read_options(game: AnyGame, options: dict[str, Any]) -> Options:
    """The typed options of the ruleset. Raises BadCommand with a pointer below `/options`."""
    try:
        read = msgspec.convert(options, game.options_type)
    except msgspec.ValidationError as error:
        raise BadCommand.malformed(error, "/options") from error
    if read.edition not in game.editions:
        known = ", ".join(game.editions)
        says = "There is no edition '{edition}'. Known are: {known}."
        raise BadCommand("unknown-edition", says, pointer="/options/edition", edition=read.edition, known=known)
    return read


def decide(game: AnyGame, position: Position[Any], order: Order, chance: Chance) -> Sequence[Event]:
    """What `order` brings about. Raises WrongMoment, NotAllowed or RuleViolation.

    The caller has made sure that `order.seat`, where there is one, is a seat of `order.player`.
    """
    table, command = position.table, order.command
    match command:
        case JoinGame():
            return _join(table, order.player, command)
        case AddEntropy():
            _demand(table, "open")
            return [EntropyAdded(seat=_seat(order), entropy=_entropy(command.entropy))]
        case StartGame():
            return _start_by_hand(game, table, order, chance)
        case LeaveGame():
            return _leave(table, _seat(order))
        case CancelGame():
            return _cancel(table, order)
        case Resign():
            return _resign(table, _seat(order))
        case RequestUndo():
            return _undo(table, _seat(order), command)
        case Redo():
            return _redo(table, _seat(order))
        case _:
            return _play(game, position, order, chance)


def follow_up(game: AnyGame, position: Position[Any], chance: Chance, seed: Callable[[], bytes]) -> Sequence[Event]:
    """What follows by itself once the events of a command are folded: the start of a full table, the end of a game.

    `chance` is that of `position`, entropy just added included; `seed` is asked only at the end. Empty when nothing follows.
    """
    table = position.table
    if table.status == "open":
        full = table.start == "when_full" and all(seat.kind != "open" for seat in table.seats)
        return _start(game, table, chance) if full else []
    if table.seed_revealed:
        return []
    if table.status == "abandoned":
        return [SeedRevealed(seed=seed().hex(), board_digest=None, view_schema=None)]
    ended = _ending(game, position)
    if ended is None:
        return []
    view = game.view(position.game, None, reveal=True)
    return [ended, SeedRevealed(seed=seed().hex(), board_digest=digest(view), view_schema=game.view_schema)]


def chance_of(table: Table, seed: Callable[[], bytes]) -> SeededChance:
    """The chance of the game from here on."""
    return SeededChance(seed, table.id, table.entropies, table.draws)


def owed_order(game: AnyGame, position: Position[Any]) -> Order | None:
    """The order of the service itself that is due, or None."""
    if position.table.status != "active":
        return None
    command = game.owed(position.game)
    return None if command is None else Order(command=command, actor="system")


def undo_for(position: Position[Any], seat: int | None) -> Undo:
    """What `seat` (None: a spectator) may undo now, and why not."""
    table = position.table
    if table.status != "active":
        return Undo(allowed=False, reason="game_not_active")
    if table.undo == "off":
        return Undo(allowed=False, reason="undo_off")
    if seat is None:
        return Undo(allowed=False, reason="spectator")
    undone = _undone_by(table, seat)
    redo_to = None if undone is None else undone.to
    if not table.steps:
        return Undo(allowed=False, reason=table.barrier, redo_to=redo_to)
    if table.steps[-1].seat != seat:
        return Undo(allowed=False, reason="others_have_acted", redo_to=redo_to)
    steps = table.steps
    return Undo(allowed=True, to_version=steps[-1].before, earliest_version=steps[0].before, redo_to=redo_to)


def _seat_setup(seat: MySeat | OpenSeat | BotSeat, creator: str) -> SeatSetup:
    match seat:
        case MySeat():
            return SeatSetup(kind="player", player=creator)
        case OpenSeat():
            return SeatSetup(kind="open")
        case BotSeat():
            return SeatSetup(kind="bot", bot=seat.bot)
        case _:
            assert_never(seat)


def _entropy(text: str) -> str:
    return "sha256:" + sha256(text.encode()).hexdigest()


def _demand(table: Table, status: str) -> None:
    if table.status != status:
        code = "game-not-open" if status == "open" else "game-not-active"
        says = "The game is {status}; this needs one that is {needed}."
        raise WrongMoment(code, says, status=table.status, needed=status)


def _demand_creator(table: Table, order: Order) -> None:
    if order.player != table.creator:
        raise NotAllowed("forbidden", "Only the creator of the game may do this.")


def _seat(order: Order) -> int:
    if order.seat is None:
        raise NotAllowed("forbidden", "Only a player with a seat in this game may do this.")
    return order.seat


def _join(table: Table, player: str | None, command: JoinGame) -> Sequence[Event]:
    _demand(table, "open")
    if player is None:
        raise NotAllowed("forbidden", "Only a player may join.")
    if command.seat >= len(table.seats):
        says = "The seats are 0 to {last}."
        raise BadCommand("malformed-request", says, pointer="/data/seat", last=len(table.seats) - 1)
    if table.seats[command.seat].kind != "open":
        free = [number for number, seat in enumerate(table.seats) if seat.kind == "open"]
        says = "Seat {seat} is taken; open are: {free}."
        raise WrongMoment("seat-taken", says, pointer="/data/seat", seat=command.seat, free=free)
    if table.rated and any(seat.player == player for seat in table.seats):
        raise WrongMoment("already-seated", "In a rated game each seat has a player of its own.", pointer="/data/seat")
    entropy = None if command.entropy is None else _entropy(command.entropy)
    return [SeatTaken(seat=command.seat, player=player, entropy=entropy)]


def _start_by_hand(game: AnyGame, table: Table, order: Order, chance: Chance) -> Sequence[Event]:
    _demand(table, "open")
    _demand_creator(table, order)
    free = [number for number, seat in enumerate(table.seats) if seat.kind == "open"]
    if free:
        raise WrongMoment("seats-open", "These seats are still open: {free}.", free=free)
    return _start(game, table, chance)


def _start(game: AnyGame, table: Table, chance: Chance) -> Sequence[Event]:
    options = read_options(game, table.options)
    return [GameStarted(), *game.setup(len(table.seats), options, chance)]


def _leave(table: Table, seat: int) -> Sequence[Event]:
    _demand(table, "open")
    return [SeatLeft(seat=seat, player=table.seats[seat].player or "")]


def _cancel(table: Table, order: Order) -> Sequence[Event]:
    _demand(table, "open")
    _demand_creator(table, order)
    return [GameCancelled()]


def _resign(table: Table, seat: int) -> Sequence[Event]:
    _demand(table, "active")
    return [SeatResigned(seat=seat, bot=None if len(table.seats) == 2 else PLAYS_ON)]


def _undo(table: Table, seat: int, command: RequestUndo) -> Sequence[Event]:
    _demand(table, "active")
    if table.undo == "off":
        raise WrongMoment("undo-off", "This game is played without undo.")
    steps = table.steps
    if not steps or steps[-1].seat != seat:
        says = "There is nothing that seat {seat} may take back by itself now ({reason})."
        reason = table.barrier if not steps else "others_have_acted"
        raise WrongMoment("undo-not-possible", says, seat=seat, reason=reason)
    if not any(step.before == command.to_version for step in steps):
        says = "Seat {seat} may go back to the versions {versions}."
        versions = ", ".join(str(step.before) for step in steps)
        raise WrongMoment("undo-not-possible", says, pointer="/data/to_version", seat=seat, versions=versions)
    return [HistoryRewound(to=command.to_version)]


def _redo(table: Table, seat: int) -> Sequence[Event]:
    _demand(table, "active")
    undone = _undone_by(table, seat)
    if undone is None:
        raise WrongMoment("nothing-to-redo", "There is no undo of seat {seat} to take back.", seat=seat)
    return [HistoryRewound(to=undone.to, redo=True)]


def _undone_by(table: Table, seat: int) -> Undone | None:
    """The latest undo, if `seat` made it: an undo takes back steps of the seat that asked for it."""
    if not table.undone or table.undone[-1].steps[-1].seat != seat:
        return None
    return table.undone[-1]


def _play(game: AnyGame, position: Position[Any], order: Order, chance: Chance) -> Sequence[Event]:
    """A command of the ruleset."""
    table = position.table
    _demand(table, "active")
    owed = game.owed(position.game)
    if order.actor == "system":
        if owed != order.command:
            raise WrongMoment("nothing-owed", "The game owes no such step now.")
        return game.decide(position.game, HOUSE, order.command, chance)
    if owed is not None:
        raise WrongMoment("scoring-in-progress", "The service is scoring; try again in a moment.")
    seat, awaited = _seat(order), to_act(game, position)
    if seat not in awaited:
        says = "It is not the turn of seat {seat}; awaited: {awaited}."
        raise WrongMoment("not-your-turn", says, seat=seat, awaited=", ".join(map(str, awaited)))
    return game.decide(position.game, seat, order.command, chance)


def _ending(game: AnyGame, position: Position[Any]) -> GameEnded | None:
    """How the game has ended, if it has: played to its end, or two seats and one resigned. Resigned seats rank last."""
    gone = [seat.resigned for seat in position.table.seats]
    result = game.result(position.game)
    if result is not None:
        ranks = {seat: rank for rank, group in enumerate(result.ranking) for seat in group}
        ranking = ranked([(not gone[seat], -ranks[seat]) for seat in range(len(gone))])
        return GameEnded(reason="completed", scores=result.scores, ranking=ranking, winners=ranking[0])
    if len(gone) == 2 and any(gone):
        ranking = ranked([not left for left in gone])
        scores = tuple(game.scores(position.game))
        return GameEnded(reason="resigned", scores=scores, ranking=ranking, winners=ranking[0])
    return None
