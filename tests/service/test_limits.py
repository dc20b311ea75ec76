"""Budgets: how much a caller may ask for in a minute, and what they are told of it."""

import logging
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from threading import get_ident
from typing import Any

import pytest
import redis
from freezegun import freeze_time
from redis.backoff import NoBackoff
from redis.connection import AbstractConnection
from redis.retry import Retry

from domain.catalogue import GAMES
from events.settings import Settings
from service.app import create_app
from service.limits import Limits, RateLimited
from service.metering import COSTS, REFUSED_COST
from service.services import NAME
from tests.service.client import Client, House, problem
from tests.service.contract import Contract
from tests.support.toy import TOY

MORNING = datetime(2026, 3, 1, 8, tzinfo=UTC)
MakeHouse = Callable[..., House]


@pytest.fixture
def strict(house: House, contract: Contract) -> Iterator[MakeHouse]:
    """Makes a service with small budgets, on the store of `house`."""
    apps = []

    def made(**budgets: Any) -> House:
        usual = house.services.settings
        settings = Settings(redis_url=usual.redis_url, keys=usual.keys, **budgets)
        apps.append(create_app(settings, [TOY, *GAMES.values()]))
        return House(apps[-1], contract)

    yield made
    for app in apps:
        app.extensions[NAME].wakeups.stop()


@pytest.fixture(autouse=True)
def morning() -> Iterator[Any]:
    """A whole minute lies ahead."""
    with freeze_time(MORNING) as now:
        yield now


def told(response: Any) -> tuple[str, str]:
    return response.headers["RateLimit-Policy"], response.headers["RateLimit"]


def limits_of(house: House) -> Limits:
    """What another process would have."""
    services = house.services
    return Limits(services.store.client, services.store.keys, services.settings)


def test_every_answer_tells_what_there_is_and_what_is_left(strict: MakeHouse, morning: Any) -> None:
    ada = strict(reads_per_minute=100, commands_per_minute=200).player()
    morning.tick(18)
    assert told(ada.get("/v1/players/me")) == ('"reads";q=100;w=60', '"reads";r=99;t=42')
    assert told(ada.get("/v1/players/me")) == ('"reads";q=100;w=60', '"reads";r=98;t=42')
    game = ada.create()
    assert told(game.give("add", {"points": 1})) == ('"commands";q=200;w=60', '"commands";r=189;t=42')


def test_the_usual_budgets_are_ample(strict: MakeHouse) -> None:
    ada = strict().player()
    assert told(ada.get("/v1/games"))[0] == '"reads";q=30000;w=60'
    assert told(ada.post("/v1/games", {}))[0] == '"commands";q=12000;w=60'
    assert told(ada.post("/v1/players", {"name": "Bob"}))[0] == '"registrations";q=60;w=60'


def test_a_used_up_budget_refuses_with_how_long_to_wait_and_a_minute_later_there_is_a_new_one(
    strict: MakeHouse, morning: Any
) -> None:
    ada = strict(reads_per_minute=3).player()
    for _ in range(3):
        ada.see("/v1/players/me")
    morning.tick(20)
    response = ada.get("/v1/players/me")
    refused = problem(response, 429, "rate-limited")
    assert refused["type"] == "/problems/rate-limited"
    assert (response.headers["Retry-After"], response.headers["RateLimit"]) == ("40", '"reads";r=0;t=40')
    morning.tick(40)
    ada.see("/v1/players/me")


def test_a_refused_request_does_nothing(strict: MakeHouse) -> None:
    ada = strict(commands_per_minute=12).player()
    game = ada.create()
    for _ in range(2):
        game.do("add", {"points": 1})
    before = game.version
    problem(game.give("add", {"points": 1}), 429, "rate-limited")
    assert game.version == before


def test_from_one_address_sixty_players_a_minute_register(strict: MakeHouse) -> None:
    visitor = strict().visitor()
    for number in range(60):
        assert visitor.post("/v1/players", {"name": f"Player {number}"}).status_code == 201
    problem(visitor.post("/v1/players", {"name": "One more"}), 429, "rate-limited")


def test_the_address_of_a_player_is_that_which_a_trusted_proxy_tells(strict: MakeHouse) -> None:
    visitor = strict(registrations_per_minute=1, trusted_hops=1).visitor()

    def registered(address: str) -> int:
        headers = {"X-Forwarded-For": address}
        return visitor.call("POST", "/v1/players", {"name": "Ada"}, headers=headers).status_code

    assert [registered("192.0.2.1"), registered("192.0.2.2"), registered("192.0.2.1")] == [201, 201, 429]


def test_each_player_has_a_budget_and_who_has_no_token_that_of_the_address(strict: MakeHouse) -> None:
    house = strict(reads_per_minute=1)
    ada, bob, visitor = house.player(), house.player(), house.visitor()
    for client in (ada, bob, visitor):
        assert client.get("/v1/games").status_code == 200
        problem(client.get("/v1/games"), 429, "rate-limited")


def test_all_tokens_of_a_player_have_one_budget(strict: MakeHouse) -> None:
    ada = strict(reads_per_minute=1, commands_per_minute=100).player()
    second = ada.post("/v1/tokens", {"name": "second"}).json
    assert second is not None
    ada.see("/v1/games")
    problem(Client(ada.house, second["token"]).get("/v1/games"), 429, "rate-limited")


