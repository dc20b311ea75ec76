"""The final scoring in its four parts [HU9-11]: pure questions to the state, then the house's events."""

from collections.abc import Sequence

from domain.porta_nigra.board import Board
from domain.porta_nigra.commands import ScoreFinal
from domain.porta_nigra.draft import Draft
from domain.porta_nigra.edition import MajorityEntry
from domain.porta_nigra.events import scoring as e
from domain.porta_nigra.state import Player, State


def score_final(draft: Draft, command: ScoreFinal) -> None:  # noqa: ARG001
    """Building cards, final cards, leftovers, majorities; each part and each majority an event [HU9]."""
    board, players = draft.board, list(enumerate(draft.state.players))
    draft.tell(e.BuildingCardsScored(seats=tuple(_building_cards(board, seat, player) for seat, player in players)))
    draft.tell(e.FinalCardsScored(seats=tuple(_final_cards(board, seat, player) for seat, player in players)))
    draft.tell(e.LeftoversScored(seats=tuple(_leftovers(board, seat, player) for seat, player in players)))
    for area in board.areas:
        contenders = majority(board, draft.state, area)
        if contenders:
            draft.tell(e.MajorityScored(building=area.building, row=area.row, level=area.level, contenders=contenders))
    draft.tell(e.GameEnded(scores=tuple(player.vp for player in draft.state.players)))


def sets(board: Board, cards: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The cards grouped into sets of different buildings, as large as can be: the best grouping, since steps grow [A30]."""
    by_building: list[list[str]] = [[] for _ in board.quarters]
    for card in cards:
        by_building[board.card_buildings[card]].append(card)
    most = max(map(len, by_building))
    return tuple(tuple(own[number] for own in by_building if number < len(own)) for number in range(most))


def set_points(board: Board, cards: Sequence[str]) -> int:
    """Victory points of the building cards and substitutes of one player [HU9, 1]."""
    return sum(board.constants.set_vp[len(one)] for one in sets(board, cards))


def _building_cards(board: Board, seat: int, player: Player) -> e.SetsOfSeat:
    cards = player.building_cards
    return e.SetsOfSeat(seat=seat, sets=sets(board, cards), vp=set_points(board, cards))


def final_card_points(board: Board, player: Player) -> int:
    """Victory points of the final scoring cards of one player [HU9, 2]."""
    return sum(board.final_cards[card] for card in player.final_cards)


def _final_cards(board: Board, seat: int, player: Player) -> e.FinalCardsOfSeat:
    return e.FinalCardsOfSeat(seat=seat, cards=player.final_cards, vp=final_card_points(board, player))


def leftover_points(board: Board, player: Player) -> int:
    """Points for Romans, influence, torches and bricks each, and for every few sesterces [HU9, 3]."""
    rates = board.constants
    return (
        player.romans * rates.roman_vp
        + player.influence * rates.influence_vp
        + player.torches * rates.torch_vp
        + sum(player.bricks) * rates.brick_vp
        + player.sesterces // rates.sesterces_per_vp
    )


def _leftovers(board: Board, seat: int, player: Player) -> e.LeftoversOfSeat:
    return e.LeftoversOfSeat(
        seat=seat,
        romans=player.romans,
        sesterces=player.sesterces,
        influence=player.influence,
        torches=player.torches,
        bricks=sum(player.bricks),
        vp=leftover_points(board, player),
    )


def majority(board: Board, state: State, area: MajorityEntry) -> tuple[e.Contender, ...]:
    """Who has something in `area`, best first: the bricks in a row, the elements that reach a level [HU9-11, A6, A7].

    The dearest own element there breaks ties [A4]. First among equals is nobody: they all get the second prize, and
    nobody else does; those tied for second get nothing [A5].
    """
    counts, best = [0] * len(state.players), [0] * len(state.players)
    for element in state.elements:
        site = board.sites[element.site]
        if board.quarters[site.building] != area.building:
            continue
        if area.level is None:
            if site.row != area.row:
                continue
            counts[element.seat] += element.bricks
        else:
            if element.bricks < area.level:
                continue
            counts[element.seat] += 1
        best[element.seat] = max(best[element.seat], board.prices[site.color])
    keys = sorted({(counts[seat], best[seat]) for seat in range(len(counts)) if counts[seat]}, reverse=True)
    groups = [[seat for seat in range(len(counts)) if (counts[seat], best[seat]) == key] for key in keys]
    places = _places([len(group) for group in groups])
    prizes = (0, area.first, area.second)
    return tuple(
        e.Contender(seat=seat, count=counts[seat], best=best[seat], place=place, vp=prizes[place])
        for group, place in zip(groups, places, strict=True)
        for seat in group
    )


def _places(sizes: Sequence[int]) -> list[int]:
    """The place that each group of equals is paid for, 0 for none [A5]."""
    if not sizes:
        return []
    first = 1 if sizes[0] == 1 else 2
    second = 2 if first == 1 and sizes[1:2] == [1] else 0
    return [first, second, *([0] * len(sizes))][: len(sizes)]
