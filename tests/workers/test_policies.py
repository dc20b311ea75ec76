"""Policies: what a game owes becomes a job, once; what got lost is put again, under a new attempt."""

import time
from itertools import pairwise
from typing import Any

import pytest
from rq.job import Job
from rq.serializers import JSONSerializer

from domain.table import BotSeat, Clock, CreateGame, MySeat
from domain.table.commands import RequestUndo
from events.draft import Session
from events.feed import START
from events.sessions import Sessions
from events.store import connect
from tests.support.logged import hot_seat
from tests.support.stored import StoredGame
from tests.support.toy import Add, Call
from workers.policies import FALL_BACK_AFTER, MOST_PATIENCE, PATIENCE, Policies, job_id


@pytest.fixture
def policies(sessions: Sessions, store_url: str) -> Policies:
    return Policies(sessions, connect(store_url))


def follow(policies: Policies) -> None:
    for partition in policies.feed.partitions:
        position = policies.checkpoint(partition)
        while entries := policies.feed.read({partition: position}).get(partition):
            position = policies.take(partition, entries, position)


def sweep(policies: Policies, later: float) -> int:
    """A sweep so many seconds from now."""
    return sum(policies.sweep(partition, time.time() + later) for partition in policies.feed.partitions)


def queued(policies: Policies) -> list[str]:
    return policies.queue.job_ids


def job(policies: Policies, name: str) -> Job:
    return Job.fetch(name, connection=policies.queue.connection, serializer=JSONSerializer)


def lose_jobs(policies: Policies) -> None:
    """What a server that lost its memory does, or a worker that died with a job in hand."""
    for name in queued(policies):
        job(policies, name).delete()


@pytest.fixture
def owing(sessions: Sessions) -> StoredGame:
    """A game that owes a scoring."""
    game = StoredGame.create(sessions, hot_seat("toy"))
    game.give(Call(), 0)
    return game


def with_bot(sessions: Sessions, ruleset: str = "toy") -> StoredGame:
    return StoredGame.create(sessions, CreateGame(ruleset=ruleset, seats=(MySeat(), BotSeat()), undo="free"))


# Following


def test_a_scoring_that_is_owed_becomes_a_job_for_its_version(policies: Policies, owing: StoredGame) -> None:
    follow(policies)
    assert queued(policies) == [f"scoring-{owing.id}-4-0"]
    put = job(policies, queued(policies)[0])
    assert (put.func_name, put.args, put.kwargs) == ("workers.steps.score", [owing.id, 4], {})


def test_a_bot_that_is_awaited_becomes_a_job(policies: Policies, sessions: Sessions) -> None:
    game = with_bot(sessions)
    follow(policies)
    assert queued(policies) == [f"bot-{game.id}-3-0"]
    put = job(policies, queued(policies)[0])
    assert (put.func_name, put.args, put.kwargs) == ("workers.steps.bot_turn", [game.id, 3], {})


def test_a_game_that_owes_nothing_makes_no_job(policies: Policies, sessions: Sessions) -> None:
    StoredGame.create(sessions, hot_seat("toy")).give(Add(points=1), 0)
    follow(policies)
    assert queued(policies) == []


def test_of_many_moves_only_the_last_of_each_game_makes_a_job(policies: Policies, sessions: Sessions) -> None:
    games = [with_bot(sessions) for _ in range(3)]
    for game in games:
        game.give(Add(points=1), 0)
        game.give(Add(points=1), 0)
    settled = StoredGame.create(sessions, hot_seat("toy"))
    settled.give(Call(), 0)
    sessions.take_owed(settled.id, settled.version)
    follow(policies)
    assert sorted(queued(policies)) == sorted(f"bot-{game.id}-5-0" for game in games)


def test_the_feed_read_twice_makes_one_job(policies: Policies, owing: StoredGame) -> None:
    partition = owing.store.keys.partition_of(owing.id)
    entries = policies.feed.read({partition: START})[partition]
    for _ in range(2):
        assert policies.take(partition, entries, START) == entries[-1].id == policies.checkpoint(partition)
    assert len(queued(policies)) == 1


