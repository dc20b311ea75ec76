"""What is told of each ruleset: what may be chosen at a table, done, and happen, and the static data of the game."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, get_args

import msgspec
from msgspec import Struct

from domain.errors import Rule
from domain.game import Event
from domain.table import COMMANDS, EVENTS
from domain.table.commands import BotName
from events.ruleset import Ruleset, Rulesets
from service.language import Language, title_of
from service.shapes import EventShape, command_shape, event_shape


class SeatRange(Struct, frozen=True):
    """How many seats a table may have."""

    min: int
    max: int


class RulesetSummary(Struct, frozen=True):
    """A ruleset. `rules` is the version of its rules, `editions` those of its data, each with the digest of the data."""

    id: str
    title: str
    rules: int
    seats: SeatRange
    editions: Mapping[str, str]
    bots: Sequence[str]


class RulesetList(Struct, frozen=True):
    """All rulesets."""

    items: Sequence[RulesetSummary]
    next: None = None


class RulesetPage(Struct, frozen=True):
    """All about a ruleset. `options`, `commands` and `events` are JSON Schemas; those of every table come first.

    `names` are the names of pieces, places and cards: kind, id, name. They, the title and the sentences of `rulebook` are in
    the language that `Accept-Language` asks for.
    """

    id: str
    title: str
    rules: int
    seats: SeatRange
    editions: Mapping[str, str]
    bots: Sequence[str]
    options: dict[str, Any]
    commands: Mapping[str, dict[str, Any]]
    events: Mapping[str, EventShape]
    rulebook: Sequence[Rule]
    names: Mapping[str, Mapping[str, str]]
    reference: Mapping[str, Any]


class Page(Struct, frozen=True):
    """A ready answer and its entity tag."""

    body: bytes
    etag: str

    @classmethod
    def of(cls, value: Any) -> "Page":
        """The page that shows `value`."""
        body = msgspec.json.encode(value)
        return cls(body=body, etag=f'"{sha256(body).hexdigest()[:16]}"')


class RulesetPages:
    """The pages of all rulesets in one language, made once, since they change with the code alone."""

    def __init__(self, rulesets: Rulesets, spoken: Language) -> None:
        found = rulesets.by_id
        self.all = Page.of(RulesetList([summary_of(ruleset, spoken) for ruleset in found.values()]))
        self.by_id = {name: Page.of(page_of(ruleset, spoken)) for name, ruleset in found.items()}


def summary_of(ruleset: Ruleset, spoken: Language) -> RulesetSummary:
    """The short form of a ruleset."""
    game = ruleset.game
    return RulesetSummary(
        id=game.id,
        title=spoken.say(title_of(game)),
        rules=game.rules,
        seats=SeatRange(min=game.seats[0], max=game.seats[-1]),
        editions=game.editions,
        bots=get_args(BotName),
    )


def page_of(ruleset: Ruleset, spoken: Language) -> RulesetPage:
    """The long form of a ruleset."""
    game = ruleset.game
    commands = [*COMMANDS.values(), *game.command_types]
    events: list[type[Event]] = [*EVENTS, *game.event_types]
    return RulesetPage(
        **msgspec.structs.asdict(summary_of(ruleset, spoken)),
        options=command_shape(game.options_type),
        commands={command.type: command_shape(command) for command in commands},
        events={event.type: event_shape(event) for event in events},
        rulebook=[msgspec.structs.replace(rule, says=spoken.text(rule.says)) for rule in game.rulebook],
        names={
            kind: {known: spoken.say(name) for known, name in names.items()}
            for kind, names in game.wording.names.items()
        },
        reference=game.reference(),
    )
