"""How often the greedy bot beats random ones. Both are given the bytes of what their seat sees, as in production."""

import signal
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from bench.figures import wilson
from bench.report import Column, Effort, Measured
from domain.catalogue import GAMES
from events.ruleset import Ruleset
from tests.support.playing import Playthrough
from workers.bots import choose

TITLE = "Greedy against random"
SEATS = (2, 3, 4)
MOST_COMMANDS = 5000

COLUMNS = (
    Column("game", "game"),
    Column("seats", "seats"),
    Column("games", "games"),
    Column("won", "won"),
    Column("shared", "shared"),
    Column("rate", "won %", ".1f"),
    Column("low", "95 % from", ".1f"),
    Column("high", "to", ".1f"),
    Column("margin", "mean margin", ".1f"),
)
NOTES = (
    "One greedy bot, random ones in all other seats; the greedy one sits in each seat equally often.",
    (
        "won: alone; shared victories are counted apart and are not in the rate. Interval after Wilson. margin: points ahead of "
        "the best other seat."
    ),
)


class Bout(Struct, frozen=True):
    """One game: the ruleset, the number of seats, which seat is greedy, the seed of all luck."""

    game: str
    seats: int
    greedy: int
    seed: int


class Ended(Struct, frozen=True):
    """How a bout ended for the greedy bot."""

    outcome: str
    margin: int


def run(effort: Effort) -> Measured:
    """Play each ruleset with each number of seats."""
    with ProcessPoolExecutor(effort.processes, get_context("spawn"), _leave_ctrl_c_to_the_parent) as pool:
        rows = [
            _row(pool, game.id, seats, effort.games)
            for game in GAMES.values()
            for seats in SEATS
            if seats in game.seats
        ]
    return Measured(title=TITLE, columns=COLUMNS, rows=rows, notes=NOTES)


def _row(pool: ProcessPoolExecutor, game: str, seats: int, games: int) -> dict[str, Any]:
    bouts = [Bout(game=game, seats=seats, greedy=number % seats, seed=number) for number in range(games)]
    ended = list(pool.map(fight, bouts, chunksize=max(1, games // 50)))
    counts = Counter(each.outcome for each in ended)
    low, high = wilson(counts["won"], games)
    return {
        "game": game,
        "seats": seats,
        "games": games,
        "won": counts["won"],
        "shared": counts["shared"],
        "rate": 100 * counts["won"] / games,
        "low": 100 * low,
        "high": 100 * high,
        "margin": sum(each.margin for each in ended) / games,
    }


def fight(bout: Bout) -> Ended:
    """Play one game. Raises AssertionError when it does not end."""
    ruleset = Ruleset(GAMES[bout.game])
    luck = Random(bout.seed)
    play = Playthrough(ruleset.game, bout.seats, seed=bout.seed)
    for _ in range(MOST_COMMANDS):
        if play.is_over:
            return _ended(play, bout.greedy)
        seat = play.game.to_act(play.state)[0]
        view = msgspec.json.encode(play.game.view(play.state, seat))
        play.give(seat, choose(ruleset, "greedy" if seat == bout.greedy else "random", view, seat, luck))
    raise AssertionError(f"not over after {MOST_COMMANDS} commands: {bout}")


def _ended(play: Playthrough, greedy: int) -> Ended:
    result = play.game.result(play.state)
    assert result is not None, "asked only once the game is over"  # noqa: S101
    alone = len(result.winners) == 1
    outcome = "lost" if greedy not in result.winners else "won" if alone else "shared"
    best = max(score for seat, score in enumerate(result.scores) if seat != greedy)
    return Ended(outcome=outcome, margin=result.scores[greedy] - best)


def _leave_ctrl_c_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
