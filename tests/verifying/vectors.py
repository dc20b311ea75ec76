"""Makes the test vectors of docs/verifying/vectors: small logs, and what a verifier has to say of each.

Run `python -m tests.verifying.vectors` in the project's folder. Salts and keys are fixed, so the files change only when the
game or the form of the log does.
"""

import random
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal
from unittest import mock

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from domain.canonical import digest
from domain.table import CreateGame
from domain.table.commands import JoinGame, MySeat, OpenSeat, RequestUndo, Resign
from events import audit, envelope, merkle
from events.envelope import CommandRef
from events.notes import SignerKey
from events.signing import Checkpoint, KeyRing
from events.transparency import Entry, game_digest
from tests.support.logged import LoggedGame, rechained
from tests.support.tampering import (
    data_forged,
    export,
    line_changed,
    part_forged,
    swapped,
    version_of,
    with_header,
)

FOLDER = Path("docs/verifying/vectors")

SIGNER = SignerKey(name="annales.example", seed=bytes(range(32)))
STRANGER = SignerKey(name="annales.example", seed=bytes(range(32, 64)))
RING = KeyRing(signer=SIGNER, public=(SIGNER.verifier,))
GAME = "0123456789abcdef01234567"


class Expected(Struct, frozen=True, omit_defaults=True):
    """The verdict; where it failed, the check that did, and the first event (null: none) and line that do not fit."""

    verdict: Literal["verified", "sealed", "failed"]
    check: str | None = None
    version: int | None = None
    line: int | None = None


class Vector(Struct, frozen=True, omit_defaults=True):
    """One log. `keys`: the public keys to verify with. `without_rules`: what is expected of a verifier that knows no rules."""

    file: str
    about: str
    keys: list[str]
    expected: Expected
    without_rules: Expected | UnsetType = UNSET


class Inclusion(Struct, frozen=True):
    """The proof that leaf `index` is in the tree of `size` leaves, in base64."""

    index: int
    size: int
    path: list[str]


class Consistency(Struct, frozen=True, rename={"start": "from", "end": "to"}):
    """The proof that the tree of the second size begins with that of the first, in base64."""

    start: int
    end: int
    path: list[str]


class TreeVectors(Struct, frozen=True):
    """A small log of finished games: its entries, its root at each size, and all proofs."""

    entries: list[Entry]
    roots: list[str]
    inclusion: list[Inclusion]
    consistency: list[Consistency]


def failed(check: str, version: int | None) -> Expected:
    return Expected("failed", check, version, 1 if version is None else version + 1)


def played() -> LoggedGame:
    """A short game of Kreta: a player joins and adds to the chance, an undo, a resignation."""
    rng = random.Random(7)
    with mock.patch("events.envelope.secrets.token_bytes", rng.randbytes):
        game = LoggedGame(CreateGame(ruleset="kreta", seats=(MySeat(), OpenSeat())), seed=rng.randbytes(32), game=GAME)
        game.give(JoinGame(seat=1, entropy="the answer is 42"), player="bob")
        for _ in range(2):
            (seat,) = game.awaited
            game.give(game.legal(seat)[0], seat)
            game.settle()
        (seat,) = game.awaited
        before = game.version
        game.give(game.legal(seat)[0], seat)
        game.give(RequestUndo(to_version=before), seat)
        game.give(Resign(), 0)
    return game


def vectors() -> Iterator[tuple[Vector, bytes]]:
    """Every vector with its file."""
    game = played()
    log, whole = game.log, export(game.log, RING)
    yield from _good(game, whole)
    yield from _broken(game, whole)
    yield from _malformed(whole)
    yield from _forged(game, whole)
    yield from _cut(log, whole)


def _vector(
    name: str,
    about: str,
    content: bytes,
    expected: Expected,
    *,
    without_rules: Expected | UnsetType = UNSET,
    signer: SignerKey | None = SIGNER,
) -> tuple[Vector, bytes]:
    keys = [str(signer.verifier)] if signer else []
    vector = Vector(file=f"{name}.ndjson", about=about, keys=keys, expected=expected, without_rules=without_rules)
    return vector, content


