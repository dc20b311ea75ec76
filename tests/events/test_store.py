"""The store: one append is all or nothing, once, and everything that depends on it moves with it."""

import json
import subprocess
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
import redis
from msgspec.structs import replace

from events import envelope
from events.envelope import Envelope
from events.errors import UnsafeStore
from events.keys import Keys
from events.sessions import Key, Sessions, snapshot_of
from events.store import MILESTONE_EVERY, Append, Store, connect, open_store, unsafe
from service.embedded import server_binary
from tests.support.logged import LoggedGame, hot_seat
from tests.support.processes import wait_until
from tests.support.stored import StoredGame, everything, sessions_at
from tests.support.toy import Add, Call, Finish, Flip

KEYS = Keys(4)


def append_of(game: LoggedGame, since: int = 0, **changes: Any) -> Append:
    """The append that stores the events of a game after version `since`."""
    given = {
        "game": game.session.id,
        "expected": since,
        "events": game.log[since:],
        "snapshot": snapshot_of(game.session),
        "owed": game.pending or "",
        "due": None,
        "answer_id": f"a{since}",
        "answer": b"answer",
        "keep_answer": 60,
    }
    return Append(**{**given, **changes})


def raw(store: Store) -> Any:
    return store.client


def encoded(events: Iterable[Envelope]) -> list[bytes]:
    return [envelope.encode(event) for event in events]


def shared(store: Store, part: str) -> str:
    return KEYS.shared(KEYS.partition_of("g1"), part)


@pytest.fixture
def game() -> LoggedGame:
    return LoggedGame(hot_seat("toy"))


# All or nothing


def test_an_append_stores_the_events_under_their_versions(store: Store, game: LoggedGame) -> None:
    assert store.append(append_of(game)).outcome == "stored"
    rows = raw(store).xrange(KEYS.game("g1", "events"))
    assert [entry_id for entry_id, _ in rows] == [b"1-0", b"2-0", b"3-0"]
    assert [json.loads(fields[b"e"])["version"] for _, fields in rows] == [1, 2, 3]
    assert [row.line for row in store.read("g1")] == encoded(game.log)
    assert [row.has_private for row in store.read("g1")] == [True, False, True]
    assert encoded(store.log("g1")) == encoded(game.log)
    assert store.version("g1") == 3


def test_snapshot_feed_entry_mark_and_answer_move_with_the_append(store: Store, game: LoggedGame) -> None:
    store.append(append_of(game))
    since = game.version
    game.give(Call(), 0)
    before = int(time.time() * 1000)
    store.append(append_of(game, since, due=123_456))
    assert store.load("g1", f"a{since}") == (snapshot_of(game.session), b"answer")
    ((_, first), (_, second)) = raw(store).xrange(shared(store, "feed"))
    assert first == {b"g": b"g1", b"v": b"3", b"o": b"", b"t": b"1", b"d": b"", b"f": b"0"}
    assert second == {b"g": b"g1", b"v": b"4", b"o": b"scoring", b"t": b"", b"d": b"123456", b"f": b"3"}
    ((member, marked),) = raw(store).zrange(shared(store, "owed"), 0, -1, withscores=True)
    assert member == b"g1"
    assert before <= marked <= time.time() * 1000
    assert raw(store).zrange(shared(store, "due"), 0, -1, withscores=True) == [(b"g1", 123_456.0)]
    assert list(store.games(KEYS.partition_of("g1"))) == ["g1"]


def test_what_is_no_longer_owed_or_due_is_unmarked(store: Store, game: LoggedGame) -> None:
    store.append(append_of(game))
    game.give(Call(), 0)
    store.append(append_of(game, 3, due=5))
    raw(store).hset(shared(store, "attempts"), "g1", "x")
    game.settle()
    store.append(append_of(game, 4))
    for part in ("owed", "due", "attempts"):
        assert not raw(store).exists(shared(store, part))


@pytest.mark.parametrize("expected", [0, 1, 2, 4, 99])
def test_an_append_to_another_version_changes_nothing_and_says_where_the_game_is(
    sessions: Sessions, game: LoggedGame, expected: int
) -> None:
    sessions.store.append(append_of(game))
    game.give(Add(points=1), 0)
    before = everything(sessions)
    appended = sessions.store.append(append_of(game, 3, expected=expected))
    assert (appended.outcome, appended.version) == ("moved", 3)
    assert everything(sessions) == before


