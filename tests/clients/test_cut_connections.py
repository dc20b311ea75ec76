"""Playing and following over a bad line: every command is done once, and every event arrives once."""

import asyncio
import json
import random
import threading
from collections.abc import Iterator

import pytest

from annales_client import ME, AsyncClient, Client, Patience
from annales_client.resources import Command, Event, LegalCommands
from tests.support.processes import PATIENCE
from tests.support.severing import SeveringProxy, severing

MEAN = 12_000
"""Bytes of answers between two cuts: a few requests, or some dozen events of a stream."""
COMMANDS = 40
PATIENT = Patience(attempts=50, first=0.002, longest=0.05)


@pytest.fixture
def token(base: str) -> str:
    with Client(base) as client:
        return client.register("Ada")["token"]


@pytest.fixture
def line(base: str) -> Iterator[SeveringProxy]:
    with severing(base, MEAN, seed=1) as proxy:
        yield proxy


def log_of(base: str, token: str, game: str) -> list[Event]:
    """All events as they stand in the log, asked for over a good line."""
    with Client(base, token) as client:
        assert client.audit(game)["verdict"] == "verified"
        return [json.loads(each) for each in client.export(game).splitlines()[1:]]


def check(log: list[Event], given: list[Command], followed: list[Event]) -> None:
    """Every command stands in the log once and in order, and every event of the log has been followed once and in order."""
    assert [event["version"] for event in log] == list(range(1, len(log) + 1))
    done = [event["command"] for event in log if event["actor"] == "player" and "type" in event["command"]]
    assert [(each["type"], each["data"]) for each in done] == [
        ("create_game", done[0]["data"]),
        *((command["type"], command["data"]) for command in given),
        ("resign", {}),
    ]
    assert [(event["version"], event["digest"]) for event in followed] == [
        (event["version"], event["digest"]) for event in log
    ]


def chosen(turn: LegalCommands, step: int) -> tuple[Command, int | None]:
    """A command, and the version to give it at: half of them carry none, so that their keys alone protect them."""
    return random.Random(step).choice(turn["commands"]), turn["version"] if step % 2 else None


def test_everything_happens_once(base: str, token: str, line: SeveringProxy) -> None:
    with Client(line.url, token, patience=PATIENT) as client:
        game = client.create("kreta", [ME, ME])["id"]
        followed: list[Event] = []
        follower = threading.Thread(target=lambda: followed.extend(client.follow(game)), daemon=True)
        follower.start()
        given: list[Command] = []
        while len(given) < COMMANDS:
            turn = client.legal_commands(game)
            if turn["commands"]:  # else the service is scoring
                command, version = chosen(turn, len(given))
                client.give(game, command, version=version)
                given.append(command)
        client.resign(game)
        follower.join(PATIENCE)
    check(log_of(base, token, game), given, followed)
    assert line.cuts > COMMANDS / 8


def test_everything_happens_once_under_asyncio(base: str, token: str, line: SeveringProxy) -> None:
    async def play() -> tuple[str, list[Command], list[Event]]:
        async with AsyncClient(line.url, token, patience=PATIENT) as client:
            game = (await client.create("canterbury", [ME, ME]))["id"]

            async def follow() -> list[Event]:
                return [event async for event in client.follow(game)]

            follower = asyncio.create_task(follow())
            given: list[Command] = []
            while len(given) < COMMANDS:
                turn = await client.legal_commands(game)
                if turn["commands"]:
                    command, version = chosen(turn, len(given))
                    await client.give(game, command, version=version)
                    given.append(command)
            await client.resign(game)
            return game, given, await asyncio.wait_for(follower, PATIENCE)

    game, given, followed = asyncio.run(play())
    check(log_of(base, token, game), given, followed)
    assert line.cuts > COMMANDS / 8