def test_the_checkpoint_is_kept_where_the_next_follower_finds_it(
    policies: Policies, owing: StoredGame, store_url: str
) -> None:
    partition = owing.store.keys.partition_of(owing.id)
    assert policies.checkpoint(partition) == START
    follow(policies)
    assert Policies(owing.sessions, connect(store_url)).checkpoint(partition) == policies.feed.tail(partition)


# Sweeping


def test_a_step_whose_job_was_lost_is_put_again_under_a_new_attempt(policies: Policies, owing: StoredGame) -> None:
    follow(policies)
    lose_jobs(policies)
    assert sweep(policies, PATIENCE - 1) == 0
    assert sweep(policies, PATIENCE + 1) == 1
    assert queued(policies) == [f"scoring-{owing.id}-4-1"]


def test_a_step_that_no_policy_ever_saw_is_put_by_the_sweep(policies: Policies, owing: StoredGame) -> None:
    assert sweep(policies, PATIENCE + 1) == 1
    assert job(policies, queued(policies)[0]).args == [owing.id, 4]


def test_a_job_that_still_waits_in_the_queue_is_not_put_again(policies: Policies, owing: StoredGame) -> None:
    follow(policies)
    assert sweep(policies, 3600) == 0
    assert queued(policies) == [f"scoring-{owing.id}-4-0"]


def test_each_attempt_waits_longer_but_never_more_than_a_minute(policies: Policies, owing: StoredGame) -> None:
    now, began, later, waits = time.time(), 0.0, 0.0, []
    partition = owing.store.keys.partition_of(owing.id)
    for attempt in range(1, 9):
        while policies.sweep(partition, now + later) == 0:
            later += 0.5
            assert later - began <= MOST_PATIENCE + 1
        assert queued(policies) == [f"scoring-{owing.id}-4-{attempt}"]
        waits.append(later - began)
        began = later
        lose_jobs(policies)
    assert waits == sorted(waits)
    assert waits[-1] > MOST_PATIENCE - 2


def test_a_bots_turn_that_failed_again_and_again_is_left_to_the_simplest_bot(
    policies: Policies, sessions: Sessions
) -> None:
    game, later = with_bot(sessions), 0.0
    for attempt in range(1, FALL_BACK_AFTER + 1):
        later += MOST_PATIENCE + 1
        assert sweep(policies, later) == 1
        put = job(policies, job_id("bot", game.id, game.version, attempt))
        assert put.kwargs == ({"fallback": True} if attempt == FALL_BACK_AFTER else {})
        lose_jobs(policies)


def test_when_the_game_has_moved_its_attempts_begin_anew(policies: Policies, sessions: Sessions) -> None:
    game = with_bot(sessions)
    assert sweep(policies, PATIENCE + 1) == 1
    game.give(Add(points=1), 0)
    assert sweep(policies, 2 * PATIENCE + 1) == 1
    assert queued(policies) == [f"bot-{game.id}-3-1", f"bot-{game.id}-4-1"]


def test_a_mark_without_a_debt_puts_nothing(policies: Policies, owing: StoredGame) -> None:
    owing.sessions.take_owed(owing.id, owing.version)
    key = owing.store.keys.shared(owing.store.keys.partition_of(owing.id), "owed")
    owing.client.zadd(key, {owing.id: 1})
    assert sweep(policies, 3600) == 0
    assert queued(policies) == []


def test_what_was_undone_is_no_longer_owed(policies: Policies, sessions: Sessions) -> None:
    game = StoredGame.create(sessions, hot_seat("toy"))
    game.give(Call(), 0)
    game.give(RequestUndo(to_version=3), 0)
    follow(policies)
    assert queued(policies) == []
    assert sweep(policies, 3600) == 0


def in_one_partition(sessions: Sessions, number: int) -> list[StoredGame]:
    games: list[StoredGame] = []
    while len(games) < number:
        game = with_bot(sessions)
        if sessions.store.keys.partition_of(game.id) == 0:
            games.append(game)
    return games


