"""Many at once: on one game each version has one winner, and no log has a gap."""

import multiprocessing
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from domain.errors import WrongMoment
from domain.table import CreateGame, MySeat, OpenSeat, Order
from domain.table.commands import JoinGame
from events import audit
from events.draft import Session
from events.errors import VersionMismatch
from events.sessions import ATTEMPTS, Key, Outcome, Sessions
from tests.support.logged import RULESETS, hot_seat
from tests.support.stored import StoredGame, order_in, sessions_at
from tests.support.toy import Add, Call

START = 3


def together(number: int, work: Callable[[int], Any]) -> list[Any]:
    """What `work` gives in so many threads that begin at one moment; raises what one of them raised."""
    barrier, results, failures = threading.Barrier(number), [None] * number, []

    def run(me: int) -> None:
        barrier.wait()
        try:
            results[me] = work(me)
        except Exception as failure:  # noqa: BLE001 - it is raised where the test can see it
            failures.append(failure)

    threads = [threading.Thread(target=run, args=(me,)) for me in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return results


def patiently(game: StoredGame, seat: int) -> Outcome:
    """One command, given again for as long as the others are always faster."""
    while True:
        try:
            return game.give(Add(points=1), seat)
        except WrongMoment as refusal:
            if refusal.code != "busy":
                raise


def assert_sound(game: StoredGame, version: int) -> None:
    assert [event.version for event in game.store.log(game.id)] == list(range(1, version + 1))
    assert audit.verify(game.lines(), RULESETS).first_bad is None
    assert game.sessions.fold(game.id).position == game.session.position


def test_threads_that_write_without_a_version_all_get_through(sessions: Sessions) -> None:
    game = StoredGame.create(sessions, hot_seat("toy"))
    outcomes = together(6, lambda me: [patiently(game, me % 2) for _ in range(5)])
    versions = [outcome.session.version for given in outcomes for outcome in given]
    assert sorted(versions) == list(range(START + 1, START + 31))
    assert sum(game.state.totals) == 30
    assert_sound(game, START + 30)


def test_of_those_who_write_for_one_version_one_wins_and_the_others_learn_where_the_game_is(
    sessions: Sessions,
) -> None:
    game = StoredGame.create(sessions, hot_seat("toy"))

    def attempt(me: int) -> str:
        try:
            game.give(Add(points=me % 5 + 1), 0, expected=game_version)
        except VersionMismatch as mismatch:
            return f"at {mismatch.current}"
        return "won"

    for round_ in range(5):
        game_version = START + round_
        won = Counter(together(5, attempt))
        assert won == {"won": 1, f"at {game_version + 1}": 4}
    assert_sound(game, START + 5)


def test_a_command_that_finds_the_game_moved_is_decided_again_and_gives_up_after_so_many_times(
    sessions: Sessions,
) -> None:
    game = StoredGame.create(sessions, hot_seat("toy"))
    overtaken: list[int] = []

    def overtaking(times: int) -> Callable[[Session], list[Order]]:
        def orders(session: Session) -> list[Order]:
            if len(overtaken) < times:
                overtaken.append(session.version)
                game.give(Add(points=1), 1)
            return [order_in(session, Add(points=2), 0)]

        return orders

    outcome = sessions.handle(game.id, overtaking(3), Key.own())
    assert overtaken == [START, START + 1, START + 2]
    assert outcome.session.version == START + 4
    overtaken.clear()
    with pytest.raises(WrongMoment) as refusal:
        sessions.handle(game.id, overtaking(10**6), Key.own())
    assert refusal.value.code == "busy"
    assert game.state.totals == (2, 3 + ATTEMPTS)
    assert_sound(game, START + 4 + ATTEMPTS)


def test_one_key_given_many_times_at_once_happens_once_and_all_get_one_answer(sessions: Sessions) -> None:
    game = StoredGame.create(sessions, hot_seat("toy"))
    key = Key.of("ada", game.id, "k", "body")
    outcomes: list[Outcome] = together(
        6, lambda me: game.give(Add(points=1), 0, key=key, render=lambda _: f"answer of {me}".encode())
    )
    assert len({outcome.answer for outcome in outcomes}) == 1
    assert sum(not outcome.replayed for outcome in outcomes) == 1
    assert {outcome.session.version for outcome in outcomes} == {START + 1}
    assert_sound(game, START + 1)


def test_one_creation_given_many_times_at_once_makes_one_game(sessions: Sessions) -> None:
    key = Key.of("ada", "games", "k", "body")
    outcomes: list[Outcome] = together(
        6,
        lambda _: sessions.create(
            hot_seat("toy"), "ada", key, lambda outcome: outcome.session.position.table.commitment.encode()
        ),
    )
    commitments = {outcome.session.position.table.commitment for outcome in outcomes}
    assert len(commitments) == 1
    assert {outcome.answer.decode() for outcome in outcomes} == commitments


def test_of_those_who_join_at_once_one_gets_the_seat(sessions: Sessions) -> None:
    game = StoredGame.create(sessions, CreateGame(ruleset="toy", seats=(MySeat(), OpenSeat())))

    def join(me: int) -> str:
        try:
            game.give(JoinGame(seat=1), player=f"player{me}")
        except WrongMoment as refusal:
            return refusal.code
        return "joined"

    results = together(5, join)
    assert results.count("joined") == 1
    assert set(results) <= {"joined", "seat-taken", "game-not-open"}
    assert game.session.position.table.seats[1].player == f"player{results.index('joined')}"


def test_an_owed_step_taken_by_many_at_once_is_taken_once(sessions: Sessions) -> None:
    game = StoredGame.create(sessions, hot_seat("toy"))
    game.give(Call(), 0)
    version = game.version
    taken = together(6, lambda _: sessions.take_owed(game.id, version))
    assert sum(outcome is not None for outcome in taken) == 1
    assert_sound(game, version + 1)


def write(url: str, game: str, times: int) -> None:
    """What a process of its own does."""
    stored = StoredGame(sessions_at(url), game)
    for _ in range(times):
        patiently(stored, 0)


def test_processes_that_write_at_once_leave_no_gap(sessions: Sessions, store_url: str) -> None:
    games = [StoredGame.create(sessions, hot_seat("toy")) for _ in range(2)]
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=write, args=(store_url, game.id, 8)) for game in games for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0] * 4
    for game in games:
        assert game.state.totals == (16, 0)
        assert_sound(game, START + 16)
