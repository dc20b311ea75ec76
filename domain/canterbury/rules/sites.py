"""Why a structure may not stand in a district, with all that a player needs to do better."""

from domain.canterbury.board import Tile
from domain.canterbury.state import free_lots, supplied
from domain.canterbury.survey import Survey
from domain.errors import RuleViolation


def refuse_site(survey: Survey, tile: Tile, district: int) -> RuleViolation:
    """The refusal to build `tile` in a district that is not among its sites."""
    state, services = survey.state, survey.edition.services
    missing = [name for i, name in enumerate(services[: tile.service]) if not supplied(state, i) >> district & 1]
    return RuleViolation(
        survey.against(tile, district),
        pointer="/data/district",
        district=district,
        structure=tile.id,
        service=services[tile.service],
        missing=", ".join(missing),
        lots=tile.lots,
        free=free_lots(state, district),
    )
