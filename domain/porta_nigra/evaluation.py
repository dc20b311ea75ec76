"""How good a state is for a seat, in points: what a bot that looks one command ahead maximises.

Points on hand and what the final scoring would pay now count whole; goods count by what they are likely to bring.
Only what everybody sees is used.
"""

from domain.porta_nigra.board import Board
from domain.porta_nigra.final_scoring import final_card_points, leftover_points, majority, set_points
from domain.porta_nigra.state import NO_SEAT, State

MAJORITY = 0.7
"""The part of a majority's prize that counts for who holds it now."""
STANDING = 0.5
"""What a brick on the board is worth beyond its points: it may win a majority and counts towards the next reward."""
INTERIM = 0.8
"""What a point of an interim scoring to come is worth."""
BRICK = 0.3
"""What a brick in the supply is worth beyond its leftover point, and in each sesterce of its price."""
BRICK_PRICE = 0.62
SCARCE = 9
"""So many sesterces are worth more than what they pay in the end, each by SESTERCE."""
SESTERCE = 0.3
INFLUENCE = 0.9
"""What an influence token is worth beyond its leftover point."""
SCARCE_ROMANS = 3
"""So many Romans are worth more than their leftover point, each by ROMAN."""
ROMAN = 0.8
SYMBOL = {"buy": 1.1, "build": 1.2, "influence": 1.2, "torch": 0.7, "coins": 1.2}
"""What a free action symbol is worth while a torch of the card is left for it."""


def evaluate(board: Board, state: State, seat: int) -> float:
    """The lead of `seat` over the others' mean, in points."""
    worths = [_worth(board, state, other) for other in range(len(state.players))]
    for area in board.areas:
        for contender in majority(board, state, area):
            worths[contender.seat] += MAJORITY * contender.vp
    return worths[seat] - (sum(worths) - worths[seat]) / (len(worths) - 1)


def _worth(board: Board, state: State, seat: int) -> float:
    """Points on hand, the first three parts of the final scoring, and what goods may bring while turns are left."""
    player = state.players[seat]
    sure = player.vp + set_points(board, player.building_cards) + final_card_points(board, player)
    sure += leftover_points(board, player)
    if state.stage in ("final_scoring", "over"):
        return sure
    return sure + _prospects(board, state, seat)


def _prospects(board: Board, state: State, seat: int) -> float:
    player, constants, seats = state.players[seat], board.constants, len(state.players)
    interims = constants.rounds[seats] - state.round if state.ender == NO_SEAT else 0
    standing = STANDING + INTERIM * interims * constants.interim_multiplier[seats]
    worth = standing * sum(player.placed) + SESTERCE * min(player.sesterces, SCARCE) + INFLUENCE * player.influence
    worth += ROMAN * min(player.romans, SCARCE_ROMANS)
    worth += sum(own * (BRICK + BRICK_PRICE * price) for own, price in zip(player.bricks, board.prices, strict=True))
    worth += player.interim
    if seat == state.active and state.card:
        worth += _card_in_play(board, state)
    return worth


def _card_in_play(board: Board, state: State) -> float:
    """The best free symbols that the torches of the card still pay for."""
    symbols = board.action_cards[state.card].symbols
    free = [SYMBOL[symbol.kind] for at, symbol in enumerate(symbols) if not state.covered >> at & 1]
    return sum(sorted(free, reverse=True)[: state.card_torches])
