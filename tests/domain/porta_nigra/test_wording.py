"""What people read of Porta Nigra, and that it gives no secret away."""

import random
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import pytest

from domain.game import HOUSE, NOBODY, Event, Part
from domain.porta_nigra import PORTA_NIGRA
from domain.porta_nigra.board import BOARD
from domain.porta_nigra.events.actions import BrickBought, ElementBuilt, HonorCardBought, RewardGranted, TorchConverted
from domain.porta_nigra.events.course import EarlyEndCalled, Hand, HandsDrawn, ScoringDue, StartChoiceGiven, TurnEnded
from domain.porta_nigra.events.scoring import Contender, MajorityScored
from domain.porta_nigra.options import PortaNigraOptions
from domain.porta_nigra.wording import NAMES, WORDING
from service.language import LANGUAGES
from tests.domain.porta_nigra.games import over_games
from tests.domain.porta_nigra.test_secrets import ScriptedChance, as_played, other_world
from tests.support.playing import Playthrough
from tests.support.wordings import HUNGARIAN, check_all, seen_by, told


@over_games(4)
def test_every_event_of_a_game_is_described_in_every_language(game: Playthrough) -> None:
    check_all(PORTA_NIGRA, game.play().events, game.seats)
    for viewer in (None, 0):
        check_all(PORTA_NIGRA, (seen_by(event, viewer) for event in game.events), game.seats)


def test_every_type_of_event_has_its_sentence() -> None:
    assert set(WORDING.sentences) == set(PORTA_NIGRA.event_types)


def test_everything_that_has_an_id_has_a_name() -> None:
    assert set(NAMES["color"]) == set(BOARD.colors)
    assert set(NAMES["quarter"]) == set(BOARD.quarters)
    assert set(NAMES["site"]) == set(BOARD.site_index)
    assert set(NAMES["action_card"]) == set(BOARD.action_cards)
    assert set(NAMES["supply_card"]) == set(BOARD.supply_cards)
    assert set(NAMES["building_card"]) == set(BOARD.building_cards)
    assert set(NAMES["honor_card"]) == set(BOARD.honor_cards)


def _replayed(game: Playthrough, commands: Sequence[tuple[int, Any]], chance: ScriptedChance) -> Iterator[Event]:
    """The events of the same commands with other outcomes of chance."""
    state: Any = None
    options = game.options
    assert isinstance(options, PortaNigraOptions)
    for given in chain([None], commands):
        if given is None:
            events: Sequence[Event] = PORTA_NIGRA.setup(game.seats, options, chance)
        else:
            seat, command = given
            events = PORTA_NIGRA.decide(state, seat, command, chance)
        while events:
            for event in events:
                state = PORTA_NIGRA.evolve(state, event)  # type: ignore[arg-type]
            yield from events
            owed = PORTA_NIGRA.owed(state)
            events = () if owed is None else PORTA_NIGRA.decide(state, HOUSE, owed, chance)


@over_games(4)
def test_two_worlds_that_differ_in_a_secret_are_told_alike(game: Playthrough) -> None:
    commands = list(game.steps())
    for viewer in (None, *range(game.seats)):
        one = list(_replayed(game, commands, as_played(game)))
        two = list(_replayed(game, commands, other_world(game, viewer, random.Random(len(one)))))
        assert one != two
        for language in LANGUAGES.values():
            assert [told(PORTA_NIGRA, seen_by(event, viewer), game.seats, language) for event in one] == [
                told(PORTA_NIGRA, seen_by(event, viewer), game.seats, language) for event in two
            ]


def _drawn(*hands: tuple[int, tuple[str, ...]]) -> tuple[Part[Hand], ...]:
    return tuple(Part((seat,), Hand(seat, cards)) for seat, cards in hands)


def _built(card: str | None) -> ElementBuilt:
    return ElementBuilt(
        seat=1,
        symbol=None,
        torch=None,
        influence=2,
        site="BAS-A5",
        color="yellow",
        bricks=2,
        whites=0,
        quarter="basilica",
        fee=0,
        vp=9,
        building_card=card,
        total=2,
    )


