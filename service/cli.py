"""The command line `annales`: the one place where all parts meet."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click
import msgspec
from redis.exceptions import RedisError

from domain.errors import DomainError
from events import lifeline, signing
from events.errors import UnsafeStore
from events.notes import BadKey, VerifierKey
from events.settings import Settings, SettingsError
from events.store import Store, connect, open_store
from service import supervisor
from service.log import log_to_stdout

if TYPE_CHECKING:
    from events.sessions import Sessions

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
    except (supervisor.CannotStart, RedisError, DomainError, UnsafeStore, BadKey) as reason:
        click.echo(f"annales: {reason}", err=True)
        sys.exit(1)


def _store_of(settings: Settings) -> Store:
    return open_store(connect(settings.redis_url), settings.partitions, settings.durability)


def _sessions_of(settings: Settings) -> "Sessions":
    from domain.catalogue import GAMES  # noqa: PLC0415 each command loads what it needs
    from events.ruleset import Rulesets  # noqa: PLC0415
    from events.sessions import Sessions  # noqa: PLC0415

    return Sessions(_store_of(settings), Rulesets(GAMES.values()))


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
        signing.KeyRing.open(settings.keys)
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
@click.option(
    "--key",
    "keys",
    multiple=True,
    help="A public key that may have signed it, or a file of such keys (that of /.well-known/annales-keys).",
)
@click.option("--json", "as_json", is_flag=True, help="Print the whole report as JSON.")
def verify(file: IO[bytes], *, keys: tuple[str, ...], as_json: bool) -> None:
    """Check the exported log in FILE (- for standard input), with nothing but the file and the keys.

    Exit code 0: verified. 1: failed. 3: sealed, that is, all that can be checked holds, and the rest opens when the
    game ends. 2: wrong use. Without --key the signature is not checked.
    """
    from domain.catalogue import GAMES  # noqa: PLC0415
    from events import audit  # noqa: PLC0415
    from events.ruleset import Rulesets  # noqa: PLC0415

    known = [key for given in keys for key in _public_keys(given)]
    report = audit.verify_export(file.read(), Rulesets(GAMES.values()), known)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(report)))
    else:
        click.echo(f"{report.verdict}: game {report.game or '?'}, version {report.version}, head {report.head}")
        for check in report.checks:
            click.echo(f"  {check.name}: {check.verdict}. {check.detail}")
        if (bad := report.first_bad) is not None:
            click.echo(f"  line {bad.line}: {bad.reason}")
    sys.exit(VERDICT_CODES[report.verdict])


def _public_keys(given: str) -> tuple[VerifierKey, ...]:
    """The keys that `--key` names. Raises BadParameter."""
    try:
        found = signing.read_keys(Path(given).read_text() if Path(given).is_file() else given)
    except (BadKey, OSError, UnicodeDecodeError) as reason:
        raise click.BadParameter(f"{given}: {reason}", param_hint="--key") from reason
    if not found:
        raise click.BadParameter(f"{given} holds no key", param_hint="--key")
    return found


@main.command()
@click.option(
    "--name", help="Name that the key signs under; left out: that of the key before, else ANNALES_PUBLIC_URL."
)
def keygen(name: str | None) -> None:
    """Make a key in ANNALES_KEYS that signs checkpoints from now on, and print its public part.

    The web server and the follower take it when they are started again. Older keys stay published, so that what they have
    signed can still be checked.
    """
    settings = settings_from()
    try:
        before = signing.KeyRing.open(settings.keys).public
        name = name or (before[0].name if before else signing.usual_name(settings.public_url))
        private, public = signing.new_key(settings.keys, name)
    except (BadKey, OSError) as reason:
        click.echo(f"annales: no key was made: {reason}", err=True)
        sys.exit(1)
    click.echo(f"{private} signs from now on, under the public key")
    click.echo(str(public))


@main.command("admin-token")
@click.option("--name", default="Operator", show_default=True, help="Name of the player that the token stands for.")
def admin_token(name: str) -> None:
    """Make a player with a token of the scope `admin`, for operators, and print the token, this once.

    With it, POST /v1/tokens makes more of them.
    """
    from service.accounts import Accounts  # noqa: PLC0415
    from service.tokens import Tokens  # noqa: PLC0415

    with told_in_one_line():
        store = _store_of(settings_from())
        made = Accounts(store, Tokens(store)).register(name, ("admin",))
    click.echo(f"player {made.player.id}, recovery code {made.recovery}", err=True)
    click.echo(made.token)


@main.command("export")
@click.argument("game")
@click.option("--sealed", is_flag=True, help="With every secret, so that the game can go on elsewhere: for operators.")
@click.option("-o", "--output", type=click.File("wb"), default="-", help="File to write; left out: standard output.")
def export_game(game: str, output: IO[bytes], *, sealed: bool) -> None:
    """Write the signed log of GAME, as anybody may read it.

    With --sealed it holds what nobody may know yet: keep it as safe as the store itself.
    """
    from events import transfer  # noqa: PLC0415

    settings = settings_from()
    with told_in_one_line():
        sessions = _sessions_of(settings)
        for line in transfer.export_lines(sessions, game, signing.KeyRing.open(settings.keys), whole=sealed):
            output.write(line + b"\n")


@main.command("import")
@click.argument("file", type=click.File("rb"))
@click.option("--copy", is_flag=True, help="Take a finished game as a copy under a new id, in no list.")
def import_game(file: IO[bytes], *, copy: bool) -> None:
    """Take over the game whose log, written by `annales export --sealed`, is in FILE (- for standard input).

    It goes on here under its own id: stop it where it came from. Nothing is taken unless all of it holds.
    """
    from events import transfer  # noqa: PLC0415
    from events.sessions import Key  # noqa: PLC0415

    with told_in_one_line():
        sessions, export = _sessions_of(settings_from()), file.read()
        taken = (
            transfer.import_finished(sessions, export, Key.own()) if copy else transfer.import_running(sessions, export)
        )
    click.echo(f"game {taken.id}, version {taken.version}, {taken.position.table.status}")


@main.command()
def rebuild() -> None:
    """Fold all logs again, while games go on, and put right what the caches and lists hold otherwise.

    Prints how many games there are and how many snapshots and cards of the lobby were mended; after a healthy run both
    are 0.
    """
    from events import rebuild as rebuilding  # noqa: PLC0415
    from events.lobby import Lobby  # noqa: PLC0415

    with told_in_one_line():
        sessions = _sessions_of(settings_from())
        found = rebuilding.rebuild(sessions, Lobby(sessions.store))
    click.echo(f"games: {found.games}, snapshots mended: {found.snapshots_mended}, cards mended: {found.cards_mended}")
    for game, reason in found.unreadable.items():
        click.echo(f"annales: game {game} cannot be folded and was left as it is: {reason}", err=True)
    sys.exit(1 if found.unreadable else 0)


if __name__ == "__main__":
    main()
