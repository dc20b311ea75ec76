"""Writes `openapi.yaml`, or checks it: run in the project's folder."""

import sys
from pathlib import Path

import click

from domain.catalogue import GAMES
from events.ruleset import Rulesets
from service.openapi.document import as_yaml, document

FILE = Path("openapi.yaml")


@click.command()
@click.option("--check/--write", "check", required=True, help="Compare the file with the code, or write it.")
def main(*, check: bool) -> None:
    """Keep openapi.yaml as the code says."""
    text = as_yaml(document(Rulesets(GAMES.values())))
    if not check:
        FILE.write_bytes(text)
    elif not FILE.exists() or FILE.read_bytes() != text:
        click.echo("openapi.yaml is not what the code says: run python -m service.openapi --write", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