def test_what_is_dear_costs_more(strict: MakeHouse) -> None:
    ada = strict(reads_per_minute=1000, commands_per_minute=1000).player()
    game = ada.create()
    game.do("finish")
    export = game.get("export")
    assert told(export)[1] == '"reads";r=980;t=60'
    assert told(game.get("audit"))[1] == '"reads";r=960;t=60'
    lines = {"Content-Type": "application/x-ndjson"}
    copied = ada.call("POST", "/v1/games/import", raw=export.data, headers=lines)
    assert told(copied)[1] == '"commands";r=889;t=60'
    assert told(ada.post(f"{game.path}/forks", {"at": 3}))[1] == '"commands";r=879;t=60'


def test_a_refused_command_costs_five_times_an_accepted_one(strict: MakeHouse) -> None:
    ada = strict(commands_per_minute=100).player()
    game = ada.create()
    problem(game.give("add", {"points": 6}), 422, "too_much")
    assert told(game.give("add", {"points": 1}))[1] == f'"commands";r={100 - 10 - 1 - REFUSED_COST - 1};t=60'


def test_a_bad_token_is_refused_before_any_budget_is(strict: MakeHouse) -> None:
    stranger = Client(strict(reads_per_minute=1), "annales_a_b_c")
    for _ in range(3):
        response = stranger.get("/v1/games")
        problem(response, 401, "unauthenticated")
        assert "RateLimit" not in response.headers


def test_zero_means_any_number(strict: MakeHouse) -> None:
    ada = strict(reads_per_minute=0, commands_per_minute=0, registrations_per_minute=0).player()
    response = ada.get("/v1/games")
    assert response.status_code == 200
    assert "RateLimit" not in response.headers


def test_what_is_no_part_of_the_api_has_no_limit(strict: MakeHouse) -> None:
    visitor = strict(reads_per_minute=1).visitor()
    for _ in range(3):
        assert visitor.get("/healthz").status_code == 200
        assert visitor.get("/problems").status_code == 200


def test_every_route_that_has_a_cost_of_its_own_exists(house: House) -> None:
    assert COSTS.keys() <= {rule.endpoint for rule in house.app.url_map.iter_rules()}


def test_processes_count_together_and_overdraw_by_a_slice_each_at_most(strict: MakeHouse) -> None:
    house = strict(reads_per_minute=100)
    processes = [limits_of(house) for _ in range(4)]
    granted = 0
    while True:
        try:
            processes[granted % 4].spend("reads", "ada", 1)
        except RateLimited:
            break
        granted += 1
    assert 100 <= granted <= 100 + 4 * 5


def test_few_requests_ask_the_store(strict: MakeHouse) -> None:
    house = strict(reads_per_minute=100)
    limits, client = limits_of(house), house.services.store.client
    for _ in range(4):
        limits.spend("reads", "ada", 1)
    assert not list(client.scan_iter("*spent*"))
    limits.spend("reads", "ada", 1)
    (key,) = client.scan_iter("*spent*")
    assert client.get(key) == b"5"
    assert 0 < client.ttl(key) <= 120


def test_a_board_is_one_round_trip_and_a_command_two(ada: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    game = ada.create()
    for _ in range(2):
        game.do("add", {"points": 1})
        game.see("board")
    asked, ours = [], get_ident()
    send: Any = AbstractConnection.send_packed_command

    def counted(connection: Any, *arguments: Any, **options: Any) -> Any:
        if get_ident() == ours:
            asked.append(arguments)
        return send(connection, *arguments, **options)

    monkeypatch.setattr(AbstractConnection, "send_packed_command", counted)
    assert game.see("board")["version"] == 5
    assert len(asked) == 1
    game.do("add", {"points": 1})
    assert len(asked) == 3


def test_a_process_learns_what_others_have_spent(strict: MakeHouse) -> None:
    house = strict(reads_per_minute=100)
    one, other = limits_of(house), limits_of(house)
    for _ in range(50):
        one.spend("reads", "ada", 1)
    assert [other.spend("reads", "ada", 1).left for _ in range(5)] == [99, 98, 97, 96, 45]


def test_a_store_that_cannot_be_asked_stops_nobody(house: House, caplog: pytest.LogCaptureFixture) -> None:
    gone: redis.Redis = redis.Redis(unix_socket_path="/nowhere/store.sock", retry=Retry(NoBackoff(), 0))
    settings = Settings(redis_url=house.services.settings.redis_url, registrations_per_minute=3)
    limits = Limits(gone, house.services.store.keys, settings)
    with caplog.at_level(logging.WARNING):
        assert [limits.spend("registrations", "here", 1).left for _ in range(3)] == [2, 1, 0]
    assert len(caplog.records) == 1
    with pytest.raises(RateLimited):
        limits.spend("registrations", "here", 1)


def test_a_store_that_is_back_is_asked_again_after_seconds(house: House, morning: Any) -> None:
    settings = Settings(redis_url=house.services.settings.redis_url, registrations_per_minute=9)
    gone: redis.Redis = redis.Redis(unix_socket_path="/nowhere/store.sock", retry=Retry(NoBackoff(), 0))
    limits = Limits(gone, house.services.store.keys, settings)
    limits.spend("registrations", "here", 1)
    limits._client = house.services.store.client
    limits.spend("registrations", "here", 1)
    assert not list(house.services.store.client.scan_iter("*spent*"))
    morning.tick(timedelta(seconds=5))
    limits.spend("registrations", "here", 1)
    assert len(list(house.services.store.client.scan_iter("*spent*"))) == 1
