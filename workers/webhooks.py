"""Webhooks: events that somebody wants to be told of become deliveries, and each attempt at one is a job.

A delivery is due until something has become of it. Whoever puts a job for it holds it for a while; when nothing came of the
job by then, the sweep puts another. So a message is sent at least once, and always under the same id.
"""

import logging
import math
import random
import time
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, cast

import msgspec
from msgspec import Raw
from msgspec.structs import replace
from redis import Redis
from rq import Queue
from rq.exceptions import DuplicateJobError
from rq.serializers import JSONSerializer

from domain.errors import DomainError
from domain.table import Table
from events import deliveries, envelope
from events.codec import UnknownEvent
from events.deliveries import TEST, Deliveries, Delivery, Due
from events.draft import Session
from events.errors import NotFound, StoreUnavailable
from events.feed import START, Entry, Feed
from events.redaction import Reader, may_see
from events.sessions import Sessions
from events.settings import Settings
from events.store import connect
from events.targets import Policy
from events.webhooks import Subscription, Webhooks
from workers import steps
from workers.posting import Reply, post

LOG = logging.getLogger(__name__)

QUEUE = "webhooks"

DELAYS = (5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400)
"""Seconds before the second attempt and each one after: three days in all."""
JITTER = 0.2
"""The share of a delay that is left to chance, either way, so that receivers are not met by all at once."""

HOLD = 120.0
"""Seconds within which something should have become of a job."""
JOB_TIMEOUT = 60
"""Seconds after which a job is given up; a name may be long looked up."""
MOST_WAITING = 1000
"""Jobs in the queue beyond which no more are put: the deliveries stay due."""
LONGEST_REST = 300.0
"""Seconds for which a webhook rests at most whose receiver fails."""

GONE = 410


class Pusher:
    """The follower of the feed that writes deliveries down, and the sweep that hands out what is due."""

    def __init__(self, sessions: Sessions, queue_client: Redis) -> None:
        self._sessions = sessions
        self._client = sessions.store.client
        self._keys = sessions.store.keys
        self._webhooks = Webhooks(sessions.store)
        self._deliveries = Deliveries(sessions.store)
        self.feed = Feed(sessions.store)
        self.queue = queue_at(queue_client)

    def checkpoint(self, partition: int) -> str:
        """How far the feed of `partition` has been followed."""
        return (cast("bytes | None", self._client.get(self._key(partition))) or START.encode()).decode()

    def take(self, partition: int, entries: list[Entry], _checkpoint: str) -> str:
        """Write a delivery down for each webhook that wants to be told of what these entries tell; the new checkpoint."""
        if self._webhooks.are_any():
            self._tell(entries)
        self._client.set(self._key(partition), entries[-1].id)
        return entries[-1].id

    def sweep(self, partition: int, moment: float | None = None) -> int:
        """Put jobs for what is due in a partition; how many were put."""
        room = MOST_WAITING - self.queue.count
        dues = self._deliveries.due(partition, room, moment) if room > 0 else []
        return sum(self._again(due) for due in dues)

    def _tell(self, entries: list[Entry]) -> None:
        sessions = {game: self._loaded(game) for game in {entry.game for entry in entries}}
        tables = {game: session.position.table for game, session in sessions.items() if session is not None}
        interested = self._webhooks.subscribers({game: _players(table) for game, table in tables.items()})
        by_player = self._webhooks.of_players({player for players in interested.values() for player in players})
        for entry in entries:
            subscriptions = [
                one
                for player in sorted(interested.get(entry.game, ()))
                for one in by_player[player]
                if _concerns(one, tables[entry.game])
            ]
            if subscriptions:
                self._tell_of(entry, subscriptions)

    def _loaded(self, game: str) -> Session | None:
        """A game, None when it cannot be read: that is reported, and the others go on."""
        try:
            return self._sessions.load(game)
        except StoreUnavailable:
            raise
        except (DomainError, UnknownEvent, msgspec.MsgspecError, LookupError) as error:
            LOG.error("no webhook is told of game=%s, which cannot be read: %s", game, error)  # noqa: TRY400 - in one line
            return None

    def _tell_of(self, entry: Entry, subscriptions: list[Subscription]) -> None:
        for row in self._sessions.store.read(entry.game, entry.before, entry.version - entry.before):
            head = _HEAD.decode(row.line)
            for one in subscriptions:
                if one.wants(entry.game, head.type) and head.at >= one.webhook.created_at:
                    self._put(one, deliveries.of_event(one.webhook.id, head.type, entry.game, row.version))

    def _put(self, subscription: Subscription, delivery: Delivery) -> None:
        due, moment = Due(subscription.player, delivery.webhook, delivery.id), time.time()
        if self._deliveries.put(subscription.player, delivery, moment + HOLD):
            put_job(self.queue, due, attempt=0, at=None)

    def _again(self, due: Due) -> bool:
        """Put a job for a delivery that is due, and hold it."""
        try:
            delivery = self._deliveries.get(due.player, due.webhook, due.delivery)
        except NotFound:
            self._deliveries.forget(due)
            return False
        self._deliveries.hold(due, time.time() + HOLD)
        put_job(self.queue, due, attempt=delivery.attempts, at=None)
        return True

    def _key(self, partition: int) -> str:
        return self._keys.shared(partition, "webhooks:checkpoint")


