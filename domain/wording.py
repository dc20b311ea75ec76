"""What people read of a game: names, and one sentence for each event, as templates that can be said in any language.

English stands in the templates; other languages translate them whole. Nothing here knows which language is meant.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct

SEAT = "seat"
"""The kind of a field that holds the number of a seat, or several."""

PLAYER = "player"
"""The kind of a field that holds the id of a player."""


class PlayerName(Struct, frozen=True):
    """The name of the player with that id, which only the service knows."""

    id: str


class Phrase(Struct, frozen=True):
    """A template for `str.format` and what goes into it: whole numbers, texts, phrases, clauses, or lists (tuples) of these.

    `context` sets names apart that are spelt alike. A format spec with a bar gives the word after a number:
    `"{points:point|points}"` is `"1 point"` or `"3 points"`.
    """

    template: str
    params: Mapping[str, Any] = {}
    context: str = ""

    def __str__(self) -> str:
        """The phrase in English; for those whose template has no format specs of ours."""
        return self.template.format(**self.params)


class Clauses(Struct, frozen=True):
    """Several phrases that stand side by side, each whole in itself: `Seat 0: 12; Seat 1: 9`."""

    items: tuple[Phrase, ...]


Names = Mapping[str, Mapping[str, Phrase]]
"""The names of a game: kind (`"province"`) -> id -> name."""

Teller = Callable[[Any, int], Phrase]
"""Makes the phrase for an event at a table of so many seats, where the fields of the event do not say all."""


class Wording:
    """The names and the sentences of a game, or of the table.

    `kinds` says which fields of events hold what: the kind of a name, SEAT or PLAYER. `sentences` has a phrase for each
    type of event, which the fields fill in, or a function that makes it.
    """

    def __init__(
        self, names: Names, kinds: Mapping[str, str], sentences: Mapping[type[Struct], Phrase | Teller]
    ) -> None:
        self.names = names
        self.sentences = sentences
        self._kinds = kinds

    def describe(self, event: Struct, seats: int) -> Phrase:
        """The sentence for `event`, at a table of `seats`: of its public data, and of the private parts that it holds."""
        found = self.sentences[type(event)]
        phrase = found if isinstance(found, Phrase) else found(event, seats)
        fields = {name: self._said(name, getattr(event, name)) for name in event.__struct_fields__ if name != "private"}
        return Phrase(phrase.template, {**fields, **phrase.params}, phrase.context)

    def _said(self, field: str, value: Any) -> Any:
        """The value of a field, by its name where it has one: what a later edition has called differently stays as it is."""
        if isinstance(value, tuple):
            return tuple(self._said(field, each) for each in value)
        kind = self._kinds.get(field)
        if kind is None or value is None:
            return value
        if kind == PLAYER:
            return PlayerName(value)
        return seat_name(value) if kind == SEAT else self.names[kind].get(value, value)


def seat_name(seat: int) -> Phrase:
    """A seat by its number."""
    return Phrase("Seat {number}", {"number": seat})


def seat_names(seats: tuple[int, ...]) -> tuple[Phrase, ...]:
    """Seats by their numbers."""
    return tuple(map(seat_name, seats))


def points_of(points: Iterable[tuple[int, int]]) -> Clauses:
    """The points of seats, as pairs of a seat and what it has."""
    return Clauses(tuple(Phrase("{seat}: {points}", {"seat": seat_name(seat), "points": has}) for seat, has in points))


def scores(points: tuple[int, ...]) -> Clauses:
    """What each seat has, from seat 0 on."""
    return points_of(enumerate(points))


def named(context: str, names: Mapping[str, str]) -> dict[str, Phrase]:
    """A table of names, told apart from others by `context`."""
    return {known: Phrase(name, context=context) for known, name in names.items()}
