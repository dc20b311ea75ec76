"""What a table may choose."""

from typing import Annotated

from msgspec import Meta

from domain.errors import BadCommand
from domain.game import Options
from domain.porta_nigra.board import BOARD, BOARDS

ROMAN_COST = BOARD.constants.influence_roman_cost


class PortaNigraOptions(Options, frozen=True, kw_only=True):
    """`roman_cost`: influence for one Roman [A1]; `age_order`: the seats from oldest to youngest (empty: seat order) [A27]."""

    roman_cost: Annotated[int, Meta(ge=ROMAN_COST.default, le=ROMAN_COST.alternative)] = ROMAN_COST.default
    age_order: tuple[int, ...] = ()


def check(seats: int, options: PortaNigraOptions) -> None:
    """Refuse options that do not go with the number of seats. Raises BadCommand."""
    costs = (ROMAN_COST.default, ROMAN_COST.alternative)
    if options.edition not in BOARDS:
        says = "There is no edition '{edition}'; known are: {known}."
        raise BadCommand(
            "unknown-edition", says, pointer="/options/edition", edition=options.edition, known=", ".join(BOARDS)
        )
    if options.roman_cost not in costs:
        says = "A Roman costs {costs} influence, not {cost}."
        known = " or ".join(map(str, costs))
        raise BadCommand("bad-roman-cost", says, pointer="/options/roman_cost", costs=known, cost=options.roman_cost)
    if options.age_order and sorted(options.age_order) != list(range(seats)):
        says = "The age order names each of the seats 0 to {last} once, from oldest to youngest."
        raise BadCommand("bad-age-order", says, pointer="/options/age_order", last=seats - 1)
