"""Random whole games for the property tests; ANNALES_FUZZ multiplies their number."""

import os
from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.porta_nigra import PORTA_NIGRA
from domain.porta_nigra.options import PortaNigraOptions
from tests.support.playing import Playthrough

FUZZ = int(os.environ.get("ANNALES_FUZZ", "1"))

_GAMES = st.builds(
    lambda seats, seed, cost: Playthrough(PORTA_NIGRA, seats, PortaNigraOptions(roman_cost=cost), seed),
    st.integers(2, 4),
    st.integers(0, 10**6),
    st.integers(1, 2),
)


def over_games(examples: int) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Run a test of `game` over so many games."""

    def decorate(test: Callable[..., None]) -> Any:
        return settings(max_examples=examples * FUZZ, deadline=None)(given(game=_GAMES)(test))

    return decorate
