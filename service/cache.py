"""What a process may remember for a few seconds, bounded."""

import time
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class TimedCache(Generic[K, V]):
    """Values for at most `seconds` and at most `most` of them; the oldest go first. Thread-safe."""

    def __init__(self, seconds: float, most: int) -> None:
        self._seconds = seconds
        self._most = most
        self._kept: OrderedDict[K, tuple[float, V]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: K) -> V | None:
        """The value, while it is fresh."""
        found = self._kept.get(key)
        return found[1] if found is not None and found[0] > time.monotonic() else None

    def put(self, key: K, value: V) -> None:
        """Remember a value from now on."""
        with self._lock:
            self._kept.pop(key, None)
            self._kept[key] = time.monotonic() + self._seconds, value
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def forget(self, key: K) -> None:
        """Look it up anew next time."""
        with self._lock:
            self._kept.pop(key, None)

    def forget_where(self, doubtful: Callable[[V], bool]) -> None:
        """Look up anew whatever has such a value."""
        with self._lock:
            for key in [key for key, (_, kept) in self._kept.items() if doubtful(kept)]:
                del self._kept[key]
