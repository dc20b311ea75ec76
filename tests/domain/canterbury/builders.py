"""Positions by name, and commands given to them."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from domain.canterbury import CANTERBURY
from domain.canterbury.board import EDITIONS, mask_of
from domain.canterbury.commands import Command
from domain.canterbury.events import Event
from domain.canterbury.state import State, tables
from domain.chance import SeededChance
from domain.errors import RuleViolation
from domain.game import HOUSE, Options

EDITION = EDITIONS["reconstructed"]
SERVICES = EDITION.services
CHANCE = SeededChance(lambda: bytes(32), "builders", (), 0)
CENTRE = 12
RED, BLUE, GREEN, YELLOW = range(4)
NEUTRAL = 2
"""The neutral colour of a game of two."""


def new_game(seats: int = 3) -> State:
    """After the set-up."""
    state: State | None = None
    for event in CANTERBURY.setup(seats, Options(), CHANCE):
        state = CANTERBURY.evolve(state, event)
    assert state is not None
    return state


def position(
    standing: Mapping[int, str] | None = None,
    cubes: Mapping[int, Mapping[str, Sequence[int]]] | None = None,
    *,
    seats: int = 3,
    shillings: int = 100,
    **fields: Any,
) -> State:
    """Seat 0 chooses its action in round 2, everybody has 100 shillings, unless told otherwise.

    `standing`: by district the tiles there, blank between, beside the Roman well (`"-"` in the centre takes it away);
    `cubes`: by colour and service the districts with a cube; other fields as in the state.
    """
    new = new_game(seats)
    places = {CENTRE: "", **(standing or {})}
    tiles = {district: names.split() for district, names in places.items()}
    tiles[CENTRE] = [name for name in tiles[CENTRE] if name != "-"] + ["roman_well"] * ("-" not in tiles[CENTRE])
    free = [
        EDITION.lots - sum(EDITION.by_id[name].lots for name in tiles.get(district, ()))
        for district in range(EDITION.districts)
    ]
    assert min(free) >= 0
    return replace(
        new,
        **{
            "round": 2,
            "shillings": (shillings,) * seats,
            "standing": tuple(mask_of(d for d, names in tiles.items() if tile.id in names) for tile in EDITION.tiles),
            "free": tuple(mask_of(d for d, left in enumerate(free) if left > n) for n in range(EDITION.lots)),
            "cubes": tuple(
                tuple(mask_of((cubes or {}).get(colour, {}).get(service, ())) for service in SERVICES)
                for colour in range(len(new.cubes))
            ),
            **fields,
        },
    )


def building(state: State, action: str = "full_build") -> State:
    """The same, with the action chosen."""
    return replace(state, action=action, markers=(action, *state.markers[1:]))


def give(state: State, *commands: Command) -> tuple[State, list[Event]]:
    """Give commands to the seat to act, one after the other; the state after them, and the events of the last one."""
    events: list[Event] = []
    for command in commands:
        (seat,) = CANTERBURY.to_act(state)
        assert command in CANTERBURY.legal_commands(state, seat)
        events = list(CANTERBURY.decide(state, seat, command, CHANCE))
        for event in events:
            state = CANTERBURY.evolve(state, event)
    return state, events


def settle(state: State) -> tuple[State, list[Event]]:
    """Let the house do all that it owes; the state after it, and the events."""
    events: list[Event] = []
    while (owed := CANTERBURY.owed(state)) is not None:
        assert CANTERBURY.to_act(state) == ()
        for event in CANTERBURY.decide(state, HOUSE, owed, CHANCE):
            state = CANTERBURY.evolve(state, event)
            events.append(event)
    return state, events


def refused(state: State, command: Command) -> str:
    """The code with which `command` is refused; its sentence must be complete and the command not listed."""
    (seat,) = CANTERBURY.to_act(state)
    assert command not in CANTERBURY.legal_commands(state, seat)
    with pytest.raises(RuleViolation) as refusal:
        CANTERBURY.decide(state, seat, command, CHANCE)
    assert refusal.value.detail
    return refusal.value.code


def legal(state: State) -> list[Command]:
    """The commands of the seat to act."""
    (seat,) = CANTERBURY.to_act(state)
    return list(CANTERBURY.legal_commands(state, seat))


def has_cube(state: State, colour: int, service: str, district: int) -> bool:
    """Whether the colour has a cube there."""
    return bool(state.cubes[colour][SERVICES.index(service)] >> district & 1)


def stands(state: State, structure: str, district: int) -> bool:
    """Whether the tile stands there."""
    return bool(state.standing[tables(state).by_id[structure].index] >> district & 1)


def only(events: Sequence[Event], kind: type[Event]) -> Any:
    """The one event of that kind."""
    (found,) = (event for event in events if isinstance(event, kind))
    return found
