"""The little that all games share."""

import pytest

from domain.game import ranked


@pytest.mark.parametrize(
    ("keys", "ranking"),
    [
        ([3, 5, 3], ((1,), (0, 2))),
        ([1, 1], ((0, 1),)),
        ([(2, 1), (2, 4), (1, 9)], ((1,), (0,), (2,))),
        ([], ()),
    ],
)
def test_the_highest_key_ranks_first_and_equal_keys_share_a_rank(
    keys: list[object], ranking: tuple[tuple[int, ...], ...]
) -> None:
    assert ranked(keys) == ranking
