"""Tokens over REST: what each may do, and how it ends."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest
from freezegun import freeze_time
from werkzeug.test import TestResponse

from service.tokens import MOST_STREAM_TOKENS, MOST_TOKENS, Tokens
from tests.service.client import Client, House, problem

LIVE = "text/event-stream"
MORNING = datetime(2026, 3, 1, 8, tzinfo=UTC)


def made(client: Client, **choices: Any) -> Any:
    """Another token of the client's player."""
    response = client.post("/v1/tokens", {"name": "another", **choices})
    assert response.status_code == 201, response.data
    assert response.headers["Cache-Control"] == "no-store"
    return response.json


def holding(client: Client, token: str) -> Client:
    """The same player, with that token."""
    other = Client(client.house, token)
    other.id, other.name = client.id, client.name
    return other


def reader(client: Client) -> Client:
    return holding(client, made(client, scopes=["read"])["token"])


def all_of(client: Client) -> list[Any]:
    items: list[Any] = client.see("/v1/tokens")["items"]
    return items


class TestMaking:
    def test_shows_the_token_once_and_lists_it_without(self, ada: Client) -> None:
        told = made(ada, name="bot host", scopes=["play"], expires_at="2999-12-31T23:59:59+01:00")
        assert told["info"]["name"] == "bot host"
        assert told["info"]["scopes"] == ["play"]
        assert told["info"]["expires_at"] == "2999-12-31T22:59:59.000Z"
        listed = ada.get("/v1/tokens")
        assert [each["name"] for each in all_of(ada)] == ["first", "bot host"]
        assert all_of(ada)[1] == {**told["info"], "last_used_on": None}
        assert told["token"].split("_", 3)[3] not in listed.text

    def test_makes_a_token_that_plays_and_does_not_expire_unless_told_otherwise(self, ada: Client) -> None:
        info = made(ada)["info"]
        assert (info["scopes"], info["expires_at"]) == (["play"], None)

    def test_tells_which_token_asks_and_on_which_day_each_was_used_last(self, ada: Client) -> None:
        with freeze_time(MORNING) as now:
            other = holding(ada, made(ada)["token"])
            other.create()
            now.tick(timedelta(days=2))
            ada.create()
            told = ada.see("/v1/tokens")
        days = {each["id"]: each["last_used_on"] for each in told["items"]}
        assert days[told["current"]] == "2026-03-03"
        assert set(days.values()) == {"2026-03-01", "2026-03-03"}

    @pytest.mark.parametrize(
        ("choices", "pointer"),
        [
            ({"name": ""}, "/name"),
            ({"name": "x" * 41}, "/name"),
            ({"name": "a\nb"}, "/name"),
            ({"scopes": []}, "/scopes"),
            ({"scopes": ["fly"]}, "/scopes/0"),
            ({"expires_at": "2020-01-01T00:00:00Z"}, "/expires_at"),
            ({"expires_at": "2999-01-01T00:00:00"}, "/expires_at"),
            ({"expires_at": "9999-12-31T23:59:59-12:00"}, "/expires_at"),
            ({"expires_at": "soon"}, "/expires_at"),
            ({"expires_at": 5}, "/expires_at"),
            ({"player": "ada"}, "/player"),
        ],
    )
    def test_refuses_what_is_malformed(self, ada: Client, choices: Any, pointer: str) -> None:
        told = problem(ada.post("/v1/tokens", {"name": "another", **choices}), 400, "malformed-request")
        assert told["pointer"] == pointer

    def test_needs_a_token_to_play_with(self, ada: Client, visitor: Client) -> None:
        for client, status, code in ((visitor, 401, "unauthenticated"), (reader(ada), 403, "insufficient-scope")):
            problem(client.post("/v1/tokens", {"name": "another", "scopes": ["read"]}), status, code)

    def test_makes_none_that_can_do_more(self, ada: Client) -> None:
        told = problem(ada.post("/v1/tokens", {"name": "x", "scopes": ["play", "admin"]}), 403, "insufficient-scope")
        assert told["pointer"] == "/scopes"

    def test_makes_none_that_lives_longer(self, ada: Client) -> None:
        short = holding(ada, made(ada, expires_at="2030-01-01T00:00:00Z")["token"])
        for later in (None, "2030-01-01T00:00:01Z"):
            body = {"name": "x", "expires_at": later}
            assert problem(short.post("/v1/tokens", body), 403, "insufficient-scope")["pointer"] == "/expires_at"
        assert made(short, expires_at="2029-12-31T00:00:00Z")["info"]["scopes"] == ["play"]

    def test_makes_only_so_many_of_which_expired_ones_count_no_longer(self, ada: Client) -> None:
        with freeze_time(MORNING) as now:
            made(ada, expires_at="2026-03-02T00:00:00Z")
            for _ in range(MOST_TOKENS - 2):
                made(ada)
            problem(ada.post("/v1/tokens", {"name": "one too many"}), 409, "too-many")
            now.tick(timedelta(days=1))
            made(ada)
            problem(ada.post("/v1/tokens", {"name": "one too many"}), 409, "too-many")


