import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from events.settings import socket_path
from tests.support.processes import PATIENCE, is_alive, wait_until


class Up:
    """A supervisor under test: its process, its log, the processes that it named."""

    def __init__(self, data: Path, what: str = "up", **settings: object) -> None:
        self.data = data
        given = {
            "ANNALES_DATA": data,
            "ANNALES_PORT": 0,
            "ANNALES_WEB_PROCESSES": 1,
            "ANNALES_MIN_FREE_MB": 0,
            **settings,
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.service.tiny", what],
            env={**os.environ, **{name: str(value) for name, value in given.items()}},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.lines: list[str] = []
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as log:
            self.lines.extend(iter(log.readline, ""))

    @property
    def log(self) -> str:
        return "".join(self.lines)

    def found(self, pattern: str) -> list[str]:
        return re.findall(pattern, self.log)

    def wait_for(self, pattern: str, times: int = 1) -> str:
        wait_until(lambda: len(self.found(pattern)) >= times or self.process.poll() is not None, pattern)
        assert len(self.found(pattern)) >= times, self.log
        return self.found(pattern)[-1]

    @property
    def url(self) -> str:
        return self.wait_for(r"ready on (http://\S+),")

    def get(self, path: str) -> str:
        with urllib.request.urlopen(self.url + path, timeout=10) as reply:  # noqa: S310 our own address
            return str(reply.read().decode())

    def eventually_get(self, path: str) -> str:
        answers: list[str] = []

        def answered() -> bool:
            with contextlib.suppress(OSError):
                answers.append(self.get(path))
            return bool(answers)

        wait_until(answered, path)
        return answers[-1]

    def children(self) -> list[int]:
        parts = [int(number) for number in self.found(r"has process (\d+)")[1:]]
        return [*parts, *(int(number) for number in self.found(r"worker-\d+ with PID: (\d+)"))]

    def store(self) -> redis.Redis:
        return redis.Redis(
            unix_socket_path=str(socket_path(self.data)), decode_responses=True, retry=Retry(NoBackoff(), 0)
        )

    def store_process(self) -> int:
        with self.store() as client:
            return int(client.info("server")["process_id"])

    def end(self, number: int = signal.SIGINT) -> int:
        self.process.send_signal(number)
        code = self.process.wait(PATIENCE)
        self.reader.join(PATIENCE)
        return code

    def clear_away(self) -> None:
        """Whatever a failed test left."""
        self.process.kill()
        self.process.wait()
        with contextlib.suppress(redis.ConnectionError), self.store() as client:
            client.shutdown()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Up]]:
    started: list[Up] = []

    def start(what: str = "up", data: Path = tmp_path / "data", **settings: object) -> Up:
        started.append(Up(data, what, **settings))
        return started[-1]

    yield start
    for each in started:
        each.clear_away()


def test_everything_runs_until_ctrl_c_and_then_stops_in_order(start: Callable[..., Up]) -> None:
    up = start()
    assert up.get("/count") == "1"
    wait_until(lambda: len(up.children()) == 3, "the web server, its worker and the part that waits have started")
    children = up.children()
    assert up.end(signal.SIGINT) == 0
    assert not any(is_alive(child) for child in children)
    stopped = [line for line in up.lines if "see ya" in line or "bye bye" in line or "annales | stopped" in line]
    assert [line.split(" |")[0].strip() for line in stopped] == ["web", "store", "annales"]


