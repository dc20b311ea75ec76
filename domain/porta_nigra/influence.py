"""Influence actions at any time of the own turn: one honor card a turn, Romans [HU4, HU7, HU12]. Building: see `building`."""

from itertools import product
from typing import Literal

from domain.errors import Rule, RuleViolation
from domain.porta_nigra import refusals as no
from domain.porta_nigra.board import Board
from domain.porta_nigra.building import growing
from domain.porta_nigra.commands import BuyHonorCard, InfluenceRoman
from domain.porta_nigra.draft import Draft
from domain.porta_nigra.edition import HonorEntry
from domain.porta_nigra.events.actions import HonorCardBought, RomanBought
from domain.porta_nigra.state import Player, State
from domain.wording import Phrase

_KEPT: dict[str, Literal["building_card", "final_card"]] = {
    "substitute_building_card": "building_card",
    "final_vp": "final_card",
}
"""The effects that last: such cards stay in the play area, all others leave the game."""


def honor_fault(board: Board, state: State, card: str) -> RuleViolation | None:
    """Why the player cannot buy an honor card of this kind now, whatever they discard, or None."""
    if state.has_bought_honor:
        return RuleViolation(no.ONE_HONOR_CARD)
    if card not in state.honor_display:
        display = ", ".join(sorted(set(state.honor_display)))
        return RuleViolation(no.NOT_ON_DISPLAY, pointer="/data/card", card=card, display=display)
    entry, player = board.honor_cards[card], state.player
    if entry.influence_cost > player.influence:
        return RuleViolation(
            no.TOO_LITTLE_INFLUENCE, pointer="/data/card", cost=entry.influence_cost, influence=player.influence
        )
    rule = _useless(board, state, entry)
    return None if rule is None else RuleViolation(rule, pointer="/data/card")


def _useless(board: Board, state: State, entry: HonorEntry) -> Rule | None:
    """The rule that leaves the card without any effect now [A20], or None."""
    kind = entry.effect.type
    if kind == "romans" and not state.player.romans_in_reserve:
        return no.NO_ROMAN_IN_RESERVE
    if kind in ("bricks", "top_up") and not state.reserve:
        return no.NO_BRICK_IN_RESERVE
    if kind == "top_up" and not growing(board, state):
        return no.NO_ELEMENT_TO_TOP_UP
    return None


def discards(board: Board, player: Player, entry: HonorEntry) -> list[tuple[str, ...]]:
    """All that the player could discard for the card: one empty choice if it asks for nothing [HU7, A18]."""
    asked = entry.discard
    if asked is None:
        return [()]
    if asked.card is not None:
        return [(asked.card,)] if asked.card in player.final_cards else []
    by_building: list[list[str]] = [[] for _ in board.quarters]
    for card in player.building_cards:
        by_building[board.card_buildings[card]].append(card)
    return list(product(*map(sorted, by_building)))


def _asked(board: Board, entry: HonorEntry) -> Phrase:
    if entry.discard is None:
        return Phrase("nothing")
    if entry.discard.card is not None:
        return Phrase("{card}", {"card": entry.discard.card})
    quarters = {"quarters": ", ".join(board.quarters)}
    return Phrase("one building card of yours for each of {quarters}, in this order", quarters)


def buy_honor_card(draft: Draft, command: BuyHonorCard) -> None:
    """Pay influence and the cards asked for; the effect is at once, or the card is kept for the final scoring [HU7]."""
    board, state, player = draft.board, draft.state, draft.state.player
    fault = honor_fault(board, state, command.card)
    if fault is not None:
        raise fault
    entry = board.honor_cards[command.card]
    if command.discard not in discards(board, player, entry):
        raise RuleViolation(no.WRONG_DISCARD, pointer="/data/discard", card=command.card, asked=_asked(board, entry))
    kind, amount = entry.effect.type, entry.effect.amount
    draft.tell(
        HonorCardBought(
            seat=state.active,
            card=command.card,
            influence=entry.influence_cost,
            discarded=command.discard,
            kept=_KEPT.get(kind),
            vp=amount if kind == "vp" else 0,
            sesterces=amount if kind == "sesterces" else 0,
            torches=amount if kind == "torches" else 0,
            romans=min(amount, player.romans_in_reserve) if kind == "romans" else 0,
            bricks=min(amount, state.reserve) if kind == "bricks" else 0,
            top_up=kind == "top_up",
        )
    )


def roman_fault(state: State) -> RuleViolation | None:
    """Why the player cannot take a Roman for influence, or None [HU7, A1, A20]."""
    player = state.player
    if player.influence < state.roman_cost:
        return RuleViolation(no.TOO_LITTLE_INFLUENCE, cost=state.roman_cost, influence=player.influence)
    return None if player.romans_in_reserve else RuleViolation(no.NO_ROMAN_IN_RESERVE)


def influence_roman(draft: Draft, command: InfluenceRoman) -> None:  # noqa: ARG001
    """One Roman from the reserve for the influence that the option says [A1]."""
    fault = roman_fault(draft.state)
    if fault is not None:
        raise fault
    draft.tell(RomanBought(seat=draft.state.active, influence=draft.state.roman_cost))
