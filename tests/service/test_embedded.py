import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from events.settings import Settings, socket_path
from service import embedded
from service.embedded import EmbeddedStore, StoreError, server_binary
from tests.support.processes import wait_until

QUIET = subprocess.DEVNULL


def client(store: EmbeddedStore) -> redis.Redis:
    return redis.Redis(unix_socket_path=str(store.socket), decode_responses=True, retry=Retry(NoBackoff(), 0))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedStore]:
    store = EmbeddedStore(tmp_path / "data")
    store.start(QUIET)
    store.wait_until_ready()
    yield store
    store.stop()


def test_it_keeps_everything_on_disk_and_drops_nothing(store: EmbeddedStore) -> None:
    with client(store) as connection:
        configured = connection.config_get("append*", "save", "maxmemory*", "dir", "port", "no-appendfsync-on-rewrite")
    assert configured["appendonly"] == "yes"
    assert configured["appendfsync"] == "always"
    assert configured["no-appendfsync-on-rewrite"] == "no"
    assert configured["save"] == ""
    assert configured["maxmemory-policy"] == "noeviction"
    assert configured["maxmemory"] == "0"
    assert configured["dir"] == str(store.folder)


def test_it_listens_on_a_socket_of_this_user_alone(store: EmbeddedStore) -> None:
    with client(store) as connection:
        assert connection.config_get("port") == {"port": "0"}
    assert store.socket.stat().st_mode & 0o777 == 0o700
    assert store.url == f"unix://{store.socket}"


def test_a_looser_durability_is_passed_on(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path, "everysec")
    store.start(QUIET)
    try:
        store.wait_until_ready()
        with client(store) as connection:
            assert connection.config_get("appendfsync") == {"appendfsync": "everysec"}
    finally:
        store.stop()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_what_it_acknowledged_is_there_when_it_starts_again(store: EmbeddedStore, number: int) -> None:
    with client(store) as connection:
        connection.xadd("log", {"move": "1"})
    assert store.process is not None
    store.process.send_signal(number)
    store.process.wait()
    assert not store.is_ready()
    store.start(QUIET)
    store.wait_until_ready()
    with client(store) as connection:
        assert connection.xlen("log") == 1


def outlive(folder: Path) -> int:
    """Start a store from a process that is gone when this returns; the store's process."""
    code = "import sys, pathlib, subprocess; from service.embedded import EmbeddedStore; \
        store = EmbeddedStore(pathlib.Path(sys.argv[1])); store.start(subprocess.DEVNULL); store.wait_until_ready()"
    subprocess.run([sys.executable, "-c", code, str(folder)], check=True)
    with client(EmbeddedStore(folder)) as connection:
        connection.set("left", "behind")
        return int(connection.info("server")["process_id"])


def test_a_server_that_outlived_its_supervisor_is_stopped_and_its_data_taken_over(tmp_path: Path) -> None:
    survivor = outlive(tmp_path)
    store = EmbeddedStore(tmp_path)
    process = store.start(QUIET)
    try:
        store.wait_until_ready()
        assert process.pid != survivor
        with client(store) as connection:
            assert connection.get("left") == "behind"
            assert connection.info("server")["process_id"] == process.pid
    finally:
        store.stop()


def test_a_server_that_does_not_answer_is_named_and_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    survivor = outlive(tmp_path)
    monkeypatch.setattr(embedded, "_STOP_SECONDS", 0.2)
    os.kill(survivor, signal.SIGSTOP)
    try:
        with pytest.raises(StoreError, match="cannot be stopped; end its process first"):
            EmbeddedStore(tmp_path).start(QUIET)
    finally:
        os.kill(survivor, signal.SIGCONT)
    store = EmbeddedStore(tmp_path)
    store.start(QUIET)
    store.stop()


