"""The two early ends, their five points and the last turns [HU8, A25, A26]."""

from msgspec.structs import replace

from domain.porta_nigra import PORTA_NIGRA
from domain.porta_nigra.board import BOARD
from domain.porta_nigra.commands import (
    BuildElement,
    BuyBrick,
    ChooseBrick,
    EndTurn,
    InfluenceBuild,
    PlayActionCard,
    TakeCoins,
)
from domain.porta_nigra.events.course import EarlyEndCalled, HonorCardsTurned, ScoringDue, TurnEnded, TurnStarted
from domain.porta_nigra.state import State
from tests.domain.porta_nigra.builders import Owned, after, legal, outcome, position

FIXED = [site.id for site in BOARD.sites if len(site.sizes) == 1 and site.building < 2]
FOURTEEN = dict.fromkeys([site for site in FIXED if site not in ("BAS-A1", "BAS-B1")][:14], 0)
LAST = BuildElement(symbol=2, site="BAS-A1", bricks=2, whites=0)


def before_the_last_element(seats: int = 3, card: str = "ACT-2", **changes: object) -> State:
    hands = {seat: {"hand": ("ACT-1", "ACT-4"), "pile": ("ACT-7",)} for seat in range(seats)}
    own = {**hands, 0: {**hands[0], "bricks": "2 blue", "romans": 1, "romans_in_reserve": 0}}
    return position(seats, card=card, elements=FOURTEEN, own=own, **changes)  # type: ignore[arg-type]


def test_t24_the_fifteenth_element_pays_five_points_at_once_and_the_card_is_finished() -> None:
    state = before_the_last_element()
    events = outcome(state, LAST)
    assert EarlyEndCalled(seat=0, trigger="elements", vp=5) in events
    following = after(state, LAST)
    assert (following.active, following.ender) == (0, 0)
    assert following.player.vp == 5 + 5
    assert (following.player.elements, following.player.romans) == (15, 0)
    assert BuyBrick(symbol=0, shop="black") in legal(following)


def test_t24_every_other_player_has_one_more_turn_then_the_final_scoring_comes() -> None:
    state = after(before_the_last_element(), LAST, EndTurn())
    for seat in (1, 2):
        assert PORTA_NIGRA.to_act(state) == (seat,)
        ended = after(state, PlayActionCard(card="ACT-1"), EndTurn())
        state = ended
    assert PORTA_NIGRA.phase(state) == "final_scoring"
    assert [len(player.hand) for player in state.players] == [3, 2, 2]


def test_the_player_who_calls_the_end_still_draws() -> None:
    state = after(before_the_last_element(), LAST)
    ended = outcome(state, EndTurn())[0]
    assert isinstance(ended, TurnEnded)
    assert ended.draws == 1


def test_seats_without_cards_are_passed_over() -> None:
    state = before_the_last_element(4)
    players = list(state.players)
    players[1] = replace(players[1], hand=(), pile=())
    state = after(replace(state, players=tuple(players)), LAST)
    assert TurnStarted(seat=2) in outcome(state, EndTurn())


def test_if_nobody_else_has_a_card_the_final_scoring_follows_without_an_interim() -> None:
    none: Owned = {"hand": (), "pile": ()}
    own = {0: {**none, "bricks": "2 blue", "romans": 1, "romans_in_reserve": 0}, 1: none}
    state = after(position(card="ACT-2", elements=FOURTEEN, own=own), LAST)
    assert outcome(state, EndTurn())[-1] == ScoringDue(scoring="final")


def test_the_last_turns_refill_as_usual() -> None:
    state = after(before_the_last_element(honor_display=("HON-VP4",) * 13), LAST)
    assert any(isinstance(event, HonorCardsTurned) for event in outcome(state, EndTurn()))


def test_buying_the_last_brick_of_market_and_reserve_ends_the_game_too() -> None:
    state = position(card="ACT-2", market="1 black", reserve=0)
    assert EarlyEndCalled(seat=0, trigger="bricks", vp=5) in outcome(state, BuyBrick(symbol=0, shop="black"))


def test_an_empty_market_alone_or_an_empty_reserve_alone_ends_nothing() -> None:
    state = position(card="ACT-2", market="1 black", reserve=1)
    assert after(state, BuyBrick(symbol=0, shop="black")).ender < 0
    state = position(card="ACT-2", market="2 black", reserve=0)
    assert after(state, BuyBrick(symbol=0, shop="black")).ender < 0


def test_the_end_is_looked_at_once_no_question_is_open() -> None:
    wall = BuildElement(symbol=2, site="CIT-W6", bricks=3, whites=0)
    state = position(card="ACT-2", market="", reserve=1, own={0: {"bricks": "3 black"}})
    asked = after(state, wall)
    assert (asked.ender, asked.bricks_due) == (-1, 1)
    assert outcome(asked, ChooseBrick(color="red"))[1] == EarlyEndCalled(seat=0, trigger="bricks", vp=5)


def test_only_the_first_trigger_counts_and_pays_once() -> None:
    state = position(card="ACT-2", market="1 black", reserve=0, ender=1, active=0)
    events = outcome(state, BuyBrick(symbol=0, shop="black"))
    assert all(not isinstance(event, EarlyEndCalled) for event in events)


def test_if_both_conditions_hold_it_is_called_elements() -> None:
    state = before_the_last_element(market="", reserve=0)
    assert EarlyEndCalled(seat=0, trigger="elements", vp=5) in outcome(state, LAST)


def test_the_end_may_come_before_the_action_card() -> None:
    own = {"bricks": "2 blue", "romans": 1, "romans_in_reserve": 0, "influence": 2, "hand": ("ACT-1",)}
    state = position(elements=FOURTEEN, own={0: own})
    state = after(state, InfluenceBuild(site="BAS-A1", bricks=2, whites=0))
    assert (state.ender, PORTA_NIGRA.phase(state)) == (0, "play_card")


def test_a_turn_that_calls_the_end_may_end_by_itself() -> None:
    state = before_the_last_element(card_torches=1)
    players = state.players
    state = replace(state, players=(replace(players[0], torches=0), *players[1:]))
    kinds = [type(event) for event in outcome(state, LAST)]
    assert kinds.index(EarlyEndCalled) < kinds.index(TurnEnded)


def test_other_actions_call_nothing() -> None:
    assert after(position(card="ACT-1"), TakeCoins(symbol=2)).ender < 0
