"""`GET /v1/events`: what happens to a player in all their games, as a page and as a live stream."""

import base64
import threading
from collections.abc import Iterable
from typing import Any, cast

import msgspec
import pytest
from werkzeug.test import TestResponse

from service import streams
from service.catalogue import KINDS
from service.notices import LATEST
from service.streams import Lines, ServerSentEvents
from tests.service.client import Client, House, Seat, problem

LIVE = "text/event-stream"
PATH = "/v1/events"


@pytest.fixture
def game(ada: Client, bob: Client, house: House) -> Seat:
    """A game of Ada and Bob of which everything has been told."""
    game = ada.create(seats="mo")
    bob.at(game).do("join_game", {"seat": 1})
    house.project()
    return game


def page(client: Client, query: str = "") -> Any:
    return client.see(PATH + query)


class Listener:
    """Somebody who reads their stream, chunk by chunk."""

    def __init__(self, client: Client, query: str = "", accept: str = LIVE, **headers: str) -> None:
        named = {"Accept": accept, **{name.replace("_", "-"): value for name, value in headers.items()}}
        self.response: TestResponse = client.call("GET", PATH + query, headers=named, buffered=False)
        assert self.response.status_code == 200, self.response.data
        self._chunks = iter(cast("Iterable[bytes]", self.response.response))
        assert next(self._chunks) in {ServerSentEvents.opening, Lines.opening}

    def events(self) -> list[dict[str, str]]:
        """The events of the next chunk; fields by name."""
        sent = next(self._chunks).decode().strip().split("\n\n")
        return [dict(line.split(": ", 1) for line in event.split("\n")) for event in sent]

    def rest(self) -> bytes:
        return b"".join(self._chunks)

    def close(self) -> None:
        self.response.close()


def test_a_page_tells_what_has_happened_in_all_games(ada: Client, bob: Client, game: Seat, house: House) -> None:
    other = bob.create(seats="mo")
    ada.at(other).do("join_game", {"seat": 1})
    house.project()
    told = page(ada)
    assert {(item["game"], item["type"], item["seat"]) for item in told["items"]} == {
        (game.game, "game_started", None),
        (game.game, "your_turn", 0),
        (other.game, "game_started", None),
        (other.game, "your_turn", 1),
    }
    assert {item["version"] for item in told["items"] if item["game"] == game.game} == {game.version}
    assert told["next"] == told["items"][-1]["id"]


def test_pages_follow_one_another_by_their_cursors(ada: Client, game: Seat, house: House) -> None:
    for points in (1, 2, 3):
        game.do("add", {"points": points}, seat=0)
        house.project()
    whole = page(ada)["items"]
    first = page(ada, "?limit=1")
    second = page(ada, f"?limit=100&after={first['next']}")
    assert [*first["items"], *second["items"]] == whole
    assert page(ada, f"?after={second['next']}") == {"items": [], "next": second["next"]}


def test_latest_is_the_cursor_after_all_that_was(ada: Client, game: Seat, bob: Client, house: House) -> None:
    empty = page(ada, f"?after={LATEST}")
    assert empty == {"items": [], "next": page(ada)["next"]}
    bob.at(game).do("add", {"points": 1})
    house.project()
    assert [item["type"] for item in page(ada, f"?after={empty['next']}")["items"]] == ["your_turn"]


def test_who_has_no_games_has_a_cursor_all_the_same(ada: Client) -> None:
    told = page(ada)
    assert told["items"] == []
    assert page(ada, f"?after={told['next']}") == told


def test_a_stream_begins_with_what_is_kept_and_goes_on_with_what_happens(
    ada: Client, bob: Client, game: Seat, house: House
) -> None:
    listener = Listener(ada)
    past = listener.events()
    assert [(event["event"], msgspec.json.decode(event["data"])) for event in past] == [
        (item["type"], item) for item in page(ada)["items"]
    ]
    assert [event["id"] for event in past] == [msgspec.json.decode(event["data"])["id"] for event in past]
    bob.at(game).do("add", {"points": 1})
    house.project()
    assert [event["event"] for event in listener.events()] == ["your_turn"]
    listener.close()


def test_a_waiting_stream_is_woken_by_the_next_notice(ada: Client, bob: Client, game: Seat, house: House) -> None:
    listener = Listener(ada, f"?after={LATEST}")

    def move() -> None:
        bob.at(game).do("finish")
        house.project()

    mover = threading.Timer(0.2, move)
    mover.start()
    assert [event["event"] for event in listener.events()] == ["game_finished"]
    mover.join()
    listener.close()


def test_a_stream_goes_on_after_the_last_event_id_whatever_the_address_says(ada: Client, game: Seat) -> None:
    first, second = page(ada)["items"]
    listener = Listener(ada, f"?after={second['id']}", Last_Event_ID=first["id"])
    assert [event["id"] for event in listener.events()] == [second["id"]]
    listener.close()


