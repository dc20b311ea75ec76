"""The parts as real processes: they play whole games, stop when told to, and may be killed at any moment."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile

import pytest
from rq.job import Job

from domain.table import BotSeat, Clock, CreateGame, MySeat
from domain.table.commands import Resign
from events import audit, lifeline
from events.feed import Entry, Feed
from events.lobby import Lobby
from events.sessions import Sessions
from events.store import connect
from events.webhooks import Webhooks
from tests.support.cutting import cutting
from tests.support.logged import RULESETS, hot_seat
from tests.support.processes import is_alive, wait_until
from tests.support.receiver import receiving
from tests.support.stored import StoredGame, sessions_at
from tests.support.toy import Add
from workers.policies import PATIENCE, Policies
from workers.run import Consumer, follow_feed, repeat, trim

ROOT = Path(__file__).parents[2]


class Part:
    """A part of the service in a process of its own; what it prints goes to a file."""

    def __init__(self, folder: Path, environment: dict[str, str], *arguments: str) -> None:
        with NamedTemporaryFile(dir=folder, delete=False) as output:
            self._output = Path(output.name)
            command = [sys.executable, "-m", "tests.workers.parts", *arguments]
            self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output)
        self.wait_for(f"{arguments[0]} has process {self.process.pid}")

    def wait_for(self, line: str) -> None:
        wait_until(lambda: line in self._output.read_text().splitlines(), f"it says {line!r}")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def terminate(self) -> int:
        """Stop it in good order; its exit code."""
        self.process.terminate()
        return self.process.wait(30)


Start = Callable[..., Part]


@pytest.fixture
def start(store_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Starts parts of the service; they and whatever they have started are gone at the end of the test."""
    monkeypatch.setenv(lifeline.VARIABLE, str(os.getpid()))
    monkeypatch.setenv("ANNALES_REDIS_URL", store_url)
    monkeypatch.setenv("ANNALES_PARTITIONS", "4")
    monkeypatch.setenv("ANNALES_WORKERS", "2")
    started: list[Part] = []

    def begin(*arguments: str) -> Part:
        started.append(Part(tmp_path, dict(os.environ), *arguments))
        return started[-1]

    yield begin
    for part in started:
        part.terminate()


def of_bots(sessions: Sessions, ruleset: str = "kreta", seats: int = 2) -> StoredGame:
    return StoredGame.create(sessions, CreateGame(ruleset=ruleset, seats=(BotSeat("random"),) * seats))


def is_over(game: StoredGame) -> bool:
    return game.session.position.table.status == "finished"


def assert_verified(game: StoredGame) -> None:
    report = audit.verify(game.lines(), RULESETS)
    assert (report.verdict, report.first_bad) == ("verified", None)


def test_followers_and_workers_play_a_game_of_bots_to_its_end_and_stop_when_told_to(
    sessions: Sessions, start: Start
) -> None:
    follower, pool = start("follow"), start("work")
    game = of_bots(sessions)
    timed = StoredGame.create(sessions, hot_seat("kreta", clock=Clock(per_turn_seconds=1, on_expiry="resign")))
    wait_until(lambda: is_over(game), "the bots finish their game")
    wait_until(lambda: is_over(timed), "the clock ends the other")
    for ended in (game, timed):
        assert_verified(ended)
    lobby = Lobby(sessions.store)
    wait_until(lambda: set(lobby.page(status="finished")[0]) == {game.id, timed.id}, "the lobby lists them")
    assert follower.terminate() == 0
    assert pool.terminate() == 0


def test_two_followers_and_two_pools_do_each_step_once(sessions: Sessions, start: Start) -> None:
    for part in ("follow", "follow", "work", "work"):
        start(part)
    game = of_bots(sessions, seats=3)
    wait_until(lambda: is_over(game), "the bots finish their game")
    assert_verified(game)