def test_the_same_command_again_changes_nothing_and_is_answered_as_the_first_time(
    sessions: Sessions, game: LoggedGame
) -> None:
    sessions.store.append(append_of(game, answer=b"first"))
    before = everything(sessions)
    for expected in (0, 3):
        again = sessions.store.append(append_of(game, expected=expected, answer=b"second"))
        assert (again.outcome, again.answer) == ("known", b"first")
    assert everything(sessions) == before


def test_a_game_that_does_not_exist_has_no_snapshot_no_events_and_no_answer(store: Store) -> None:
    assert store.load("nobody", "x") == (None, None)
    assert store.load("nobody") == (None, None)
    assert store.read("nobody") == []
    assert list(store.log("nobody")) == []
    assert store.version("nobody") == 0
    with pytest.raises(LookupError):
        store.seed_line("nobody")


def test_many_games_are_loaded_at_once_in_the_order_asked_for(store: Store, game: LoggedGame) -> None:
    store.append(append_of(game))
    other = LoggedGame(hot_seat("toy"), game="g2")
    store.append(append_of(other))
    snapshots = [snapshot_of(other.session), None, snapshot_of(game.session)]
    assert store.load_many(["g2", "nobody", "g1"]) == snapshots
    assert store.load_many([]) == []


@pytest.mark.parametrize(("to", "after"), [(None, 0), (3, 0), (7, 5), (None, 4), (5, 5), (6, 9)])
def test_any_part_of_a_log_can_be_read(store: Store, game: LoggedGame, to: int | None, after: int) -> None:
    for points in (1, 2, 3, 4):
        game.give(Add(points=points), 0)
    store.append(append_of(game))
    assert encoded(store.log("g1", to, after)) == encoded(game.log[after:to])


