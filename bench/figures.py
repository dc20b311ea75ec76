"""Figures made of measurements."""

from collections.abc import Sequence
from math import ceil, sqrt

_95_PERCENT = 1.959964


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest of `values` that at least `share` of them (0 to 1) do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


def wilson(hits: int, tries: int) -> tuple[float, float]:
    """The 95 % confidence interval of a rate after Wilson (1927)."""
    rate, z = hits / tries, _95_PERCENT
    middle = rate + z * z / (2 * tries)
    spread = z * sqrt(rate * (1 - rate) / tries + z * z / (4 * tries * tries))
    scale = 1 + z * z / tries
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)
