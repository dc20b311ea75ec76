"""Two worlds that differ only in what a viewer may not know look the same to that viewer, byte for byte, by every way out."""

import json
import random
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.chance import SeededChance
from domain.errors import DomainError
from domain.game import Command
from domain.table import Order, Position, is_reveal, owed_order, to_act, undo_for
from events import envelope
from events.audit import verify
from events.draft import Draft, Session
from events.envelope import Envelope, redacted
from events.history import History
from events.sessions import veiled
from tests.support.examples import examples
from tests.support.logged import RULESETS, LoggedGame, hot_seat

AT = "2026-02-03T04:05:06.007Z"
BLANK = "sha256:" + "-" * 64


def blanked(line: bytes) -> dict[str, Any]:
    """An event with everything blank that is a digest or a salt: those may differ, their length may not."""

    def blank(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: "-" * len(inner) if name == "salt" else blank(inner) for name, inner in value.items()}
        if isinstance(value, list):
            return [blank(inner) for inner in value]
        return BLANK if isinstance(value, str) and value.startswith("sha256:") and len(value) == len(BLANK) else value

    shown: dict[str, Any] = blank(json.loads(line))
    return shown


class World:
    """One of the worlds: a session that goes on from a position, with the events since then."""

    def __init__(self, session: Session, history: History) -> None:
        self.session = session
        self.history = history
        self.log: list[Envelope] = []
        self.typed: list[Any] = []

    def decide(self, orders: Sequence[Order]) -> Draft | DomainError:
        draft = Draft.continuing(self.session, at=AT, seed=lambda: bytes(32), past=self.history)
        try:
            for order in orders:
                draft.give(order, "c")
        except DomainError as refusal:
            return refusal
        return draft

    def take(self, draft: Draft) -> None:
        for sealed in draft.events:
            self.history.add(sealed)
        self.session = draft.session
        self.log += draft.events
        self.typed += draft.typed


def shown_at_rest(world: World, viewer: int | None) -> dict[str, Any]:
    """What the viewer is shown of a game as it stands: board, lists, undo, phase, scores, what is pending."""
    session, game = world.session, world.session.ruleset.game
    return {
        "view": msgspec.json.encode(session.view(viewer)),
        "commands": None if viewer is None else msgspec.json.encode(list(session.legal_commands(viewer))),
        "to_act": to_act(game, session.position),
        "pending": session.pending,
        "phase": game.phase(session.position.game),
        "undo": msgspec.json.encode(undo_for(session.position.table, viewer)),
        "table": msgspec.json.encode(session.position.table),
    }


def shown_of(draft: Draft | DomainError, viewer: int | None) -> Any:
    """What the viewer is shown of a command: its events up to the first reveal, which tells no more than that it is one."""
    if isinstance(draft, DomainError):
        return draft.code, draft.detail, draft.pointer
    seats = () if viewer is None else (viewer,)
    events = []
    for sealed, event in zip(draft.events, draft.typed, strict=True):
        if is_reveal(event):
            events.append(blanked(envelope.encode(veiled(event, sealed))))
            break
        events.append(blanked(envelope.encode(redacted(sealed, seats))))
    return events


def sizes(draft: Draft | DomainError) -> Any:
    return None if isinstance(draft, DomainError) else [len(envelope.encode(event)) for event in draft.events]


def reveals(draft: Draft) -> bool:
    return any(map(is_reveal, draft.typed))


# A world imagined from what the viewer knows


def twins(ruleset: str, seats: int, seed: int, moves: int, knowing: Sequence[int]) -> tuple[World, World] | None:
    """A game after so many random moves, and its twin in which all that `knowing` have not learnt is otherwise."""
    played = LoggedGame(hot_seat(ruleset, seats), seed=seed.to_bytes(32, "big")).play(random.Random(seed), moves)
    if played.table.status != "active":
        return None
    chance = SeededChance(lambda: bytes([seed % 251]) * 32, "twin", (), 0)
    game = played.ruleset.game
    other = game.redraw(played.state, knowing, chance)
    worlds = []
    for state in (played.state, other):
        session = replace(played.session, position=Position(played.table, state))
        history = History(RULESETS, ruleset=played.ruleset, position=session.position, past=played.history)
        worlds.append(World(session, history))
    return worlds[0], worlds[1]


def every_order(world: World, viewer: int) -> Iterator[Order]:
    """What the viewer may do in every seat that is not secret: their own commands, and the step that is owed."""
    owed = owed_order(world.session.ruleset.game, world.session.position)
    if owed is not None:
        yield owed
    for command in world.session.legal_commands(viewer):
        yield Order(command=command, actor="player", seat=viewer, player="ada")


@pytest.mark.parametrize("ruleset", RULESETS.by_id)
@settings(max_examples=examples(25))
@given(seed=st.integers(0, 2**32), moves=st.integers(0, 120), data=st.data())
def test_no_seat_learns_from_anything_but_an_event_that_says_that_it_reveals(
    ruleset: str, seed: int, moves: int, data: st.DataObject
) -> None:
    seats = data.draw(st.sampled_from(RULESETS[ruleset].game.seats))
    viewer = data.draw(st.integers(0, seats - 1))
    worlds = twins(ruleset, seats, seed, moves, [viewer])
    if worlds is None:
        return
    one, other = worlds
    rng = random.Random(seed)
    for _ in range(12):
        for spectator in (viewer, None):
            assert shown_at_rest(one, spectator) == shown_at_rest(other, spectator)
        orders = list(every_order(one, viewer))
        tried = rng.sample(orders, min(6, len(orders)))
        batches = [[first, rng.choice(orders)] for first in tried[:3]]
        for batch in [*([order] for order in tried), *batches]:
            drafts = [world.decide(batch) for world in (one, other)]
            for spectator in (viewer, None):
                assert shown_of(drafts[0], spectator) == shown_of(drafts[1], spectator)
        if not _go_on(one, other, orders, rng):
            break


