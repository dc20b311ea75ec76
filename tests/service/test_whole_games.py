"""Whole games as outsiders play them: over HTTP, with what legal-commands lists, and everything that must hold on the way."""

import random
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from werkzeug.serving import make_server

from domain.catalogue import GAMES
from events import audit
from events.envelope import GENESIS
from tests.service.client import House
from tests.service.outsider import Outsider

MOST_STEPS = 3000


@pytest.fixture
def base(house: House) -> Iterator[str]:
    """The address of a server that runs the app."""
    server = make_server("127.0.0.1", 0, house.app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.port}"
    server.shutdown()
    thread.join()
    server.server_close()


class Table:
    """Outsiders at one table; the service's own steps are done as its workers would."""

    def __init__(self, house: House, base: str, ruleset: str, players: int, bots: int, seed: int) -> None:
        self.house = house
        self.rng = random.Random(seed)
        self.hosts = [Outsider.registered(base, f"host {number}") for number in range(players)]
        self.visitor = Outsider(base)
        seats = [{"kind": "me"}, *[{"kind": "open"}] * (players - 1), *[{"kind": "bot", "bot": "random"}] * bots]
        made = self.hosts[0].call("POST", "/v1/games", {"ruleset": ruleset, "seats": seats, "undo": "free"})
        assert made.status == 201, made
        self.id = made.body["id"]
        self.path = f"/v1/games/{self.id}"
        for seat in range(1, players):
            self.give(self.hosts[seat], {"type": "join_game", "data": {"seat": seat}})
        self.boards: dict[tuple[int, int], Any] = {}

    def give(self, host: Outsider, body: Any, **headers: str) -> Any:
        reply = host.call("POST", f"{self.path}/commands", body, **headers)
        assert reply.status == 201, (body, reply)
        return reply.body

    def play(self) -> dict[str, Any]:
        for step in range(MOST_STEPS):
            self.house.do_owed(self.id)
            game: dict[str, Any] = self.visitor.get(self.path)
            if game["status"] == "finished":
                return game
            self.take_turn(game, step)
        raise AssertionError("the game does not end")

    def take_turn(self, game: dict[str, Any], step: int) -> None:
        seat = game["to_act"][0]
        host = self.hosts[seat]
        legal = host.get(f"{self.path}/legal-commands")
        assert (legal["version"], legal["seat"]) == (game["version"], seat)
        command = {**self.rng.choice(legal["commands"]), "seat": seat}
        headers = {"Idempotency_Key": f"step {step}", "If_Match": f'"{game["version"]}"'}
        before = host.get(f"{self.path}/board")
        done = self.give(host, command, **headers)
        versions = [event["version"] for event in done["events"]]
        assert versions == list(range(game["version"] + 1, done["version"] + 1))
        match step % 7:
            case 0:
                assert self.give(host, command, **headers) == done
            case 1:
                stale = host.call("POST", f"{self.path}/commands", command, If_Match='"1"')
                assert (stale.status, stale.body["code"]) == (412, "version-mismatch")
            case 2:
                self.look_back(host, seat, done["version"])
            case 3:
                self.undo_and_redo(host, seat, before, done["version"])

    def look_back(self, host: Outsider, seat: int, version: int) -> None:
        at = self.rng.randint(1, version)
        board = host.get(f"{self.path}/board?at={at}")["board"]
        assert self.boards.setdefault((seat, at), board) == board

    def undo_and_redo(self, host: Outsider, seat: int, before: dict[str, Any], version: int) -> None:
        now = host.get(f"{self.path}/board")
        if now["version"] != version or not now["undo"]["allowed"] or now["undo"]["needs"]:
            return
        undo = {"type": "request_undo", "data": {"to_version": now["undo"]["to_version"]}, "seat": seat}
        self.give(host, undo)
        undone = host.get(f"{self.path}/board")
        if now["undo"]["to_version"] == before["version"]:
            assert undone["board"] == before["board"]
        self.give(host, {"type": "redo", "seat": seat})
        assert host.get(f"{self.path}/board")["board"] == now["board"]


@pytest.mark.parametrize("ruleset", GAMES)
@pytest.mark.parametrize(("players", "bots"), [(2, 0), (1, 2)])
def test_outsiders_play_to_the_end(house: House, base: str, ruleset: str, players: int, bots: int) -> None:
    table = Table(house, base, ruleset, players, bots, seed=players)
    game = table.play()
    assert len(game["result"]["scores"]) == players + bots
    assert game["result"]["ranking"][0] == game["result"]["winners"]

    visitor, path = table.visitor, table.path
    export = visitor.call("GET", f"{path}/export")
    events = visitor.get(f"{path}/events?limit=1000")["items"]
    assert [event["version"] for event in events] == list(range(1, game["version"] + 1))
    for earlier, later in zip([{"digest": GENESIS}, *events], events, strict=False):
        assert later["prev"] == earlier["digest"]
    assert all("data" in part for event in events for part in event["private"])
    streamed = list(visitor.stream(f"{path}/events"))
    assert [event["data"].encode() for event in streamed] == export.raw.splitlines()[1:]
    assert [(int(event["id"]), event["event"]) for event in streamed] == [
        (event["version"], event["type"]) for event in events
    ]
    done = visitor.call("GET", f"{path}/events?after={game['version']}", Accept="text/event-stream")
    assert (done.status, done.raw) == (204, b"")
    report = visitor.get(f"{path}/audit")
    assert (report["verdict"], report["head"]) == ("verified", events[-1]["digest"]), report
    assert audit.verify_export(export.raw, house.services.rulesets).verdict == "verified"


def test_a_stream_over_http_goes_on_where_it_broke_off(house: House, base: str) -> None:
    table = Table(house, base, "kreta", 1, 1, seed=1)
    heard = []
    stream = table.visitor.stream(f"{table.path}/events")
    for event in stream:
        heard.append(event)
        if len(heard) == 2:
            stream.close()
    player = threading.Thread(target=table.play)
    player.start()
    heard += table.visitor.stream(f"{table.path}/events", Last_Event_ID=heard[-1]["id"])
    player.join()
    assert [int(event["id"]) for event in heard] == list(range(1, len(heard) + 1))
    assert heard[-1]["event"] == "table.seed_revealed"