def _good(game: LoggedGame, whole: bytes) -> Iterator[tuple[Vector, bytes]]:
    verified, sealed = Expected("verified"), Expected("sealed")
    running = [event for event in game.log if event.version < version_of(game.log, "table.seat_resigned")]
    yield _vector("verified", "a finished game, opened, signed", whole, verified)
    yield _vector("verified-without-key", "the same; the signature is not checked", whole, verified, signer=None)
    yield _vector("verified-unsigned", "a finished game without a checkpoint", export(game.log), verified)
    yield _vector("sealed", "a running game as a spectator reads it", export(running, RING, seats=()), sealed)
    yield _vector("sealed-seat", "a running game as seat 1 reads it", export(running, RING, seats=(1,)), sealed)
    yield _vector("sealed-whole", "a running game with all its secrets", export(running, RING), sealed)


def _broken(game: LoggedGame, whole: bytes) -> Iterator[tuple[Vector, bytes]]:
    """What breaks the chain."""
    setup, joined = version_of(game.log, "kreta.game_set_up"), version_of(game.log, "table.seat_taken")
    lines = whole.split(b"\n")
    changed = line_changed(whole, joined, lambda line: line.replace(b'"player":"bob"', b'"player":"rob"'))
    yield _vector("data-changed", "another player in an event", changed, failed("chain", joined))
    secret = game.log[0].private[0].salt
    assert isinstance(secret, str)
    other = "A" + secret[1:] if secret[0] != "A" else "B" + secret[1:]
    changed = line_changed(whole, 1, lambda line: line.replace(secret.encode(), other.encode()))
    yield _vector("salt-changed", "another salt in a private part", changed, failed("private_parts", 1))
    changed = line_changed(whole, setup, lambda line: line.replace(b'"seats":[]', b'"seats":[0]'))
    yield _vector("readers-changed", "other readers of a private part", changed, failed("private_parts", setup))
    digest = game.log[joined - 1].digest.encode()
    changed = line_changed(whole, joined, lambda line: line.replace(digest, digest[:-1] + b"x"))
    yield _vector("digest-changed", "another digest of an event", changed, failed("chain", joined))
    changed = line_changed(whole, joined + 1, lambda line: line.replace(digest, digest[:-1] + b"x"))
    yield _vector("prev-changed", "another digest of the event before", changed, failed("chain", joined + 1))
    dropped = b"\n".join(lines[:joined] + lines[joined + 1 :])
    yield _vector("event-dropped", "an event is missing", dropped, failed("form", joined))
    turned = b"\n".join([*lines[:joined], lines[joined + 1], lines[joined], *lines[joined + 2 :]])
    yield _vector("events-swapped", "two events have changed places", turned, failed("form", joined))


def _malformed(whole: bytes) -> Iterator[tuple[Vector, bytes]]:
    """What is no export. Event 2 is the victim."""
    bad = failed("form", 2)
    changes: dict[str, tuple[str, bytes, bytes]] = {
        "spacing": ("a space that canonical JSON has not", b'"actor":', b'"actor": '),
        "order-of-names": ("names out of order", b'"actor":"player",', b""),
        "name-twice": ("a name that is there twice", b'"actor":"player",', b'"actor":"player","actor":"player",'),
        "name-unknown": ("a field that no event has", b'{"actor":', b'{"aardvark":1,"actor":'),
        "escape": ("an escape that is not needed", b'"player":"bob"', b'"player":"b\\u006fb"'),
        "not-utf-8": ("a byte that is no UTF-8", b'"player":"bob"', b'"player":"b\xffb"'),
        "number-with-point": ("a number with a point", b'"schema":1', b'"schema":1.0'),
        "number-too-large": ("a number beyond 2**53 - 1", b'"seat":1}', b'"seat":9007199254740992}'),
        "not-json": ("no JSON at all", b'{"actor":', b'{"actor"'),
    }
    for name, (about, old, new) in changes.items():
        content = line_changed(whole, 2, lambda line, old=old, new=new: line.replace(old, new, 1))  # type: ignore[misc]
        if name == "order-of-names":
            content = line_changed(content, 2, lambda line: line[:-1] + b',"actor":"player"}')
        yield _vector(name, about, content, bad)
    content = line_changed(whole, 1, lambda line: line.replace(b'"salt":', b'"digest":"sha256:00","salt":'))
    content = line_changed(content, 1, _canonical)
    yield _vector("part-open-and-sealed", "a private part with both data and digest", content, failed("form", 1))
    other = line_changed(whole, 0, lambda line: line.replace(GAME.encode(), b"f" * 24))
    yield _vector("header-of-another-game", "the header names another game", other, failed("form", 1))
    yield _vector("header-missing", "no header", whole.split(b"\n", 1)[1], failed("form", None))
    yield _vector("empty", "nothing", b"", failed("form", None))
    header = whole.split(b"\n", 1)[0] + b"\n"
    yield _vector("no-events", "a header and no event", header, failed("form", 1))


