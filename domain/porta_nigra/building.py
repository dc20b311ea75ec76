"""Building elements, on sites of fixed size and on the Porta Nigra, and the master builder rewards [HU6, HU10, HU11]."""

from domain.errors import RuleViolation
from domain.porta_nigra import refusals as no
from domain.porta_nigra.actions import color_named, use_symbol
from domain.porta_nigra.board import Board, Site
from domain.porta_nigra.commands import BuildElement, ChooseBrick, InfluenceBuild, TopUpElement
from domain.porta_nigra.draft import Draft
from domain.porta_nigra.events.actions import BrickChosen, ElementBuilt, ElementToppedUp, RewardGranted, Torch
from domain.porta_nigra.state import Element, State


def element_fault(
    board: Board, site: Site, bricks: int, whites: int, own: int, own_whites: int
) -> RuleViolation | None:
    """Why no element of `bricks`, `whites` of them in place of the site's colour, can be made of the own ones, or None.

    White bricks stand for any colour [HU6]; a white site takes nothing but white, which stands for nothing [A8].
    """
    if bricks not in site.sizes:
        least, most = site.sizes[0], site.sizes[-1]
        return RuleViolation(
            no.WRONG_HEIGHT, pointer="/data/bricks", site=site.id, least=least, most=most, bricks=bricks
        )
    most = 0 if site.color == board.white else bricks
    if not 0 <= whites <= most:
        return RuleViolation(no.WRONG_WHITES, pointer="/data/whites", most=most, whites=whites)
    needed = bricks - whites
    if needed > own or whites > own_whites:
        return RuleViolation(
            no.BRICKS_MISSING,
            pointer="/data/bricks",
            needed=needed,
            color=board.colors[site.color],
            whites=whites,
            own=own,
            own_whites=own_whites,
        )
    return None


def build_element(draft: Draft, command: BuildElement) -> None:
    """The build symbol [HU6]."""
    _, torch = use_symbol(draft, command.symbol, "build")
    _build(draft, command, symbol=command.symbol, torch=torch, influence=0)


def influence_build(draft: Draft, command: InfluenceBuild) -> None:
    """The same for influence, without a symbol; all other costs stay [HU7, A15]."""
    cost, influence = draft.board.constants.influence_build_cost, draft.state.player.influence
    if influence < cost:
        raise RuleViolation(no.TOO_LITTLE_INFLUENCE, cost=cost, influence=influence)
    _build(draft, command, symbol=None, torch=None, influence=cost)


def _build(
    draft: Draft, command: BuildElement | InfluenceBuild, symbol: int | None, torch: Torch | None, influence: int
) -> None:
    """Victory points, building card, the element on its site, then the rewards, in this order [HU6 a-d, A33]."""
    board, state, player = draft.board, draft.state, draft.state.player
    site = _free_site(draft, command)
    fee = board.fees[player.quarter][site.building]
    before = player.placed[site.building]
    card = board.matching[site.building, site.color] if site.grants_building_card else None
    draft.tell(
        ElementBuilt(
            seat=state.active,
            symbol=symbol,
            torch=torch,
            influence=influence,
            site=site.id,
            color=board.colors[site.color],
            bricks=command.bricks,
            whites=command.whites,
            quarter=board.quarters[site.building],
            fee=fee,
            vp=site.points[command.bricks],
            building_card=card if card in state.building_display else None,
            total=before + command.bricks,
        )
    )
    _reward(draft, site.building, before)


def _free_site(draft: Draft, command: BuildElement | InfluenceBuild) -> Site:
    """The site of the command, if the element can be put together, crowned and taken there. Raises RuleViolation."""
    board, state, player = draft.board, draft.state, draft.state.player
    index = board.site_index.get(command.site)
    if index is None:
        raise RuleViolation(no.UNKNOWN_SITE, pointer="/data/site", site=command.site)
    if not state.free_sites >> index & 1:
        raise RuleViolation(no.SITE_TAKEN, pointer="/data/site", site=command.site)
    if not player.romans:
        raise RuleViolation(no.NO_ROMAN)
    site = board.sites[index]
    fault = element_fault(
        board, site, command.bricks, command.whites, player.bricks[site.color], player.bricks[board.white]
    )
    if fault is not None:
        raise fault
    fee = board.fees[player.quarter][site.building]
    if fee > player.sesterces:
        raise RuleViolation(no.TOO_FEW_SESTERCES, pointer="/data/site", cost=fee, fee=fee, sesterces=player.sesterces)
    return site


def _reward(draft: Draft, building: int, before: int) -> None:
    """The master builder reward for each multiple that the seat's bricks in `building` have newly reached [HU6 d].

    What the reserves cannot give is lost [A23, A24].
    """
    board, state, player = draft.board, draft.state, draft.state.player
    every, total = board.constants.reward_every_bricks, player.placed[building]
    times = total // every - before // every
    if not times:
        return
    reward = board.rewards[building]
    draft.tell(
        RewardGranted(
            seat=state.active,
            building=board.quarters[building],
            total=total,
            times=times,
            sesterces=reward.sesterces * times,
            torches=reward.torches * times,
            influence=reward.influence * times,
            romans=min(reward.romans * times, player.romans_in_reserve),
            bricks=min(reward.bricks * times, state.reserve),
        )
    )


def choose_brick(draft: Draft, command: ChooseBrick) -> None:
    """A brick from the reserve has no colour until its owner names one [A2]."""
    color_named(draft.board, command.color, "/data/color")
    draft.tell(BrickChosen(seat=draft.state.active, color=command.color))


def can_grow(board: Board, element: Element, seat: int) -> bool:
    """Whether `element` is `seat`'s, on a site of free height, and below the greatest height [A19]."""
    return (
        element.seat == seat and element.site in board.growing and element.bricks < board.sites[element.site].sizes[-1]
    )


def growing(board: Board, state: State) -> list[Element]:
    """The elements that the player may put a brick on, in order of their sites."""
    seat = state.active
    return sorted((e for e in state.elements if can_grow(board, e, seat)), key=lambda element: element.site)


def top_up_element(draft: Draft, command: TopUpElement) -> None:
    """One brick on top: no points and no card for it, but a reward if one is reached [HU12, A19]."""
    board, state, player = draft.board, draft.state, draft.state.player
    index, at = board.site_index.get(command.site), "/data/site"
    if index is None:
        raise RuleViolation(no.UNKNOWN_SITE, pointer=at, site=command.site)
    own = [element for element in state.elements if element.site == index and element.seat == state.active]
    if not own or index not in board.growing:
        raise RuleViolation(no.NOT_OWN_ELEMENT, pointer=at, site=command.site)
    if not can_grow(board, own[0], state.active):
        raise RuleViolation(no.ELEMENT_FULL, pointer=at, site=command.site, most=own[0].bricks)
    building = board.sites[index].building
    before = player.placed[building]
    draft.tell(
        ElementToppedUp(
            seat=state.active,
            site=command.site,
            building=board.quarters[building],
            bricks=own[0].bricks + 1,
            total=before + 1,
        )
    )
    _reward(draft, building, before)
