"""Calls from pages of other origins."""

from collections.abc import Callable, Iterator

import pytest
from werkzeug.test import TestResponse

from domain.catalogue import GAMES
from events.settings import Settings, SettingsError
from service.app import create_app
from service.services import NAME
from tests.service.client import Client, House, problem
from tests.service.contract import Contract

PAGE = "https://play.example"


@pytest.fixture
def open_to(house: House, contract: Contract) -> Iterator[Callable[[str], Client]]:
    """A visitor of a service that is open to the pages of some origins."""
    apps = []

    def made(origins: str) -> Client:
        usual = house.services.settings
        environ = {
            "ANNALES_CORS_ORIGINS": origins,
            "ANNALES_REDIS_URL": usual.redis_url,
            "ANNALES_KEYS": str(usual.keys),
        }
        apps.append(create_app(Settings.read(environ), GAMES.values()))
        return House(apps[-1], contract).visitor()

    yield made
    for app in apps:
        app.extensions[NAME].wakeups.stop()


def allowances(response: TestResponse) -> list[str]:
    """The headers of an answer that are for pages of other origins."""
    return [name for name, _ in response.headers.items() if name.startswith("Access-Control")]


def preflight(client: Client, origin: str, path: str = "/v1/games") -> dict[str, str]:
    response = client._client.open(
        path,
        method="OPTIONS",
        headers={
            "Origin": origin,
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "if-match",
        },
    )
    assert (response.status_code, response.data) == (204, b"")
    return {name: value for name, value in response.headers.items() if name.startswith(("Access-", "Vary"))}


def test_any_page_may_ask_and_is_told_what_it_may_send(visitor: Client) -> None:
    told = preflight(visitor, PAGE)
    assert told["Access-Control-Allow-Origin"] == "*"
    assert {"GET", "POST", "PUT", "PATCH", "DELETE"} <= set(told["Access-Control-Allow-Methods"].split(", "))
    sent = {"Authorization", "Content-Type", "If-Match", "If-None-Match", "Idempotency-Key", "Accept-Language"}
    assert sent <= set(told["Access-Control-Allow-Headers"].split(", "))
    assert int(told["Access-Control-Max-Age"]) > 0
    assert preflight(visitor, PAGE, "/v1/games/" + "0" * 24 + "/commands") == told


def test_any_page_reads_answers_and_refusals_with_their_headers_and_never_with_cookies(ada: Client) -> None:
    game = ada.create()
    for path, status in ((game.path, 200), ("/v1/games/" + "0" * 24, 404), ("/nowhere", 404), ("/v1/games?x=1", 400)):
        response = ada.get(path, Origin=PAGE)
        assert response.status_code == status
        assert response.headers["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in response.headers
        exposed = set(response.headers["Access-Control-Expose-Headers"].split(", "))
        assert {"ETag", "Location", "RateLimit", "RateLimit-Policy", "Retry-After", "X-Request-Id"} <= exposed
    stream = ada.get(f"{game.path}/events?limit=1", Accept="text/event-stream", Origin=PAGE)
    assert stream.headers["Access-Control-Allow-Origin"] == "*"


def test_every_header_of_an_answer_that_the_contract_names_can_be_read(contract: Contract, visitor: Client) -> None:
    exposed = visitor.get("/v1/games", Origin=PAGE).headers["Access-Control-Expose-Headers"].split(", ")
    assert contract.document["components"]["headers"].keys() <= set(exposed)


def test_every_header_that_the_contract_takes_can_be_sent(contract: Contract, visitor: Client) -> None:
    taken = {one["name"] for one in contract.document["components"]["parameters"].values() if one["in"] == "header"}
    assert taken <= set(preflight(visitor, PAGE)["Access-Control-Allow-Headers"].split(", "))


def test_who_is_no_page_hears_nothing_of_it(visitor: Client) -> None:
    response = visitor.get("/v1/games")
    assert not allowances(response)


def test_a_service_may_be_open_to_some_pages_alone(open_to: Callable[[str], Client]) -> None:
    visitor = open_to(f"{PAGE}, http://localhost:5173/")
    for origin in (PAGE, "http://localhost:5173"):
        response = visitor.get("/v1/games", Origin=origin)
        assert response.headers["Access-Control-Allow-Origin"] == origin
        assert "Origin" in ", ".join(response.headers.getlist("Vary"))
        assert preflight(visitor, origin)["Access-Control-Allow-Origin"] == origin
    for origin in ("https://evil.example", "https://play.example.evil.example", "null"):
        response = visitor.get("/v1/games", Origin=origin)
        assert response.status_code == 200
        assert not allowances(response)
        assert "Origin" in ", ".join(response.headers.getlist("Vary"))
        assert not [name for name in preflight(visitor, origin) if name.startswith("Access-Control")]


def test_a_service_may_be_open_to_no_page(open_to: Callable[[str], Client]) -> None:
    response = open_to("none").get("/v1/games", Origin=PAGE)
    assert "Access-Control-Allow-Origin" not in response.headers


def test_other_questions_for_options_are_answered_as_ever(visitor: Client) -> None:
    response = visitor._client.open("/v1/games", method="OPTIONS")
    assert (response.status_code, "POST" in response.headers["Allow"]) == (200, True)
    problem(visitor.call("PUT", "/v1/games"), 405, "method-not-allowed")


@pytest.mark.parametrize("origins", ["play.example", "https://play.example/app", "*,ftp://x", "https://", "none,*,x"])
def test_what_is_no_list_of_origins_is_refused(origins: str) -> None:
    with pytest.raises(SettingsError, match="ANNALES_CORS_ORIGINS"):
        Settings.read({"ANNALES_CORS_ORIGINS": origins})


@pytest.mark.parametrize("origins", ["*", "none", "https://a.example,https://b.example:8443"])
def test_the_setting_is_handed_on_as_it_was_read(origins: str) -> None:
    settings = Settings.read({"ANNALES_CORS_ORIGINS": origins})
    assert Settings.read(settings.environment()).cors_origins == settings.cors_origins
    (described,) = [each for each in settings.described() if each.variable == "ANNALES_CORS_ORIGINS"]
    assert (described.value, described.default) == (origins, "*")