def test_a_server_of_another_folder_behind_our_socket_is_left_alone(tmp_path: Path) -> None:
    ours, other = EmbeddedStore(tmp_path / "ours"), EmbeddedStore(tmp_path / "other")
    ours.folder.mkdir(mode=0o700)
    other.socket = ours.socket
    other.start(QUIET)
    try:
        other.wait_until_ready()
        with (ours.folder / "store.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            with pytest.raises(StoreError, match=f"works on {other.folder}, not on {ours.folder}"):
                ours.start(QUIET)
        assert other.is_ready()
    finally:
        other.stop()


def test_a_folder_may_have_any_name(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path / "blank here, 100%20? #'\"")
    store.start(QUIET)
    try:
        store.wait_until_ready()
        with redis.Redis.from_url(store.url, retry=Retry(NoBackoff(), 0)) as connection:
            assert connection.ping()
        assert Settings(data=store.folder).redis_url == store.url
    finally:
        store.stop()


def test_a_long_path_to_the_data_gets_a_short_socket(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path / ("long" * 20) / ("longer" * 20))
    assert store.socket.parent != store.folder
    store.start(QUIET)
    try:
        store.wait_until_ready()
        assert store.socket.parent.stat().st_mode & 0o777 == 0o700
    finally:
        store.stop()
        store.socket.parent.rmdir()


def test_a_folder_for_the_socket_that_others_may_open_is_refused(tmp_path: Path) -> None:
    data = tmp_path / ("long" * 20) / ("longer" * 20)
    folder = socket_path(data).parent
    folder.mkdir()
    folder.chmod(0o777)
    try:
        with pytest.raises(StoreError, match="belongs to somebody else"):
            EmbeddedStore(data).start(QUIET)
    finally:
        folder.rmdir()


def test_a_server_that_ends_at_its_start_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "appendonlydir").touch()
    store = EmbeddedStore(tmp_path)
    store.start(QUIET)
    with pytest.raises(StoreError, match="ended at its start with code"):
        store.wait_until_ready()


def test_a_server_that_does_not_get_ready_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="did not answer in 0 s"):
        EmbeddedStore(tmp_path).wait_until_ready(seconds=0.1)


def test_stopping_what_was_not_started_does_nothing(tmp_path: Path) -> None:
    EmbeddedStore(tmp_path).stop()


def test_a_server_that_will_not_stop_is_killed(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path)
    process = store.start(QUIET)
    store.wait_until_ready()
    process.send_signal(signal.SIGSTOP)
    store.stop(seconds=0.1)
    assert process.returncode == -signal.SIGKILL


def fake_server(folder: Path, name: str, version: str) -> Path:
    folder.mkdir(exist_ok=True)
    program = folder / name
    program.write_text(f"#!/bin/sh\necho 'Server v={version} sha=0'\n")
    program.chmod(0o755)
    return program


@pytest.mark.parametrize(
    ("valkey", "redis_server", "chosen"),
    [
        ("8.1.4", "7.2.4", "valkey-server"),
        ("6.2.0", "7.0.15", "redis-server"),
        ("not a number", "10.0.1", "redis-server"),
    ],
)
def test_without_the_packaged_server_the_first_on_path_that_is_new_enough_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, valkey: str, redis_server: str, chosen: str
) -> None:
    monkeypatch.setattr(embedded, "_packaged_binary", lambda: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    servers = {
        "valkey-server": fake_server(tmp_path, "valkey-server", valkey),
        "redis-server": fake_server(tmp_path, "redis-server", redis_server),
    }
    assert server_binary() == servers[chosen]


def test_without_any_server_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "_packaged_binary", lambda: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    fake_server(tmp_path, "redis-server", "6.2.14")
    with pytest.raises(StoreError, match=r"install one, or set ANNALES_REDIS_URL"):
        server_binary()


def test_a_server_that_still_loads_is_not_ready(store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch) -> None:
    with client(store) as connection:
        for key in range(200):
            connection.set(f"key-{key}", os.urandom(500))
        connection.bgrewriteaof()
        wait_until(lambda: connection.info("persistence")["aof_rewrite_in_progress"] == 0, "the rewrite ends")
    store.stop()
    slow = ["--key-load-delay", "10000", "--loading-process-events-interval-bytes", "1024"]
    configuration = store._configuration()
    monkeypatch.setattr(store, "_configuration", lambda: configuration + slow)
    store.start(QUIET)
    wait_until(lambda: refuses_while_loading(store), "it loads")
    assert not store.is_ready()
    store.wait_until_ready()
    with client(store) as connection:
        assert connection.dbsize() == 200


def refuses_while_loading(store: EmbeddedStore) -> bool:
    try:
        with client(store) as connection:
            connection.ping()
    except redis.BusyLoadingError:
        return True
    except redis.ConnectionError:
        return False
    raise AssertionError("it was ready before it was seen loading")
