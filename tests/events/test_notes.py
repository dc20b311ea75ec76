import pytest

from events.notes import BadKey, BadNote, Note, SignerKey, VerifierKey, read_note

PUBLISHED_KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
PUBLISHED_NOTE = (
    "This is an example message.\n\n"
    "— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n"
)
"""A key and a note that other implementations publish as their example."""

SIGNER = SignerKey(name="annales.example", seed=bytes(range(32)))
TEXT = "one\n\ntwo\n"


def test_a_note_of_another_implementation_is_read_and_verified() -> None:
    key = VerifierKey.read(PUBLISHED_KEY)
    note = read_note(PUBLISHED_NOTE)
    assert note.text == "This is an example message.\n"
    assert note.signer([SIGNER.verifier, key]) == key


def test_keys_are_written_as_they_were_read() -> None:
    assert str(VerifierKey.read(PUBLISHED_KEY)) == PUBLISHED_KEY
    assert SignerKey.read(SIGNER.written() + "\n") == SIGNER
    assert VerifierKey.read(str(SIGNER.verifier)) == SIGNER.verifier


def test_what_a_key_signs_its_public_key_verifies() -> None:
    note = read_note(SIGNER.signed(TEXT))
    assert note.text == TEXT
    assert note.signer([SIGNER.verifier]) == SIGNER.verifier


def test_the_same_text_is_signed_alike() -> None:
    assert SIGNER.signed(TEXT) == SIGNER.signed(TEXT)


def test_signatures_of_unknown_keys_are_passed_over() -> None:
    other = SignerKey.fresh("other.example")
    added = SIGNER.signed(TEXT) + other.signed(TEXT).rpartition("\n\n")[2]
    assert read_note(added).signer([SIGNER.verifier]) == SIGNER.verifier
    with pytest.raises(BadNote, match="no signature of a known key"):
        read_note(SIGNER.signed(TEXT)).signer([other.verifier])


def test_a_known_name_with_another_key_is_an_unknown_key() -> None:
    with pytest.raises(BadNote, match="no signature of a known key"):
        read_note(SIGNER.signed(TEXT)).signer([SignerKey.fresh(SIGNER.name).verifier])


def test_a_false_signature_of_a_known_key_spoils_the_note() -> None:
    note = read_note(SIGNER.signed(TEXT))
    other = SignerKey.fresh("other.example")
    right = read_note(other.signed("three\n")).signatures
    forged = Note(text="three\n", signatures=(*note.signatures, *right))
    with pytest.raises(BadNote, match="false"):
        forged.signer([SIGNER.verifier, other.verifier])


@pytest.mark.parametrize(
    "note",
    [
        "",
        "text\n",
        "text\n\n",
        "text\n\n— name\n",
        "text\n\n- annales.example AAAAAAAA\n",
        "text\n\n— annales.example AAAA\n",
        "text\n\n— annales.example AAAAAAA\n",
        "text\n\n— annales.example AAAAAAAA",
        "te\rxt\n\n— annales.example AAAAAAAA\n",
        "text\n\n" + "— annales.example AAAAAAAA\n" * 101,
    ],
)
def test_what_is_no_note_is_refused(note: str) -> None:
    with pytest.raises(BadNote):
        read_note(note)


def test_base64_that_could_be_written_otherwise_is_refused() -> None:
    note = SIGNER.signed(TEXT)
    assert note.endswith("=\n")
    last = note[-3]
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    twin = note[:-3] + alphabet[alphabet.index(last) ^ 1] + "=\n"
    with pytest.raises(BadNote):
        read_note(twin)


@pytest.mark.parametrize("text", ["no newline", "bell\a\n", "return\r\n", ""])
def test_only_lines_without_control_characters_are_signed(text: str) -> None:
    with pytest.raises(ValueError, match="some lines"):
        SIGNER.signed(text)


@pytest.mark.parametrize("name", ["", "two words", "a+b", "a\u00a0b"])
def test_a_name_has_neither_white_space_nor_plus(name: str) -> None:
    with pytest.raises(BadKey):
        SignerKey.fresh(name)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "example.com/foo",
        PUBLISHED_KEY.replace("530d903a", "530d903b"),
        PUBLISHED_KEY.replace("530d903a", "530D903A"),
        PUBLISHED_KEY.replace("foo", "fob"),
        PUBLISHED_KEY.replace("+AekyeRrm", "+BekyeRrm"),
        PUBLISHED_KEY[:-4],
        SIGNER.written(),
    ],
)
def test_what_is_no_public_key_is_refused(text: str) -> None:
    with pytest.raises(BadKey):
        VerifierKey.read(text)


@pytest.mark.parametrize("text", ["", PUBLISHED_KEY, SIGNER.written().replace("annales.example", "annalen.example")])
def test_what_is_no_private_key_is_refused(text: str) -> None:
    with pytest.raises(BadKey):
        SignerKey.read(text)
