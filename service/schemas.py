"""What comes in: the bodies and queries of the API. Unknown fields are refused; what is left out takes its default."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, get_args

from marshmallow import RAISE, Schema, ValidationError, fields
from marshmallow.validate import Length, OneOf, Range, Regexp

from domain.table.commands import BotName, StartPolicy, UndoPolicy, Visibility
from domain.table.state import Status
from events.deliveries import State
from events.targets import LONGEST_URL
from service.accounts import LONGEST_NAME
from service.invites import LONGEST_INVITE
from service.tokens import LONGEST_TOKEN_NAME, USUAL_SCOPES, Scope

HIGHEST_VERSION = 2**53 - 1
MOST_SEATS = 8
MOST_COMMANDS = 64
MOST_EVENT_TYPES = 64
MOST_IN_A_LIST = 100
MOST_IN_A_PAGE = 1000
_LATEST = datetime(3000, 1, 1, tzinfo=UTC)


class Flag(fields.Boolean):
    """A JSON boolean and nothing like it."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return bool(super()._deserialize(value, attr, data, **kwargs))


class Count(fields.Integer):
    """A whole number in a query: digits and nothing else; a sign is left to the range that it breaks."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if not re.fullmatch(r"-?[0-9]{1,16}", value):
            raise self.make_error("invalid", input=value)
        number = super()._deserialize(value, attr, data, **kwargs)
        return int(number or 0)


class Few(fields.List[Any]):
    """A list of bounded length: a longer one is refused before anything in it is looked at."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> list[Any]:
        if isinstance(value, list):
            self._validate(value)
        return super()._deserialize(value, attr, data, **kwargs)


class Moment(fields.AwareDateTime):
    """A time to come, with its offset (RFC 3339)."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> datetime:
        if not isinstance(value, str):
            raise self.make_error("invalid", input=value, obj_type=self.OBJ_TYPE)
        moment: datetime = super()._deserialize(value, attr, data, **kwargs)
        if not datetime.now(UTC) < moment < _LATEST:
            raise ValidationError("This is a time to come, before the year 3000.")
        return moment


class Switch(fields.Boolean):
    """`true` or `false` in a query."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(truthy={"true"}, falsy={"false"}, **kwargs)


class Strict(Schema):
    """Unknown fields are refused."""

    class Meta:
        """What marshmallow does by itself, said so that the contract says it too."""

        unknown = RAISE


class RegisterSchema(Strict):
    """A new player."""

    name = fields.String(
        required=True,
        validate=Length(min=1, max=LONGEST_NAME),
        metadata={"description": "No control characters, and something that can be seen"},
    )


class RenameSchema(RegisterSchema):
    """Another name for a player."""


class MakeTokenSchema(Strict):
    """A new token."""

    name = fields.String(
        required=True,
        validate=[
            Length(min=1, max=LONGEST_TOKEN_NAME),
            Regexp(r"^[^\x00-\x1f\x7f]+\Z", error="No control characters."),
        ],
        metadata={"description": "For its owner alone, such as the device that uses it"},
    )
    scopes = Few(
        fields.String(validate=OneOf(get_args(Scope))),
        load_default=list(USUAL_SCOPES),
        validate=Length(min=1, max=len(get_args(Scope))),
        metadata={"description": "`play` and `admin` read too"},
    )
    expires_at = Moment(
        load_default=None, allow_none=True, metadata={"description": "Null or left out: not before it is revoked"}
    )


class RecoverSchema(Strict):
    """What gives back an account whose token is lost."""

    recovery = fields.String(
        required=True, validate=Length(min=1, max=200), metadata={"description": "The recovery code"}
    )
    revoke = Flag(load_default=False, metadata={"description": "Withdraw all older tokens"})


class MakeStreamTokenSchema(Strict):
    """For which streams a token is to be."""

    game = fields.String(
        load_default=None,
        allow_none=True,
        validate=Regexp(r"^[0-9a-f]{24}\Z"),
        metadata={"description": "For those of this game alone"},
    )


class MakeWebhookSchema(Strict):
    """Where to tell of which events."""

    url = fields.String(
        required=True,
        validate=Length(min=1, max=LONGEST_URL),
        metadata={
            "description": "An address that takes POST, such as `https://example.org/annales`; public unless the "
            "operator says otherwise"
        },
    )
    game = fields.String(
        load_default=None,
        allow_none=True,
        validate=Regexp(r"^[0-9a-f]{24}\Z"),
        metadata={"description": "Of this game; null or left out: of all games with a seat of the caller's"},
    )
    types = Few(
        fields.String(validate=Length(min=1, max=64)),
        load_default=None,
        allow_none=True,
        validate=Length(min=1, max=MOST_EVENT_TYPES),
        metadata={"description": "The types of events; null or left out: all"},
    )


class DeliveriesQuerySchema(Strict):
    """Which deliveries."""

    state = fields.String(load_default=None, validate=OneOf(get_args(State)))
    cursor = fields.String(load_default=None, validate=Length(max=200), metadata={"description": "`next` of a page"})
    limit = Count(load_default=20, validate=Range(1, MOST_IN_A_LIST))


class SetRegistrationSchema(Strict):
    """Whether anybody may register."""

    open = Flag(required=True)


class NewSeatSchema(Strict):
    """A seat of a new game: `me`, `open`, or a `bot` by name."""

    kind = fields.String(required=True, validate=OneOf(["me", "open", "bot"]))
    bot = fields.String(validate=OneOf(get_args(BotName)))


