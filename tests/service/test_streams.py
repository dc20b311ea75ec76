import threading
from collections.abc import Iterable, Iterator
from typing import cast

import msgspec
import pytest
from werkzeug.test import TestResponse

from domain.table import Order
from domain.table.commands import JoinGame
from events.errors import StoreUnavailable
from events.feed import Wakeups
from events.sessions import Key
from service import streams
from service.streams import Following, Lines, Message, ServerSentEvents, Streams, TooManyStreams, follow
from tests.service.client import Client, House, Seat, problem

LIVE = "text/event-stream"


@pytest.fixture
def game(ada: Client) -> Seat:
    return ada.create(seats="mm", undo="free")


class Listener:
    """Somebody who reads a live stream, chunk by chunk."""

    def __init__(self, seat: Seat, query: str = "", accept: str = LIVE, **headers: str) -> None:
        named = {"Accept": accept, **{name.replace("_", "-"): value for name, value in headers.items()}}
        self.response: TestResponse = seat.client.call(
            "GET", f"{seat.path}/events{query}", headers=named, buffered=False
        )
        assert self.response.status_code == 200, self.response.data
        self._chunks = iter(cast("Iterable[bytes]", self.response.response))
        assert next(self._chunks) in {ServerSentEvents.opening, Lines.opening}

    def events(self) -> list[dict[str, str]]:
        """The events of the next chunk; fields by name."""
        sent = next(self._chunks).decode().strip().split("\n\n")
        return [dict(line.split(": ", 1) for line in event.split("\n")) for event in sent]

    def rest(self) -> bytes:
        """Whatever comes until the stream ends."""
        return b"".join(self._chunks)

    def close(self) -> None:
        self.response.close()


def test_a_stream_begins_with_what_has_happened_and_goes_on_with_what_happens(game: Seat) -> None:
    listener = Listener(game)
    past = listener.events()
    assert [event["id"] for event in past] == [str(version) for version in range(1, game.version + 1)]
    done = game.do("add", {"points": 2})
    (event,) = listener.events()
    assert (event["id"], event["event"]) == (str(done["version"]), "toy.added")
    assert msgspec.json.decode(event["data"]) == done["events"][0]
    listener.close()


def test_a_waiting_stream_is_woken_by_the_next_event(game: Seat) -> None:
    listener = Listener(game, f"?after={game.version}")
    giver = threading.Timer(0.2, lambda: game.do("add", {"points": 1}))
    giver.start()
    assert [event["event"] for event in listener.events()] == ["toy.added"]
    giver.join()
    listener.close()


def test_a_stream_goes_on_after_the_last_event_id_whatever_the_address_says(game: Seat) -> None:
    game.do("add", {"points": 1})
    listener = Listener(game, "?after=0", Last_Event_ID=str(game.version - 1))
    assert [event["id"] for event in listener.events()] == [str(game.version)]
    listener.close()


def test_a_last_event_id_of_zero_is_the_beginning(game: Seat) -> None:
    listener = Listener(game, "?after=2", Last_Event_ID="0")
    assert listener.events()[0]["id"] == "1"
    listener.close()


@pytest.mark.parametrize("header", ["x", "-1", "1.5", "99999999999999999", "\u0661", ""])
def test_a_malformed_last_event_id_is_refused(game: Seat, header: str) -> None:
    told = problem(game.get("events", Accept=LIVE, Last_Event_ID=header), 400, "malformed-request")
    assert told["parameter"] == "Last-Event-ID"


def test_limit_ends_a_stream(game: Seat) -> None:
    listener = Listener(game, "?limit=2")
    assert [event["id"] for event in listener.events()] == ["1", "2"]
    assert listener.rest() == b""


def test_a_stream_ends_with_the_game(game: Seat) -> None:
    listener = Listener(game, f"?after={game.version}")
    game.do("finish")
    assert [event["event"] for event in listener.events()][-1] == "table.seed_revealed"
    assert listener.rest() == b""


@pytest.mark.parametrize("accept", [LIVE, "application/x-ndjson"])
def test_a_finished_game_that_was_read_to_its_end_has_no_content(game: Seat, accept: str) -> None:
    game.do("finish")
    response = game.get(f"events?after={game.version}", Accept=accept)
    assert (response.status_code, response.data) == (204, b"")
    assert game.get("events", Accept=accept, Last_Event_ID=str(game.version)).status_code == 204


def test_lines_are_events(game: Seat) -> None:
    listener = Listener(game, f"?limit={game.version}", accept="application/x-ndjson")
    lines = listener.rest().splitlines()
    assert [msgspec.json.decode(line) for line in lines] == game.see("events")["items"]


def test_a_stream_shows_secrets_to_their_seats_alone(ada: Client, bob: Client, visitor: Client) -> None:
    game = ada.create(seats="mo")
    bob.at(game).do("join_game", {"seat": 1})
    listeners = {client: Listener(client.at(game), f"?after={game.version}") for client in (ada, bob, visitor)}
    game.do("peek")
    for client, listener in listeners.items():
        part = msgspec.json.decode(listener.events()[0]["data"])["private"][0]
        assert ("data" in part) == (client is ada)
        listener.close()


