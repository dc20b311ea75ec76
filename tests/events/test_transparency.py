"""The log of finished games: exactly once a game, in order, whatever dies in between."""

import random
from typing import Any

import pytest
import redis

from domain.catalogue import GAMES
from domain.table import CreateGame, ForkGame, Order
from domain.table.commands import AbandonGame, CancelGame, MySeat, OpenSeat, Resign
from events import merkle, transfer, transparency
from events.errors import OutcomeUnknown
from events.feed import START
from events.notes import SignerKey
from events.ruleset import Rulesets
from events.sessions import Key, Sessions
from events.signing import KeyRing
from events.store import connect, open_store
from events.transparency import Entry, TransparencyLog, game_digest

PARTITIONS = 4


@pytest.fixture
def sessions(store_url: str) -> Sessions:
    return Sessions(open_store(connect(store_url), PARTITIONS, "always"), Rulesets(GAMES.values()))


@pytest.fixture
def log(sessions: Sessions) -> TransparencyLog:
    return TransparencyLog(sessions.store)


def begun(sessions: Sessions, *seats: Any) -> str:
    command = CreateGame(ruleset="kreta", seats=seats or (MySeat(), MySeat()))
    return sessions.create(command, "ada", Key.own(), lambda _: b"").session.id


def give(sessions: Sessions, game: str, command: Any, seat: int | None = None) -> None:
    order = (
        Order(command, "system") if isinstance(command, AbandonGame) else Order(command, "player", seat, player="ada")
    )
    sessions.handle(game, lambda _: [order], Key.own())


def finished(sessions: Sessions) -> str:
    game = begun(sessions)
    give(sessions, game, Resign(), seat=0)
    return game


def follow(log: TransparencyLog, count: int = 500) -> None:
    """Take all that the feeds have."""
    positions = {partition: log.checkpoint(partition) for partition in log.feed.partitions}
    while found := log.feed.read(positions, count=count):
        for partition, entries in found.items():
            positions[partition] = log.take(partition, entries, positions[partition])


def entry_of(sessions: Sessions, game: str) -> Entry:
    session = sessions.load(game)
    return Entry(game=game_digest(game), head=session.head, version=session.version)


def test_before_any_game_is_over_the_tree_is_empty(sessions: Sessions, log: TransparencyLog) -> None:
    begun(sessions)
    begun(sessions, MySeat(), OpenSeat())
    follow(log)
    assert log.head() == transparency.Head(0, merkle.EMPTY_ROOT)
    assert log.entries(0, 10) == []


def test_each_finished_game_is_one_leaf(sessions: Sessions, log: TransparencyLog) -> None:
    games = [finished(sessions) for _ in range(7)]
    follow(log)
    entries = log.entries(0, 100)
    assert sorted(entries, key=str) == sorted((entry_of(sessions, game) for game in games), key=str)
    for game in games:
        index = log.index(game)
        assert index is not None
        assert entries[index] == entry_of(sessions, game)


def test_games_called_off_or_abandoned_are_in_it_too(sessions: Sessions, log: TransparencyLog) -> None:
    off, left = begun(sessions, MySeat(), OpenSeat()), begun(sessions)
    give(sessions, off, CancelGame())
    give(sessions, left, AbandonGame())
    follow(log)
    assert {entry.game for entry in log.entries(0, 10)} == {game_digest(off), game_digest(left)}


def test_a_fork_is_a_game_of_its_own_and_a_copy_is_none(sessions: Sessions, log: TransparencyLog) -> None:
    game = finished(sessions)
    fork = sessions.fork(ForkGame(game=game, at=3, seats=(MySeat(), MySeat())), "ada", Key.own(), lambda _: b"")
    give(sessions, fork.session.id, Resign(), seat=1)
    lines = transfer.export_lines(sessions, game, KeyRing(), whole=True)
    copy = transfer.import_finished(sessions, b"".join(line + b"\n" for line in lines), Key.own())
    follow(log)
    assert log.head().size == 2
    assert log.index(fork.session.id) is not None
    assert log.index(copy.id) is None


def test_taking_the_feed_again_adds_nothing(sessions: Sessions, log: TransparencyLog) -> None:
    for _ in range(3):
        finished(sessions)
    follow(log)
    before = log.head(), log.entries(0, 10)
    sessions.store.client.delete("annales:{log}:feeds")
    follow(log)
    assert (log.head(), log.entries(0, 10)) == before


def test_games_of_one_partition_stand_in_the_order_in_which_they_ended(
    sessions: Sessions, log: TransparencyLog
) -> None:
    partition = sessions.store.keys.partition_of
    games = [finished(sessions) for _ in range(12)]
    follow(log, count=2)
    for number in range(PARTITIONS):
        indexes = [log.index(game) for game in games if partition(game) == number]
        assert indexes == sorted(indexes, key=lambda index: -1 if index is None else index)
        assert None not in indexes


