"""The state again, from what is seen of it."""

from domain.canterbury.board import EDITIONS, Edition, mask_of
from domain.canterbury.state import Built, Serving, Site, State
from domain.canterbury.view import ServingView, SiteView, View


def imagine(seen: View) -> State:
    """The one state that shows as `seen`."""
    edition = EDITIONS[seen.edition]
    colours = len(seen.players) + (seen.neutral is not None)
    return State(
        edition=seen.edition,
        seats=len(seen.players),
        city=seen.city.prosperity,
        scores=tuple(player.points for player in seen.players),
        shillings=tuple(player.shillings for player in seen.players),
        cubes=tuple(
            tuple(
                mask_of(district.district for district in seen.districts if district.cubes[service] == colour)
                for service in range(len(edition.services))
            )
            for colour in range(colours)
        ),
        standing=tuple(
            mask_of(district.district for district in seen.districts if tile.id in district.structures)
            for tile in edition.tiles
        ),
        free=tuple(
            mask_of(district.district for district in seen.districts if district.free_lots > lots)
            for lots in range(edition.lots)
        ),
        supply=tuple(stock.left for stock in seen.supply),
        stacks=tuple(tuple(edition.by_id[tile].index for tile in stack) for stack in seen.neutral.stacks)
        if seen.neutral
        else (),
        markers=tuple(player.action for player in seen.players),
        round=seen.round,
        active=seen.active,
        neutral=seen.neutral.build if seen.neutral else "done",
        action=seen.action,
        site=None if seen.site is None else _site(edition, seen.site),
        serving=None if seen.serving is None else _serving(edition, seen.serving),
        built=tuple(
            Built(edition.by_id[built.structure].index, built.district, built.opens, built.upgrades)
            for built in seen.built
        ),
        turn_over=seen.turn_over,
        scorings=seen.scorings,
        paid=seen.ranks_paid,
        final_round=seen.final_round,
        halted=seen.halted,
        ranking=seen.ranking,
    )


def _serving(edition: Edition, serving: ServingView) -> Serving:
    return Serving(
        colour=serving.colour,
        service=edition.services.index(serving.service),
        districts=mask_of(serving.districts),
        most=serving.most,
        optional=serving.optional,
    )


def _site(edition: Edition, site: SiteView) -> Site:
    return Site(
        tile=edition.by_id[site.structure].index,
        district=site.district,
        cleared=tuple(edition.by_id[tile].index for tile in site.demolished),
    )
