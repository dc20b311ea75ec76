"""The only judge: which command may come when, and what it brings about."""

from collections.abc import Callable, Sequence
from typing import Any

from domain.chance import Chance
from domain.errors import Rule, RuleViolation
from domain.porta_nigra import actions, building, influence, rounds, turn
from domain.porta_nigra import commands as c
from domain.porta_nigra import refusals as no
from domain.porta_nigra.draft import Draft
from domain.porta_nigra.events.course import PortaNigraEvent
from domain.porta_nigra.final_scoring import score_final
from domain.porta_nigra.state import State, phase

Handler = Callable[[Draft, Any], None]

_ANY_TIME: dict[type[c.PortaNigraCommand], Handler] = {
    c.TorchToCoin: actions.torch_to_coin,
    c.BuyHonorCard: influence.buy_honor_card,
    c.InfluenceBuild: building.influence_build,
    c.InfluenceRoman: influence.influence_roman,
}
"""What may be done before, between and after the actions of the card [A14, A15]."""

_BY_SYMBOL: dict[type[c.PortaNigraCommand], Handler] = {
    c.BuyBrick: actions.buy_brick,
    c.BuildElement: building.build_element,
    c.TakeInfluence: actions.take_influence,
    c.TakeTorch: actions.take_torch,
    c.TakeCoins: actions.take_coins,
}

_ACTIONS = frozenset({*_ANY_TIME, *_BY_SYMBOL, c.ChooseBrick, c.TopUpElement})
"""After these, answers to a question of theirs included, the turn is settled."""

_HANDLERS: dict[str, dict[type[c.PortaNigraCommand], Handler]] = {
    "place_builder": {c.PlaceBuilder: turn.place_builder},
    "play_card": {c.PlayActionCard: turn.play_action_card, **_ANY_TIME},
    "take_actions": {**_BY_SYMBOL, **_ANY_TIME, c.EndTurn: turn.end_turn},
    "choose_brick": {c.ChooseBrick: building.choose_brick},
    "top_up_element": {c.TopUpElement: building.top_up_element},
    "split_interim": {c.SplitInterim: rounds.split_interim},
    "choose_start_player": {c.ChooseStartPlayer: rounds.choose_start_player},
    "interim_scoring": {c.ScoreInterim: rounds.score_interim},
    "final_scoring": {c.ScoreFinal: score_final},
    "over": {},
}

_AWAITED: dict[str, Rule] = {
    "place_builder": no.BUILDER_FIRST,
    "choose_brick": no.BRICK_FIRST,
    "top_up_element": no.TOP_UP_FIRST,
    "split_interim": no.SPLIT_FIRST,
    "choose_start_player": no.START_PLAYER_FIRST,
    "interim_scoring": no.NOTHING_TO_DECIDE,
    "final_scoring": no.NOTHING_TO_DECIDE,
    "over": no.NOTHING_TO_DECIDE,
}
"""Why nothing else is accepted where one thing is awaited."""

_OUT_OF_PLACE: dict[type[c.PortaNigraCommand], Rule] = {
    c.PlaceBuilder: no.BUILDER_ON_BOARD,
    c.PlayActionCard: no.CARD_ALREADY_PLAYED,
    c.ChooseBrick: no.NO_BRICK_DUE,
    c.TopUpElement: no.NO_TOP_UP_DUE,
    c.SplitInterim: no.NO_SPLIT_DUE,
    c.ChooseStartPlayer: no.NO_START_CHOICE,
    c.ScoreInterim: no.NO_SCORING_DUE,
    c.ScoreFinal: no.NO_SCORING_DUE,
}
"""Why a command is refused while its player is free to act; all others wait for the action card."""


def decide(state: State, command: c.PortaNigraCommand, chance: Chance) -> Sequence[PortaNigraEvent]:
    """What `command` of the seat that decides, or of the house, brings about. Raises RuleViolation."""
    now = phase(state)
    handler = _HANDLERS[now].get(type(command))
    if handler is None:
        rule = _AWAITED.get(now) or _OUT_OF_PLACE.get(type(command), no.CARD_FIRST)
        raise RuleViolation(rule, phase=now, card=state.card, due=state.bricks_due)
    draft = Draft(state, chance)
    handler(draft, command)
    if type(command) in _ACTIONS:
        turn.settle(draft)
    return draft.events
