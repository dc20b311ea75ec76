"""From events to state: facts are copied, nothing is judged, drawn or scored."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.porta_nigra import events as e
from domain.porta_nigra.board import BOARDS, NOWHERE
from domain.porta_nigra.state import NO_CARD, Element, Player, State


def evolve(state: State | None, event: e.PortaNigraEvent) -> State:
    """The state after `event`; the first event makes the state."""
    return _FOLDS[type(event)](state, event)


def _with(state: State, seat: int, player: Player, **changes: Any) -> State:
    players = state.players
    return replace(state, players=(*players[:seat], player, *players[seat + 1 :]), **changes)


def _plus(counts: tuple[int, ...], index: int, amount: int) -> tuple[int, ...]:
    return (*counts[:index], counts[index] + amount, *counts[index + 1 :])


def _without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


# ---- set-up, rounds and turns


def _game_set_up(_: None, event: e.GameSetUp) -> State:
    board, purse, piles = BOARDS[event.edition], event.purse, event.private[0].data
    player = Player(
        vp=purse.vp,
        sesterces=purse.sesterces,
        torches=purse.torches,
        influence=purse.influence,
        romans=purse.romans,
        romans_in_reserve=purse.romans_in_reserve,
        quarter=NOWHERE,
        bricks=(0,) * len(board.colors),
        placed=(0,) * len(board.quarters),
    )
    return State(
        edition=event.edition,
        roman_cost=event.roman_cost,
        age_order=event.age_order,
        players=(player,) * event.seats,
        reserve=event.bricks,
        market=(0,) * len(board.colors),
        supply_pile=piles.supply.order,  # type: ignore[arg-type]
        supply_discards=(),
        building_pile=piles.building.order[len(event.building_display) :],  # type: ignore[arg-type]
        building_display=event.building_display,
        removed_building_cards=(),
        honor_pile=piles.honor.order[len(event.honor_display) :],  # type: ignore[arg-type]
        honor_display=event.honor_display,
        removed_honor_cards=(),
        elements=(),
        free_sites=board.all_sites,
        start_seat=event.start_seat,
        active=event.start_seat,
    )


def _round_started(state: State, event: e.RoundStarted) -> State:
    decks = {part.data.seat: part.data.shuffle.order for part in event.private}
    players = tuple(replace(player, pile=decks[seat], hand=(), played=()) for seat, player in enumerate(state.players))
    return replace(state, players=players, round=event.round, start_seat=event.start_seat, stage="turns")


def _hands_drawn(state: State, event: e.HandsDrawn) -> State:
    hands = {part.data.seat: part.data.cards for part in event.private}
    players = tuple(
        replace(player, hand=hands[seat], pile=player.pile[event.cards :]) for seat, player in enumerate(state.players)
    )
    return replace(state, players=players)


def _turn_started(state: State, event: e.TurnStarted) -> State:
    return replace(state, active=event.seat, card=NO_CARD, covered=0, card_torches=0, has_bought_honor=False)


def _turn_ended(state: State, event: e.TurnEnded) -> State:
    player = state.players[event.seat]
    drawn = event.private[0].data.cards if event.draws else ()
    player = replace(
        player, hand=player.hand + drawn, pile=player.pile[event.draws :], played=(*player.played, event.card)
    )
    return _with(state, event.seat, player, card=NO_CARD)


def _early_end_called(state: State, event: e.EarlyEndCalled) -> State:
    player = state.players[event.seat]
    return _with(state, event.seat, replace(player, vp=player.vp + event.vp), ender=event.seat)


# ---- refill


def _supply_shuffled(state: State, event: e.SupplyShuffled) -> State:
    return replace(state, supply_pile=event.private[0].data.shuffle.order, supply_discards=())


def _supply_card_turned(state: State, event: e.SupplyCardTurned) -> State:
    index = BOARDS[state.edition].color_index
    market = list(state.market)
    for color in event.bricks:
        market[index[color]] += 1
    return replace(
        state,
        reserve=state.reserve - len(event.bricks),
        market=tuple(market),
        supply_pile=state.supply_pile[1:],
        supply_discards=(*state.supply_discards, event.card),
    )


def _building_cards_turned(state: State, event: e.BuildingCardsTurned) -> State:
    return replace(
        state,
        building_display=state.building_display + event.cards,
        building_pile=state.building_pile[len(event.cards) :],
    )


def _honor_cards_turned(state: State, event: e.HonorCardsTurned) -> State:
    return replace(
        state, honor_display=state.honor_display + event.cards, honor_pile=state.honor_pile[len(event.cards) :]
    )


# ---- actions


def _builder_placed(state: State, event: e.BuilderPlaced) -> State:
    quarter = BOARDS[state.edition].quarter_index[event.quarter]
    return _with(state, event.seat, replace(state.players[event.seat], quarter=quarter))


def _action_card_played(state: State, event: e.ActionCardPlayed) -> State:
    player = state.players[event.seat]
    player = replace(player, hand=_without(player.hand, event.card))
    return _with(state, event.seat, player, card=event.card, card_torches=event.torches)


def _brick_bought(state: State, event: e.BrickBought) -> State:
    board, player = BOARDS[state.edition], state.players[event.seat]
    color, token = board.color_index[event.shop], event.torch == "token"
    player = replace(
        player,
        sesterces=player.sesterces - event.fee - event.price,
        quarter=board.quarter_index[event.quarter],
        bricks=_plus(player.bricks, color, 1),
        torches=player.torches - token,
    )
    return _with(
        state,
        event.seat,
        player,
        market=_plus(state.market, color, -1),
        covered=state.covered | 1 << event.symbol,
        card_torches=state.card_torches - (not token),
    )


def _element_built(state: State, event: e.ElementBuilt) -> State:
    board, player, seat = BOARDS[state.edition], state.players[event.seat], event.seat
    site, quarter, token = board.site_index[event.site], board.quarter_index[event.quarter], event.torch == "token"
    bricks = _plus(player.bricks, board.color_index[event.color], event.whites - event.bricks)
    taken = event.building_card
    player = replace(
        player,
        vp=player.vp + event.vp,
        sesterces=player.sesterces - event.fee,
        torches=player.torches - token,
        influence=player.influence - event.influence,
        romans=player.romans - 1,
        quarter=quarter,
        bricks=_plus(bricks, board.white, -event.whites),
        placed=_plus(player.placed, quarter, event.bricks),
        elements=player.elements + 1,
        building_cards=player.building_cards if taken is None else (*player.building_cards, taken),
    )
    display = state.building_display
    return _with(
        state,
        seat,
        player,
        elements=(*state.elements, Element(site, seat, event.bricks)),
        free_sites=state.free_sites & ~(1 << site),
        building_display=display if taken is None else _without(display, taken),
        covered=state.covered if event.symbol is None else state.covered | 1 << event.symbol,
        card_torches=state.card_torches - (event.torch == "card"),
    )


def _reward_granted(state: State, event: e.RewardGranted) -> State:
    player = state.players[event.seat]
    player = replace(
        player,
        sesterces=player.sesterces + event.sesterces,
        torches=player.torches + event.torches,
        influence=player.influence + event.influence,
        romans=player.romans + event.romans,
        romans_in_reserve=player.romans_in_reserve - event.romans,
    )
    return _with(state, event.seat, player, bricks_due=state.bricks_due + event.bricks)


def _taken(
    state: State, event: e.InfluenceTaken | e.TorchTaken | e.CoinsTaken, sesterces: int, torches: int, influence: int
) -> State:
    player, token = state.players[event.seat], event.torch == "token"
    player = replace(
        player,
        sesterces=player.sesterces + sesterces,
        torches=player.torches + torches - token,
        influence=player.influence + influence,
    )
    covered = state.covered | 1 << event.symbol
    return _with(state, event.seat, player, covered=covered, card_torches=state.card_torches - (not token))


def _influence_taken(state: State, event: e.InfluenceTaken) -> State:
    return _taken(state, event, sesterces=0, torches=0, influence=1)


def _torch_taken(state: State, event: e.TorchTaken) -> State:
    return _taken(state, event, sesterces=0, torches=1, influence=0)


def _coins_taken(state: State, event: e.CoinsTaken) -> State:
    return _taken(state, event, sesterces=event.sesterces, torches=0, influence=0)


def _torch_converted(state: State, event: e.TorchConverted) -> State:
    player, token = state.players[event.seat], event.source == "token"
    player = replace(player, sesterces=player.sesterces + event.sesterces, torches=player.torches - token)
    return _with(state, event.seat, player, card_torches=state.card_torches - (not token))


# ---- influence actions


def _honor_card_bought(state: State, event: e.HonorCardBought) -> State:
    player, final_cards, card = state.players[event.seat], BOARDS[state.edition].final_cards, event.card
    building_cards, own_finals = player.building_cards, player.final_cards
    gone_building, gone_honor = state.removed_building_cards, state.removed_honor_cards
    for discarded in event.discarded:
        if discarded in final_cards:
            own_finals = _without(own_finals, discarded)
            gone_honor += (discarded,)
        else:
            building_cards = _without(building_cards, discarded)
            gone_building += (discarded,)
    if event.kept == "building_card":
        building_cards += (card,)
    elif event.kept == "final_card":
        own_finals += (card,)
    else:
        gone_honor += (card,)
    player = replace(
        player,
        vp=player.vp + event.vp,
        sesterces=player.sesterces + event.sesterces,
        torches=player.torches + event.torches,
        influence=player.influence - event.influence,
        romans=player.romans + event.romans,
        romans_in_reserve=player.romans_in_reserve - event.romans,
        building_cards=building_cards,
        final_cards=own_finals,
    )
    return _with(
        state,
        event.seat,
        player,
        honor_display=_without(state.honor_display, card),
        removed_building_cards=gone_building,
        removed_honor_cards=gone_honor,
        has_bought_honor=True,
        bricks_due=event.bricks,
        top_up_due=event.top_up,
    )


def _roman_bought(state: State, event: e.RomanBought) -> State:
    player = state.players[event.seat]
    player = replace(
        player,
        influence=player.influence - event.influence,
        romans=player.romans + 1,
        romans_in_reserve=player.romans_in_reserve - 1,
    )
    return _with(state, event.seat, player)


def _brick_chosen(state: State, event: e.BrickChosen) -> State:
    player = state.players[event.seat]
    color = BOARDS[state.edition].color_index[event.color]
    player = replace(player, bricks=_plus(player.bricks, color, 1))
    return _with(state, event.seat, player, reserve=state.reserve - 1, bricks_due=state.bricks_due - 1)


def _element_topped_up(state: State, event: e.ElementToppedUp) -> State:
    board, player = BOARDS[state.edition], state.players[event.seat]
    site = board.site_index[event.site]
    player = replace(player, placed=_plus(player.placed, board.quarter_index[event.building], 1))
    elements = tuple(
        replace(element, bricks=event.bricks) if element.site == site else element for element in state.elements
    )
    return _with(state, event.seat, player, elements=elements, reserve=state.reserve - 1, top_up_due=False)


# ---- scoring


def _scoring_due(state: State, event: e.ScoringDue) -> State:
    return replace(state, stage="interim_scoring" if event.scoring == "interim" else "final_scoring")


def _interim_counted(state: State, event: e.InterimCounted) -> State:
    points = {entry.seat: entry.points for entry in event.points}
    players = tuple(replace(player, interim=points[seat]) for seat, player in enumerate(state.players))
    return replace(state, players=players, stage="split_interim", active=event.points[0].seat)


def _interim_split(state: State, event: e.InterimSplit) -> State:
    player = state.players[event.seat]
    player = replace(player, vp=player.vp + event.vp, sesterces=player.sesterces + event.sesterces, interim=0)
    return _with(state, event.seat, player, active=event.seat if event.next_seat is None else event.next_seat)


def _start_choice_given(state: State, event: e.StartChoiceGiven) -> State:
    return replace(state, stage="choose_start_player", active=event.seat)


def _start_player_chosen(state: State, event: e.StartPlayerChosen) -> State:
    return replace(state, start_seat=event.start_seat)


def _part_scored(
    state: State, event: e.BuildingCardsScored | e.FinalCardsScored | e.LeftoversScored | e.MajorityScored
) -> State:
    entries = event.contenders if isinstance(event, e.MajorityScored) else event.seats
    points = {entry.seat: entry.vp for entry in entries}
    players = tuple(replace(player, vp=player.vp + points.get(seat, 0)) for seat, player in enumerate(state.players))
    return replace(state, players=players)


def _game_ended(state: State, event: e.GameEnded) -> State:  # noqa: ARG001
    return replace(state, stage="over")


_FOLDS: dict[type[e.PortaNigraEvent], Callable[[Any, Any], State]] = {
    e.GameSetUp: _game_set_up,
    e.RoundStarted: _round_started,
    e.HandsDrawn: _hands_drawn,
    e.TurnStarted: _turn_started,
    e.SupplyShuffled: _supply_shuffled,
    e.SupplyCardTurned: _supply_card_turned,
    e.BuildingCardsTurned: _building_cards_turned,
    e.HonorCardsTurned: _honor_cards_turned,
    e.BuilderPlaced: _builder_placed,
    e.ActionCardPlayed: _action_card_played,
    e.BrickBought: _brick_bought,
    e.ElementBuilt: _element_built,
    e.RewardGranted: _reward_granted,
    e.InfluenceTaken: _influence_taken,
    e.TorchTaken: _torch_taken,
    e.CoinsTaken: _coins_taken,
    e.TorchConverted: _torch_converted,
    e.HonorCardBought: _honor_card_bought,
    e.RomanBought: _roman_bought,
    e.BrickChosen: _brick_chosen,
    e.ElementToppedUp: _element_topped_up,
    e.EarlyEndCalled: _early_end_called,
    e.TurnEnded: _turn_ended,
    e.ScoringDue: _scoring_due,
    e.InterimCounted: _interim_counted,
    e.InterimSplit: _interim_split,
    e.StartChoiceGiven: _start_choice_given,
    e.StartPlayerChosen: _start_player_chosen,
    e.BuildingCardsScored: _part_scored,
    e.FinalCardsScored: _part_scored,
    e.LeftoversScored: _part_scored,
    e.MajorityScored: _part_scored,
    e.GameEnded: _game_ended,
}