def _rewarded(**gains: int) -> RewardGranted:
    nothing = {"sesterces": 0, "torches": 0, "influence": 0, "romans": 0, "bricks": 0}
    return RewardGranted(seat=0, building="basilica", total=3, times=1, **{**nothing, **gains})


def _honored(discarded: tuple[str, ...]) -> HonorCardBought:
    return HonorCardBought(
        seat=0,
        card="HON-FS42" if discarded else "HON-VP4",
        influence=3,
        discarded=discarded,
        kept=None,
        vp=0,
        sesterces=0,
        torches=0,
        romans=0,
        bricks=0,
        top_up=False,
    )


_FIRST = Contender(seat=1, count=3, best=4, place=1, vp=12)
_THIRD = Contender(seat=0, count=1, best=4, place=0, vp=0)


@pytest.mark.parametrize(
    ("event", "english", "hungarian"),
    [
        (HandsDrawn(2, ()), "Everybody draws 2 action cards.", "Mindenki 2 akciókártyát húz."),
        (
            HandsDrawn(2, _drawn((1, ("ACT-3", "ACT-5")))),
            "Everybody draws 2 action cards: Seat 1 draws action card 3 and action card 5.",
            "Mindenki 2 akciókártyát húz; az 1. hely húzása: 3. akciókártya és 5. akciókártya.",
        ),
        (
            TurnEnded(0, "ACT-1", 1, _drawn((0, ("ACT-2",)))),
            "Seat 0 ends the turn: Seat 0 draws action card 2.",
            "A 0. hely befejezi a körét; a 0. hely húzása: 2. akciókártya.",
        ),
        (
            TurnEnded(0, "ACT-1", 1, ()),
            "Seat 0 ends the turn and draws 1 card.",
            "A 0. hely befejezi a körét, és 1 kártyát húz.",
        ),
        (
            TurnEnded(0, "ACT-1", 0, ()),
            "Seat 0 ends the turn; no card is left to draw.",
            "A 0. hely befejezi a körét; nem maradt húzható kártyája.",
        ),
        (
            EarlyEndCalled(2, "elements", 5),
            "Seat 2 has placed the last element and gains 5 points: everybody else has one more turn.",
            "A 2. hely lerakta az utolsó épületrészét, ezért 5 győzelmi pontot kap: mindenki másnak még egy köre van.",
        ),
        (
            EarlyEndCalled(1, "bricks", 5),
            "The bricks have run out in the turn of Seat 1, who gains 5 points: everybody else has one more turn.",
            "Az 1. hely körében elfogytak a téglák, ezért 5 győzelmi pontot kap: mindenki másnak még egy köre van.",
        ),
        (
            ScoringDue("interim"),
            "All turns of the round are taken: the interim scoring follows.",
            "A forduló minden köre lezajlott: a közbenső értékelés következik.",
        ),
        (
            StartChoiceGiven(1, 9, (1, 2)),
            "Seat 1 is the youngest of those with the fewest points (9) and names the next start player.",
            "A legkevesebb győzelmi ponttal (9) állók közül az 1. hely a legfiatalabb, így kijelöli a következő kezdőjátékost.",
        ),
        (
            BrickBought(0, 1, "card", "red", "city_wall", 1, 3),
            "Seat 0 goes to the quarter City Wall for 1 sesterce and buys a brick for 3: red.",
            "A 0. hely építőmestere 1 sestertiusért átlép ebbe a negyedbe: Városfal, és ott 3 sestertiusért téglát vesz: piros.",
        ),
        (
            BrickBought(0, 1, "card", "white", "city_wall", 0, 5),
            "Seat 0 buys a brick for 5 sesterces: white.",
            "A 0. hely téglát vesz 5 sestertiusért: fehér.",
        ),
        (
            _built(None),
            "Seat 1 builds an element of 2 bricks (yellow) on Basilica A5 and gains 9 points.",
            "Az 1. hely 2 téglás épületrészt épít (sárga) ezen az építőhelyen: Bazilika A5, és 9 győzelmi pontot kap.",
        ),
        (
            _built("BLD-basilica-yellow"),
            (
                "Seat 1 builds an element of 2 bricks (yellow) on Basilica A5, gains 9 points and a building card "
                "(Basilica, yellow)."
            ),
            (
                "Az 1. hely 2 téglás épületrészt épít (sárga) ezen az építőhelyen: Bazilika A5; jutalma 9 győzelmi pont és "
                "egy épületkártya (Bazilika, sárga)."
            ),
        ),
        (
            _rewarded(torches=1, romans=2),
            "Seat 0 earns the master builder reward of Basilica: 1 torch token and 2 Romans.",
            "A 0. hely építőmester-díjat kap (Bazilika): 1 fáklyajelző és 2 római.",
        ),
        (
            _rewarded(),
            "Seat 0 earns the master builder reward of Basilica, but the reserve has nothing left for it.",
            "A 0. hely építőmester-díjat érdemel (Bazilika), de a talonban nem maradt rá semmi.",
        ),
        (
            TorchConverted(0, "card", 1),
            "Seat 0 gives up an action for 1 sesterce.",
            "A 0. hely lemond egy akcióról 1 sestertiusért.",
        ),
        (
            TorchConverted(0, "token", 1),
            "Seat 0 returns a torch token for 1 sesterce.",
            "A 0. hely visszatesz egy fáklyajelzőt 1 sestertiusért.",
        ),
        (
            _honored(()),
            "Seat 0 buys for 3 influence tokens: honor card (4 victory points).",
            "A 0. hely 3 befolyásjelzőért ezt veszi: becsületkártya (4 győzelmi pont).",
        ),
        (
            _honored(("HON-FS30",)),
            "Seat 0 buys for 3 influence tokens: final scoring card (42 points). Discarded: final scoring card (30 points).",
            (
                "A 0. hely 3 befolyásjelzőért ezt veszi: végsőértékelés-kártya (42 pont). "
                "Eldobva: végsőértékelés-kártya (30 pont)."
            ),
        ),
        (
            MajorityScored("basilica", "A", None, (_FIRST, _THIRD)),
            "Majority in row A of Basilica: Seat 1 gains 12 points.",
            "Többségi értékelés, Bazilika, A sor: az 1. hely 12 győzelmi pontot kap.",
        ),
        (
            MajorityScored("porta_nigra", None, 5, (_FIRST,)),
            "Majority at level 5 of Porta Nigra: Seat 1 gains 12 points.",
            "Többségi értékelés, Porta Nigra, 5. szint: az 1. hely 12 győzelmi pontot kap.",
        ),
    ],
)
def test_an_event_reads_well(event: Event, english: str, hungarian: str) -> None:
    assert told(PORTA_NIGRA, event, 3) == english
    assert told(PORTA_NIGRA, event, 3, HUNGARIAN) == hungarian


def test_a_part_that_nobody_reads_says_nothing() -> None:
    event = HandsDrawn(2, (Part(NOBODY, Hand(0, ("ACT-1",))),))
    assert told(PORTA_NIGRA, seen_by(event, 0), 2) == "Everybody draws 2 action cards."


def test_every_honor_card_has_a_name_that_says_its_effect() -> None:
    names = {card: HUNGARIAN.say(name) for card, name in NAMES["honor_card"].items()}
    assert names["HON-SUB-cityWall"] == "helyettesítő épületkártya (Városfal)"
    assert names["HON-COIN6"] == "becsületkártya (6 sestertius)"
    assert names["HON-PNBRICK"] == "becsületkártya (tégla egy Porta Nigra-épületrész tetejére)"
    assert len(set(names.values())) == len(names)
