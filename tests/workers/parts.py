"""The parts of the service that do its own work, as processes that a test can kill.

`python -m tests.workers.parts follow`, `work` and `worker` run as in production, with the settings of the environment, and end
with the process that started them. `worker before` and `worker after` are workers that stop for good in the middle of
their first job, before or after its append, once they have said so.
"""

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from rq import Queue
from rq.serializers import JSONSerializer

from events import lifeline
from events.settings import Settings
from events.store import Store, connect
from workers import run
from workers.policies import QUEUE


def stuck(append: Callable[..., Any], when: str) -> Callable[..., Any]:
    """An append that never comes to its end."""

    def wait(store: Store, what: Any) -> None:
        if when == "after":
            append(store, what)
        sys.stdout.write(f"stuck {when} the append of {what.game}\n")
        sys.stdout.flush()
        while True:
            signal.pause()

    return wait


def work(when: str | None) -> None:
    """Do jobs in this process."""
    if when is not None:
        Store.append = stuck(Store.append, when)  # type: ignore[method-assign]
    queue = Queue(QUEUE, connection=connect(Settings.read().queue_url), serializer=JSONSerializer)
    run.StepWorker([queue], connection=queue.connection, serializer=JSONSerializer).work(logging_level="ERROR")


def main(part: str, when: str | None = None) -> None:
    lifeline.watch_parent()
    if part != "worker":  # which starts nobody, and watches its parent itself
        lifeline.hold()
    sys.stdout.write(f"{part} has process {os.getpid()}\n")
    sys.stdout.flush()
    match part:
        case "follow":
            run.follow(Settings.read())
        case "work":
            run.work(Settings.read())
        case "worker":
            work(when)


if __name__ == "__main__":
    main(*sys.argv[1:])
