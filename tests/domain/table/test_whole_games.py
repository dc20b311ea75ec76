"""Whole games of every ruleset with undo and redo mixed in: boards come back byte for byte, and the log replays to them."""

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from domain.table import is_reveal, undo_for
from domain.table.commands import Redo, RequestUndo, Resign
from domain.table.events import GameEnded, HistoryRewound, SeatResigned, SeedRevealed
from domain.table.undo import MOST_STEPS
from events import audit
from tests.support.examples import examples
from tests.support.logged import RULESETS, LoggedGame, hot_seat

GAMES = [*RULESETS.by_id]


class Move(Struct, frozen=True):
    """One command on the line that is played now: the version before it, and who gave it."""

    before: int
    seat: int | None


class Line:
    """What a seat may take back, worked out from the log alone, apart from the table's own bookkeeping.

    `floor` is the version below which nobody goes back: something was shown, or somebody else has acted.
    """

    def __init__(self) -> None:
        self.moves: list[Move] = []
        self.undone: list[tuple[int, list[Move]]] = []
        self.floor = 0

    def take(self, game: LoggedGame, since: int) -> None:
        """The events of one command, which came after version `since`."""
        first, events = game.log[since], game.typed[since:]
        rewound = events[0]
        if isinstance(rewound, HistoryRewound):
            if rewound.redo:
                _, self.moves = self.undone.pop()
            else:
                self.undone.append((since, self.moves))
                self.moves = [move for move in self.moves if move.before < rewound.to]
            return
        if first.actor != "player" or isinstance(rewound, SeatResigned) or any(map(is_reveal, events)):
            self.floor = game.version
        elif any(move.seat != first.seat and move.before >= self.floor for move in self.moves):
            self.floor = since
        self.moves = [*self.moves, Move(since, first.seat)]
        self.undone = []

    def back_to(self, seat: int) -> list[int]:
        """The versions that `seat` may go back to, the nearest first."""
        mine = [move.before for move in self.moves if move.before >= self.floor and move.seat == seat]
        return mine[::-1][:MOST_STEPS]


@pytest.mark.parametrize("ruleset", GAMES)
@settings(max_examples=examples(12))
@given(data=st.data())
def test_undo_and_redo_bring_back_every_board_of_every_ruleset(ruleset: str, data: st.DataObject) -> None:
    seats = data.draw(st.sampled_from(RULESETS[ruleset].game.seats))
    rng = random.Random(data.draw(st.integers(0, 2**32)))
    undoes, resigns = data.draw(st.sampled_from([0.1, 0.3, 0.5])), data.draw(st.booleans())
    game = LoggedGame(hot_seat(ruleset, seats), seed=rng.randbytes(32))
    boards, line = {game.version: game.board}, Line()
    while game.table.status == "active" and game.version < 1200:
        since = game.version
        _one_more(game, line, rng, undoes if game.version < 600 else 0.0, resigns=resigns)
        line.take(game, since)
        boards[game.version] = game.board
        last = game.typed[since]
        if isinstance(last, HistoryRewound):
            assert game.board == boards[last.to]
        _assert_offers(game, line)
    _assert_replays(game, boards)


def _one_more(game: LoggedGame, line: Line, rng: random.Random, undoes: float, *, resigns: bool) -> None:
    """One command: an undo or a redo where there is one and luck will have it, else any command of the game."""
    luck, seat = rng.random(), rng.choice(range(len(game.table.seats)))
    if luck < undoes and line.undone and rng.random() < 0.5:
        owner = line.undone[-1][1][-1].seat
        game.give(Redo(), owner)
    elif luck < undoes and (back := line.back_to(seat)):
        game.give(RequestUndo(to_version=rng.choice(back)), seat)
    elif resigns and luck > 0.997 and not game.table.seats[seat].resigned:
        game.give(Resign(), seat)
    else:
        game.step(rng)


def _assert_offers(game: LoggedGame, line: Line) -> None:
    """That every seat is told what it may undo and redo, no more and no less."""
    for seat in range(len(game.table.seats)):
        offer, back = undo_for(game.table, seat), line.back_to(seat)
        if game.table.status != "active":
            assert not offer.allowed
            continue
        assert offer.allowed == bool(back)
        assert (offer.reason is None) == bool(back)
        if back:
            assert (offer.to_version, offer.earliest_version) == (back[0], back[-1])
        mine = bool(line.undone) and line.undone[-1][1][-1].seat == seat
        assert offer.redo_to == (line.undone[-1][0] if mine else None)


def _assert_replays(game: LoggedGame, boards: dict[int, bytes]) -> None:
    for version, board in boards.items():
        assert msgspec.json.encode(game.history.state(version)) == board
    report = audit.verify(game.lines(), RULESETS)
    assert report.first_bad is None
    if game.table.status == "finished":
        assert report.verdict == "verified"
        assert isinstance(game.typed[-2], GameEnded)
        assert isinstance(game.typed[-1], SeedRevealed)


@pytest.mark.parametrize("ruleset", GAMES)
@settings(max_examples=examples(5))
@given(seed=st.integers(0, 2**32), data=st.data())
def test_a_game_does_not_depend_on_what_was_tried_and_taken_back(ruleset: str, seed: int, data: st.DataObject) -> None:
    """Two games from one seed, the same commands, in one of them each turn first played otherwise and undone: equal in the end.

    Only as far as nothing is drawn, since the count of draws never goes back.
    """
    rng = random.Random(seed)
    straight, winding = (LoggedGame(hot_seat(ruleset), seed=seed.to_bytes(32, "big")) for _ in "ab")
    for _ in range(30):
        if straight.table.status != "active" or straight.table.draws != winding.table.draws:
            break
        if straight.pending:
            straight.settle()
            winding.settle()
            continue
        seat = rng.choice(straight.awaited)
        _wander(winding, seat, random.Random(data.draw(st.integers(0, 99))))
        assert winding.legal(seat) == straight.legal(seat)
        command = rng.choice(straight.legal(seat))
        straight.give(command, seat)
        winding.give(command, seat)
        assert winding.board == straight.board


def _wander(game: LoggedGame, seat: int, rng: random.Random) -> None:
    """A command of the seat that is taken back again, unless it reveals something or ends the game."""
    order = game.order(rng.choice(game.legal(seat)), seat)
    if any(map(is_reveal, game.tried([order]).typed)):
        return
    since = game.version
    game.batch([order])
    game.give(RequestUndo(to_version=since), seat)
