import threading

import pytest
import redis
from redis.exceptions import ResponseError

from events.store import connect
from events.wire import Wire


@pytest.fixture
def client(store_url: str) -> redis.Redis:
    return connect(store_url)


@pytest.fixture
def wire(client: redis.Redis) -> Wire:
    return Wire(client)


def test_what_is_asked_together_is_answered_in_order(wire: Wire) -> None:
    assert wire.ask(("SET", "a", 1), ("GET", "a"), ("HMGET", "b", "c")) == [b"OK", b"1", [None]]


def test_a_thread_keeps_its_connection(wire: Wire) -> None:
    assert wire.ask(("CLIENT", "ID")) == wire.ask(("CLIENT", "ID"))


def test_threads_have_connections_of_their_own_which_end_with_them(client: redis.Redis, wire: Wire) -> None:
    before, found = len(client.client_list()), set[int]()

    def ask() -> None:
        found.add(wire.ask(("CLIENT", "ID"))[0])

    for _ in range(150):
        thread = threading.Thread(target=ask)
        thread.start()
        thread.join()
    assert len(found) == 150
    assert len(client.client_list()) < before + 20


def test_what_a_broken_connection_did_not_answer_is_asked_again(client: redis.Redis, wire: Wire) -> None:
    (identity,) = wire.ask(("CLIENT", "ID"))
    client.client_kill_filter(_id=str(identity))
    (another,) = wire.ask(("CLIENT", "ID"))
    assert another != identity


def test_a_refusal_leaves_no_answer_behind(wire: Wire) -> None:
    wire.ask(("SET", "a", "x"))
    for commands in ((("LPUSH", "a", "y"),), (("LPUSH", "a", "y"), ("GET", "a"))):
        with pytest.raises(ResponseError):
            wire.ask(*commands)
        assert wire.ask(("GET", "a")) == [b"x"]


def test_a_server_that_is_gone_is_told(tmp_path: object) -> None:
    with pytest.raises(redis.ConnectionError):
        Wire(connect(f"unix://{tmp_path}/nothing")).ask(("PING",))
