"""Two games that differ only in a secret look the same to everyone who may not know it, whichever way they look."""

import re
from collections.abc import Callable

import pytest

from tests.service.client import Client, Seat

_BLANKED = [
    (re.compile(rb"sha256:[0-9a-f]{64}"), b"<digest>"),
    (re.compile(rb"[0-9a-f]{24}"), b"<id>"),
    (re.compile(rb"\xe2\x80\x94 annales.example [A-Za-z0-9+/=]{92}"), b"<signature>"),
    (re.compile(rb"\d{4}-\d\d-\d\dT[0-9:.]+Z"), b"<time>"),
]

FLIP = {"type": "flip"}
CHANNELS: dict[str, Callable[[Seat], bytes]] = {
    "game": lambda game: game.client.get(game.path).data,
    "board": lambda game: game.get("board").data,
    "earlier board": lambda game: game.get("board?at=4").data,
    "events": lambda game: game.get("events").data,
    "stream": lambda game: game.get(f"events?limit={game.version}", Accept="text/event-stream").data,
    "lines": lambda game: game.get(f"events?limit={game.version}", Accept="application/x-ndjson").data,
    "export": lambda game: game.get("export").data,
    "audit": lambda game: game.get("audit").data,
}
FOR_PLAYERS: dict[str, Callable[[Seat], bytes]] = {
    "legal commands": lambda game: game.get("legal-commands").data,
    "dry run of a reveal": lambda game: game.give("flip", query="?dry_run=true").data,
    "dry run of a peek": lambda game: game.give("peek", query="?dry_run=true").data,
    "missed events": lambda game: game.give("add", {"points": 1}, If_Match='"1"').data,
    "refusal": lambda game: game.give("add", {"points": 9}).data,
    "refused batch": lambda game: game.give_all({"type": "add", "data": {"points": 1}}, {"type": "peek"}, FLIP).data,
    "dry run of a batch": lambda game: game.give_all(FLIP, query="?dry_run=true").data,
    "answer": lambda game: game.give("add", {"points": 1}).data,
}


def secretive(ada: Client, bob: Client, seed: int, monkeypatch: pytest.MonkeyPatch, undo: str = "free") -> Seat:
    """A game in which Ada has peeked at a card that depends on the seed."""
    monkeypatch.setattr("events.sessions.secrets.token_bytes", lambda count: bytes([seed]) * count)
    game = ada.create(seats="mo", undo=undo)
    monkeypatch.undo()
    bob.at(game).do("join_game", {"seat": 1})
    game.do("peek")
    return game


def blanked(told: bytes) -> bytes:
    for pattern, blank in _BLANKED:
        told = pattern.sub(blank, told)
    return told


@pytest.mark.parametrize("channel", [*CHANNELS, *FOR_PLAYERS])
def test_no_channel_tells_a_secret(
    ada: Client, bob: Client, visitor: Client, monkeypatch: pytest.MonkeyPatch, channel: str
) -> None:
    games = [secretive(ada, bob, seed, monkeypatch) for seed in (1, 2, 3, 4)]
    assert len({tuple(game.see("board")["board"]["seen"][0]) for game in games}) > 1
    for outsider in (bob,) if channel in FOR_PLAYERS else (bob, visitor):
        look = {**CHANNELS, **FOR_PLAYERS}[channel]
        assert len({blanked(look(outsider.at(game))) for game in games}) == 1


def test_the_owner_of_the_secret_is_told_it(ada: Client, bob: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    games = [secretive(ada, bob, seed, monkeypatch) for seed in (1, 2, 3, 4)]
    for channel in ("board", "events", "export", "stream"):
        assert len({blanked(CHANNELS[channel](game)) for game in games}) > 1


def test_names_are_in_no_log(ada: Client, bob: Client) -> None:
    game = ada.create(seats="mo")
    bob.at(game).do("join_game", {"seat": 1})
    game.do("finish")
    for channel in ("events", "stream", "lines", "export", "audit"):
        assert b"Ada" not in CHANNELS[channel](game)
