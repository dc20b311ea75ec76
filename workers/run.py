"""The two long-running parts: the follower of the feed, and the pool of workers that do the jobs."""

import logging
import math
import signal
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any, Protocol

from redis.exceptions import RedisError
from rq import Queue
from rq.scheduler import RQScheduler
from rq.serializers import JSONSerializer
from rq.worker import SimpleWorker
from rq.worker_pool import WorkerPool

from domain.catalogue import GAMES
from events import lifeline
from events.errors import OutcomeUnknown, StoreUnavailable
from events.feed import Entry, Feed, position_order
from events.lobby import Lobby
from events.notices import Notices
from events.ruleset import Rulesets
from events.sessions import Sessions
from events.settings import Settings
from events.store import connect, open_store
from events.transparency import TransparencyLog
from workers import webhooks
from workers.policies import QUEUE, Policies

LOG = logging.getLogger(__name__)

SWEEP_EVERY = 1.0
SCHEDULE_EVERY = 0.25
REFRESH_EVERY = 10.0
TRIM_EVERY = 60.0
RETRY_AFTER = 1.0
READ_FOR = 500
"""Milliseconds that one read of the feed waits; a stop is noticed between two."""


class Consumer(Protocol):
    """Whatever follows the feed with a checkpoint of its own."""

    @property
    def feed(self) -> Feed:
        """The feed that is followed."""
        ...

    def checkpoint(self, partition: int) -> str:
        """How far the feed of `partition` has been taken."""
        ...

    def take(self, partition: int, entries: list[Entry], checkpoint: str, /) -> str:
        """Take a batch read after `checkpoint`; the checkpoint to go on from."""
        ...


class StepWorker(SimpleWorker):
    """A worker that ends with its pool and starts no scheduler of its own."""

    def work(self, *args: Any, **options: Any) -> bool:
        """Do jobs until told to stop."""
        lifeline.watch_parent()
        return super().work(*args, **{**options, "with_scheduler": False})


class Pool(WorkerPool):
    """Workers that do steps, and one that sends webhooks: however slow receivers are, no step waits for them."""

    courier: str | None = None
    """The name of the one that sends webhooks."""

    def start_worker(self, *args: Any, **options: Any) -> None:
        """Start one more worker, or another in place of one that has died."""
        lacks_courier = self.courier not in self.worker_dict
        self._queue_names = [webhooks.QUEUE if lacks_courier else QUEUE]
        before = set(self.worker_dict)
        super().start_worker(*args, **options)
        if lacks_courier:
            (self.courier,) = set(self.worker_dict) - before


def work(settings: Settings) -> None:
    """Do jobs in `settings.workers` processes, and send webhooks in one more, until SIGTERM or SIGINT."""
    connection = connect(settings.queue_url)
    pool = Pool(
        [QUEUE, webhooks.QUEUE],
        connection=connection,
        num_workers=settings.workers + 1,
        worker_class=StepWorker,
        serializer=JSONSerializer,
    )
    pool.start(logging_level="WARNING")


def follow(settings: Settings) -> None:
    """Keep the projections up to date and put jobs, until SIGTERM or SIGINT."""
    stopping = threading.Event()

    def stop(_signal: int, _frame: FrameType | None) -> None:
        stopping.set()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    store = open_store(connect(settings.redis_url), settings.partitions, settings.durability)
    sessions = Sessions(store, Rulesets(GAMES.values()), **settings.silence)
    lobby, log, notices = Lobby(store), TransparencyLog(store), Notices(sessions)
    policies = Policies(sessions, connect(settings.queue_url))
    pusher = webhooks.Pusher(sessions, connect(settings.queue_url))
    threads = [
        threading.Thread(target=target, name=name)
        for name, target in (
            ("lobby", lambda: follow_feed(lobby, stopping)),
            ("log", lambda: follow_feed(log, stopping)),
            ("notices", lambda: follow_feed(notices, stopping)),
            ("policies", lambda: follow_feed(policies, stopping)),
            ("webhooks", lambda: follow_feed(pusher, stopping)),
            ("sweep", lambda: repeat(lambda: sweep(policies), SWEEP_EVERY, stopping)),
            ("deliver", lambda: repeat(lambda: deliver(notices), SWEEP_EVERY, stopping)),
            ("push", lambda: repeat(lambda: push(pusher), SWEEP_EVERY, stopping)),
            ("schedule", lambda: repeat(scheduler(policies.queue, pusher.queue), SCHEDULE_EVERY, stopping)),
            ("trim", lambda: repeat(lambda: trim([lobby, log, notices, policies, pusher]), TRIM_EVERY, stopping)),
        )
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def follow_feed(consumer: Consumer, stopping: threading.Event) -> None:
    """Give a consumer all that the feed has after its checkpoints, until told to stop, whatever fails meanwhile."""
    positions: dict[int, str] = {}
    while not stopping.is_set():
        try:
            positions = positions or {p: consumer.checkpoint(p) for p in consumer.feed.partitions}
            for partition, entries in consumer.feed.read(positions, block=READ_FOR).items():
                positions[partition] = consumer.take(partition, entries, positions[partition])
        except (RedisError, StoreUnavailable, OutcomeUnknown) as error:
            LOG.warning("cannot follow the feed, trying again: %s", error)
            positions = {}
            stopping.wait(RETRY_AFTER)
        except Exception:
            LOG.exception("a fault in following the feed, trying again")
            positions = {}
            stopping.wait(RETRY_AFTER)


def repeat(task: Callable[[], None], seconds: float, stopping: threading.Event) -> None:
    """Do a task every so many seconds until told to stop, whatever fails meanwhile."""
    while not stopping.wait(seconds):
        try:
            task()
        except (RedisError, StoreUnavailable, OutcomeUnknown) as error:
            LOG.warning("cannot reach the store, trying again: %s", error)
        except Exception:
            LOG.exception("a fault in a repeated task, trying again")


def sweep(policies: Policies) -> None:
    """Put again what has been owed too long, in all partitions."""
    for partition in policies.feed.partitions:
        policies.sweep(partition)
        policies.sweep_due(partition)


def deliver(notices: Notices) -> None:
    """Deliver what a follower that was stopped in between has left in the outboxes."""
    for partition in notices.feed.partitions:
        notices.deliver(partition)


def push(pusher: webhooks.Pusher) -> None:
    """Hand out the deliveries of webhooks that are due, in all partitions."""
    for partition in pusher.feed.partitions:
        pusher.sweep(partition)


def scheduler(*queues: Queue) -> Callable[[], None]:
    """A task that moves scheduled jobs whose time has come into their queues; one process of a deployment does, by a lock."""
    mover = RQScheduler(queues, connection=queues[0].connection, serializer=JSONSerializer)

    refreshed = -math.inf

    def move() -> None:
        nonlocal refreshed
        if time.monotonic() - refreshed > REFRESH_EVERY:
            mover.acquire_locks()  # type: ignore[no-untyped-call]
            refreshed = time.monotonic()
        mover.enqueue_scheduled_jobs()  # type: ignore[no-untyped-call]

    return move


def trim(consumers: list[Consumer]) -> None:
    """Drop what all consumers have passed from the feeds."""
    feed = consumers[0].feed
    for partition in feed.partitions:
        slowest = min((consumer.checkpoint(partition) for consumer in consumers), key=position_order)
        feed.trim(partition, slowest)