def _go_on(one: World, other: World, orders: Sequence[Order], rng: random.Random) -> bool:
    """The same command in both worlds, unless it reveals something and so may part them."""
    if not orders:
        return False
    order = rng.choice(orders)
    draft, twin = one.decide([order]), other.decide([order])
    if isinstance(draft, DomainError) or isinstance(twin, DomainError) or reveals(draft):
        return False
    assert sizes(draft) == sizes(twin)
    one.take(draft)
    other.take(twin)
    return True


@pytest.mark.parametrize("ruleset", RULESETS.by_id)
@settings(max_examples=examples(15))
@given(seed=st.integers(0, 2**32), moves=st.integers(0, 120), data=st.data())
def test_no_refusal_tells_a_seat_what_it_does_not_know(
    ruleset: str, seed: int, moves: int, data: st.DataObject
) -> None:
    """Every command of the seat that was possible at any moment of the game, given now."""
    seats = data.draw(st.sampled_from(RULESETS[ruleset].game.seats))
    viewer = data.draw(st.integers(0, seats - 1))
    worlds = twins(ruleset, seats, seed, moves, [viewer])
    if worlds is None:
        return
    one, other = worlds
    for command in _all_commands(ruleset, seats, seed):
        order = Order(command=command, actor="player", seat=viewer, player="ada")
        drafts = [world.decide([order]) for world in (one, other)]
        for spectator in (viewer, None):
            assert shown_of(drafts[0], spectator) == shown_of(drafts[1], spectator)


def _all_commands(ruleset: str, seats: int, seed: int) -> list[Command]:
    game, rng = LoggedGame(hot_seat(ruleset, seats), seed=seed.to_bytes(32, "big")), random.Random(seed)
    found: dict[bytes, Command] = {}
    for _ in range(60):
        for seat in game.awaited:
            found |= {msgspec.json.encode([command.type, command]): command for command in game.legal(seat)}
        if game.table.status != "active":
            break
        game.step(rng)
    return rng.sample([found[name] for name in sorted(found)], min(40, len(found)))


# Kreta: the order of the hidden fort cards


@settings(max_examples=examples(25))
@given(seed=st.integers(0, 2**32), seats=st.integers(2, 4))
def test_two_games_of_kreta_that_differ_in_the_hidden_fort_cards_have_equal_logs(seed: int, seats: int) -> None:
    """The log of a whole beginning, seen by every seat and by a spectator, until a card that differs is turned up."""
    rng = random.Random(seed)
    game = LoggedGame(hot_seat("kreta", seats), seed=seed.to_bytes(32, "big"))
    one, other = (_kreta_world(game, shuffled=shuffled, rng=rng) for shuffled in (False, True))
    assert one.session.position.game != other.session.position.game
    for _ in range(60):
        viewers = [None, *range(seats)]
        for viewer in viewers:
            assert shown_at_rest(one, viewer) == shown_at_rest(other, viewer)
        orders = [order for seat in range(seats) for order in every_order(one, seat)]
        for order in rng.sample(orders, min(4, len(orders))):
            drafts = [world.decide([order]) for world in (one, other)]
            assert [shown_of(drafts[0], viewer) for viewer in viewers] == [
                shown_of(drafts[1], viewer) for viewer in viewers
            ]
        if not _go_on(one, other, orders, rng):
            break
    for reader in ((), *((seat,) for seat in range(seats)), tuple(range(seats))):
        logs = [[envelope.encode(redacted(event, reader)) for event in world.log] for world in (one, other)]
        assert [blanked(line) for line in logs[0]] == [blanked(line) for line in logs[1]]
        assert [len(line) for line in logs[0]] == [len(line) for line in logs[1]]
        reports = [verify(log, RULESETS) for log in logs]
        assert [report.verdict for report in reports] == ["sealed", "sealed"]
        assert reports[0].checks == reports[1].checks


def _kreta_world(game: LoggedGame, *, shuffled: bool, rng: random.Random) -> World:
    """The game from its beginning, with the fort cards that nobody has seen in another order."""
    log = list(game.log)
    if shuffled:
        set_up = next(number for number, event in enumerate(log) if event.type == "kreta.game_set_up")
        (part,) = log[set_up].private
        log[set_up] = replace(log[set_up], private=(replace(part, data=msgspec.Raw(_restacked(part.read(), rng))),))
    history, head, chained = History(RULESETS), envelope.GENESIS, []
    for event in log:
        sealed = envelope.sealed(replace(event, prev=head))
        history.add(sealed)
        head = sealed.digest
        chained.append(sealed)
    world = World(Session(id="g1", ruleset=game.ruleset, position=history.position, head=head), history)
    world.log = chained
    return world


def _restacked(cards: dict[str, Any], rng: random.Random) -> bytes:
    """The part with the face-down cards of row and pile in another order."""
    row, pile = cards["row"], cards["pile"]
    open_ = 2
    hidden = [*row[open_:], *pile]
    order = hidden
    while order == hidden:
        order = rng.sample(hidden, len(hidden))
    held = len(row) - open_
    restacked = {**cards, "row": [*row[:open_], *order[:held]], "pile": order[held:]}
    restacked["shuffle"] = {**cards["shuffle"], "order": [*row[:open_], *order]}
    return msgspec.json.encode(restacked, order="sorted")