class TestScopes:
    def test_a_token_to_read_with_reads_what_its_player_may_see(self, ada: Client) -> None:
        game = ada.create(visibility="private", seats="mm")
        ours = reader(ada).at(game)
        assert ours.see("board")["viewer"] == 0
        assert ours.see("legal-commands")["commands"]
        assert ours.client.see("/v1/players/me")["player"]["id"] == ada.id

    def test_a_token_to_read_with_changes_nothing(self, ada: Client) -> None:
        game = ada.create()
        ours = reader(ada)
        refused: list[TestResponse] = [
            ours.at(game).give("add", {"points": 1}),
            ours.at(game).give("add", {"points": 1}, query="?dry_run=true"),
            ours.post("/v1/games", {"ruleset": "toy", "seats": [{"kind": "me"}, {"kind": "me"}]}),
            ours.post(f"{game.path}/forks", {"at": 3}),
            ours.call("POST", f"{game.path}/rematch"),
            ours.call("PATCH", "/v1/players/me", {"name": "Grace"}),
            ours.call("DELETE", "/v1/players/me"),
        ]
        for response in refused:
            told = problem(response, 403, "insufficient-scope")
            assert told["type"] == "/problems/insufficient-scope"
            assert 'scope="play"' in response.headers["WWW-Authenticate"]
        assert game.version == 3

    def test_a_token_to_play_with_operates_nothing(self, ada: Client) -> None:
        problem(ada.get("/v1/admin/registration"), 403, "insufficient-scope")


class TestEnding:
    def test_a_token_is_void_when_its_time_has_come(self, ada: Client) -> None:
        with freeze_time(MORNING) as now:
            ours = holding(ada, made(ada, expires_at="2026-03-01T08:00:03Z")["token"])
            ours.see("/v1/players/me")
            now.tick(3)
            problem(ours.get("/v1/players/me"), 401, "unauthenticated")
            assert len(all_of(ada)) == 1

    def test_a_token_that_was_revoked_is_void(self, ada: Client) -> None:
        told = made(ada)
        ours = holding(ada, told["token"])
        ours.see("/v1/players/me")
        assert ada.call("DELETE", f"/v1/tokens/{told['info']['id']}").status_code == 204
        problem(ours.get("/v1/players/me"), 401, "unauthenticated")
        assert [each["name"] for each in all_of(ada)] == ["first"]

    def test_another_process_goes_on_for_seconds_at_most_with_what_it_knows(self, house: House, ada: Client) -> None:
        told = made(ada)
        elsewhere = Tokens(house.services.store)
        with freeze_time(MORNING) as now:
            assert elsewhere.principal(told["token"]) is not None
            ada.call("DELETE", f"/v1/tokens/{told['info']['id']}")
            now.tick(5)
            assert elsewhere.principal(told["token"]) is None

    def test_any_token_may_revoke_itself_and_one_to_read_with_no_other(self, ada: Client) -> None:
        first, ours = all_of(ada)[0]["id"], reader(ada)
        problem(ours.call("DELETE", f"/v1/tokens/{first}"), 403, "insufficient-scope")
        current = ours.see("/v1/tokens")["current"]
        assert ours.call("DELETE", f"/v1/tokens/{current}").status_code == 204
        problem(ours.get("/v1/tokens"), 401, "unauthenticated")

    def test_nobody_revokes_the_token_of_another(self, ada: Client, bob: Client) -> None:
        theirs = all_of(bob)[0]["id"]
        problem(ada.call("DELETE", f"/v1/tokens/{theirs}"), 404, "not-found")
        problem(ada.call("POST", f"/v1/tokens/{theirs}/rotate"), 404, "not-found")
        assert len(all_of(bob)) == 1

    def test_a_rotated_token_goes_on_for_ten_minutes_beside_the_new_one(self, ada: Client) -> None:
        with freeze_time(MORNING) as now:
            told = made(ada, name="bot", scopes=["read"], expires_at="2026-03-02T00:00:00Z")
            response = ada.call("POST", f"/v1/tokens/{told['info']['id']}/rotate")
            assert (response.status_code, response.headers["Cache-Control"]) == (201, "no-store")
            assert response.json is not None
            new = response.json
            for part in ("name", "scopes", "expires_at"):
                assert new["info"][part] == told["info"][part]
            assert new["info"]["id"] != told["info"]["id"]
            old, fresh = holding(ada, told["token"]), holding(ada, new["token"])
            now.tick(timedelta(minutes=10) - timedelta(milliseconds=1))
            old.see("/v1/players/me")
            now.tick(timedelta(milliseconds=1))
            problem(old.get("/v1/players/me"), 401, "unauthenticated")
            fresh.see("/v1/players/me")

    def test_rotating_prolongs_no_token(self, ada: Client) -> None:
        with freeze_time(MORNING) as now:
            told = made(ada, expires_at="2026-03-01T08:01:00Z")
            new = ada.call("POST", f"/v1/tokens/{told['info']['id']}/rotate").json
            assert new is not None
            now.tick(60)
            for token in (told["token"], new["token"]):
                problem(holding(ada, token).get("/v1/players/me"), 401, "unauthenticated")

    @pytest.mark.parametrize("change", [lambda t: t[:-1] + ("a" if t[-1] != "a" else "b"), lambda t: t + "x"])
    def test_a_token_with_another_secret_is_none(self, ada: Client, change: Any) -> None:
        problem(holding(ada, change(ada.token)).get("/v1/players/me"), 401, "unauthenticated")


