"""Following a game over connections that break, and what is made of what they bring."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

import httpx
import pytest

from annales_client import AsyncClient, BrokenStream, Client, NotFound, Patience, Unavailable, Unreachable
from tests.clients.test_retrying import fresh, refusal

QUICK = Patience(attempts=4, first=0.0001, longest=0.001)


def message(version: int, **data: Any) -> bytes:
    text = json.dumps({"version": version, **data}, ensure_ascii=False)
    return f"id: {version}\nevent: toy.moved\ndata: {text}\n\n".encode()


class Broken(httpx.SyncByteStream, httpx.AsyncByteStream):
    """Bytes that break off with an error."""

    def __init__(self, sent: bytes) -> None:
        self._sent = sent

    def __iter__(self) -> Iterator[bytes]:
        yield self._sent
        raise httpx.RemoteProtocolError("the peer closed the connection")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for sent in self:
            yield sent


class Stream:
    """A service whose connections bring what they are told, and that notes where each of them began."""

    def __init__(self, *connections: bytes | httpx.ByteStream | Broken | httpx.Response | httpx.TransportError) -> None:
        self._connections = list(connections)
        self.begun: list[str] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        assert request.headers["Accept"] == "text/event-stream"
        self.begun.append(request.headers["Last-Event-ID"])
        next_one = self._connections.pop(0)
        match next_one:
            case httpx.TransportError():
                raise next_one
            case httpx.Response():
                return fresh(next_one)
            case bytes():
                return httpx.Response(200, content=next_one, headers={"Content-Type": "text/event-stream"})
        return httpx.Response(200, stream=next_one, headers={"Content-Type": "text/event-stream"})

    def follow(self, after: int = 0) -> list[Any]:
        with Client("http://annales.example", patience=QUICK, transport=httpx.MockTransport(self)) as client:
            return list(client.follow("g", after=after))

    def follow_async(self, after: int = 0) -> list[Any]:
        async def following() -> list[Any]:
            transport = httpx.MockTransport(self)
            async with AsyncClient("http://annales.example", patience=QUICK, transport=transport) as client:
                return [event async for event in client.follow("g", after=after)]

        return asyncio.run(following())


OVER = httpx.Response(204)
OPENING = b"retry: 1000\n\n"


def versions(events: Sequence[Any]) -> list[int]:
    return [event["version"] for event in events]


@pytest.mark.parametrize("how", [Stream.follow, Stream.follow_async])
def test_a_broken_stream_goes_on_where_it_broke(how: Any) -> None:
    stream = Stream(
        httpx.ConnectError("refused"),
        Broken(OPENING + message(1) + message(2) + b'id: 3\nevent: toy.moved\ndata: {"version": 3}\n'),
        refusal(503, "too-many-streams"),
        Broken(b""),
        message(3) + b": waiting\n\n" + message(4),
        OVER,
    )
    assert versions(how(stream)) == [1, 2, 3, 4]
    assert stream.begun == ["0", "0", "2", "2", "2", "4"]


def test_what_has_come_already_is_left_out() -> None:
    assert versions(Stream(message(1) + message(2), message(1) + message(2) + message(3), OVER).follow()) == [1, 2, 3]


@pytest.mark.parametrize("how", [Stream.follow, Stream.follow_async])
def test_a_gap_is_told(how: Any) -> None:
    with pytest.raises(BrokenStream, match="Event 9 of game g came after event 7"):
        how(Stream(message(9)), 7)


def test_it_begins_where_it_is_told_to() -> None:
    stream = Stream(message(8), OVER)
    assert versions(stream.follow(after=7)) == [8]
    assert stream.begun == ["7", "8"]


def test_a_line_break_of_unicode_is_none_of_the_stream() -> None:
    assert Stream(message(1, name="A\u2028d\x85a"), OVER).follow()[0]["name"] == "A\u2028d\x85a"


def test_a_game_that_is_over_brings_nothing_more() -> None:
    assert Stream(OVER).follow(after=40) == []


@pytest.mark.parametrize("how", [Stream.follow, Stream.follow_async])
def test_a_stream_that_is_refused_says_why(how: Any) -> None:
    with pytest.raises(NotFound):
        how(Stream(refusal(404, "not-found")))
    with pytest.raises(Unavailable):
        how(Stream(*[refusal(503, "too-many-streams")] * QUICK.attempts))


def test_a_service_that_stays_away_is_unreachable() -> None:
    with pytest.raises(Unreachable):
        Stream(message(1), *[httpx.ConnectError("refused")] * QUICK.attempts).follow()


def test_a_service_that_lets_nothing_happen_for_long_is_not() -> None:
    quiet = [Broken(OPENING)] * (2 * QUICK.attempts)
    assert versions(Stream(*quiet, message(1), OVER).follow()) == [1]
