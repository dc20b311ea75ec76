"""What holds in every game: conservation, the ledger, exact lists, replay, views, and that it ends."""

from collections import Counter
from itertools import islice
from pathlib import Path

import msgspec

from domain.errors import RuleViolation
from domain.porta_nigra import PORTA_NIGRA
from domain.porta_nigra.board import BOARD
from domain.porta_nigra.commands import PortaNigraCommand
from domain.porta_nigra.events.course import EarlyEndCalled, TurnEnded
from domain.porta_nigra.refusals import RULEBOOK
from domain.porta_nigra.state import State
from domain.porta_nigra.view import View
from tests.domain.porta_nigra.builders import CHANCE
from tests.domain.porta_nigra.games import over_games
from tests.domain.porta_nigra.recount import Recount, decks
from tests.domain.porta_nigra.universe import discarding, universe
from tests.support.playing import Playthrough, replayed


@over_games(15)
def test_bricks_romans_and_cards_are_conserved(game: Playthrough) -> None:
    for _ in game.steps():
        _count_pieces(game.state)
    _count_pieces(game.state)


def _count_pieces(state: State) -> None:
    seats = len(state.players)
    on_board = sum(element.bricks for element in state.elements)
    assert state.reserve + sum(state.market) + on_board + sum(sum(player.bricks) for player in state.players) == 90
    for seat, player in enumerate(state.players):
        own = [element for element in state.elements if element.seat == seat]
        assert player.romans + player.romans_in_reserve + len(own) == 15
        assert player.elements == len(own)
        placed = Counter(dict.fromkeys(range(4), 0))
        for element in own:
            placed[BOARD.sites[element.site].building] += element.bricks
        assert player.placed == tuple(placed[building] for building in range(4))
        in_play = (state.card,) if state.card and seat == state.active else ()
        assert sorted((*player.hand, *player.pile, *player.played, *in_play)) == sorted(decks(seats))
        goods = (player.sesterces, player.torches, player.influence, player.romans, *player.bricks)
        assert min(*goods, player.romans_in_reserve) >= 0
    assert state.free_sites == BOARD.all_sites - sum(1 << element.site for element in state.elements)
    assert min(state.reserve, *state.market) >= 0
    assert sorted(state.supply_pile + state.supply_discards) == sorted(BOARD.supply_cards)
    held = Counter(card for player in state.players for card in player.building_cards + player.final_cards)
    gone = Counter(state.removed_building_cards) + Counter(state.removed_honor_cards)
    piles = Counter(state.building_pile + state.building_display + state.honor_pile + state.honor_display)
    assert held + gone + piles == Counter([*BOARD.building_cards, *BOARD.honor_pile])
    assert len(state.building_display) <= 6
    assert len(state.honor_display) <= 14


@over_games(15)
def test_goods_and_points_equal_the_sum_of_the_ledger_in_the_events(game: Playthrough) -> None:
    book = Recount(game.seats).read(game.events)
    read = len(game.events)
    for _ in game.steps():
        book.read(game.events[read:])
        read = len(game.events)
        for seat, player in enumerate(game.state.players):
            assert player.vp == book.points[seat]
            assert player.sesterces == book.sesterces[seat]
            assert (player.torches, player.influence) == (book.torches[seat], book.influence[seat])
            assert player.romans == book.romans[seat]
            assert player.bricks == tuple(book.bricks[seat][color] for color in BOARD.colors)
            assert sorted(player.building_cards) == sorted(book.cards[seat])
        assert game.state.market == tuple(book.market[color] for color in BOARD.colors)
        assert game.state.reserve == book.reserve


@over_games(30)
def test_scores_equal_an_independent_recount(game: Playthrough) -> None:
    game.play()
    result = PORTA_NIGRA.result(game.state)
    assert result is not None
    assert list(result.scores) == Recount(game.seats).read(game.events).final_points()
    assert result.winners == tuple(s for s in range(game.seats) if result.scores[s] == max(result.scores))


