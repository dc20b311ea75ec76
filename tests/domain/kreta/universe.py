"""All well-formed commands that are conceivable, written apart from the lists of the rules; some name what does not exist."""

import json
from importlib.resources import files
from itertools import product

from domain.kreta.commands import (
    BuildFort,
    BuildVillage,
    EndTurn,
    Harvest,
    KeepFortCard,
    KretaCommand,
    MoveAbbot,
    MoveShip,
    MoveVillager,
    PlaceAbbot,
    PlaceShip,
    PlaceVillager,
    PlayCharacter,
    ReplaceFortCard,
)

_DATA = json.loads((files("domain.kreta") / "editions" / "reconstructed.json").read_bytes())
_PROVINCES = [province["id"] for province in _DATA["map"]["provinces"]] + ["atlantis"]
_CHARACTERS = [*_DATA["characters"]["value"], "minotaur"]


def universe() -> list[KretaCommand]:
    """Every command of a seat, each once."""
    plays = [PlayCharacter(*pair) for pair in product(_CHARACTERS, [None, *_CHARACTERS])]
    settling = (PlaceShip, PlaceVillager, PlaceAbbot, MoveAbbot, Harvest, BuildVillage)
    moving = (MoveShip, MoveVillager)
    return [
        *plays,
        *(command(province) for command in settling for province in _PROVINCES),
        *(command(*pair) for command in moving for pair in product(_PROVINCES, repeat=2)),
        *map(BuildFort, range(-1, 29)),
        KeepFortCard(),
        ReplaceFortCard(),
        EndTurn(),
    ]
