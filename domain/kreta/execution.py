"""Carrying out the actions of admiral, commander, abbot, farmer and architect: each command judged, and its events."""

from domain.errors import RuleViolation
from domain.kreta.board import Board, Piece, mask_of, provinces_in
from domain.kreta.commands import (
    BuildFort,
    BuildVillage,
    Harvest,
    MoveAbbot,
    MoveShip,
    MoveVillager,
    PlaceAbbot,
    PlaceShip,
    PlaceVillager,
)
from domain.kreta.events import (
    AbbotMoved,
    AbbotPlaced,
    FortBuilt,
    ShipMoved,
    ShipPlaced,
    TileHarvested,
    VillageBuilt,
    VillagerMoved,
    VillagerPlaced,
)
from domain.kreta.position import (
    full_harbours,
    full_provinces,
    harvestable_provinces,
    provinces_at_peace,
    reached_provinces,
    steps_left,
    tiles_collected,
)
from domain.kreta.refusals import (
    ABBOT_NOT_PLACED,
    ABBOTS_PEACE,
    ALREADY_THERE,
    HARBOUR_FULL,
    NO_HARBOUR,
    NO_PIECE_LEFT,
    NO_SHIP_THERE,
    NO_TILE_LEFT,
    NO_VILLAGER_THERE,
    NOT_REACHABLE,
    OWN_SHIP_THERE,
    PLACE_OR_MOVE,
    PROVINCE_FULL,
    SHIP_HAS_MOVED,
    SITE_TAKEN,
    TOO_FAR,
    TOO_FEW_TILES,
    UNKNOWN_PROVINCE,
    UNKNOWN_SITE,
)
from domain.kreta.state import State
from domain.kreta.turns import Events, and_end, and_go_on

PROVINCE = "/data/province"
FROM = "/data/from_province"
TO = "/data/to_province"
SITE = "/data/site"


def place_ship(state: State, command: PlaceShip) -> Events:
    """A ship from the supply into a harbour with room and no own ship."""
    harbour = _province(state.board, command.province, PROVINCE)
    _must_place(state, "ship", state.board.pieces.ship, state.ships[state.active])
    _ship_may_enter(state, harbour, PROVINCE)
    return and_end(state, ShipPlaced(state.active, command.province))


def move_ship(state: State, command: MoveShip) -> Events:
    """A ship that has not moved yet to another harbour with room and no own ship."""
    board, ships = state.board, state.ships[state.active]
    origin = _province(board, command.from_province, FROM)
    target = _province(board, command.to_province, TO)
    if origin not in ships:
        raise RuleViolation(
            NO_SHIP_THERE, pointer=FROM, province=command.from_province, places=_names(board, mask_of(ships))
        )
    if origin in state.moved_ships:
        raise RuleViolation(SHIP_HAS_MOVED, pointer=FROM, province=command.from_province)
    _ship_may_enter(state, target, TO)
    return and_go_on(state, ShipMoved(state.active, command.from_province, command.to_province))


def place_villager(state: State, command: PlaceVillager) -> Events:
    """A villager from the supply into a province with room and no foreign peace."""
    province = _province(state.board, command.province, PROVINCE)
    _must_place(state, "villager", state.board.pieces.villager, state.villagers[state.active])
    _may_settle(state, province, PROVINCE)
    return and_end(state, VillagerPlaced(state.active, command.province))


def move_villager(state: State, command: MoveVillager) -> Events:
    """A villager by no more steps than are left; only the province where it stops is judged."""
    board, villagers = state.board, state.villagers[state.active]
    origin = _province(board, command.from_province, FROM)
    target = _province(board, command.to_province, TO)
    if origin not in villagers:
        raise RuleViolation(
            NO_VILLAGER_THERE, pointer=FROM, province=command.from_province, places=_names(board, mask_of(villagers))
        )
    steps = _steps(board, origin, target, steps_left(state), TO)
    _may_settle(state, target, TO)
    return and_go_on(state, VillagerMoved(state.active, command.from_province, command.to_province, steps))


def place_abbot(state: State, command: PlaceAbbot) -> Events:
    """The abbot from the supply into a province with room."""
    province = _province(state.board, command.province, PROVINCE)
    _must_place(state, "abbot", state.board.pieces.abbot, state.abbots[state.active])
    _has_room(state, province, PROVINCE)
    return and_end(state, AbbotPlaced(state.active, command.province))


def move_abbot(state: State, command: MoveAbbot) -> Events:
    """The abbot to another province with room, by no more than its steps."""
    board = state.board
    target = _province(board, command.province, PROVINCE)
    if not state.abbots[state.active]:
        raise RuleViolation(ABBOT_NOT_PLACED)
    (origin,) = state.abbots[state.active]
    steps = _steps(board, origin, target, board.abbot_steps, PROVINCE)
    _has_room(state, target, PROVINCE)
    return and_end(state, AbbotMoved(state.active, board.provinces[origin], command.province, steps))


