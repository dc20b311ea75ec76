"""Jobs: each does one step, at the version that it was made for, and nothing when the game has moved on."""

import threading
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from rq import Queue
from rq.serializers import JSONSerializer

from domain.game import Command
from domain.table import BotSeat, Clock, CreateGame, MySeat
from events import audit
from events.codec import AnyGame
from events.sessions import Sessions
from events.store import connect
from tests.support.logged import RULESETS, hot_seat
from tests.support.processes import wait_until
from tests.support.stored import StoredGame
from tests.support.toy import Call
from workers import steps
from workers.bots import BOTS, Bot
from workers.policies import QUEUE, Policies
from workers.run import StepWorker

REAL = [name for name in RULESETS.by_id if name != "toy"]


@pytest.fixture
def environment(store_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The settings of a worker, as it reads them."""
    monkeypatch.setenv("ANNALES_REDIS_URL", store_url)
    monkeypatch.setenv("ANNALES_PARTITIONS", "4")
    steps.sessions.cache_clear()
    yield
    steps.sessions.cache_clear()


def bots(sessions: Sessions, ruleset: str = "kreta", seats: int = 2, bot: str = "greedy") -> StoredGame:
    command = CreateGame(ruleset=ruleset, seats=(BotSeat(bot),) * seats)  # type: ignore[arg-type]
    return StoredGame.create(sessions, command)


def test_a_bot_gives_one_command_as_itself(sessions: Sessions) -> None:
    game = bots(sessions)
    version = game.version
    outcome = steps.take_bot_turn(sessions, game.id, version)
    assert outcome is not None
    first = outcome.events[0]
    assert (first.seat, first.actor, first.version) == (0, "bot", version + 1)
    assert game.version == outcome.session.version


def test_a_stale_or_doubled_job_does_nothing(sessions: Sessions) -> None:
    game = bots(sessions)
    version = game.version
    steps.take_bot_turn(sessions, game.id, version)
    moved = game.version
    for stale in (0, version - 1, version, moved + 1):
        assert steps.take_bot_turn(sessions, game.id, stale) is None
        assert steps.take_step(sessions, game.id, stale) is None
    assert game.version == moved


def test_a_game_that_is_not_there_needs_no_turn(sessions: Sessions) -> None:
    assert steps.take_bot_turn(sessions, "nobody", 3) is None


def test_a_bot_does_not_play_for_a_person(sessions: Sessions) -> None:
    game = StoredGame.create(sessions, CreateGame(ruleset="kreta", seats=(MySeat(), BotSeat())))
    assert steps.awaited_bot(game.session) is None
    assert steps.take_bot_turn(sessions, game.id, game.version) is None


def test_the_first_bot_of_several_that_are_awaited_plays(sessions: Sessions) -> None:
    game = StoredGame.create(sessions, CreateGame(ruleset="toy", seats=(MySeat(), BotSeat(), BotSeat())))
    assert steps.awaited_bot(game.session) == 1


@pytest.mark.parametrize(("fallback", "asked"), [(False, "greedy"), (True, "random")])
def test_the_bot_of_the_seat_is_asked_or_the_simplest_one_in_its_place(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch, *, fallback: bool, asked: str
) -> None:
    names: list[str] = []

    def watched(name: str, bot: Bot) -> Bot:
        def play(game: AnyGame, state: Any, seat: int, luck: Random) -> Command:
            names.append(name)
            return bot(game, state, seat, luck)

        return play

    for name, bot in list(BOTS.items()):
        monkeypatch.setitem(BOTS, name, watched(name, bot))
    game = bots(sessions)
    steps.take_bot_turn(sessions, game.id, game.version, fallback=fallback)
    assert names == [asked]


def test_a_job_done_by_many_workers_at_once_happens_once(sessions: Sessions) -> None:
    game = bots(sessions)

    def work(version: int, done: list[object]) -> None:
        done.append(steps.take_bot_turn(sessions, game.id, version))

    for _ in range(5):
        version = game.version
        done: list[object] = []
        threads = [threading.Thread(target=work, args=(version, done)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sum(outcome is not None for outcome in done) == 1
        opened = [event for event in game.store.log(game.id, after=version) if isinstance(event.command.type, str)]
        assert len(opened) == 1
        if game.session.pending == "scoring":
            sessions.take_owed(game.id, game.version)


def test_a_scoring_is_done_at_its_version(sessions: Sessions) -> None:
    game = StoredGame.create(sessions, hot_seat("toy"))
    game.give(Call(), 0)
    outcome = steps.take_step(sessions, game.id, game.version)
    assert outcome is not None
    assert (outcome.events[0].type, outcome.events[0].actor) == ("toy.settled", "system")


# Real jobs in a real queue


def work_off(policies: Policies, url: str) -> None:
    """Follow the feed and do the jobs until there is nothing left to do."""
    queue = Queue(QUEUE, connection=connect(url), serializer=JSONSerializer)
    while True:
        for partition in policies.feed.partitions:
            position = policies.checkpoint(partition)
            while entries := policies.feed.read({partition: position}).get(partition):
                position = policies.take(partition, entries, position)
        if not queue.count:
            return
        StepWorker([queue], connection=queue.connection, serializer=JSONSerializer).work(
            burst=True, logging_level="ERROR"
        )


@pytest.mark.usefixtures("environment")
def test_a_game_of_bots_plays_itself_to_a_verified_end_through_the_queue(sessions: Sessions, store_url: str) -> None:
    policies = Policies(sessions, connect(store_url))
    game = bots(sessions, bot="random")
    work_off(policies, store_url)
    assert_played(game)
    assert policies.queue.failed_job_registry.count == 0


@pytest.mark.parametrize("ruleset", REAL)
@pytest.mark.usefixtures("environment")
def test_a_game_of_bots_of_every_ruleset_is_played_by_its_jobs(sessions: Sessions, ruleset: str) -> None:
    game = bots(sessions, ruleset, seats=RULESETS[ruleset].game.seats[-1], bot="random")
    while (pending := game.session.pending) is not None:
        version = game.version
        (steps.score if pending == "scoring" else steps.bot_turn)(game.id, version)
        assert game.version > version
    assert_played(game)


def assert_played(game: StoredGame) -> None:
    """That the game is over, that it verifies, and that nobody but bots and the service acted after its creation."""
    assert game.session.position.table.status == "finished"
    report = audit.verify(game.lines(), RULESETS)
    assert (report.verdict, report.first_bad) == ("verified", None)
    created, *rest = [event for event in game.store.log(game.id) if isinstance(event.command.type, str)]
    assert created.actor == "player"
    assert {event.actor for event in rest} <= {"bot", "system"}
    assert any(event.actor == "bot" for event in rest)


@pytest.mark.usefixtures("environment")
def test_a_clock_that_ran_out_is_called_by_its_job(sessions: Sessions) -> None:
    game = StoredGame.create(sessions, hot_seat("kreta", clock=Clock(per_turn_seconds=1)))
    version = game.version
    steps.fall_due(game.id, version)
    assert game.version == version

    def it_is_called() -> bool:
        steps.fall_due(game.id, version)
        return game.version > version

    wait_until(it_is_called, "the clock runs out")
    types = [event.type for event in game.store.log(game.id, after=version)]
    assert types == ["table.clock_expired", "table.seat_given_to_bot"]
    steps.fall_due(game.id, version)
    assert game.version == version + 2


@pytest.mark.usefixtures("environment")
def test_a_bot_that_fails_leaves_the_game_as_it_was_and_the_fallback_plays(
    sessions: Sessions, store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("out of ideas")

    monkeypatch.setitem(BOTS, "greedy", broken)
    policies = Policies(sessions, connect(store_url))
    game = bots(sessions)
    version = game.version
    work_off(policies, store_url)
    assert game.version == version
    assert policies.queue.failed_job_registry.count == 1
    with pytest.raises(RuntimeError, match="out of ideas"):
        steps.bot_turn(game.id, version)
    steps.bot_turn(game.id, version, fallback=True)
    assert game.version > version