def test_a_long_log_is_read_in_pages(store: Store, game: LoggedGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("events.store.PAGE", 3)
    for points in (1, 2, 3, 4, 5, 1):
        game.give(Add(points=points), 0)
        raw(store).flushall()
        store.append(append_of(game))
        assert encoded(store.log("g1")) == encoded(game.log)
        assert encoded(store.log("g1", 4)) == encoded(game.log[:4])
    assert store.read("g1", 2, 4) == store.read("g1", 0, 99)[2:6]


def test_a_replaced_snapshot_counts_only_while_the_game_is_at_its_version(store: Store, game: LoggedGame) -> None:
    store.append(append_of(game))
    old = snapshot_of(game.session)
    store.put_snapshot("g1", replace(old, head="sha256:other"))
    assert store.load("g1")[0] == replace(old, head="sha256:other")
    game.give(Add(points=1), 0)
    store.append(append_of(game, 3))
    store.put_snapshot("g1", old)
    assert store.load("g1")[0] == snapshot_of(game.session)


def test_a_snapshot_is_kept_about_every_so_many_events(store: Store, game: LoggedGame) -> None:
    store.append(append_of(game))
    for _ in range(2 * MILESTONE_EVERY):
        since = game.version
        game.give(Add(points=1), 0)
        store.append(append_of(game, since))
    kept = sorted(int(name) for name in raw(store).hkeys(KEYS.game("g1", "milestones")))
    assert kept == [MILESTONE_EVERY, 2 * MILESTONE_EVERY]


# Answers


def test_an_answer_is_kept_as_long_as_it_was_asked_to_be(store: Store, game: LoggedGame) -> None:
    store.append(append_of(game, keep_answer=1))
    key = KEYS.game("g1", "answer:a0")
    assert 0 < raw(store).pttl(key) <= 1000
    wait_until(lambda: store.load("g1", "a0")[1] is None, "the answer expires")


def test_once_its_answer_has_expired_the_same_command_is_judged_anew(store: Store, game: LoggedGame) -> None:
    store.append(append_of(game))
    raw(store).delete(KEYS.game("g1", "answer:a0"))
    assert store.append(append_of(game)).outcome == "moved"


def test_the_answers_of_clients_keys_are_kept_for_more_than_a_day_and_its_own_for_minutes(sessions: Sessions) -> None:
    game = StoredGame.create(sessions, hot_seat("toy"))
    game.give(Add(points=1), 0, key=Key.of("ada", game.id, "mine", {}))
    game.give(Add(points=1), 0)
    names = raw(sessions.store).scan_iter(sessions.store.keys.game(game.id, "answer:*"))
    lives = sorted(raw(sessions.store).ttl(name) for name in names)
    assert lives[-1] > 24 * 3600
    assert lives[0] > 300


# The keys


def test_all_keys_of_a_game_share_the_hash_tag_of_its_partition(sessions: Sessions) -> None:
    game = StoredGame.create(sessions, hot_seat("toy"), key=Key.of("ada", "games", "k", {}))
    game.give(Call(), 0)
    partition = crc32(game.id.encode()) % 4
    keys = everything(sessions, f"*{game.id}*")
    assert len(keys) == 4
    assert all(f"{{{partition}}}" in key.decode() for key in everything(sessions) if key != b"annales:meta")


def test_games_are_spread_over_the_partitions() -> None:
    keys = Keys(4)
    assert {keys.partition_of(f"game{number}") for number in range(50)} == {0, 1, 2, 3}
    assert keys.player("ada", "name") == f"annales:{{{crc32(b'ada') % 4}}}:player:ada:name"


# Which servers are safe


@contextmanager
def server(folder: Path, *options: str) -> Iterator[str]:
    """A server with these options on a socket in `folder`."""
    socket = folder / "other.sock"
    fixed = ("--port", "0", "--unixsocket", str(socket), "--dir", str(folder), "--save", "", "--logfile", "/dev/null")
    process = subprocess.Popen([str(server_binary()), *fixed, *options], stdout=subprocess.DEVNULL)
    try:
        with redis.Redis(unix_socket_path=str(socket)) as client:
            wait_until(lambda: _answers(client), "the server answers")
        yield f"unix://{socket}"
    finally:
        process.kill()
        process.wait()


def _answers(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.RedisError:
        return False


SAFE = ("--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction")


@pytest.mark.parametrize(
    ("options", "durability", "told"),
    [
        (("--appendonly", "no"), "always", ["set appendonly yes"]),
        (("--appendfsync", "everysec"), "always", ["set appendfsync always", "ANNALES_DURABILITY=everysec"]),
        (("--appendfsync", "no"), "everysec", ["set appendfsync everysec"]),
        (("--maxmemory-policy", "allkeys-lru"), "always", ["allkeys-lru", "set noeviction"]),
    ],
)
def test_a_server_that_may_lose_what_it_acknowledged_is_refused_and_told_what_to_change(
    tmp_path: Path, options: tuple[str, ...], durability: str, told: list[str]
) -> None:
    with server(tmp_path, *SAFE, *options) as url, connect(url) as client:
        (problem,) = unsafe(client, durability)
        assert all(part in problem for part in told)
        with pytest.raises(UnsafeStore) as refusal:
            open_store(client, 4, durability)
        assert str(refusal.value) == problem
        assert not list(client.scan_iter())


def test_a_looser_server_is_taken_when_that_was_asked_for(tmp_path: Path) -> None:
    with server(tmp_path, *SAFE, "--appendfsync", "everysec") as url, connect(url) as client:
        open_store(client, 4, "everysec")


def test_all_problems_of_a_server_are_found(tmp_path: Path) -> None:
    options = ("--appendonly", "no", "--appendfsync", "no", "--maxmemory-policy", "volatile-ttl")
    with server(tmp_path, *options) as url, connect(url) as client:
        assert len(unsafe(client, "always")) == 3


def test_the_embedded_server_is_safe(store_url: str) -> None:
    assert unsafe(connect(store_url), "always") == []


def test_the_number_of_partitions_is_fixed_when_the_store_is_first_used(store_url: str) -> None:
    sessions_at(store_url, 4)
    with pytest.raises(UnsafeStore, match="ANNALES_PARTITIONS=4"):
        sessions_at(store_url, 8)
    sessions_at(store_url, 4)


def test_data_of_a_newer_format_is_refused(store_url: str) -> None:
    client = connect(store_url)
    client.hset("annales:meta", mapping={"format": "2", "partitions": "4"})
    with pytest.raises(UnsafeStore, match=r"format 2.*newer code"):
        open_store(client, 4, "always")


def test_a_server_that_lost_its_scripts_is_given_them_again(sessions: Sessions) -> None:
    game = StoredGame.create(sessions, hot_seat("toy"))
    raw(sessions.store).script_flush()
    game.give(Flip(), 0)
    game.give(Finish(), 0)
    assert game.session.position.table.status == "finished"
