"""What people read of Porta Nigra: names of quarters, sites and cards, and one sentence for each event."""

from collections.abc import Mapping

from domain.game import Part
from domain.porta_nigra.edition import EDITIONS, REFERENCE, HonorEntry
from domain.porta_nigra.events.actions import (
    ActionCardPlayed,
    BrickBought,
    BrickChosen,
    BuilderPlaced,
    CoinsTaken,
    ElementBuilt,
    ElementToppedUp,
    HonorCardBought,
    InfluenceTaken,
    RewardGranted,
    RomanBought,
    TorchConverted,
    TorchTaken,
)
from domain.porta_nigra.events.course import (
    BuildingCardsTurned,
    EarlyEndCalled,
    GameSetUp,
    Hand,
    HandsDrawn,
    HonorCardsTurned,
    RoundStarted,
    ScoringDue,
    StartChoiceGiven,
    StartPlayerChosen,
    SupplyCardTurned,
    SupplyShuffled,
    TurnEnded,
    TurnStarted,
)
from domain.porta_nigra.events.scoring import (
    BuildingCardsScored,
    FinalCardsOfSeat,
    FinalCardsScored,
    GameEnded,
    InterimCounted,
    InterimSplit,
    LeftoversOfSeat,
    LeftoversScored,
    MajorityScored,
    SetsOfSeat,
)
from domain.wording import SEAT, Clauses, Phrase, Wording, named, points_of, scores, seat_name

_ALL = EDITIONS.values()

COLORS = named("porta-nigra color", {each.id: each.id for edition in _ALL for each in edition.colors})
QUARTERS = named(
    "porta-nigra quarter",
    {each["id"]: each["name"] for data in REFERENCE.values() for each in data["quarters"]},
)


def _card_number(card: str) -> int:
    return int(card.partition("-")[2])


def _site(building: str, place: str) -> Phrase:
    return Phrase("{building} {place}", {"building": QUARTERS[building], "place": place}, "porta-nigra site")


_EFFECTS = {
    "final_vp": Phrase("final scoring card ({amount:point|points})"),
    "substitute_building_card": Phrase("substitute building card ({building})"),
    "vp": Phrase("honor card ({amount:victory point|victory points})"),
    "sesterces": Phrase("honor card ({amount:sesterce|sesterces})"),
    "torches": Phrase("honor card ({amount:torch token|torch tokens})"),
    "romans": Phrase("honor card ({amount:Roman|Romans})"),
    "bricks": Phrase("honor card ({amount:brick|bricks})"),
    "top_up": Phrase("honor card (a brick on top of a Porta Nigra element)"),
}


def _honor_card(entry: HonorEntry) -> Phrase:
    effect = entry.effect
    building = None if effect.building is None else QUARTERS[effect.building]
    return Phrase(_EFFECTS[effect.type].template, {"amount": effect.amount, "building": building})


SITES = {each.id: _site(each.building, each.id.partition("-")[2]) for edition in _ALL for each in edition.sites}
ACTION_CARDS = {
    each.id: Phrase("action card {number}", {"number": _card_number(each.id)})
    for edition in _ALL
    for each in edition.action_cards
}
SUPPLY_CARDS = {
    each.id: Phrase("supply card {number}", {"number": _card_number(each.id)})
    for edition in _ALL
    for each in edition.supply_cards
}
BUILDING_CARDS = {
    each.id: Phrase(
        "building card ({building}, {color})", {"building": QUARTERS[each.building], "color": COLORS[each.color]}
    )
    for edition in _ALL
    for each in edition.building_cards
}
HONOR_CARDS = {each.id: _honor_card(each) for edition in _ALL for each in edition.honor_cards}
CARDS = ACTION_CARDS | SUPPLY_CARDS | BUILDING_CARDS | HONOR_CARDS

NAMES = {
    "color": COLORS,
    "quarter": QUARTERS,
    "site": SITES,
    "action_card": ACTION_CARDS,
    "supply_card": SUPPLY_CARDS,
    "building_card": BUILDING_CARDS,
    "honor_card": HONOR_CARDS,
}

KINDS = {
    "seat": SEAT,
    "start_seat": SEAT,
    "next_seat": SEAT,
    "tied": SEAT,
    "color": "color",
    "shop": "color",
    "quarter": "quarter",
    "building": "quarter",
    "site": "site",
    "building_card": "building_card",
}


