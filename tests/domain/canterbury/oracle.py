"""What may be built and demolished, once more: plainly from a view and the data file, with nothing of the rules' own code."""

from collections.abc import Iterator
from typing import Any

from domain.canterbury.commands import Build, Command, Demolish, EndTurn, Place, PlaceNeutral
from domain.canterbury.view import View
from tests.domain.canterbury.recount import LOTS, SERVICES, STRUCTURES, TIERS, beside

ROMAN_WELL: dict[str, Any] = {"service": "water", "size": "small"}


def kind(tile: str) -> dict[str, Any]:
    return ROMAN_WELL if tile == "roman_well" else STRUCTURES[tile]


def settled(view: View, district: int) -> list[str]:
    """The tiles there that this action has not put down."""
    fresh = [built.structure for built in view.built if built.district == district]
    return [tile for tile in view.districts[district].structures if tile not in fresh]


def superfluous(view: View, tile: str, district: int) -> bool:
    """Whether another structure of its service makes up for a tile."""
    service, size = kind(tile)["service"], kind(tile)["size"]

    def stands(size: str, places: Any) -> bool:
        found = (kind(other) for place in places for other in settled(view, place))
        return any(other["service"] == service and other["size"] == size for other in found)

    return stands("large", range(25)) or (size == "small" and stands("medium", beside(district)))


def smaller(tile: str, structure: str) -> bool:
    return TIERS.index(kind(tile)["size"]) < TIERS.index(kind(structure)["size"])


def replaced(tile: str, structure: str) -> bool:
    return bool(kind(tile)["service"] == kind(structure)["service"])


def may_stand(view: View, structure: str, district: int, *, clearing: bool = True) -> bool:
    """All that does not depend on money and supply."""
    here = view.districts[district]
    names = {"well" if tile == "roman_well" else tile for tile in here.structures}
    space = here.free_lots
    if clearing:
        for tile in settled(view, district):
            if smaller(tile, structure) and (replaced(tile, structure) or superfluous(view, tile, district)):
                space += LOTS[kind(tile)["size"]]
    before = SERVICES[: SERVICES.index(kind(structure)["service"])]
    return (
        (bool(names) or any(view.districts[place].structures for place in beside(district)))
        and structure not in names
        and kind(structure)["player"][here.part] is not None
        and all(here.cubes[SERVICES.index(service)] is not None for service in before)
        and space >= LOTS[kind(structure)["size"]]
    )


def expected(view: View) -> Iterator[Command]:
    """The legal commands in the phases `build`, `demolish` and, for placing, `neutral`."""
    if view.phase == "build":
        yield from builds(view)
    elif view.phase == "demolish":
        yield from demolitions(view)
    elif view.phase == "neutral" and view.neutral is not None:
        top = view.neutral.stacks[view.active][0]
        for district in range(25):
            if may_stand(view, top, district, clearing=False):
                yield PlaceNeutral(district)


def builds(view: View) -> Iterator[Command]:
    for stock in view.supply:
        row = STRUCTURES[stock.structure]
        affordable = stock.left and row["cost"] <= view.players[view.active].shillings
        if affordable and not (view.built and row["size"] == "large"):
            for district in range(25):
                if may_stand(view, stock.structure, district):
                    yield Build(stock.structure, district)
    if view.built:
        yield EndTurn()


def demolitions(view: View) -> Iterator[Command]:
    assert view.site is not None
    structure, district = view.site.structure, view.site.district
    room = view.districts[district].free_lots >= LOTS[kind(structure)["size"]]
    for tile in settled(view, district):
        if smaller(tile, structure) and (replaced(tile, structure) or (not room and superfluous(view, tile, district))):
            yield Demolish(tile)
    if room:
        yield Place()
