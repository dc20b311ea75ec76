"""A bad line to an HTTP server: connections break at random, before, within and after answers."""

import contextlib
import random
import socket
import struct
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit


class SeveringProxy:
    """Passes bytes on, and cuts each connection after a random number of bytes from the server, `mean` on average.

    What was asked has reached the server by then. Half of the cuts look like a peer that died, the others like one that left.
    """

    def __init__(self, server: str, mean: float, rng: random.Random) -> None:
        self.cuts = 0
        self._mean = mean
        self._rng = rng
        self._lock = threading.Lock()
        parts = urlsplit(server)
        self._server = (parts.hostname, parts.port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Take no more connections."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client, socket.create_connection(self._server) as server:
            questions = threading.Thread(target=_pass_on, args=(client, server), daemon=True)
            questions.start()
            self._pass_answers(server, client)
            with contextlib.suppress(OSError):
                client.shutdown(socket.SHUT_RD)
            questions.join()

    def _pass_answers(self, server: socket.socket, client: socket.socket) -> None:
        with self._lock:
            left = int(self._rng.expovariate(1 / self._mean))
            dies = self._rng.random() < 0.5
        with contextlib.suppress(OSError):
            while received := server.recv(65536):
                client.sendall(received[:left])
                left -= len(received)
                if left < 0:
                    self.cuts += 1
                    if dies:
                        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    return


def _pass_on(sender: socket.socket, receiver: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while received := sender.recv(65536):
            receiver.sendall(received)
        receiver.shutdown(socket.SHUT_WR)


@contextlib.contextmanager
def severing(server: str, mean: float, seed: int) -> Iterator[SeveringProxy]:
    """A bad line to the server at this address."""
    proxy = SeveringProxy(server, mean, random.Random(seed))
    try:
        yield proxy
    finally:
        proxy.close()
