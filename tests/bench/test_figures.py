import pytest

from bench.figures import percentile, wilson


def test_a_percentile_is_one_of_the_values() -> None:
    values = [5.0, 1.0, 3.0, 2.0, 4.0]
    assert [percentile(values, share) for share in (0.0, 0.2, 0.5, 0.99, 1.0)] == [1.0, 1.0, 3.0, 5.0, 5.0]


@pytest.mark.parametrize(
    ("hits", "tries", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (50, 100, 0.4038, 0.5962), (190, 200, 0.9104, 0.9726)],
)
def test_the_interval_is_that_of_wilson(hits: int, tries: int, low: float, high: float) -> None:
    assert list(wilson(hits, tries)) == pytest.approx([low, high], abs=1e-4)
