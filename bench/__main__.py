"""`python -m bench [names...]`: run the benches and print what they found."""

import contextlib
import signal
import sys
from importlib import import_module
from typing import IO

import click
import msgspec

from bench.machine import this_machine
from bench.report import Effort, Measured
from events import lifeline

BENCHES = ("commands", "boards", "shares", "folds", "domain", "bots", "peers")
"""All benches, each the module of that name."""

_DEFAULT = Effort()


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("names", nargs=-1, type=click.Choice(BENCHES))
@click.option("--json", "file", type=click.File("w"), help="Also write one line of JSON for each bench to this file.")
@click.option("--rounds", type=click.IntRange(1, 100), default=_DEFAULT.rounds, show_default=True)
@click.option("--requests", type=click.IntRange(32, 20_000), default=_DEFAULT.requests, show_default=True)
@click.option("--seconds", type=click.FloatRange(0.01, 600), default=_DEFAULT.seconds, show_default=True)
@click.option("--games", type=click.IntRange(1, 100_000), default=_DEFAULT.games, show_default=True)
@click.option("--processes", type=click.IntRange(1, 64), default=_DEFAULT.processes, show_default=True)
def main(names: tuple[str, ...], file: IO[str] | None, **effort: int) -> None:
    """Measure what is named (everything when nothing is) and print a table for each.

    ROUNDS is how often each measurement is repeated, REQUESTS how many go over HTTP in a round, SECONDS the processor time for a
    figure of a single process, GAMES how many each pairing of bots plays, PROCESSES in how many processes.
    """
    signal.signal(signal.SIGTERM, _interrupted)
    lifeline.hold()
    machine = this_machine()
    click.echo(f"{machine}\n")
    for name in names or BENCHES:
        measured: Measured = import_module(f"bench.{name}").run(Effort(**effort))
        click.echo(f"{measured}\n")
        if file is not None:
            line = {"bench": name, "rows": measured.rows, "effort": Effort(**effort), "machine": machine}
            file.write(msgspec.json.encode(line).decode() + "\n")
            file.flush()


def _interrupted(*_: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        main()
    sys.exit(0)
