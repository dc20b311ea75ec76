"""When the way to the store breaks: before asking nothing has happened, after asking nobody knows, and asking again is safe."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from events.errors import OutcomeUnknown, StoreUnavailable
from events.sessions import Key, Outcome, Sessions
from events.store import MILESTONE_EVERY
from tests.support.cutting import CuttingProxy, cutting
from tests.support.logged import hot_seat
from tests.support.stored import StoredGame, everything, sessions_at
from tests.support.toy import Add

START = 3
KEY = Key.of("ada", "game", "k", "body")


def versions(outcome: Outcome) -> bytes:
    return str(outcome.session.version).encode()


@pytest.fixture
def proxy(store_url: str) -> Iterator[CuttingProxy]:
    with cutting(store_url) as proxy:
        yield proxy


@pytest.fixture
def game(proxy: CuttingProxy) -> StoredGame:
    """A game reached through the proxy, by a connection that is open already."""
    game = StoredGame.create(sessions_at(proxy.url), hot_seat("toy"))
    game.give(Add(points=1), 1)
    return game


@pytest.fixture
def directly(store_url: str) -> Sessions:
    """The same store, by a way that is never cut."""
    return sessions_at(store_url)


@pytest.mark.parametrize(
    "ask",
    [
        lambda game: game.session,
        lambda game: game.give(Add(points=1), 0, key=KEY),
        lambda game: game.dry(Add(points=1), 0),
        lambda game: game.sessions.load_many([game.id]),
        lambda game: game.sessions.at(game.id, START),
        lambda game: game.sessions.fold(game.id),
        lambda game: game.sessions.take_owed(game.id, START),
        lambda game: game.sessions.take_due(game.id, START),
        lambda game: game.sessions.seed(game.id),
        lambda game: game.store.read(game.id),
        lambda game: game.store.version(game.id),
        lambda game: game.store.put_snapshot(game.id, game.store.load(game.id)[0]),
    ],
    ids=[
        "load",
        "give",
        "dry",
        "load_many",
        "at",
        "fold",
        "take_owed",
        "take_due",
        "seed",
        "read",
        "version",
        "put_snapshot",
    ],
)
def test_a_store_that_is_down_is_unavailable_and_nothing_has_changed(
    proxy: CuttingProxy, game: StoredGame, directly: Sessions, ask: Callable[[StoredGame], Any]
) -> None:
    before = everything(directly)
    proxy.close()
    with pytest.raises(StoreUnavailable) as down:
        ask(game)
    assert down.value.reason
    assert everything(directly) == before
    proxy.open()
    assert ask(game) is not down


def test_what_was_asked_of_a_dropped_connection_is_asked_again(proxy: CuttingProxy, game: StoredGame) -> None:
    """A server that was restarted meanwhile is not noticed."""
    for _ in range(2):
        proxy.close()
        proxy.open()
        game.give(Add(points=1), 0)
    assert game.version == START + 3


def test_an_answer_that_is_lost_once_is_asked_for_again_and_the_command_happens_once(
    proxy: CuttingProxy, game: StoredGame
) -> None:
    proxy.lose(1, after=1)  # the load is answered, the append is not
    outcome = game.give(Add(points=1), 0)
    assert proxy.lost == 1
    assert [event.version for event in outcome.events] == [START + 2]
    assert game.version == START + 2
    assert [event.digest for event in game.store.log(game.id)][-1] == outcome.session.head


def test_a_lost_answer_to_a_clients_key_is_asked_for_again_too(proxy: CuttingProxy, game: StoredGame) -> None:
    proxy.lose(1, after=1)
    outcome = game.give(Add(points=1), 0, key=KEY, render=versions)
    assert proxy.lost == 1
    assert outcome.answer == b"5"
    assert game.version == START + 2


def test_when_every_answer_is_lost_nobody_knows_and_the_same_key_finds_out(
    proxy: CuttingProxy, game: StoredGame, directly: Sessions
) -> None:
    proxy.lose(10, after=1)
    with pytest.raises(OutcomeUnknown) as unknown:
        game.give(Add(points=1), 0, key=KEY, render=versions)
    assert proxy.lost > 0
    assert "Idempotency-Key" in unknown.value.detail
    assert directly.load(game.id).version == START + 2
    proxy.open()
    again = game.give(Add(points=1), 0, key=KEY, render=versions)
    assert (again.replayed, again.answer) == (True, b"5")
    assert game.version == START + 2


def test_a_game_whose_creation_was_not_answered_is_found_by_the_same_key(proxy: CuttingProxy, game: StoredGame) -> None:
    proxy.lose(10)
    with pytest.raises(OutcomeUnknown):
        game.sessions.create(hot_seat("toy"), "ada", KEY, versions)
    proxy.open()
    again = game.sessions.create(hot_seat("toy"), "ada", KEY, versions)
    assert (again.replayed, again.answer) == (True, b"3")
    assert game.sessions.load(KEY.id).version == START


def test_looking_far_back_says_that_the_store_is_down(proxy: CuttingProxy, game: StoredGame) -> None:
    while game.version < MILESTONE_EVERY + 1:
        game.give(Add(points=1), 0)
    for answers in range(4):
        proxy.lose(10, after=answers)
        with pytest.raises(StoreUnavailable):
            game.sessions.at(game.id, MILESTONE_EVERY + 1)
        proxy.open()
    assert game.sessions.at(game.id, MILESTONE_EVERY + 1).version == MILESTONE_EVERY + 1


def test_a_server_that_refuses_to_write_changes_nothing(game: StoredGame, directly: Sessions) -> None:
    client: Any = directly.store.client
    before = everything(directly)
    client.config_set("min-replicas-to-write", 1)
    try:
        with pytest.raises(StoreUnavailable) as refused:
            game.give(Add(points=1), 0)
    finally:
        client.config_set("min-replicas-to-write", 0)
    assert "NOREPLICAS" in refused.value.reason
    assert everything(directly) == before
    game.give(Add(points=1), 0)