class Courier:
    """Who makes the attempts."""

    def __init__(self, sessions: Sessions, queue: Queue, policy: Policy) -> None:
        self._sessions = sessions
        self._queue = queue
        self._policy = policy
        self._webhooks = Webhooks(sessions.store)
        self._deliveries = Deliveries(sessions.store)

    def deliver(self, due: Due, attempt: int) -> None:
        """Make one attempt at a delivery, unless it was made; when the receiver does not take it, the next is scheduled."""
        try:
            subscription = self._webhooks.get(due.player, due.webhook)
            delivery = self._deliveries.get(due.player, due.webhook, due.delivery)
        except NotFound:
            self._deliveries.forget(due)
            return
        if delivery.state != "waiting" or delivery.attempts != attempt:
            return
        if self._rests(due, delivery):
            return
        delivery = replace(delivery, attempts=attempt + 1)
        self._deliveries.change(due.player, delivery, time.time() + HOLD)
        try:
            body = self._body(due.player, delivery)
        except NotFound:
            self._end(due, replace(delivery, state="dead", failure="not-visible"))
            return
        reply = self._sent(subscription, delivery, body)
        self._note(due, subscription, replace(delivery, status=reply.status, failure=reply.failure), reply)

    def _rests(self, due: Due, delivery: Delivery) -> bool:
        """Put off what is new when the receiver has just failed."""
        until = self._deliveries.rests_until(due.player, due.webhook)
        if delivery.attempts or delivery.type == TEST or until <= time.time():
            return False
        self._later(due, delivery, until + random.uniform(0, 5))
        return True

    def _body(self, player: str, delivery: Delivery) -> bytes:
        """The message, as the player may read it now. Raises NotFound when they may not see the game (any more)."""
        if delivery.game is None or delivery.version is None:
            data: dict[str, Any] = {"webhook": delivery.webhook}
            return _ENCODER.encode({"type": delivery.type, "timestamp": delivery.created_at, "data": data})
        session, rows = self._sessions.load_with_events(delivery.game, delivery.version - 1, 1)
        if not rows or not may_see(session.position.table, player):
            raise NotFound
        event = Reader(session, player).line(rows[0])
        data = {"game": delivery.game, "version": delivery.version, "event": Raw(event)}
        return _ENCODER.encode({"type": delivery.type, "timestamp": envelope.decode(event).at, "data": data})

    def _sent(self, subscription: Subscription, delivery: Delivery, body: bytes) -> Reply:
        timestamp = int(time.time())
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "annales-webhooks/1",
            "webhook-id": delivery.id,
            "webhook-timestamp": str(timestamp),
            "webhook-signature": subscription.signatures(delivery.id, timestamp, body),
        }
        return post(subscription.webhook.url, body, headers, self._policy)

    def _note(self, due: Due, subscription: Subscription, delivery: Delivery, reply: Reply) -> None:
        """Write down what came of an attempt."""
        LOG.info("webhook=%s delivery=%s attempt=%s %s", due.webhook, due.delivery, delivery.attempts, _told(reply))
        if reply.is_taken:
            self._deliveries.wake(due.player, due.webhook)
            self._enable(subscription, enabled=True)
            self._end(due, replace(delivery, state="delivered"))
            return
        if reply.status == GONE:
            self._enable(subscription, enabled=False)
        self._deliveries.rest(due.player, due.webhook, rest_seconds)
        if reply.status == GONE or delivery.type == TEST or delivery.attempts > len(DELAYS):
            self._end(due, replace(delivery, state="dead"))
        else:
            self._later(due, delivery, time.time() + delay(delivery.attempts, random.uniform(-1, 1)))

    def _later(self, due: Due, delivery: Delivery, at: float) -> None:
        """Schedule the next attempt."""
        if self._deliveries.change(due.player, replace(delivery, next_at=deliveries.moment(at)), at + HOLD):
            put_job(self._queue, due, attempt=delivery.attempts, at=at)

    def _end(self, due: Due, delivery: Delivery) -> None:
        self._deliveries.change(due.player, replace(delivery, next_at=None))

    def _enable(self, subscription: Subscription, *, enabled: bool) -> None:
        """Note whether the receiver is there, when that is news."""
        if subscription.webhook.enabled != enabled:
            try:
                self._webhooks.enable(subscription.player, subscription.webhook.id, enabled)
            except NotFound:
                LOG.debug("webhook=%s is gone", subscription.webhook.id)


