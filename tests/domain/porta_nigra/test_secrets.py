"""Two worlds that differ only in what a seat, or a spectator, may not know answer it alike, on every channel of the domain."""

import random
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from domain.chance import Item, Shuffle
from domain.errors import RuleViolation
from domain.game import HOUSE, Event
from domain.porta_nigra import PORTA_NIGRA
from domain.porta_nigra.commands import PortaNigraCommand
from domain.porta_nigra.events.actions import ActionCardPlayed
from domain.porta_nigra.events.course import (
    BuildingCardsTurned,
    GameSetUp,
    HandsDrawn,
    HonorCardsTurned,
    RoundStarted,
    SupplyCardTurned,
    SupplyShuffled,
    TurnEnded,
)
from domain.porta_nigra.options import PortaNigraOptions
from domain.porta_nigra.state import State
from events.codec import EventCodec, shuffles
from tests.domain.porta_nigra.builders import CHANCE, position
from tests.domain.porta_nigra.games import over_games
from tests.domain.porta_nigra.universe import discarding, universe
from tests.support.playing import Playthrough

CODEC = EventCodec(PORTA_NIGRA.event_types)
Viewer = int | None


class ScriptedChance:
    """Shuffles whose outcomes are given beforehand."""

    def __init__(self, orders: Sequence[tuple[Item, ...]]) -> None:
        self.orders = orders
        self.draws = 0

    def shuffle(self, label: str, items: Sequence[Item]) -> Shuffle:
        """The next outcome; it must be one of these items."""
        order = self.orders[self.draws]
        assert sorted(map(str, order)) == sorted(map(str, items))
        record = Shuffle(label=label, draw=self.draws, items=tuple(items), order=order)
        self.draws += 1
        return record


def redacted(event: Event, viewer: Viewer) -> dict[str, Any]:
    """An event as `viewer` is shown it."""
    data, parts = CODEC.encode(event)
    shown = [part if viewer in part["seats"] else {"seats": part["seats"]} for part in parts]
    return {"type": event.type, "data": data, "private": shown}


def dry_run(state: State, seat: int, command: PortaNigraCommand) -> object:
    """What `seat` is told beforehand: a refusal, or the events up to the first that nobody can know, those fields blank."""
    try:
        events = PORTA_NIGRA.decide(state, seat, command, CHANCE)
    except RuleViolation as refusal:
        return (refusal.code, refusal.detail, refusal.pointer)
    told = []
    for event in events:
        shown = redacted(event, None)
        shown["data"] |= dict.fromkeys(event.reveals)
        told.append(shown)
        if event.reveals or any(part["seats"] for part in shown["private"]):
            break
    return told


# ---- another world


def other_world(game: Playthrough, viewer: Viewer, rng: random.Random) -> ScriptedChance:
    """Chance for a second playthrough of the same commands: orders differ where `viewer` never learnt them."""
    records = [record for event in game.events for record in shuffles(event)]
    records.sort(key=lambda record: record.draw)
    return ScriptedChance([_reordered(record, game.events, viewer, rng) for record in records])


def _reordered(record: Shuffle, events: Sequence[Event], viewer: Viewer, rng: random.Random) -> tuple[Item, ...]:
    if record.label == "start_player":
        return record.order
    if record.label.startswith("action_cards_of_seat_"):
        seat = int(record.label.rpartition("_")[2])
        span = _round_of(record, events)
        if seat == viewer:
            drawn = [
                part.data.cards
                for event in span
                if isinstance(event, HandsDrawn | TurnEnded)
                for part in event.private
                if seat in part.seats
            ]
            return _same_top(record, sum(map(len, drawn)), rng)
        return _same_plays(
            record, [event.card for event in span if isinstance(event, ActionCardPlayed) and event.seat == seat], rng
        )
    return _same_top(record, _turned(record, events), rng)


