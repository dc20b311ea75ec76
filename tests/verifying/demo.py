"""Shows what an audit finds: bots play a game of Porta Nigra, its export is tampered with in many ways, and both verifiers speak.

Run `make audit-demo`, or `python -m tests.verifying.demo` in the project's folder. Without Node its column says "no node".
"""

import random
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import msgspec

from domain.table import BotSeat, CreateGame
from events import audit
from events.envelope import Envelope
from events.notes import SignerKey
from events.signing import KeyRing
from tests.support.logged import LoggedGame
from tests.support.tampering import data_forged, export, line_changed, part_forged, swapped, version_of, with_header
from workers import bots

VERIFY_JS = Path(__file__).parents[2] / "docs" / "verifying" / "verify.js"
SEATS = 3


def played(luck: random.Random) -> LoggedGame:
    """A game of greedy bots, each of which knows what its seat sees."""
    command = CreateGame(ruleset="porta-nigra", seats=(BotSeat(bot="greedy"),) * SEATS)
    game = LoggedGame(command, seed=secrets.token_bytes(32), game=secrets.token_hex(12))
    while game.table.status == "active":
        if not game.settle():
            seat = game.awaited[0]
            view = msgspec.json.encode(game.session.view(seat))
            game.give(bots.choose(game.ruleset, "greedy", view, seat, luck), seat, actor="bot")
            game.wait(0.5)
    return game


def tampered(game: LoggedGame, ring: KeyRing, stranger: KeyRing) -> Iterator[tuple[str, bytes]]:
    """What is done to the export, in a few words, and what comes of it."""
    log, whole = game.log, export(game.log, ring)
    built, setup = version_of(log, "porta_nigra.brick_bought"), version_of(log, "porta_nigra.game_set_up")
    lines = whole.split(b"\n")
    yield "nothing", whole
    yield "a byte of public data", line_changed(whole, built, lambda line: line.replace(b'"price":', b'"price":1', 1))
    salt = str(log[setup - 1].private[0].salt).encode()
    other = salt[1:] + salt[:1]
    yield "a salt", line_changed(whole, setup, lambda line: line.replace(salt, other))
    yield "an event dropped", b"\n".join(lines[:built] + lines[built + 1 :])
    yield "two events swapped", b"\n".join([*lines[:built], lines[built + 1], lines[built], *lines[built + 2 :]])
    paid = data_forged(log, built, lambda data: {**data, "price": data["price"] + 1})
    yield "a decision, chained anew", with_header(whole, paid)
    yield "the same, without checkpoint", export(paid)
    drawn = part_forged(log, setup, lambda data: {**data, "supply": swapped(data["supply"])})
    yield "a shuffle, chained anew", with_header(whole, drawn)
    end = max(event.version for event in log[:-10] if isinstance(event.command.type, str)) - 1
    yield "cut short", b"\n".join([*lines[: end + 1], b""])
    seed = part_forged(log, 1, lambda data: {**data, "seed": "00" * 32})
    yield "another seed, chained anew", with_header(whole, seed)
    yield "another end, chained anew", with_header(whole, _with_another_winner(log))
    yield "signed by a stranger", export(log, stranger)
    yield "a space", line_changed(whole, built, lambda line: line.replace(b'":', b'": ', 1))
    yield "the last newline", whole[:-1]


def _with_another_winner(log: Sequence[Envelope]) -> list[Envelope]:
    ended = version_of(log, "table.game_ended")
    return data_forged(log, ended, lambda data: {**data, "winners": [(data["winners"][0] + 1) % SEATS]})


def said_by(command: Sequence[str]) -> str:
    """What a verifier says, in a few words."""
    ended = subprocess.run(command, capture_output=True, check=False)
    report = msgspec.json.decode(ended.stdout, type=audit.Report)
    bad = report.first_bad
    if bad is not None:
        blamed = next(check.name for check in report.checks if check.detail == bad.reason)
        return f"failed, line {bad.line}: {blamed}"
    unchecked = [check.name for check in report.checks if check.verdict == "not_checked"]
    return report.verdict + (f", not checked: {', '.join(unchecked)}" if unchecked else "")


def main() -> None:
    """Play, tamper, verify, print."""
    signer = SignerKey.fresh("annales.example")
    ring, stranger = KeyRing(signer=signer), KeyRing(signer=SignerKey.fresh("annales.example"))
    game = played(random.Random())
    scores = game.table.result.scores if game.table.result else ()
    click.echo(f"Porta Nigra, {SEATS} greedy bots: {game.version} events, scores {', '.join(map(str, scores))}.\n")
    node = shutil.which("node")
    python = [sys.executable, "-m", "service.cli", "verify"]
    click.echo(f"{'what was done':<30} {'annales verify':<32} verify.js")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "export.ndjson"
        told = ["--json", "--key", str(signer.verifier), str(file)]
        for done, content in tampered(game, ring, stranger):
            file.write_bytes(content)
            ours = said_by([*python, *told])
            theirs = said_by([node, str(VERIFY_JS), *told]) if node else "no node"
            click.echo(f"{done:<30} {ours:<32} {theirs}")


if __name__ == "__main__":
    main()
