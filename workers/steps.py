"""The jobs: each does one step that the service owes, if the game still is at the version that the job was made for.

That check, not the queue, makes each step happen once: a lost job is put again, a doubled one finds that the game has moved.
"""

import logging
from functools import lru_cache
from random import SystemRandom

import msgspec

from domain.catalogue import GAMES
from domain.table import Order, to_act
from events.draft import Session
from events.errors import NotFound, VersionMismatch
from events.ruleset import Rulesets
from events.sessions import Key, Outcome, Sessions
from events.settings import Settings
from events.store import connect, open_store
from workers.bots import choose

LOG = logging.getLogger(__name__)

FALLBACK = "random"
"""The bot that plays when the bot of a seat has failed again and again."""


def score(game: str, version: int) -> None:
    """Do the scoring that `game` owes at `version`."""
    take_step(sessions(), game, version)


def bot_turn(game: str, version: int, *, fallback: bool = False) -> None:
    """Give one command for the bot that `game` waits for at `version`; with `fallback`, the simplest bot decides."""
    take_bot_turn(sessions(), game, version, fallback=fallback)


def fall_due(game: str, version: int) -> None:
    """Do what has fallen due in `game` at `version`: a clock that is up, an undo without answer, a game left alone."""
    outcome = sessions().take_due(game, version)
    LOG.info("due game=%s version=%s %s", game, version, "done" if outcome else "stale")


def take_step(all_sessions: Sessions, game: str, version: int) -> Outcome | None:
    """Do the step of the service itself; None when the game has moved on."""
    outcome = all_sessions.take_owed(game, version)
    LOG.info("score game=%s version=%s %s", game, version, "done" if outcome else "stale")
    return outcome


def take_bot_turn(all_sessions: Sessions, game: str, version: int, *, fallback: bool = False) -> Outcome | None:
    """Give one command of a bot; None when the game has moved on, no bot is awaited, or bots wait for an undo's answer."""
    try:
        session = all_sessions.load(game)
    except NotFound:
        return None
    seat = awaited_bot(session)
    if session.version != version or session.pending != "bot" or seat is None:
        return None
    bot = FALLBACK if fallback else session.position.table.seats[seat].bot or FALLBACK
    view = msgspec.json.encode(session.view(seat))
    order = Order(command=choose(session.ruleset, bot, view, seat, SystemRandom()), actor="bot", seat=seat)
    try:
        return all_sessions.handle(game, lambda _: [order], Key.own(), expected=version)
    except VersionMismatch:
        return None


def awaited_bot(session: Session) -> int | None:
    """The first bot's seat whose decision is awaited."""
    seats = session.position.table.seats
    awaited = (seat for seat in to_act(session.ruleset.game, session.position) if seats[seat].kind == "bot")
    return next(awaited, None)


@lru_cache(maxsize=1)
def sessions() -> Sessions:
    """The games of the store that the environment names; opened once a process."""
    settings = Settings.read()
    store = open_store(connect(settings.redis_url), settings.partitions, settings.durability)
    return Sessions(store, Rulesets(GAMES.values()), **settings.silence)
