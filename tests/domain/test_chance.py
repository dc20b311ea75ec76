"""Chance: the pinned vectors that another implementation must reproduce, and that every order is as likely."""

import hmac
import json
from collections import Counter
from collections.abc import Iterator
from itertools import count, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.chance import SeededChance

SEED = bytes(range(32))
LUCK = "sha256:a7a45ea923c6229b341e2d21ff8fde3a4ca180f38c920a479dcfb7679389841b"
TEN = tuple(range(1, 11))


def chance(seed: bytes = SEED, game: str = "g1", entropies: tuple[str, ...] = (), draws: int = 0) -> SeededChance:
    return SeededChance(lambda: seed, game, entropies, draws)


def words_by_the_book(seed: bytes, game: str, entropies: list[str], label: str, draw: int) -> Iterator[int]:
    """The stream as its documentation states it, written with nothing of the product."""
    for block in count():
        message = json.dumps([game, entropies, label, draw, block], separators=(",", ":"), ensure_ascii=False)
        stream = hmac.new(seed, message.encode(), "sha256").digest()
        yield from (int.from_bytes(stream[at : at + 4], "big") for at in range(0, 32, 4))


def shuffled_by_the_book(items: list[int], words: Iterator[int]) -> list[int]:
    for last in range(len(items) - 1, 0, -1):
        word = next(words)
        while word >= 2**32 // (last + 1) * (last + 1):
            word = next(words)
        other = word % (last + 1)
        items[last], items[other] = items[other], items[last]
    return items


def test_the_first_draw_of_the_vector_comes_out_as_pinned() -> None:
    shuffle = chance().shuffle("cards", TEN)
    assert shuffle.order == (8, 9, 2, 10, 1, 3, 7, 5, 4, 6)
    assert (shuffle.label, shuffle.draw, shuffle.items) == ("cards", 0, TEN)


def test_the_later_draws_of_the_vector_come_out_as_pinned_and_are_numbered() -> None:
    drawn = chance()
    drawn.shuffle("cards", TEN)
    second = drawn.shuffle("cards", TEN)
    third = drawn.shuffle("tiles", ["olive", "olive", "thyme", "wine", "wheat"])
    assert (second.draw, second.order) == (1, (3, 6, 9, 10, 4, 2, 7, 1, 8, 5))
    assert (third.draw, third.order) == (2, ("olive", "olive", "wine", "thyme", "wheat"))
    assert drawn.draws == 3


def test_a_shuffle_of_many_takes_several_blocks_as_pinned() -> None:
    assert chance().shuffle("big", range(300)).order[:8] == (13, 3, 238, 146, 23, 123, 128, 199)


def test_entropy_changes_the_vector_as_pinned() -> None:
    assert chance(entropies=(LUCK,)).shuffle("cards", TEN).order == (6, 10, 9, 5, 2, 8, 1, 3, 4, 7)


def test_a_chance_that_goes_on_at_a_draw_makes_the_very_draw_of_that_number() -> None:
    whole = chance()
    draws = [whole.shuffle("cards", TEN) for _ in range(3)]
    assert chance(draws=2).shuffle("cards", TEN) == draws[2]


@pytest.mark.parametrize(
    "other",
    [
        chance(seed=bytes(32)),
        chance(game="g2"),
        chance(entropies=(LUCK,)),
        chance(entropies=(LUCK, LUCK)),
        chance(draws=1),
    ],
    ids=["seed", "game", "entropy", "entropy twice", "draw"],
)
def test_whatever_goes_into_a_draw_changes_it(other: SeededChance) -> None:
    assert other.shuffle("cards", range(40)).order != chance().shuffle("cards", range(40)).order


def test_the_label_changes_a_draw() -> None:
    assert chance().shuffle("tiles", range(40)).order != chance().shuffle("cards", range(40)).order


def test_the_order_of_entropies_changes_a_draw() -> None:
    one, two = chance(entropies=("a", "b")), chance(entropies=("b", "a"))
    assert one.shuffle("cards", range(40)).order != two.shuffle("cards", range(40)).order


@given(
    seed=st.binary(min_size=32, max_size=32),
    game=st.text('abcXYZ0123-_é"\\\n', min_size=1, max_size=8),
    entropies=st.lists(st.text("abc:0", min_size=1, max_size=6), max_size=3),
    label=st.sampled_from(["cards", "tiles", "fort_cards"]),
    draw=st.integers(0, 10**6),
    size=st.integers(0, 60),
)
def test_every_draw_is_the_documented_one(
    seed: bytes, game: str, entropies: list[str], label: str, draw: int, size: int
) -> None:
    by_the_book = shuffled_by_the_book(list(range(size)), words_by_the_book(seed, game, entropies, label, draw))
    assert chance(seed, game, tuple(entropies), draw).shuffle(label, range(size)).order == tuple(by_the_book)


def test_nothing_is_asked_of_the_seed_before_the_first_draw() -> None:
    asked = []

    def seed() -> bytes:
        asked.append(True)
        return SEED

    drawn = SeededChance(seed, "g1", (), 0)
    assert not asked
    drawn.shuffle("cards", TEN)
    assert asked


@pytest.mark.parametrize("items", [(), (1,), ("a",)])
def test_what_cannot_be_shuffled_stays_and_still_counts_as_a_draw(items: tuple[int, ...]) -> None:
    drawn = chance()
    assert drawn.shuffle("cards", items).order == items
    assert drawn.draws == 1


def test_words_that_would_favour_some_places_are_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    first_too_high = 2**32 - 2**32 % 10
    words = [2**32 - 1, first_too_high, first_too_high - 1, *[0] * 13]
    blocks = iter([b"".join(word.to_bytes(4, "big") for word in words[at : at + 8]) for at in (0, 8)])
    monkeypatch.setattr("domain.chance.hmac.digest", lambda *_: next(blocks))
    # The last place keeps its card (9 mod 10 = 9); from then on each place changes with the first.
    assert chance().shuffle("cards", TEN).order == (2, 3, 4, 5, 6, 7, 8, 9, 1, 10)


def chi_square(counts: Counter[object], cells: int, total: int) -> float:
    expected = total / cells
    return sum((number - expected) ** 2 / expected for number in counts.values()) + expected * (cells - len(counts))


def test_each_order_of_four_is_equally_likely() -> None:
    """24 orders, 12,000 seeds: with 23 degrees of freedom, a fair shuffle stays below 49.7 in 999 of 1000 cases."""
    total = 12_000
    counts: Counter[object] = Counter(
        chance(seed=number.to_bytes(32, "big")).shuffle("cards", (0, 1, 2, 3)).order for number in range(total)
    )
    assert set(counts) == set(permutations(range(4)))
    assert chi_square(counts, 24, total) < 49.7


def test_each_place_gets_each_of_seven_cards_equally_often_over_the_draws_of_one_game() -> None:
    """7 cards in 7 places, 7,000 draws: each place has 6 degrees of freedom, 22.5 is passed once in 1000."""
    drawn, total = chance(), 7_000
    orders = [drawn.shuffle("cards", range(7)).order for _ in range(total)]
    for place in range(7):
        counts: Counter[object] = Counter(order[place] for order in orders)
        assert chi_square(counts, 7, total) < 22.5
