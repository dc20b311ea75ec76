"""Named positions of Kreta, and what commands make of them. Seat 0 is red, 1 blue, 2 yellow, 3 green."""

from collections.abc import Mapping
from typing import Any

import pytest

from domain.errors import Rule, RuleViolation
from domain.game import HOUSE
from domain.kreta import KRETA
from domain.kreta.board import BOARDS
from domain.kreta.commands import KretaCommand
from domain.kreta.events import KretaEvent
from domain.kreta.state import HARVESTED, State
from tests.support.playing import Playthrough

RED, BLUE, YELLOW, GREEN = range(4)
EDITION = "reconstructed"
BOARD = BOARDS[EDITION]
CHANCE = Playthrough(KRETA, 2).chance

TILES = {
    "kissamos": "olive",
    "sfakia": "thyme",
    "san_basilio": "olive",
    "kydonia": "olive",
    "messara": "wheat",
    "mylopotamos": "olive",
    "amari": "thyme",
    "castelnuovo": "wine",
    "candia": "wine",
    "monofatsi": "cheese",
    "pediada": "wine",
    "lasithi": "thyme",
    "viannos": "cheese",
    "mirabello": "cheese",
    "sitia": "wine",
    "ierapetra": "wheat",
}
"""What grows where, unless a test says otherwise."""

Names = Mapping[int, str]
"""By seat, provinces (or cards, or tiles) separated by blanks; seats left out have none."""


def position(
    seats: int = 2,
    *,
    phase: str = "choose_card",
    active: int = RED,
    villagers: Names | None = None,
    villages: Names | None = None,
    abbots: Names | None = None,
    ships: Names | None = None,
    forts: Mapping[int, tuple[int, ...]] | None = None,
    face_up: Names | None = None,
    collected: Names | None = None,
    harvested: str = "",
    scores: tuple[int, ...] | None = None,
    row: tuple[int, ...] = (2, 17, 14, 1, 3, 4, 5, 6, 7, 8, 9),
    turned_down: int = 0,
    turned_up: int = 2,
    farmer_harvest: str = "all_reachable",
) -> State:
    """A state with these pieces on the board."""
    figures = [_places(names, seats) for names in (villagers, villages, abbots)]
    return State(
        edition=EDITION,
        farmer_harvest=farmer_harvest,
        phase=phase,
        active=active,
        begun=False,
        steps_taken=0,
        moved_ships=(),
        scores=scores or (0,) * seats,
        played=tuple(tuple((face_up or {}).get(seat, "").split()) for seat in range(seats)),
        tiles=tuple(
            HARVESTED if province in harvested.split() else BOARD.tile_index[tile] for province, tile in TILES.items()
        ),
        collected=tuple(
            tuple((collected or {}).get(seat, "").split().count(kind.tile) for kind in BOARD.tiles)
            for seat in range(seats)
        ),
        villagers=figures[0],
        villages=figures[1],
        abbots=figures[2],
        ships=_places(ships, seats),
        forts=tuple((forts or {}).get(seat, ()) for seat in range(seats)),
        figures=tuple(
            sum(province == place for kind in figures for places in kind for place in places)
            for province in range(len(BOARD.provinces))
        ),
        row=row,
        turned_down=turned_down,
        turned_up=turned_up,
        pile=tuple(site for site in BOARD.around if site not in row),
        known_under=0,
    )


def _places(names: Names | None, seats: int) -> tuple[tuple[int, ...], ...]:
    named = names or {}
    return tuple(tuple(sorted(BOARD.index[name] for name in named.get(seat, "").split())) for seat in range(seats))


def outcome(state: State, command: KretaCommand) -> tuple[KretaEvent, ...]:
    """The events of a command of the active seat, or of the house while the scoring is owed."""
    seat = HOUSE if KRETA.owed(state) else state.active
    return tuple(KRETA.decide(state, seat, command, CHANCE))


def after(state: State, *commands: KretaCommand) -> State:
    """The state after commands of whoever is to act."""
    for command in commands:
        for event in outcome(state, command):
            state = KRETA.evolve(state, event)
    return state


def legal(state: State, command_type: type[KretaCommand] | None = None) -> set[Any]:
    """The legal commands of the active seat, or those of one type."""
    commands = KRETA.legal_commands(state, state.active)
    return {command for command in commands if command_type is None or isinstance(command, command_type)}


def refused(state: State, command: KretaCommand, rule: Rule, pointer: str | None = None) -> str:
    """Check that `command` is refused by `rule` at `pointer` and not listed; the sentence that says why."""
    assert command not in legal(state)
    with pytest.raises(RuleViolation) as refusal:
        outcome(state, command)
    assert (refusal.value.rule, refusal.value.pointer) == (rule, pointer)
    assert rule in KRETA.rulebook
    return refusal.value.detail
