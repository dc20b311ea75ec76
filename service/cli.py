"""The command line `annales`: the one place where all parts meet."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import click
import msgspec
from redis.exceptions import RedisError

from events import lifeline
from events.errors import StoreUnavailable, UnsafeStore
from events.settings import Settings, SettingsError
from events.store import Store, connect, open_store
from service import supervisor
from service.log import log_to_stdout

VERDICT_CODES = {"verified": 0, "failed": 1, "sealed": 3}
"""Exit codes of `annales verify`; 2 is a wrong use of the command."""


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="annales", prog_name="annales")
def main() -> None:
    """Annales, a board-game service in which every game is a log that anyone can replay and check.

    Settings come from the environment: `annales settings` lists them.
    """


def settings_from(**given: Any) -> Settings:
    """The settings of this process, options before environment; bad ones end the command with what would be right."""
    try:
        return Settings.read(**given)
    except SettingsError as error:
        for problem in error.problems:
            click.echo(f"annales: {problem}", err=True)
        sys.exit(2)


@contextlib.contextmanager
def told_in_one_line() -> Iterator[None]:
    """End the command with one line for what its user can put right."""
    try:
        yield
    except (supervisor.CannotStart, RedisError, StoreUnavailable, UnsafeStore) as reason:
        click.echo(f"annales: {reason}", err=True)
        sys.exit(1)


def _store_of(settings: Settings) -> Store:
    return open_store(connect(settings.redis_url), settings.partitions, settings.durability)


_PORT = click.IntRange(0, 65535)


@main.command()
@click.option("--host", help="Address to listen on (ANNALES_HOST).")
@click.option("--port", type=_PORT, help="Port to listen on, 0 for a free one (ANNALES_PORT).")
@click.option("--data", type=click.Path(path_type=Path), help="Folder of the data (ANNALES_DATA).")
@click.option("--workers", type=click.IntRange(1, 64), help="Processes for bots and scoring (ANNALES_WORKERS).")
def up(**given: Any) -> None:
    """Run everything on this machine: store, web server, policies and workers.

    Games are kept in the data folder and go on when it is started again. Ctrl-C stops everything in good order.
    With ANNALES_REDIS_URL set, the games are there, and no store is started.
    """
    settings = settings_from(**given)
    with told_in_one_line():
        sys.exit(supervisor.up(settings))


@main.command()
@click.option("--host", help="Address to listen on (ANNALES_HOST).")
@click.option("--port", type=_PORT, help="Port to listen on (ANNALES_PORT).")
def serve(**given: Any) -> None:
    """Run the web server alone, until SIGTERM.

    It keeps no state: run as many as you like on the same ANNALES_REDIS_URL.
    """
    from service import serving  # noqa: PLC0415 each command loads what it needs

    settings = settings_from(**given)
    lifeline.watch_parent()
    with told_in_one_line():
        _store_of(settings).client.close()
    serving.serve(settings)


@main.command()
def follow() -> None:
    """Run the policies and projections alone, until SIGTERM.

    They read the feed, keep the lobby and the players' games up to date, and put jobs for steps that the service owes.
    """
    from workers import run  # noqa: PLC0415

    settings = _settings_of_a_part()
    with told_in_one_line():
        run.follow(settings)


@main.command()
def work() -> None:
    """Run the workers alone, until SIGTERM: they do the jobs, such as a bot's turn or scoring."""
    from workers import run  # noqa: PLC0415

    settings = _settings_of_a_part()
    with told_in_one_line():
        run.work(settings)


def _settings_of_a_part() -> Settings:
    settings = settings_from()
    log_to_stdout()
    lifeline.watch_parent()
    lifeline.hold()
    return settings


@main.command("settings")
def show_settings() -> None:
    """List all settings with their values, defaults and meanings."""
    for setting in settings_from().described():
        click.echo(f"{setting.variable}={setting.value}")
        click.echo(f"    {setting.meaning} (default: {setting.default})")


@main.command()
@click.argument("file", type=click.File("rb"))
@click.option("--json", "as_json", is_flag=True, help="Print the whole report as JSON.")
def verify(file: IO[bytes], *, as_json: bool) -> None:
    """Check the exported log in FILE (- for standard input), with nothing but the file.

    Exit code 0: verified. 1: failed. 3: sealed, that is, all that can be checked holds, and the rest opens when the
    game ends. 2: wrong use.
    """
    from domain.catalogue import GAMES  # noqa: PLC0415
    from events import audit  # noqa: PLC0415
    from events.ruleset import Rulesets  # noqa: PLC0415

    report = audit.verify_export(file.read(), Rulesets(GAMES.values()))
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(report)))
    else:
        click.echo(f"{report.verdict}: game {report.game or '?'}, version {report.version}, head {report.head}")
        for check in report.checks:
            click.echo(f"  {check.name}: {check.verdict}. {check.detail}")
        if (bad := report.first_bad) is not None:
            click.echo(f"  line {bad.line}: {bad.reason}")
    sys.exit(VERDICT_CODES[report.verdict])


@main.command()
def rebuild() -> None:
    """Fold all logs again, while games go on, and put right what the caches and lists hold otherwise.

    Prints how many games there are and how many snapshots and cards of the lobby were mended; after a healthy run both
    are 0.
    """
    from domain.catalogue import GAMES  # noqa: PLC0415
    from events import rebuild as rebuilding  # noqa: PLC0415
    from events.lobby import Lobby  # noqa: PLC0415
    from events.ruleset import Rulesets  # noqa: PLC0415
    from events.sessions import Sessions  # noqa: PLC0415

    settings = settings_from()
    with told_in_one_line():
        store = _store_of(settings)
        found = rebuilding.rebuild(Sessions(store, Rulesets(GAMES.values())), Lobby(store))
    click.echo(f"games: {found.games}, snapshots mended: {found.snapshots_mended}, cards mended: {found.cards_mended}")


if __name__ == "__main__":
    main()