class TestRecovery:
    def registered(self, visitor: Client) -> Any:
        told = visitor.post("/v1/players", {"name": "Ada"}).json
        assert told is not None
        return told

    def test_gives_a_new_token_and_a_new_code_and_the_old_code_is_void(self, visitor: Client) -> None:
        lost = self.registered(visitor)
        response = visitor.post("/v1/tokens/recover", {"recovery": lost["recovery"]})
        assert (response.status_code, response.headers["Cache-Control"]) == (201, "no-store")
        assert response.json is not None
        found = response.json
        assert found["player"] == lost["player"]
        for token in (found["token"], lost["token"]):
            assert Client(visitor.house, token).see("/v1/players/me")["player"] == lost["player"]
        problem(visitor.post("/v1/tokens/recover", {"recovery": lost["recovery"]}), 401, "unauthenticated")
        assert visitor.post("/v1/tokens/recover", {"recovery": found["recovery"]}).status_code == 201

    def test_withdraws_the_older_tokens_on_request(self, visitor: Client) -> None:
        lost = self.registered(visitor)
        found = visitor.post("/v1/tokens/recover", {"recovery": lost["recovery"], "revoke": True}).json
        assert found is not None
        problem(Client(visitor.house, lost["token"]).get("/v1/players/me"), 401, "unauthenticated")
        assert [each["name"] for each in all_of(Client(visitor.house, found["token"]))] == ["recovered"]

    def test_needs_the_very_code(self, visitor: Client, ada: Client) -> None:
        code = self.registered(visitor)["recovery"]
        for wrong in (
            "nonsense",
            code[:-3] + "xyz",
            code.replace("recovery_", "annales_"),
            f"recovery_{ada.id}_x",
            "é_a_b",
        ):
            response = visitor.post("/v1/tokens/recover", {"recovery": wrong})
            problem(response, 401, "unauthenticated")
            assert "WWW-Authenticate" in response.headers
        problem(visitor.post("/v1/tokens/recover", {"recovery": code, "revoke": "yes"}), 400, "malformed-request")

    def test_is_stored_as_a_digest(self, house: House, visitor: Client) -> None:
        secret = self.registered(visitor)["recovery"].split("_", 2)[2]
        store = house.services.store.client
        kept = b"".join(key + repr(store.hgetall(key)).encode() for key in store.scan_iter("*player*"))
        assert secret.encode() not in kept


