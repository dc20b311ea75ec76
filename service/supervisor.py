"""Everything on one machine under one roof: the store, the web server, the policies and the workers.

`up` first makes sure that it can run (`CannotStart` says in one line why not), then starts the parts, restarts what
dies, merges their logs, and stops them in order. The parts end by themselves when a supervisor is killed
(`events.lifeline`), but for the store, which the next `up` stops (`service.embedded`).
"""

import contextlib
import dataclasses
import errno
import fcntl
import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO

from events import lifeline
from events.notes import BadKey
from events.settings import Settings
from events.signing import KeyRing, new_key, usual_name
from service.embedded import EmbeddedStore, StoreError

_TICK_SECONDS = 0.1
_PORT_SECONDS = 3.0
"""How long the web processes of a killed supervisor may hold the port."""
_GRACE_SECONDS = 10.0
_LONGEST_BACK_OFF = 30.0
_STEADY_SECONDS = 10.0
"""Who lived so long starts anew without back-off."""
_MOST_DEATHS_AT_START = 5


class CannotStart(Exception):
    """Why `annales up` does not start, in one line."""


@dataclass(frozen=True)
class Part:
    """One part of the service: its name in the log, how to start it, and its place in the order of stopping."""

    name: str
    start: Callable[[IO[bytes] | int], subprocess.Popen[bytes]]
    stops: int


def program(name: str, command: Sequence[str], environment: Mapping[str, str], stops: int) -> Part:
    """A part that is a program, in a session of its own so that Ctrl-C reaches the supervisor alone."""

    def start(log: IO[bytes] | int) -> subprocess.Popen[bytes]:
        return subprocess.Popen(  # noqa: S603 our own commands
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            env=dict(environment),
            start_new_session=True,
        )

    return Part(name, start, stops)


def parts_of(settings: Settings) -> list[Part]:
    """The parts of the service beside its store; the web server stops first."""
    environment = {**os.environ, **settings.environment(), "PYTHONUNBUFFERED": "1"}
    python = [sys.executable, "-P", "-m", "service.cli"]
    return [
        program("web", [*python, "serve"], environment, stops=0),
        program("follow", [*python, "follow"], environment, stops=1),
        program("work", [*python, "work"], environment, stops=1),
    ]


def up(settings: Settings, parts: Callable[[Settings], Sequence[Part]] = parts_of, out: IO[str] | None = None) -> int:
    """Run everything until a signal; the exit code.

    Raises:
        CannotStart: the data folder, the port or the store cannot be had.
    """
    with data_folder(settings):
        settings = dataclasses.replace(settings, port=free_port(settings.host, settings.port))
        first_key(settings)
        lifeline.hold()
        store = EmbeddedStore(settings.data, settings.durability) if settings.embedded else None
        try:
            return Supervisor(settings, parts(settings), store, out or sys.stdout).run()
        except StoreError as error:
            raise CannotStart(str(error)) from error