def _forged(game: LoggedGame, whole: bytes) -> Iterator[tuple[Vector, bytes]]:
    """What was chained anew, under the old checkpoint: only rules, chance or the signature tell."""
    log = game.log
    setup, ended = version_of(log, "kreta.game_set_up"), version_of(log, "table.game_ended")
    signature = failed("signature", None)
    forged = data_forged(log, ended, lambda data: {**data, "winners": [0]})
    resigned = version_of(log, "table.seat_resigned")
    yield _vector(
        "decision-forged",
        "another winner, chained anew",
        with_header(whole, forged),
        failed("decisions", resigned),
        without_rules=signature,
    )
    last = log[-1].version
    forged = data_forged(log, last, lambda data: {**data, "board_digest": envelope.GENESIS})
    yield _vector(
        "board-forged",
        "another digest of the final board, chained anew",
        with_header(whole, forged),
        failed("decisions", resigned),
        without_rules=signature,
    )
    forged = part_forged(log, setup, lambda data: {**data, "shuffle": swapped(data["shuffle"])})
    yield _vector(
        "shuffle-forged",
        "two cards changed round in a secret shuffle, chained anew",
        with_header(whole, forged),
        failed("shuffles", setup),
    )
    forged = data_forged(
        log,
        setup,
        lambda data: {**data, "tile_shuffles": [swapped(data["tile_shuffles"][0]), *data["tile_shuffles"][1:]]},
    )
    yield _vector(
        "public-shuffle-forged",
        "two tiles changed round in a public shuffle, chained anew",
        with_header(whole, forged),
        failed("shuffles", setup),
    )
    joined = version_of(log, "table.seat_taken")
    forged = data_forged(log, joined, lambda data: {**data, "entropy": envelope.GENESIS})
    yield _vector(
        "entropy-forged",
        "other entropy of a player, chained anew",
        with_header(whole, forged),
        failed("shuffles", setup),
    )
    forged = part_forged(log, 1, lambda data: {**data, "seed": "00" * 32})
    yield _vector("seed-forged", "another seed, chained anew", with_header(whole, forged), failed("commitment", 1))
    forged = part_forged(log, 1, lambda data: {**data, "seed": data["seed"].upper()})
    yield _vector("seed-not-hex", "a seed in capitals, chained anew", with_header(whole, forged), failed("form", 1))
    forged = data_forged(log, last, lambda data: {**data, "seed": "00" * 32})
    yield _vector(
        "opened-seed-forged",
        "another seed opened at the end, chained anew",
        with_header(whole, forged),
        failed("decisions", resigned),
        without_rules=failed("commitment", last),
    )
    yield _vector("command-missing", *_without_command(game, whole))


def _without_command(game: LoggedGame, whole: bytes) -> tuple[str, bytes, Expected]:
    victim = version_of(game.log, "table.seat_taken")
    forged = [
        replace(event, command=CommandRef(id=event.command.id)) if event.version == victim else event
        for event in game.log
    ]
    content = with_header(whole, rechained(forged))
    return "an event that belongs to no command, chained anew", content, failed("form", victim)