def test_whoever_sits_down_while_listening_hears_their_secrets_from_then_on(ada: Client, bob: Client) -> None:
    game = ada.create(seats="mo")
    listener = Listener(bob.at(game), f"?after={game.version}")
    bob.at(game).do("join_game", {"seat": 1})
    assert listener.events()[0]["event"] == "table.seat_taken"
    bob.at(game).do("peek")
    assert "data" in msgspec.json.decode(listener.events()[0]["data"])["private"][0]
    listener.close()


def test_a_stream_has_headers_that_keep_it_live(game: Seat) -> None:
    listener = Listener(game)
    assert listener.response.headers["Cache-Control"] == "no-store"
    assert listener.response.headers["X-Accel-Buffering"] == "no"
    assert "Content-Length" not in listener.response.headers
    listener.close()


def test_a_closed_stream_gives_its_place_back(game: Seat, house: House) -> None:
    before = len(house.services.streams)
    listener = Listener(game)
    assert len(house.services.streams) == before + 1
    listener.close()
    assert len(house.services.streams) == before


def test_when_no_more_streams_can_be_held_the_service_says_so(
    game: Seat, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house.services.streams, "_most", 0)
    response = game.get("events", Accept=LIVE)
    problem(response, 503, "too-many-streams")
    assert int(response.headers["Retry-After"]) > 0
    assert game.get("events").status_code == 200


def test_at_the_bound_of_a_token_the_newest_stream_ends_the_oldest(game: Seat) -> None:
    listeners = [Listener(game, f"?after={game.version}") for _ in range(streams.MOST_OF_A_TOKEN + 1)]
    assert listeners[0].rest() == b""
    game.do("add", {"points": 1})
    for listener in listeners[1:]:
        assert listener.events()
        listener.close()


def test_the_streams_of_visitors_are_not_counted_together() -> None:
    places = Streams(100)
    held = [places.open(None) for _ in range(streams.MOST_OF_A_TOKEN + 5)]
    assert not any(stream.is_over for stream in held)


def test_a_place_is_free_again_when_it_was_given_back() -> None:
    places = Streams(1)
    first = places.open("ada")
    with pytest.raises(TooManyStreams):
        places.open("bob")
    places.close(first)
    assert places.open("bob")


class Silence:
    """A store in which nothing happens, or that cannot be reached."""

    def __init__(self, *, gone: bool = False) -> None:
        self.gone = gone

    def read(self, *_: object) -> list[Message]:
        if self.gone:
            raise StoreUnavailable("gone")
        return []


class NeverWoken:
    """Wake-ups that do not come: each wait takes its whole time on a clock of the test's own."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        self.longest = 0.0
        monkeypatch.setattr("service.streams.monotonic", lambda: self.now)

    def wait(self, _game: str, _version: int, timeout: float) -> bool:
        self.longest = max(self.longest, timeout)
        self.now += timeout
        return False


def silent(monkeypatch: pytest.MonkeyPatch, form: streams.Form, store: Silence) -> tuple[NeverWoken, Iterator[bytes]]:
    clock = NeverWoken(monkeypatch)
    following = Following(name="g", after=3, limit=None, read=store.read)
    stand_in: Wakeups = clock  # type: ignore[assignment]
    return clock, follow(stand_in, Streams(1).open("ada"), form, following)


@pytest.mark.parametrize("form", [ServerSentEvents(), Lines()])
def test_a_silent_stream_is_kept_alive_and_ends_at_its_greatest_age(
    monkeypatch: pytest.MonkeyPatch, form: streams.Form
) -> None:
    clock, chunks = silent(monkeypatch, form, Silence())
    began, spoken, pauses = clock.now, clock.now, []
    for chunk in chunks:
        assert chunk in {form.opening, form.keep_alive}
        pauses.append(clock.now - spoken)
        spoken = clock.now
    assert max(pauses) <= 15
    assert 0 < clock.now - began - streams.LONGEST_SECONDS < 15


def test_a_comment_that_keeps_a_stream_alive_has_no_id() -> None:
    assert ServerSentEvents.keep_alive.startswith(b":")
    assert b"id:" not in ServerSentEvents.keep_alive


def test_a_stream_ends_when_the_store_is_gone_so_that_its_client_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    _, chunks = silent(monkeypatch, Lines(), Silence(gone=True))
    assert list(chunks) == [Lines.opening]


def test_a_displaced_stream_ends_within_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, chunks = silent(monkeypatch, Lines(), Silence())
    for _ in range(3):
        next(chunks)
    assert clock.longest <= 1.0


def test_whoever_has_left_a_private_game_hears_no_more_of_it(ada: Client, bob: Client, house: House) -> None:
    game = ada.create(seats="moo", visibility="private")
    invited = Order(command=JoinGame(seat=1), actor="player", player=bob.id)
    house.services.sessions.handle(game.game, lambda _: [invited], Key.own())
    listener = Listener(bob.at(game), f"?after={game.version}")
    bob.at(game).do("leave_game")
    assert listener.rest() == b""
    problem(bob.get(game.path), 404, "not-found")
