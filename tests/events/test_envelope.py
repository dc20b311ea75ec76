"""The envelope: digests as their definition states them, and who may read what."""

import base64
import json
from hashlib import sha256
from itertools import pairwise
from typing import Any

import msgspec
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from events import envelope
from events.envelope import GENESIS, CommandRef, Envelope, StoredPart, redacted
from tests.support.logged import LoggedGame, hot_seat
from tests.support.toy import Add, Flip, Peek

DIGESTED = ("game", "version", "type", "schema", "seat", "actor", "command", "at", "data", "private_digest", "prev")


def sha(value: Any) -> str:
    """SHA-256 over RFC 8785, by an implementation that is not ours."""
    return "sha256:" + sha256(rfc8785.dumps(value)).hexdigest()


def private_digest(parts: list[dict[str, Any]]) -> str | None:
    """By the definition: over the digests of the parts, each over its seats, salt and data."""
    digests = [part.get("digest") or sha({name: part[name] for name in ("seats", "salt", "data")}) for part in parts]
    return sha(digests) if digests else None


def event_digest(event: dict[str, Any]) -> str:
    """By the definition: over all but the private parts and the digest itself."""
    return sha({name: event[name] for name in DIGESTED})


@pytest.fixture(scope="module")
def game() -> LoggedGame:
    """Two seats, each of which has peeked; a card was flipped."""
    played = LoggedGame(hot_seat("toy"))
    for command, seat in ((Peek(), 0), (Add(points=2), 1), (Peek(), 1), (Flip(), 0)):
        played.give(command, seat)
    return played


def shown(game: LoggedGame, seats: tuple[int, ...] | None) -> list[dict[str, Any]]:
    return [json.loads(line) for line in game.lines(seats)]


@pytest.mark.parametrize("seats", [None, (), (0,), (1,), (0, 1)])
def test_every_reader_can_check_the_chain_by_hand(game: LoggedGame, seats: tuple[int, ...] | None) -> None:
    events = shown(game, seats)
    assert events[0]["prev"] == GENESIS == "sha256:" + "0" * 64
    for event in events:
        assert event["private_digest"] == private_digest(event["private"])
        assert event["digest"] == event_digest(event)
    assert all(after["prev"] == before["digest"] for before, after in pairwise(events))


def test_an_event_without_private_parts_has_no_private_digest(game: LoggedGame) -> None:
    for event in shown(game, None):
        assert (event["private_digest"] is None) == (event["private"] == [])


def test_each_private_part_has_a_salt_of_its_own_of_32_bytes(game: LoggedGame) -> None:
    salts = [part["salt"] for event in shown(game, None) for part in event["private"]]
    assert len(set(salts)) == len(salts) > 3
    for salt in salts:
        assert "=" not in salt
        assert len(base64.urlsafe_b64decode(salt + "=")) == 32


def test_the_fields_of_an_event_are_those_of_the_contract(game: LoggedGame) -> None:
    *_, flipped, added = shown(game, None)
    for event in (flipped, added):
        assert set(event) == {*DIGESTED, "private", "digest"}
    assert flipped["command"] == {"id": "c8.0", "type": "flip", "data": {}, "rules": 7}
    assert added["command"] == {"id": "c8.0"}
    assert (flipped["seat"], flipped["actor"], flipped["version"]) == (0, "player", 9)
    assert flipped["data"].keys() == {"seat", "card"}


@pytest.mark.parametrize("seat", [0, 1])
def test_a_seat_reads_its_own_parts_and_of_the_others_their_digests_alone(game: LoggedGame, seat: int) -> None:
    for whole, seen in zip(shown(game, None), shown(game, (seat,)), strict=True):
        assert {**whole, "private": 0} == {**seen, "private": 0}
        for part, part_seen in zip(whole["private"], seen["private"], strict=True):
            if seat in part["seats"]:
                assert part_seen == part
            else:
                assert part_seen == {"seats": part["seats"], "digest": sha(part)}


