"""What holds in every game, seen over whole random games."""

import os
from collections.abc import Callable
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.errors import RuleViolation
from domain.game import Event
from domain.kreta import KRETA
from domain.kreta.commands import KretaCommand
from domain.kreta.events import TurnEnded
from domain.kreta.opening import KretaOptions
from domain.kreta.position import full_harbours, full_provinces
from domain.kreta.state import State
from domain.kreta.view import View
from tests.domain.kreta.builders import BOARD, CHANCE
from tests.domain.kreta.ledger import Ledger
from tests.domain.kreta.universe import universe
from tests.support.playing import Playthrough, replayed

UNIVERSE = universe()
FUZZ = int(os.environ.get("ANNALES_FUZZ", "1"))


@st.composite
def games(draw: st.DrawFn) -> Playthrough:
    """A game that is set up, with any seats, options and seed."""
    seats = draw(st.integers(2, 4))
    options = KretaOptions(
        farmer_harvest=draw(st.sampled_from(["all_reachable", "one_tile"])),
        first_seat=draw(st.integers(0, seats - 1)),
    )
    return Playthrough(KRETA, seats, options, draw(st.integers(0, 2**32)))


def whole_games(examples: int) -> Callable[[Callable[[Playthrough], None]], Callable[[], None]]:
    """Run a test over `examples` games, times the environment's ANNALES_FUZZ."""

    def over(test: Callable[[Playthrough], None]) -> Callable[[], None]:
        return settings(max_examples=examples * FUZZ, deadline=None)(given(games())(test))

    return over


def eager(choices: list[tuple[int, Any]]) -> tuple[int, Any]:
    """Prefers what random play seldom gets to: harvests, then villages, then villagers at one place."""
    order = ("harvest", "build_village", "place_villager", "move_villager", "place_ship")
    wanted = [choice for kind in order for choice in choices if choice[1].type == kind]
    farmers = [choice for choice in choices if getattr(choice[1], "character", None) in ("farmer", "commander")]
    return (wanted or farmers or choices)[0]


def refusal_of(state: State, seat: int, command: KretaCommand) -> RuleViolation | None:
    """Why `decide` says no, or None when it accepts."""
    try:
        KRETA.decide(state, seat, command, CHANCE)
    except RuleViolation as refusal:
        return refusal
    return None


@whole_games(20)
def test_exactly_the_listed_commands_are_accepted(game: Playthrough) -> None:
    mixed = game.rng.random() < 0.5
    for number, (seat, _) in enumerate(
        game.steps(lambda choices: eager(choices) if mixed and game.rng.random() < 0.7 else game.rng.choice(choices))
    ):
        if number % 3:
            continue
        listed = KRETA.legal_commands(game.state, seat)
        assert len(set(listed)) == len(listed)
        refusals = {command: refusal_of(game.state, seat, command) for command in UNIVERSE}
        assert {command for command, refusal in refusals.items() if refusal is None} == set(listed)
        for refusal in filter(None, refusals.values()):
            assert refusal.rule in KRETA.rulebook
            assert refusal.detail


@whole_games(60)
def test_a_game_has_eleven_scorings_and_its_points_are_those_of_an_independent_account(game: Playthrough) -> None:
    ledger = Ledger(game.seats)
    for event in game.play().events:
        ledger.take(event)
    result = KRETA.result(game.state)
    assert result is not None
    assert tuple(ledger.points) == KRETA.scores(game.state) == result.scores
    assert ledger.over
    assert len(ledger.scored) == len(set(ledger.scored)) == 11


@whole_games(30)
def test_pieces_tiles_and_cards_are_conserved_and_limits_hold_at_every_step(game: Playthrough) -> None:
    ledger = Ledger(game.seats)
    booked = 0
    for _ in game.steps():
        for event in game.events[booked:]:
            ledger.take(event)
        booked = len(game.events)
        check_against(ledger, game.state)


