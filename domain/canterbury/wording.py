"""What people read of Canterbury: names of structures and services, and one sentence for each event."""

from domain.canterbury.board import EDITIONS
from domain.canterbury.events import (
    CitizensTaxed,
    CityHalted,
    DistrictScored,
    DistrictServed,
    DistrictsScored,
    EndAnnounced,
    FullBuildBegan,
    GameBegan,
    GameEnded,
    KingRewarded,
    NeutralPlaced,
    NeutralSwapped,
    NeutralTileLost,
    OpeningRewarded,
    ProsperityGained,
    RankPaid,
    RanksPaid,
    ServingBegan,
    ServingEnded,
    ShillingsCounted,
    StructureBought,
    StructureDemolished,
    StructurePlaced,
    TreasuryLevied,
    TurnBegan,
    TurnEnded,
    TurnPassed,
    UpgradeRewarded,
)
from domain.wording import SEAT, Clauses, Phrase, Wording, named, scores, seat_name, seat_names

_STRUCTURES = [
    each for edition in EDITIONS.values() for each in (*edition.raw["structures"]["value"], edition.raw["roman_well"])
]

NAMES = {
    "structure": named("canterbury structure", {each["id"]: each["name"].lower() for each in _STRUCTURES})
    | named("canterbury structure", {"roman_well": "Roman well"}),
    "service": named("canterbury service", {each: each for edition in EDITIONS.values() for each in edition.services}),
    "size": named(
        "canterbury size", {each.id: each.id for edition in EDITIONS.values() for each in edition.data.sizes.value}
    ),
    "part": named("canterbury part", {"central": "city centre", "inner": "inner district", "outer": "outer district"}),
}

KINDS = {"seat": SEAT, "structure": "structure", "tile": "structure", "service": "service"}


def _turn_began(event: TurnBegan, _: int) -> Phrase:
    if event.tile is None:
        return Phrase("Round {round}: it is the turn of {seat}.")
    return Phrase("Round {round}: it is the turn of {seat}, and the neutral colour builds first: {tile}.")


def _neutral_placed(event: NeutralPlaced, _: int) -> Phrase:
    if not event.cubes:
        return Phrase(
            "{seat} builds for the neutral colour in district {district}: {structure}. The city gains "
            "{city_points:point|points} and has {city}."
        )
    return Phrase(
        "{seat} builds for the neutral colour in district {district}: {structure}. Districts supplied: {cubes}. "
        "The city gains {city_points:point|points} and has {city}."
    )


def _placed(event: StructurePlaced, _: int) -> Phrase:
    if not event.cubes:
        return Phrase("{seat} builds in district {district}: {structure}.")
    return Phrase("{seat} builds in district {district}: {structure}. Districts supplied: {cubes}.")


def _serving_began(event: ServingBegan, _: int) -> Phrase:
    if event.colour != event.seat:
        return Phrase(
            "{seat} is to choose {most:district|districts} for service cubes of the neutral colour ({service})."
        )
    if event.optional:
        return Phrase("{seat} may choose up to {most:district|districts} for service cubes ({service}).")
    return Phrase("{seat} is to choose {most:district|districts} for service cubes ({service}).")


def _served(event: DistrictServed, _: int) -> Phrase:
    if event.colour != event.seat:
        return Phrase("{seat} puts a service cube of the neutral colour in district {district}: {service}.")
    return Phrase("{seat} puts a service cube in district {district}: {service}.")


def _district_scored(event: DistrictScored, seats: int) -> Phrase:
    paid = _gains(event.points, seats)
    if not paid:
        return Phrase("District {district} is scored ({first} and {second}): nobody gains points.")
    return Phrase("District {district} is scored ({first} and {second}): {paid}.", {"paid": Clauses(paid)})


def _king_rewarded(event: KingRewarded, seats: int) -> Phrase:
    paid = _gains(event.points, seats)
    if not paid:
        return Phrase("The King's bonus for {service}: nobody gains points.")
    return Phrase("The King's bonus for {service}: {paid}.", {"paid": Clauses(paid)})


def _gains(points: tuple[int, ...], seats: int) -> tuple[Phrase, ...]:
    """What each colour gains; the one beyond the seats is the neutral one."""
    return tuple(
        Phrase("{seat} gains {points:point|points}", {"seat": seat_name(colour), "points": gained}, "canterbury")
        if colour < seats
        else Phrase("the neutral colour gains {points:point|points}", {"points": gained})
        for colour, gained in enumerate(points)
        if gained
    )


def _districts_scored(event: DistrictsScored, _: int) -> Phrase:
    return Phrase("All districts are scored. Points gained: {scores}.", {"scores": scores(event.points)})


def _ended(event: GameEnded, _: int) -> Phrase:
    return Phrase(
        "The game is over. First: {winners}. Points: {scores}.",
        {"winners": seat_names(event.ranking[0]), "scores": scores(event.scores)},
    )


WORDING = Wording(
    NAMES,
    KINDS,
    {
        GameBegan: Phrase("The board is set up: the Roman well stands in district {roman_well}."),
        TurnBegan: _turn_began,
        NeutralPlaced: _neutral_placed,
        NeutralSwapped: Phrase("{seat} returns a tile of the neutral colour ({structure}); next comes: {tile}."),
        NeutralTileLost: Phrase("A tile of the neutral colour has no place and leaves the game: {structure}."),
        TreasuryLevied: Phrase("{seat} levies the treasury and takes {shillings:shilling|shillings}."),
        FullBuildBegan: Phrase("{seat} chooses the full build."),
        CitizensTaxed: Phrase("{seat} taxes the citizens, takes {shillings:shilling|shillings} and will build."),
        TurnPassed: Phrase("{seat} had to choose the full build, but can build nothing."),
        StructureBought: Phrase(
            "{seat} pays {cost:shilling|shillings} for a structure in district {district}: {structure}."
        ),
        StructureDemolished: Phrase("{seat} demolishes in district {district}: {structure}."),
        StructurePlaced: _placed,
        ServingBegan: _serving_began,
        DistrictServed: _served,
        ServingEnded: Phrase("{seat} supplies no further district."),
        ProsperityGained: Phrase(
            "{seat} gains {points:point|points}, the city gains {city_points:point|points} and has {city}."
        ),
        OpeningRewarded: Phrase("{seat} gains {points:point|points} for opening district {district}."),
        UpgradeRewarded: Phrase(
            "{seat} gains {points:point|points} for an upgrade in district {district}: {structure}."
        ),
        TurnEnded: Phrase("{seat} ends the turn."),
        EndAnnounced: Phrase("The city has passed the last hundred: the game ends with round {final_round}."),
        CityHalted: Phrase("The city cannot grow any more: the last scoring and the end follow at once."),
        DistrictScored: _district_scored,
        DistrictsScored: _districts_scored,
        RankPaid: Phrase("{seat} gets {shillings:shilling|shillings} by rank token {rank}."),
        RanksPaid: Phrase("All rank tokens are paid for scoring {scoring}."),
        KingRewarded: _king_rewarded,
        ShillingsCounted: Phrase("{seat} gains {points:point|points} for {shillings:shilling|shillings} left."),
        GameEnded: _ended,
    },
)
"""The sentences of Canterbury."""
