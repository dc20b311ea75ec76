"""Two worlds that differ only in what a seat may not know give it, and a spectator, equal answers on every channel.

The worlds are two forks of one random game by the same player: what that player has not seen is dealt anew in each.
"""

import random
from typing import Any

import pytest

from domain.catalogue import GAMES
from tests.service.client import Client, House, Seat
from tests.service.test_secrecy import CHANNELS, blanked

STEPS = 12
"""How many commands are given in both worlds, at most; a reveal ends it sooner, since then they may differ."""


def played(ada: Client, bob: Client, ruleset: str, luck: random.Random, commands: int) -> Seat:
    """A game of Ada and Bob after so many random commands."""
    game = ada.create(ruleset, "mo", undo="free")
    bob.at(game).do("join_game", {"seat": 1})
    for _ in range(commands):
        ada.house.do_owed(game.game)
        seat = game.now["to_act"][0]
        mover = (ada, bob)[seat].at(game)
        command = luck.choice(mover.see("legal-commands")["commands"])
        mover.do(command["type"], command["data"])
    ada.house.do_owed(game.game)
    return game


def forked(ada: Client, bob: Client, game: Seat) -> Seat:
    """A fork by Ada, in which Bob sits on the other seat again, with other cards."""
    body = {"at": game.version, "seats": [{"kind": "me"}, {"kind": "open"}]}
    made = ada.post(f"{game.path}/forks", body)
    assert made.status_code == 201, made.data
    assert made.json is not None
    fork = Seat(ada, made.json["id"])
    bob.at(fork).do("join_game", {"seat": 1})
    return fork


def told(world: Seat, commands: list[Any], *, is_player: bool) -> dict[str, bytes]:
    """What every channel tells about a world; dry runs, refusals and refused batches where there is a seat to act."""
    looks = {name: look(world) for name, look in CHANNELS.items()}
    if not is_player:
        return looks
    looks["legal commands"] = world.get("legal-commands").data
    looks["missed events"] = world.give("end_turn", If_Match='"1"').data
    looks["refusal"] = world.give("build_fort", {"site": 99}).data
    for number, command in enumerate(commands[:4]):
        looks[f"dry run {number}"] = world.give(command["type"], command["data"], query="?dry_run=true").data
        looks[f"refused batch {number}"] = world.give_all(command, {"type": "redo"}).data
    return looks


def common(worlds: list[Seat], mover: Client) -> list[Any]:
    """The commands that `mover` may give in both worlds, and that reveal nothing."""
    first, second = (mover.at(world).see("legal-commands")["commands"] for world in worlds)
    both = [command for command in first if command in second]
    return [command for command in both if all(is_open(mover.at(world), command) for world in worlds)]


def is_open(world: Seat, command: Any) -> bool:
    """Whether all that a command brings about can be known beforehand."""
    tried = world.give(command["type"], command["data"], query="?dry_run=true").json
    return bool(tried and tried["complete"])


@pytest.mark.parametrize("ruleset", GAMES)
@pytest.mark.parametrize("seed", range(2))
def test_worlds_that_differ_only_in_secrets_answer_alike_whichever_way_one_looks(
    house: House, ada: Client, bob: Client, visitor: Client, ruleset: str, seed: int
) -> None:
    luck = random.Random(f"{ruleset}{seed}")
    game = played(ada, bob, ruleset, luck, luck.randrange(4, 40))
    worlds = [forked(ada, bob, game) for _ in range(2)]
    for _ in range(STEPS):
        to_act = worlds[0].now["to_act"]
        if not to_act or worlds[0].now["pending"]:
            break
        mover = (ada, bob)[to_act[0]]
        commands = common(worlds, mover)
        shown = commands if mover is ada else []
        one, other = (told(world, shown, is_player=to_act[0] == 0) for world in worlds)
        assert {name: blanked(data) for name, data in one.items()} == {
            name: blanked(data) for name, data in other.items()
        }
        one, other = (told(visitor.at(world), [], is_player=False) for world in worlds)
        assert {name: blanked(data) for name, data in one.items()} == {
            name: blanked(data) for name, data in other.items()
        }
        if not commands:
            break
        command = luck.choice(commands)
        answers = [mover.at(world).give(command["type"], command["data"]) for world in worlds]
        assert all(answer.status_code == 201 for answer in answers)
        if mover is ada:
            assert blanked(answers[0].data) == blanked(answers[1].data)
