"""The commands of every game, whatever its ruleset."""

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct, field

from domain.game import Command

BotName = Literal["random", "greedy"]
Visibility = Literal["public", "unlisted", "private"]
UndoPolicy = Literal["free", "consent", "off"]
StartPolicy = Literal["when_full", "manual"]
Entropy = Annotated[str, Meta(min_length=1, max_length=256, description="Any text; its SHA-256 goes into every draw.")]
Invite = Annotated[str, Meta(min_length=1, max_length=128, description="What admits to a private game; never logged.")]
SeatNumber = Annotated[int, Meta(ge=0, le=7)]


class MySeat(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="me"):
    """A seat of the creator."""


class OpenSeat(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="open"):
    """A seat for whoever joins."""


class KeptSeat(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="kept"):
    """An open seat that only `player` may take."""

    player: str


class BotSeat(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="bot"):
    """A seat for a bot."""

    bot: BotName = "greedy"


class Clock(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How long a player may think: so many seconds a turn, or a bank with an increment for each turn.

    A turn is the time from when a seat is awaited until it no longer is. The clock runs on while an undo waits for
    consent; who takes a turn back goes on with the time that was left. `on_expiry`: a bot takes the seat over, or the
    seat resigns.
    """

    per_turn_seconds: Annotated[int, Meta(ge=1, le=2_592_000)] | None = None
    bank_seconds: Annotated[int, Meta(ge=1, le=2_592_000)] | None = None
    increment_seconds: Annotated[int, Meta(ge=0, le=86_400)] = 0
    on_expiry: Literal["bot", "resign"] = "bot"


class Parent(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a game comes from: another game, its version and the digest of its event there."""

    game: str
    version: int
    head: str


class CreateGame(Command, frozen=True, kw_only=True):
    """Set up a table. `options` are those of the ruleset, `rematch_of` the end of the game that is played once more."""

    type: ClassVar[str] = "create_game"
    ruleset: str
    seats: tuple[MySeat | OpenSeat | KeptSeat | BotSeat, ...]
    options: dict[str, Any] = field(default_factory=dict)
    visibility: Visibility = "public"
    undo: UndoPolicy = "consent"
    clock: Clock | None = None
    rated: bool = False
    start: StartPolicy = "when_full"
    rematch_of: Parent | None = None


class ForkGame(Command, frozen=True, kw_only=True):
    """Begin a new game from how another stood at version `at`."""

    type: ClassVar[str] = "fork_game"
    game: str
    at: Annotated[int, Meta(ge=1)]
    seats: tuple[MySeat | OpenSeat | BotSeat, ...] | None = None
    chance: Literal["anew", "same"] = "anew"


class JoinGame(Command, frozen=True):
    """Take an open seat, and add to the chance of the game if you like."""

    type: ClassVar[str] = "join_game"
    seat: SeatNumber
    entropy: Entropy | None = None
    invite: Invite | None = None


class AddEntropy(Command, frozen=True):
    """Add to the chance of the game before it starts."""

    type: ClassVar[str] = "add_entropy"
    entropy: Entropy


class StartGame(Command, frozen=True):
    """Start a full table (its creator)."""

    type: ClassVar[str] = "start_game"


class LeaveGame(Command, frozen=True):
    """Give a seat back before the start."""

    type: ClassVar[str] = "leave_game"


class RemoveGuest(Command, frozen=True):
    """Send a player away before the start, for good, or give up keeping a seat for one (the creator of the game)."""

    type: ClassVar[str] = "remove_guest"
    seat: SeatNumber


class CancelGame(Command, frozen=True):
    """Call the game off before the start (its creator)."""

    type: ClassVar[str] = "cancel_game"


class Resign(Command, frozen=True):
    """Give the game up."""

    type: ClassVar[str] = "resign"


class ReplaceWithBot(Command, frozen=True):
    """Let a bot play a seat: one's own, or with `seat` that of a player whose clock has run out."""

    type: ClassVar[str] = "replace_with_bot"
    bot: BotName = "greedy"
    seat: SeatNumber | None = None


class TakeOver(Command, frozen=True):
    """Take a seat that its player left to a bot: its player at any time, others in games that are not rated."""

    type: ClassVar[str] = "take_over"
    seat: SeatNumber


class RequestUndo(Command, frozen=True):
    """Go back to how the game stood at `to_version`."""

    type: ClassVar[str] = "request_undo"
    to_version: Annotated[int, Meta(ge=1)]


class AnswerUndo(Command, frozen=True):
    """Agree to the undo or redo that another player has asked for, or do not."""

    type: ClassVar[str] = "answer_undo"
    accept: bool


class Redo(Command, frozen=True):
    """Take the latest undo back."""

    type: ClassVar[str] = "redo"


class LapseUndo(Command, frozen=True):
    """The house: nobody has answered an undo in time."""

    type: ClassVar[str] = "lapse_undo"


class ExpireClock(Command, frozen=True):
    """The house: the time of a seat is up."""

    type: ClassVar[str] = "expire_clock"
    seat: SeatNumber


class AbandonGame(Command, frozen=True):
    """The house: no player has acted for too long, or an operator closes the game."""

    type: ClassVar[str] = "abandon_game"
    reason: Literal["silence", "closed"] = "silence"


def _by_name(*commands: type[Command]) -> dict[str, type[Command]]:
    return {command.type: command for command in commands}


COMMANDS = _by_name(
    JoinGame,
    AddEntropy,
    StartGame,
    LeaveGame,
    RemoveGuest,
    CancelGame,
    Resign,
    ReplaceWithBot,
    TakeOver,
    RequestUndo,
    AnswerUndo,
    Redo,
)
"""The commands of players to an existing game, by name."""

HOUSE_COMMANDS = _by_name(LapseUndo, ExpireClock, AbandonGame)
"""The commands that only the service gives, by name."""

FOUNDING_COMMANDS = _by_name(CreateGame, ForkGame)
"""The commands that begin a log, by name."""
