"""Events in words, in every language, and what must hold of them."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from msgspec.structs import replace

from domain.game import Event
from domain.table import WORDING, TableEvent
from domain.wording import Wording
from events.codec import AnyGame
from service.language import ENGLISH, LANGUAGES, Language

HUNGARIAN = LANGUAGES["hu"]


def told(game: AnyGame, event: Event, seats: int, language: Language = ENGLISH) -> str:
    """The sentence for an event with all its private parts."""
    wording = WORDING if isinstance(event, TableEvent) else game.wording
    return language.sentence(wording.describe(event, seats), {})


def seen_by(event: Event, viewer: int | None) -> Event:
    """The event with those private parts alone that `viewer` may read."""
    if "private" not in event.__struct_fields__:
        return event
    private: tuple[Any, ...] = event.private  # type: ignore[attr-defined]
    return replace(event, private=tuple(part for part in private if viewer in part.seats))


def check_all(game: AnyGame, events: Iterable[Event], seats: int) -> None:
    """Every event is a sentence in every language, with no placeholder left and no id where there is a name."""
    for event in events:
        for language in LANGUAGES.values():
            text = told(game, event, seats, language)
            assert text, event
            assert text[0].isupper() or text[0].isdigit(), text
            assert text.endswith("."), text
            assert not set("{}|") & set(text), text
            assert not (found := _nameless(game.wording, language).findall(text)), (text, found)


@cache
def _nameless(wording: Wording, language: Language) -> re.Pattern[str]:
    """Ids that are not among the words of their names, and so must not be read anywhere."""
    names = {known: language.say(name) for names in wording.names.values() for known, name in names.items()}
    words = {word for name in names.values() for word in re.findall(r"\w+", name)}
    return re.compile(r"\b(?:" + "|".join(re.escape(known) for known in names if known not in words) + r")\b|\w+_\w+")
