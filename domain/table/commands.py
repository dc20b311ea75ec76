"""The commands of every game, whatever its ruleset."""

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct, field

from domain.game import Command

BotName = Literal["random", "greedy"]
Visibility = Literal["public", "unlisted", "private"]
UndoPolicy = Literal["free", "consent", "off"]
StartPolicy = Literal["when_full", "manual"]
Entropy = Annotated[str, Meta(min_length=1, max_length=256, description="Any text; its SHA-256 goes into every draw.")]
SeatNumber = Annotated[int, Meta(ge=0, le=7)]


class MySeat(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="me"):
    """A seat of the creator."""


class OpenSeat(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="open"):
    """A seat for whoever joins."""


class BotSeat(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="bot"):
    """A seat for a bot."""

    bot: BotName = "greedy"


class CreateGame(Command, frozen=True, kw_only=True):
    """Set up a table. `options` are those of the ruleset."""

    type: ClassVar[str] = "create_game"
    ruleset: str
    seats: tuple[MySeat | OpenSeat | BotSeat, ...]
    options: dict[str, Any] = field(default_factory=dict)
    visibility: Visibility = "public"
    undo: UndoPolicy = "consent"
    clock: None = None
    rated: bool = False
    start: StartPolicy = "when_full"


class JoinGame(Command, frozen=True):
    """Take an open seat, and add to the chance of the game if you like."""

    type: ClassVar[str] = "join_game"
    seat: SeatNumber
    entropy: Entropy | None = None


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


class CancelGame(Command, frozen=True):
    """Call the game off before the start (its creator)."""

    type: ClassVar[str] = "cancel_game"


class Resign(Command, frozen=True):
    """Give the game up."""

    type: ClassVar[str] = "resign"


class RequestUndo(Command, frozen=True):
    """Go back to how the game stood at `to_version`."""

    type: ClassVar[str] = "request_undo"
    to_version: Annotated[int, Meta(ge=1)]


class Redo(Command, frozen=True):
    """Take the latest undo back."""

    type: ClassVar[str] = "redo"


COMMANDS: dict[str, type[Command]] = {
    command.type: command
    for command in (JoinGame, AddEntropy, StartGame, LeaveGame, CancelGame, Resign, RequestUndo, Redo)
}
"""The commands that go to an existing game, by name."""
