"""Live streams of a game's events: how many there may be, and how one is kept going."""

import logging
from collections import OrderedDict
from collections.abc import Callable, Iterator
from threading import Lock
from time import monotonic
from typing import Protocol

import msgspec
from msgspec import Struct

from domain.errors import DomainError
from domain.table.events import SeedRevealed
from events.feed import Wakeups
from events.store import Logged, Store

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

    def event(self, version: int, line: bytes) -> bytes:
        """One event."""
        ...


class ServerSentEvents:
    """`text/event-stream`: the version as id, the type as name, the envelope as data."""

    media_type = "text/event-stream"
    opening = b"retry: 1000\n\n"
    keep_alive = b": waiting\n\n"

    def event(self, version: int, line: bytes) -> bytes:
        """One event."""
        return b"id: %d\nevent: %b\ndata: %b\n\n" % (version, type_of(line).encode(), line)


class Lines:
    """`application/x-ndjson`: an envelope a line."""

    media_type = "application/x-ndjson"
    opening = b"\n"
    keep_alive = b"\n"

    def event(self, version: int, line: bytes) -> bytes:  # noqa: ARG002 the version is in the line
        """One event."""
        return line + b"\n"


class Following(Struct, frozen=True):
    """What to follow: the events of `game` after version `after`, at most `limit` of them, each as `shown` shows it.

    `shown` is asked for each batch, since the caller's rights change while they listen.
    """

    game: str
    after: int
    limit: int | None
    shown: Callable[[list[Logged]], list[bytes]]


def follow(store: Store, wakeups: Wakeups, stream: Stream, form: Form, following: Following) -> Iterator[bytes]:
    """The stream, until its limit, the end of the game, its greatest age, or until it is displaced."""
    game, after = following.game, following.after
    last = None if following.limit is None else after + following.limit
    yield form.opening
    spoken = monotonic()
    while not stream.is_over:
        try:
            events = store.read(game, after, _PAGE if last is None else min(_PAGE, last - after))
            lines = following.shown(events)
        except DomainError as refusal:
            LOG.warning("a stream of game %s ends: %s", game, refusal)
            return
        if events:
            yield b"".join(form.event(event.version, line) for event, line in zip(events, lines, strict=True))
            spoken, after = monotonic(), events[-1].version
            if after == last or type_of(lines[-1]) == SeedRevealed.type:
                return
        elif monotonic() - spoken > KEEP_ALIVE_SECONDS:
            yield form.keep_alive
            spoken = monotonic()
        else:
            _wait(wakeups, stream, game, after)


def _wait(wakeups: Wakeups, stream: Stream, game: str, after: int) -> None:
    """Until the game may have moved, a look is due, or the stream is to end."""
    until = monotonic() + _LOOK_SECONDS
    while not stream.is_over and (left := until - monotonic()) > 0:
        if wakeups.wait(game, after, min(left, _NOTICE_SECONDS)):
            return


class _Typed(Struct):
    type: str


_TYPED = msgspec.json.Decoder(_Typed)


def type_of(line: bytes) -> str:
    """The type of an event."""
    return _TYPED.decode(line).type
