"""Games of every ruleset with their history turned over: undone, redone, jumped about in, forked, and what a fork keeps."""

import random
from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.chance import SeededChance
from domain.errors import WrongMoment
from domain.table import Ancestor, CreateGame, ForkGame, MySeat, OpenSeat, Position, undo_for
from domain.table.commands import AbandonGame, AnswerUndo, JoinGame, Redo, RequestUndo
from domain.table.events import GameForked, HistoryRewound
from domain.table.founding import fork
from events import audit
from events.envelope import GENESIS
from events.history import History
from tests.support.examples import examples
from tests.support.logged import RULESETS, LoggedGame
from tests.support.tampering import export

RULESET_IDS = [*RULESETS.by_id]
PLAYERS = ("ada", "bob", "cleo", "dan")
TURNS_OF_HISTORY = 50
PILES = ("supply_pile", "building_pile", "honor_pile")


def table(ruleset: str, rng: random.Random, players: int = 2) -> LoggedGame:
    """A game of so many players, each with a seat, undo by consent."""
    seats: tuple[MySeat | OpenSeat, ...] = (MySeat(), *[OpenSeat()] * (players - 1))
    game = LoggedGame(CreateGame(ruleset=ruleset, seats=seats, undo="consent"), seed=rng.randbytes(32))
    for seat in range(1, players):
        game.give(JoinGame(seat=seat), player=PLAYERS[seat])
    return game


def played(ruleset: str, rng: random.Random, steps: int) -> LoggedGame:
    """A game under way, some of it taken back by the way."""
    game = table(ruleset, rng, rng.choice(RULESETS[ruleset].game.seats[:3] or (2,)))
    for _ in range(steps):
        if game.table.status != "active":
            break
        offer = undo_for(game.table, seat := rng.randrange(len(game.table.seats)))
        if offer.to_version is not None and rng.random() < 0.1:
            turn_back(game, RequestUndo(to_version=offer.to_version), seat)
        else:
            game.step(rng)
    return game


def turn_back(game: LoggedGame, command: RequestUndo | Redo, seat: int) -> HistoryRewound:
    """An undo or redo to which everybody who is asked agrees; the rewind."""
    game.give(command, seat)
    while (asked := game.table.request) is not None:
        game.give(AnswerUndo(accept=True), asked.needs[-1])
    rewound = game.typed[-1]
    assert isinstance(rewound, HistoryRewound)
    return rewound


def boundaries(game: LoggedGame) -> list[int]:
    """The versions between two commands since the start."""
    first = game.table.line.first
    if first is None:
        return []
    return [version for version in range(first, game.version) if game.history.is_boundary(version)]


# Undo, redo and jumps by consent


@pytest.mark.parametrize("ruleset", RULESET_IDS)
@settings(max_examples=examples(8))
@given(seed=st.integers(0, 2**32))
def test_fifty_undos_redos_and_jumps_by_consent_leave_a_log_that_replays(ruleset: str, seed: int) -> None:
    rng = random.Random(seed)
    game = table(ruleset, rng, rng.choice(RULESETS[ruleset].game.seats[:3]))
    boards, turns = {game.version: game.board}, 0
    while turns < TURNS_OF_HISTORY:
        assert game.version < 5000
        seat = rng.randrange(len(game.table.seats))
        command = history_command(game, seat, rng)
        if command is None:
            if not one_step(game, rng):
                break
        else:
            draws = game.table.draws
            rewound = turn_back(game, command, seat)
            turns += 1
            assert game.board == msgspec.json.encode(game.history.state(rewound.to))
            assert game.table.draws == draws
        boards[game.version] = game.board
    assert turns == TURNS_OF_HISTORY
    replayed = History(RULESETS)
    for event in game.log:
        replayed.add(event)
    for version, board in boards.items():
        assert msgspec.json.encode(replayed.state(version)) == board
    assert replayed.position == game.position
    assert audit.verify(game.lines(), RULESETS).first_bad is None
    game.give(AbandonGame(), actor="system")
    assert audit.verify(game.lines(), RULESETS).verdict == "verified"


def history_command(game: LoggedGame, seat: int, rng: random.Random) -> RequestUndo | Redo | None:
    """Sometimes a step back, a redo or a jump to any line that was ever played."""
    luck, offer = rng.random(), undo_for(game.table, seat)
    if luck < 0.15 and offer.redo_to is not None:
        return Redo()
    if luck < 0.3 and offer.to_version is not None:
        return RequestUndo(to_version=offer.to_version)
    if luck < 0.45 and (anywhere := boundaries(game)):
        return RequestUndo(to_version=rng.choice(anywhere))
    return None


def one_step(game: LoggedGame, rng: random.Random) -> bool:
    """A step that does not end the game, which could not be undone; false when every one would."""
    if game.settle():
        return game.table.status == "active"
    for _ in range(20):
        seat = rng.choice(game.awaited)
        order = game.order(rng.choice(game.legal(seat)), seat)
        if game.tried([order]).session.position.table.status == "active":
            game.batch([order])
            return True
    return False


# Forks


