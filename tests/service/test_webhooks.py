"""Webhooks over REST: making, listing, rotating, testing, what was sent, and what is refused."""

from collections.abc import Iterator
from typing import Any

import pytest

from events.deliveries import Due
from events.settings import Settings
from events.targets import BadTarget, Policy, is_public
from events.webhooks import MOST_WEBHOOKS, PREFIX
from service.openapi import examples
from tests.service.client import Client, House, problem
from tests.support.receiver import Receiver, receiving
from workers.webhooks import Courier, Pusher

URL = "https://bot.example/annales"
NOWHERE = "0" * 24


def made(client: Client, url: str = URL, **more: Any) -> Any:
    """A webhook as it is answered once, with its secret."""
    response = client.post("/v1/webhooks", {"url": url, **more})
    assert response.status_code == 201, response.data
    assert response.headers["Cache-Control"] == "no-store"
    return response.json


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


@pytest.fixture
def open_house(house: House, monkeypatch: pytest.MonkeyPatch) -> House:
    """The service of an operator who lets webhooks go anywhere."""
    monkeypatch.setattr("service.webhooks.Policy.of", lambda _: Policy(plain_http=True, private=True))
    return house


def deliver(house: House) -> None:
    """What the follower and the courier do in a moment."""
    pusher = Pusher(house.services.sessions, house.services.store.client)
    courier = Courier(house.services.sessions, pusher.queue, Policy(plain_http=True, private=True))
    for partition in pusher.feed.partitions:
        position = pusher.checkpoint(partition)
        while entries := pusher.feed.read({partition: position}).get(partition):
            position = pusher.take(partition, entries, position)
        pusher.sweep(partition)
    for job in pusher.queue.jobs:
        player, webhook, delivery, attempt = job.args
        job.delete()
        courier.deliver(Due(player, webhook, delivery), attempt)


# Making


def test_a_webhook_is_made_with_a_secret_that_is_shown_this_once(ada: Client) -> None:
    answer = made(ada)
    hook = answer["webhook"]
    assert answer["secret"].startswith(PREFIX)
    assert (hook["url"], hook["game"], hook["types"], hook["enabled"]) == (URL, None, None, True)
    assert ada.see("/v1/webhooks") == {"items": [hook]}
    assert ada.see(f"/v1/webhooks/{hook['id']}") == hook
    assert answer["secret"] not in ada.get("/v1/webhooks").text


def test_the_example_of_the_contract_is_accepted(ada: Client) -> None:
    assert ada.post("/v1/webhooks", examples.WEBHOOK).status_code == 201


def test_a_webhook_may_be_for_one_game_and_some_types(ada: Client) -> None:
    game = ada.create(visibility="private")
    hook = made(ada, game=game.game, types=["toy.added", "table.game_ended", "toy.added"])["webhook"]
    assert (hook["game"], hook["types"]) == (game.game, ["table.game_ended", "toy.added"])


def test_there_is_none_for_a_game_that_the_caller_may_not_see(ada: Client, bob: Client) -> None:
    game = ada.create(visibility="private")
    problem(bob.post("/v1/webhooks", {"url": URL, "game": game.game}), 404, "not-found")


def test_a_type_that_no_event_has_is_refused_with_its_place(ada: Client) -> None:
    told = problem(ada.post("/v1/webhooks", {"url": URL, "types": ["toy.added", "toy.ad"]}), 400, "malformed-request")
    assert told["pointer"] == "/types/1"
    assert told["detail"] == "No event has the type 'toy.ad': GET /v1/rulesets/{ruleset} lists those of a ruleset."


def test_too_many_webhooks_are_refused(ada: Client) -> None:
    for _ in range(MOST_WEBHOOKS):
        made(ada)
    problem(ada.post("/v1/webhooks", {"url": URL}), 409, "too-many")


@pytest.mark.parametrize(
    "body", [{}, {"url": ""}, {"url": 5}, {"url": URL, "types": []}, {"url": URL, "game": "x"}, {"url": URL, "more": 1}]
)
def test_a_malformed_webhook_is_refused(ada: Client, body: Any) -> None:
    problem(ada.post("/v1/webhooks", body), 400, "malformed-request")


