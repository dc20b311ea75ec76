"""Bots. A bot is given the bytes of what its seat sees, and nothing else."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from domain.chance import Chance, SeededChance
from domain.game import HOUSE, Command
from events.codec import AnyGame
from events.ruleset import Ruleset

Bot = Callable[[AnyGame, Any, int, Random], Command]
"""From a game, a state imagined from the view of a seat, that seat and a source of luck to a command."""

HORIZON = 16
"""How many steps that the service owes are played out after a command; no game owes more in a row."""


def choose(ruleset: Ruleset, bot: str, view: bytes, seat: int, luck: Random) -> Command:
    """The command that `bot` gives for `seat`, who sees `view` (JSON)."""
    imagined = ruleset.game.imagine(ruleset.read_view(view), imagination(luck))
    return BOTS[bot](ruleset.game, imagined, seat, luck)


def imagination(luck: Random) -> Chance:
    """The chance of an imagined game."""
    seed = luck.randbytes(32)
    return SeededChance(lambda: seed, "imagined", (), 0)


def play_random(game: AnyGame, state: Any, seat: int, luck: Random) -> Command:
    """Any legal command, each as likely."""
    commands: Sequence[Command] = game.legal_commands(state, seat)
    return luck.choice(commands)


def play_greedy(game: AnyGame, state: Any, seat: int, luck: Random) -> Command:
    """The legal command that leads to the best position for the seat, one step ahead."""
    commands: Sequence[Command] = game.legal_commands(state, seat)
    chance = imagination(luck)
    values = [game.evaluate(after(game, state, seat, command, chance), seat) for command in commands]
    best = max(values)
    return luck.choice([command for command, value in zip(commands, values, strict=True) if value == best])


def after(game: AnyGame, state: Any, seat: int, command: Command, chance: Chance) -> Any:
    """The imagined state after a command and the steps that the service then owes."""
    for event in game.decide(state, seat, command, chance):
        state = game.evolve(state, event)
    for _ in range(HORIZON):
        owed = game.owed(state)
        if owed is None:
            break
        for event in game.decide(state, HOUSE, owed, chance):
            state = game.evolve(state, event)
    return state


BOTS: dict[str, Bot] = {"random": play_random, "greedy": play_greedy}
