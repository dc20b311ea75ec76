"""What people read of Kreta: names of characters, provinces, pieces and tiles, and one sentence for each event."""

from domain.kreta.board import DATA
from domain.kreta.events import (
    AbbotMoved,
    AbbotPlaced,
    CardsTakenBack,
    CharacterPlayed,
    FortBuilt,
    FortCardKept,
    FortCardReplaced,
    FortCardTurnedDown,
    FortCardTurnedUp,
    GameEnded,
    GameSetUp,
    ProvinceScored,
    ShipMoved,
    ShipPlaced,
    Standing,
    TileHarvested,
    TurnEnded,
    VillageBuilt,
    VillagerMoved,
    VillagerPlaced,
)
from domain.wording import SEAT, Clauses, Phrase, Wording, named, scores, seat_name

_ALL = DATA.values()

NAMES = {
    "character": named("kreta character", {each: each for data in _ALL for each in data["characters"]["value"]}),
    "province": named(
        "kreta province", {each["id"]: each["name"] for data in _ALL for each in data["map"]["provinces"]}
    ),
    "tile": named("kreta tile", {each["tile"]: each["tile"] for data in _ALL for each in data["tiles"]["types"]}),
    "piece": named("kreta piece", {each: each for each in ("villager", "village", "abbot", "ship", "fort")}),
    "terrain": named("kreta terrain", {"mountain": "mountains", "hill": "hills", "field": "fields"}),
}

KINDS = {
    "seat": SEAT,
    "first_seat": SEAT,
    "next_seat": SEAT,
    "winners": SEAT,
    "character": "character",
    "copies": "character",
    "province": "province",
    "from_province": "province",
    "to_province": "province",
    "tile": "tile",
}


def _played(event: CharacterPlayed, _: int) -> Phrase:
    if event.copies is None:
        return Phrase("{seat} plays a character: {character}.")
    return Phrase("{seat} plays a character: {character}, which does the action of another: {copies}.")


def _scored(event: ProvinceScored, _: int) -> Phrase:
    if not event.standings:
        return Phrase("{province} is scored at fort point {point}: nobody has influence there.")
    paid = Clauses(tuple(map(_paid, event.standings)))
    return Phrase("{province} is scored at fort point {point}: {paid}.", {"paid": paid})


def _paid(standing: Standing) -> Phrase:
    return Phrase(
        "{seat} gets {points:point|points} for influence {influence}",
        {"seat": seat_name(standing.seat), "points": standing.points, "influence": standing.influence},
    )


def _ended(event: GameEnded, _: int) -> Phrase:
    return Phrase(
        "The last fort card has been scored. Winning: {winners}. Points: {scores}.", {"scores": scores(event.scores)}
    )


WORDING = Wording(
    NAMES,
    KINDS,
    {
        GameSetUp: Phrase("The board is laid; {first_seat} begins. Open fort cards: {open_points}."),
        CharacterPlayed: _played,
        ShipPlaced: Phrase("{seat} places a ship in the harbour of {province}."),
        ShipMoved: Phrase("{seat} moves a ship from the harbour of {from_province} to that of {to_province}."),
        VillagerPlaced: Phrase("{seat} places a villager in {province}."),
        VillagerMoved: Phrase(
            "{seat} moves a villager from {from_province} to {to_province}, {steps:step|steps} away."
        ),
        AbbotPlaced: Phrase("{seat} places the abbot in {province}."),
        AbbotMoved: Phrase("{seat} moves the abbot from {from_province} to {to_province}, {steps:step|steps} away."),
        TileHarvested: Phrase(
            "{seat} harvests the tile of {province} ({tile}), number {count} of its kind, for {points:point|points}."
        ),
        FortBuilt: Phrase("{seat} builds a fort on fort point {site}."),
        VillageBuilt: Phrase("{seat} builds a village in {province}."),
        ProvinceScored: _scored,
        FortCardTurnedDown: Phrase("Fort card {point} has been scored and is turned face down."),
        FortCardTurnedUp: Phrase("{seat} turns the next fort card up: {point}."),
        FortCardKept: Phrase("{seat} keeps fort card {point}."),
        FortCardReplaced: Phrase("{seat} puts fort card {put_under} under the pile; {point} takes its place."),
        CardsTakenBack: Phrase("The round is over: everybody takes their character cards back."),
        TurnEnded: Phrase("{seat} ends the turn; {next_seat} is next."),
        GameEnded: _ended,
    },
)
"""The sentences of Kreta."""
