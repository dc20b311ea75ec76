"""Following a game: a stream that goes on where it broke, with no gap and no duplicate."""

import httpx
from httpx_sse import ServerSentEvent

from annales_client import calls
from annales_client.calls import Call
from annales_client.problems import BrokenStream
from annales_client.resources import Event
from annales_client.retrying import Attempts, Patience


class Following:
    """Where somebody who follows a game has got to, over as many connections as it takes.

    `pause` is how many seconds to wait before the next connection, `is_over` whether there need be none.
    """

    def __init__(self, game: str, after: int, describe: bool | None, patience: Patience) -> None:
        self.is_over = False
        self.pause = 0.0
        self._game = game
        self._last = after
        self._describe = describe
        self._patience = patience
        self._attempts = Attempts(self.call, patience)

    @property
    def call(self) -> Call[None]:
        """The stream from here on."""
        return calls.stream(self._game, after=self._last, describe=self._describe)

    def opened(self, response: httpx.Response) -> bool:
        """Whether there are events to read. An answer without content tells the end of the game.

        Raises:
            Problem: the stream is refused, and would be again.
        """
        pause = self._attempts.answered(response)
        if pause is not None:
            self.pause = pause
            return False
        self._attempts, self.pause = Attempts(self.call, self._patience), self._patience.pause(1)
        self.is_over = response.status_code == httpx.codes.NO_CONTENT
        return not self.is_over

    def event(self, message: ServerSentEvent) -> Event | None:
        """The next event, or None when the message holds none that is new.

        Raises:
            BrokenStream: an event was left out.
        """
        if not message.data:
            return None
        event: Event = message.json()
        if event["version"] > self._last + 1:
            raise BrokenStream(f"Event {event['version']} of game {self._game} came after event {self._last}.")
        if event["version"] <= self._last:
            return None
        self._last = event["version"]
        return event

    def lost(self, error: httpx.TransportError) -> None:
        """The connection was not made, or broke. Raises Unreachable when that has happened too often in a row."""
        self.pause = self._attempts.lost(error)
