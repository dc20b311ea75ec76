"""Set-up, the start of a round, and the interim scoring between two rounds [HU2, HU8]."""

from collections.abc import Sequence

from domain.chance import Chance
from domain.errors import RuleViolation
from domain.game import NOBODY, Part
from domain.porta_nigra import refusals as no
from domain.porta_nigra.board import BOARDS
from domain.porta_nigra.commands import ChooseStartPlayer, ScoreInterim, SplitInterim
from domain.porta_nigra.draft import Draft
from domain.porta_nigra.events.course import (
    Deck,
    GameSetUp,
    Hand,
    HandsDrawn,
    Piles,
    PortaNigraEvent,
    Purse,
    RoundStarted,
    StartChoiceGiven,
    StartPlayerChosen,
)
from domain.porta_nigra.events.scoring import InterimCounted, InterimPoints, InterimSplit
from domain.porta_nigra.evolution import evolve
from domain.porta_nigra.options import PortaNigraOptions
from domain.porta_nigra.turn import start_turn


def set_up(seats: int, options: PortaNigraOptions, chance: Chance) -> Sequence[PortaNigraEvent]:
    """Lay the table, deal, and begin the first turn of the drawn start player [HU2, S9]."""
    board = BOARDS[options.edition]
    constants = board.constants
    start_player = chance.shuffle("start_player", range(seats))
    supply = chance.shuffle("supply_cards", tuple(board.supply_cards))
    building = chance.shuffle("building_cards", tuple(board.building_cards))
    honor = chance.shuffle("honor_cards", board.honor_pile)
    first = GameSetUp(
        edition=board.edition,
        data_digest=board.digest,
        seats=seats,
        roman_cost=options.roman_cost,
        age_order=options.age_order or tuple(range(seats)),
        purse=Purse(
            vp=constants.vp,
            sesterces=constants.sesterces,
            torches=constants.torches,
            influence=constants.influence,
            romans=constants.romans,
            romans_in_reserve=constants.romans_in_reserve,
        ),
        bricks=constants.bricks,
        start_player=start_player,
        start_seat=int(start_player.order[0]),
        building_display=tuple(map(str, building.order[: constants.building_display])),
        honor_display=tuple(map(str, honor.order[: constants.honor_display])),
        private=(Part(seats=NOBODY, data=Piles(supply=supply, building=building, honor=honor)),),
    )
    draft = Draft(evolve(None, first), chance)
    _start_round(draft, 1, first.start_seat)
    return [first, *draft.events]


def _start_round(draft: Draft, number: int, start_seat: int) -> None:
    """Everybody shuffles the whole own deck, draws a hand, and the start player's turn begins [HU2, HU8, A28]."""
    seats = range(len(draft.state.players))
    deck, hand_size = draft.board.decks[len(seats)], draft.board.constants.hand_size
    shuffles = [draft.chance.shuffle(f"action_cards_of_seat_{seat}", deck) for seat in seats]
    decks = tuple(Part(seats=NOBODY, data=Deck(seat=seat, shuffle=shuffle)) for seat, shuffle in enumerate(shuffles))
    hands = tuple(
        Part(seats=(seat,), data=Hand(seat=seat, cards=tuple(map(str, shuffle.order[:hand_size]))))
        for seat, shuffle in enumerate(shuffles)
    )
    draft.tell(RoundStarted(round=number, start_seat=start_seat, private=decks))
    draft.tell(HandsDrawn(cards=hand_size, private=hands))
    start_turn(draft, start_seat)


def score_interim(draft: Draft, command: ScoreInterim) -> None:  # noqa: ARG001
    """The house counts everybody's bricks on the board, times the multiplier [HU8]; the seats split in turn order."""
    state = draft.state
    multiplier = draft.board.constants.interim_multiplier[len(state.players)]
    bricks = {seat: sum(state.players[seat].placed) for seat in state.clockwise_from(state.start_seat)}
    points = tuple(InterimPoints(seat=seat, bricks=own, points=own * multiplier) for seat, own in bricks.items())
    draft.tell(InterimCounted(round=state.round, multiplier=multiplier, points=points))


def split_interim(draft: Draft, command: SplitInterim) -> None:
    """Any part as victory points, the rest in sesterces [HU8]."""
    state, seat = draft.state, draft.state.active
    points = state.player.interim
    if not 0 <= command.vp <= points:
        raise RuleViolation(no.SPLIT_OUT_OF_RANGE, pointer="/data/vp", points=points)
    order = [*state.clockwise_from(state.start_seat), None]
    following = order[order.index(seat) + 1]
    draft.tell(InterimSplit(seat=seat, vp=command.vp, sesterces=points - command.vp, next_seat=following))
    if following is None:
        _give_start_choice(draft)


def _give_start_choice(draft: Draft) -> None:
    """The fewest victory points name the start player; of those tied, the youngest [HU8, A27]."""
    state = draft.state
    fewest = min(player.vp for player in state.players)
    tied = tuple(seat for seat, player in enumerate(state.players) if player.vp == fewest)
    draft.tell(StartChoiceGiven(seat=max(tied, key=state.age_order.index), vp=fewest, tied=tied))


def choose_start_player(draft: Draft, command: ChooseStartPlayer) -> None:
    """Anybody, oneself included; the next round begins [HU8]."""
    state, last = draft.state, len(draft.state.players) - 1
    if not 0 <= command.seat <= last:
        raise RuleViolation(no.UNKNOWN_SEAT, pointer="/data/seat", seat=command.seat, last=last)
    draft.tell(StartPlayerChosen(seat=state.active, start_seat=command.seat))
    _start_round(draft, state.round + 1, command.seat)
