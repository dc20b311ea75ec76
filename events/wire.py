"""The short way to the store for what is asked most often."""

import threading
from typing import Any, cast

import redis
from hiredis import pack_command
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError

Command = tuple[str | bytes | int, ...]


class Wire:
    """A connection that each thread keeps for itself, which costs a third of taking one from the pool for each command.

    What is asked must be safe to ask twice: when a connection breaks, it is opened and asked again once.
    """

    def __init__(self, client: redis.Redis) -> None:
        self._pool = client.connection_pool
        self._own = threading.local()

    def ask(self, *commands: Command) -> list[Any]:
        """The raw answers to all commands, sent together. Raises RedisError."""
        try:
            return self._ask(commands)
        except (RedisConnectionError, RedisTimeoutError):
            return self._ask(commands)

    def _ask(self, commands: tuple[Command, ...]) -> list[Any]:
        connection = self._connection()
        try:
            connection.send_packed_command([b"".join(pack_command(cast("Any", command)) for command in commands)])
            return [connection.read_response() for _ in commands]
        except BaseException as error:
            if not isinstance(error, ResponseError) or len(commands) > 1:
                connection.disconnect()  # an answer may still be on its way, and would be taken for the next one
            raise

    def _connection(self) -> Any:
        connection = getattr(self._own, "connection", None)
        if connection is None:
            connection = self._own.connection = self._pool.connection_class(**self._pool.connection_kwargs)
        return connection
