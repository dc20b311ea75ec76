"""What happens at every table."""

from typing import Any, ClassVar, Literal

from msgspec import Struct

from domain.chance import Shuffle
from domain.game import Event, Part, Upcasts
from domain.table.commands import Clock, Parent, StartPolicy, UndoPolicy, Visibility


class Seed(Struct, frozen=True, forbid_unknown_fields=True):
    """The seed of the game: 32 bytes, in hex."""

    seed: str


class SeatSetup(Struct, frozen=True, forbid_unknown_fields=True):
    """Who sits where at first: a player (by opaque id), a bot by name, or nobody yet; an open seat may be kept for a player."""

    kind: Literal["player", "bot", "open"]
    player: str | None = None
    bot: str | None = None


class TableEvent(Event, frozen=True):
    """An event of the table, not of a ruleset."""


class GameCreated(TableEvent, frozen=True, kw_only=True):
    """A table was set up. `edition_digest` is that of the game's data, `commitment` the SHA-256 of the seed.

    `rematch_of`: the end of the game that is played once more.
    """

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
    clock: Clock | None
    commitment: str
    rematch_of: Parent | None = None
    private: tuple[Part[Seed], ...] = ()


class ForkSecret(Struct, frozen=True, forbid_unknown_fields=True):
    """The seed of a fork, and the whole state of the game that it starts from, as JSON.

    `shuffles` are the draws by which what nobody at the new table has seen was drawn anew.
    """

    seed: str
    state: dict[str, Any]
    shuffles: tuple[Shuffle, ...]


class GameForked(TableEvent, frozen=True, kw_only=True):
    """A table was set up from how another game stood. `knowing`: the seats whose knowledge was kept."""

    type: ClassVar[str] = "table.game_forked"
    ruleset: str
    edition: str
    edition_digest: str
    options: dict[str, Any]
    seats: tuple[SeatSetup, ...]
    creator: str
    visibility: Visibility
    undo: UndoPolicy
    commitment: str
    parent: Parent
    knowing: tuple[int, ...]
    same_chance: bool
    private: tuple[Part[ForkSecret], ...] = ()


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


class GuestRemoved(TableEvent, frozen=True):
    """The creator of the game sent a player away before the start, or no longer keeps the seat for them."""

    type: ClassVar[str] = "table.guest_removed"
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


class SeatGivenToBot(TableEvent, frozen=True):
    """A bot plays a seat from now on; its player may take it over again."""

    type: ClassVar[str] = "table.seat_given_to_bot"
    seat: int
    bot: str


class SeatTakenOver(TableEvent, frozen=True):
    """A player plays a seat that a bot has played."""

    type: ClassVar[str] = "table.seat_taken_over"
    seat: int
    player: str


class ClockExpired(TableEvent, frozen=True):
    """The time of a seat is up."""

    type: ClassVar[str] = "table.clock_expired"
    seat: int


class UndoRequested(TableEvent, frozen=True):
    """`seat` asks to go back (or forth again, `redo`) to version `to`; `needs` are the seats that have to agree."""

    type: ClassVar[str] = "table.undo_requested"
    seat: int
    to: int
    redo: bool
    needs: tuple[int, ...]


class UndoAnswered(TableEvent, frozen=True):
    """The player of `seats` has agreed to the undo, or has not."""

    type: ClassVar[str] = "table.undo_answered"
    seats: tuple[int, ...]
    accepted: bool


class UndoLapsed(TableEvent, frozen=True):
    """Nobody answered in time; the game goes on."""

    type: ClassVar[str] = "table.undo_lapsed"


class HistoryRewound(TableEvent, frozen=True):
    """The game stands again as it stood at version `to`, as `seat` wished. `redo`: this takes an earlier rewind back."""

    type: ClassVar[str] = "table.history_rewound"
    to: int
    seat: int
    redo: bool = False


class GameAbandoned(TableEvent, frozen=True):
    """The game is final as it stands. `reason`: no player has acted for too long, or an operator has closed it."""

    type: ClassVar[str] = "table.game_abandoned"
    reason: Literal["silence", "closed"] = "silence"


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


FOUNDING = (GameCreated, GameForked)
"""The events that begin a log."""

EVENTS: tuple[type[TableEvent], ...] = (
    GameCreated,
    GameForked,
    SeatTaken,
    SeatLeft,
    GuestRemoved,
    EntropyAdded,
    GameStarted,
    GameCancelled,
    SeatResigned,
    SeatGivenToBot,
    SeatTakenOver,
    ClockExpired,
    UndoRequested,
    UndoAnswered,
    UndoLapsed,
    HistoryRewound,
    GameAbandoned,
    GameEnded,
    SeedRevealed,
)

UPCASTS: Upcasts = {}
"""What lifts the older forms of these events; empty as long as there are none."""
