"""All well-formed commands conceivable, and a few that name what does not exist."""

from domain.canterbury.board import EDITIONS
from domain.canterbury.commands import (
    Build,
    Command,
    Demolish,
    DiscardNeutral,
    EndTurn,
    FullBuild,
    Levy,
    Place,
    PlaceNeutral,
    Serve,
    StopServing,
    SwapNeutral,
    TaxAndBuild,
)


def universe() -> list[Command]:
    """The same for any number of seats."""
    edition = EDITIONS["reconstructed"]
    districts = range(-1, edition.districts + 1)
    structures = [tile.id for tile in edition.tiles] + ["inn"]
    return [
        SwapNeutral(),
        DiscardNeutral(),
        Levy(),
        FullBuild(),
        TaxAndBuild(),
        Place(),
        StopServing(),
        EndTurn(),
        *(PlaceNeutral(district) for district in districts),
        *(Serve(district) for district in districts),
        *(Demolish(structure) for structure in structures),
        *(Build(structure, district) for structure in structures for district in districts),
    ]
