"""Records the golden logs and the shapes of events. Run in the project's folder:

    python -m tests.golden.record            add logs that are not there yet, and shapes that are new
    python -m tests.golden.record --boards   record the boards again, for a new form of views; the logs stay
    python -m tests.golden.record --anew     before the first release only: record everything again

A golden log is never changed: it is what players have in their hands, and every later version of the code must read it.
Salts, seeds and the key are fixed.
"""

import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import msgspec
from msgspec import Struct

from domain.canonical import digest
from domain.canterbury.commands import Levy
from domain.game import Event
from domain.table import CreateGame, ForkGame, Position, rematch, undo_for
from domain.table.commands import (
    AbandonGame,
    AddEntropy,
    AnswerUndo,
    CancelGame,
    Clock,
    ExpireClock,
    JoinGame,
    LapseUndo,
    LeaveGame,
    MySeat,
    OpenSeat,
    Redo,
    RemoveGuest,
    ReplaceWithBot,
    RequestUndo,
    Resign,
    StartGame,
    TakeOver,
)
from domain.table.events import EVENTS as TABLE_EVENTS
from domain.table.founding import Ancestor
from events import envelope
from events.draft import Draft
from events.history import History
from events.notes import SignerKey
from events.signing import KeyRing
from tests.support.logged import RULESETS, LoggedGame, hot_seat
from tests.support.tampering import export

FOLDER = Path(__file__).parent
LOGS = FOLDER / "logs"
SIGNER = SignerKey(name="annales.example", seed=bytes(range(32)))
RING = KeyRing(signer=SIGNER, public=(SIGNER.verifier,))
EVERY = 25
"""Of how many versions one has its board recorded."""

GAMES = ("kreta", "canterbury", "porta-nigra")
PLAYERS = ("ada", "bob", "cy")


class Golden(Struct, frozen=True):
    """What a log must replay to: the digest of the opened view at some versions, in the form `view_schema`."""

    view_schema: int
    boards: dict[str, str]


class Player:
    """Plays a game by luck: players' seats as players, bots' as bots."""

    def __init__(self, game: LoggedGame, luck: random.Random) -> None:
        self.game = game
        self.luck = luck

    @property
    def is_on(self) -> bool:
        return self.game.table.status == "active"

    def step(self) -> None:
        """One command of a seat, after all that the service owes."""
        if self.game.settle() or not self.is_on:
            return
        seat = self.luck.choice(self.game.awaited)
        if self.game.table.seats[seat].kind == "bot":
            self.game.give(self.luck.choice(self.game.legal(seat)), seat, actor="bot")
        else:
            self.game.give(self.luck.choice(self.game.legal(seat)), seat)
        self.game.wait(1.5)

    def steps(self, count: int) -> None:
        for _ in range(count):
            self.step()

    def until_own_step(self) -> int:
        """Play until some seat may take its last command back by itself; that seat."""
        while not (able := [seat for seat in range(len(PLAYERS)) if self.step_back(seat)]):
            self.step()
        return able[0]

    def step_back(self, seat: int) -> RequestUndo | None:
        """The undo of the last command, if `seat` needs nobody's consent for it."""
        offer = undo_for(self.game.table, seat)
        if offer.to_version is None or offer.needs:
            return None
        return RequestUndo(to_version=offer.to_version)

    def to_the_end(self) -> LoggedGame:
        while self.is_on:
            self.step()
        return self.game


def whole(ruleset: str) -> LoggedGame:
    """A whole game of three, with everything that can happen at its table on the way."""
    luck = random.Random(f"whole {ruleset}")
    seats = (MySeat(), OpenSeat(), OpenSeat())
    command = CreateGame(ruleset=ruleset, seats=seats, undo="consent", start="manual")
    game = LoggedGame(command, seed=luck.randbytes(32), game=luck.randbytes(12).hex())
    game.give(JoinGame(seat=1, entropy="four"), player="bob")
    game.give(LeaveGame(), 1)
    game.give(JoinGame(seat=1), player="dan")
    game.give(RemoveGuest(seat=1), player="ada")
    game.give(JoinGame(seat=1), player="bob")
    game.give(JoinGame(seat=2, entropy="chosen by a fair roll"), player="cy")
    game.give(AddEntropy(entropy="of dice"), 0)
    game.give(StartGame(), player="ada")
    playing = Player(game, luck)
    playing.steps(6)
    _undo_and_redo(playing)
    playing.steps(4)
    _undo_by_consent(playing)
    playing.steps(4)
    game.give(ReplaceWithBot(bot="random"), 1)
    playing.steps(12)
    game.give(TakeOver(seat=1), player="bob")
    playing.steps(12)
    game.give(Resign(), 2)
    return playing.to_the_end()