def test_the_line_that_is_printed_registers_a_player(start: Callable[..., Up]) -> None:
    up = start()
    curl = up.wait_for(r"annales \| (curl .*)")
    assert curl == f"""curl -X POST {up.url}/v1/players -H 'Content-Type: application/json' -d '{{"name": "Ada"}}'"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_other_signals_stop_it_as_cleanly(start: Callable[..., Up], number: int) -> None:
    up = start()
    assert up.get("/readyz") == "ready"
    assert up.end(number) == 0
    assert "bye bye" in up.log


def test_what_was_acknowledged_is_there_after_a_restart(start: Callable[..., Up]) -> None:
    up = start()
    assert [up.get("/count"), up.get("/count")] == ["1", "2"]
    up.end()
    assert start().get("/count") == "3"


def test_the_parts_of_a_killed_supervisor_end_and_the_next_one_takes_over_its_data_and_port(
    start: Callable[..., Up],
) -> None:
    up = start()
    assert up.get("/count") == "1"
    children, store, port = up.children(), up.store_process(), up.url.rpartition(":")[2]
    up.end(signal.SIGKILL)
    again = start(ANNALES_PORT=port)
    assert again.get("/count") == "2"
    assert again.url.endswith(f":{port}")
    wait_until(lambda: not any(is_alive(child) for child in children), "the orphans end")
    assert not is_alive(store)
    assert again.end() == 0


def test_games_survive_the_killing_of_every_process(start: Callable[..., Up]) -> None:
    up = start()
    assert up.get("/count") == "1"
    processes = [up.process.pid, *up.children(), up.store_process()]
    for process in processes:
        os.kill(process, signal.SIGKILL)
    up.process.wait(PATIENCE)
    wait_until(lambda: not any(map(is_alive, processes)), "all are dead")
    assert start().get("/count") == "2"


def test_a_dead_part_is_started_again(start: Callable[..., Up]) -> None:
    up = start()
    assert up.get("/count") == "1"
    waiting = int(up.wait_for(r"wait has process (\d+)"))
    os.kill(waiting, signal.SIGKILL)
    up.wait_for(r"wait ended with code -9; starts again")
    assert int(up.wait_for(r"wait has process (\d+)", times=2)) != waiting


def test_a_dead_process_of_the_web_server_is_started_again(start: Callable[..., Up]) -> None:
    up = start()
    worker = int(up.get("/pid"))
    os.kill(worker, signal.SIGKILL)
    wait_until(lambda: not is_alive(worker), "the worker is dead")
    assert int(up.eventually_get("/pid")) != worker


def test_the_whole_web_server_is_started_again(start: Callable[..., Up]) -> None:
    up = start()
    web, worker = int(up.wait_for(r"web has process (\d+)")), int(up.get("/pid"))
    os.kill(web, signal.SIGKILL)
    up.wait_for(r"web has process (\d+)", times=2)
    wait_until(lambda: not is_alive(worker), "its worker ends with it")
    assert int(up.eventually_get("/pid")) != worker


def test_a_dead_store_is_started_again_with_its_data(start: Callable[..., Up]) -> None:
    up = start()
    assert up.get("/count") == "1"
    os.kill(up.store_process(), signal.SIGKILL)
    up.wait_for(r"store ended with code -9; starts again")
    assert up.eventually_get("/count") == "2"


def test_a_second_ctrl_c_does_not_wait_for_what_will_not_stop(start: Callable[..., Up]) -> None:
    up = start("stubborn")
    up.wait_for("deaf to SIGTERM")
    up.process.send_signal(signal.SIGINT)
    up.wait_for("annales . stopping")
    assert up.end(signal.SIGINT) == 0
    assert "killing stubborn: in a hurry" in up.log
    assert "bye bye" in up.log


def test_a_part_that_dies_again_and_again_at_the_start_ends_it_all(start: Callable[..., Up]) -> None:
    up = start("doomed")
    assert up.process.wait(PATIENCE) == 1
    up.reader.join(PATIENCE)
    assert "doomed  | no luck" in up.log
    assert "doomed ended 5 times before all was ready: giving up" in up.log
    assert "bye bye" in up.log


def refused(up: Up) -> str:
    """The one line of a supervisor that refused to start, less its prefix."""
    assert up.process.wait(PATIENCE) == 1
    up.reader.join(PATIENCE)
    assert len(up.lines) == 1, up.log
    return up.log.removeprefix("annales: ").rstrip()


def test_a_second_one_on_the_same_data_is_refused(start: Callable[..., Up]) -> None:
    up = start()
    assert up.get("/readyz") == "ready"
    second = start("quiet-up")
    assert refused(second) == f"another annales up (process {up.process.pid}) runs on the data in {up.data}"
    assert up.get("/readyz") == "ready"


def test_a_port_in_use_is_named(start: Callable[..., Up]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert refused(start("quiet-up", ANNALES_PORT=port)) == (
            f"port {port} of 127.0.0.1 is in use; choose another with --port"
        )


def test_a_host_that_is_not_this_machine_is_named(start: Callable[..., Up]) -> None:
    assert refused(start("quiet-up", ANNALES_HOST="192.0.2.1")).startswith("cannot listen on 192.0.2.1 port 0: ")


def test_a_data_folder_that_cannot_be_written_is_named(start: Callable[..., Up], tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    assert (
        refused(start("quiet-up", data=file / "data"))
        == f"cannot write to the data folder {file}/data: Not a directory"
    )


def test_a_disk_that_is_nearly_full_is_named(start: Callable[..., Up], tmp_path: Path) -> None:
    floor = shutil.disk_usage(tmp_path).total // 2**20
    line = refused(start("quiet-up", ANNALES_MIN_FREE_MB=floor))
    assert re.fullmatch(rf"only \d+ MB are free for the data folder \S+, ANNALES_MIN_FREE_MB asks for {floor}", line)


def test_a_machine_without_a_server_for_the_store_is_told(start: Callable[..., Up]) -> None:
    assert "set ANNALES_REDIS_URL" in refused(start("storeless"))


def test_no_store_is_started_beside_a_given_one(start: Callable[..., Up], store_url: str, tmp_path: Path) -> None:
    up = start(ANNALES_REDIS_URL=store_url)
    assert up.get("/count") == "1"
    assert not socket_path(tmp_path / "data").exists()
    assert up.end() == 0
    with redis.Redis.from_url(store_url, decode_responses=True) as client:
        assert client.get("count") == "1"
