"""Sending a message to an address that a stranger chose: to a machine that was looked at first, within bounds, and no further.

The name is looked up once and the connection is made to the very address that was found good, so that a name which leads
elsewhere a moment later gains nothing. No proxy is asked and no redirect followed; of the answer only the status is read.
"""

import socket
import ssl
import time
from collections.abc import Mapping
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from threading import Timer
from typing import Any

from msgspec import Struct

from events.targets import BadTarget, Policy

STEP_SECONDS = 5.0
"""How long one step (connecting, sending, a part of the answer) may take."""
ALL_SECONDS = 10.0
"""How long it may take in all, once the name has been looked up."""


class Reply(Struct, frozen=True):
    """What came of it: the `status` of the answer, or why there was none, as a word."""

    status: int | None = None
    failure: str | None = None

    @property
    def is_taken(self) -> bool:
        """Whether the receiver has taken the message."""
        return self.status is not None and 200 <= self.status < 300


class Refused(OSError):
    """The name of a target leads to no address that may be connected to."""


def post(url: str, body: bytes, headers: Mapping[str, str], policy: Policy) -> Reply:
    """Send a message once."""
    try:
        parts = policy.demand(url)
    except BadTarget:
        return Reply(failure="refused-target")
    kind = _Https if parts.scheme == "https" else _Http
    connection = kind(parts.hostname or "", parts.port or kind.default_port, policy)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    with closing(connection):
        try:
            connection.request("POST", path, body, dict(headers))
            status = connection.getresponse().status
        except (OSError, HTTPException, ValueError) as error:
            return Reply(failure=connection.line.reason(error))
        return Reply(failure="timeout") if connection.line.is_late else Reply(status=status)  # cut in its headers


class _Line:
    """The way to one target: found, looked at, and cut when it has been open for too long."""

    def __init__(self, host: str, port: int, policy: Policy) -> None:
        self._host = host
        self._port = port
        self._policy = policy
        self._cut: Timer | None = None
        self._guard: socket.socket | None = None
        self.is_late = False

    def open(self) -> socket.socket:
        """A connection to the target. Raises OSError."""
        found = socket.getaddrinfo(self._host, self._port, type=socket.SOCK_STREAM)
        allowed = [place for place in found if self._policy.allows(str(place[4][0]))]
        if not allowed:
            raise Refused(self._host)
        made = _connected(allowed, time.monotonic() + ALL_SECONDS / 2)
        self._guard = made.dup()
        self._cut = Timer(ALL_SECONDS, self._end)
        self._cut.daemon = True
        self._cut.start()
        return made

    def close(self) -> None:
        """Watch it no longer."""
        if self._cut is not None:
            self._cut.cancel()
            self._cut.join()
        if self._guard is not None:
            self._guard.close()

    def reason(self, error: Exception) -> str:
        """Why there was no answer, as a word."""
        if self.is_late:
            return "timeout"
        match error:
            case Refused():
                return "refused-address"
            case socket.gaierror() | UnicodeError():
                return "unknown-host"
            case ssl.SSLError():
                return "bad-certificate" if isinstance(error, ssl.SSLCertVerificationError) else "bad-tls"
            case TimeoutError():
                return "timeout"
            case HTTPException() | ValueError():
                return "bad-answer"
            case _:
                return "no-connection"

    def _end(self) -> None:
        self.is_late = True
        if self._guard is not None:
            with suppress(OSError):  # the other side was faster
                self._guard.shutdown(socket.SHUT_RDWR)


def _connected(places: list[Any], until: float) -> socket.socket:
    """A connection to the first of these addresses that answers. Raises OSError."""
    last: OSError = TimeoutError()
    for family, kind, protocol, _, address in places:
        if time.monotonic() >= until:
            break
        made = socket.socket(family, kind, protocol)
        made.settimeout(STEP_SECONDS)
        try:
            made.connect(address)
        except OSError as error:
            made.close()
            last = error
        else:
            return made
    raise last


class _Http(HTTPConnection):
    """A connection that opens its line itself."""

    def __init__(self, host: str, port: int, policy: Policy) -> None:
        super().__init__(host, port, timeout=STEP_SECONDS)
        self.line = _Line(host, port, policy)

    def connect(self) -> None:
        """Connect. Raises OSError."""
        self.sock = self.line.open()

    def close(self) -> None:
        """Close the line."""
        super().close()
        self.line.close()


class _Https(HTTPSConnection):
    """The same with TLS, by the name in the address."""

    def __init__(self, host: str, port: int, policy: Policy) -> None:
        self._tls = ssl.create_default_context()
        super().__init__(host, port, timeout=STEP_SECONDS, context=self._tls)
        self.line = _Line(host, port, policy)

    def connect(self) -> None:
        """Connect and greet. Raises OSError."""
        made = self.line.open()
        try:
            self.sock = self._tls.wrap_socket(made, server_hostname=self.host)
        except (OSError, ValueError):
            made.close()
            raise

    def close(self) -> None:
        """Close the line."""
        super().close()
        self.line.close()