def _undo_and_redo(playing: Player) -> None:
    """A seat takes back its own command, takes that back, and undoes it once more."""
    seat = playing.until_own_step()
    back = playing.step_back(seat)
    assert back is not None
    for command in (back, Redo(), back):
        playing.game.give(command, seat)


def _undo_by_consent(playing: Player) -> None:
    """One undo is refused, one lapses, one is agreed to, and so is the redo."""
    game = playing.game
    asks = (playing.until_own_step() + 1) % len(PLAYERS)
    offer = undo_for(game.table, asks)
    assert offer.to_version is not None
    back = RequestUndo(to_version=offer.to_version)
    game.give(back, asks)
    game.give(AnswerUndo(accept=False), offer.needs[0])
    game.give(back, asks)
    game.wait(60)
    game.give(LapseUndo(), actor="system")
    for command in (back, Redo()):
        game.give(command, asks)
        for other in offer.needs:
            game.give(AnswerUndo(accept=True), other)


def clocked(ruleset: str) -> LoggedGame:
    """A game of two with clocks: one runs out and a bot plays on, then the other seat resigns."""
    luck = random.Random(f"clocked {ruleset}")
    command = hot_seat(ruleset, 2, clock=Clock(bank_seconds=60, increment_seconds=5), undo="free")
    game = LoggedGame(command, seed=luck.randbytes(32), game=luck.randbytes(12).hex())
    playing = Player(game, luck)
    playing.steps(5)
    while not game.awaited:
        playing.step()
    seat = game.awaited[0]
    game.wait(300)
    game.give(ExpireClock(seat=seat), actor="system")
    playing.steps(8)
    if playing.is_on:
        game.give(Resign(), 1 - seat)
    return game


def strict(ruleset: str) -> LoggedGame:
    """A game of two in which a clock that runs out is a resignation."""
    luck = random.Random(f"strict {ruleset}")
    command = hot_seat(ruleset, 2, clock=Clock(per_turn_seconds=30, on_expiry="resign"))
    game = LoggedGame(command, seed=luck.randbytes(32), game=luck.randbytes(12).hex())
    playing = Player(game, luck)
    playing.steps(9)
    while not game.awaited:
        playing.step()
    game.wait(31)
    game.give(ExpireClock(seat=game.awaited[0]), actor="system")
    return game


def forked(ruleset: str) -> LoggedGame:
    """A game that goes on from the middle of the whole one, with what its seat had not seen drawn anew."""
    luck = random.Random(f"forked {ruleset}")
    parent = whole(ruleset)
    middle = parent.version // 2
    at = next(version for version in range(middle, 0, -1) if parent.history.is_boundary(version))
    fork = parent.fork(
        ForkGame(game=parent.table.id, at=at), "ada", seed=luck.randbytes(32), game=luck.randbytes(12).hex()
    )
    return Player(fork, luck).to_the_end()


def again(ruleset: str) -> LoggedGame:
    """The clocked game once more, closed by an operator after some steps."""
    luck = random.Random(f"again {ruleset}")
    before = clocked(ruleset)
    command = rematch(before.table, before.log[-1].digest, "ada")
    game = LoggedGame(command, seed=luck.randbytes(32), game=luck.randbytes(12).hex())
    Player(game, luck).steps(3)
    game.give(AbandonGame(reason="closed"), actor="system")
    return game


def expired(ruleset: str) -> LoggedGame:
    """A game that nobody joined."""
    game = LoggedGame(CreateGame(ruleset=ruleset, seats=(MySeat(), OpenSeat())), game="e" * 24)
    game.wait(30 * 86_400)
    game.give(AbandonGame(), actor="system")
    return game


