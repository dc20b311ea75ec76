"""The web server: granian with one thread for each request under way, each of its processes with an app of its own."""

import os

from flask import Flask
from granian import Granian
from granian.constants import Interfaces

from events import lifeline
from events.settings import Settings
from service.log import log_to_stdout

_STOP_SECONDS = 3
"""How long live streams may hold up a stop."""


def serve(settings: Settings, target: str = "service.serving:application") -> None:
    """Serve until SIGTERM or SIGINT. `target` is `module:function` that makes the WSGI app, called in each process."""
    os.environ.update(settings.environment())
    lifeline.hold()
    Granian(
        target,
        factory=True,
        address=settings.host,
        port=settings.port,
        interface=Interfaces.WSGI,
        workers=settings.web_processes,
        blocking_threads=settings.threads,
        workers_kill_timeout=_STOP_SECONDS,
        respawn_failed_workers=True,
        websockets=False,
    ).serve()


def application() -> Flask:
    """The app of one server process, with the settings of the environment."""
    from service.app import create_app  # noqa: PLC0415 the supervisor and the server's main process need no app

    lifeline.watch_parent()
    log_to_stdout()
    return create_app()
