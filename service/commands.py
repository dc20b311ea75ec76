"""Commands: the one way to change a game."""

from collections.abc import Callable, Sequence
from typing import Any

from flask import Blueprint, Response
from msgspec import Raw

from domain.errors import DomainError
from domain.game import Command
from domain.table import Order
from domain.table.commands import JoinGame
from events.draft import Session
from events.errors import VersionMismatch
from events.redaction import Reader
from events.sessions import Given, Outcome
from service.answers import answer, encoded
from service.callers import player
from service.incoming import checked, expected_version, idempotency_key, read_json, read_query
from service.problems import GameMovedOn
from service.resources import CommandAnswer, Trial, game_of
from service.rights import demand_sight, order_of
from service.schemas import BatchSchema, CommandSchema, GiveQuerySchema
from service.services import services

blueprint = Blueprint("commands", __name__)

QUERY = GiveQuerySchema()
ONE = CommandSchema()
BATCH = BatchSchema()

MOST_MISSED = 100
"""How many missed events a version mismatch tells."""


@blueprint.post("/v1/games/<id:game>/commands")
def give(game: str) -> Response:
    """Give one command or a batch, or, as a dry run, say what it would bring about."""
    house, giver = services(), player()
    dry_run = read_query(QUERY)["dry_run"]
    expected = expected_version()
    body = read_json()
    given = orders_of(body, giver)
    key = idempotency_key(giver, game, body)
    try:
        if dry_run:
            return answer(_trial(house.sessions.try_out(game, given, expected=expected), giver))
        outcome = house.sessions.handle(
            game, given, key, render=lambda made: _told(made, giver, house.root), expected=expected
        )
    except VersionMismatch as mismatch:
        raise _with_missed(mismatch, game, giver) from mismatch
    return answer(outcome.answer, 201, {"Idempotency-Replayed": "true"} if outcome.replayed else None)


def orders_of(body: Any, giver: str) -> Callable[[Session], Sequence[Given]]:
    """What makes the orders in a body of a game as it stands. Raises Mistakes; the result raises what forbids them."""
    is_batch = isinstance(body, dict) and "commands" in body
    wanted = checked(BATCH, body)["commands"] if is_batch else [checked(ONE, body)]

    def orders(session: Session) -> Sequence[Given]:
        if not _is_invited(session, wanted):
            demand_sight(session.position.table, giver)
        commands = [_command(session, number, one, is_batch) for number, one in enumerate(wanted)]
        first = _first(session, giver, commands[0], wanted[0]["seat"], "/commands/0" if is_batch else "")
        if len(commands) == 1:
            return [first]
        return [_in_turn(giver, command, one["seat"]) for command, one in zip(commands, wanted, strict=True)]

    return orders


def _is_invited(session: Session, wanted: Sequence[dict[str, Any]]) -> bool:
    """Whether the first command is to join by an invite of the game."""
    invite = wanted[0]["data"].get("invite") if wanted[0]["type"] == JoinGame.type else None
    return invite is not None and services().invites.admits(session, invite)


def _command(session: Session, number: int, wanted: dict[str, Any], is_batch: bool) -> Command:
    pointer = f"/commands/{number}" if is_batch else ""
    return session.ruleset.command(wanted["type"], wanted["data"], pointer)


def _first(session: Session, giver: str, command: Command, seat: int | None, pointer: str) -> Order:
    """The order for the first command, since whether the caller may act is asked before the key and the version."""
    try:
        return order_of(session, giver, command, seat)
    except DomainError as refusal:
        if refusal.pointer is not None:
            refusal.pointer = pointer + refusal.pointer
        raise


def _in_turn(giver: str, command: Command, seat: int | None) -> Callable[[Session], Order]:
    """In a batch, seat and rights are found when the turn of the command has come: who joins may act from then on."""
    return lambda session: order_of(session, giver, command, seat)


def _told(outcome: Outcome, giver: str, root: str) -> bytes:
    reader = Reader(outcome.session, giver)
    events = [Raw(reader.shown(event)) for event in outcome.events]
    return encoded(CommandAnswer(version=outcome.session.version, events=events, game=game_of(outcome.session, root)))


def _trial(outcome: Outcome, giver: str) -> bytes:
    reader = Reader(outcome.session, giver)
    return encoded(Trial(events=[Raw(reader.shown(event)) for event in outcome.events], complete=outcome.complete))


def _with_missed(mismatch: VersionMismatch, game: str, giver: str) -> GameMovedOn:
    house = services()
    missed = house.store.read(game, mismatch.expected, MOST_MISSED)
    return GameMovedOn(mismatch, Reader(house.sessions.load(game), giver).lines(missed))
