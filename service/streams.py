"""Live streams, of a game's events and of a player's notices: how many there may be, and how one is kept going."""

import logging
from collections import OrderedDict
from collections.abc import Callable, Iterator
from threading import Lock
from time import monotonic
from typing import Protocol

import msgspec
from flask import Response
from msgspec import Struct

from domain.errors import DomainError
from events.feed import Wakeups

LOG = logging.getLogger(__name__)

MOST_OF_A_TOKEN = 16
"""Streams that one player may hold in one server process; the newest displaces the oldest."""
LONGEST_SECONDS = 3600.0
"""The age at which a stream ends, for its client to come back."""
KEEP_ALIVE_SECONDS = 10.0
_LOOK_SECONDS = 5.0
"""How long a stream trusts that nobody wakes it because nothing has happened."""
_NOTICE_SECONDS = 1.0
"""How long a displaced stream may go on waiting."""
_PAGE = 500


class TooManyStreams(DomainError):
    """This process holds as many streams as it can (HTTP 503)."""


class Stream:
    """A place for one stream."""

    def __init__(self, caller: str | None) -> None:
        self.caller = caller
        self.displaced = False
        self.until = monotonic() + LONGEST_SECONDS

    @property
    def is_over(self) -> bool:
        """Whether it is to end now."""
        return self.displaced or monotonic() > self.until


class Streams:
    """The streams of this process."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: OrderedDict[Stream, None] = OrderedDict()
        self._lock = Lock()

    def open(self, caller: str | None) -> Stream:
        """A place for one more. Raises TooManyStreams."""
        with self._lock:
            if len(self._open) >= self._most:
                says = "This server holds {most} streams, which is all it can; try again in a moment."
                raise TooManyStreams("too-many-streams", says, most=self._most)
            stream = Stream(caller)
            self._open[stream] = None
            own = [
                other for other in self._open if caller is not None and other.caller == caller and not other.displaced
            ]
            for oldest in own[:-MOST_OF_A_TOKEN]:
                oldest.displaced = True
        return stream

    def close(self, stream: Stream) -> None:
        """Give the place back."""
        with self._lock:
            self._open.pop(stream, None)

    def __len__(self) -> int:
        return len(self._open)


class Form(Protocol):
    """What a stream looks like on the wire."""

    media_type: str
    opening: bytes
    keep_alive: bytes

    def event(self, message: "Message") -> bytes:
        """One event."""
        ...


class ServerSentEvents:
    """`text/event-stream`: the version of an event or the cursor of a notice as id, the type as name, all of it as data."""

    media_type = "text/event-stream"
    opening = b"retry: 1000\n\n"
    keep_alive = b": waiting\n\n"

    def event(self, message: "Message") -> bytes:
        """One event."""
        return b"id: %b\nevent: %b\ndata: %b\n\n" % (message.id, type_of(message.line).encode(), message.line)


class Lines:
    """`application/x-ndjson`: an event a line."""

    media_type = "application/x-ndjson"
    opening = b"\n"
    keep_alive = b"\n"

    def event(self, message: "Message") -> bytes:
        """One event."""
        return message.line + b"\n"


FORMS: dict[str, Form] = {form.media_type: form for form in (ServerSentEvents(), Lines())}


class Message(Struct, frozen=True):
    """What is sent: its place in what is followed, the id after which a broken stream goes on, and its JSON."""

    number: int
    id: bytes
    line: bytes


class Following(Struct, frozen=True):
    """What to follow: all that `read` has after number `after`, at most `limit` messages, until one of type `last`.

    `name` is the game or the player that wakes the stream. `read` takes a number and how many at most; it raises a
    DomainError when the caller may hear no more.
    """

    name: str
    after: int
    limit: int | None
    read: Callable[[int, int], list[Message]]
    last: str | None = None


def live(places: Streams, wakeups: Wakeups, caller: str | None, form: Form, following: Following) -> Response:
    """The answer that is a live stream. Raises TooManyStreams."""
    stream = places.open(caller)
    response = Response(
        follow(wakeups, stream, form, following),
        content_type=form.media_type,
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no", "Vary": "Accept, Authorization"},
    )
    response.call_on_close(lambda: places.close(stream))
    return response


def follow(wakeups: Wakeups, stream: Stream, form: Form, following: Following) -> Iterator[bytes]:
    """The stream, until its limit or its last message, its greatest age, or until it is displaced."""
    after = following.after
    left = following.limit
    yield form.opening
    spoken = monotonic()
    while not stream.is_over:
        try:
            messages = following.read(after, _PAGE if left is None else min(_PAGE, left))
        except DomainError as refusal:
            LOG.warning("a stream of %s ends: %s", following.name, refusal)
            return
        if messages:
            yield b"".join(map(form.event, messages))
            spoken, after = monotonic(), messages[-1].number
            left = None if left is None else left - len(messages)
            if left == 0 or type_of(messages[-1].line) == following.last:
                return
        elif monotonic() - spoken > KEEP_ALIVE_SECONDS:
            yield form.keep_alive
            spoken = monotonic()
        else:
            _wait(wakeups, stream, following.name, after)


def _wait(wakeups: Wakeups, stream: Stream, name: str, after: int) -> None:
    """Until there may be more, a look is due, or the stream is to end."""
    until = monotonic() + _LOOK_SECONDS
    while not stream.is_over and (left := until - monotonic()) > 0:
        if wakeups.wait(name, after, min(left, _NOTICE_SECONDS)):
            return


class _Typed(Struct):
    type: str


_TYPED = msgspec.json.Decoder(_Typed)


def type_of(line: bytes) -> str:
    """The type of an event."""
    return _TYPED.decode(line).type
