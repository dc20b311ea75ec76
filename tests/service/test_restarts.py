"""Streams over broken connections, while the server processes that hold them are killed and started again."""

import http.client
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from domain.table import to_act
from domain.table.commands import Resign
from events.notices import Notices
from events.settings import Settings
from service.notices import written
from service.supervisor import free_port
from tests.service.outsider import Outsider
from tests.support.processes import PATIENCE, wait_until
from tests.support.stored import StoredGame, sessions_at

HOST = "127.0.0.1"
RESTARTS = 3
MOVES = 6
"""Moves between two restarts."""


class Server:
    """A web server on a port of its own, which it keeps when it is started again."""

    def __init__(self, store_url: str, folder: Path) -> None:
        self.port = free_port(HOST, 0)
        self.base = f"http://{HOST}:{self.port}"
        self._log = folder / f"{self.port}.log"
        settings = Settings(data=folder / "data", redis_url=store_url, host=HOST, port=self.port, web_processes=1)
        self._environment = {**os.environ, **settings.environment()}
        self.start()

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "service.cli", "serve"],
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        wait_until(self._is_ready, "a server is ready")

    def kill(self) -> None:
        """End it, with all its processes, in the middle of whatever it does."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _is_ready(self) -> bool:
        assert self._process.poll() is None, self._log.read_text()
        connection = http.client.HTTPConnection(HOST, self.port, timeout=5)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()


@pytest.fixture
def servers(store_url: str, tmp_path: Path) -> Iterator[list[Server]]:
    started: list[Server] = []
    try:
        started += (Server(store_url, tmp_path) for _ in range(2))
        yield started
    finally:
        for server in started:
            server.kill()


class Reader(threading.Thread):
    """Follows a stream on any of the servers until an event of type `last`, leaves it now and then, and goes on where it was."""

    def __init__(self, servers: list[Server], token: str, path: str, seed: int, last: str) -> None:
        super().__init__(daemon=True)
        self._servers, self._token, self._path, self._last = servers, token, path, last
        self._chance = Random(seed)
        self.ids: list[str] = []
        self._is_over = False
        self.connections = 0
        self.until = time.monotonic() + PATIENCE

    def run(self) -> None:
        while time.monotonic() < self.until and not self._is_over:
            try:
                self._listen(Outsider(self._chance.choice(self._servers).base, self._token))
            except (OSError, http.client.HTTPException):
                time.sleep(0.02)

    def _listen(self, client: Outsider) -> None:
        more = {"Last_Event_ID": self.ids[-1]} if self.ids else {}
        stream = client.stream(self._path, **more)
        self.connections += 1
        left = self._chance.randrange(1, 12)
        try:
            for event in stream:
                self.ids.append(event["id"])
                left -= 1
                self._is_over = event["event"] == self._last
                if left == 0 or self._is_over:
                    return
        finally:
            stream.close()


def move(game: StoredGame, chance: Random) -> None:
    """Any move, and what the service owes after it."""
    seat = chance.choice(to_act(game.session.ruleset.game, game.session.position))
    game.give(chance.choice(list(game.session.legal_commands(seat))), seat)
    while game.session.pending:
        game.sessions.take_owed(game.id, game.version)


def test_streams_have_no_gap_and_no_duplicate_over_disconnects_and_restarts(
    servers: list[Server], store_url: str
) -> None:
    sessions, chance = sessions_at(store_url, Settings().partitions), Random(1)
    notices = Notices(sessions)
    ada = Outsider.registered(servers[0].base, "Ada")
    player = ada.get("/v1/players/me")["player"]["id"]
    made = ada.call("POST", "/v1/games", {"ruleset": "kreta", "seats": [{"kind": "me"}, {"kind": "me"}]})
    game = StoredGame(sessions, made.body["id"])
    assert ada.token is not None
    readers = [
        Reader(servers, ada.token, f"/v1/games/{game.id}/events", 2, "table.seed_revealed"),
        Reader(servers, ada.token, "/v1/events", 3, "game_finished"),
    ]

    def tell() -> None:
        for partition in notices.feed.partitions:
            position = notices.checkpoint(partition)
            while entries := notices.feed.read({partition: position}).get(partition):
                position = notices.take(partition, entries, position)

    for reader in readers:
        reader.start()
    for restart in range(RESTARTS):
        for _ in range(MOVES):
            move(game, chance)
            tell()
            time.sleep(0.01)
        server = servers[restart % len(servers)]
        server.kill()
        for _ in range(MOVES):
            move(game, chance)
            tell()
        server.start()
    game.give(Resign(), to_act(game.session.ruleset.game, game.session.position)[0])
    tell()
    wait_until(lambda: not any(reader.is_alive() for reader in readers), "the readers have read all")
    of_game, of_player = readers
    assert [int(version) for version in of_game.ids] == list(range(1, game.version + 1))
    assert of_player.ids == [written(player, number) for number in range(1, notices.last(player) + 1)]
    assert all(reader.connections > RESTARTS for reader in readers)
    turns = [(n.notice.version, n.notice.seat) for n in notices.read(player, 0, 1000) if n.notice.type == "your_turn"]
    assert all(earlier < later for earlier, later in pairwise(turns))


def test_a_new_stream_is_accepted_at_once_after_many_that_were_cut(servers: list[Server]) -> None:
    ada = Outsider.registered(servers[0].base, "Ada")
    made = ada.call("POST", "/v1/games", {"ruleset": "kreta", "seats": [{"kind": "me"}, {"kind": "me"}]})
    path = f"/v1/games/{made.body['id']}/events"
    version = ada.get(f"/v1/games/{made.body['id']}")["version"]
    left = [ada.stream(path) for _ in range(40)]  # more than twice the bound of a player
    for stream in left:
        assert next(stream)["id"] == "1"
    servers[1].kill()
    servers[1].start()
    for server in servers:
        stream = Outsider(server.base, ada.token).stream(path)
        assert [next(stream)["id"] for _ in range(version)] == [str(number) for number in range(1, version + 1)]
        stream.close()
    for stream in left:
        stream.close()
