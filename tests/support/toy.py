"""A game just large enough for whatever the table, the log and the workers must cope with.

All seats are awaited at once. `add` counts up, `peek` shows a seat a card, `flip` turns one for everybody, `call` makes
the house owe a settling, `finish` ends the game.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.chance import Chance, Shuffle
from domain.errors import BadCommand, Rule, RuleViolation
from domain.game import NOBODY, Command, Event, Options, Part, Result, Upcasts, ranked
from domain.wording import SEAT, Phrase, Wording, named

TOO_MUCH = Rule("too_much", "At most {most} may be added at once.", "toy, 1")
NO_CARD_LEFT = Rule("no_card_left", "The pile is empty.", "toy, 2")
MOST = 5
CARDS = tuple(range(1, 9))


class ToyOptions(Options, frozen=True):
    """`colours` is a tuple, which JSON does not have; `pace` a choice."""

    colours: tuple[str, ...] = ("red", "blue")
    pace: Literal["slow", "fast"] = "slow"


class Add(Command, frozen=True):
    type: ClassVar[str] = "add"
    points: Annotated[int, Meta(ge=1)]


class Peek(Command, frozen=True):
    type: ClassVar[str] = "peek"


class Flip(Command, frozen=True):
    type: ClassVar[str] = "flip"


class Call(Command, frozen=True):
    type: ClassVar[str] = "call"


class Finish(Command, frozen=True):
    type: ClassVar[str] = "finish"


class Settle(Command, frozen=True):
    type: ClassVar[str] = "settle"


class Pile(Struct, frozen=True, forbid_unknown_fields=True):
    shuffle: Shuffle


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    card: int


class SetUp(Event, frozen=True):
    type: ClassVar[str] = "toy.set_up"
    seats: int
    edition: str
    private: tuple[Part[Pile], ...] = ()


class Added(Event, frozen=True):
    type: ClassVar[str] = "toy.added"
    seat: int
    points: int


class Peeked(Event, frozen=True):
    type: ClassVar[str] = "toy.peeked"
    seat: int
    private: tuple[Part[Card], ...] = ()


class Flipped(Event, frozen=True):
    type: ClassVar[str] = "toy.flipped"
    reveals: ClassVar[tuple[str, ...]] = ("card",)
    seat: int
    card: int


class Called(Event, frozen=True):
    type: ClassVar[str] = "toy.called"
    seat: int


class Settled(Event, frozen=True):
    type: ClassVar[str] = "toy.settled"
    points: tuple[int, ...]


class Finished(Event, frozen=True):
    type: ClassVar[str] = "toy.finished"
    seat: int


ToyCommand = Add | Peek | Flip | Call | Finish | Settle
ToyEvent = SetUp | Added | Peeked | Flipped | Called | Settled | Finished


class ToyState(Struct, frozen=True):
    """`pile` from the top; `seen` the cards that each seat has peeked at."""

    totals: tuple[int, ...]
    pile: tuple[int, ...]
    seen: tuple[tuple[int, ...], ...]
    flipped: tuple[int, ...] = ()
    called: bool = False
    over: bool = False


class ToyView(Struct, frozen=True):
    totals: tuple[int, ...]
    flipped: tuple[int, ...]
    called: bool
    over: bool
    seen: tuple[tuple[int, ...] | None, ...]
    peeked: tuple[int, ...]
    pile: tuple[int, ...] | None
    hidden: int


def _peeked(event: Peeked, _: int) -> Phrase:
    if not event.private:
        return Phrase("{seat} peeks.")
    return Phrase("{seat} peeks: {card}.", {"card": NAMES["card"][str(event.private[0].data.card)]})


NAMES = {"card": named("toy card", {str(card): f"card {card}" for card in CARDS})}

WORDING = Wording(
    NAMES,
    {"seat": SEAT},
    {
        SetUp: Phrase("The toy is set up."),
        Added: Phrase("{seat} adds {points:point|points}."),
        Peeked: _peeked,
        Flipped: Phrase("{seat} flips card {card}."),
        Called: Phrase("{seat} calls."),
        Settled: Phrase("The house settles."),
        Finished: Phrase("{seat} finishes."),
    },
)


class Toy:
    id = "toy"
    title = "Toy"
    rules = 7
    seats = range(2, 5)
    editions: Mapping[str, str] = {"reconstructed": "sha256:" + "a" * 64, "second": "sha256:" + "b" * 64}
    rulebook: Sequence[Rule] = (TOO_MUCH, NO_CARD_LEFT)
    options_type = ToyOptions
    state_type = ToyState
    view_type = ToyView
    view_schema = 3
    upcasts: Upcasts = {}  # noqa: RUF012 - nothing is added to it
    command_types: Sequence[type[ToyCommand]] = (Add, Peek, Flip, Call, Finish)
    house_command_types: Sequence[type[ToyCommand]] = (Settle,)
    event_types: Sequence[type[ToyEvent]] = (SetUp, Added, Peeked, Flipped, Called, Settled, Finished)
    wording = WORDING

    def reference(self) -> Mapping[str, Any]:
        return {"cards": {"value": list(CARDS), "source": "made up"}}

    def check(self, seats: int, options: ToyOptions) -> None:
        if len(options.colours) < seats and options.pace == "fast":
            raise BadCommand("too-few-colours", "A fast game needs a colour a seat.", pointer="/options/colours")

    def setup(self, seats: int, options: ToyOptions, chance: Chance) -> Sequence[ToyEvent]:
        pile = Part(seats=NOBODY, data=Pile(chance.shuffle("cards", CARDS)))
        return (SetUp(seats=seats, edition=options.edition, private=(pile,)),)

    def decide(self, state: ToyState, seat: int, command: ToyCommand, chance: Chance) -> Sequence[ToyEvent]:  # noqa: ARG002
        match command:
            case Add(points=points):
                if points > MOST:
                    raise RuleViolation(TOO_MUCH, pointer="/data/points", most=MOST)
                return (Added(seat, points),)
            case Peek() | Flip():
                if not state.pile:
                    raise RuleViolation(NO_CARD_LEFT)
                card = state.pile[0]
                seen: ToyEvent = Peeked(seat, (Part(seats=(seat,), data=Card(card)),))
                return (seen if isinstance(command, Peek) else Flipped(seat, card), Added(seat, 1))
            case Call():
                return (Called(seat),)
            case Finish():
                return (Finished(seat),)
            case Settle():
                return (Settled(tuple(2 for _ in state.totals)),)

    def evolve(self, state: ToyState | None, event: ToyEvent) -> ToyState:
        if isinstance(event, SetUp):
            pile = tuple(int(card) for card in event.private[0].data.shuffle.order)
            return ToyState(totals=(0,) * event.seats, pile=pile, seen=((),) * event.seats)
        if state is None:
            raise LookupError("no game before its set-up")
        match event:
            case Added(seat=seat, points=points):
                return replace(state, totals=_with(state.totals, seat, state.totals[seat] + points))
            case Peeked(seat=seat, private=(part,)):
                seen = _with(state.seen, seat, (*state.seen[seat], part.data.card))
                return replace(state, seen=seen, pile=state.pile[1:])
            case Flipped(card=card):
                return replace(state, flipped=(*state.flipped, card), pile=state.pile[1:])
            case Called():
                return replace(state, called=True)
            case Settled(points=points):
                totals = tuple(total + more for total, more in zip(state.totals, points, strict=True))
                return replace(state, called=False, totals=totals)
            case Finished():
                return replace(state, over=True)
            case _:
                raise LookupError(f"no such event: {event!r}")

    def to_act(self, state: ToyState) -> Sequence[int]:
        return () if state.called or state.over else tuple(range(len(state.totals)))

    def owed(self, state: ToyState) -> ToyCommand | None:
        return Settle() if state.called else None

    def legal_commands(self, state: ToyState, seat: int) -> Sequence[ToyCommand]:
        if seat not in self.to_act(state):
            return ()
        cards = (Peek(), Flip()) if state.pile else ()
        return (*map(Add, range(1, MOST + 1)), *cards, Call(), Finish())

    def phase(self, state: ToyState) -> str:
        return "settling" if state.called else "over" if state.over else "playing"

    def view(self, state: ToyState, seat: int | None, *, reveal: bool = False) -> ToyView:
        return ToyView(
            totals=state.totals,
            flipped=state.flipped,
            called=state.called,
            over=state.over,
            seen=tuple(cards if reveal or owner == seat else None for owner, cards in enumerate(state.seen)),
            peeked=tuple(map(len, state.seen)),
            pile=state.pile if reveal else None,
            hidden=len(state.pile),
        )

    def result(self, state: ToyState) -> Result | None:
        if not state.over:
            return None
        ranking = ranked(state.totals)
        return Result(state.totals, ranking, ranking[0])

    def scores(self, state: ToyState) -> Sequence[int]:
        return state.totals

    def imagine(self, view: ToyView, chance: Chance) -> ToyState:
        known = {card for cards in (view.flipped, *(cards or () for cards in view.seen)) for card in cards}
        cards = chance.shuffle("unknown", [card for card in CARDS if card not in known]).order
        unseen = iter(int(card) for card in cards)
        return ToyState(
            totals=view.totals,
            pile=tuple(next(unseen) for _ in range(view.hidden)),
            seen=tuple(
                tuple(next(unseen) for _ in range(count)) if cards is None else cards
                for cards, count in zip(view.seen, view.peeked, strict=True)
            ),
            flipped=view.flipped,
            called=view.called,
            over=view.over,
        )

    def redraw(self, state: ToyState, seats: Sequence[int], chance: Chance) -> ToyState:
        foreign = [seat for seat in range(len(state.seen)) if seat not in seats]
        pool = [*(card for seat in foreign for card in state.seen[seat]), *state.pile]
        cards = iter(int(card) for card in chance.shuffle("unknown", sorted(pool)).order)
        seen = tuple(
            tuple(next(cards) for _ in held) if seat in foreign else held for seat, held in enumerate(state.seen)
        )
        return replace(state, seen=seen, pile=tuple(cards))

    def evaluate(self, state: ToyState, seat: int) -> float:
        return float(state.totals[seat])


def _with(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*values[:place], value, *values[place + 1 :])


TOY = Toy()
