"""What happens at every table."""

from typing import Any, ClassVar, Literal

from msgspec import Struct

from domain.game import Event, Part
from domain.table.commands import StartPolicy, UndoPolicy, Visibility


class Seed(Struct, frozen=True, forbid_unknown_fields=True):
    """The seed of the game: 32 bytes, in hex."""

    seed: str


class SeatSetup(Struct, frozen=True, forbid_unknown_fields=True):
    """Who sits where at first: a player (by opaque id), a bot by name, or nobody yet."""

    kind: Literal["player", "bot", "open"]
    player: str | None = None
    bot: str | None = None


class TableEvent(Event, frozen=True):
    """An event of the table, not of a ruleset."""


class GameCreated(TableEvent, frozen=True, kw_only=True):
    """A table was set up. `edition_digest` is that of the game's data, `commitment` the SHA-256 of the seed."""

    type: ClassVar[str] = "table.game_created"
    ruleset: str
    edition: str
    edition_digest: str
    options: dict[str, Any]
    seats: tuple[SeatSetup, ...]
    creator: str
    visibility: Visibility
    undo: UndoPolicy
    rated: bool
    start: StartPolicy
    clock: None
    commitment: str
    private: tuple[Part[Seed], ...] = ()


class SeatTaken(TableEvent, frozen=True):
    """A player sat down. `entropy` is the SHA-256 of what they added to the chance of the game."""

    type: ClassVar[str] = "table.seat_taken"
    seat: int
    player: str
    entropy: str | None = None


class SeatLeft(TableEvent, frozen=True):
    """A player gave the seat back before the start."""

    type: ClassVar[str] = "table.seat_left"
    seat: int
    player: str


class EntropyAdded(TableEvent, frozen=True):
    """A player added to the chance of the game; `entropy` is the SHA-256 of it."""

    type: ClassVar[str] = "table.entropy_added"
    seat: int
    entropy: str


class GameStarted(TableEvent, frozen=True):
    """The table is full and the game begins."""

    type: ClassVar[str] = "table.game_started"


class GameCancelled(TableEvent, frozen=True):
    """The game was called off before the start."""

    type: ClassVar[str] = "table.game_cancelled"


class SeatResigned(TableEvent, frozen=True):
    """A player gave the game up; `bot` plays on in their seat, or nobody when that ends the game."""

    type: ClassVar[str] = "table.seat_resigned"
    seat: int
    bot: str | None


class HistoryRewound(TableEvent, frozen=True):
    """The game stands again as it stood at version `to`. `redo`: this takes an earlier rewind back."""

    type: ClassVar[str] = "table.history_rewound"
    to: int
    redo: bool = False


class GameEnded(TableEvent, frozen=True):
    """The game is over. `reason`: played to its end, or decided by a resignation."""

    type: ClassVar[str] = "table.game_ended"
    reason: Literal["completed", "resigned"]
    scores: tuple[int, ...]
    ranking: tuple[tuple[int, ...], ...]
    winners: tuple[int, ...]


class SeedRevealed(TableEvent, frozen=True):
    """The seed is opened; always the last event.

    `board_digest` is the SHA-256 of the canonical opened view of the final board, `view_schema` that view's schema
    number; both null when the game was called off before it had a board.
    """

    type: ClassVar[str] = "table.seed_revealed"
    reveals: ClassVar[tuple[str, ...]] = ("seed", "board_digest")
    seed: str
    board_digest: str | None
    view_schema: int | None


EVENTS: tuple[type[TableEvent], ...] = (
    GameCreated,
    SeatTaken,
    SeatLeft,
    EntropyAdded,
    GameStarted,
    GameCancelled,
    SeatResigned,
    HistoryRewound,
    GameEnded,
    SeedRevealed,
)