@pytest.mark.parametrize(
    "url",
    [
        "http://bot.example/",
        "ftp://bot.example/",
        "bot.example",
        "https://",
        "https://ada:secret@bot.example/",
        "https://bot.example/#part",
        "https://bot.example:0/",
        "https://bot.example:99999/",
        "https://bot.example/a b",
        "https://bot.example/\r\nHost: other",
        "https://bot.example\\@127.0.0.1/",
        "https://b\u00f6t.example/",
        "https://[::1/",
        "https://localhost/",
        "https://a.localhost./",
        "https://printer.local/",
        "https://127.0.0.1/",
        "https://10.1.2.3:8443/",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://[64:ff9b::a00:1]/",
        "https://[2002:7f00:1::]/",
        "https://[fe80::1]/",
    ],
)
def test_an_address_that_may_be_no_target_is_refused(ada: Client, url: str) -> None:
    told = problem(ada.post("/v1/webhooks", {"url": url}), 400, "bad-webhook-target")
    assert told["pointer"] == "/url"
    assert ada.see("/v1/webhooks") == {"items": []}


def test_what_is_public_is_so_in_every_form() -> None:
    for address in ("1.1.1.1", "2606:4700:4700::1111", "::ffff:1.1.1.1"):
        assert is_public(address)
    for address in ("0.0.0.0", "100.64.0.1", "192.0.2.1", "255.255.255.255", "224.0.0.1", "::", "ff02::1", "fc00::1"):  # noqa: S104
        assert not is_public(address)
    assert not is_public("fe80::1%eth0")
    assert not is_public("fec0::1")
    with pytest.raises(ValueError, match="bot"):
        is_public("bot.example")


def test_settings_allow_more() -> None:
    assert Policy.of(Settings()) == Policy()
    lax = Policy.of(Settings(webhook_http=True, webhook_private=True))
    for url in ("http://127.0.0.1:9/", "https://localhost/", "http://printer.local/"):
        lax.demand(url)
        with pytest.raises(BadTarget):
            Policy().demand(url)
    assert Policy().demand("https://1.1.1.1/").hostname == "1.1.1.1"


# Whose they are


def test_a_webhook_is_its_owners_alone(ada: Client, bob: Client, visitor: Client) -> None:
    hook = made(ada)["webhook"]["id"]
    for path, method in (("", "GET"), ("", "DELETE"), ("/rotate", "POST"), ("/test", "POST"), ("/deliveries", "GET")):
        problem(bob.call(method, f"/v1/webhooks/{hook}{path}"), 404, "not-found")
        problem(visitor.call(method, f"/v1/webhooks/{hook}{path}"), 401, "unauthenticated")
    problem(bob.call("POST", f"/v1/webhooks/{hook}/deliveries/{NOWHERE}/replay"), 404, "not-found")
    assert bob.see("/v1/webhooks") == {"items": []}


def test_a_token_to_read_with_makes_none(ada: Client) -> None:
    token = ada.post("/v1/tokens", {"name": "wall", "scopes": ["read"]}).json
    assert token is not None
    reader = Client(ada.house, token["token"])
    problem(reader.post("/v1/webhooks", {"url": URL}), 403, "insufficient-scope")
    assert reader.see("/v1/webhooks") == {"items": []}


def test_a_deleted_webhook_is_gone(ada: Client) -> None:
    hook = made(ada)["webhook"]["id"]
    assert ada.call("DELETE", f"/v1/webhooks/{hook}").status_code == 204
    problem(ada.call("DELETE", f"/v1/webhooks/{hook}"), 404, "not-found")
    assert ada.see("/v1/webhooks") == {"items": []}


def test_deleting_a_player_deletes_their_webhooks(house: House, ada: Client, bob: Client) -> None:
    hook = made(ada)["webhook"]["id"]
    ada.post(f"/v1/webhooks/{hook}/test", None)
    kept = made(bob)["webhook"]
    assert ada.call("DELETE", "/v1/players/me").status_code == 204
    assert house.services.webhooks.every(ada.id) == []
    assert not [key for key in house.services.store.client.scan_iter("*webhook*") if ada.id.encode() in key]
    assert bob.see("/v1/webhooks") == {"items": [kept]}


