"""What people read of the table: one sentence for each of its events."""

from typing import get_args

from domain.table.commands import BotName
from domain.table.events import (
    ClockExpired,
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
    UndoAnswered,
    UndoLapsed,
    UndoRequested,
)
from domain.wording import PLAYER, SEAT, Phrase, PlayerName, Wording, named, scores, seat_names

NAMES = {"bot": named("bot", {bot: bot for bot in get_args(BotName)})}

KINDS = {"seat": SEAT, "seats": SEAT, "needs": SEAT, "winners": SEAT, "player": PLAYER, "creator": PLAYER, "bot": "bot"}


def _created(event: GameCreated, _: int) -> Phrase:
    if event.rematch_of is not None:
        return Phrase("{creator} sets up a game once more.")
    return Phrase("{creator} sets up a game with {count:seat|seats}.", {"count": len(event.seats)})


def _forked(event: GameForked, _: int) -> Phrase:
    return Phrase(
        "{creator} begins a new game from version {version} of another.",
        {"version": event.parent.version, "creator": PlayerName(event.creator)},
    )


def _resigned(event: SeatResigned, _: int) -> Phrase:
    if event.bot is None:
        return Phrase("{seat} gives the game up.")
    return Phrase("{seat} gives the game up; the bot “{bot}” plays on.")


def _undo_requested(event: UndoRequested, _: int) -> Phrase:
    match event.redo, bool(event.needs):
        case False, False:
            return Phrase("{seat} asks to go back to version {to}.")
        case False, True:
            return Phrase("{seat} asks to go back to version {to}, which needs the consent of {needs}.")
        case True, False:
            return Phrase("{seat} asks to go forth again to version {to}.")
        case _:
            return Phrase("{seat} asks to go forth again to version {to}, which needs the consent of {needs}.")


def _undo_answered(event: UndoAnswered, _: int) -> Phrase:
    seats = {"seats": seat_names(event.seats)}
    if event.accepted:
        return Phrase("Consent to the undo from: {seats}.", seats)
    return Phrase("No consent to the undo from: {seats}.", seats)


def _rewound(event: HistoryRewound, _: int) -> Phrase:
    if event.redo:
        return Phrase("{seat} takes an undo back: the game stands as at version {to}.")
    return Phrase("{seat} undoes: the game stands as at version {to}.")


def _abandoned(event: GameAbandoned, _: int) -> Phrase:
    if event.reason == "closed":
        return Phrase("The game is closed by an operator of the service.")
    return Phrase("The game is abandoned, since nobody has played for too long.")


def _ended(event: GameEnded, _: int) -> Phrase:
    points = {"scores": scores(event.scores)}
    if event.reason == "resigned":
        return Phrase("The game is over by resignation. Winning: {winners}. Points: {scores}.", points)
    return Phrase("The game is over. Winning: {winners}. Points: {scores}.", points)


WORDING = Wording(
    NAMES,
    KINDS,
    {
        GameCreated: _created,
        GameForked: _forked,
        SeatTaken: Phrase("{seat} is taken by {player}."),
        SeatLeft: Phrase("{seat} is free again: {player} has left it."),
        GuestRemoved: Phrase("{seat} is open to all: {player} is sent away."),
        EntropyAdded: Phrase("{seat} adds to the chance of the game."),
        GameStarted: Phrase("The game begins."),
        GameCancelled: Phrase("The game is called off."),
        SeatResigned: _resigned,
        SeatGivenToBot: Phrase("{seat} is played by the bot “{bot}” from now on."),
        SeatTakenOver: Phrase("{seat} is played by {player} from now on."),
        ClockExpired: Phrase("The time of {seat} is up."),
        UndoRequested: _undo_requested,
        UndoAnswered: _undo_answered,
        UndoLapsed: Phrase("The request for an undo has lapsed."),
        HistoryRewound: _rewound,
        GameAbandoned: _abandoned,
        GameEnded: _ended,
        SeedRevealed: Phrase("The seed of the game is opened: anybody can check every draw."),
    },
)
"""The sentences of the table."""
