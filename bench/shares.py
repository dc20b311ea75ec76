"""Where the processor time of a command and of a board read goes, by package, in one process and without a web server."""

import cProfile
import pstats
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
from flask import Flask
from werkzeug.test import EnvironBuilder, run_wsgi_app

from bench.mirror import games_ahead
from bench.report import Column, Effort, Measured
from bench.servers import Failed, store_on
from domain.catalogue import GAMES
from events.ruleset import Rulesets
from events.settings import Settings
from service.app import create_app
from service.services import NAME, Services

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

TITLE = "Where the time goes"
SEATS = 3
PLAYERS = 12
MOST_STEPS = 24
GAMES_READ = 24

PACKAGES = {
    "flask": "Flask, Werkzeug",
    "werkzeug": "Flask, Werkzeug",
    "marshmallow": "marshmallow",
    "redis": "redis-py, sockets",
    "service": "service/",
    "events": "events/",
    "domain": "domain/",
}
"""Which part a package belongs to; the packages of ours by their folders at the root."""
OTHER = "other"
_ROOT = Path(__file__).resolve().parent.parent

NOTES = (
    "Processor time of one thread under a profiler, which makes small functions dearer than they are: shares, not times.",
    "What is built in (JSON, digests, sockets) counts for the package that calls it.",
)


def run(effort: Effort) -> Measured:
    """Profile commands and board reads of each game."""
    shares: dict[tuple[str, str], dict[str, float]] = {}
    with tempfile.TemporaryDirectory(prefix="annales-bench-") as folder, store_on(Path(folder)) as (settings, _):
        for game in GAMES:
            asking = Asking(settings, game)
            try:
                for what, asked in (("command", asking.commands()), ("board", asking.boards())):
                    profiled(asking.app, list(islice(asked, effort.requests // 4)))
                    for part, share in profiled(asking.app, list(islice(asked, effort.requests))).items():
                        shares.setdefault((what, part), {})[game] = share
            finally:
                asking.close()
    parts = [*dict.fromkeys(PACKAGES.values()), OTHER]
    rows = [
        {"what": what, "part": part, **{game: shares.get((what, part), {}).get(game, 0.0) for game in GAMES}}
        for what in ("command", "board")
        for part in parts
    ]
    columns = (Column("what", "what"), Column("part", "part"), *(Column(game, f"{game} %", ".0f") for game in GAMES))
    return Measured(title=TITLE, columns=columns, rows=rows, notes=NOTES)


class Asking:
    """An app of this process, and what is asked of it for one ruleset."""

    def __init__(self, settings: Settings, game: str) -> None:
        self.app = create_app(settings)
        self._services: Services = self.app.extensions[NAME]
        names = [f"Player {number}" for number in range(1, PLAYERS + 1)]
        registered = [self._services.accounts.register(name) for name in names]
        self._tokens = {each.player.id: each.token for each in registered}
        ruleset = Rulesets(GAMES.values())[game]
        self._games = games_ahead(self._services.sessions, ruleset, list(self._tokens), SEATS, MOST_STEPS, Random(game))

    def commands(self) -> Iterator["WSGIEnvironment"]:
        """Commands, without end."""
        for ahead in self._games:
            for step in ahead.steps:
                body = {"type": step.command.type, "data": step.command, "seat": step.seat}
                token = self._tokens[ahead.players[step.seat]]
                yield _environment("POST", f"/v1/games/{ahead.game}/commands", token, msgspec.json.encode(body))

    def boards(self) -> Iterator["WSGIEnvironment"]:
        """Reads of some boards by turns, without end."""
        for ahead in cycle(list(islice(self._games, GAMES_READ))):
            yield _environment("GET", f"/v1/games/{ahead.game}/board", self._tokens[ahead.players[0]], b"")

    def close(self) -> None:
        """Stop what the app has started."""
        self._services.wakeups.stop()


def _environment(method: str, path: str, token: str, body: bytes) -> "WSGIEnvironment":
    builder = EnvironBuilder(path, method=method, data=body, content_type="application/json" if body else None)
    builder.headers["Authorization"] = f"Bearer {token}"
    return builder.get_environ()


def profiled(app: Flask, requests: Sequence["WSGIEnvironment"]) -> dict[str, float]:
    """What percentage of the time of these requests each part takes. Raises Failed when one is not answered as it should."""
    profile = cProfile.Profile(time.thread_time)
    for environment in requests:
        profile.enable()
        answer, status, _ = run_wsgi_app(app.wsgi_app, environment)
        profile.disable()
        if not status.startswith("20"):
            raise Failed(f"{environment['PATH_INFO']} is answered with {status}: {b''.join(answer).decode()}")
    spent: Counter[str] = Counter()
    stats: dict[Any, Any] = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    for (file, _, _), (_, _, own, _, callers) in stats.items():
        if file == "~" and callers:
            for (caller, _, _), (_, _, share, _) in callers.items():
                spent[part_of(caller)] += share
        else:
            spent[part_of(file)] += own
    return {part: 100 * seconds / spent.total() for part, seconds in spent.items()}


def part_of(file: str) -> str:
    """The part that a source file belongs to."""
    path = Path(file)
    if path.is_relative_to(_ROOT) and not path.is_relative_to(sys.prefix):
        return PACKAGES.get(path.relative_to(_ROOT).parts[0], OTHER)
    _, found, library = file.partition("site-packages/")
    return PACKAGES.get(library.partition("/")[0], OTHER) if found else OTHER
