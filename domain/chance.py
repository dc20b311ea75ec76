"""Chance that can be checked: every shuffle comes from the game's seed and is recorded whole.

The bytes of draw number `draw` are the blocks HMAC-SHA-256(seed, canonical([game, [entropy digests], label, draw, block]))
for block 0, 1, 2, … Whole numbers are taken from them four bytes at a time, big end first, by rejection sampling;
a shuffle is Fisher-Yates from the last place down. `draw` counts the shuffles of a game and never goes back, not even when
history is rewound, so no draw can be made twice.
"""

import hmac
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from domain.canonical import canonical

Item = int | str

_WORD = 4
_WORDS = 1 << (8 * _WORD)


class Shuffle(Struct, frozen=True, forbid_unknown_fields=True):
    """The record of one shuffle: `items` as they lay before, `order` as they lie after.

    `draw` is its number within the game, from 0. Recorded in an event (in a private part where it is a secret), it lets
    a replay go without randomness and an audit draw it again.
    """

    label: str
    draw: int
    items: tuple[Item, ...]
    order: tuple[Item, ...]


class Chance(Protocol):
    """What `decide` and `imagine` draw from."""

    def shuffle(self, label: str, items: Sequence[Item]) -> Shuffle:
        """Shuffle `items`; `label` names what is shuffled, such as `"fort_cards"`."""
        ...


class SeededChance:
    """The chance of a real game: drawn from its seed, numbered from `draws` on.

    `seed` is asked for at the first draw only, since it lies apart from the state of the game.
    """

    def __init__(self, seed: Callable[[], bytes], game: str, entropies: Sequence[str], draws: int) -> None:
        self._seed = seed
        self._game = game
        self._entropies = list(entropies)
        self.draws = draws

    def shuffle(self, label: str, items: Sequence[Item]) -> Shuffle:
        """Shuffle `items` with the next draw of the game."""
        before = tuple(items)
        words = self._words(label, self.draws)
        order = list(before)
        for last in range(len(order) - 1, 0, -1):
            other = _below(words, last + 1)
            order[last], order[other] = order[other], order[last]
        record = Shuffle(label=label, draw=self.draws, items=before, order=tuple(order))
        self.draws += 1
        return record

    def _words(self, label: str, draw: int) -> Iterator[int]:
        """The random words of one draw: whole numbers below 2**32."""
        seed = self._seed()
        block = 0
        while True:
            message = canonical([self._game, self._entropies, label, draw, block])
            stream = hmac.digest(seed, message, "sha256")
            for start in range(0, len(stream), _WORD):
                yield int.from_bytes(stream[start : start + _WORD], "big")
            block += 1


def _below(words: Iterator[int], bound: int) -> int:
    """A whole number in 0 … bound-1, each equally likely."""
    limit = _WORDS - _WORDS % bound
    return next(word for word in words if word < limit) % bound
