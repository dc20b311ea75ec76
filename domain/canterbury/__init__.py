"""Canterbury: Saxon lords rebuild a city, district by district."""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.canterbury import commands, events, rules
from domain.canterbury import view as views
from domain.canterbury.board import EDITIONS
from domain.canterbury.evaluation import evaluate
from domain.canterbury.evolve import evolve
from domain.canterbury.imagine import imagine
from domain.canterbury.refusals import RULEBOOK
from domain.canterbury.rules.setup import set_up
from domain.canterbury.rules.turns import owed
from domain.canterbury.state import State, phase
from domain.canterbury.wording import WORDING
from domain.chance import Chance
from domain.errors import BadCommand, Rule
from domain.game import Options, Result, Upcasts


class Canterbury:
    """The game for the catalogue: one line a question, answered by the modules beside."""

    id = "canterbury"
    title = "Canterbury"
    rules = 1
    seats = range(2, 5)
    editions: Mapping[str, str] = {edition.id: edition.digest for edition in EDITIONS.values()}
    rulebook: Sequence[Rule] = RULEBOOK
    options_type = Options
    state_type = State
    view_type = views.View
    view_schema = 1
    upcasts: Upcasts = {}  # noqa: RUF012 - nothing is added to it
    command_types: Sequence[type[commands.Command]] = commands.COMMAND_TYPES
    house_command_types: Sequence[type[commands.Command]] = commands.HOUSE_COMMAND_TYPES
    event_types: Sequence[type[events.Event]] = events.EVENT_TYPES
    wording = WORDING

    def reference(self) -> Mapping[str, Any]:
        """The data of every edition, each value with its source."""
        return {edition.id: edition.raw for edition in EDITIONS.values()}

    def check(self, seats: int, options: Options) -> None:  # noqa: ARG002 - all seats play by the same options
        """Refuse an edition that is not known. Raises BadCommand."""
        if options.edition not in EDITIONS:
            says = "There is no edition '{edition}'; known are: {known}."
            raise BadCommand(
                "unknown-edition",
                says,
                pointer="/options/edition",
                edition=options.edition,
                known=", ".join(EDITIONS),
            )

    def setup(self, seats: int, options: Options, chance: Chance) -> Sequence[events.Event]:  # noqa: ARG002 - no chance
        """The board and the first turn; nothing is left to chance."""
        return set_up(seats, options.edition)

    def evolve(self, state: State | None, event: events.Event) -> State:
        """The state after `event`."""
        return evolve(state, event)

    def decide(self, state: State, seat: int, command: commands.Command, chance: Chance) -> Sequence[events.Event]:  # noqa: ARG002
        """What `command` brings about. Raises RuleViolation."""
        return rules.decide(state, command)

    def to_act(self, state: State) -> Sequence[int]:
        """The seat whose turn it is."""
        return () if state.turn_over else (state.active,)

    def owed(self, state: State) -> commands.Command | None:
        """The scoring or payment due between turns."""
        return owed(state)

    def legal_commands(self, state: State, seat: int) -> Sequence[commands.Command]:
        """Exactly what `decide` accepts from `seat`."""
        return () if state.turn_over or seat != state.active else rules.legal_commands(state)

    def phase(self, state: State) -> str:
        """`neutral`, `action`, `build`, `demolish`, `serve`, `scoring` or `over`."""
        return phase(state)

    def view(self, state: State, seat: int | None, *, reveal: bool = False) -> views.View:  # noqa: ARG002 - no secrets
        """The whole board; Canterbury has no secrets."""
        return views.view(state)

    def result(self, state: State) -> Result | None:
        """Scores, ranking and winners once the game is over."""
        ranking = state.ranking
        return None if ranking is None else Result(scores=state.scores, ranking=ranking, winners=ranking[0])

    def scores(self, state: State) -> Sequence[int]:
        """The points of each seat so far."""
        return state.scores

    def imagine(self, view: views.View, chance: Chance) -> State:  # noqa: ARG002 - no secrets
        """The state that shows as `view`: there is only one."""
        return imagine(view)

    def redraw(self, state: State, seats: Sequence[int], chance: Chance) -> State:  # noqa: ARG002 - no secrets
        """The same state: there is nothing that a seat has not learnt."""
        return state

    def evaluate(self, state: State, seat: int) -> float:
        """How good `state` is for `seat`, in points."""
        return evaluate(state, seat)


CANTERBURY = Canterbury()
