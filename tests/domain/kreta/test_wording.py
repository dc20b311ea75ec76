"""What people read of Kreta."""

import pytest

from domain.game import Event
from domain.kreta import KRETA
from domain.kreta.board import BOARDS
from domain.kreta.events import (
    AbbotMoved,
    CharacterPlayed,
    FortCardReplaced,
    GameEnded,
    ProvinceScored,
    ShipMoved,
    Standing,
    TileHarvested,
)
from domain.kreta.wording import NAMES, WORDING
from tests.domain.kreta.test_whole_games import eager, whole_games
from tests.support.playing import Playthrough
from tests.support.wordings import HUNGARIAN, check_all, told


@whole_games(4)
def test_every_event_of_a_game_is_described_in_every_language(game: Playthrough) -> None:
    check_all(KRETA, game.play().events, game.seats)


def test_an_eager_game_is_described_too() -> None:
    game = Playthrough(KRETA, 3, seed=5)
    for _ in game.steps(lambda choices: eager(choices) if game.rng.random() < 0.7 else game.rng.choice(choices)):
        pass
    check_all(KRETA, game.events, 3)


def test_every_type_of_event_has_its_sentence() -> None:
    assert set(WORDING.sentences) == set(KRETA.event_types)


def test_everything_that_has_an_id_has_a_name() -> None:
    board = BOARDS["reconstructed"]
    assert set(NAMES["province"]) == set(board.provinces)
    assert set(NAMES["character"]) == set(board.characters)
    assert set(NAMES["tile"]) == set(board.tile_index)
    assert set(NAMES["terrain"]) == set(board.terrains)
    assert set(NAMES["piece"]) == set(board.pieces.__struct_fields__)


_STANDINGS = (
    Standing(seat=1, villagers=1, villages=1, abbots=0, ships=0, forts=0, influence=3, rank=1, points=5),
    Standing(seat=0, villagers=1, villages=0, abbots=0, ships=0, forts=0, influence=1, rank=2, points=2),
)


@pytest.mark.parametrize(
    ("event", "english", "hungarian"),
    [
        (
            CharacterPlayed(0, "farmer"),
            "Seat 0 plays a character: farmer.",
            "A 0. hely karakterkártyát játszik ki: földműves.",
        ),
        (
            CharacterPlayed(1, "king", "abbot"),
            "Seat 1 plays a character: king, which does the action of another: abbot.",
            "Az 1. hely karakterkártyát játszik ki: király; ezzel egy másik kártya akcióját hajtja végre: apát.",
        ),
        (
            ShipMoved(2, "kydonia", "candia"),
            "Seat 2 moves a ship from the harbour of Kydonia to that of Candia.",
            "A 2. hely hajót mozgat Kydonia kikötőjéből Candia kikötőjébe.",
        ),
        (
            AbbotMoved(0, "amari", "messara", 1),
            "Seat 0 moves the abbot from Amari to Messara, 1 step away.",
            "A 0. hely az apátságát mozgatja Amari tartományból Messara tartományba, 1 lépéssel.",
        ),
        (
            TileHarvested(3, "kissamos", "wine", 2, 2),
            "Seat 3 harvests the tile of Kissamos (wine), number 2 of its kind, for 2 points.",
            "A 3. hely begyűjti Kissamos tartomány mezőgazdasági lapját (szőlő), ebből a fajtából a 2. lapját, 2 pontért.",
        ),
        (
            FortCardReplaced(1, 4, 5, 12),
            "Seat 1 puts fort card 5 under the pile; 12 takes its place.",
            "Az 1. hely a pakli aljára teszi az 5. erődkártyát; a helyére a 12. kerül.",
        ),
        (
            ProvinceScored(1, 2, "sfakia", 4, ()),
            "Sfakia is scored at fort point 2: nobody has influence there.",
            "Sfakia értékelése a 2. erődpontnál: senkinek sincs ott befolyása.",
        ),
        (
            ProvinceScored(1, 2, "kydonia", 5, _STANDINGS),
            (
                "Kydonia is scored at fort point 2: Seat 1 gets 5 points for influence 3; "
                "Seat 0 gets 2 points for influence 1."
            ),
            (
                "Kydonia értékelése a 2. erődpontnál: az 1. hely 3 befolyásért 5 pontot kap; "
                "a 0. hely 1 befolyásért 2 pontot kap."
            ),
        ),
        (
            GameEnded((9, 12, 12), ((1, 2), (0,)), (1, 2)),
            "The last fort card has been scored. Winning: Seat 1 and Seat 2. Points: Seat 0: 9; Seat 1: 12; Seat 2: 12.",
            (
                "Az utolsó erődkártya értékelése is véget ért. Győzött: 1. hely és 2. hely. "
                "Pontok: 0. hely: 9; 1. hely: 12; 2. hely: 12."
            ),
        ),
    ],
)
def test_an_event_reads_well(event: Event, english: str, hungarian: str) -> None:
    assert told(KRETA, event, 4) == english
    assert told(KRETA, event, 4, HUNGARIAN) == hungarian
