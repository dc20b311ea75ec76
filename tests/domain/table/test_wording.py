"""What people read of the table."""

import pytest

from domain.game import Event
from domain.table import EVENTS, WORDING
from domain.table.commands import Parent
from domain.table.events import (
    ClockExpired,
    GameAbandoned,
    GameCreated,
    GameEnded,
    GameForked,
    GameStarted,
    GuestRemoved,
    HistoryRewound,
    SeatGivenToBot,
    SeatResigned,
    SeatSetup,
    SeatTaken,
    UndoAnswered,
    UndoRequested,
)
from service.language import ENGLISH
from tests.support.toy import TOY
from tests.support.wordings import HUNGARIAN, told

_PARENT = Parent("g", 12, "sha256:0")


def _created(rematch_of: Parent | None) -> GameCreated:
    return GameCreated(
        ruleset="toy",
        edition="reconstructed",
        edition_digest="",
        options={},
        seats=(SeatSetup("player", "p"), SeatSetup("open")),
        creator="p",
        visibility="public",
        undo="off",
        rated=False,
        start="manual",
        clock=None,
        commitment="",
        rematch_of=rematch_of,
    )


_FORKED = GameForked(
    ruleset="toy",
    edition="reconstructed",
    edition_digest="",
    options={},
    seats=(),
    creator="p",
    visibility="public",
    undo="off",
    commitment="",
    parent=_PARENT,
    knowing=(),
    same_chance=False,
)


def _ended(reason: str) -> GameEnded:
    return GameEnded(reason=reason, scores=(3, 9), ranking=((1,), (0,)), winners=(1,))  # type: ignore[arg-type]


def test_every_type_of_event_has_its_sentence() -> None:
    assert set(WORDING.sentences) == set(EVENTS)


@pytest.mark.parametrize(
    ("event", "english", "hungarian"),
    [
        (
            _created(None),
            "Somebody sets up a game with 2 seats.",
            "Valaki új játszmát hoz létre 2 hellyel.",
        ),
        (_created(_PARENT), "Somebody sets up a game once more.", "Valaki visszavágót hoz létre."),
        (
            _FORKED,
            "Somebody begins a new game from version 12 of another.",
            "Valaki új játszmát kezd egy másiknak a 12. verziójából.",
        ),
        (GameStarted(), "The game begins.", "Kezdődik a játszma."),
        (SeatResigned(0, None), "Seat 0 gives the game up.", "A 0. hely feladja a játszmát."),
        (
            SeatResigned(1, "greedy"),
            "Seat 1 gives the game up; the bot “greedy” plays on.",
            "Az 1. hely feladja a játszmát; a „mohó” bot játszik tovább.",
        ),
        (
            SeatGivenToBot(1, "newer"),
            "Seat 1 is played by the bot “newer” from now on.",
            "Az 1. hely mostantól a „newer” boté.",
        ),
        (ClockExpired(5), "The time of Seat 5 is up.", "Az 5. hely ideje lejárt."),
        (
            UndoRequested(0, 7, redo=False, needs=()),
            "Seat 0 asks to go back to version 7.",
            "A 0. hely vissza szeretne menni a 7. verzióra.",
        ),
        (
            UndoRequested(0, 7, redo=False, needs=(1, 2)),
            "Seat 0 asks to go back to version 7, which needs the consent of Seat 1 and Seat 2.",
            "A 0. hely vissza szeretne menni a 7. verzióra; ehhez beleegyezés kell tőlük: 1. hely és 2. hely.",
        ),
        (
            UndoRequested(0, 7, redo=True, needs=()),
            "Seat 0 asks to go forth again to version 7.",
            "A 0. hely ismét a 7. verzióhoz szeretne visszatérni.",
        ),
        (
            UndoRequested(0, 7, redo=True, needs=(1,)),
            "Seat 0 asks to go forth again to version 7, which needs the consent of Seat 1.",
            "A 0. hely ismét a 7. verzióhoz szeretne visszatérni; ehhez beleegyezés kell tőlük: 1. hely.",
        ),
        (
            UndoAnswered((1,), accepted=True),
            "Consent to the undo from: Seat 1.",
            "Beleegyezett a visszavonásba: 1. hely.",
        ),
        (
            UndoAnswered((1,), accepted=False),
            "No consent to the undo from: Seat 1.",
            "Nem egyezett bele a visszavonásba: 1. hely.",
        ),
        (
            HistoryRewound(8, 1),
            "Seat 1 undoes: the game stands as at version 8.",
            "Az 1. hely visszavon: a játszma úgy áll, mint a 8. verziónál.",
        ),
        (
            HistoryRewound(8, 1, redo=True),
            "Seat 1 takes an undo back: the game stands as at version 8.",
            "Az 1. hely semmissé tesz egy visszavonást: a játszma úgy áll, mint a 8. verziónál.",
        ),
        (
            GameAbandoned(),
            "The game is abandoned, since nobody has played for too long.",
            "A játszma félbemarad, mert túl régóta senki sem lépett.",
        ),
        (
            GameAbandoned("closed"),
            "The game is closed by an operator of the service.",
            "A játszmát a szolgáltatás üzemeltetője lezárta.",
        ),
        (
            _ended("completed"),
            "The game is over. Winning: Seat 1. Points: Seat 0: 3; Seat 1: 9.",
            "A játszma véget ért. Győzött: 1. hely. Pontok: 0. hely: 3; 1. hely: 9.",
        ),
        (
            _ended("resigned"),
            "The game is over by resignation. Winning: Seat 1. Points: Seat 0: 3; Seat 1: 9.",
            "A játszma feladással ért véget. Győzött: 1. hely. Pontok: 0. hely: 3; 1. hely: 9.",
        ),
    ],
)
def test_an_event_reads_well(event: Event, english: str, hungarian: str) -> None:
    assert told(TOY, event, 2) == english
    assert told(TOY, event, 2, HUNGARIAN) == hungarian


def test_players_are_called_by_their_names_where_they_are_known() -> None:
    names = {"p": "ada of Kent"}
    taken, removed = SeatTaken(1, "p"), GuestRemoved(1, "q")
    assert ENGLISH.sentence(WORDING.describe(taken, 2), names) == "Seat 1 is taken by ada of Kent."
    assert (
        HUNGARIAN.sentence(WORDING.describe(_created(None), 2), names) == "ada of Kent új játszmát hoz létre 2 hellyel."
    )
    assert "somebody" in ENGLISH.sentence(WORDING.describe(removed, 2), names)


def test_a_phrase_is_english_by_itself() -> None:
    assert str(WORDING.describe(GameStarted(), 2)) == "The game begins."
