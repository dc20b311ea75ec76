"""The shared test vectors: what `annales verify` says of each. The second verifier checks the same with `make test-js`."""

from base64 import b64decode
from pathlib import Path

import msgspec
import pytest

from events import audit, merkle
from events.notes import VerifierKey
from tests.support.logged import RULESETS
from tests.verifying.vectors import Expected, TreeVectors, Vector, played

FOLDER = Path(__file__).parents[2] / "docs" / "verifying" / "vectors"
VECTORS = msgspec.json.decode((FOLDER / "index.json").read_bytes(), type=list[Vector])


def found(report: audit.Report) -> Expected:
    bad = report.first_bad
    if bad is None:
        return Expected(report.verdict)
    blamed = next(check.name for check in report.checks if check.verdict == "failed" and check.detail == bad.reason)
    return Expected(report.verdict, blamed, bad.version, bad.line)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.file)
def test_a_vector_comes_out_as_expected(vector: Vector) -> None:
    keys = [VerifierKey.read(key) for key in vector.keys]
    report = audit.verify_export((FOLDER / vector.file).read_bytes(), RULESETS, keys)
    assert found(report) == vector.expected


def test_the_proofs_of_the_tree_hold() -> None:
    tree = msgspec.json.decode((FOLDER / "tree.json").read_bytes(), type=TreeVectors)
    roots, leaves = [b64decode(root) for root in tree.roots], [entry.leaf for entry in tree.entries]
    for proof in tree.inclusion:
        path = [b64decode(node) for node in proof.path]
        assert merkle.includes(roots[proof.size], proof.size, proof.index, leaves[proof.index], path)
    for later in tree.consistency:
        path = [b64decode(node) for node in later.path]
        assert merkle.is_consistent(later.start, roots[later.start], later.end, roots[later.end], path)


def test_every_file_is_a_vector_and_has_a_name_of_its_own() -> None:
    files = [vector.file for vector in VECTORS]
    assert sorted(files) == sorted(path.name for path in FOLDER.glob("*.ndjson"))
    assert len({vector.about for vector in VECTORS}) == len(files)


def test_there_is_a_vector_for_every_check_that_can_fail() -> None:
    blamed = {vector.expected.check for vector in VECTORS} - {None}
    never = {
        "board",
        "ending",
    }  # the last event is decided again before its board is looked at; an end is there or not yet
    assert blamed == set(audit.MEANING) - never


def test_the_game_of_the_vectors_has_what_a_verifier_may_trip_over() -> None:
    types = {event.type for event in played().log}
    assert {"table.seat_taken", "table.history_rewound", "kreta.game_set_up", "table.seed_revealed"} <= types