@over_games(15)
def test_the_game_ends_after_all_turns_or_after_an_early_end(game: Playthrough) -> None:
    game.play(most=2000)
    turns = Counter(event.seat for event in game.events if isinstance(event, TurnEnded))
    rounds, cards = BOARD.constants.rounds[game.seats], len(decks(game.seats))
    if any(isinstance(event, EarlyEndCalled) for event in game.events):
        assert max(turns.values()) - min(turns.values()) <= 1
    else:
        assert set(turns.values()) == {rounds * cards}


@over_games(15)
def test_replay_through_json_gives_the_same_state(game: Playthrough) -> None:
    for _ in islice(game.steps(), game.rng.randint(0, 150)):
        pass
    assert replayed(PORTA_NIGRA, game.events) == game.state
    encoded = msgspec.json.encode(game.state)
    assert msgspec.json.decode(encoded, type=State) == game.state


@over_games(6)
def test_exactly_the_listed_commands_are_accepted(game: Playthrough) -> None:
    for number, _ in enumerate(game.steps()):
        if number % 30 == game.seats or game.state.bricks_due or game.state.top_up_due:
            _compare(game.state)


def _compare(state: State) -> None:
    listed = PORTA_NIGRA.legal_commands(state, state.active)
    assert len(set(listed)) == len(listed)
    assert list(PORTA_NIGRA.legal_commands(state, state.active)) == list(listed)
    everything = [*universe(len(state.players)), *discarding(state)]
    assert set(listed) <= set(everything)
    assert {command for command in everything if _is_accepted(state, command)} == set(listed)


def _is_accepted(state: State, command: PortaNigraCommand) -> bool:
    try:
        return bool(PORTA_NIGRA.decide(state, state.active, command, CHANCE))
    except RuleViolation as caught:
        refusal = caught
    assert refusal.rule in RULEBOOK
    assert "{" not in refusal.detail
    return False


@over_games(15)
def test_someone_may_act_or_a_step_is_owed_until_the_end(game: Playthrough) -> None:
    for seat, _ in game.steps():
        assert PORTA_NIGRA.to_act(game.state) == (seat,)
        assert all(not PORTA_NIGRA.legal_commands(game.state, s) for s in range(game.seats) if s != seat)
    assert PORTA_NIGRA.phase(game.state) == "over"


@over_games(10)
def test_views_survive_json_and_imagining_is_consistent(game: Playthrough) -> None:
    for number, _ in enumerate(game.steps()):
        if number % 15 == 0:
            _check_views(game.state)
    _check_views(game.state)


def _check_views(state: State) -> None:
    for seat in (None, *range(len(state.players))):
        seen = PORTA_NIGRA.view(state, seat)
        assert msgspec.json.decode(msgspec.json.encode(seen), type=View) == seen
        imagined = PORTA_NIGRA.imagine(seen, CHANCE)
        assert PORTA_NIGRA.view(imagined, seat) == seen
        _count_pieces(imagined)
        if seat is not None:
            assert PORTA_NIGRA.legal_commands(imagined, seat) == PORTA_NIGRA.legal_commands(state, seat)
            assert PORTA_NIGRA.evaluate(imagined, seat) == PORTA_NIGRA.evaluate(state, seat)
    opened = PORTA_NIGRA.view(state, None, reveal=True)
    assert all(PORTA_NIGRA.view(state, seat, reveal=True) == opened for seat in range(len(state.players)))
    assert PORTA_NIGRA.imagine(opened, CHANCE) == state


def test_every_code_is_used_once() -> None:
    assert len({rule.code for rule in RULEBOOK}) == len(RULEBOOK)
    assert all(rule.says.endswith(".") and rule.source for rule in RULEBOOK)


def test_every_code_is_documented() -> None:
    page = Path(__file__).parents[3].joinpath("docs", "rules", "porta_nigra.md").read_text(encoding="utf-8")
    assert all(f"| `{rule.code}` |" in page for rule in RULEBOOK)
