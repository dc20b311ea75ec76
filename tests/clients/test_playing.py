"""The Python client against a real service, call by call."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from annales_client import (
    ME,
    OPEN,
    AsyncClient,
    Client,
    MalformedRequest,
    NotFound,
    RuleViolation,
    Unauthenticated,
    VersionMismatch,
    WrongMoment,
    bot,
)
from annales_client.resources import Command
from tests.support.processes import wait_until

COMMANDER: Command = {"type": "play_character", "data": {"character": "commander"}}
UNKNOWN_GAME = "0123456789abcdef01234567"


@pytest.fixture
def ada(base: str) -> Iterator[Client]:
    with Client(base) as client:
        client.register("Ada")
        yield client


@pytest.fixture
def bob(base: str) -> Iterator[Client]:
    with Client(base) as client:
        client.register("Bob")
        yield client


def test_a_player_is_registered_and_keeps_the_token(base: str) -> None:
    with Client(base) as client:
        made = client.register("Ada")
    with Client(base, made["token"]) as again:
        assert again.me() == {"player": made["player"], "games": {"open": [], "active": []}}
    with Client(base, "nobody") as stranger, pytest.raises(Unauthenticated):
        stranger.me()


def test_rulesets_tell_what_can_be_played(ada: Client) -> None:
    for ruleset in ada.rulesets()["items"]:
        assert ada.ruleset(ruleset["id"])["commands"]


def test_a_table_fills_and_its_game_begins(ada: Client, bob: Client) -> None:
    game = ada.create("kreta", [ME, OPEN], visibility="public", undo="free", options={"first_seat": 1})
    assert game["status"] == "open"
    joined = bob.join(game["id"], 1, entropy="seven")
    assert joined["game"]["status"] == "active"
    assert joined["game"] == ada.game(game["id"])
    assert [seat["kind"] for seat in joined["game"]["seats"]] == ["player", "player"]
    assert joined["game"]["to_act"] == [1]
    wait_until(lambda: [each["id"] for each in bob.me()["games"]["active"]] == [game["id"]], "the game in Bob's list")
    listed = ada.games(player=ada.me()["player"]["id"], ruleset="kreta", limit=1)["items"]
    assert {each["id"] for each in listed} <= {game["id"]}  # the list follows within moments


def test_a_command_is_tried_given_taken_back_and_given_again(ada: Client) -> None:
    game = ada.create("kreta", [ME, ME], undo="free")["id"]
    before = ada.board(game)
    turn = ada.legal_commands(game)
    assert COMMANDER in turn["commands"]
    trial = ada.dry_run(game, COMMANDER, version=turn["version"])
    assert trial["complete"]
    assert ada.game(game)["version"] == turn["version"]
    done = ada.give(game, COMMANDER, version=turn["version"])
    assert [event["type"] for event in done["events"]] == [event["type"] for event in trial["events"]]
    after = ada.board(game)
    assert after["undo"]["to_version"] == before["version"]
    ada.undo(game, before["version"], version=done["version"])
    assert ada.board(game)["board"] == before["board"]
    ada.redo(game)
    assert ada.board(game)["board"] == after["board"]
    assert ada.board(game, at=before["version"])["board"] == before["board"]


def test_several_commands_are_given_at_once(ada: Client) -> None:
    game = ada.create("kreta", [ME, ME])["id"]
    landing: Command = {"type": "place_villager", "data": {"province": "kydonia"}, "seat": 0}
    done = ada.give(game, [COMMANDER, landing])
    assert {"play_character", "place_villager"} <= {event["command"].get("type") for event in done["events"]}
    with pytest.raises(WrongMoment) as refused:
        ada.give(game, [landing])
    assert refused.value.pointer is None or refused.value.pointer.startswith("/commands/0")


def test_an_undo_by_consent_is_asked_for_and_answered(ada: Client, bob: Client) -> None:
    game = ada.create("kreta", [ME, OPEN], undo="consent")["id"]
    start = bob.join(game, 1)["version"]
    while ada.game(game)["to_act"] == [0]:
        ada.give(game, ada.legal_commands(game)["commands"][0])
    bob.give(game, bob.legal_commands(game)["commands"][0])
    asked = ada.undo(game, start)
    assert asked["game"]["version"] > start
    request = bob.board(game)["undo"]["request"]
    assert request is not None
    bob.answer_undo(game, accept=True)
    assert ada.board(game)["board"] == ada.board(game, at=start)["board"]


def test_refusals_are_exceptions_that_tell_why(ada: Client, bob: Client) -> None:
    game = ada.create("kreta", [ME, OPEN])["id"]
    version = bob.join(game, 1)["version"]
    with pytest.raises(WrongMoment) as early:
        bob.give(game, COMMANDER)
    assert early.value.code == "not-your-turn"
    with pytest.raises(MalformedRequest) as malformed:
        ada.give(game, {"type": "play_character", "data": {"character": "abbot", "haste": 1}})
    assert malformed.value.pointer == "/data/haste"
    with pytest.raises(NotFound):
        ada.board(UNKNOWN_GAME)
    with pytest.raises(RuleViolation) as against:
        ada.give(game, {"type": "play_character", "data": {"character": "emperor"}})
    assert against.value.rule is not None
    assert against.value.rule["code"] == against.value.code
    ada.give(game, COMMANDER)
    with pytest.raises(VersionMismatch) as stale:
        ada.give(game, COMMANDER, version=version)
    assert stale.value.current_version == ada.game(game)["version"]
    assert stale.value.missed_events[0]["version"] == version + 1


def test_a_game_is_followed_to_its_end_and_its_log_checked(ada: Client) -> None:
    game = ada.create("porta-nigra", [ME, bot("random")])["id"]
    ada.resign(game)
    events = list(ada.follow(game))
    assert ada.game(game)["status"] == "finished"
    assert [event["version"] for event in events] == list(range(1, len(events) + 1))
    assert list(ada.follow(game, after=len(events) - 1)) == events[-1:]
    paged, after = [], 0
    while (page := ada.events(game, after=after, limit=3))["next"] is not None:
        paged += page["items"]
        after = page["next"]
    assert [*paged, *page["items"]] == events
    header, *lines = ada.export(game).splitlines()
    assert json.loads(header)["game"] == game
    assert [json.loads(line) for line in lines] == events
    audit = ada.audit(game)
    assert (audit["verdict"], audit["head"]) == ("verified", events[-1]["digest"])
    assert ada.board(game, reveal=True)["board"] is not None


def test_asyncio_has_the_same_calls(base: str) -> None:
    async def play() -> tuple[list[Any], str]:
        async with AsyncClient(base) as client:
            made = await client.register("Ada")
            assert client.token == made["token"]
            game = await client.create("canterbury", [ME, ME])
            turn = await client.legal_commands(game["id"])
            await client.give(game["id"], turn["commands"][0], version=turn["version"])
            with pytest.raises(VersionMismatch):
                await client.give(game["id"], turn["commands"][0], version=turn["version"])
            await client.resign(game["id"])
            events = [event async for event in client.follow(game["id"])]
            return events, (await client.audit(game["id"]))["verdict"]

    events, verdict = asyncio.run(play())
    assert [event["version"] for event in events] == list(range(1, len(events) + 1))
    assert verdict == "verified"