class TestStreamTokens:
    def made(self, client: Client, game: str | None = None) -> Any:
        response = client.post("/v1/stream-tokens", {"game": game} if game else {})
        assert response.status_code == 201, response.data
        assert response.headers["Cache-Control"] == "no-store"
        return response.json

    def test_open_the_streams_that_their_player_may_read(self, ada: Client, visitor: Client) -> None:
        game = ada.create(visibility="private")
        token = self.made(reader(ada))["token"]
        for accept in (LIVE, "application/x-ndjson"):
            response = visitor.get(f"{game.path}/events?access_token={token}&limit=3", Accept=accept)
            assert response.status_code == 200
            assert b"toy.set_up" in response.data

    def test_are_good_for_twelve_hours(self, ada: Client, visitor: Client) -> None:
        game = ada.create(visibility="private")
        with freeze_time(MORNING) as now:
            told = self.made(ada)
            assert told["expires_at"] == "2026-03-01T20:00:00.000Z"
            address = f"{game.path}/events?access_token={told['token']}&limit=1"
            now.tick(timedelta(hours=12) - timedelta(seconds=1))
            assert visitor.get(address, Accept=LIVE).status_code == 200
            now.tick(2)
            problem(visitor.get(address, Accept=LIVE), 401, "unauthenticated")

    def test_live_no_longer_than_the_token_that_made_them(self, ada: Client, visitor: Client) -> None:
        game = ada.create(visibility="private")
        with freeze_time(MORNING):
            brief = made(ada, expires_at="2026-03-01T09:00:00Z")
            told = self.made(holding(ada, brief["token"]))
            assert told["expires_at"] == "2026-03-01T09:00:00.000Z"
            ada.call("DELETE", f"/v1/tokens/{brief['info']['id']}")
            response = visitor.get(f"{game.path}/events?access_token={told['token']}", Accept=LIVE)
            problem(response, 401, "unauthenticated")

    def test_are_good_for_nothing_else(self, ada: Client, visitor: Client) -> None:
        game = ada.create(visibility="private")
        token = self.made(ada)["token"]
        told = problem(visitor.get(f"{game.path}/events?access_token={token}"), 400, "malformed-request")
        assert told["parameter"] == "access_token"
        told = problem(visitor.get(f"{game.path}/board?access_token={token}"), 400, "malformed-request")
        assert told["parameter"] == "access_token"
        problem(holding(ada, token).get("/v1/players/me"), 401, "unauthenticated")

    def test_are_not_sent_beside_another_token(self, ada: Client) -> None:
        game = ada.create()
        token = self.made(ada)["token"]
        problem(ada.get(f"{game.path}/events?access_token={token}", Accept=LIVE), 401, "unauthenticated")

    def test_may_be_for_one_game_alone(self, ada: Client, bob: Client, visitor: Client) -> None:
        game, other, private = ada.create(), ada.create(), bob.create(visibility="private")
        token = self.made(ada, game.game)["token"]
        query = f"/events?access_token={token}&limit=1"
        assert visitor.get(game.path + query, Accept=LIVE).status_code == 200
        problem(visitor.get(other.path + query, Accept=LIVE), 401, "unauthenticated")
        problem(ada.post("/v1/stream-tokens", {"game": private.game}), 404, "not-found")

    @pytest.mark.parametrize("token", ["x", "stream_a_b_c", "annales_a_b_c", "stream_a", ""])
    def test_a_bad_one_is_refused(self, ada: Client, visitor: Client, token: str) -> None:
        game = ada.create()
        problem(visitor.get(f"{game.path}/events?access_token={token}", Accept=LIVE), 401, "unauthenticated")

    def test_the_oldest_makes_room_for_the_newest(self, ada: Client, visitor: Client) -> None:
        game = ada.create()
        tokens = [self.made(ada)["token"] for _ in range(MOST_STREAM_TOKENS + 1)]

        def answered(token: str) -> int:
            return visitor.get(f"{game.path}/events?access_token={token}&limit=1", Accept=LIVE).status_code

        assert [answered(token) for token in (tokens[0], tokens[1], tokens[-1])] == [401, 200, 200]

    def test_are_void_when_the_token_that_made_them_is_changed_for_another(self, ada: Client, visitor: Client) -> None:
        game = ada.create()
        with freeze_time(MORNING) as now:
            told = made(ada)
            address = f"{game.path}/events?access_token={self.made(holding(ada, told['token']))['token']}&limit=1"
            ada.call("POST", f"/v1/tokens/{told['info']['id']}/rotate")
            assert visitor.get(address, Accept=LIVE).status_code == 200
            now.tick(timedelta(minutes=10))
            problem(visitor.get(address, Accept=LIVE), 401, "unauthenticated")

    @pytest.mark.parametrize("by_address", [True, False])
    def test_a_stream_ends_before_it_tells_a_secret_when_its_token_is_revoked(
        self, ada: Client, visitor: Client, by_address: bool
    ) -> None:
        game = ada.create(seats="mm")
        told = made(ada)
        ours = holding(ada, told["token"])
        if by_address:
            query, client = f"&access_token={self.made(ours)['token']}", visitor
        else:
            query, client = "", ours
        headers = {"Accept": LIVE}
        stream = client.call("GET", f"{game.path}/events?after=3{query}", headers=headers, buffered=False)
        chunks = iter(cast("Iterable[bytes]", stream.response))
        assert next(chunks).startswith(b"retry:")
        game.do("add", {"points": 1})
        assert b"toy.added" in next(chunks)
        ada.call("DELETE", f"/v1/tokens/{told['info']['id']}")
        game.do("peek")
        assert list(chunks) == []
        stream.close()

    def test_go_with_their_player(self, ada: Client, visitor: Client) -> None:
        game = ada.create()
        token = self.made(ada)["token"]
        ada.call("DELETE", "/v1/players/me")
        problem(visitor.get(f"{game.path}/events?access_token={token}", Accept=LIVE), 401, "unauthenticated")