def _round_of(record: Shuffle, events: Sequence[Event]) -> Sequence[Event]:
    starts = [at for at, event in enumerate(events) if isinstance(event, RoundStarted)]
    begin = next(at for at in starts if record in shuffles(events[at]))
    end = next((at for at in starts if at > begin), len(events))
    return events[begin:end]


def _turned(record: Shuffle, events: Sequence[Event]) -> int:
    """How many cards of the shuffled pile were turned up."""
    if record.label == "supply_cards":
        begin = next(at for at, event in enumerate(events) if record in shuffles(event))
        later = [at for at, event in enumerate(events) if isinstance(event, SupplyShuffled) and at > begin]
        end = later[0] if later else len(events)
        return sum(isinstance(event, SupplyCardTurned) for event in events[begin:end])
    first = events[0]
    assert isinstance(first, GameSetUp)
    if record.label == "building_cards":
        shown = [event.cards for event in events if isinstance(event, BuildingCardsTurned)]
        return len(first.building_display) + sum(map(len, shown))
    shown = [event.cards for event in events if isinstance(event, HonorCardsTurned)]
    return len(first.honor_display) + sum(map(len, shown))


def _same_top(record: Shuffle, known: int, rng: random.Random) -> tuple[Item, ...]:
    rest = list(record.order[known:])
    rng.shuffle(rest)
    return (*record.order[:known], *rest)


def _same_plays(record: Shuffle, plays: Sequence[str], rng: random.Random) -> tuple[Item, ...]:
    """Another order of a deck in which the same cards can be played: the n-th play is among the n + 1 topmost cards."""
    places: dict[int, Item] = {}
    for number, card in enumerate(plays, start=1):
        places[rng.choice([place for place in range(min(number + 1, len(record.order))) if place not in places])] = card
    rest = [card for card in record.order if card not in plays]
    rng.shuffle(rest)
    return tuple(places[place] if place in places else rest.pop() for place in range(len(record.order)))


# ---- the worlds compared


@over_games(12)
def test_two_worlds_that_differ_in_a_secret_look_alike_throughout(game: Playthrough) -> None:
    commands = list(game.steps())
    for viewer in (None, *range(game.seats)):
        _replay_beside(game, commands, viewer)


def _replay_beside(game: Playthrough, commands: Sequence[tuple[int, Any]], viewer: Viewer) -> None:
    rng = random.Random(len(game.events))
    chance = other_world(game, viewer, rng)
    one, two = _Beside(as_played(game), game), _Beside(chance, game)
    differed = one.state != two.state
    for seat, command in commands:
        assert one.shows(viewer) == two.shows(viewer)
        if seat == viewer and rng.random() < 0.1:
            tried = rng.sample(universe(game.seats), 40) + rng.sample(discarding(one.state), 10)
            for attempt in [command, *tried]:
                assert dry_run(one.state, seat, attempt) == dry_run(two.state, seat, attempt)
        assert [redacted(event, viewer) for event in one.give(seat, command)] == [
            redacted(event, viewer) for event in two.give(seat, command)
        ]
        differed |= one.state != two.state
    assert one.shows(viewer) == two.shows(viewer)
    assert one.chance.draws == chance.draws == len(chance.orders)
    assert differed


def as_played(game: Playthrough) -> ScriptedChance:
    """The chance of the game as it was played."""
    records = sorted((record for event in game.events for record in shuffles(event)), key=lambda record: record.draw)
    return ScriptedChance([record.order for record in records])


def _options(game: Playthrough) -> PortaNigraOptions:
    assert isinstance(game.options, PortaNigraOptions)
    return game.options