def harvest(state: State, command: Harvest) -> Events:
    """The tile of a province that own villagers link to an own ship; the k-th of a kind pays the k-th amount at once."""
    board, seat = state.board, state.active
    province = _province(board, command.province, PROVINCE)
    if not (reached := reached_provinces(state, seat)) >> province & 1:
        raise RuleViolation(NOT_REACHABLE, pointer=PROVINCE, province=command.province, reached=_names(board, reached))
    if province not in harvestable_provinces(state, seat):
        raise RuleViolation(NO_TILE_LEFT, pointer=PROVINCE, province=command.province)
    kind = state.tiles[province]
    before = state.collected[seat][kind]
    event = TileHarvested(seat, command.province, board.tiles[kind].tile, before + 1, board.tile_points[before])
    return and_go_on(state, event)


def build_fort(state: State, command: BuildFort) -> Events:
    """A fort on any free fort point."""
    site = command.site
    if site not in state.board.around:
        known = ", ".join(map(str, state.board.around))
        raise RuleViolation(UNKNOWN_SITE, pointer=SITE, site=site, known=known)
    _must_place(state, "fort", state.board.pieces.fort, state.forts[state.active])
    if any(site in forts for forts in state.forts):
        raise RuleViolation(SITE_TAKEN, pointer=SITE, site=site)
    return and_end(state, FortBuilt(state.active, site))


def build_village(state: State, command: BuildVillage) -> Events:
    """A village in a province with room and no foreign peace; there may be no more villages than collected tiles."""
    province = _province(state.board, command.province, PROVINCE)
    villages = state.villages[state.active]
    _must_place(state, "village", state.board.pieces.village, villages)
    if len(villages) >= (tiles := tiles_collected(state, state.active)):
        raise RuleViolation(TOO_FEW_TILES, village=len(villages) + 1, tiles=tiles)
    _may_settle(state, province, PROVINCE)
    return and_end(state, VillageBuilt(state.active, command.province))


def _province(board: Board, name: str, pointer: str) -> int:
    province = board.index.get(name)
    if province is None:
        raise RuleViolation(UNKNOWN_PROVINCE, pointer=pointer, province=name, known=", ".join(board.provinces))
    return province


def _names(board: Board, provinces: int) -> str:
    return ", ".join(board.provinces[province] for province in provinces_in(provinces)) or "-"


def _must_place(state: State, name: str, piece: Piece, on_board: tuple[int, ...]) -> None:
    """A piece is left in the supply, and the action is not a move already."""
    if state.begun:
        raise RuleViolation(PLACE_OR_MOVE)
    if len(on_board) >= piece.count:
        raise RuleViolation(NO_PIECE_LEFT, count=piece.count, piece=name)


def _ship_may_enter(state: State, harbour: int, pointer: str) -> None:
    board, name = state.board, state.board.provinces[harbour]
    if not board.harbours >> harbour & 1:
        raise RuleViolation(NO_HARBOUR, pointer=pointer, province=name, harbours=_names(board, board.harbours))
    if harbour in state.ships[state.active]:
        raise RuleViolation(OWN_SHIP_THERE, pointer=pointer, province=name)
    if full_harbours(state) >> harbour & 1:
        seats = len(state.scores)
        most = board.ships_in_a_harbour[seats]
        raise RuleViolation(HARBOUR_FULL, pointer=pointer, province=name, seats=seats, most=most)


def _has_room(state: State, province: int, pointer: str) -> None:
    if full_provinces(state) >> province & 1:
        board = state.board
        name = board.provinces[province]
        raise RuleViolation(PROVINCE_FULL, pointer=pointer, province=name, most=board.figures_in_a_province)


def _may_settle(state: State, province: int, pointer: str) -> None:
    """A villager or a village may be added."""
    _has_room(state, province, pointer)
    if provinces_at_peace(state, state.active) >> province & 1:
        raise RuleViolation(ABBOTS_PEACE, pointer=pointer, province=state.board.provinces[province])


def _steps(board: Board, origin: int, target: int, left: int, pointer: str) -> int:
    """The length of the way, which must be at least 1 and within `left`."""
    distance = board.distances[origin][target]
    if distance == 0:
        raise RuleViolation(ALREADY_THERE, pointer=pointer, province=board.provinces[target])
    if distance > left:
        names = board.provinces
        raise RuleViolation(
            TOO_FAR, pointer=pointer, origin=names[origin], target=names[target], distance=distance, left=left
        )
    return distance