def test_a_spectator_reads_no_part_at_all(game: LoggedGame) -> None:
    parts = [part for event in shown(game, ()) for part in event["private"]]
    assert parts
    assert all(part.keys() == {"seats", "digest"} for part in parts)


def test_what_nobody_may_read_is_read_by_nobody_not_even_by_all_seats(game: LoggedGame) -> None:
    seed = shown(game, tuple(range(8)))[0]["private"]
    assert seed == [{"seats": [], "digest": seed[0]["digest"]}]


def test_redacting_again_changes_nothing_and_opens_nothing(game: LoggedGame) -> None:
    for event in game.log:
        once = redacted(event, (1,))
        assert redacted(once, (1,)) == once
        sealed = redacted(once, ())
        assert redacted(sealed, (0, 1)) == sealed == redacted(event, ())


def test_a_sealed_part_cannot_be_read(game: LoggedGame) -> None:
    (part,) = redacted(game.log[0], ()).private
    assert not part.is_open
    with pytest.raises(LookupError):
        part.read()


@given(
    data=st.dictionaries(st.sampled_from(["a", "b", "c"]), st.integers(-(2**53) + 1, 2**53 - 1) | st.text()),
    seats=st.lists(st.integers(0, 3), unique=True, max_size=3).map(tuple),
    at=st.sampled_from(["2026-01-01T00:00:00.000Z", "2026-12-31T23:59:59.999Z"]),
    rules=st.integers(1, 99),
)
def test_an_envelope_read_and_written_again_is_the_same_bytes(
    data: dict[str, Any], seats: tuple[int, ...], at: str, rules: int
) -> None:
    raw = msgspec.Raw(rfc8785.dumps(data))
    event = envelope.sealed(
        Envelope(
            game="g",
            version=1,
            type="toy.added",
            schema=1,
            data=raw,
            private=(envelope.sealed_part(seats, data),),
            seat=None,
            actor="system",
            command=CommandRef(id="c", type="add", data=data, rules=rules),
            at=at,
            private_digest=None,
            prev=GENESIS,
            digest="",
        )
    )
    line = envelope.encode(event)
    assert line == rfc8785.dumps(json.loads(line))
    assert envelope.encode(envelope.decode(line)) == line
    assert event.digest == event_digest(json.loads(line))


@pytest.mark.parametrize(
    "change",
    [
        {"game": "g2"},
        {"version": 99},
        {"type": "toy.flipped"},
        {"schema": 2},
        {"seat": 1},
        {"seat": None},
        {"actor": "bot"},
        {"at": "2026-01-02T03:04:06.000Z"},
        {"data": msgspec.Raw(b'{"points":3,"seat":0}')},
        {"private_digest": GENESIS},
        {"prev": GENESIS},
        {"command": CommandRef(id="other")},
    ],
    ids=lambda change: next(iter(change)),
)
def test_the_digest_covers_every_field(game: LoggedGame, change: dict[str, Any]) -> None:
    event = next(event for event in game.log if event.type == "toy.added")
    assert envelope.event_digest(msgspec.structs.replace(event, **change)) != event.digest


@pytest.mark.parametrize(
    "change",
    [{"seats": (1,)}, {"salt": "A" * 43}, {"data": msgspec.Raw(b'{"card":99}')}],
    ids=["seats", "salt", "data"],
)
def test_the_digest_of_a_part_covers_its_readers_its_salt_and_its_data(
    game: LoggedGame, change: dict[str, Any]
) -> None:
    part: StoredPart = next(event for event in game.log if event.type == "toy.peeked").private[0]
    assert envelope.part_digest(msgspec.structs.replace(part, **change)) != envelope.part_digest(part)


@pytest.mark.parametrize("line", [b"", b"{}", b"[]", b"null", b"\xff", b'{"game":"g"}'])
def test_what_is_no_envelope_is_refused(line: bytes) -> None:
    with pytest.raises(msgspec.MsgspecError):
        envelope.decode(line)
