"""What the table decides: which command goes where, and what follows by itself. The rules of the games are theirs."""

from collections.abc import Callable, Sequence
from typing import Any

from domain.canonical import digest
from domain.chance import SeededChance
from domain.errors import WrongMoment
from domain.game import HOUSE, Command, Event, ranked
from domain.table import clocks, consent, hands, lobby, undo
from domain.table.commands import (
    AbandonGame,
    AddEntropy,
    AnswerUndo,
    CancelGame,
    ExpireClock,
    JoinGame,
    LapseUndo,
    LeaveGame,
    Redo,
    RemoveGuest,
    ReplaceWithBot,
    RequestUndo,
    Resign,
    StartGame,
    TakeOver,
)
from domain.table.events import GameAbandoned, GameEnded, SeedRevealed
from domain.table.orders import Moment, Order, demand, seat_of
from domain.table.state import AnyGame, Position, Table, to_act

RULES = 1
"""The version of the table's rules; it rises whenever `decide` answers differently for any command."""


def decide(game: AnyGame, position: Position[Any], order: Order, moment: Moment) -> Sequence[Event]:
    """What `order` brings about. Raises WrongMoment, NotAllowed, BadCommand or RuleViolation.

    The caller has made sure that `order.seat`, where there is one, is a seat of `order.player`, and that only the service
    gives commands of the house.
    """
    table, command = position.table, order.command
    match command:
        case JoinGame():
            return lobby.join(table, order, command)
        case AddEntropy():
            return lobby.add_entropy(table, order, command)
        case StartGame():
            return lobby.start_by_hand(game, position, order, moment)
        case LeaveGame():
            return lobby.leave(table, order)
        case RemoveGuest():
            return lobby.remove_guest(table, order, command)
        case CancelGame():
            return lobby.cancel(table, order)
        case Resign():
            return hands.resign(table, seat_of(order))
        case ReplaceWithBot():
            return hands.replace_with_bot(table, order, command, moment.time)
        case TakeOver():
            return hands.take_over(table, order, command)
        case RequestUndo():
            hands.demand_time(table, order, moment.time)
            return consent.request(table, seat_of(order), command, moment)
        case AnswerUndo():
            return consent.answer(table, order, command)
        case Redo():
            hands.demand_time(table, order, moment.time)
            return consent.redo(table, seat_of(order))
        case LapseUndo():
            return consent.lapse(table, moment.time)
        case ExpireClock():
            return hands.expire_clock(table, command, moment.time)
        case AbandonGame():
            if table.status != "open":
                demand(table, "active")
            return [GameAbandoned(reason=command.reason)]
        case _:
            return _play(game, position, order, moment)


def follow_up(game: AnyGame, position: Position[Any], moment: Moment, seed: Callable[[], bytes]) -> Sequence[Event]:
    """What follows by itself once the events of a command are folded: the start of a full table, the end of a game.

    The chance of `moment` is that of `position`, entropy just added included; `seed` is asked only at the end.
    """
    table = position.table
    if table.status == "open":
        full = table.start == "when_full" and all(seat.kind != "open" for seat in table.seats)
        return lobby.start(game, position, moment.chance) if full else []
    if table.seed_revealed:
        return []
    if table.status == "abandoned":
        return [_opened(game, position, seed)]
    ended = _ending(game, position)
    return [] if ended is None else [ended, _opened(game, position, seed)]


def chance_of(table: Table, seed: Callable[[], bytes]) -> SeededChance:
    """The chance of the game from here on."""
    return SeededChance(seed, table.id, table.entropies, table.draws)


def owed_order(game: AnyGame, position: Position[Any]) -> Order | None:
    """The order of the service itself that is due at once, or None."""
    if position.table.status != "active" or position.table.request is not None:
        return None
    command = game.owed(position.game)
    return None if command is None else Order(command=command, actor="system")


def due(table: Table, abandon_after: int, expire_after: int) -> tuple[int, Command] | None:
    """What the service owes at a later time unless something happens first, and when (Unix milliseconds); or None.

    `abandon_after` is how long the players may be silent, `expire_after` how long they may be so before the start, both in
    milliseconds.
    """
    if table.status == "open":
        return table.human_at + expire_after, AbandonGame()
    if table.status != "active":
        return None
    coming: list[tuple[int, Command]] = [(table.human_at + abandon_after, AbandonGame())]
    if table.request is not None:
        coming.append((table.request.time + undo.LAPSES_AFTER, LapseUndo()))
    if table.times is not None and (up := clocks.deadline(table.times)) is not None:
        coming.append((up[0], ExpireClock(seat=up[1])))
    return min(coming, key=lambda each: each[0])


def _play(game: AnyGame, position: Position[Any], order: Order, moment: Moment) -> Sequence[Event]:
    """A command of the ruleset."""
    table = position.table
    demand(table, "active")
    owed = game.owed(position.game)
    if order.actor == "system":
        if owed != order.command or table.request is not None:
            raise WrongMoment("nothing-owed", "The game owes no such step now.")
        return game.decide(position.game, HOUSE, order.command, moment.chance)
    if owed is not None:
        raise WrongMoment("scoring-in-progress", "The service is scoring; try again in a moment.")
    seat, awaited = seat_of(order), to_act(game, position)
    if seat not in awaited:
        says = "It is not the turn of seat {seat}; awaited: {awaited}."
        raise WrongMoment("not-your-turn", says, seat=seat, awaited=", ".join(map(str, awaited)))
    hands.demand_time(table, order, moment.time)
    return game.decide(position.game, seat, order.command, moment.chance)


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


def _opened(game: AnyGame, position: Position[Any], seed: Callable[[], bytes]) -> SeedRevealed:
    if position.game is None:
        return SeedRevealed(seed=seed().hex(), board_digest=None, view_schema=None)
    view = game.view(position.game, None, reveal=True)
    return SeedRevealed(seed=seed().hex(), board_digest=digest(view), view_schema=game.view_schema)