def cancelled(ruleset: str) -> LoggedGame:
    """A game that never began."""
    game = LoggedGame(CreateGame(ruleset=ruleset, seats=(MySeat(), OpenSeat())), game="c" * 24)
    game.give(CancelGame(), player="ada")
    return game


def abandoned(ruleset: str) -> LoggedGame:
    """A game that nobody came back to."""
    luck = random.Random(f"abandoned {ruleset}")
    return _left(LoggedGame(hot_seat(ruleset), seed=luck.randbytes(32), game=luck.randbytes(12).hex()), luck, 3)


def _left(game: LoggedGame, luck: random.Random, after: int) -> LoggedGame:
    """The game, left alone after some more steps."""
    Player(game, luck).steps(after)
    game.wait(30 * 86_400)
    game.give(AbandonGame(), actor="system")
    return game


def from_state(ruleset: str, state: Any, name: str) -> LoggedGame:
    """A game that goes on from a state that play hardly leads to, as a fork's first event may state it."""
    luck = random.Random(name)
    parent = LoggedGame(hot_seat(ruleset, 3), seed=luck.randbytes(32))
    parent.give(Resign(), 0)
    seats = (MySeat(),) * 3
    ancestor = Ancestor(
        position=Position(parent.table, state),
        head=parent.log[-1].digest,
        table=msgspec.structs.replace(parent.table, seed_revealed=True),
    )
    command = ForkGame(game=parent.table.id, at=parent.version, seats=seats, chance="same")
    game, seed = LoggedGame.__new__(LoggedGame), luck.randbytes(32)
    game.ruleset = parent.ruleset
    game._begin(seed)
    new_id = luck.randbytes(12).hex()
    game._take(Draft.forking(game.ruleset, new_id, command, ancestor, "ada", seed, at=game.now, command_id="c0"))
    return game


def halted(ruleset: str) -> LoggedGame:
    """A city in which nothing can be built any more."""
    from tests.domain.canterbury.test_city_halted import full_city  # noqa: PLC0415

    game = from_state(ruleset, full_city(city=250, scorings=2, paid=2), "halted")
    game.give(Levy(), 0)
    return Player(game, random.Random(1)).to_the_end()


def passed(ruleset: str) -> LoggedGame:
    """A seat that owes a full build and can pay for nothing."""
    from tests.domain.canterbury.builders import position  # noqa: PLC0415

    game = from_state(ruleset, position(markers=("full_build", "levy", "full_build"), shillings=0), "passed")
    game.give(Levy(), 0)
    return _left(game, random.Random(2), 3)


def ended_early(ruleset: str) -> LoggedGame:
    """A seat that has built with its last Roman."""
    from tests.domain.porta_nigra.test_early_end import LAST, before_the_last_element  # noqa: PLC0415

    game = from_state(ruleset, before_the_last_element(), "ended early")
    game.give(LAST, 0)
    return Player(game, random.Random(3)).to_the_end()


RARE = {
    "kreta": {"kreta.village_built"},
    "canterbury": {"canterbury.neutral_swapped", "canterbury.neutral_tile_lost"},
    "porta-nigra": {"porta_nigra.element_topped_up"},
}
EAGER = {"top_up_element", "buy_honor_card", "build_element"}


def duel(ruleset: str) -> LoggedGame:
    """The first of many games of two in which all that happens that is rare."""
    for number in range(1000):
        luck = random.Random(f"duel {number}")
        game = LoggedGame(hot_seat(ruleset, 2), seed=luck.randbytes(32), game=luck.randbytes(12).hex())
        while game.table.status == "active":
            if game.settle():
                continue
            (seat, *_) = game.awaited
            choices = game.legal(seat)
            eager = [choice for choice in choices if choice.type in EAGER]
            game.give(luck.choice(eager or choices), seat)
        if {event.type for event in game.typed} >= RARE[ruleset]:
            return game
    raise AssertionError(f"no game of {ruleset} had all of {RARE[ruleset]}")