def test_a_new_secret_is_another(ada: Client) -> None:
    first = made(ada)
    response = ada.post(f"/v1/webhooks/{first['webhook']['id']}/rotate", None)
    assert (response.status_code, response.headers["Cache-Control"]) == (200, "no-store")
    assert response.json is not None
    assert response.json["webhook"] == first["webhook"]
    assert response.json["secret"] != first["secret"]


# What is sent


def test_a_test_is_sent_and_verified(open_house: House, ada: Client, receiver: Receiver) -> None:
    answer = made(ada, receiver.url)
    path = f"/v1/webhooks/{answer['webhook']['id']}"
    response = ada.post(f"{path}/test", None)
    assert response.status_code == 202
    assert response.json is not None
    assert (response.json["type"], response.json["state"]) == ("webhook.test", "waiting")
    deliver(open_house)
    open_house.contract.check_schema("TestMessage", receiver.got[0].verified(answer["secret"]))
    (taken,) = ada.see(f"{path}/deliveries")["items"]
    assert (taken["id"], taken["state"], taken["status"]) == (receiver.got[0].id, "delivered", 204)


def test_a_game_is_told_as_the_player_may_read_it(
    open_house: House, ada: Client, bob: Client, receiver: Receiver
) -> None:
    answer = made(bob, receiver.url, types=["toy.peeked"])
    game = ada.create(seats="mo")
    bob.at(game).do("join_game", {"seat": 1})
    game.do("peek")
    deliver(open_house)
    (got,) = receiver.got
    message = got.verified(answer["secret"])
    place = message["data"]["version"] - 1
    assert message["data"]["event"] == bob.at(game).see("events")["items"][place]
    assert message["data"]["event"] != game.see("events")["items"][place]
    open_house.contract.check_schema("EventMessage", message)


def test_dead_letters_are_listed_and_replayed(open_house: House, ada: Client, receiver: Receiver) -> None:
    hook = made(ada, receiver.url)["webhook"]["id"]
    receiver.status = 500
    path = f"/v1/webhooks/{hook}/deliveries"
    ada.post(f"/v1/webhooks/{hook}/test", None)
    (waiting,) = ada.see(f"{path}?state=waiting")["items"]
    problem(ada.post(f"{path}/{waiting['id']}/replay", None), 409, "delivery-waiting")
    problem(ada.post(f"{path}/{NOWHERE}/replay", None), 404, "not-found")
    deliver(open_house)
    (dead,) = ada.see(f"{path}?state=dead")["items"]
    assert (dead["id"], dead["status"], dead["attempts"], dead["next_at"]) == (waiting["id"], 500, 1, None)
    receiver.status = 200
    again = ada.post(f"{path}/{dead['id']}/replay", None)
    assert (again.status_code, again.json and again.json["state"]) == (202, "waiting")
    deliver(open_house)
    assert [one["id"] for one in ada.see(f"{path}?state=delivered")["items"]] == [dead["id"]]


def test_deliveries_are_paged_the_newest_first(ada: Client) -> None:
    hook = made(ada)["webhook"]["id"]
    for _ in range(5):
        ada.post(f"/v1/webhooks/{hook}/test", None)
    path = f"/v1/webhooks/{hook}/deliveries?limit=2"
    page, seen = ada.see(path), []
    while True:
        seen += page["items"]
        if page["next"] is None:
            break
        page = ada.see(f"{path}&cursor={page['next']}")
    assert len({one["id"] for one in seen}) == 5
    assert seen == sorted(seen, key=lambda one: (one["created_at"], one["id"]), reverse=True)


@pytest.mark.parametrize("query", ["state=gone", "limit=0", "limit=101", "cursor=nonsense", "cursor=%C3%A9", "more=1"])
def test_a_malformed_query_for_deliveries_is_refused(ada: Client, query: str) -> None:
    hook = made(ada)["webhook"]["id"]
    problem(ada.get(f"/v1/webhooks/{hook}/deliveries?{query}"), 400, "malformed-request")