class Branch:
    """A fork of a game under way, at a random version, by a random player or a stranger."""

    def __init__(self, ruleset: str, rng: random.Random) -> None:
        self.parent = played(ruleset, rng, rng.randrange(1, 60))
        self.forker = rng.choice([*PLAYERS[: len(self.parent.table.seats)], "eve"])
        self.at = rng.choice([*boundaries(self.parent), self.parent.version])
        self.held = self.parent.table.seats_of(self.forker)
        self.seed = rng.randbytes(32)

    @property
    def state(self) -> Any:
        """The state of the parent where the fork begins."""
        return self.parent.history.state(self.at)

    def fork(self, **choices: Any) -> LoggedGame:
        return self.parent.fork(ForkGame(game="g1", at=self.at, **choices), self.forker, seed=self.seed)


@pytest.mark.parametrize("ruleset", RULESET_IDS)
@settings(max_examples=examples(8))
@given(seed=st.integers(0, 2**32))
def test_a_fork_verifies_alone_and_plays_on_to_its_end(ruleset: str, seed: int) -> None:
    rng = random.Random(seed)
    branch = Branch(ruleset, rng)
    forked, game = branch.fork(), branch.parent.ruleset.game
    for seat in (*branch.held, None):
        assert game.view(forked.state, seat) == game.view(branch.state, seat)
    assert game.to_act(forked.state) == game.to_act(branch.state)
    assert audit.verify(forked.lines(), RULESETS).first_bad is None
    assert audit.verify(forked.lines(branch.held), RULESETS).verdict in {"sealed", "verified"}
    for _ in range(5000):
        if forked.table.status != "active":
            break
        if not forked.settle():
            seat = rng.choice(forked.awaited)
            actor: Any = forked.table.seats[seat].kind
            forked.give(rng.choice(forked.legal(seat)), seat, actor=actor)
    assert forked.table.status == "finished"
    assert audit.verify_export(export(forked.log), RULESETS).verdict == "verified"


def luck(seed: bytes) -> SeededChance:
    return SeededChance(lambda: seed, "g2", (), 0)


def forked_from(branch: Branch, state: Any) -> GameForked:
    """The first event of the fork, had the game stood like this in the parent."""
    parent = branch.parent
    then = Position(replace(parent.table, version=branch.at), state)
    ancestor = Ancestor(position=then, head=GENESIS, table=parent.table)
    command = ForkGame(game="g1", at=branch.at)
    return fork(parent.ruleset.game, command, ancestor, branch.forker, branch.seed, luck(branch.seed))


@pytest.mark.parametrize("ruleset", RULESET_IDS)
@settings(max_examples=examples(40))
@given(seed=st.integers(0, 2**32))
def test_parents_that_differ_in_what_the_forker_may_not_know_give_the_same_fork(ruleset: str, seed: int) -> None:
    """So nothing that is hidden from the forker is kept, and nothing else depends on it."""
    rng = random.Random(seed)
    branch = Branch(ruleset, rng)
    other = branch.parent.ruleset.game.redraw(branch.state, branch.held, luck(rng.randbytes(32)))
    assert forked_from(branch, other) == forked_from(branch, branch.state)


@pytest.mark.parametrize("ruleset", ["toy", "kreta", "porta-nigra"])
def test_such_parents_do_differ(ruleset: str) -> None:
    rng = random.Random(1)
    branch = Branch(ruleset, rng)
    game = branch.parent.ruleset.game
    states = [game.redraw(branch.state, branch.held, luck(rng.randbytes(32))) for _ in range(6)]
    assert len({msgspec.json.encode(state) for state in states}) > 1


@pytest.mark.parametrize("seats", range(2, 5))
def test_in_a_fork_of_porta_nigra_all_piles_and_the_hands_of_others_are_drawn_anew(seats: int) -> None:
    rng = random.Random(seats)
    parent = table("porta-nigra", rng, seats)
    for _ in range(30):
        parent.step(rng)
    state, command = parent.state, ForkGame(game="g1", at=parent.version)
    forks = [parent.fork(command, "bob", seed=rng.randbytes(32)).state for _ in range(12)]
    for each in forks:
        assert each.players[1].hand == state.players[1].hand
        for seat, (ours, theirs) in enumerate(zip(each.players, state.players, strict=True)):
            assert Counter([*ours.hand, *ours.pile]) == Counter([*theirs.hand, *theirs.pile]), seat
            assert (ours.played, len(ours.hand)) == (theirs.played, len(theirs.hand))
        for pile in PILES:
            assert Counter(getattr(each, pile)) == Counter(getattr(state, pile))
    for pile in PILES:
        assert len(getattr(state, pile)) < 2 or len({getattr(each, pile) for each in forks}) > 1
    for seat in range(seats):
        dealt = {(each.players[seat].hand, each.players[seat].pile) for each in forks}
        assert len(dealt) > 1 or len(set(state.players[seat].pile + state.players[seat].hand)) < 3


@pytest.mark.parametrize("ruleset", RULESET_IDS)
def test_the_same_chance_after_the_end_gives_the_very_state(ruleset: str) -> None:
    rng = random.Random(3)
    parent = table(ruleset, rng)
    for _ in range(20):
        one_step(parent, rng)
    command, state = ForkGame(game="g1", at=parent.version, chance="same"), parent.state
    with pytest.raises(WrongMoment) as refused:
        parent.fork(command, "ada")
    assert (refused.value.code, refused.value.pointer) == ("game-not-over", "/chance")
    parent.give(AbandonGame(), actor="system")
    forked = parent.fork(command, "eve")
    assert forked.state == state
    assert forked.table.draws == 0
