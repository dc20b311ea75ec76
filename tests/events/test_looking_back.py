"""A moment of a long game is as near as one of a short game: what is counted is events read, not time."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from domain.game import Command
from domain.table.commands import Redo, RequestUndo
from events.sessions import Sessions
from events.store import MILESTONE_EVERY, Logged
from tests.support.logged import hot_seat
from tests.support.stored import StoredGame
from tests.support.toy import Add

BATCH = 60
LONG = 3000


class Reads:
    """Counts the events that are read from the store."""

    def __init__(self, sessions: Sessions, monkeypatch: pytest.MonkeyPatch) -> None:
        self._events = 0
        read = sessions.store.read

        def counted(*args: Any, **options: Any) -> list[Logged]:
            rows = read(*args, **options)
            self._events += len(rows)
            return rows

        monkeypatch.setattr(sessions.store, "read", counted)

    def of(self, act: Callable[..., object], *args: object) -> int:
        """How many events `act(*args)` reads."""
        before = self._events
        act(*args)
        return self._events - before


@pytest.fixture
def reads(sessions: Sessions, monkeypatch: pytest.MonkeyPatch) -> Reads:
    return Reads(sessions, monkeypatch)


def wandering(game: StoredGame, start: int, rng: random.Random) -> list[tuple[Command, int | None, str | None]]:
    """A batch of moves, of undos and redos, and of jumps to any moment since the start."""
    commands: list[tuple[Command, int | None, str | None]] = []
    undos = len(game.session.position.table.line.undone)
    for version in range(game.version, game.version + BATCH):
        luck = rng.random()
        if luck < 0.2 and undos:
            commands.append((Redo(), 0, None))
            undos -= 1
        elif luck < 0.3 and version > start:
            commands.append((RequestUndo(to_version=rng.randrange(start, version)), 0, None))
            undos = min(undos + 1, 64)
        else:
            commands.append((Add(points=rng.randint(1, 5)), 0, None))
            undos = 0
    return commands


def test_any_moment_of_a_game_of_thousands_of_events_is_found_in_a_bounded_number_of_reads(
    sessions: Sessions, reads: Reads
) -> None:
    game, rng = StoredGame.create(sessions, hot_seat("toy", undo="consent")), random.Random(5)
    start = game.version
    while game.version < LONG:
        assert reads.of(game.batch, wandering(game, start, rng)) < BATCH * (MILESTONE_EVERY + BATCH)
    moments = [50, LONG, *rng.sample(range(1, LONG), 60)]
    heads = {version: sessions.at(game.id, version).head for version in moments}
    most = max(reads.of(sessions.at, game.id, version) for version in moments)
    assert most <= MILESTONE_EVERY + BATCH

    game.client.delete(game.store.keys.game(game.id, "milestones"))
    assert reads.of(sessions.at, game.id, LONG) == LONG
    for version in moments:
        assert reads.of(sessions.at, game.id, version) <= MILESTONE_EVERY
        assert sessions.at(game.id, version).head == heads[version]


def test_games_that_go_back_far_again_and_again_are_looked_at_no_dearer(sessions: Sessions, reads: Reads) -> None:
    """Each jump lands before the last milestone, so that a fold through several of them would have to fold those too."""
    game = StoredGame.create(sessions, hot_seat("toy", undo="consent"))
    start = game.version
    game.batch([(Add(points=1), 0, None)] * BATCH)
    game.batch([(Add(points=1), 1, None)] * BATCH)
    stands = {}
    while game.version < 500:
        game.give(Add(points=1), game.version % 2)
        back = max(start, game.version - MILESTONE_EVERY - 5)
        assert reads.of(game.give, RequestUndo(to_version=back), 0) <= MILESTONE_EVERY + 1
        stands[game.version] = game.session
    for version, stood in stands.items():
        then = sessions.at(game.id, version)
        assert (then.position, then.head) == (stood.position, stood.head)
    most = max(reads.of(sessions.at, game.id, version) for version in range(1, game.version + 1))
    assert most <= MILESTONE_EVERY
