"""Several commands at once: all or none, and none after something hidden was shown."""

import pytest

from domain.errors import RuleViolation, WrongMoment
from domain.game import Command
from domain.table.commands import RequestUndo
from tests.support.logged import LoggedGame, hot_seat
from tests.support.toy import Add, Call, Finish, Flip, Peek


def toy() -> LoggedGame:
    return LoggedGame(hot_seat("toy"))


def batch(game: LoggedGame, *commands: Command) -> list[str]:
    return [event.type for event in game.batch([game.order(command, 0) for command in commands])]


def test_each_command_of_a_batch_is_one_to_undo_and_the_first_events_carry_the_commands() -> None:
    game = toy()
    batch(game, Add(points=1), Add(points=2))
    assert [event.command.data for event in game.log[-2:]] == [{"points": 1}, {"points": 2}]
    game.give(RequestUndo(to_version=game.version - 1), 0)
    assert game.state.totals == (1, 0)


def test_none_of_a_batch_happens_when_one_is_refused() -> None:
    game = toy()
    before = game.position
    with pytest.raises(RuleViolation):
        batch(game, Add(points=1), Add(points=9))
    assert game.position == before


@pytest.mark.parametrize("reveal", [Flip(), Peek(), Finish()], ids=["shown to all", "shown to one", "the end"])
def test_a_command_may_not_follow_one_that_reveals_something(reveal: Command) -> None:
    game = toy()
    with pytest.raises(WrongMoment) as refusal:
        batch(game, Add(points=1), reveal, Add(points=1))
    assert refusal.value.code == "batch-crosses-reveal"


def test_the_last_command_of_a_batch_may_reveal() -> None:
    assert batch(toy(), Add(points=1), Flip()) == ["toy.added", "toy.flipped", "toy.added"]


def test_a_step_that_a_batch_makes_the_service_owe_ends_it() -> None:
    with pytest.raises(WrongMoment) as refusal:
        batch(toy(), Call(), Add(points=1))
    assert refusal.value.code == "scoring-in-progress"


def test_a_batch_may_undo_within_itself() -> None:
    game = toy()
    version = game.version
    batch(game, Add(points=3), RequestUndo(to_version=version), Add(points=2))
    assert game.state.totals == (2, 0)
