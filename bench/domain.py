"""Whole random games in the domain alone, legal lists included."""

import time
from collections.abc import Sequence
from heapq import heappush, heapreplace
from typing import Any, NamedTuple

from bench.report import Column, Effort, Measured
from domain.catalogue import GAMES
from domain.game import Command
from events.codec import AnyGame
from tests.support.playing import Playthrough

TITLE = "Whole random games in the domain"
SEATS = (2, 3, 4)

COLUMNS = (
    Column("game", "game"),
    Column("seats", "seats"),
    Column("games", "games per second", ".0f"),
    Column("commands", "commands of a game", ".0f"),
    Column("longest", "longest legal list"),
    Column("list_mean", "list mean µs", ".0f"),
    Column("list_max", "list max µs", ".0f"),
)
NOTES = (
    (
        "Seconds of processor time of one core. A game is set up, and at each step the list of all legal commands is made, "
        "one of them chosen, decided and folded, to the end."
    ),
    (
        "list mean and max: what making a list takes. The max is that of the slowest positions, each tried again and counted "
        "with its best time, since a busy machine makes some list or other slow."
    ),
)
SLOWEST = 1000
"""Positions that are tried again."""
AGAIN = 3


class Slow(NamedTuple):
    """A legal list that took so many nanoseconds; `number` tells equals apart."""

    nanoseconds: int
    number: int
    state: Any
    seat: int


class Lists:
    """What is found out about the legal lists of a game."""

    def __init__(self, game: AnyGame) -> None:
        self.count = self.longest = 0
        self._game = game
        self._nanoseconds = 0
        self._slowest: list[Slow] = []

    def make(self, state: Any, seat: int) -> Sequence[Command]:
        """Make one list."""
        commands, nanoseconds = self._timed(state, seat)
        self.count += 1
        self.longest = max(self.longest, len(commands))
        self._nanoseconds += nanoseconds
        slow = Slow(nanoseconds, self.count, state, seat)
        if len(self._slowest) < SLOWEST:
            heappush(self._slowest, slow)
        elif nanoseconds > self._slowest[0].nanoseconds:
            heapreplace(self._slowest, slow)
        return commands

    def mean(self) -> float:
        """The mean time of a list, in microseconds."""
        return self._nanoseconds / self.count / 1000

    def slowest(self) -> float:
        """The time of the slowest list, in microseconds."""
        return max(min(self._timed(slow.state, slow.seat)[1] for _ in range(AGAIN)) for slow in self._slowest) / 1000

    def _timed(self, state: Any, seat: int) -> tuple[Sequence[Command], int]:
        start = time.thread_time_ns()
        commands = self._game.legal_commands(state, seat)
        return commands, time.thread_time_ns() - start


class Timed(Playthrough):
    """A playthrough that measures its legal lists."""

    def __init__(self, game: AnyGame, seats: int, seed: int, lists: Lists) -> None:
        self._lists = lists
        super().__init__(game, seats, seed=seed)

    def choices(self) -> list[tuple[int, Command]]:
        """Every legal (seat, command) now."""
        state = self.state
        return [(seat, command) for seat in self.game.to_act(state) for command in self._lists.make(state, seat)]


def run(effort: Effort) -> Measured:
    """Play games of each ruleset and number of seats at random."""
    rows = [_row(game, seats, effort.seconds) for game in GAMES.values() for seats in SEATS if seats in game.seats]
    return Measured(title=TITLE, columns=COLUMNS, rows=rows, notes=NOTES)


def _row(game: AnyGame, seats: int, seconds: float) -> dict[str, Any]:
    games, lists = 0, Lists(game)
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        Timed(game, seats, games, lists).play()
        games += 1
    return {
        "game": game.id,
        "seats": seats,
        "games": games / spent,
        "commands": lists.count / games,
        "longest": lists.longest,
        "list_mean": lists.mean(),
        "list_max": lists.slowest(),
    }