def test_a_slower_follower_writes_nothing(sessions: Sessions, log: TransparencyLog) -> None:
    game = finished(sessions)
    partition = sessions.store.keys.partition_of(game)
    batch = log.feed.read({partition: START})[partition]
    assert log.take(partition, batch, START) == batch[-1].id
    assert TransparencyLog(sessions.store).take(partition, batch[:1], START) == batch[-1].id
    assert log.head().size == 1


def test_a_follower_that_read_an_older_tree_writes_nothing(
    sessions: Sessions, log: TransparencyLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = finished(sessions), finished(sessions)
    while sessions.store.keys.partition_of(first) == sessions.store.keys.partition_of(second):
        second = finished(sessions)
    feeds = {sessions.store.keys.partition_of(game): None for game in (first, second)}
    batches = log.feed.read(dict.fromkeys(feeds, START))
    old = log.head()
    (one, entries), (other, others) = batches.items()
    log.take(one, entries, START)
    size = log.head().size
    monkeypatch.setattr(log, "head", lambda: old)
    assert log.take(other, others, START) == START
    monkeypatch.undo()
    assert log.head().size == size
    assert log.take(other, others, START) == others[-1].id


def test_an_append_whose_answer_is_lost_is_not_done_twice(
    sessions: Sessions, log: TransparencyLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    finished(sessions)
    append = log._append

    def lost(**given: Any) -> None:
        append(**given)
        raise redis.ConnectionError

    monkeypatch.setattr(log, "_append", lost)
    with pytest.raises(OutcomeUnknown):
        follow(log)
    monkeypatch.undo()
    follow(log)
    assert log.head().size == 1


def test_a_game_whose_end_cannot_be_read_is_parked_and_the_others_go_on(
    sessions: Sessions, log: TransparencyLog
) -> None:
    bad, good = finished(sessions), finished(sessions)
    events = sessions.store.keys.game(bad, "events")
    version = sessions.load(bad).version
    sessions.store.client.delete(events)
    sessions.store.client.xadd(events, {"e": b"nonsense", "p": b"0"}, id=f"{version}-0")
    follow(log)
    assert log.index(good) == 0
    assert log.index(bad) is None
    assert list(log.parked()) == [bad]


def test_proofs_hold_between_all_sizes(
    sessions: Sessions, log: TransparencyLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transparency, "CHUNK", 4)
    roots = {0: merkle.EMPTY_ROOT}
    for _ in range(9):
        finished(sessions)
        follow(log)
        head = log.head()
        roots[head.size] = head.root
        assert log.root(head.size) == head.root
    entries = [entry for start in range(0, 9, 3) for entry in log.entries(start, 3)]
    assert entries == log.entries(0, 9)
    assert log.entries(7, 100) == entries[7:]
    assert log.entries(9, 1) == []
    for second in range(1, 10):
        assert log.root(second) == roots[second]
        for index in range(second):
            proof = log.inclusion_proof(index, second)
            assert merkle.includes(roots[second], second, index, entries[index].leaf, proof)
        for first in range(1, second + 1):
            proof = log.consistency_proof(first, second)
            assert merkle.is_consistent(first, roots[first], second, roots[second], proof)


def test_a_game_that_was_rewritten_cannot_be_shown_in_the_tree(sessions: Sessions, log: TransparencyLog) -> None:
    game = finished(sessions)
    follow(log)
    head, kept = log.head(), entry_of(sessions, game)
    other = Entry(game=kept.game, head=entry_of(sessions, finished(sessions)).head, version=kept.version)
    proof = log.inclusion_proof(0, 1)
    assert merkle.includes(head.root, head.size, 0, kept.leaf, proof)
    assert not merkle.includes(head.root, head.size, 0, other.leaf, proof)


def test_the_head_is_signed_as_a_checkpoint_of_a_transparency_log(sessions: Sessions, log: TransparencyLog) -> None:
    finished(sessions)
    follow(log)
    head = log.head()
    note = SignerKey("annales.example", bytes(32)).signed(head.text("annales.example"))
    origin, size, root = note.split("\n")[:3]
    assert (origin, size) == ("annales.example", "1")
    assert len(root) == 44


def test_many_leaves_come_through_as_they_were_put(store_url: str) -> None:
    log = TransparencyLog(open_store(connect(store_url), PARTITIONS, "always"))
    rng = random.Random(5)
    entries = [
        Entry(game=f"sha256:{rng.randbytes(32).hex()}", head=f"sha256:{rng.randbytes(32).hex()}", version=number)
        for number in range(3000)
    ]
    for start in range(0, 3000, 700):
        checkpoint = log.checkpoint(0)
        assert log._write(log.head(), entries[start : start + 700], 0, checkpoint, f"{start + 1}-0")
    assert log.entries(0, 5000) == entries
    head = log.head()
    for index in (0, 1, 1023, 2047, 2999):
        proof = log.inclusion_proof(index, 3000)
        assert merkle.includes(head.root, 3000, index, entries[index].leaf, proof)
