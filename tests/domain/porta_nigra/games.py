"""Random whole games for the property tests; ANNALES_FUZZ multiplies their number."""

from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.porta_nigra import PORTA_NIGRA
from domain.porta_nigra.options import PortaNigraOptions
from tests.support.examples import examples
from tests.support.playing import Playthrough

_GAMES = st.builds(
    lambda seats, seed, cost: Playthrough(PORTA_NIGRA, seats, PortaNigraOptions(roman_cost=cost), seed),
    st.integers(2, 4),
    st.integers(0, 10**6),
    st.integers(1, 2),
)


def over_games(number: int) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Run a test of `game` over so many games, in proportion."""

    def decorate(test: Callable[..., None]) -> Any:
        return settings(max_examples=examples(number), deadline=None)(given(game=_GAMES)(test))

    return decorate