def _cards(cards: tuple[str, ...]) -> dict[str, tuple[Phrase, ...]]:
    return {"cards": tuple(CARDS[card] for card in cards)}


def _hands(private: tuple[Part[Hand], ...]) -> Clauses:
    """The hands that the reader may see."""
    return Clauses(
        tuple(
            Phrase("{seat} draws {cards}", {"seat": seat_name(part.data.seat), **_cards(part.data.cards)})
            for part in private
            if part.data.cards
        )
    )


def _hands_drawn(event: HandsDrawn, _: int) -> Phrase:
    count = {"count": event.cards}
    if not (hands := _hands(event.private)).items:
        return Phrase("Everybody draws {count:action card|action cards}.", count)
    return Phrase("Everybody draws {count:action card|action cards}: {hands}.", {**count, "hands": hands})


def _turn_ended(event: TurnEnded, _: int) -> Phrase:
    if not event.draws:
        return Phrase("{seat} ends the turn; no card is left to draw.")
    if not (hands := _hands(event.private)).items:
        return Phrase("{seat} ends the turn and draws {draws:card|cards}.")
    return Phrase("{seat} ends the turn: {hands}.", {"hands": hands})


def _supply_turned(event: SupplyCardTurned, _: int) -> Phrase:
    bricks = tuple(COLORS[color] for color in event.bricks)
    return Phrase("A supply card brings bricks to the market: {bricks}.", {"bricks": bricks})


def _building_turned(event: BuildingCardsTurned, _: int) -> Phrase:
    return Phrase("New in the display: {cards}.", _cards(event.cards))


def _honor_turned(event: HonorCardsTurned, _: int) -> Phrase:
    return Phrase("New in the display: {cards}.", _cards(event.cards))


def _early_end(event: EarlyEndCalled, _: int) -> Phrase:
    if event.trigger == "elements":
        return Phrase(
            "{seat} has placed the last element and gains {vp:point|points}: everybody else has one more turn."
        )
    return Phrase(
        "The bricks have run out in the turn of {seat}, who gains {vp:point|points}: everybody else has one more turn."
    )


def _scoring_due(event: ScoringDue, _: int) -> Phrase:
    if event.scoring == "interim":
        return Phrase("All turns of the round are taken: the interim scoring follows.")
    return Phrase("All turns of the game are taken: the final scoring follows.")


def _start_choice(event: StartChoiceGiven, _: int) -> Phrase:
    if len(event.tied) == 1:
        return Phrase("{seat} has the fewest points ({vp}) and names the next start player.")
    return Phrase("{seat} is the youngest of those with the fewest points ({vp}) and names the next start player.")


def _card_played(event: ActionCardPlayed, _: int) -> Phrase:
    return Phrase("{seat} plays {card}, for {torches:action|actions}.", {"card": CARDS[event.card]})


def _bought(event: BrickBought, _: int) -> Phrase:
    if event.fee:
        return Phrase(
            "{seat} goes to the quarter {quarter} for {fee:sesterce|sesterces} and buys a brick for {price}: {shop}."
        )
    return Phrase("{seat} buys a brick for {price:sesterce|sesterces}: {shop}.")


def _built(event: ElementBuilt, _: int) -> Phrase:
    """How it was paid for is left to the event; what it brought is said."""
    if event.building_card is None:
        return Phrase(
            "{seat} builds an element of {bricks:brick|bricks} ({color}) on {site} and gains {vp:point|points}."
        )
    return Phrase(
        "{seat} builds an element of {bricks:brick|bricks} ({color}) on {site}, gains {vp:point|points} and a {building_card}."
    )


_PAYS = {
    "sesterces": Phrase("{amount:sesterce|sesterces}"),
    "torches": Phrase("{amount:torch token|torch tokens}"),
    "influence": Phrase("{amount:influence token|influence tokens}"),
    "romans": Phrase("{amount:Roman|Romans}"),
    "bricks": Phrase("{amount:brick|bricks}"),
    "vp": Phrase("{amount:victory point|victory points}"),
}


def _gains(amounts: Mapping[str, int]) -> tuple[Phrase, ...]:
    return tuple(Phrase(_PAYS[kind].template, {"amount": amount}) for kind, amount in amounts.items() if amount)


