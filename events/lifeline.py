"""Processes that end when the process that started them is gone, however it went: a `kill -9` leaves no orphans.

A process that starts others says so by `hold`; each of those calls `watch_parent` when it starts.
"""

import os
import threading
import time
from typing import Final

VARIABLE: Final = "_ANNALES_PARENT"
_POLL_SECONDS = 0.5


def hold() -> None:
    """From now on, the children of this process that call `watch_parent` live no longer than it."""
    os.environ[VARIABLE] = str(os.getpid())


def watch_parent() -> None:
    """End this process at once when its parent is gone; without a parent that called `hold`, do nothing.

    Ending at once is safe: whatever was acknowledged is in the store.
    """
    if (parent := os.environ.get(VARIABLE)) is not None:
        threading.Thread(target=_watch, args=(int(parent),), name="watch-parent", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_POLL_SECONDS)
    os._exit(1)
