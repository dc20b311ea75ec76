"""Kreta, by Stefan Dorra: 2 to 4 seats, every rule of the rulebook; see docs/rules/kreta.md."""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.chance import Chance
from domain.errors import Rule
from domain.game import Result, Upcasts, ranked
from domain.kreta import actions, evaluation, evolution, opening, rules, view
from domain.kreta.board import BOARDS, DATA
from domain.kreta.commands import SCORE, SEAT_COMMAND_TYPES, KretaCommand, Score
from domain.kreta.events import EVENT_TYPES, KretaEvent
from domain.kreta.opening import KretaOptions
from domain.kreta.refusals import RULEBOOK
from domain.kreta.state import OVER, SCORING, State
from domain.kreta.view import View
from domain.kreta.wording import WORDING


class Kreta:
    """The ruleset as the table knows it."""

    id = "kreta"
    title = "Kreta"
    rules = 1
    seats = range(
        min(board.seats[0] for board in BOARDS.values()), max(board.seats[-1] for board in BOARDS.values()) + 1
    )
    editions: Mapping[str, str] = {edition: board.digest for edition, board in BOARDS.items()}
    rulebook: Sequence[Rule] = RULEBOOK
    options_type = KretaOptions
    state_type = State
    view_type = View
    view_schema = 1
    upcasts: Upcasts = {}  # noqa: RUF012 - nothing is added to it
    command_types: Sequence[type[KretaCommand]] = SEAT_COMMAND_TYPES
    house_command_types: Sequence[type[KretaCommand]] = (Score,)
    event_types: Sequence[type[KretaEvent]] = EVENT_TYPES
    wording = WORDING

    def reference(self) -> Mapping[str, Any]:
        """Map, tiles, pieces and counts of each edition, each with its source."""
        return DATA

    def check(self, seats: int, options: KretaOptions) -> None:
        """See `opening.check`."""
        opening.check(seats, options)

    def setup(self, seats: int, options: KretaOptions, chance: Chance) -> Sequence[KretaEvent]:
        """See `opening.setup`."""
        return opening.setup(seats, options, chance)

    def evolve(self, state: State | None, event: KretaEvent) -> State:
        """See `evolution.evolve`."""
        return evolution.evolve(state, event)

    def decide(self, state: State, seat: int, command: KretaCommand, chance: Chance) -> Sequence[KretaEvent]:  # noqa: ARG002
        """See `rules.decide`; after the deal nothing is left to chance, and the seat is the active one or the house."""
        return rules.decide(state, command)

    def to_act(self, state: State) -> Sequence[int]:
        """The active seat, unless the scoring is owed or the game over."""
        return () if state.phase in (SCORING, OVER) else (state.active,)

    def owed(self, state: State) -> KretaCommand | None:
        """The scoring, once a castellan was played."""
        return SCORE if state.phase == SCORING else None

    def legal_commands(self, state: State, seat: int) -> Sequence[KretaCommand]:
        """See `actions.legal_commands`."""
        return actions.legal_commands(state) if seat == state.active else ()

    def phase(self, state: State) -> str:
        """See `State`."""
        return state.phase

    def view(self, state: State, seat: int | None, *, reveal: bool = False) -> View:  # noqa: ARG002
        """See `view.view`; everybody sees the same."""
        return view.view(state, reveal=reveal)

    def result(self, state: State) -> Result | None:
        """Most points win; equal points share the rank (ruling 18)."""
        if state.phase != OVER:
            return None
        ranking = ranked(state.scores)
        return Result(state.scores, ranking, ranking[0])

    def scores(self, state: State) -> Sequence[int]:
        """The victory points so far."""
        return state.scores

    def imagine(self, seen: View, chance: Chance) -> State:
        """See `view.imagine`."""
        return view.imagine(seen, chance)

    def redraw(self, state: State, seats: Sequence[int], chance: Chance) -> State:  # noqa: ARG002 - all know the same
        """The same position with another hidden row and pile: no seat has learnt more than a spectator."""
        return view.imagine(view.view(state), chance)

    def evaluate(self, state: State, seat: int) -> float:
        """See `evaluation.evaluate`."""
        return evaluation.evaluate(state, seat)


KRETA = Kreta()
"""The one instance."""
