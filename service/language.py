"""The languages in which people are answered: which one a caller wants, and how a phrase is said in it.

English stands in the code; the catalogues in `locale/` have the others (`python -m service.messages` keeps them).
"""

from collections.abc import Iterator, Mapping
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from string import Formatter
from typing import Any

from babel.lists import format_list
from flask import Response, request

from domain.wording import Clauses, Phrase, PlayerName
from events.codec import AnyGame
from service.hungarian import article

DOMAIN = "annales"
SOMEBODY = Phrase("somebody")
"""A player whose name has been erased."""


class Language:
    """A language by its tag (`"hu"`)."""

    def __init__(self, tag: str, catalogue: NullTranslations) -> None:
        self.tag = tag
        self._catalogue = catalogue

    def text(self, template: str, context: str = "") -> str:
        """The template in this language; what the catalogue lacks stays English."""
        return self._catalogue.pgettext(context, template) if context else self._catalogue.gettext(template)

    def say(self, phrase: Phrase, players: Mapping[str, str] | None = None) -> str:
        """The phrase in this language, with the names of those `players` (by id) that have one."""
        return _Speech(self, players or {}).said(phrase)

    def sentence(self, phrase: Phrase, players: Mapping[str, str] | None = None) -> str:
        """The same as a sentence: a name or an article with which it begins gets a capital."""
        text = self.say(phrase, players)
        return text[:1].upper() + text[1:] if self._begins_small(phrase, players or {}) else text

    def _begins_small(self, phrase: Phrase, players: Mapping[str, str]) -> bool:
        before, field, spec, _ = next(iter(Formatter().parse(self.text(phrase.template, phrase.context))))
        if before or field is None:
            return False
        match phrase.params[field]:
            case PlayerName(id=player):
                return player not in players
            case value:
                return spec == "a" or isinstance(value, Phrase)


class _Speech(Formatter):
    """Fills templates in. Format specs: `point|points` adds the word to a number, `a` puts the Hungarian article first."""

    def __init__(self, language: Language, players: Mapping[str, str]) -> None:
        self._language = language
        self._players = players

    def said(self, phrase: Phrase) -> str:
        """The phrase with everything in it."""
        return self.vformat(self._language.text(phrase.template, phrase.context), (), phrase.params)

    def format_field(self, value: Any, format_spec: str) -> str:
        """A value in the form that the spec asks for."""
        text = self._text(value)
        one, bar, many = format_spec.partition("|")
        if bar:
            return f"{text} {one if value == 1 else many}"
        return f"{article(text)} {text}" if format_spec == "a" else text

    def _text(self, value: Any) -> str:
        match value:
            case Phrase():
                return self.said(value)
            case PlayerName(id=player):
                return self._players.get(player) or self.said(SOMEBODY)
            case Clauses(items=items):
                return "; ".join(map(self._text, items))
            case tuple():
                return format_list([self._text(each) for each in value], locale=self._language.tag)
            case _:
                return str(value)


def title_of(game: AnyGame) -> Phrase:
    """The title of a game."""
    return Phrase(game.title, context="game title")


def players_in(value: Any) -> Iterator[str]:
    """The ids of the players whom a phrase names."""
    match value:
        case PlayerName(id=player):
            yield player
        case Phrase(params=params):
            for each in params.values():
                yield from players_in(each)
        case Clauses(items=items):
            yield from players_in(items)
        case tuple():
            for each in value:
                yield from players_in(each)


def _catalogue(tag: str) -> NullTranslations:
    with files("service").joinpath("locale", tag, "LC_MESSAGES", f"{DOMAIN}.mo").open("rb") as compiled:
        return GNUTranslations(compiled)


ENGLISH = Language("en", NullTranslations())
LANGUAGES: Mapping[str, Language] = {"en": ENGLISH, "hu": Language("hu", _catalogue("hu"))}
"""All languages by tag; the first is the one of who asks for none of them."""


def language() -> Language:
    """The one that the caller likes best of those that we have, by `Accept-Language`: `en-GB` asks for English."""
    liked = sorted(request.accept_languages, key=lambda each: each[1], reverse=True)
    tags = (tag.partition("-")[0].lower() for tag, quality in liked if quality > 0)
    return next((LANGUAGES[tag] for tag in tags if tag in LANGUAGES), ENGLISH)


def in_language(response: Response) -> Response:
    """The response, marked as one in the language of the caller."""
    response.headers["Content-Language"] = language().tag
    response.vary.add("Accept-Language")
    return response
