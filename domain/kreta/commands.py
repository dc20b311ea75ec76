"""What a seat may want, and, for each edition, every such command made once."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, get_args

from msgspec import Meta, Struct

from domain.game import Command
from domain.kreta.board import BOARDS, CASTELLAN, KING, Board

_CHARACTERS = tuple(dict.fromkeys(character for board in BOARDS.values() for character in board.characters))
_COPYABLE = tuple(character for character in _CHARACTERS if character not in (KING, CASTELLAN))
_PROVINCES = tuple(dict.fromkeys(province for board in BOARDS.values() for province in board.provinces))
_SITES = tuple(dict.fromkeys(site for board in BOARDS.values() for site in board.around))

CharacterId = Annotated[str, Meta(extra_json_schema={"enum": list(_CHARACTERS)})]
CopyableId = Annotated[str, Meta(extra_json_schema={"enum": list(_COPYABLE)})]
ProvinceId = Annotated[str, Meta(extra_json_schema={"enum": list(_PROVINCES)})]
Site = Annotated[int, Meta(extra_json_schema={"enum": list(_SITES)})]


class PlayCharacter(Command, frozen=True, omit_defaults=True):
    """Play a card from the hand; the king `copies` a card that lies face up before the same seat."""

    type: ClassVar[str] = "play_character"
    character: CharacterId
    copies: CopyableId | None = None


class PlaceShip(Command, frozen=True):
    """Admiral: a ship from the supply into the harbour of a province."""

    type: ClassVar[str] = "place_ship"
    province: ProvinceId


class MoveShip(Command, frozen=True):
    """Admiral: a ship to another harbour; each ship at most once."""

    type: ClassVar[str] = "move_ship"
    from_province: ProvinceId
    to_province: ProvinceId


class PlaceVillager(Command, frozen=True):
    """Commander: a villager from the supply."""

    type: ClassVar[str] = "place_villager"
    province: ProvinceId


class MoveVillager(Command, frozen=True):
    """Commander: a villager, at the cost of the shortest way along borders."""

    type: ClassVar[str] = "move_villager"
    from_province: ProvinceId
    to_province: ProvinceId


class PlaceAbbot(Command, frozen=True):
    """Abbot: the abbot from the supply."""

    type: ClassVar[str] = "place_abbot"
    province: ProvinceId


class MoveAbbot(Command, frozen=True):
    """Abbot: the abbot on the board to another province."""

    type: ClassVar[str] = "move_abbot"
    province: ProvinceId


class Harvest(Command, frozen=True):
    """Farmer: the tile of one reachable province."""

    type: ClassVar[str] = "harvest"
    province: ProvinceId


class BuildFort(Command, frozen=True):
    """Architect: a fort on a free fort point."""

    type: ClassVar[str] = "build_fort"
    site: Site


class BuildVillage(Command, frozen=True):
    """Architect: a village in a province."""

    type: ClassVar[str] = "build_village"
    province: ProvinceId


class KeepFortCard(Command, frozen=True):
    """Castellan: leave the card that was just turned up."""

    type: ClassVar[str] = "keep_fort_card"


class ReplaceFortCard(Command, frozen=True):
    """Castellan: put the card that was just turned up under the pile, and take the pile's top card instead."""

    type: ClassVar[str] = "replace_fort_card"


class EndTurn(Command, frozen=True):
    """End an action of several steps early."""

    type: ClassVar[str] = "end_turn"


class Score(Command, frozen=True):
    """House: score the leftmost open fort card."""

    type: ClassVar[str] = "score"


SeatCommand = (
    PlayCharacter
    | PlaceShip
    | MoveShip
    | PlaceVillager
    | MoveVillager
    | PlaceAbbot
    | MoveAbbot
    | Harvest
    | BuildFort
    | BuildVillage
    | KeepFortCard
    | ReplaceFortCard
    | EndTurn
)
KretaCommand = SeatCommand | Score

SEAT_COMMAND_TYPES: tuple[type[SeatCommand], ...] = get_args(SeatCommand)

END_TURN = EndTurn()
KEEP_OR_REPLACE: tuple[SeatCommand, ...] = (KeepFortCard(), ReplaceFortCard())
SCORE = Score()


class Repertoire(Struct, frozen=True):
    """Every command of an edition, so that listing commands allocates none. Rows go by province index."""

    play: Mapping[str, PlayCharacter]
    copy: Mapping[str, PlayCharacter]
    place_ship: tuple[PlaceShip, ...]
    move_ship: tuple[tuple[MoveShip, ...], ...]
    place_villager: tuple[PlaceVillager, ...]
    move_villager: tuple[tuple[MoveVillager, ...], ...]
    place_abbot: tuple[PlaceAbbot, ...]
    move_abbot: tuple[MoveAbbot, ...]
    harvest: tuple[Harvest, ...]
    build_fort: Mapping[int, BuildFort]
    build_village: tuple[BuildVillage, ...]


def _repertoire(board: Board) -> Repertoire:
    provinces = board.provinces
    return Repertoire(
        play={character: PlayCharacter(character) for character in board.characters},
        copy={character: PlayCharacter(KING, character) for character in board.characters},
        place_ship=tuple(map(PlaceShip, provinces)),
        move_ship=tuple(tuple(MoveShip(origin, target) for target in provinces) for origin in provinces),
        place_villager=tuple(map(PlaceVillager, provinces)),
        move_villager=tuple(tuple(MoveVillager(origin, target) for target in provinces) for origin in provinces),
        place_abbot=tuple(map(PlaceAbbot, provinces)),
        move_abbot=tuple(map(MoveAbbot, provinces)),
        harvest=tuple(map(Harvest, provinces)),
        build_fort={site: BuildFort(site) for site in board.around},
        build_village=tuple(map(BuildVillage, provinces)),
    )


REPERTOIRES: Mapping[str, Repertoire] = {edition: _repertoire(board) for edition, board in BOARDS.items()}
"""By edition."""
