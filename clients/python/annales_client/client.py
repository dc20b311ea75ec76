"""The two clients. What can be asked is in `calls`, when it is asked again in `retrying`: here is only how it is sent."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from functools import wraps
from typing import Any, Generic, ParamSpec, Self, TypeVar, overload

import httpx
from httpx_sse import EventSource

from annales_client import calls
from annales_client.calls import Call
from annales_client.following import Following
from annales_client.resources import Event, Registered
from annales_client.retrying import LOST, PATIENCE, Attempts, Patience

P = ParamSpec("P")
T = TypeVar("T")

TIMEOUT = 30.0
"""Seconds without a byte after which a connection counts as lost; a stream says something every 15 seconds."""


class Ask(Generic[P, T]):
    """A call as a method: a `Client` answers it, an `AsyncClient` is awaited for the answer."""

    def __init__(self, call: Callable[P, Call[T]]) -> None:
        self._call = call

    @overload
    def __get__(self, client: None, owner: type) -> Callable[P, Call[T]]: ...
    @overload
    def __get__(self, client: "Client", owner: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, client: "AsyncClient", owner: type) -> Callable[P, Coroutine[Any, Any, T]]: ...
    def __get__(self, client: Any, owner: type) -> Any:
        """The method of a client."""
        if client is None:
            return self._call

        @wraps(self._call)
        def method(*args: P.args, **kwargs: P.kwargs) -> Any:
            return client.ask(self._call(*args, **kwargs))

        return method


class _Asking:
    """What both clients can ask, and what goes along with every request."""

    def __init__(self, token: str | None, patience: Patience) -> None:
        self.token = token
        self.patience = patience

    me = Ask(calls.me)
    rulesets = Ask(calls.rulesets)
    ruleset = Ask(calls.ruleset)
    create = Ask(calls.create)
    games = Ask(calls.games)
    game = Ask(calls.game)
    join = Ask(calls.join)
    legal_commands = Ask(calls.legal_commands)
    board = Ask(calls.board)
    give = Ask(calls.give)
    dry_run = Ask(calls.dry_run)
    undo = Ask(calls.undo)
    answer_undo = Ask(calls.answer_undo)
    redo = Ask(calls.redo)
    resign = Ask(calls.resign)
    events = Ask(calls.events)
    export = Ask(calls.export)
    audit = Ask(calls.audit)

    def _request(self, call: Call[Any]) -> dict[str, Any]:
        """The arguments of httpx for a call."""
        own = {} if self.token is None else {"Authorization": f"Bearer {self.token}"}
        return {
            "method": call.method,
            "url": call.path,
            "params": call.query,
            "headers": {**own, **call.headers},
            "json": call.body,
        }


class Client(_Asking):
    """A client of the service at `base_url`, for the player whose `token` it is; without one, a spectator.

    `language` (`"en"`, `"hu"`) is that of problems and descriptions. Every call raises Problem when the service refuses, and
    Unreachable when it cannot be reached; what may pass is tried again, as `patience` says. May be shared by threads.
    """

    def __init__(
        self,
        base_url: str,
        token: str | None = None,
        *,
        language: str = "en",
        patience: Patience = PATIENCE,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        super().__init__(token, patience)
        self._http = httpx.Client(base_url=base_url, headers=_headers(language), timeout=TIMEOUT, transport=transport)

    def register(self, name: str) -> Registered:
        """Become a player, for whom this client speaks from now on. Keep the token: it is shown this once."""
        made = self.ask(calls.register(name))
        self.token = made["token"]
        return made

    def ask(self, call: Call[T]) -> T:
        """The answer to a call."""
        attempts = Attempts(call, self.patience)
        while True:
            try:
                response = self._http.request(**self._request(call))
            except LOST as error:
                pause = attempts.lost(error)
            else:
                if (again := attempts.answered(response)) is None:
                    return call.read(response)
                pause = again
            time.sleep(pause)

    def follow(self, game: str, *, after: int = 0, describe: bool | None = None) -> Iterator[Event]:
        """The events of a game as they happen, from after a version to the end of the game.

        Each comes once and in order, over as many connections as it takes; `describe` adds a sentence to each.
        """
        following = Following(game, after, describe, self.patience)
        while not following.is_over:
            try:
                with self._http.stream(**self._request(following.call)) as response:
                    if not response.is_success:
                        response.read()
                    if following.opened(response):
                        for message in EventSource(response).iter_sse():
                            if (event := following.event(message)) is not None:
                                yield event
            except LOST as error:
                following.lost(error)
            if not following.is_over:
                time.sleep(following.pause)

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient(_Asking):
    """`Client` for asyncio: the same calls, awaited; `follow` is an asynchronous iterator."""

    def __init__(
        self,
        base_url: str,
        token: str | None = None,
        *,
        language: str = "en",
        patience: Patience = PATIENCE,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        super().__init__(token, patience)
        self._http = httpx.AsyncClient(
            base_url=base_url, headers=_headers(language), timeout=TIMEOUT, transport=transport
        )

    async def register(self, name: str) -> Registered:
        """Become a player, for whom this client speaks from now on. Keep the token: it is shown this once."""
        made = await self.ask(calls.register(name))
        self.token = made["token"]
        return made

    async def ask(self, call: Call[T]) -> T:
        """The answer to a call."""
        attempts = Attempts(call, self.patience)
        while True:
            try:
                response = await self._http.request(**self._request(call))
            except LOST as error:
                pause = attempts.lost(error)
            else:
                if (again := attempts.answered(response)) is None:
                    return call.read(response)
                pause = again
            await asyncio.sleep(pause)

    async def follow(self, game: str, *, after: int = 0, describe: bool | None = None) -> AsyncIterator[Event]:
        """The events of a game as they happen, from after a version to the end of the game.

        Each comes once and in order, over as many connections as it takes; `describe` adds a sentence to each.
        """
        following = Following(game, after, describe, self.patience)
        while not following.is_over:
            try:
                async with self._http.stream(**self._request(following.call)) as response:
                    if not response.is_success:
                        await response.aread()
                    if following.opened(response):
                        async for message in EventSource(response).aiter_sse():
                            if (event := following.event(message)) is not None:
                                yield event
            except LOST as error:
                following.lost(error)
            if not following.is_over:
                await asyncio.sleep(following.pause)

    async def close(self) -> None:
        """Close all connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _headers(language: str) -> Mapping[str, str]:
    return {"Accept": "application/json", "Accept-Language": language, "User-Agent": "annales-client"}
