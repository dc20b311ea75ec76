"""Deadlines as they are kept in production: a follower and a worker, each a process of its own."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from freezegun import freeze_time

from domain.table import BotSeat, Clock, CreateGame, MySeat
from events.feed import Feed
from events.sessions import Sessions
from events.store import connect
from tests.support.logged import hot_seat
from tests.support.processes import PATIENCE, wait_until
from tests.support.stored import StoredGame
from workers.policies import Policies

Start = Callable[[str], None]


@pytest.fixture
def start(store_url: str, tmp_path: Path) -> Iterator[Start]:
    """Starts a part of the service on the store; all are stopped at the end."""
    running: list[subprocess.Popen[bytes]] = []
    environment = {
        **os.environ,
        "ANNALES_REDIS_URL": store_url,
        "ANNALES_DATA": str(tmp_path),
        "ANNALES_WORKERS": "1",
    }

    def start(part: str) -> None:
        log = (tmp_path / f"{part}.log").open("wb")
        with log:
            running.append(
                subprocess.Popen(
                    [sys.executable, "-m", "service.cli", part],
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                )
            )

    yield start
    for process in running:
        process.terminate()
    for process in running:
        process.wait(PATIENCE)


def timed(sessions: Sessions) -> StoredGame:
    """A game of Kreta whose first clock runs out at once, more or less, and ends it."""
    return StoredGame.create(sessions, hot_seat("kreta", clock=Clock(per_turn_seconds=1, on_expiry="resign")))


def types(game: StoredGame, after: int) -> list[str]:
    return [event.type for event in game.store.log(game.id, after=after)]


def test_a_clock_that_runs_out_is_called_by_the_scheduled_job(sessions: Sessions, start: Start) -> None:
    game = timed(sessions)
    version = game.version
    start("follow")
    start("work")
    wait_until(lambda: game.version > version, "the clock runs out")
    assert types(game, version)[:2] == ["table.clock_expired", "table.seat_resigned"]
    assert game.session.position.table.status == "finished"


def test_the_bot_that_takes_the_seat_plays(sessions: Sessions, start: Start) -> None:
    seats = (MySeat(), BotSeat(bot="random"))
    game = StoredGame.create(sessions, CreateGame(ruleset="kreta", seats=seats, clock=Clock(per_turn_seconds=1)))
    start("follow")
    start("work")
    wait_until(lambda: game.session.position.table.status == "finished", "bots play the game to its end")
    actors = [event.actor for event in game.store.log(game.id)]
    assert "bot" in actors


def test_a_clock_whose_job_was_lost_is_found_by_the_sweep(sessions: Sessions, store_url: str, start: Start) -> None:
    game = timed(sessions)
    version = game.version
    skip_the_feed(sessions, store_url)
    start("follow")
    start("work")
    wait_until(lambda: game.version > version, "the sweep finds the clock")
    assert types(game, version)[0] == "table.clock_expired"


def skip_the_feed(sessions: Sessions, store_url: str) -> None:
    """As if the follower had read everything, and what it had scheduled had got lost."""
    policies, feed = Policies(sessions, connect(store_url)), Feed(sessions.store)
    for partition in feed.partitions:
        tail = feed.tail(partition)
        sessions.store.client.set(sessions.store.keys.shared(partition, "policies:checkpoint"), tail)
        assert policies.checkpoint(partition) == tail


def test_the_job_for_a_deadline_comes_when_it_has_passed(sessions: Sessions, store_url: str) -> None:
    """The queue knows whole seconds only: a job that came within the second before would find nothing to do."""
    policies = Policies(sessions, connect(store_url))
    for milliseconds in (0, 1, 500, 999):
        at = datetime(2026, 3, 1, 8, 0, 0, 1000 * milliseconds, UTC)
        with freeze_time(at):
            game = timed(sessions)
            follow(policies)
        ((name, scheduled),) = jobs(policies).items()
        assert name == f"due-{game.id}-{game.version}-0"
        assert 0 <= (scheduled - at).total_seconds() - 1 < 1
        with freeze_time(scheduled):
            assert sessions.take_due(game.id, game.version) is not None
        policies.queue.scheduled_job_registry.remove(name, delete_job=True)


def follow(policies: Policies) -> None:
    for partition in policies.feed.partitions:
        position = policies.checkpoint(partition)
        while entries := policies.feed.read({partition: position}).get(partition):
            position = policies.take(partition, entries, position)


def jobs(policies: Policies) -> dict[str, datetime]:
    registry = policies.queue.scheduled_job_registry
    return {name: registry.get_scheduled_time(name) for name in map(str, registry.get_job_ids(cleanup=False))}
