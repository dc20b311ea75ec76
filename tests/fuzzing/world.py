"""A running service with something in it to be asked about: players, and a game of each ruleset in each status."""

import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Struct

from domain.catalogue import GAMES
from tests.service.outsider import Outsider


class World(Struct):
    """What there is: tokens by who has them, ids of games by status and of tokens and players by chance."""

    base: str
    tokens: dict[str, str]
    games: dict[str, list[str]]
    players: list[str]

    def every_game(self) -> list[str]:
        return [game for games in self.games.values() for game in games]


def made(base: str, data: Path) -> World:
    """Fill the service at `base`, whose data lie in the folder `data`."""
    ada, bob, eve = (Outsider.registered(base, name) for name in ("Ada", "Bob", "Eve"))
    games: dict[str, list[str]] = {"open": [], "active": [], "finished": []}
    for ruleset in GAMES:
        games["open"].append(_created(ada, ruleset, ["me", "open"], visibility="private"))
        games["active"].append(_created(ada, ruleset, ["me", "me"], undo="free"))
        games["finished"].append(_created(ada, ruleset, ["me", "open"]))
        over = f"/v1/games/{games['finished'][-1]}/commands"
        bob.call("POST", over, {"type": "join_game", "data": {"seat": 1}})
        bob.call("POST", over, {"type": "resign"})
        for game in games["active"]:
            _play(ada, f"/v1/games/{game}")
    tokens = {name: str(player.token) for name, player in {"ada": ada, "bob": bob, "eve": eve}.items()}
    tokens["admin"] = _operator(data)
    players = [Outsider(base, token).get("/v1/players/me")["player"]["id"] for token in list(tokens.values())[1:3]]
    return World(base, tokens, games, players)


def _created(player: Outsider, ruleset: str, kinds: list[str], **more: Any) -> str:
    reply = player.call("POST", "/v1/games", {"ruleset": ruleset, "seats": [{"kind": kind} for kind in kinds], **more})
    assert reply.status == 201, reply
    return str(reply.body["id"])


def _play(player: Outsider, path: str) -> None:
    for command in islice(_firsts(player, path), 8):
        assert player.call("POST", f"{path}/commands", command).status == 201


def _firsts(player: Outsider, path: str) -> Iterator[Any]:
    """The first of the legal commands, again and again."""
    while commands := player.get(f"{path}/legal-commands")["commands"]:
        yield commands[0]


def _operator(data: Path) -> str:
    command = [sys.executable, "-m", "service.cli", "admin-token"]
    environ = {**os.environ, "ANNALES_DATA": str(data)}
    return subprocess.run(command, env=environ, check=True, capture_output=True, text=True).stdout.strip()
