"""The feed: every append points into it, in order, and whoever waits for a game is woken."""

import threading
import time
from collections.abc import Iterator

import pytest

from events.feed import START, Feed, Wakeups, position_order
from events.sessions import Sessions
from events.store import Store
from tests.support.cutting import cutting
from tests.support.logged import hot_seat
from tests.support.processes import wait_until
from tests.support.stored import StoredGame, sessions_at
from tests.support.toy import Add, Call

LONG = 30.0
"""Seconds, far more than anything takes."""


@pytest.fixture
def feed(store: Store) -> Feed:
    return Feed(store)


def everywhere(feed: Feed) -> dict[int, str]:
    return dict.fromkeys(feed.partitions, START)


def test_every_append_of_every_partition_is_in_the_feed_in_order(sessions: Sessions, feed: Feed) -> None:
    games = [StoredGame.create(sessions, hot_seat("toy")) for _ in range(12)]
    for game in games:
        game.give(Add(points=1), 0)
        game.give(Call(), 1)
    read = feed.read(everywhere(feed))
    assert set(read) == {sessions.store.keys.partition_of(game.id) for game in games}
    for game in games:
        entries = [entry for entry in read[sessions.store.keys.partition_of(game.id)] if entry.game == game.id]
        told = [(entry.version, entry.owed, entry.table, entry.due is None) for entry in entries]
        assert told == [(3, "", True, False), (4, "", False, False), (5, "scoring", False, False)]
    for entries in read.values():
        positions = [position_order(entry.id) for entry in entries]
        assert positions == sorted(positions)


def test_reading_goes_on_after_a_position_and_stops_at_a_count(sessions: Sessions, feed: Feed) -> None:
    game = StoredGame.create(sessions, hot_seat("toy"))
    partition = sessions.store.keys.partition_of(game.id)
    for _ in range(5):
        game.give(Add(points=1), 0)
    whole = feed.read({partition: START})[partition]
    assert [entry.version for entry in whole] == [3, 4, 5, 6, 7, 8]
    assert feed.read({partition: START}, count=4)[partition] == whole[:4]
    assert feed.read({partition: whole[3].id})[partition] == whole[4:]
    assert feed.read({partition: whole[-1].id}) == {}
    assert feed.tail(partition) == whole[-1].id


def test_an_empty_feed_has_its_tail_at_the_start(feed: Feed) -> None:
    assert [feed.tail(partition) for partition in feed.partitions] == [START] * 4
    assert feed.read(everywhere(feed)) == {}
    assert feed.read(everywhere(feed), block=10) == {}


def test_a_reader_that_waits_gets_the_first_append(sessions: Sessions, feed: Feed) -> None:
    got: list[int] = []

    def wait() -> None:
        for entries in feed.read(everywhere(feed), block=int(LONG * 1000)).values():
            got.extend(entry.version for entry in entries)

    reader = threading.Thread(target=wait)
    reader.start()
    StoredGame.create(sessions, hot_seat("toy"))
    reader.join(LONG)
    assert got == [3]


def test_trimming_drops_what_lies_well_before_a_position_and_nothing_after_it(store: Store, feed: Feed) -> None:
    name = store.keys.shared(1, "feed")
    for version in range(500):
        store.client.xadd(name, {"g": "g1", "v": version, "o": "", "t": "", "d": ""})
    whole = feed.read({1: START})[1]
    feed.trim(1, START)
    assert feed.read({1: START})[1] == whole
    feed.trim(1, whole[400].id)
    left = feed.read({1: START})[1]
    assert left == whole[-len(left) :]
    assert 100 <= len(left) < 250
    assert feed.read({1: whole[400].id})[1] == whole[401:]


def test_positions_are_compared_as_numbers() -> None:
    positions = ["10-2", "9-11", "9-2", START, "10-10"]
    assert sorted(positions, key=position_order) == [START, "9-2", "9-11", "10-2", "10-10"]


# Waiting


@pytest.fixture
def wakeups(store: Store) -> Iterator[Wakeups]:
    wakeups = Wakeups(store)
    wakeups.start()
    yield wakeups
    wakeups.stop()


def known(wakeups: Wakeups, game: StoredGame) -> int:
    """Move the game until the reader has begun and knows where it is; its version."""
    wait_until(lambda: wakeups.wait(game.id, game.give(Add(points=1), 0).session.version - 1, 0.2), "the reader reads")
    return game.version


def waiting(wakeups: Wakeups, game: str, version: int) -> tuple[threading.Thread, list[bool]]:
    """Somebody who waits; the list gets what they are told."""
    told: list[bool] = []
    thread = threading.Thread(target=lambda: told.append(wakeups.wait(game, version, LONG)))
    thread.start()
    return thread, told


def test_who_waits_for_a_game_is_woken_when_it_moves(sessions: Sessions, wakeups: Wakeups) -> None:
    game = StoredGame.create(sessions, hot_seat("toy"))
    version = known(wakeups, game)
    waiters = [waiting(wakeups, game.id, version) for _ in range(3)]
    game.give(Add(points=1), 0)
    for thread, told in waiters:
        thread.join(LONG)
        assert told == [True]


def test_who_begins_to_wait_just_after_the_move_does_not_wait(sessions: Sessions, wakeups: Wakeups) -> None:
    version = known(wakeups, game := StoredGame.create(sessions, hot_seat("toy")))
    began = time.monotonic()
    assert wakeups.wait(game.id, version - 1, LONG)
    assert time.monotonic() - began < LONG / 2


def test_nobody_is_woken_by_another_game(sessions: Sessions, wakeups: Wakeups) -> None:
    game, other = (StoredGame.create(sessions, hot_seat("toy")) for _ in "ab")
    version = known(wakeups, game)
    known(wakeups, other)
    assert not wakeups.wait(game.id, version, 0.05)


def test_stopping_wakes_everybody(sessions: Sessions) -> None:
    wakeups = Wakeups(sessions.store)
    wakeups.start()
    thread, told = waiting(wakeups, "g1", 0)
    wakeups.stop()
    thread.join(LONG)
    assert told == [True]
    assert wakeups.wait("g1", 0, LONG)


def test_only_so_many_games_are_remembered(
    sessions: Sessions, wakeups: Wakeups, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Wakeups, "KNOWN", 2)
    games = [StoredGame.create(sessions, hot_seat("toy")) for _ in range(3)]
    for game in games:
        known(wakeups, game)
    assert not wakeups.wait(games[0].id, 0, 0.01)
    assert wakeups.wait(games[2].id, 0, 0.01)


def test_when_the_feed_was_out_of_reach_whoever_waits_looks_again_and_is_woken_as_before(store_url: str) -> None:
    game = StoredGame.create(sessions_at(store_url), hot_seat("toy"))
    with cutting(store_url) as proxy:
        wakeups = Wakeups(sessions_at(proxy.url).store)
        wakeups.start()
        thread, told = waiting(wakeups, game.id, known(wakeups, game))
        proxy.close()
        game.give(Add(points=1), 0)
        proxy.open()
        thread.join(LONG)
        assert told == [True]
        known(wakeups, game)
        wakeups.stop()
