from pathlib import Path

import msgspec
import pytest

from events import signing
from events.notes import BadKey, BadNote, SignerKey, read_note
from events.settings import Settings
from events.signing import Checkpoint, KeyRing, new_key, read_keys, stated, usual_name, verified
from service.supervisor import CannotStart, first_key

HEAD = "sha256:" + "5" * 64
CHECKPOINT = Checkpoint(game="0123456789abcdef01234567", version=41, head=HEAD)


def test_a_checkpoint_is_four_lines_under_the_name_of_the_key() -> None:
    note = KeyRing(signer=SignerKey("annales.example/club", bytes(32))).signed(CHECKPOINT) or ""
    assert note.startswith(
        f"annales.example/club/game\n0123456789abcdef01234567\n41\n{HEAD}\n\n— annales.example/club "
    )


def test_what_it_says_can_be_read_and_verified(tmp_path: Path) -> None:
    new_key(tmp_path, "annales.example")
    ring = KeyRing.open(tmp_path)
    note = ring.signed(CHECKPOINT) or ""
    assert stated(note) == CHECKPOINT
    assert verified(note, ring.public) == CHECKPOINT


def test_without_a_key_nothing_is_signed(tmp_path: Path) -> None:
    ring = KeyRing.open(tmp_path / "none")
    assert ring.signed(CHECKPOINT) is None
    assert ring.published().keys == ()


def test_the_newest_key_signs_and_older_ones_stay_published(tmp_path: Path) -> None:
    first, old = new_key(tmp_path, "annales.example")
    before = KeyRing.open(tmp_path).signed(CHECKPOINT) or ""
    _, new = new_key(tmp_path, "annales.example")
    ring = KeyRing.open(tmp_path)
    assert ring.public == (new, old)
    assert [key.status for key in ring.published().keys] == ["current", "retired"]
    assert read_note(ring.signed(CHECKPOINT) or "").signer([new]) == new
    assert verified(before, ring.public) == CHECKPOINT
    first.unlink()
    assert KeyRing.open(tmp_path) == ring


def test_numbers_are_never_given_again(tmp_path: Path) -> None:
    new_key(tmp_path, "annales.example")[0].unlink()
    assert new_key(tmp_path, "annales.example")[0].name == "0002.key"


def test_only_the_owner_may_read_a_private_key(tmp_path: Path) -> None:
    private, _ = new_key(tmp_path / "keys", "annales.example")
    assert private.stat().st_mode & 0o777 == 0o600
    assert private.parent.stat().st_mode & 0o777 == 0o700


def test_a_ring_may_be_a_single_file(tmp_path: Path) -> None:
    private, public = new_key(tmp_path, "annales.example")
    assert KeyRing.open(private).public == (public,)


def test_a_file_that_is_no_key_is_named(tmp_path: Path) -> None:
    (tmp_path / "0001.key").write_text("nonsense")
    with pytest.raises(BadKey, match=r"0001\.key"):
        KeyRing.open(tmp_path)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "0001.pub").mkdir()
    with pytest.raises(BadKey, match=r"0001\.pub: Is a directory"):
        KeyRing.open(tmp_path)


def test_keys_are_read_from_the_published_set_or_from_lines(tmp_path: Path) -> None:
    _, old = new_key(tmp_path, "annales.example")
    _, new = new_key(tmp_path, "annales.example")
    published = msgspec.json.encode(KeyRing.open(tmp_path).published()).decode()
    assert read_keys(published) == (new, old)
    assert read_keys(f"{old}\n\n{new}\n") == (old, new)
    for nonsense in ('{"keys": 1}', "nonsense"):
        with pytest.raises(BadKey):
            read_keys(nonsense)


@pytest.mark.parametrize(
    "text",
    [
        f"annales.example\ngame\n41\n{HEAD}\n",
        f"annales.example/game\ngame\n041\n{HEAD}\n",
        f"annales.example/game\ngame\n41\n{HEAD}\nmore\n",
        "annales.example/game\ngame\n41\nsha256:5\n",
        "annales.example\n41\nVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVU=\n",
    ],
)
def test_other_texts_are_no_checkpoints_of_games(text: str) -> None:
    note = SignerKey("annales.example", bytes(32)).signed(text)
    with pytest.raises(BadNote, match="origin, game, version and head"):
        stated(note)


def test_a_key_speaks_under_its_own_name_only() -> None:
    signer = SignerKey("annales.example", bytes(32))
    with pytest.raises(BadNote, match=r"speaks for other\.example"):
        verified(signer.signed(CHECKPOINT.text("other.example")), [signer.verifier])


def test_an_installation_is_named_for_its_public_address() -> None:
    assert usual_name("https://annales.example/club") == "annales.example/club"
    assert usual_name("https://annales.example/a+b") == "annales.example/a%2Bb"
    assert usual_name("") != usual_name("")


def test_the_first_start_makes_a_key_and_later_ones_keep_it(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, public_url="https://annales.example")
    first_key(settings)
    ring = signing.KeyRing.open(tmp_path / "keys")
    assert ring.signer is not None
    assert ring.signer.name == "annales.example"
    first_key(settings)
    assert signing.KeyRing.open(tmp_path / "keys") == ring


def test_a_start_with_a_bad_key_says_so(tmp_path: Path) -> None:
    (tmp_path / "mine.key").write_text("nonsense")
    with pytest.raises(CannotStart, match=r"mine\.key"):
        first_key(Settings(data=tmp_path, keys=tmp_path / "mine.key"))