class _Beside:
    """A playthrough that is led command by command."""

    def __init__(self, chance: ScriptedChance, game: Playthrough) -> None:
        self.chance = chance
        self.state: Any = None
        self._fold(PORTA_NIGRA.setup(game.seats, _options(game), chance))

    def _fold(self, events: Sequence[Event]) -> list[Event]:
        for event in events:
            self.state = PORTA_NIGRA.evolve(self.state, event)  # type: ignore[arg-type]
        return list(events)

    def give(self, seat: int, command: PortaNigraCommand) -> list[Event]:
        """Decide and fold a command and what the house then owes."""
        events = self._fold(PORTA_NIGRA.decide(self.state, seat, command, self.chance))
        while (owed := PORTA_NIGRA.owed(self.state)) is not None:
            events += self._fold(PORTA_NIGRA.decide(self.state, HOUSE, owed, self.chance))
        return events

    def shows(self, viewer: Viewer) -> object:
        """All that can be asked about the game as it stands."""
        state = self.state
        seen = PORTA_NIGRA.view(state, viewer)
        own = () if viewer is None else (PORTA_NIGRA.legal_commands(state, viewer), PORTA_NIGRA.evaluate(state, viewer))
        turn = (PORTA_NIGRA.to_act(state), PORTA_NIGRA.owed(state), PORTA_NIGRA.phase(state), PORTA_NIGRA.scores(state))
        return (seen, len(msgspec.json.encode(seen)), own, turn)


@over_games(8)
def test_whatever_a_seat_tries_the_answer_does_not_depend_on_a_secret(game: Playthrough) -> None:
    for number, (seat, _) in enumerate(game.steps()):
        if number % 40 == 7:
            other = PORTA_NIGRA.imagine(PORTA_NIGRA.view(game.state, seat), CHANCE)
            tried = game.rng.sample(universe(game.seats), 300)
            for attempt in [*tried, *PORTA_NIGRA.legal_commands(game.state, seat)]:
                assert dry_run(game.state, seat, attempt) == dry_run(other, seat, attempt)


@over_games(8)
def test_what_some_seats_have_learnt_stands_when_the_rest_is_drawn_anew(game: Playthrough) -> None:
    for number, _ in enumerate(game.steps()):
        if number % 40 == 7:
            for seats in ((), (0,), (0, 1), tuple(range(game.seats))):
                other = PORTA_NIGRA.redraw(game.state, seats, CHANCE)
                for viewer in (None, *seats):
                    assert PORTA_NIGRA.view(other, viewer) == PORTA_NIGRA.view(game.state, viewer)


def test_a_hand_is_shown_to_its_owner_alone_and_piles_to_nobody() -> None:
    state = position(3, own={seat: {"hand": ("ACT-1", "ACT-2"), "pile": ("ACT-3",)} for seat in range(3)})
    for viewer in (None, 0, 1, 2):
        seen = PORTA_NIGRA.view(state, viewer)
        for player in seen.players:
            assert player.hand == (("ACT-1", "ACT-2") if player.seat == viewer else None)
            assert (player.hand_size, player.draw_pile_size, player.draw_pile) == (2, 1, None)
        assert seen.supply_pile.cards is seen.building_pile.cards is seen.honor_pile.cards is None


def test_once_opened_everything_is_shown() -> None:
    state = position(own={1: {"hand": ("ACT-1",), "pile": ("ACT-3", "ACT-2")}})
    seen = PORTA_NIGRA.view(state, 0, reveal=True)
    assert (seen.players[1].hand, seen.players[1].draw_pile) == (("ACT-1",), ("ACT-3", "ACT-2"))
    assert seen.supply_pile.cards == state.supply_pile
    assert seen.building_pile.cards == state.building_pile
    assert seen.honor_pile.cards == state.honor_pile


@pytest.mark.parametrize("event_type", PORTA_NIGRA.event_types)
def test_whatever_turns_a_hidden_card_up_says_so(event_type: type[Event]) -> None:
    revealing = {
        "porta_nigra.game_set_up",
        "porta_nigra.supply_card_turned",
        "porta_nigra.building_cards_turned",
        "porta_nigra.honor_cards_turned",
    }
    assert bool(event_type.reveals) == (event_type.type in revealing)
    assert set(event_type.reveals) <= set(event_type.__struct_fields__)