class CreateGameSchema(Strict):
    """A new game."""

    ruleset = fields.String(required=True)
    seats = Few(fields.Nested(NewSeatSchema), required=True, validate=Length(min=1, max=MOST_SEATS))
    options = fields.Dict(keys=fields.String(), metadata={"description": "Those of the ruleset"})
    visibility = fields.String(validate=OneOf(get_args(Visibility)))
    undo = fields.String(validate=OneOf(get_args(UndoPolicy)))
    clock = fields.Dict(keys=fields.String(), allow_none=True, metadata={"description": "How long players may think"})
    rated = Flag()
    start = fields.String(validate=OneOf(get_args(StartPolicy)))


class ForkSchema(Strict):
    """A new game from how another stood after its version `at` (or the last boundary between commands before that)."""

    at = fields.Integer(strict=True, required=True, validate=Range(1, HIGHEST_VERSION))
    seats = Few(fields.Nested(NewSeatSchema), validate=Length(min=1, max=MOST_SEATS))
    chance = fields.String(validate=OneOf(["anew", "same"]))


class CommandSchema(Strict):
    """A command: its `type`, its `data` (which the type describes), and the seat that gives it."""

    type = fields.String(required=True, validate=Length(min=1, max=64))
    data = fields.Dict(keys=fields.String(), load_default=dict)
    seat = fields.Integer(strict=True, allow_none=True, load_default=None, validate=Range(0, MOST_SEATS - 1))


class BatchSchema(Strict):
    """Several commands, applied all or none."""

    commands = Few(fields.Nested(CommandSchema), required=True, validate=Length(min=1, max=MOST_COMMANDS))


class NoQuerySchema(Strict):
    """No query parameters."""


class GameQuerySchema(Strict):
    """By what right to see a game."""

    invite = fields.String(
        load_default=None,
        validate=Length(max=LONGEST_INVITE),
        metadata={"description": "An invite code of the game: shows a private game that has not begun"},
    )


class GiveQuerySchema(Strict):
    """How to give a command."""

    dry_run = Switch(load_default=False, metadata={"description": "Only say what would happen; store nothing"})


class GamesQuerySchema(Strict):
    """Which games to list."""

    status = fields.String(load_default=None, validate=OneOf(get_args(Status)))
    ruleset = fields.String(load_default=None)
    player = fields.String(load_default=None, validate=Regexp(r"^[0-9a-f]{24}$"))
    cursor = fields.String(load_default=None, validate=Length(max=200), metadata={"description": "`next` of a page"})
    limit = Count(load_default=20, validate=Range(1, MOST_IN_A_LIST))

    def __init__(self, rulesets: Iterable[str] = ()) -> None:
        super().__init__()
        self.fields["ruleset"].validators = [OneOf(list(rulesets))]


class SeatQuerySchema(Strict):
    """Which of the caller's seats is meant."""

    seat = Count(
        load_default=None,
        validate=Range(0, MOST_SEATS - 1),
        metadata={"description": "One of the caller's; left out: the one that is to act, else the lowest"},
    )


class BoardQuerySchema(SeatQuerySchema):
    """Which board."""

    at = Count(
        load_default=None,
        validate=Range(1, HIGHEST_VERSION),
        metadata={"description": "The board at this version; left out: now"},
    )
    reveal = Switch(load_default=False, metadata={"description": "Open everything; of a finished game only"})


class InclusionQuerySchema(Strict):
    """Which game, in which tree."""

    game = fields.String(required=True, validate=Regexp(r"[0-9a-f]{24}\Z"))
    size = Count(
        load_default=None,
        validate=Range(1, HIGHEST_VERSION),
        metadata={"description": "The tree of this many games; left out: as it stands"},
    )


class ConsistencyQuerySchema(Strict):
    """Between which trees."""

    start = Count(
        data_key="from",
        required=True,
        validate=Range(1, HIGHEST_VERSION),
        metadata={"description": "The size of the earlier tree"},
    )
    end = Count(
        data_key="to",
        load_default=None,
        validate=Range(1, HIGHEST_VERSION),
        metadata={"description": "The size of the later tree; left out: as it stands"},
    )


class EntriesQuerySchema(Strict):
    """Which entries."""

    after = Count(
        load_default=0, validate=Range(0, HIGHEST_VERSION), metadata={"description": "How many entries to pass over"}
    )
    limit = Count(load_default=100, validate=Range(1, MOST_IN_A_PAGE))


class NoticesQuerySchema(Strict):
    """Which notices."""

    after = fields.String(
        load_default=None,
        validate=Length(1, 100),
        metadata={
            "description": "Notices after this cursor: the `id` of one, or `next` of a page; `latest` for those to come "
            "alone; all that are kept when left out"
        },
    )
    limit = Count(
        load_default=None,
        validate=Range(1, HIGHEST_VERSION),
        metadata={
            "description": "At most so many notices: of a page (100 when left out, never more than 1000), or until a "
            "stream ends (when left out it goes on)"
        },
    )
    access_token = fields.String(
        load_default=None,
        validate=Length(max=200),
        metadata={"description": "A stream token for all games, for live streams of who cannot send `Authorization`"},
    )


class EventsQuerySchema(Strict):
    """Which events."""

    after = Count(
        load_default=0, validate=Range(0, HIGHEST_VERSION), metadata={"description": "Events after this version"}
    )
    limit = Count(
        load_default=None,
        validate=Range(1, HIGHEST_VERSION),
        metadata={
            "description": "At most so many events: of a page (100 when left out, never more than 1000), or until a "
            "stream ends (when left out it goes on)"
        },
    )
    access_token = fields.String(
        load_default=None,
        validate=Length(max=200),
        metadata={"description": "A stream token, for live streams of who cannot send `Authorization`"},
    )
    describe = Switch(
        load_default=False,
        metadata={
            "description": "Add to each event a sentence about it, in the language that Accept-Language asks for"
        },
    )
