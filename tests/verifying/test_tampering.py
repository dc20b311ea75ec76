"""What the demonstration shows, and that nothing in a signed export can be changed unseen."""

import random
from pathlib import Path

import pytest

from events import audit
from events.notes import SignerKey
from events.signing import KeyRing
from tests.support.logged import RULESETS, LoggedGame, hot_seat
from tests.verifying import demo, vectors

SIGNER = SignerKey.fresh("annales.example")
RING, STRANGER = KeyRing(signer=SIGNER), KeyRing(signer=SignerKey.fresh("annales.example"))
GAME = LoggedGame(hot_seat("porta-nigra", demo.SEATS), game="0" * 24).play(random.Random(3))
TAMPERED = dict(demo.tampered(GAME, RING, STRANGER))


@pytest.mark.parametrize("done", TAMPERED)
def test_whatever_is_done_is_found(done: str) -> None:
    report = audit.verify_export(TAMPERED[done], RULESETS, [SIGNER.verifier])
    assert report.verdict == ("verified" if done == "nothing" else "failed")


def test_each_is_another_thing_and_really_done() -> None:
    assert len(set(TAMPERED.values())) == len(TAMPERED) > 10


def test_every_byte_of_a_signed_header_counts() -> None:
    whole = (Path(__file__).parents[2] / vectors.FOLDER / "verified.ndjson").read_bytes()
    header = whole.index(b"\n")
    for place in range(header + 1):
        changed = whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
        report = audit.verify_export(changed, RULESETS, [vectors.SIGNER.verifier])
        assert report.verdict == "failed", place
        assert report.first_bad is not None
        assert report.first_bad.line == 1 or report.first_bad.version == 1, place