def _rewarded(event: RewardGranted, _: int) -> Phrase:
    gains = _gains({kind: getattr(event, kind) for kind in ("sesterces", "torches", "influence", "romans", "bricks")})
    if not gains:
        return Phrase("{seat} earns the master builder reward of {building}, but the reserve has nothing left for it.")
    return Phrase("{seat} earns the master builder reward of {building}: {gains}.", {"gains": gains})


def _converted(event: TorchConverted, _: int) -> Phrase:
    if event.source == "card":
        return Phrase("{seat} gives up an action for {sesterces:sesterce|sesterces}.")
    return Phrase("{seat} returns a torch token for {sesterces:sesterce|sesterces}.")


def _honor_bought(event: HonorCardBought, _: int) -> Phrase:
    card = {"card": CARDS[event.card]}
    if not event.discarded:
        return Phrase("{seat} buys for {influence:influence token|influence tokens}: {card}.", card)
    discarded = {"discarded": tuple(CARDS[each] for each in event.discarded)}
    return Phrase(
        "{seat} buys for {influence:influence token|influence tokens}: {card}. Discarded: {discarded}.",
        {**card, **discarded},
    )


def _interim_counted(event: InterimCounted, _: int) -> Phrase:
    points = points_of((each.seat, each.points) for each in event.points)
    return Phrase("Interim points: {points}.", {"points": points})


def _points(seats: tuple[SetsOfSeat | FinalCardsOfSeat | LeftoversOfSeat, ...]) -> dict[str, Clauses]:
    return {"points": points_of((each.seat, each.vp) for each in seats)}


def _majority(event: MajorityScored, _: int) -> Phrase:
    paid = tuple(
        Phrase("{seat} gains {points:point|points}", {"seat": seat_name(each.seat), "points": each.vp})
        for each in event.contenders
        if each.vp
    )
    if event.level is not None:
        return Phrase("Majority at level {level} of {building}: {paid}.", {"paid": Clauses(paid)})
    return Phrase("Majority in row {row} of {building}: {paid}.", {"paid": Clauses(paid)})


WORDING = Wording(
    NAMES,
    KINDS,
    {
        GameSetUp: Phrase("The table is laid; {start_seat} is drawn as the start player."),
        RoundStarted: Phrase("Round {round} begins; {start_seat} is the start player."),
        HandsDrawn: _hands_drawn,
        TurnStarted: Phrase("It is the turn of {seat}."),
        SupplyShuffled: Phrase("The {cards:supply card|supply cards} put aside are shuffled into a new pile."),
        SupplyCardTurned: _supply_turned,
        BuildingCardsTurned: _building_turned,
        HonorCardsTurned: _honor_turned,
        EarlyEndCalled: _early_end,
        TurnEnded: _turn_ended,
        ScoringDue: _scoring_due,
        StartChoiceGiven: _start_choice,
        StartPlayerChosen: Phrase("{seat} names the start player of the next round: {start_seat}."),
        BuilderPlaced: Phrase("{seat} places the master builder in the quarter {quarter}."),
        ActionCardPlayed: _card_played,
        BrickBought: _bought,
        ElementBuilt: _built,
        RewardGranted: _rewarded,
        InfluenceTaken: Phrase("{seat} takes an influence token."),
        TorchTaken: Phrase("{seat} takes a torch token."),
        CoinsTaken: Phrase("{seat} takes {sesterces:sesterce|sesterces}."),
        TorchConverted: _converted,
        HonorCardBought: _honor_bought,
        RomanBought: Phrase("{seat} takes a Roman from the reserve for {influence:influence token|influence tokens}."),
        BrickChosen: Phrase("{seat} takes a brick from the reserve: {color}."),
        ElementToppedUp: Phrase("{seat} tops up the element on {site}, which is now {bricks} high."),
        InterimCounted: _interim_counted,
        InterimSplit: Phrase("{seat} takes {vp:victory point|victory points} and {sesterces:sesterce|sesterces}."),
        BuildingCardsScored: lambda event, _: Phrase(
            "Points for sets of building cards: {points}.", _points(event.seats)
        ),
        FinalCardsScored: lambda event, _: Phrase("Points for final scoring cards: {points}.", _points(event.seats)),
        LeftoversScored: lambda event, _: Phrase(
            "Points for what is left in the play areas: {points}.", _points(event.seats)
        ),
        MajorityScored: _majority,
        GameEnded: lambda event, _: Phrase("The game is over. Points: {scores}.", {"scores": scores(event.scores)}),
    },
)
"""The sentences of Porta Nigra."""
