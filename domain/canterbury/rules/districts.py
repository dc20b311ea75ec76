"""The district that a command names."""

from domain.canterbury import refusals
from domain.canterbury.state import State, tables
from domain.errors import RuleViolation


def known_district(state: State, district: int) -> int:
    """The same number, if the board has such a district. Raises RuleViolation `unknown_district`."""
    last = tables(state).districts - 1
    if not 0 <= district <= last:
        raise RuleViolation(refusals.UNKNOWN_DISTRICT, pointer="/data/district", district=district, last=last)
    return district
