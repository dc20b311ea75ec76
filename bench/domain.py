"""Whole random games in the domain alone, legal lists included."""

import time
from statistics import mean
from typing import Any

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
    "list mean and max: what making a list takes; the longest time may hold a pause of the garbage collector.",
)


class Timed(Playthrough):
    """A playthrough that measures its legal lists: `lists` has the length of each and its nanoseconds."""

    def __init__(self, game: AnyGame, seats: int, seed: int) -> None:
        self.lists: list[tuple[int, int]] = []
        super().__init__(game, seats, seed=seed)

    def choices(self) -> list[tuple[int, Command]]:
        """Every legal (seat, command) now."""
        choices = []
        for seat in self.game.to_act(self.state):
            start = time.thread_time_ns()
            commands = self.game.legal_commands(self.state, seat)
            self.lists.append((len(commands), time.thread_time_ns() - start))
            choices += [(seat, command) for command in commands]
        return choices


def run(effort: Effort) -> Measured:
    """Play games of each ruleset and number of seats at random."""
    rows = [_row(game, seats, effort.seconds) for game in GAMES.values() for seats in SEATS if seats in game.seats]
    return Measured(title=TITLE, columns=COLUMNS, rows=rows, notes=NOTES)


def _row(game: AnyGame, seats: int, seconds: float) -> dict[str, Any]:
    played: list[Timed] = []
    lists: list[tuple[int, int]] = []
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        one = Timed(game, seats, seed=len(played))
        one.play()
        lists += one.lists
        played.append(one)
    return {
        "game": game.id,
        "seats": seats,
        "games": len(played) / spent,
        "commands": len(lists) / len(played),
        "longest": max(length for length, _ in lists),
        "list_mean": mean(nanoseconds for _, nanoseconds in lists) / 1000,
        "list_max": max(nanoseconds for _, nanoseconds in lists) / 1000,
    }
