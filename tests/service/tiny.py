"""A service just large enough to watch it being run: an app that counts in the store, and a part that waits.

`python -m tests.service.tiny up` runs it under the supervisor, with the settings of the environment.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import redis

from events import lifeline
from events.settings import Settings
from service import embedded, supervisor
from service.embedded import StoreError


def application() -> Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]:
    lifeline.watch_parent()
    store: redis.Redis = redis.Redis.from_url(Settings.read().redis_url)

    pages: dict[str, Callable[[], bytes]] = {
        "/readyz": lambda: b"ready",
        "/count": lambda: b"%d" % store.incr("count"),
        "/pid": lambda: b"%d" % os.getpid(),
    }

    def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        answer = pages[environ["PATH_INFO"]]()
        start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(answer)))])
        return [answer]

    return app


def wait() -> int:
    lifeline.watch_parent()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    while True:
        signal.pause()


def parts(settings: Settings) -> list[supervisor.Part]:
    environment = {**os.environ, **settings.environment(), "PYTHONUNBUFFERED": "1"}
    python = [sys.executable, "-m", "tests.service.tiny"]
    return [
        supervisor.program("web", [*python, "web"], environment, stops=0),
        supervisor.program("wait", [*python, "wait"], environment, stops=1),
    ]


def doomed_parts(settings: Settings) -> list[supervisor.Part]:
    return [supervisor.program("doomed", [sys.executable, "-c", "raise SystemExit('no luck')"], os.environ, stops=0)]


def stubborn_parts(settings: Settings) -> list[supervisor.Part]:
    code = (
        "import signal, time; signal.signal(15, signal.SIG_IGN); print('deaf to SIGTERM', flush=True); time.sleep(60)"
    )
    return [supervisor.program("stubborn", [sys.executable, "-c", code], os.environ, stops=0)]


def no_server() -> Path:
    raise StoreError("there is no server here: set ANNALES_REDIS_URL")


def run(what: str, settings: Settings) -> int:
    match what:
        case "web":
            from service import serving  # noqa: PLC0415 the others start sooner without

            lifeline.watch_parent()
            serving.serve(settings, target="tests.service.tiny:application")
            return 0
        case "wait":
            return wait()
        case "doomed":
            return supervisor.up(settings, doomed_parts)
        case "stubborn":
            return supervisor.up(settings, stubborn_parts)
        case "storeless":
            embedded.server_binary = no_server
    return supervisor.up(settings, parts)


def main(what: str) -> int:
    if what in {"web", "wait", "up"}:
        sys.stdout.write(f"{what} has process {os.getpid()}\n")
        sys.stdout.flush()
    try:
        return run(what, Settings.read())
    except supervisor.CannotStart as reason:
        sys.stdout.write(f"annales: {reason}\n")
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