def deliver(player: str, webhook: str, delivery: str, attempt: int) -> None:
    """The job: one attempt at a delivery."""
    courier().deliver(Due(player, webhook, delivery), attempt)


@lru_cache(maxsize=1)
def courier() -> Courier:
    """The courier of this process, on the stores that the environment names."""
    settings = Settings.read()
    return Courier(steps.sessions(), queue_at(connect(settings.queue_url)), Policy.of(settings))


def queue_at(client: Redis) -> Queue:
    """The queue of the attempts, apart from that of the steps: receivers may be slow."""
    return Queue(QUEUE, connection=client, default_timeout=JOB_TIMEOUT, serializer=JSONSerializer)


def put_job(queue: Queue, due: Due, *, attempt: int, at: float | None) -> None:
    """Put the job for an attempt, now or `at` a moment (Unix seconds), unless there is one."""
    args = (due.player, due.webhook, due.delivery, attempt)
    moment = math.ceil(time.time() if at is None else at)
    name = f"webhook-{due.delivery}-{attempt}-{moment}"
    try:
        if at is None:
            queue.enqueue_call(deliver, args=args, job_id=name, result_ttl=0, failure_ttl=3600, unique=True)
        else:
            job = queue.create_job(deliver, args=args, job_id=name, result_ttl=0, failure_ttl=3600)
            queue.schedule_job(job, datetime.fromtimestamp(moment, UTC))
    except DuplicateJobError:
        LOG.debug("job %s is there already", name)


def delay(attempts: int, chance: float) -> float:
    """Seconds from the last of so many attempts to the next; `chance` from -1 to 1."""
    return DELAYS[attempts - 1] * (1 + JITTER * chance)


def rest_seconds(failures: int) -> float:
    """Seconds for which a webhook rests after so many failures in a row."""
    return float(min(5 * 2 ** min(failures - 1, 10), LONGEST_REST))


class _Head(msgspec.Struct):
    """What must be known of an event to say who wants it."""

    type: str
    at: str


_HEAD = msgspec.json.Decoder(_Head)
_ENCODER = msgspec.json.Encoder()


def _players(table: Table) -> set[str]:
    return {seat.player for seat in table.seats if seat.player is not None}


def _concerns(subscription: Subscription, table: Table) -> bool:
    """Whether a webhook is for this game, and its player may see it."""
    game, player = subscription.webhook.game, subscription.player
    own = game is None and player in _players(table)
    return (own or game == table.id) and may_see(table, player)


def _told(reply: Reply) -> str:
    return f"status={reply.status}" if reply.failure is None else f"failure={reply.failure}"
