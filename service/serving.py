"""The web server: granian with one thread for each request under way, each of its processes with an app of its own."""

import logging
import os
import sys
import time

from flask import Flask
from granian import Granian
from granian.constants import Interfaces
from redis.exceptions import RedisError

from events import lifeline
from events.errors import UnsafeStore
from events.settings import Settings
from service.app import create_app
from service.log import log_to_stdout

LOG = logging.getLogger(__name__)

_RESPAWN_SECONDS = 1
"""Granian starts a process that died again at once; one without a store waits, so as not to die in a hot loop."""
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
        log_access=False,  # addresses of streams and games may hold secrets
    ).serve()


def application() -> Flask:
    """The app of one server process, with the settings of the environment."""
    lifeline.watch_parent()
    log_to_stdout()
    try:
        return create_app()
    except (RedisError, UnsafeStore) as reason:
        LOG.error("cannot use the store: %s", reason)  # noqa: TRY400 no fault of the code
        time.sleep(_RESPAWN_SECONDS)
        sys.exit(1)
