"""A client of the service that checks every answer against the contract."""

from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from events.draft import Session
from service.services import NAME, Services
from tests.service.contract import Contract
from workers.steps import take_bot_turn


class House:
    """The service under test: its parts, and what its workers and followers would do."""

    def __init__(self, app: Flask, contract: Contract) -> None:
        self.app = app
        self.contract = contract
        self.services: Services = app.extensions[NAME]

    def visitor(self) -> "Client":
        """Somebody without a token."""
        return Client(self, None)

    def player(self, name: str = "Ada") -> "Client":
        """A new player."""
        made = self.visitor().post("/v1/players", {"name": name}).json
        assert made is not None
        client = Client(self, made["token"])
        client.id, client.name = made["player"]["id"], made["player"]["name"]
        return client

    def session(self, game: str) -> Session:
        return self.services.sessions.load(game)

    def do_owed(self, game: str) -> None:
        """All steps that the service owes in a game: scoring and the turns of bots."""
        for _ in range(1000):
            session = self.session(game)
            match session.pending:
                case "scoring":
                    assert self.services.sessions.take_owed(game, session.version)
                case "bot":
                    assert take_bot_turn(self.services.sessions, game, session.version, fallback=True)
                case _:
                    return
        raise AssertionError("the service owes a step without end")

    def project(self) -> None:
        """Bring the lists of games, the log of finished ones, and the streams of players up to date."""
        for projection in (self.services.lobby, self.services.log, self.services.notices):
            for partition in projection.feed.partitions:
                while entries := projection.feed.read({partition: projection.checkpoint(partition)}).get(partition):
                    projection.take(partition, entries, projection.checkpoint(partition))


class Client:
    """One who calls the service; `id` and `name` are those of the player."""

    id: str
    name: str

    def __init__(self, house: House, token: str | None) -> None:
        self.house = house
        self.token = token
        self._client: FlaskClient = house.app.test_client()

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        raw: bytes | None = None,
        headers: dict[str, str] | None = None,
        buffered: bool = True,
    ) -> TestResponse:
        """One request; its answer is one that the contract allows."""
        sent = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if raw is not None:
            sent["Content-Type"] = "application/json"
        response = self._client.open(
            path, method=method, json=body, data=raw, headers={**sent, **(headers or {})}, buffered=buffered
        )
        self.house.contract.check(method, path, response)
        return response

    def get(self, path: str, **headers: str) -> TestResponse:
        return self.call("GET", path, headers=_named(headers))

    def post(self, path: str, body: Any, **headers: str) -> TestResponse:
        return self.call("POST", path, body, headers=_named(headers))

    def see(self, path: str) -> Any:
        """What is there."""
        response = self.get(path)
        assert response.status_code == 200, response.data
        return response.json

    def create(self, ruleset: str = "toy", seats: Any = "mm", **more: Any) -> "Seat":
        """A game: each letter of `seats` is a seat of mine, an open one, or a bot's."""
        kinds = {"m": {"kind": "me"}, "o": {"kind": "open"}, "b": {"kind": "bot", "bot": "random"}}
        body = {"ruleset": ruleset, "seats": [kinds[letter] for letter in seats], **more}
        response = self.post("/v1/games", body)
        assert response.status_code == 201, response.data
        assert response.json is not None
        return Seat(self, response.json["id"])

    def at(self, seat: "Seat") -> "Seat":
        """The same game, as this client sees it."""
        return Seat(self, seat.game)


class Seat:
    """A game as one client sees it."""

    def __init__(self, client: Client, game: str) -> None:
        self.client = client
        self.game = game
        self.path = f"/v1/games/{game}"

    @property
    def now(self) -> Any:
        """The resource of the game."""
        return self.client.see(self.path)

    @property
    def version(self) -> int:
        return int(self.now["version"])

    def see(self, part: str) -> Any:
        """A part of the game: `board`, `events?after=3`."""
        return self.client.see(f"{self.path}/{part}")

    def get(self, part: str, **headers: str) -> TestResponse:
        return self.client.get(f"{self.path}/{part}", **headers)

    def give(
        self, kind: str, data: Any = None, seat: int | None = None, *, query: str = "", **headers: str
    ) -> TestResponse:
        """Give a command."""
        body = {"type": kind, "data": data or {}, **({} if seat is None else {"seat": seat})}
        return self.client.post(f"{self.path}/commands{query}", body, **headers)

    def do(self, kind: str, data: Any = None, seat: int | None = None, **headers: str) -> Any:
        """Give a command that is accepted; its answer."""
        response = self.give(kind, data, seat, **headers)
        assert response.status_code == 201, response.data
        return response.json

    def give_all(self, *commands: Any, query: str = "", **headers: str) -> TestResponse:
        """Give a batch."""
        return self.client.post(f"{self.path}/commands{query}", {"commands": list(commands)}, **headers)


def _named(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


def problem(response: TestResponse, status: int, code: str) -> Any:
    """The problem that an answer tells, which must be this one."""
    assert response.status_code == status, response.data
    assert response.mimetype == "application/problem+json"
    assert response.json is not None
    assert response.json["code"] == code, response.json
    return response.json
