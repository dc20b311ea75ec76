"""Policies: events that call for work become jobs, and what got lost on the way is found and put again."""

import logging
import math
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, cast

import msgspec
from msgspec import Struct
from redis import Redis
from redis.exceptions import RedisError
from rq import Queue
from rq.exceptions import DuplicateJobError, NoSuchJobError
from rq.job import Job, JobStatus
from rq.serializers import JSONSerializer

from events.errors import StoreUnavailable
from events.feed import START, Entry, Feed
from events.sessions import Sessions
from workers import steps

LOG = logging.getLogger(__name__)

QUEUE = "steps"

DUE = "due"
"""What the jobs and attempts are called that look for what has fallen due."""

JOB_TIMEOUT = 10
"""Seconds after which a job is given up."""

PATIENCE = 3.0
"""Seconds that a step may be owed before the sweep puts it again; doubled with each attempt."""

SCHEDULED_WITHIN = 86_400_000
"""Milliseconds ahead for which a job is scheduled; what falls due later is found by the sweep."""

GRACE = 2000
"""Milliseconds that a scheduled job has before the sweep puts one in its place."""

MOST_PATIENCE = 60.0
FALL_BACK_AFTER = 3
"""Attempts after which a bot's turn is left to the simplest bot."""

DAY = 86_400


class Attempts(Struct, frozen=True):
    """How often the sweep has put what a game owes, or what is due in it, at `version`, and when it will again (Unix seconds)."""

    version: int
    count: int
    due: float


