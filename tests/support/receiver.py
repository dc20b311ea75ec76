"""A receiver of webhooks on loopback, that answers as it is told to and keeps what it gets."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import msgspec
from standardwebhooks import Webhook


class Got:
    """One message."""

    def __init__(self, headers: dict[str, str], body: bytes) -> None:
        self.headers = headers
        self.body = body

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def message(self) -> Any:
        return msgspec.json.decode(self.body)

    def verified(self, secret: str) -> Any:
        """The message, if the official library finds that it was signed with this secret."""
        return Webhook(secret).verify(self.body, self.headers)


class Receiver:
    """`status` is what it answers next, with `headers`."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.status = 204
        self.headers: dict[str, str] = {}
        self.got: list[Got] = []
        self.asked: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook?token=abc"

    @property
    def types(self) -> list[str]:
        return [got.message["type"] for got in self.got]


@contextmanager
def receiving() -> Iterator[Receiver]:
    """A receiver for a while."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.asked.append(self.path)
            receiver.got.append(Got({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(receiver.status)
            for name, value in receiver.headers.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver = Receiver(server.server_port)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
