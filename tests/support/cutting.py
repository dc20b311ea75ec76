"""A way to the store that can be cut: before asking, or between asking and being answered."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit


class CuttingProxy:
    """Passes bytes between clients on a TCP port and a server on a Unix socket, until it is told to cut."""

    def __init__(self, server: Path) -> None:
        self._server = server
        self._lock = threading.Lock()
        self._pairs: set[tuple[socket.socket, socket.socket]] = set()
        self._listener: socket.socket | None = None
        self._pass_first, self._lose = 0, 0
        self.port = 0
        self.lost = 0

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def open(self) -> None:
        """Let clients connect and be answered, from now on or again."""
        self._pass_first, self._lose = 0, 0
        if self._listener is None:
            self._listener = socket.create_server(("127.0.0.1", self.port))
            self.port = self._listener.getsockname()[1]
            threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def close(self) -> None:
        """Drop all connections and take no more."""
        if self._listener is not None:
            with contextlib.suppress(OSError):
                self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            self._listener = None
        self._drop_all()

    def lose(self, answers: int, *, after: int = 0) -> None:
        """Once so many answers have been passed, cut the connection instead of passing on the next `answers`.

        What was asked has reached the server by then.
        """
        self._pass_first, self._lose = after, answers

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            server.connect(str(self._server))
            with self._lock:
                self._pairs.add((client, server))
            threading.Thread(target=self._pass_questions, args=(client, server), daemon=True).start()
            threading.Thread(target=self._pass_answers, args=(client, server), daemon=True).start()

    def _pass_questions(self, client: socket.socket, server: socket.socket) -> None:
        for sent in _received(client):
            with contextlib.suppress(OSError):
                server.sendall(sent)
        self._drop(client, server)

    def _pass_answers(self, client: socket.socket, server: socket.socket) -> None:
        for answer in _received(server):
            if self._loses_one():
                break
            with contextlib.suppress(OSError):
                client.sendall(answer)
        self._drop(client, server)

    def _loses_one(self) -> bool:
        with self._lock:
            if self._pass_first > 0:
                self._pass_first -= 1
                return False
            if self._lose == 0:
                return False
            self._lose -= 1
            self.lost += 1
            return True

    def _drop(self, client: socket.socket, server: socket.socket) -> None:
        for end in (client, server):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        with self._lock:
            self._pairs.discard((client, server))

    def _drop_all(self) -> None:
        with self._lock:
            pairs = list(self._pairs)
        for pair in pairs:
            self._drop(*pair)


def _received(end: socket.socket) -> Iterator[bytes]:
    while True:
        try:
            received = end.recv(65536)
        except OSError:
            return
        if not received:
            return
        yield received


@contextlib.contextmanager
def cutting(url: str) -> Iterator[CuttingProxy]:
    """A proxy before the server at `url`, a Unix socket."""
    proxy = CuttingProxy(Path(urlsplit(url).path))
    proxy.open()
    try:
        yield proxy
    finally:
        proxy.close()
