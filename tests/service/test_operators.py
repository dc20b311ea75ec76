"""What operators do, and what is noted of it."""

import logging
from collections.abc import Callable

import pytest
from freezegun import freeze_time

from service.tokens import Blocked, Tokens
from tests.service.client import Client, House, Seat, problem


@pytest.fixture
def olga(house: House) -> Client:
    """An operator, as the command line makes one."""
    made = house.services.accounts.register("Olga", ("admin",))
    client = Client(house, made.token)
    client.id, client.name = made.player.id, made.player.name
    return client


@pytest.fixture
def noted(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    """The lines that were noted of what operators did."""
    caplog.set_level(logging.INFO, "service.operators")
    return lambda: [record.getMessage() for record in caplog.records if record.name == "service.operators"]


class TestClosing:
    def test_ends_a_game_as_it_stands_and_says_so_in_its_log(
        self, olga: Client, ada: Client, noted: Callable[[], list[str]]
    ) -> None:
        game = ada.create()
        game.do("add", {"points": 1})
        response = olga.call("POST", f"/v1/admin/games/{game.game}/close", headers={"X-Request-Id": "r1"})
        assert response.status_code == 200
        assert response.json is not None
        assert (response.json["status"], response.json["result"]) == ("abandoned", None)
        closed, opened = game.see("events")["items"][-2:]
        assert (closed["type"], closed["data"], closed["actor"]) == (
            "table.game_abandoned",
            {"reason": "closed"},
            "system",
        )
        assert opened["type"] == "table.seed_revealed"
        assert game.see("audit")["verdict"] == "verified"
        problem(game.give("add", {"points": 1}), 409, "game-not-active")
        assert noted() == [f"operator={olga.id} action=close game={game.game} request=r1"]

    def test_ends_games_that_have_not_begun_and_private_ones(self, olga: Client, ada: Client) -> None:
        game = ada.create(seats="mo", visibility="private")
        assert olga.call("POST", f"/v1/admin/games/{game.game}/close").status_code == 200
        assert game.now["status"] == "abandoned"

    def test_ends_no_game_twice(self, olga: Client, ada: Client) -> None:
        game = ada.create()
        game.do("finish")
        problem(olga.call("POST", f"/v1/admin/games/{game.game}/close"), 409, "game-not-active")
        problem(olga.call("POST", f"/v1/admin/games/{'0' * 24}/close"), 404, "not-found")


class TestBlocking:
    def block(self, olga: Client, player: Client, method: str = "PUT") -> None:
        response = olga.call(method, f"/v1/admin/players/{player.id}/block", headers={"X-Request-Id": "r1"})
        assert response.status_code == 204, response.data

    def test_voids_all_tokens_until_it_is_taken_back(
        self, olga: Client, ada: Client, bob: Client, noted: Callable[[], list[str]]
    ) -> None:
        game = ada.create()
        self.block(olga, ada)
        for path in ("/v1/players/me", "/v1/games", game.path, "/v1/tokens"):
            problem(ada.get(path), 403, "blocked")
        problem(game.give("add", {"points": 1}), 403, "blocked")
        assert bob.see(game.path)["seats"][0]["player"]["name"] == "Ada"
        self.block(olga, ada, "DELETE")
        game.do("add", {"points": 1})
        assert noted() == [
            f"operator={olga.id} action={action} player={ada.id} request=r1" for action in ("block", "unblock")
        ]

    def test_voids_stream_tokens_and_the_recovery_code(self, olga: Client, visitor: Client) -> None:
        made = visitor.post("/v1/players", {"name": "Eve"}).json
        assert made is not None
        eve = Client(visitor.house, made["token"])
        eve.id = made["player"]["id"]
        game = eve.create()
        stream = eve.post("/v1/stream-tokens", {}).json
        assert stream is not None
        self.block(olga, eve)
        address = f"{game.path}/events?access_token={stream['token']}"
        problem(visitor.get(address, Accept="text/event-stream"), 403, "blocked")
        problem(visitor.post("/v1/tokens/recover", {"recovery": made["recovery"]}), 403, "blocked")

    def test_is_known_to_all_processes_within_seconds(self, house: House, olga: Client, ada: Client) -> None:
        with freeze_time() as now:
            elsewhere = Tokens(house.services.store)
            assert elsewhere.principal(ada.token or "") is not None
            self.block(olga, ada)
            now.tick(5)
            with pytest.raises(Blocked):
                elsewhere.principal(ada.token or "")

    def test_needs_a_player_that_there_is(self, olga: Client) -> None:
        for method in ("PUT", "DELETE"):
            problem(olga.call(method, f"/v1/admin/players/{'0' * 24}/block"), 404, "not-found")


class TestRegistration:
    def test_is_closed_and_opened(self, olga: Client, visitor: Client, noted: Callable[[], list[str]]) -> None:
        assert olga.see("/v1/admin/registration") == {"open": True}
        for is_open in (False, True):
            response = olga.call("PUT", "/v1/admin/registration", {"open": is_open}, headers={"X-Request-Id": "r1"})
            assert response.json == {"open": is_open} == olga.see("/v1/admin/registration")
            answer = visitor.post("/v1/players", {"name": "Ada"})
            if is_open:
                assert answer.status_code == 201
            else:
                problem(answer, 403, "registration-closed")
        assert noted() == [
            f"operator={olga.id} action={action} - request=r1" for action in ("close-registration", "open-registration")
        ]

    def test_takes_true_or_false(self, olga: Client) -> None:
        for body in ({}, {"open": "no"}, {"open": None}, {"closed": True}):
            problem(olga.call("PUT", "/v1/admin/registration", body), 400, "malformed-request")


class TestRights:
    def test_nobody_else_operates(self, ada: Client, visitor: Client, noted: Callable[[], list[str]]) -> None:
        game = ada.create()
        asked = [
            ("POST", f"/v1/admin/games/{game.game}/close", None),
            ("PUT", f"/v1/admin/players/{ada.id}/block", None),
            ("DELETE", f"/v1/admin/players/{ada.id}/block", None),
            ("GET", "/v1/admin/registration", None),
            ("PUT", "/v1/admin/registration", {"open": False}),
        ]
        for method, path, body in asked:
            refused = ada.call(method, path, body)
            problem(refused, 403, "insufficient-scope")
            assert 'scope="admin"' in refused.headers["WWW-Authenticate"]
            problem(visitor.call(method, path, body), 401, "unauthenticated")
        assert game.now["status"] == "active"
        assert noted() == []

    def test_an_operator_makes_tokens_for_other_operators_and_plays_with_none(self, olga: Client, ada: Client) -> None:
        made = olga.post("/v1/tokens", {"name": "second", "scopes": ["admin"]}).json
        assert made is not None
        assert Client(olga.house, made["token"]).see("/v1/admin/registration") == {"open": True}
        game = ada.create(seats="mo")
        problem(Seat(olga, game.game).give("join_game", {"seat": 1}), 403, "insufficient-scope")