def check_against(ledger: Ledger, state: State) -> None:
    view = KRETA.view(state, None, reveal=True)
    assert [seat.score for seat in view.seats] == ledger.points
    assert sorted([card.point for card in view.fort_row] + list(view.pile), key=int) == list(BOARD.around)  # type: ignore[arg-type]
    on_board = [province.tile for province in view.provinces if province.tile]
    collected = [tile for seat in view.seats for tile in seat.tiles]
    assert sorted(on_board + collected) == sorted(kind.tile for kind in BOARD.tiles for _ in range(kind.count))
    for seat in view.seats:
        assert sorted(seat.hand + seat.face_up) == sorted(BOARD.characters)
        assert len(seat.villages) <= len(seat.tiles)
        for kind, places, left in (
            ("villager", seat.villagers, seat.supply.villagers),
            ("village", seat.villages, seat.supply.villages),
            ("abbot", seat.abbots, seat.supply.abbots),
            ("ship", seat.ships, seat.supply.ships),
            ("fort", seat.forts, seat.supply.forts),
        ):
            assert len(places) == ledger.placed(seat.seat, kind)
            assert len(places) + left == getattr(BOARD.pieces, kind).count
            assert left >= 0
    for province in view.provinces:
        assert province.figures == ledger.figures(province.province) <= 7
        ships = ledger.ships(province.province)
        assert max(ships) <= 1
        assert sum(ships) <= (1 if ledger.seats == 2 else 2)
    sites = [site for seat in view.seats for site in seat.forts]
    assert len(set(sites)) == len(sites)
    assert full_harbours(state) & ~BOARD.harbours == 0
    assert full_provinces(state).bit_count() == sum(province.figures == 7 for province in view.provinces)


@whole_games(60)
def test_somebody_may_act_until_the_game_is_over_and_turns_go_round(game: Playthrough) -> None:
    for seat, command in game.steps():
        assert KRETA.to_act(game.state) == (seat,)
        assert command.type != "end_turn" or len(KRETA.legal_commands(game.state, seat)) > 1
        for other in set(range(game.seats)) - {seat}:
            assert KRETA.legal_commands(game.state, other) == ()
    for event in game.events:
        if isinstance(event, TurnEnded):
            assert event.next_seat == (event.seat + 1) % game.seats


@whole_games(60)
def test_a_replay_through_json_gives_the_same_state(game: Playthrough) -> None:
    game.play()
    assert replayed(KRETA, game.events) == game.state
    assert msgspec.json.decode(msgspec.json.encode(game.state), type=State) == game.state


@whole_games(30)
def test_a_view_goes_through_json_and_allows_states_with_the_same_view_and_commands(game: Playthrough) -> None:
    for seat, _ in game.steps():
        view = KRETA.view(game.state, seat)
        assert msgspec.json.decode(msgspec.json.encode(view), type=View) == view
        imagined = KRETA.imagine(view, CHANCE)
        assert KRETA.view(imagined, seat) == view
        assert KRETA.legal_commands(imagined, seat) == KRETA.legal_commands(game.state, seat)


@whole_games(30)
def test_games_that_differ_in_the_hidden_cards_alone_look_the_same_to_everybody(game: Playthrough) -> None:
    command: Any
    for number, (seat, command) in enumerate(game.steps()):
        if number % 4:
            continue
        state = game.state
        other = KRETA.imagine(KRETA.view(state, None), CHANCE)
        assert KRETA.view(other, seat) == KRETA.view(state, seat)
        assert KRETA.evaluate(other, seat) == KRETA.evaluate(state, seat)
        for _ in range(2):
            events = KRETA.decide(state, seat, command, CHANCE)
            assert shown(KRETA.decide(other, seat, command, CHANCE)) == shown(events)
            for event in events:
                state = KRETA.evolve(state, event)
                other = KRETA.evolve(other, event)
            owed = KRETA.owed(state)
            if owed is None:
                break
            command = owed  # noqa: PLW2901


def shown(events: Any) -> list[Event]:
    """The events without what they reveal."""
    return [msgspec.structs.replace(event, **dict.fromkeys(event.reveals)) for event in events]


@whole_games(60)
def test_only_events_that_reveal_a_card_depend_on_the_hidden_ones(game: Playthrough) -> None:
    known = set(game.events[0].open_points)  # type: ignore[attr-defined]
    for event in game.play().events[1:]:
        point = getattr(event, "point", None)
        if point is not None and "point" in event.reveals:
            assert point not in known
            known.add(point)
        elif point is not None:
            assert point in known