def test_followers_and_workers_tell_webhooks_and_try_again_what_was_not_taken(
    sessions: Sessions, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANNALES_WEBHOOK_HTTP", "yes")
    monkeypatch.setenv("ANNALES_WEBHOOK_PRIVATE", "yes")
    with receiving() as receiver:
        receiver.status = 500
        hook = Webhooks(sessions.store).make("ada", receiver.url, None, ["table.game_created", "table.game_ended"])
        game = StoredGame.create(sessions, CreateGame(ruleset="kreta", seats=(MySeat(), MySeat())))
        start("follow")
        start("work")
        wait_until(lambda: len(receiver.got) == 1, "the first attempt is made")
        receiver.status = 204
        wait_until(lambda: len(receiver.got) == 2, "the second attempt is made")
        game.give(Resign(), 0)
        wait_until(lambda: len(receiver.got) == 3, "the end is told")
    assert receiver.types == ["table.game_created", "table.game_created", "table.game_ended"]
    assert receiver.got[0].id == receiver.got[1].id != receiver.got[2].id
    assert all(got.verified(hook.secret)["data"]["game"] == game.id for got in receiver.got)


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_worker_killed_in_the_middle_of_a_job_loses_no_step_and_doubles_none(
    sessions: Sessions, store_url: str, start: Start, when: str
) -> None:
    game = StoredGame.create(sessions, CreateGame(ruleset="kreta", seats=(BotSeat(), MySeat())))
    version, policies = game.version, Policies(sessions, connect(store_url))
    partition = sessions.store.keys.partition_of(game.id)
    policies.take(partition, policies.feed.read({partition: "0-0"})[partition], "0-0")
    worker = start("worker", when)
    worker.wait_for(f"stuck {when} the append of {game.id}")
    worker.kill()
    assert (game.version > version) == (when == "after")
    start("worker")
    if when == "before":
        assert policies.queue.count == 0
        assert policies.sweep(partition, time.time() + PATIENCE + 1) == 1
        wait_until(lambda: game.version > version, "another worker takes the step")
    opened = [event for event in game.store.log(game.id, after=version) if isinstance(event.command.type, str)]
    assert [(event.actor, event.seat) for event in opened[:1]] == [("bot", 0)]
    moved = game.version
    doubled = policies.queue.enqueue_call("workers.steps.bot_turn", args=(game.id, version), result_ttl=0)
    wait_until(lambda: not Job.exists(doubled.id, connection=policies.queue.connection), "the doubled job is done")
    assert policies.queue.failed_job_registry.count == 0
    assert game.version == moved


def test_parts_end_with_the_process_that_started_them(start: Start, tmp_path: Path) -> None:
    said = tmp_path / "said"
    code = (
        "import subprocess, sys, time; from events import lifeline; lifeline.hold();"
        "subprocess.Popen([sys.executable, '-m', 'tests.workers.parts', 'work'], stdout=open(sys.argv[1], 'w'));"
        "time.sleep(600)"
    )
    mine = start("follow")
    with subprocess.Popen([sys.executable, "-c", code, str(said)], cwd=ROOT) as parent:
        wait_until(lambda: said.exists() and said.read_text().endswith("\n"), "the part has begun")
        part = int(said.read_text().split()[-1])
        assert is_alive(part)
        parent.kill()
        wait_until(lambda: not is_alive(part), "the part ends with its parent")
    assert is_alive(mine.process.pid)


# The follower within, when the store goes away


@contextmanager
def following(consumer: Consumer) -> Iterator[threading.Thread]:
    stopping = threading.Event()
    thread = threading.Thread(target=follow_feed, args=(consumer, stopping))
    thread.start()
    try:
        yield thread
    finally:
        stopping.set()
        thread.join(30)
        assert not thread.is_alive()


@pytest.mark.parametrize("answers", [0, 1, 2, 3])
def test_a_follower_outlives_an_outage_of_the_store(store_url: str, answers: int) -> None:
    directly = sessions_at(store_url)
    with cutting(store_url) as proxy:
        lobby = Lobby(sessions_at(proxy.url).store)
        with following(lobby) as thread:
            games = {StoredGame.create(directly, hot_seat("toy")).id}
            wait_until(lambda: set(Lobby(directly.store).page()[0]) == games, "the first game is listed")
            proxy.lose(50, after=answers)
            games.add(StoredGame.create(directly, hot_seat("toy")).id)
            wait_until(lambda: proxy.lost > 0, "an answer is lost")
            proxy.close()
            games.add(StoredGame.create(directly, hot_seat("toy")).id)
            time.sleep(0.05)
            assert thread.is_alive()
            proxy.open()
            wait_until(lambda: set(Lobby(directly.store).page()[0]) == games, "all games are listed")


def test_a_repeated_task_outlives_an_outage_of_the_store(store_url: str) -> None:
    with cutting(store_url) as proxy:
        sessions, stopping, done = sessions_at(proxy.url), threading.Event(), []
        game = StoredGame.create(sessions, hot_seat("toy"))

        def task() -> None:
            done.append(sessions.load(game.id).version)

        thread = threading.Thread(target=repeat, args=(task, 0.01, stopping))
        thread.start()
        wait_until(lambda: bool(done), "the task is done")
        proxy.close()
        time.sleep(0.05)
        done.clear()
        proxy.open()
        wait_until(lambda: bool(done), "the task is done again")
        stopping.set()
        thread.join(30)
        assert not thread.is_alive()


def test_a_follower_outlives_a_fault_and_takes_again_what_it_met(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions, faults = sessions_at(store_url), iter([KeyError("a fault"), None])
    lobby = Lobby(sessions.store)
    take = lobby.take

    def faulty(partition: int, entries: list[Entry], checkpoint: str) -> str:
        if (fault := next(faults, None)) is not None:
            raise fault
        return take(partition, entries, checkpoint)

    monkeypatch.setattr(lobby, "take", faulty)
    monkeypatch.setattr("workers.run.RETRY_AFTER", 0.01)
    with following(lobby):
        game = StoredGame.create(sessions, hot_seat("toy"))
        wait_until(lambda: Lobby(sessions.store).page()[0] == [game.id], "the game is listed")


def test_a_repeated_task_outlives_a_fault() -> None:
    stopping, done = threading.Event(), list[int]()

    def task() -> None:
        done.append(len(done))
        if len(done) == 1:
            raise KeyError("a fault")
        stopping.set()

    repeat(task, 0.01, stopping)
    assert done == [0, 1]


def test_trimming_keeps_what_the_slowest_consumer_has_not_taken(sessions: Sessions, store_url: str) -> None:
    lobby, policies = Lobby(sessions.store), Policies(sessions, connect(store_url))
    game = StoredGame.create(sessions, hot_seat("toy"))
    for _ in range(300):
        game.give(Add(points=1), 0)
    partition, feed = sessions.store.keys.partition_of(game.id), Feed(sessions.store)
    entries = feed.read({partition: "0-0"})[partition]
    policies.take(partition, entries[:250], "0-0")
    trim([lobby, policies])
    assert feed.read({partition: "0-0"})[partition] == entries
    lobby.take(partition, entries[:120], "0-0")
    trim([lobby, policies])
    left = feed.read({partition: "0-0"})[partition]
    assert left == entries[-len(left) :]
    assert 300 > len(left) >= len(entries) - 120
