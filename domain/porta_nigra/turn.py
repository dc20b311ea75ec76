"""The course of a turn: builder, action card, what follows each action, the end; and how the next turn is found."""

from typing import Literal

from domain.errors import RuleViolation
from domain.game import Part
from domain.porta_nigra import refusals as no
from domain.porta_nigra.board import Board
from domain.porta_nigra.commands import EndTurn, PlaceBuilder, PlayActionCard
from domain.porta_nigra.draft import Draft
from domain.porta_nigra.events.actions import ActionCardPlayed, BuilderPlaced
from domain.porta_nigra.events.course import EarlyEndCalled, Hand, ScoringDue, TurnEnded, TurnStarted
from domain.porta_nigra.legal import has_more_to_do
from domain.porta_nigra.refill import refill
from domain.porta_nigra.state import NO_SEAT, State


def start_turn(draft: Draft, seat: int) -> None:
    """The refill phase, then the player acts [HU3]."""
    draft.tell(TurnStarted(seat=seat))
    refill(draft)


def place_builder(draft: Draft, command: PlaceBuilder) -> None:
    """Any quarter, in the player's first turn of the game [HU4, A31]."""
    board = draft.board
    if command.quarter not in board.quarter_index:
        known = ", ".join(board.quarters)
        raise RuleViolation(no.UNKNOWN_QUARTER, pointer="/data/quarter", quarter=command.quarter, known=known)
    draft.tell(BuilderPlaced(seat=draft.state.active, quarter=command.quarter))


def play_action_card(draft: Draft, command: PlayActionCard) -> None:
    """One card of the hand [HU4]."""
    state = draft.state
    if command.card not in state.player.hand:
        hand = ", ".join(state.player.hand)
        raise RuleViolation(no.CARD_NOT_IN_HAND, pointer="/data/card", card=command.card, hand=hand)
    torches = draft.board.action_cards[command.card].torches
    draft.tell(ActionCardPlayed(seat=state.active, card=command.card, torches=torches))


def settle(draft: Draft) -> None:
    """What follows an action once no question is open: the early end, and the end of a turn with nothing left to do."""
    state = draft.state
    if state.bricks_due or state.top_up_due:
        return
    if state.ender == NO_SEAT:
        trigger = _end_trigger(draft.board, state)
        if trigger is not None:
            draft.tell(EarlyEndCalled(seat=state.active, trigger=trigger, vp=draft.board.constants.early_end_vp))
    if state.card and not has_more_to_do(draft.board, state):
        _end(draft)


def _end_trigger(board: Board, state: State) -> Literal["elements", "bricks"] | None:
    """Every Roman of the player is on the board, or reserve and market are both empty [HU8, A25, A26, S8]."""
    if state.player.elements == board.constants.romans_per_color:
        return "elements"
    return None if state.reserve or any(state.market) else "bricks"


def end_turn(draft: Draft, command: EndTurn) -> None:  # noqa: ARG001
    """Torches of the card that are left lapse [A13]."""
    _end(draft)


def _end(draft: Draft) -> None:
    """The card goes to the own discard pile and one is drawn, if the pile still has one [HU4]; then on."""
    state, player = draft.state, draft.state.player
    drawn = player.pile[:1]
    private = (Part(seats=(state.active,), data=Hand(seat=state.active, cards=drawn)),) if drawn else ()
    draft.tell(TurnEnded(seat=state.active, card=state.card, draws=len(drawn), private=private))
    following = _next_seat(draft.state)
    if following is not None:
        start_turn(draft, following)
        return
    is_last = state.ender != NO_SEAT or state.round == draft.board.constants.rounds[len(state.players)]
    draft.tell(ScoringDue(scoring="final" if is_last else "interim"))


def _next_seat(state: State) -> int | None:
    """The next seat clockwise that has a card; none beyond the one that called the early end [A25, A28]."""
    for seat in state.clockwise_from(state.active)[1:]:
        if seat == state.ender:
            return None
        if state.players[seat].hand:
            return seat
    return None
