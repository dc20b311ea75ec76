"""Schemathesis against the running service: every operation of `openapi.yaml`, with good data and bad, alone and in a row.

`make fuzz-api` runs it in the project's folder; what is given to it goes to schemathesis (`ARGS="--max-examples 300"`).
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import click
import msgspec

from tests.fuzzing import world
from tests.support.running import running

CONFIG = Path(__file__).with_name("schemathesis.toml")
BOUNDLESS = {f"ANNALES_{budget}_PER_MINUTE": "0" for budget in ("REGISTRATIONS", "READS", "COMMANDS")}


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("given", nargs=-1, type=click.UNPROCESSED)
def main(given: tuple[str, ...]) -> None:
    """Run it; ends with its exit code."""
    os.environ.update(BOUNDLESS)
    with tempfile.TemporaryDirectory() as name, running(Path(name)) as base:
        folder = Path(name)
        known = folder / "world.json"
        known.write_bytes(msgspec.json.encode(world.made(base, folder / "data")))
        program: list[str | Path] = [Path(sys.executable).with_name("schemathesis"), "--config-file", CONFIG, "run"]
        command = [*program, "openapi.yaml", "--url", base, "--generation-database", "none"]
        environ = {**os.environ, "FUZZED_WORLD": str(known), "PYTHONPATH": str(Path.cwd())}
        code = subprocess.run([*command, *given], env=environ, check=False).returncode
        if "Traceback" in (log := (folder / "annales.log").read_text()):
            click.echo(log)
            code = code or 1
    sys.exit(code)


if __name__ == "__main__":
    main()
