"""Who gets what: the bonuses of a district and of the King, and the final ranking. Pure sums over cubes."""

from collections.abc import Sequence

from domain.canterbury.state import State
from domain.game import ranked


def district_bonus(cubes: Sequence[int], first: int, second: int) -> tuple[int, ...]:
    """The points by colour for a district: most cubes `first`, second most `second`.

    Tied for most: they share the first bonus and nobody is second. Tied for second: nobody gets it.
    """
    return _bonus(cubes, first, second, shared=first)


def kings_bonus(cubes: Sequence[int], first: Sequence[int], second: Sequence[int]) -> tuple[int, ...]:
    """The points by colour for a service; what a place is worth stands under the marker on that place.

    Tied for most: they share both bonuses. Tied for second: nobody gets the second bonus.
    """
    most, next_most = _places(cubes)
    return _bonus(cubes, first[most], second[next_most], shared=first[most] + second[most])


def _places(cubes: Sequence[int]) -> tuple[int, int]:
    """The highest number and the highest below it (0 if there is none)."""
    most = max(cubes)
    return most, max((count for count in cubes if count < most), default=0)


def _bonus(cubes: Sequence[int], first: int, second: int, *, shared: int) -> tuple[int, ...]:
    """Points by colour; who has no cube gets nothing."""
    most, next_most = _places(cubes)
    leaders = cubes.count(most)
    if not most:
        return (0,) * len(cubes)
    if leaders > 1:
        return tuple(shared // leaders if count == most else 0 for count in cubes)
    if not next_most or cubes.count(next_most) > 1:
        second = 0
    return tuple(first if count == most else second if count == next_most else 0 for count in cubes)


def ranking(state: State) -> tuple[tuple[int, ...], ...]:
    """The seats by points; of equals the one with fewer shillings comes first, and full equals share the rank."""
    return ranked([(score, -shillings) for score, shillings in zip(state.scores, state.shillings, strict=True)])