class Policies:
    """The follower of the feed that puts jobs for owed steps, and the sweep over the marks."""

    def __init__(self, sessions: Sessions, queue_client: Redis) -> None:
        self._sessions = sessions
        self._store = store = sessions.store
        self._client = store.client
        self.feed = Feed(store)
        self.queue = Queue(QUEUE, connection=queue_client, default_timeout=JOB_TIMEOUT, serializer=JSONSerializer)

    def checkpoint(self, partition: int) -> str:
        """How far the feed of `partition` has been followed."""
        return (
            cast("bytes | None", self._client.get(self._key(partition, "policies:checkpoint"))) or START.encode()
        ).decode()

    def take(self, partition: int, entries: list[Entry], _checkpoint: str) -> str:
        """Put a job for each step that these entries owe, the last of each game only; returns the new checkpoint."""
        newest = {entry.game: entry for entry in entries}
        for entry in newest.values():
            if entry.owed:
                self._put(entry.owed, entry.game, entry.version)
            if entry.due is not None and entry.due - time.time() * 1000 < SCHEDULED_WITHIN:
                self._schedule(entry.game, entry.version, entry.due)
        self._client.set(self._key(partition, "policies:checkpoint"), entries[-1].id)
        return entries[-1].id

    def sweep(self, partition: int, now: float | None = None) -> int:
        """Put the steps of a partition that have been owed too long once more; how many were put."""
        now = time.time() if now is None else now
        overdue = int((now - PATIENCE) * 1000)
        key = self._key(partition, "owed")
        marks = cast("list[bytes]", self._client.zrangebyscore(key, "-inf", overdue, start=0, num=500))
        return sum(self._swept(partition, game.decode(), now) for game in marks)

    def sweep_due(self, partition: int, now: float | None = None) -> int:
        """Put a job for each game of a partition in which something has fallen due; how many were put.

        That finds what no scheduled job has done: lost ones, and what falls due in the far future.
        """
        now = time.time() if now is None else now
        key = self._key(partition, "due")
        marks = cast("list[bytes]", self._client.zrangebyscore(key, "-inf", int(now * 1000) - GRACE, start=0, num=500))
        return sum(self._due_again(partition, game.decode(), now) for game in marks)

    def _schedule(self, game: str, version: int, due: int) -> None:
        """Put a job for the moment when something falls due; the queue knows whole seconds, so for the next of these.

        One that is scheduled already is scheduled anew.
        """
        at = datetime.fromtimestamp(math.ceil(due / 1000), UTC)
        job = self.queue.create_job(
            steps.fall_due, args=(game, version), job_id=job_id(DUE, game, version, 0), result_ttl=0, failure_ttl=DAY
        )
        self.queue.schedule_job(job, at)

    def _swept(self, partition: int, game: str, now: float) -> bool:
        """Put the step of one game, if its time has come. A game that cannot be read is reported, and the others go on."""
        try:
            return self._again(partition, game, now)
        except (RedisError, StoreUnavailable):
            raise
        except Exception as error:  # noqa: BLE001 - whatever a game does to its reader, the others wait for their steps
            LOG.error("owed step cannot be put game=%s: %s: %s", game, type(error).__name__, error)  # noqa: TRY400 - once a second, in one line
            return False

    def _again(self, partition: int, game: str, now: float) -> bool:
        """Put the step that `game` owes under a new attempt, unless it still waits in the queue or its time has not come."""
        session = self._sessions.load(game)
        version, owed = session.version, session.pending
        if owed is None:
            return False
        attempt = self._next_attempt(partition, owed, game, version, now)
        if attempt is None:
            return False
        LOG.warning("owed step put again game=%s version=%s owed=%s attempt=%s", game, version, owed, attempt)
        self._put(owed, game, version, attempt)
        return True

    def _due_again(self, partition: int, game: str, now: float) -> bool:
        """Put a job for what has fallen due in `game` under a new attempt, on the same terms."""
        version = self._store.version(game)
        attempt = self._next_attempt(partition, DUE, game, version, now)
        if attempt is None:
            return False
        self._enqueue(steps.fall_due, (game, version), job_id(DUE, game, version, attempt))
        return True

    def _next_attempt(self, partition: int, kind: str, game: str, version: int, now: float) -> int | None:
        """The number of the next attempt, noted, unless the one before waits in the queue or its time has not come."""
        key, field = self._key(partition, "attempts"), f"{game}:{DUE}" if kind == DUE else game
        before = Attempts(version=version, count=0, due=0.0)
        stored = cast("bytes | None", self._client.hget(key, field))
        if stored is not None and (noted := msgspec.json.decode(stored, type=Attempts)).version == version:
            before = noted
        if before.due > now or self._is_queued(job_id(kind, game, version, before.count)):
            return None
        count = before.count + 1
        due = now + min(PATIENCE * 2**count, MOST_PATIENCE)
        self._client.hset(key, field, msgspec.json.encode(Attempts(version=version, count=count, due=due)))
        return count

    def _put(self, owed: str, game: str, version: int, attempt: int = 0) -> None:
        job = steps.score if owed == "scoring" else steps.bot_turn
        options = {"fallback": True} if owed == "bot" and attempt >= FALL_BACK_AFTER else {}
        self._enqueue(job, (game, version), job_id(owed, game, version, attempt), options)

    def _enqueue(
        self, job: Callable[..., None], args: tuple[str, int], name: str, options: dict[str, Any] | None = None
    ) -> None:
        """Put a job, unless one of that name is there."""
        try:
            self.queue.enqueue_call(
                job, args=args, kwargs=options, job_id=name, result_ttl=0, failure_ttl=DAY, unique=True
            )
        except DuplicateJobError:
            LOG.debug("job %s is there already", name)

    def _is_queued(self, name: str) -> bool:
        try:
            return (
                Job.fetch(name, connection=self.queue.connection, serializer=JSONSerializer).get_status()
                == JobStatus.QUEUED
            )
        except NoSuchJobError:
            return False

    def _key(self, partition: int, part: str) -> str:
        return self._store.keys.shared(partition, part)


def job_id(owed: str, game: str, version: int, attempt: int) -> str:
    """The name of a job, one for each attempt: the queue refuses a second of the same name. `owed` may be `DUE`."""
    return f"{owed}-{game}-{version}-{attempt}"