@contextlib.contextmanager
def data_folder(settings: Settings) -> Iterator[None]:
    """Hold the data folder for one `up`.

    Raises:
        CannotStart: it cannot be written, is nearly full, or another `up` holds it.
    """
    folder = settings.data
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(bytes(4096))
        lock = (folder / "annales.lock").open("a+")
    except OSError as error:
        raise CannotStart(f"cannot write to the data folder {folder}: {error.strerror}") from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise CannotStart(
                f"another annales up (process {lock.read().strip()}) runs on the data in {folder}"
            ) from None
        if (free := shutil.disk_usage(folder).free // 2**20) < settings.min_free_mb:
            raise CannotStart(
                f"only {free} MB are free for the data folder {folder}, ANNALES_MIN_FREE_MB asks for {settings.min_free_mb}"
            )
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


def first_key(settings: Settings) -> None:
    """Make a key to sign with where there is none.

    Raises:
        CannotStart: the keys cannot be read, or none can be written.
    """
    try:
        if KeyRing.open(settings.keys).signer is None:
            new_key(settings.keys, usual_name(settings.public_url))
    except (BadKey, OSError) as error:
        raise CannotStart(f"cannot use the keys in {settings.keys}: {error}") from error


def free_port(host: str, port: int) -> int:
    """The port, once nobody else listens on it (any free one for 0).

    Raises:
        CannotStart: it is in use, and still is after a few seconds, or is not ours to use.
    """
    end = time.monotonic() + _PORT_SECONDS
    while True:
        try:
            family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
            with socket.socket(family, kind, protocol) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(address)
                return int(probe.getsockname()[1])
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise CannotStart(f"cannot listen on {host} port {port}: {error.strerror}") from error
            if time.monotonic() > end:
                raise CannotStart(f"port {port} of {host} is in use; choose another with --port") from error
        time.sleep(_TICK_SECONDS)


class Supervisor:
    """Starts the parts, keeps them running and stops them in order."""

    def __init__(self, settings: Settings, parts: Sequence[Part], store: EmbeddedStore | None, out: IO[str]) -> None:
        self.settings = settings
        self.store = store
        self.log = Log(out)
        last = 1 + max((part.stops for part in parts), default=0)
        self.kept_store = [Kept(Part("store", store.start, last), self.log)] if store else []
        self.kept_parts = [Kept(part, self.log) for part in parts]
        self.signals = 0

    def run(self) -> int:
        """Run until SIGINT, SIGTERM or SIGHUP: 0, or 1 when the service never got ready.

        Raises:
            StoreError: the store cannot be started.
        """
        handled = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        before = {number: signal.signal(number, self._on_signal) for number in handled}
        try:
            for kept in self.kept_store:
                kept.start()
            return self._keep_running()
        finally:
            self._stop()
            for number, handler in before.items():
                signal.signal(number, handler)

    def _keep_running(self) -> int:
        open_for_parts, announced = self.store is None, False
        while not self.signals:
            time.sleep(_TICK_SECONDS)
            for kept in self.kept_store:
                kept.tend(restart=open_for_parts)
                if kept.process is None and not open_for_parts:
                    raise StoreError("the store ended at its start; its log is above")
            open_for_parts = open_for_parts or self.store is None or self.store.is_ready()
            if not open_for_parts:
                continue
            for kept in self.kept_parts:
                kept.tend()
                if not announced and kept.deaths >= _MOST_DEATHS_AT_START:
                    self.log.line(
                        "annales", f"{kept.part.name} ended {kept.deaths} times before all was ready: giving up"
                    )
                    return 1
            if not announced and self._answers():
                announced = True
                self._announce()
        return 0

    def _answers(self) -> bool:
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.settings.host, self.settings.host)  # noqa: S104 compared
        connection = http.client.HTTPConnection(host, self.settings.port, timeout=2)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == http.client.OK
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def _announce(self) -> None:
        host = f"[{self.settings.host}]" if ":" in self.settings.host else self.settings.host
        url = self.settings.public_url or f"http://{host}:{self.settings.port}"
        self.log.line("annales", f"ready on {url}, data in {self.settings.data}; Ctrl-C stops it. Register a player:")
        self.log.line(
            "annales", f"""curl -X POST {url}/v1/players -H 'Content-Type: application/json' -d '{{"name": "Ada"}}'"""
        )

    def _on_signal(self, *_: object) -> None:
        self.signals += 1

    def _stop(self) -> None:
        """In order, each with time to finish what it is doing; a second signal cuts that short, a third the store's too."""
        kept = [each for each in (*self.kept_parts, *self.kept_store) if each.process is not None]
        if kept:
            self.log.line("annales", "stopping; another Ctrl-C cuts it short")
        for turn in sorted({each.part.stops for each in kept}):
            stopping = [each for each in kept if each.part.stops == turn]
            patience = 3 if stopping == self.kept_store else 2
            for each in stopping:
                each.terminate()
            end = time.monotonic() + _GRACE_SECONDS
            while self.signals < patience and time.monotonic() < end and any(each.is_alive() for each in stopping):
                time.sleep(_TICK_SECONDS / 2)
            for each in stopping:
                if each.is_alive():
                    reason = "in a hurry" if self.signals >= patience else f"not stopped after {_GRACE_SECONDS:.0f} s"
                    self.log.line("annales", f"killing {each.part.name}: {reason}")
                each.kill()
        if kept:
            self.log.line("annales", "stopped")


class Kept:
    """One part that is kept running: started again, later each time, when it ends."""

    def __init__(self, part: Part, log: "Log") -> None:
        self.part = part
        self.log = log
        self.process: subprocess.Popen[bytes] | None = None
        self.deaths = 0
        self.started = self.due = 0.0
        self.reader: threading.Thread | None = None

    def start(self) -> None:
        """Start it, and a reader of its log."""
        self.process = process = self.part.start(subprocess.PIPE)
        self.started = time.monotonic()
        self.reader = threading.Thread(target=self.log.follow, args=(self.part.name, process.stdout), daemon=True)
        self.reader.start()

    def tend(self, *, restart: bool = True) -> None:
        """Notice its end, and start it when that is due."""
        now = time.monotonic()
        if self.process is not None and (code := self.process.poll()) is not None:
            self.kill()
            self.process = None
            self.deaths = 1 if now - self.started > _STEADY_SECONDS else self.deaths + 1
            self._back_off(f"ended with code {code}")
        if self.process is None and time.monotonic() >= self.due and restart:
            try:
                self.start()
            except (OSError, StoreError) as error:
                self.deaths += 1
                self._back_off(f"cannot be started: {error}")

    def _back_off(self, reason: str) -> None:
        seconds = min(_LONGEST_BACK_OFF, 0.1 * 2**self.deaths)
        self.due = time.monotonic() + seconds
        self.log.line("annales", f"{self.part.name} {reason}; starts again in {seconds:.1f} s")

    def is_alive(self) -> bool:
        """Whether it runs."""
        return self.process is not None and self.process.poll() is None

    def terminate(self) -> None:
        """Ask it to stop."""
        if self.process is not None:
            self.process.terminate()

    def kill(self) -> None:
        """End it and whatever is left of its process group; then its log is complete."""
        if self.process is None or self.reader is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):  # nobody is left; macOS says so differently
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.reader.join(timeout=1.0)


class Log:
    """One log of all parts: each line with the name of the part that wrote it."""

    def __init__(self, out: IO[str]) -> None:
        self.out = out
        self.lock = threading.Lock()

    def line(self, name: str, text: str) -> None:
        """Write one line."""
        # Whoever read the log has gone, or cannot take a character: the service goes on, and its pipes must be emptied.
        with self.lock, contextlib.suppress(OSError, ValueError):
            self.out.write(f"{name:<7} | {text}\n")
            self.out.flush()

    def follow(self, name: str, source: IO[bytes]) -> None:
        """Write all lines of a part until its end."""
        with source:
            for line in source:
                self.line(name, line.decode(errors="replace").rstrip())
