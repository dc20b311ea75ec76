"""Named positions of Porta Nigra, and what commands make of them. Seats as in the rulebook's examples: see each test."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from domain.errors import Rule, RuleViolation
from domain.game import HOUSE
from domain.porta_nigra import PORTA_NIGRA
from domain.porta_nigra.board import BOARD
from domain.porta_nigra.commands import PlaceBuilder, PortaNigraCommand
from domain.porta_nigra.events.course import PortaNigraEvent
from domain.porta_nigra.state import Element, Player, State
from tests.support.playing import Playthrough

CHANCE = Playthrough(PORTA_NIGRA, 2).chance

Owned = Mapping[str, Any]
"""Fields of a Player; `bricks` may be said in words, `quarter` by its name."""

Elements = Mapping[str, int] | Mapping[str, tuple[int, int]] | Mapping[str, int | tuple[int, int]]
"""By site, the owner; with the height where that is free."""


def bricks(words: str) -> tuple[int, ...]:
    """Counts by colour: `"2 yellow, 1 white"`."""
    counts = [0] * len(BOARD.colors)
    for entry in filter(None, words.split(", ")):
        number, color = entry.split()
        counts[BOARD.color_index[color]] += int(number)
    return tuple(counts)


def opening(seats: int = 2, seed: int = 0, **options: Any) -> State:
    """The first turn of a game."""
    state: State = Playthrough(PORTA_NIGRA, seats, PORTA_NIGRA.options_type(**options), seed).state
    return state


def position(
    seats: int = 2,
    *,
    own: Mapping[int, Owned] | None = None,
    elements: Elements | None = None,
    market: str = "2 black, 2 blue, 2 red, 2 yellow, 2 white",
    reserve: int = 40,
    card: str = "",
    **changes: Any,
) -> State:
    """Seat 0's turn, all builders in the Basilica quarter."""
    built = [_element(site, given) for site, given in (elements or {}).items()]
    start = opening(seats)
    players = tuple(
        _player(player, [element for element in built if element.seat == seat], (own or {}).get(seat, {}))
        for seat, player in enumerate(start.players)
    )
    state = replace(
        start,
        players=players,
        elements=tuple(built),
        free_sites=BOARD.all_sites - sum(1 << element.site for element in built),
        market=bricks(market),
        reserve=reserve,
        start_seat=0,
        active=0,
        card=card,
        card_torches=BOARD.action_cards[card].torches if card else 0,
    )
    return replace(state, **changes)


def _element(site: str, given: int | tuple[int, int]) -> Element:
    index = BOARD.site_index[site]
    seat, height = given if isinstance(given, tuple) else (given, BOARD.sites[index].sizes[0])
    return Element(index, seat, height)


def _player(player: Player, elements: Sequence[Element], own: Owned) -> Player:
    placed = [0] * len(BOARD.quarters)
    for element in elements:
        placed[BOARD.sites[element.site].building] += element.bricks
    fields = {"quarter": 0, "placed": tuple(placed), "elements": len(elements), **own}
    if isinstance(fields["quarter"], str):
        fields["quarter"] = BOARD.quarter_index[fields["quarter"]]
    if isinstance(fields.get("bricks"), str):
        fields["bricks"] = bricks(fields["bricks"])
    return replace(player, **fields)


def outcome(state: State, command: PortaNigraCommand) -> tuple[PortaNigraEvent, ...]:
    """The events of a command of the seat that decides, or of the house while a scoring is owed."""
    seat = HOUSE if PORTA_NIGRA.owed(state) else state.active
    return tuple(PORTA_NIGRA.decide(state, seat, command, CHANCE))


def after(state: State, *commands: PortaNigraCommand) -> State:
    """The state after commands of whoever decides."""
    for command in commands:
        state = folded(state, outcome(state, command))
    return state


def folded(state: State, events: Iterable[PortaNigraEvent]) -> State:
    """The state after `events`."""
    for event in events:
        state = PORTA_NIGRA.evolve(state, event)
    return state


def scored(state: State) -> State:
    """The state after the scoring that the house owes."""
    command = PORTA_NIGRA.owed(state)
    assert command is not None
    return after(state, command)


def legal(state: State, command_type: type[PortaNigraCommand] | None = None) -> list[Any]:
    """The legal commands of the seat that decides, of one type if given."""
    commands = PORTA_NIGRA.legal_commands(state, state.active)
    return [command for command in commands if command_type is None or isinstance(command, command_type)]


def is_refused(state: State, command: PortaNigraCommand, rule: Rule, pointer: str | None = None) -> bool:
    """Whether exactly `rule` refuses the command, in a whole sentence, pointing there, and the list agrees."""
    with pytest.raises(RuleViolation) as caught:
        outcome(state, command)
    assert command not in legal(state)
    assert "{" not in caught.value.detail
    return (caught.value.rule, caught.value.pointer) == (rule, pointer)


def with_builders(state: State) -> State:
    """The state after the player to act has placed the builder in the Basilica quarter."""
    return after(state, PlaceBuilder(quarter="basilica"))
