"""What every game is: a decider. The table, the log and the service know a game only as the protocol `Game`.

A game knows seat numbers 0 … n-1 and nothing else: no players, no clocks, no undo. `decide` holds all judgement and
returns whole facts; `evolve` copies facts and judges, draws and computes nothing that an event could have said.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from msgspec import Struct

from domain.chance import Chance
from domain.errors import Rule
from domain.wording import Wording

HOUSE = -1
"""The seat of the service itself, which gives the owed commands (scoring)."""

NOBODY: tuple[int, ...] = ()
"""The readers of a private part that stays shut until the end of the game."""


class Options(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a table may choose for its game; each game derives its own. All fields have defaults."""

    edition: str = "reconstructed"


class Command(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody wants. `type` is its name on the wire (`build_fort`), the fields are its `data`.

    Fields are ints, strings, bools and tuples of them; a field that may be left out has a default.
    """

    type: ClassVar[str]


Upcaster = Callable[[dict[str, Any]], dict[str, Any]]
"""Lifts the data of an event from one schema to the next; private parts are under `"private"`."""

Upcasts = Mapping[tuple[str, int], Upcaster]
"""By type and the schema that is lifted."""

D = TypeVar("D")


class Part(Struct, Generic[D], frozen=True, forbid_unknown_fields=True):
    """A private part of an event: `data`, readable by `seats` (none: by nobody until the end)."""

    seats: tuple[int, ...]
    data: D


class Event(Struct, frozen=True, forbid_unknown_fields=True):
    """A fact with its outcome. The fields are its public `data`.

    An event type that has secrets declares one more field, `private: tuple[Part[SomeStruct], ...] = ()`, which is
    taken out of `data` and stored as the event's private parts. Fields are ints, strings, bools, None, frozen Structs
    and tuples of these. A shuffle is recorded in a field of type `Shuffle` or `tuple[Shuffle, ...]` of the event or
    of its part's data, nowhere deeper.
    """

    type: ClassVar[str]
    """`"<game>.<past_tense>"`, a promise that outlives class names."""

    schema: ClassVar[int] = 1
    """Rises with every change of the fields; an upcaster lifts the older forms."""

    reveals: ClassVar[tuple[str, ...]] = ()
    """Public fields whose value nobody could know before (a card turned up). An event with such fields, or with a part that
    some seat reads for the first time, is a barrier for undo, ends a dry run and may not be followed in a batch."""


class Result(Struct, frozen=True):
    """How a game ended. `scores` by seat; `ranking` groups of seats that share a rank, best first; `winners` its first group."""

    scores: tuple[int, ...]
    ranking: tuple[tuple[int, ...], ...]
    winners: tuple[int, ...]


def ranked(keys: Sequence[Any]) -> tuple[tuple[int, ...], ...]:
    """Seats grouped by key, the highest key first; seats with equal keys share a rank."""
    return tuple(
        tuple(seat for seat, key in enumerate(keys) if key == level) for level in sorted(set(keys), reverse=True)
    )


S = TypeVar("S")
E = TypeVar("E", bound=Event)
C = TypeVar("C", bound=Command)
V = TypeVar("V")


class Game(Protocol[S, E, C, V]):
    """A ruleset. One instance a game, stateless; `domain.catalogue` names them all."""

    @property
    def id(self) -> str:
        """The name in URLs, such as `"kreta"`; event types start with it, dashes turned into underscores."""
        ...

    @property
    def title(self) -> str:
        """The name for people."""
        ...

    @property
    def rules(self) -> int:
        """The version of the rules code. It rises whenever `decide` answers differently for any command."""
        ...

    @property
    def seats(self) -> range:
        """How many seats a table may have."""
        ...

    @property
    def editions(self) -> Mapping[str, str]:
        """The known editions of the data, each with the digest of its data."""
        ...

    @property
    def rulebook(self) -> Sequence[Rule]:
        """Every rule that a refusal can name."""
        ...

    @property
    def options_type(self) -> type[Options]:
        """The options of a table."""
        ...

    @property
    def state_type(self) -> type[S]:
        """The whole state, secrets included."""
        ...

    @property
    def view_type(self) -> type[V]:
        """What a seat, a spectator or, at the end, everybody sees."""
        ...

    @property
    def view_schema(self) -> int:
        """Rises with every change of the view's fields."""
        ...

    @property
    def command_types(self) -> Sequence[type[C]]:
        """The commands of seats."""
        ...

    @property
    def house_command_types(self) -> Sequence[type[C]]:
        """The commands that only the service gives."""
        ...

    @property
    def event_types(self) -> Sequence[type[E]]:
        """All events of the game."""
        ...

    @property
    def wording(self) -> Wording:
        """The names of its pieces, places and cards, and a sentence for each of its events."""
        ...

    @property
    def upcasts(self) -> Upcasts:
        """What lifts the older forms of its events; empty as long as there are none."""
        ...

    def reference(self) -> Mapping[str, Any]:
        """The static data that clients may want (map, tiles, cards), each value with its source; plain JSON values."""
        ...

    def check(self, seats: int, options: Any) -> None:
        """Refuse options that do not go together or with the number of seats. Raises BadCommand."""
        ...

    def setup(self, seats: int, options: Any, chance: Chance) -> Sequence[E]:
        """The opening of the game; the first event creates the state."""
        ...

    def evolve(self, state: S | None, event: E) -> S:
        """The state after `event`; `state` is None before the first event of `setup`."""
        ...

    def decide(self, state: S, seat: int, command: C, chance: Chance) -> Sequence[E]:
        """What `command` of `seat` (or HOUSE) brings about, at least one event. Raises RuleViolation.

        The table has already made sure that the game is on and the seat is in `to_act` (or that the command is `owed`).
        """
        ...

    def to_act(self, state: S) -> Sequence[int]:
        """The seats whose decision is awaited, in seat order; empty while a step is owed or when the game is over."""
        ...

    def owed(self, state: S) -> C | None:
        """The command of the house that is due next, or None; clients see it as `pending: "scoring"`, whatever its type."""
        ...

    def legal_commands(self, state: S, seat: int) -> Sequence[C]:
        """Exactly the commands that `decide` accepts from `seat` now, in a stable order; empty unless it is in `to_act`."""
        ...

    def phase(self, state: S) -> str:
        """A short name for what is going on, such as `"choose_card"`."""
        ...

    def view(self, state: S, seat: int | None, *, reveal: bool = False) -> V:
        """All that `seat` (None: a spectator) has learnt; with `reveal`, everything. Built field by field, by allow-list."""
        ...

    def result(self, state: S) -> Result | None:
        """The outcome once the game is over, else None."""
        ...

    def scores(self, state: S) -> Sequence[int]:
        """The points of each seat so far."""
        ...

    def imagine(self, view: V, chance: Chance) -> S:
        """A whole state that the view allows: what it hides is drawn from `chance`, each possibility equally likely."""
        ...

    def redraw(self, state: S, seats: Sequence[int], chance: Chance) -> S:
        """The same state for all that `seats` have learnt, with everything that none of them has learnt drawn anew."""
        ...

    def evaluate(self, state: S, seat: int) -> float:
        """How good `state` is for `seat`, in points; what a greedy bot maximises. Uses only what the seat may know."""
        ...
