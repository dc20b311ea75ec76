"""What the rules ask of a state; the lists of legal commands and the judgement ask alike. Sets of provinces are masks."""

from domain.kreta.board import mask_of, provinces_in
from domain.kreta.state import HARVESTED, State


def full_harbours(state: State) -> int:
    """The harbours that hold as many ships as they may."""
    most = state.board.ships_in_a_harbour[len(state.scores)]
    moored = [harbour for ships in state.ships for harbour in ships]
    return mask_of(harbour for harbour in moored if moored.count(harbour) >= most)


def full_provinces(state: State) -> int:
    """The provinces that hold as many villagers, villages and abbots as they may (ruling 7)."""
    most = state.board.figures_in_a_province
    if max(state.figures) < most:
        return 0
    return mask_of(province for province, figures in enumerate(state.figures) if figures >= most)


def provinces_at_peace(state: State, seat: int) -> int:
    """The provinces where an abbot of another seat than `seat` stands and none of its own (ruling 6)."""
    peace = own = 0
    for owner, abbots in enumerate(state.abbots):
        for province in abbots:
            if owner == seat:
                own |= 1 << province
            else:
                peace |= 1 << province
    return peace & ~own


def reached_provinces(state: State, seat: int) -> int:
    """The provinces that villagers of `seat` link to one of its ships (ruling 2)."""
    settled = mask_of(state.villagers[seat])
    reached = found = settled & mask_of(state.ships[seat])
    adjacent = state.board.adjacent
    while found:
        beyond = 0
        for province in provinces_in(found):
            beyond |= adjacent[province]
        found = beyond & settled & ~reached
        reached |= found
    return reached


def harvestable_provinces(state: State, seat: int) -> list[int]:
    """Those of the reached provinces whose tile is still there."""
    return [province for province in provinces_in(reached_provinces(state, seat)) if state.tiles[province] != HARVESTED]


def free_sites(state: State) -> list[int]:
    """The fort points where no fort stands (ruling 5)."""
    built = {site for forts in state.forts for site in forts}
    return [site for site in state.board.around if site not in built]


def tiles_collected(state: State, seat: int) -> int:
    """How many tiles `seat` has taken."""
    return sum(state.collected[seat])


def steps_left(state: State) -> int:
    """How far the commander may still move villagers in this turn."""
    return state.board.commander_steps - state.steps_taken
