"""What is seen of a game: everything, by everybody."""

from msgspec import Struct

from domain.canterbury.board import Edition, districts_in
from domain.canterbury.events import Stock
from domain.canterbury.state import (
    ROMAN,
    Serving,
    Site,
    State,
    cubes_left,
    free_lots,
    phase,
    tables,
    tiles_in,
)


class CityView(Struct, frozen=True, forbid_unknown_fields=True):
    """The city: its prosperity, the discs under its marker, and what a levy and tax and build pay now."""

    prosperity: int
    discs: int
    treasury: int
    tax: int


class PlayerView(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat. `bonus_board`: cubes placed by service; `action`: where the action marker lies; `score_token`: 0, 100 or 200."""

    seat: int
    rank: int
    points: int
    score_token: int
    shillings: int
    cubes_left: int
    bonus_board: tuple[int, ...]
    action: str


class NeutralView(Struct, frozen=True, forbid_unknown_fields=True):
    """The neutral colour of a game of two.

    `build` is what it does in this turn: `"due"`, `"swapped"` (due, and the swap is used) or `"done"`; `tokens` and `stacks`
    by seat, the next tile first.
    """

    cubes_left: int
    bonus_board: tuple[int, ...]
    build: str
    tokens: tuple[str, ...]
    stacks: tuple[tuple[str, ...], ...]


class DistrictView(Struct, frozen=True, forbid_unknown_fields=True):
    """A district. `cubes`: by service the colour of the cube, None where there is none, -1 for the purple cube."""

    district: int
    part: str
    structures: tuple[str, ...]
    free_lots: int
    cubes: tuple[int | None, ...]


class BuiltView(Struct, frozen=True, forbid_unknown_fields=True):
    """A structure put down in this turn."""

    structure: str
    district: int
    opens: bool
    upgrades: bool


class SiteView(Struct, frozen=True, forbid_unknown_fields=True):
    """A structure that is paid and not yet put down, and what was demolished for it."""

    structure: str
    district: int
    demolished: tuple[str, ...]


class ServingView(Struct, frozen=True, forbid_unknown_fields=True):
    """Cubes to be put by choice into some of `districts`: `most` of them, fewer only if `optional`."""

    colour: int
    service: str
    districts: tuple[int, ...]
    most: int
    optional: bool


class View(Struct, frozen=True, forbid_unknown_fields=True):
    """The board. A colour is the number of its seat; with two players colour 2 is the neutral one.

    `supply` are the tiles left to build. `action`, `built`, `site` and `serving` belong to the turn of `active`;
    `scorings` and `ranks_paid` count the district scorings and the payments of rank tokens so far.
    """

    edition: str
    phase: str
    round: int
    final_round: int | None
    active: int
    city: CityView
    players: tuple[PlayerView, ...]
    neutral: NeutralView | None
    districts: tuple[DistrictView, ...]
    supply: tuple[Stock, ...]
    action: str | None
    built: tuple[BuiltView, ...]
    site: SiteView | None
    serving: ServingView | None
    turn_over: bool
    scorings: int
    ranks_paid: int
    halted: bool
    ranking: tuple[tuple[int, ...], ...] | None


def view(state: State) -> View:
    """What any seat and any spectator sees: there are no secrets."""
    edition = tables(state)
    owners = _owners(state, edition)
    return View(
        edition=state.edition,
        phase=phase(state),
        round=state.round,
        final_round=state.final_round,
        active=state.active,
        city=CityView(
            prosperity=state.city,
            discs=edition.hundreds(state.city),
            treasury=edition.treasury(state.city),
            tax=edition.tax(state.city),
        ),
        players=tuple(_player(state, seat) for seat in range(state.seats)),
        neutral=_neutral(state) if state.stacks else None,
        districts=tuple(
            DistrictView(
                district=district,
                part=part,
                structures=tuple(edition.tiles[tile].id for tile in tiles_in(state, district)),
                free_lots=free_lots(state, district),
                cubes=tuple(owners[district]),
            )
            for district, part in enumerate(edition.data.parts.value)
        ),
        supply=tuple(Stock(tile.id, left) for tile, left in zip(edition.for_sale, state.supply, strict=True)),
        action=state.action,
        built=tuple(
            BuiltView(edition.tiles[built.tile].id, built.district, built.opens, built.upgrades)
            for built in state.built
        ),
        site=None if state.site is None else _site(edition, state.site),
        serving=None if state.serving is None else _serving(edition, state.serving),
        turn_over=state.turn_over,
        scorings=state.scorings,
        ranks_paid=state.paid,
        halted=state.halted,
        ranking=state.ranking,
    )


def _owners(state: State, edition: Edition) -> list[list[int | None]]:
    """By district and service the colour of the cube there."""
    owners: list[list[int | None]] = [[None] * len(edition.services) for _ in range(edition.districts)]
    for colour, services in ((ROMAN, edition.purple), *enumerate(state.cubes)):
        for service, mask in enumerate(services):
            for district in districts_in(mask):
                owners[district][service] = colour
    return owners


def _player(state: State, seat: int) -> PlayerView:
    points = state.scores[seat]
    return PlayerView(
        seat=seat,
        rank=seat + 1,
        points=points,
        score_token=max((token for token in tables(state).data.score_tokens.value if token <= points), default=0),
        shillings=state.shillings[seat],
        cubes_left=cubes_left(state, seat),
        bonus_board=_bonus_board(state, seat),
        action=state.markers[seat],
    )


def _neutral(state: State) -> NeutralView:
    tiles = tables(state).tiles
    turns = [state.round if seat <= state.active else state.round - 1 for seat in range(state.seats)]
    return NeutralView(
        cubes_left=cubes_left(state, state.seats),
        bonus_board=_bonus_board(state, state.seats),
        build=state.neutral,
        tokens=tuple("no_build" if begun % 2 else "build" for begun in turns),
        stacks=tuple(tuple(tiles[tile].id for tile in stack) for stack in state.stacks),
    )


def _bonus_board(state: State, colour: int) -> tuple[int, ...]:
    return tuple(mask.bit_count() for mask in state.cubes[colour])


def _site(edition: Edition, site: Site) -> SiteView:
    return SiteView(
        structure=edition.tiles[site.tile].id,
        district=site.district,
        demolished=tuple(edition.tiles[tile].id for tile in site.cleared),
    )


def _serving(edition: Edition, serving: Serving) -> ServingView:
    return ServingView(
        colour=serving.colour,
        service=edition.services[serving.service],
        districts=tuple(districts_in(serving.districts)),
        most=serving.most,
        optional=serving.optional,
    )
