"""Clients that generators make of `openapi.yaml`: made, compiled, and set to play a whole game of each ruleset.

`make clients` runs it in the project's folder. It needs Node, and the first time the network, for npm and pip.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import click

from domain.catalogue import GAMES
from tests.clients.test_documents import GUIDE, blocks
from tests.support.running import running

ROOT = Path.cwd()
BUILD = ROOT / "build" / "clients"
GENERATED = ROOT / "clients" / "generated"
TYPESCRIPT = ROOT / "clients" / "typescript"
PYTHON = ROOT / "clients" / "python"


def run(*command: str | Path, folder: Path = ROOT, **environ: str) -> None:
    """Run a program, which must succeed; say what it is."""
    click.echo(" ".join(["$", *(str(part).replace(f"{ROOT}/", "") for part in command)]))
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(command, cwd=folder, env={**os.environ, "PATH": path, **environ}, check=True)


def make_python() -> None:
    """The client of openapi-python-client, with types that hold."""
    package = BUILD / "annales_generated"
    config = GENERATED / "openapi-python-client.yaml"
    made = ("--path", "openapi.yaml", "--config", config, "--meta", "none", "--output-path", package, "--overwrite")
    run("openapi-python-client", "generate", *made, "--fail-on-warning")
    run(
        "mypy",
        "--strict",
        "--config-file=",
        f"--cache-dir={BUILD}/mypy",
        package,
        GENERATED / "bot.py",
        MYPYPATH=str(BUILD),
    )
    run("mypy", folder=PYTHON)


def make_typescript() -> None:
    """The types of openapi-typescript, the bot on them, and what its README shows."""
    if not (TYPESCRIPT / "node_modules").exists():
        run("npm", "ci", folder=TYPESCRIPT)
    run("npm", "run", "--silent", "types", folder=TYPESCRIPT)
    run("npm", "run", "--silent", "build", folder=TYPESCRIPT)
    example = TYPESCRIPT / "build" / "readme.ts"
    shown = "\n".join(blocks((TYPESCRIPT / "README.md").read_text(), "ts"))
    example.write_text(shown.replace("./build/schema.js", "./schema.js"))
    strict = ("--strict", "--noEmit", "--module", "nodenext", "--target", "es2022")
    run("npx", "--no-install", "tsc", *strict, example, folder=TYPESCRIPT)


def play(base: str) -> None:
    """Every client plays every ruleset; what the guide says about installing is done in an empty folder."""
    for ruleset in GAMES:
        run(sys.executable, GENERATED / "bot.py", base, ruleset, PYTHONPATH=str(BUILD))
        run("node", TYPESCRIPT / "build" / "bot.js", base, ruleset)
    (install,) = blocks(GUIDE, "sh needs-network")
    with tempfile.TemporaryDirectory() as folder:
        run("sh", "-euc", install, folder=Path(folder), ANNALES=str(ROOT), BASE=base)


def main() -> None:
    """All of it, against a service of its own."""
    BUILD.mkdir(parents=True, exist_ok=True)
    make_python()
    make_typescript()
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as base:
        play(base)
    click.echo("All clients compile and have played a whole game of each ruleset.")


if __name__ == "__main__":
    main()
