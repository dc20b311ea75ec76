"""A load generator: keep-alive clients over raw sockets, all in one process, which is not that of the server.

It costs little per request, so that on few cores it takes little from the server: requests are ready-made bytes, and of an answer
only the status and the length are read.
"""

import re
import selectors
import signal
import socket
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context

from msgspec import Struct

from bench.processor import between, seconds_of
from bench.servers import HOST, Failed, Served

_CHUNK = 1 << 18
_LONGEST = 120.0
"""Seconds after which a load is given up."""
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


class Plan(Struct, frozen=True):
    """What each client asks of a server, in order; every answer must have this `status`."""

    server: Served
    status: int
    clients: Sequence[Sequence[bytes]]


class Load(Struct, frozen=True):
    """How it went: `latencies` in seconds from sending to the last byte of the answer; `seconds` for all.

    `processor`: the seconds that the processes of the server, those of the store included, have used meanwhile, where that is
    known.
    """

    seconds: float
    latencies: Sequence[float]
    processor: float | None

    @property
    def rate(self) -> float:
        """Answers per second."""
        return len(self.latencies) / self.seconds


class Generator:
    """The process that makes load."""

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        self._pool = pool

    def run(self, plan: Plan) -> Load:
        """Carry out a plan. Raises Failed when an answer has another status or does not come."""
        return self._pool.submit(carry_out, plan).result()


@contextmanager
def generator() -> Iterator[Generator]:
    """A load generator in a process of its own, until the end of the context."""
    with ProcessPoolExecutor(1, get_context("spawn"), _leave_ctrl_c_to_the_parent) as pool:
        yield Generator(pool)


def request(method: str, path: str, token: str = "", body: bytes = b"") -> bytes:
    """A request as it goes over the wire."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {HOST}"]
    if token:
        lines.append(f"Authorization: Bearer {token}")
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


def carry_out(plan: Plan) -> Load:
    """Ask all that the clients have to ask, each client one request after the other. Raises Failed."""
    with selectors.DefaultSelector() as selector:
        clients = [_Client(plan.server.port, requests) for requests in plan.clients if requests]
        try:
            return _carried_out(plan, clients, selector)
        finally:
            for client in clients:
                client.socket.close()


def _carried_out(plan: Plan, clients: "Sequence[_Client]", selector: selectors.BaseSelector) -> Load:
    latencies: list[float] = []
    used = seconds_of(plan.server.processes)
    start = time.perf_counter()
    for client in clients:
        selector.register(client.socket, selectors.EVENT_READ, client)
        client.ask()
    busy = len(clients)
    while busy:
        ready = selector.select(timeout=10)
        if not ready or time.perf_counter() - start > _LONGEST:
            raise Failed(f"{busy} clients wait in vain; answered so far: {len(latencies)}")
        for key, _ in ready:
            client = key.data
            answer = client.read()
            if answer is None:
                continue
            latencies.append(time.perf_counter() - client.asked)
            if answer[9:12] != b"%d" % plan.status:
                raise Failed(f"expected status {plan.status}, got: {answer.decode(errors='replace')}")
            if not client.ask():
                selector.unregister(client.socket)
                busy -= 1
    seconds = time.perf_counter() - start
    return Load(seconds=seconds, latencies=latencies, processor=between(used, seconds_of(plan.server.processes)))


class _Client:
    """One keep-alive connection with its requests."""

    def __init__(self, port: int, requests: Sequence[bytes]) -> None:
        self.socket = socket.create_connection((HOST, port), timeout=10)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.asked = 0.0
        self._requests = iter(requests)
        self._answer = b""

    def ask(self) -> bool:
        """Send the next request; false when there is none."""
        following = next(self._requests, None)
        if following is None:
            return False
        self._answer = b""
        self.asked = time.perf_counter()
        self.socket.sendall(following)
        return True

    def read(self) -> bytes | None:
        """What has come; the answer once it is whole."""
        chunk = self.socket.recv(_CHUNK)
        if not chunk:
            raise Failed("the server closed a connection")
        self._answer += chunk
        head = self._answer.find(b"\r\n\r\n")
        if head < 0:
            return None
        length = _LENGTH.search(self._answer, 0, head)
        whole = head + 4 + (int(length[1]) if length else 0)
        return self._answer if len(self._answer) >= whole else None


def _leave_ctrl_c_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