LOGS_TO_RECORD: Mapping[str, tuple[str, Callable[[str], LoggedGame]]] = {
    **{
        f"{ruleset}-{play.__name__}": (ruleset, play)
        for ruleset in GAMES
        for play in (whole, duel, clocked, strict, forked)
    },
    "kreta-again": ("kreta", again),
    "kreta-cancelled": ("kreta", cancelled),
    "kreta-expired": ("kreta", expired),
    "kreta-abandoned": ("kreta", abandoned),
    "canterbury-halted": ("canterbury", halted),
    "canterbury-passed": ("canterbury", passed),
    "porta-nigra-ended-early": ("porta-nigra", ended_early),
}


def recorded(name: str) -> bytes:
    """The export of that game, with salts that are always the same."""
    ruleset, play = LOGS_TO_RECORD[name]
    with mock.patch("events.envelope.secrets.token_bytes", random.Random(name).randbytes):
        game = play(ruleset)
    assert game.table.seed_revealed, name
    return export(game.log, RING)


def golden(whole_export: bytes) -> Golden:
    """What a log replays to now."""
    history, boards = History(RULESETS), {}
    lines = whole_export.splitlines()[1:]
    for number, line in enumerate(lines, 1):
        history.add(envelope.decode(line))
        state = history.position.game
        if state is not None and (number % EVERY == 0 or number == len(lines)):
            boards[str(number)] = digest(history.ruleset.game.view(state, None, reveal=True))
    return Golden(view_schema=history.ruleset.game.view_schema, boards=boards)


def event_types() -> Iterator[type[Event]]:
    """Every event of the table and of all games."""
    yield from TABLE_EVENTS
    for ruleset in GAMES:
        yield from RULESETS[ruleset].game.event_types


def shape(event_type: type[Event]) -> str:
    """The digest of the JSON Schema of an event, its prose and the names of classes left out."""
    schema = msgspec.json.schema(event_type, ref_template="{name}")
    return digest(_bare(schema, schema["$defs"]))


def _bare(schema: Any, definitions: Mapping[str, Any]) -> Any:
    match schema:
        case {"$ref": name}:
            return _bare(definitions[name], definitions)
        case {"properties": dict() as properties}:
            fields = {name: _bare(value, definitions) for name, value in properties.items()}
            return {**_bare({**schema, "properties": None}, definitions), "properties": fields}
        case dict():
            prose = ("description", "title", "$defs")
            return {key: _bare(value, definitions) for key, value in schema.items() if key not in prose}
        case list():
            return [_bare(value, definitions) for value in schema]
        case _:
            return schema


def shape_name(event_type: type[Event]) -> str:
    return f"{event_type.type} {event_type.schema}"


def changed_shapes(known: Mapping[str, str], types: Sequence[type[Event]]) -> list[str]:
    """The events whose shape is not the one that was recorded under their schema number, or not recorded at all."""
    return [shape_name(each) for each in types if known.get(shape_name(each)) != shape(each)]


def read_shapes() -> dict[str, str]:
    file = FOLDER / "shapes.json"
    return msgspec.json.decode(file.read_bytes(), type=dict[str, str]) if file.exists() else {}


def read_boards() -> dict[str, Golden]:
    file = FOLDER / "boards.json"
    return msgspec.json.decode(file.read_bytes(), type=dict[str, Golden]) if file.exists() else {}


def main(arguments: Sequence[str]) -> None:
    """Record what is asked for."""
    LOGS.mkdir(exist_ok=True)
    anew, boards_anew = "--anew" in arguments, "--boards" in arguments
    if anew:
        for old in LOGS.iterdir():
            old.unlink()
    boards, shapes = ({}, {}) if anew else (read_boards(), read_shapes())
    for name in LOGS_TO_RECORD:
        file = LOGS / f"{name}.ndjson"
        if anew or not file.exists():
            file.write_bytes(recorded(name))
            boards.pop(name, None)
        if boards_anew or name not in boards:
            boards[name] = golden(file.read_bytes())
    new = {shape_name(each): shape(each) for each in event_types() if shape_name(each) not in shapes}
    _write("boards.json", boards)
    _write("shapes.json", shapes | new)


def _write(name: str, value: object) -> None:
    encoded = msgspec.json.encode(value, order="sorted")
    (FOLDER / name).write_bytes(msgspec.json.format(encoded, indent=1) + b"\n")


if __name__ == "__main__":
    main(sys.argv[1:])
