"""What is measured over HTTP: the service and the bare endpoints, each with a web server of its own, on one embedded store."""

import contextlib
import http.client
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from domain.catalogue import GAMES
from events.ruleset import Rulesets
from events.sessions import Sessions
from events.settings import Settings
from events.store import connect, open_store
from service.embedded import EmbeddedStore
from service.supervisor import free_port

HOST = "127.0.0.1"
_PATIENCE = 60.0
_STOP_SECONDS = 10.0


class Failed(Exception):
    """Something that a bench needs does not work."""


class Player(Struct, frozen=True):
    """A registered player."""

    id: str
    token: str


class Served(Struct, frozen=True):
    """A web server: its port, and the sessions of the processes that do its work, those of the store included."""

    port: int
    processes: frozenset[int]


class Stand(Struct, frozen=True):
    """Servers that run: the service and the bare endpoints, and the games in their store."""

    service: Served
    bare: Served
    sessions: Sessions

    def register(self, count: int) -> list[Player]:
        """That many new players, by the API."""
        return [_registered(self.service.port, f"Player {number}") for number in range(1, count + 1)]


@contextlib.contextmanager
def store_on(folder: Path) -> Iterator[tuple[Settings, int]]:
    """An embedded store as in production, on an empty folder: the settings for it, and its process. Stopped at the end."""
    store = EmbeddedStore(folder / "data")
    with (folder / "store.log").open("wb") as log:
        process = store.start(log)
    try:
        store.wait_until_ready()
        yield Settings(data=folder / "data", redis_url=store.url, host=HOST), process.pid
    finally:
        store.stop()


@contextlib.contextmanager
def running() -> Iterator[Stand]:
    """Store and servers on free ports and a temporary folder, for as long as the context lasts."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="annales-bench-")))
        settings, store_process = stack.enter_context(store_on(folder))
        service, bare = (
            Served(port=port, processes=frozenset({process, store_process}))
            for port, process in (
                stack.enter_context(_server(command, settings, folder / f"{command[0]}.log"))
                for command in (["service.cli", "serve"], ["bench.bare"])
            )
        )
        client = stack.enter_context(connect(settings.redis_url))
        store = open_store(client, settings.partitions, settings.durability)
        yield Stand(service=service, bare=bare, sessions=Sessions(store, Rulesets(GAMES.values())))


@contextlib.contextmanager
def _server(module: Sequence[str], settings: Settings, log: Path) -> Iterator[tuple[int, int]]:
    """A web server in a session of its own, so that Ctrl-C reaches the bench alone, which stops it; port and process."""
    port = free_port(HOST, 0)
    ours = {name: value for name, value in os.environ.items() if not name.startswith("ANNALES_")}
    environment = {**ours, **settings.environment(), "ANNALES_PORT": str(port)}
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", *module],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        _wait_until_ready(process, port, log)
        yield port, process.pid
    finally:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_STOP_SECONDS)
        with contextlib.suppress(ProcessLookupError, PermissionError):  # nobody of its session is left
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _wait_until_ready(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    end = time.monotonic() + _PATIENCE
    while not _is_ready(port):
        if process.poll() is not None or time.monotonic() > end:
            raise Failed(f"a server does not start; its log ends with:\n{log.read_text(errors='replace')[-2000:]}")
        time.sleep(0.05)


def _is_ready(port: int) -> bool:
    connection = http.client.HTTPConnection(HOST, port, timeout=5)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _registered(port: int, name: str) -> Player:
    connection = http.client.HTTPConnection(HOST, port, timeout=10)
    body = msgspec.json.encode({"name": name})
    connection.request("POST", "/v1/players", body, {"Content-Type": "application/json"})
    answer = connection.getresponse().read()
    connection.close()
    made = msgspec.json.decode(answer)
    return Player(id=made["player"]["id"], token=made["token"])