def _cut(log: list[envelope.Envelope], whole: bytes) -> Iterator[tuple[Vector, bytes]]:
    """What only the signed checkpoint tells, and what is wrong with checkpoints."""
    signature = failed("signature", None)
    lines = whole.split(b"\n")
    resigned = version_of(log, "table.seat_resigned")
    short = b"\n".join([*lines[:resigned], b""])
    yield _vector("truncated", "the last command is missing", short, signature)
    yield _vector(
        "truncated-without-key", "the same; the checkpoint tells even unverified", short, signature, signer=None
    )
    yield _vector("line-cut", "the last newline is missing", whole[:-1], Expected("failed", "form", None, len(log) + 1))
    yield _vector("stranger", "signed by another key of the same name", whole, signature, signer=STRANGER)
    last = log[-1]
    note = SIGNER.signed(Checkpoint(game=GAME, version=last.version, head=last.digest).text(SIGNER.name))
    forgeries = {
        "signature-changed": (
            "another byte in the signature",
            note[:-10] + ("A" if note[-10] != "A" else "B") + note[-9:],
        ),
        "signature-written-otherwise": ("base64 with other spare bits", note[:-3] + chr(ord(note[-3]) + 1) + "=\n"),
        "checkpoint-of-the-past": (
            "the true checkpoint of an earlier version",
            SIGNER.signed(Checkpoint(game=GAME, version=last.version - 1, head=last.prev).text(SIGNER.name)),
        ),
        "checkpoint-of-another-origin": (
            "a checkpoint that speaks for another installation",
            SIGNER.signed(Checkpoint(game=GAME, version=last.version, head=last.digest).text("other.example")),
        ),
        "checkpoint-without-signature": ("a checkpoint that nobody has signed", note.partition("\n\n")[0] + "\n"),
        "checkpoint-of-a-tree": (
            "a tree head in the place of a checkpoint",
            SIGNER.signed("annales.example\n1\nAAAA\n"),
        ),
    }
    for name, (about, forged) in forgeries.items():
        content = audit.header_line(GAME, forged) + b"\n" + b"\n".join(lines[1:])
        yield _vector(name, about, content, signature)


def tree(size: int = 9) -> TreeVectors:
    """A tree of made-up games."""
    entries = [
        Entry(game=game_digest(f"{number:024x}"), head=digest(number), version=10 + number) for number in range(size)
    ]
    kept: dict[merkle.Node, bytes] = {}

    def nodes(wanted: Sequence[merkle.Node]) -> dict[merkle.Node, bytes]:
        return {node: kept[node] for node in wanted}

    kept |= merkle.grown(0, [entry.leaf for entry in entries], nodes)
    return TreeVectors(
        entries=entries,
        roots=_encoded(merkle.root(end, nodes) for end in range(size + 1)),
        inclusion=[
            Inclusion(index, end, _encoded(merkle.inclusion_proof(index, end, nodes)))
            for end in range(1, size + 1)
            for index in range(end)
        ],
        consistency=[
            Consistency(start, end, _encoded(merkle.consistency_proof(start, end, nodes)))
            for end in range(1, size + 1)
            for start in range(1, end + 1)
        ],
    )


def _encoded(hashes: Iterable[bytes]) -> list[str]:
    return [b64encode(hashed).decode() for hashed in hashes]


def _canonical(line: bytes) -> bytes:
    return msgspec.json.encode(msgspec.json.decode(line), order="sorted")


def main() -> None:
    """Write all files anew."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.iterdir():
        old.unlink()
    made = list(vectors())
    for vector, content in made:
        (FOLDER / vector.file).write_bytes(content)
    (FOLDER / "index.json").write_bytes(_readable([vector for vector, _ in made]))
    (FOLDER / "tree.json").write_bytes(_readable(tree()))


def _readable(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"


if __name__ == "__main__":
    main()