def test_lines_are_notices_and_limit_ends_them(ada: Client, game: Seat) -> None:
    listener = Listener(ada, "?limit=2", accept="application/x-ndjson")
    assert [msgspec.json.decode(line) for line in listener.rest().splitlines()] == page(ada)["items"]


@pytest.mark.parametrize(
    "cursor",
    [
        "x",
        "\u0661",
        "é",
        "",
        "====",
        base64.urlsafe_b64encode(b"1").decode(),
        base64.urlsafe_b64encode(b"-1.ada").decode(),
        base64.urlsafe_b64encode(b"9" * 40 + b".ada").decode(),
    ],
)
@pytest.mark.parametrize("accept", [LIVE, "application/json"])
def test_a_cursor_that_was_not_given_out_here_is_refused(ada: Client, cursor: str, accept: str) -> None:
    told = problem(ada.get(PATH, Accept=accept, Last_Event_ID=cursor), 400, "malformed-request")
    assert told["parameter"] == "Last-Event-ID"
    told = problem(ada.get(f"{PATH}?after={cursor}", Accept=accept), 400, "malformed-request")
    assert told["parameter"] == "after"


def test_a_cursor_with_a_number_beyond_all_is_refused(ada: Client) -> None:
    cursor = base64.urlsafe_b64encode(b"9" * 30 + b"." + ada.id.encode()).rstrip(b"=").decode()
    problem(ada.get(f"{PATH}?after={cursor}"), 400, "malformed-request")


def test_the_cursor_of_another_player_is_refused(ada: Client, bob: Client, game: Seat) -> None:
    problem(bob.get(f"{PATH}?after={page(ada)['next']}"), 400, "malformed-request")


@pytest.mark.parametrize("accept", [LIVE, "application/x-ndjson", "application/json"])
def test_a_cursor_that_is_too_old_is_gone(ada: Client, game: Seat, house: House, accept: str) -> None:
    first = page(ada, "?limit=1")["next"]
    house.services.store.client.delete(house.services.store.keys.player(ada.id, "notices"))  # as after 30 days
    told = problem(ada.get(f"{PATH}?after={first}", Accept=accept), 410, "cursor-gone")
    assert told["type"] == KINDS["cursor-gone"].path
    assert page(ada, f"?after={LATEST}")["items"] == []


def test_a_stream_whose_reader_falls_too_far_behind_ends(ada: Client, bob: Client, game: Seat, house: House) -> None:
    listener = Listener(ada, f"?after={LATEST}")
    bob.at(game).do("add", {"points": 1})
    house.project()
    house.services.store.client.delete(house.services.store.keys.player(ada.id, "notices"))
    assert listener.rest() == b""


@pytest.mark.parametrize("accept", [LIVE, "application/json"])
def test_it_needs_a_token(visitor: Client, accept: str) -> None:
    problem(visitor.get(PATH, Accept=accept), 401, "unauthenticated")


def test_a_stream_token_for_all_games_opens_it_and_one_for_a_game_does_not(
    ada: Client, visitor: Client, game: Seat
) -> None:
    def token(game_id: str | None) -> str:
        answer = ada.post("/v1/stream-tokens", {"game": game_id})
        assert answer.json is not None
        return str(answer.json["token"])

    listener = Listener(visitor, f"?limit=2&access_token={token(None)}")
    assert len(listener.events()) == 2
    problem(visitor.get(f"{PATH}?access_token={token(game.game)}", Accept=LIVE), 401, "unauthenticated")
    told = problem(visitor.get(f"{PATH}?access_token={token(None)}"), 400, "malformed-request")
    assert told["parameter"] == "access_token"


def test_a_stream_ends_when_its_token_is_good_no_longer(ada: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "_LOOK_SECONDS", 0.05)
    listener = Listener(ada)
    assert ada.call("DELETE", "/v1/players/me").status_code == 204
    assert listener.rest() == b""


def test_its_streams_count_with_those_of_games_and_the_newest_ends_the_oldest(
    ada: Client, bob: Client, game: Seat, house: House
) -> None:
    listeners = [Listener(ada, f"?after={LATEST}") for _ in range(streams.MOST_OF_A_TOKEN + 1)]
    assert listeners[0].rest() == b""
    bob.at(game).do("add", {"points": 1})
    house.project()
    for listener in listeners[1:]:
        assert listener.events()
        listener.close()
    listeners[0].close()


def test_a_new_stream_is_accepted_at_once_after_one_that_nobody_has_closed(ada: Client, game: Seat) -> None:
    dead = [Listener(ada) for _ in range(streams.MOST_OF_A_TOKEN)]
    again = Listener(ada, Last_Event_ID=page(ada, "?limit=1")["next"])
    assert len(again.events()) == 1
    for listener in (*dead, again):
        listener.close()


def test_notices_are_as_the_contract_says(ada: Client, game: Seat, house: House) -> None:
    for item in page(ada)["items"]:
        house.contract.check_schema("Notice", item)
