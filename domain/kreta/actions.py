"""The actions of the characters: for each, the commands that carry it out, listed exactly and in a stable order."""

from collections.abc import Callable, Iterator, Mapping

from domain.kreta.board import ABBOT, ADMIRAL, ARCHITECT, CASTELLAN, COMMANDER, FARMER, KING, mask_of, provinces_in
from domain.kreta.commands import END_TURN, KEEP_OR_REPLACE, REPERTOIRES, SeatCommand
from domain.kreta.position import (
    free_sites,
    full_harbours,
    full_provinces,
    harvestable_provinces,
    provinces_at_peace,
    steps_left,
    tiles_collected,
)
from domain.kreta.state import CHOOSE_CARD, FORT_CARD, State

ALL_REACHABLE = "all_reachable"
ONE_TILE = "one_tile"

Commands = Iterator[SeatCommand]


def legal_commands(state: State) -> tuple[SeatCommand, ...]:
    """Every command that the active seat may give; none while a step is owed or when the game is over."""
    if state.phase == CHOOSE_CARD:
        return tuple(_plays(state))
    if state.phase in ACTIONS:
        commands = tuple(ACTIONS[state.phase](state))
        return (*commands, END_TURN) if state.begun else commands
    return KEEP_OR_REPLACE if state.phase == FORT_CARD else ()


def is_possible(state: State, character: str) -> bool:
    """Whether the action of `character` can be carried out; the king's is that of the card it copies."""
    return next(ACTIONS[character](state), None) is not None


def is_finished(state: State) -> bool:
    """Whether nothing is left to do in an action of several steps."""
    return not is_possible(state, state.phase)


def _plays(state: State) -> Commands:
    """The castellan can always be played, the king when some card that lies face up could be played again."""
    repertoire = REPERTOIRES[state.edition]
    played = state.played[state.active]
    for character in state.board.characters:
        if character in played:
            continue
        if character == KING:
            yield from (repertoire.copy[copied] for copied in played if is_possible(state, copied))
        elif character == CASTELLAN or is_possible(state, character):
            yield repertoire.play[character]


def _admiral(state: State) -> Commands:
    """Place a ship, or move each ship at most once, to harbours with room and no own ship (ruling 10)."""
    repertoire, board = REPERTOIRES[state.edition], state.board
    ships = state.ships[state.active]
    open_harbours = provinces_in(board.harbours & ~full_harbours(state) & ~mask_of(ships))
    if not state.begun and len(ships) < board.pieces.ship.count:
        for harbour in open_harbours:
            yield repertoire.place_ship[harbour]
    for ship in ships:
        if ship not in state.moved_ships:
            for harbour in open_harbours:
                yield repertoire.move_ship[ship][harbour]


def _commander(state: State) -> Commands:
    """Place a villager, or move villagers up to four steps in all, to provinces with room and no foreign peace (ruling 8)."""
    repertoire, board = REPERTOIRES[state.edition], state.board
    villagers = state.villagers[state.active]
    open_provinces = board.everywhere & ~full_provinces(state) & ~provinces_at_peace(state, state.active)
    if not state.begun and len(villagers) < board.pieces.villager.count:
        for province in provinces_in(open_provinces):
            yield repertoire.place_villager[province]
    left = steps_left(state)
    for origin in dict.fromkeys(villagers):
        moves = repertoire.move_villager[origin]
        for province in provinces_in(board.within[origin][left] & open_provinces):
            yield moves[province]


def _abbot(state: State) -> Commands:
    """Place the abbot, or move it up to three steps, to provinces with room (ruling 9)."""
    repertoire, board = REPERTOIRES[state.edition], state.board
    open_provinces = board.everywhere & ~full_provinces(state)
    abbots = state.abbots[state.active]
    if len(abbots) < board.pieces.abbot.count:
        for province in provinces_in(open_provinces):
            yield repertoire.place_abbot[province]
    for abbot in abbots:
        for province in provinces_in(board.within[abbot][board.abbot_steps] & open_provinces):
            yield repertoire.move_abbot[province]


def _farmer(state: State) -> Commands:
    """Harvest one reachable tile after the other, or a single one (rulings 1 to 3)."""
    if state.begun and state.farmer_harvest == ONE_TILE:
        return
    harvest = REPERTOIRES[state.edition].harvest
    for province in harvestable_provinces(state, state.active):
        yield harvest[province]


def _architect(state: State) -> Commands:
    """Build a fort on a free point, or a village where there is room, no foreign peace and a tile to match (rulings 4, 5)."""
    repertoire, pieces, seat = REPERTOIRES[state.edition], state.board.pieces, state.active
    if len(state.forts[seat]) < pieces.fort.count:
        for site in free_sites(state):
            yield repertoire.build_fort[site]
    villages = len(state.villages[seat])
    if villages < pieces.village.count and villages < tiles_collected(state, seat):
        closed = full_provinces(state) | provinces_at_peace(state, seat)
        for province in provinces_in(state.board.everywhere & ~closed):
            yield repertoire.build_village[province]


ACTIONS: Mapping[str, Callable[[State], Commands]] = {
    ADMIRAL: _admiral,
    COMMANDER: _commander,
    ABBOT: _abbot,
    FARMER: _farmer,
    ARCHITECT: _architect,
}
"""By character, which is also the phase while its action is carried out. The king borrows, the castellan is the house's."""
