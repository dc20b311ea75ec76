"""Porta Nigra, for two to four: build the monuments of Augusta Treverorum. Rules: docs/rules/porta_nigra.md."""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.chance import Chance
from domain.errors import Rule
from domain.game import Result, Upcasts, ranked
from domain.porta_nigra import evaluation, evolution, imagining, legal, options, rounds, rules
from domain.porta_nigra import view as views
from domain.porta_nigra.board import BOARD, BOARDS
from domain.porta_nigra.commands import (
    COMMAND_TYPES,
    HOUSE_COMMAND_TYPES,
    PortaNigraCommand,
    ScoreFinal,
    ScoreInterim,
)
from domain.porta_nigra.edition import DIGESTS, REFERENCE
from domain.porta_nigra.events import EVENT_TYPES
from domain.porta_nigra.events.course import PortaNigraEvent
from domain.porta_nigra.options import PortaNigraOptions
from domain.porta_nigra.refusals import RULEBOOK
from domain.porta_nigra.state import State, phase
from domain.porta_nigra.view import View
from domain.porta_nigra.wording import WORDING

_OWED: dict[str, PortaNigraCommand] = {"interim_scoring": ScoreInterim(), "final_scoring": ScoreFinal()}


class PortaNigra:
    """The protocol `domain.game.Game`."""

    id = "porta-nigra"
    title = "Porta Nigra"
    rules = 1
    seats = range(BOARD.constants.players.min, BOARD.constants.players.max + 1)
    editions: Mapping[str, str] = DIGESTS
    rulebook: Sequence[Rule] = RULEBOOK
    options_type = PortaNigraOptions
    state_type = State
    view_type = View
    view_schema = 1
    upcasts: Upcasts = {}  # noqa: RUF012 - nothing is added to it
    command_types: Sequence[type[PortaNigraCommand]] = COMMAND_TYPES
    house_command_types: Sequence[type[PortaNigraCommand]] = HOUSE_COMMAND_TYPES
    event_types: Sequence[type[PortaNigraEvent]] = EVENT_TYPES
    wording = WORDING
    evolve = staticmethod(evolution.evolve)
    legal_commands = staticmethod(legal.legal_commands)

    def reference(self) -> Mapping[str, Any]:
        """The data of each edition, each value with its source."""
        return REFERENCE

    def check(self, seats: int, options_: PortaNigraOptions) -> None:
        """Refuse options that do not go together or with the number of seats."""
        options.check(seats, options_)

    def setup(self, seats: int, options_: PortaNigraOptions, chance: Chance) -> Sequence[PortaNigraEvent]:
        """The opening of the game, the refill phase of the first turn included."""
        return rounds.set_up(seats, options_, chance)

    def decide(
        self,
        state: State,
        seat: int,  # noqa: ARG002
        command: PortaNigraCommand,
        chance: Chance,
    ) -> Sequence[PortaNigraEvent]:
        """What `command` brings about; only the seat in `to_act`, or the house, gives one."""
        return rules.decide(state, command, chance)

    def to_act(self, state: State) -> Sequence[int]:
        """The one seat whose decision is awaited."""
        return () if state.stage in ("interim_scoring", "final_scoring", "over") else (state.active,)

    def owed(self, state: State) -> PortaNigraCommand | None:
        """The scoring that is due."""
        return _OWED.get(state.stage)

    def phase(self, state: State) -> str:
        """What is awaited now."""
        return phase(state)

    def view(self, state: State, seat: int | None, *, reveal: bool = False) -> View:
        """What `seat`, or a spectator, has learnt."""
        return views.view(state, seat, reveal=reveal)

    def result(self, state: State) -> Result | None:
        """Scores and ranking; those with the most points share the victory [A32]."""
        if state.stage != "over":
            return None
        ranking = ranked(self.scores(state))
        return Result(scores=tuple(self.scores(state)), ranking=ranking, winners=ranking[0])

    def scores(self, state: State) -> Sequence[int]:
        """Victory points on the track."""
        return tuple(player.vp for player in state.players)

    def imagine(self, view: View, chance: Chance) -> State:
        """A state that `view` allows."""
        return imagining.imagine(view, chance)

    def redraw(self, state: State, seats: Sequence[int], chance: Chance) -> State:
        """The same position with other piles, and other hands but those of `seats`."""
        return imagining.redraw(state, seats, chance)

    def evaluate(self, state: State, seat: int) -> float:
        """Points so far and to come."""
        return evaluation.evaluate(BOARDS[state.edition], state, seat)


PORTA_NIGRA = PortaNigra()