@pytest.mark.parametrize(
    "damage",
    [
        lambda game: game.client.hset(game.store.keys.game(game.id, "state"), "t", b'{"ruleset":"of newer code"}'),
        lambda game: game.client.hset(game.store.keys.game(game.id, "state"), "g", b'"no state"'),
        lambda game: game.client.delete(*(game.store.keys.game(game.id, part) for part in ("state", "events"))),
    ],
    ids=["unknown ruleset", "no state", "gone"],
)
def test_a_game_that_cannot_be_read_does_not_keep_the_others_waiting(
    policies: Policies, sessions: Sessions, damage: Any
) -> None:
    first, bad, last = in_one_partition(sessions, 3)
    damage(bad)
    policies.sweep(0, time.time() + PATIENCE + 1)
    assert {f"bot-{game.id}-3-1" for game in (first, last)} <= set(queued(policies))


def test_a_game_that_breaks_its_reader_does_not_keep_the_others_waiting(
    policies: Policies, sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, bad, last = in_one_partition(sessions, 3)
    load = sessions.load

    def broken(game: str) -> Session:
        if game == bad.id:
            raise KeyError(game)
        return load(game)

    monkeypatch.setattr(sessions, "load", broken)
    policies.sweep(0, time.time() + PATIENCE + 1)
    assert {f"bot-{game.id}-3-1" for game in (first, last)} == set(queued(policies))


# What falls due


def scheduled(policies: Policies) -> dict[str, float]:
    registry: Any = policies.queue.scheduled_job_registry
    return {
        str(name): registry.get_scheduled_time(str(name)).timestamp() for name in registry.get_job_ids(cleanup=False)
    }


def test_a_clock_is_scheduled_for_the_moment_when_it_runs_out(policies: Policies, sessions: Sessions) -> None:
    game = StoredGame.create(sessions, hot_seat("kreta", clock=Clock(per_turn_seconds=600)))
    follow(policies)
    follow(policies)
    ((name, at),) = scheduled(policies).items()
    assert name == f"due-{game.id}-{game.version}-0"
    table = game.session.position.table
    assert table.times is not None
    assert 0 <= at - (table.times.since / 1000 + 600) < 1
    put = job(policies, name)
    assert (put.func_name, put.args) == ("workers.steps.fall_due", [game.id, game.version])


def test_what_falls_due_in_a_month_is_not_scheduled_but_found_by_the_sweep(
    policies: Policies, sessions: Sessions
) -> None:
    game = StoredGame.create(sessions, hot_seat("toy"))
    follow(policies)
    assert scheduled(policies) == {}
    partition, month = sessions.store.keys.partition_of(game.id), 30 * 86_400
    assert policies.sweep_due(partition, time.time() + month - 60) == 0
    assert policies.sweep_due(partition, time.time() + month + 60) == 1
    (name,) = queued(policies)
    assert job(policies, name).args == [game.id, 3]


def test_what_falls_due_is_swept_once_at_a_time(policies: Policies, sessions: Sessions) -> None:
    game = StoredGame.create(sessions, hot_seat("toy"))
    partition, then = sessions.store.keys.partition_of(game.id), time.time() + 31 * 86_400
    for _ in range(3):
        policies.sweep_due(partition, then)
    assert len(queued(policies)) == 1


def test_what_fell_due_is_put_again_ever_later_and_never_while_a_job_for_it_waits(
    policies: Policies, sessions: Sessions
) -> None:
    """However long no worker takes jobs, or each one fails, the jobs for a game do not pile up."""
    game = StoredGame.create(sessions, hot_seat("toy"))
    partition, then = sessions.store.keys.partition_of(game.id), time.time() + 31 * 86_400
    assert sum(policies.sweep_due(partition, then + second) for second in range(600)) == 1
    puts = []
    for second in range(600, 1200):
        lose_jobs(policies)
        if policies.sweep_due(partition, then + second):
            puts.append(second)
    waits = [later - earlier for earlier, later in pairwise(puts)]
    assert waits == sorted(waits)
    assert waits[-1] == MOST_PATIENCE
    game.give(Add(points=1), 0)
    lose_jobs(policies)
    assert policies.sweep_due(partition, then + 1200) == 1
    assert queued(policies) == [f"due-{game.id}-{game.version}-1"]
