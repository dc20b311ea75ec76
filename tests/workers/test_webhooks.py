"""Webhooks: events become deliveries, and deliveries attempts, until a message is taken or given up."""

import logging
import socket
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
from freezegun import freeze_time
from rq.job import Job
from rq.registry import ScheduledJobRegistry
from rq.serializers import JSONSerializer
from standardwebhooks.webhooks import WebhookVerificationError

from domain.table import CreateGame, MySeat
from domain.table.commands import BotSeat, JoinGame, OpenSeat
from events.deliveries import MOST_KEPT, Deliveries, Delivery, Due, of_event, of_test
from events.errors import NotFound
from events.sessions import Sessions
from events.store import connect
from events.targets import Policy
from events.webhooks import OVERLAP, Subscription, Webhooks
from tests.support.logged import hot_seat
from tests.support.receiver import Receiver, receiving
from tests.support.stored import StoredGame
from tests.support.toy import Add, Finish, Peek
from workers import posting
from workers.policies import QUEUE as STEPS
from workers.posting import post
from workers.run import Pool
from workers.webhooks import DELAYS, HOLD, JITTER, LONGEST_REST, Courier, Pusher, delay, put_job, rest_seconds
from workers.webhooks import QUEUE as WEBHOOKS

LOCAL = Policy(plain_http=True, private=True)


class Desk:
    """All that webhooks are made of, with the worker's part done by the test."""

    def __init__(self, sessions: Sessions, url: str) -> None:
        self.sessions = sessions
        self.webhooks = Webhooks(sessions.store)
        self.deliveries = Deliveries(sessions.store)
        self.pusher = Pusher(sessions, connect(url))
        self.queue = self.pusher.queue
        self.courier = Courier(sessions, self.queue, LOCAL)

    def follow(self) -> None:
        feed = self.pusher.feed
        for partition in feed.partitions:
            position = self.pusher.checkpoint(partition)
            while entries := feed.read({partition: position}).get(partition):
                position = self.pusher.take(partition, entries, position)

    def sweep(self, moment: float | None = None) -> int:
        return sum(self.pusher.sweep(partition, moment) for partition in self.pusher.feed.partitions)

    def work(self) -> int:
        """Do the jobs that are in the queue now; how many there were."""
        names = self.queue.job_ids
        for name in names:
            job = self.job(name)
            player, webhook, delivery, attempt = job.args
            job.delete()
            self.courier.deliver(Due(player, webhook, delivery), attempt)
        return len(names)

    def job(self, name: str) -> Job:
        return Job.fetch(name, connection=self.queue.connection, serializer=JSONSerializer)

    def scheduled(self) -> list[str]:
        registry = ScheduledJobRegistry(queue=self.queue)  # type: ignore[no-untyped-call]
        names: list[str] = registry.get_job_ids()
        return names

    def sent(self) -> None:
        self.follow()
        self.work()

    def of(self, one: Subscription) -> list[Delivery]:
        """The deliveries of a webhook, the oldest first."""
        return sorted(self.deliveries.every(one.player, one.webhook.id), key=lambda each: each.version or 0)

    def only(self, one: Subscription) -> Delivery:
        (found,) = self.of(one)
        return found

    def attempt(self, one: Subscription) -> Delivery:
        """One more attempt at the only delivery, whenever it is due."""
        delivery = self.only(one)
        self.courier.deliver(Due(one.player, one.webhook.id, delivery.id), delivery.attempts)
        return self.only(one)


@pytest.fixture
def desk(sessions: Sessions, store_url: str) -> Desk:
    return Desk(sessions, store_url)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as made:
        yield made


@pytest.fixture
def ada(desk: Desk, receiver: Receiver) -> Subscription:
    """A webhook of Ada's for all her games."""
    return desk.webhooks.make("ada", receiver.url, None, None)


def versions(receiver: Receiver) -> list[int]:
    return [got.message["data"]["version"] for got in receiver.got]


def with_bob(sessions: Sessions, **choices: Any) -> StoredGame:
    game = StoredGame.create(sessions, CreateGame(ruleset="toy", seats=(MySeat(), OpenSeat()), **choices))
    game.give(JoinGame(seat=1), player="bob")
    return game


# What is told


def test_every_event_is_sent_once_and_the_official_library_verifies_it(
    desk: Desk, sessions: Sessions, receiver: Receiver, ada: Subscription
) -> None:
    game = StoredGame.create(sessions, hot_seat("toy"))
    game.give(Add(points=2), 0)
    desk.sent()
    assert sorted(versions(receiver)) == list(range(1, game.version + 1))
    assert len({got.id for got in receiver.got}) == game.version
    for got in receiver.got:
        message, line = got.verified(ada.secret), game.lines()[got.message["data"]["version"] - 1]
        event = msgspec.json.decode(line)
        assert message["type"] == event["type"]
        assert message["timestamp"] == event["at"]
        assert message["data"]["game"] == game.id
        assert message["data"]["event"].keys() == event.keys()
        assert got.headers["content-type"] == "application/json"
    assert {one.state for one in desk.of(ada)} == {"delivered"}
    assert {one.status for one in desk.of(ada)} == {204}
    desk.sent()
    assert len(receiver.got) == game.version
    assert receiver.asked[0] == "/hook?token=abc"


def test_the_wrong_secret_verifies_nothing(
    desk: Desk, sessions: Sessions, receiver: Receiver, ada: Subscription
) -> None:
    StoredGame.create(sessions, hot_seat("toy"))
    desk.sent()
    other = desk.webhooks.make("ada", receiver.url, None, None)
    with pytest.raises(WebhookVerificationError):
        receiver.got[0].verified(other.secret)


def test_what_was_followed_twice_is_sent_once(
    desk: Desk, sessions: Sessions, receiver: Receiver, ada: Subscription
) -> None:
    game = StoredGame.create(sessions, hot_seat("toy"))
    for partition in desk.pusher.feed.partitions:
        if entries := desk.pusher.feed.read({partition: "0-0"}).get(partition):
            desk.pusher.take(partition, entries, "0-0")
            desk.pusher.take(partition, entries, "0-0")
    desk.work()
    assert sorted(versions(receiver)) == list(range(1, game.version + 1))


def test_a_secret_is_sent_to_its_owner_alone(desk: Desk, sessions: Sessions, receiver: Receiver) -> None:
    desk.webhooks.make("ada", receiver.url, None, ["toy.peeked"])
    desk.webhooks.make("bob", receiver.url, None, ["toy.peeked"])
    game = with_bob(sessions)
    desk.sent()
    game.give(Peek(), 0)
    desk.sent()
    told = {"data" in got.message["data"]["event"]["private"][0] for got in receiver.got}
    assert receiver.types == ["toy.peeked", "toy.peeked"]
    assert told == {True, False}


def test_only_the_types_that_were_asked_for_are_sent(desk: Desk, sessions: Sessions, receiver: Receiver) -> None:
    desk.webhooks.make("ada", receiver.url, None, ["toy.added"])
    game = StoredGame.create(sessions, hot_seat("toy"))
    game.give(Add(points=1), 0)
    desk.sent()
    assert receiver.types == ["toy.added"]


def test_a_webhook_of_one_game_tells_of_no_other_and_a_spectator_may_have_one(
    desk: Desk, sessions: Sessions, receiver: Receiver
) -> None:
    game = with_bob(sessions)
    desk.webhooks.make("eve", receiver.url, game.id, ["toy.added"])
    desk.webhooks.make("eve", receiver.url, None, None)
    other = with_bob(sessions)
    for one in (game, other):
        one.give(Add(points=1), 0)
    desk.sent()
    assert [got.message["data"]["game"] for got in receiver.got] == [game.id]


def test_nobody_is_told_of_a_private_game_that_they_may_not_see(
    desk: Desk, sessions: Sessions, receiver: Receiver
) -> None:
    game = with_bob(sessions, visibility="private")
    one = desk.webhooks.make("eve", receiver.url, game.id, None)
    game.give(Add(points=1), 0)
    desk.sent()
    assert (receiver.got, desk.of(one)) == ([], [])


def test_a_delivery_whose_game_was_closed_to_its_player_meanwhile_is_not_sent(
    desk: Desk, sessions: Sessions, receiver: Receiver
) -> None:
    game = with_bob(sessions, visibility="private")
    one = desk.webhooks.make("eve", receiver.url, None, None)
    delivery = of_event(one.webhook.id, "toy.added", game.id, game.version)
    desk.deliveries.put("eve", delivery, 0)
    desk.sweep()
    desk.work()
    assert receiver.got == []
    assert (desk.only(one).state, desk.only(one).failure) == ("dead", "not-visible")


def test_what_happened_before_a_webhook_was_made_is_not_sent(
    desk: Desk, sessions: Sessions, receiver: Receiver
) -> None:
    with freeze_time(timedelta(hours=-1) + _now()):
        StoredGame.create(sessions, hot_seat("toy"))
    desk.webhooks.make("ada", receiver.url, None, None)
    desk.sent()
    assert receiver.got == []


def test_once_a_game_is_over_everything_in_it_is_told(desk: Desk, sessions: Sessions, receiver: Receiver) -> None:
    game = with_bob(sessions)
    desk.webhooks.make("bob", receiver.url, None, ["toy.peeked", "table.seed_revealed"])
    game.give(Peek(), 0)
    game.give(Finish(), 0)
    desk.sent()
    assert set(receiver.types) == {"toy.peeked", "table.seed_revealed"}
    assert all("data" in part for got in receiver.got for part in got.message["data"]["event"]["private"])


def test_while_nobody_has_a_webhook_nothing_is_written(desk: Desk, sessions: Sessions) -> None:
    StoredGame.create(sessions, hot_seat("toy"))
    desk.follow()
    assert not list(sessions.store.client.scan_iter("*webhook:*"))
    assert desk.queue.job_ids == []


def test_a_game_that_cannot_be_read_stops_no_other(
    desk: Desk, sessions: Sessions, receiver: Receiver, ada: Subscription
) -> None:
    broken, good = (StoredGame.create(sessions, hot_seat("toy")) for _ in range(2))
    broken.client.hset(sessions.store.keys.game(broken.id, "state"), mapping={"t": "nonsense", "h": "changed"})
    desk.sent()
    assert {got.message["data"]["game"] for got in receiver.got} == {good.id}


# Secrets


def test_a_secret_that_was_replaced_signs_for_a_day_more(
    desk: Desk, sessions: Sessions, receiver: Receiver, ada: Subscription
) -> None:
    renewed = desk.webhooks.rotate("ada", ada.webhook.id)
    assert renewed.secret != ada.secret
    StoredGame.create(sessions, CreateGame(ruleset="toy", seats=(MySeat(), OpenSeat())))
    desk.sent()
    assert receiver.got[0].verified(ada.secret) == receiver.got[0].verified(renewed.secret)
    with freeze_time(timedelta(seconds=OVERLAP + 1) + _now()):
        assert len(renewed.signatures("m", 0, b"").split()) == 1
    assert len(renewed.signatures("m", 0, b"").split()) == 2


def test_no_log_line_holds_a_secret_or_an_address(
    desk: Desk, sessions: Sessions, receiver: Receiver, ada: Subscription, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    receiver.status = 500
    StoredGame.create(sessions, hot_seat("toy"))
    desk.sent()
    assert "status=500" in caplog.text
    assert ada.secret not in caplog.text
    assert "token=abc" not in caplog.text


# Attempts


@pytest.fixture
def failing(desk: Desk, receiver: Receiver, ada: Subscription) -> Subscription:
    """A webhook with one delivery, which nobody takes."""
    receiver.status = 503
    game = StoredGame.create(desk.sessions, CreateGame(ruleset="toy", seats=(MySeat(), OpenSeat())))
    assert game.version == 1
    desk.sent()
    return ada


def test_a_message_that_is_not_taken_is_scheduled_again_under_its_id(
    desk: Desk, receiver: Receiver, failing: Subscription
) -> None:
    waiting = desk.only(failing)
    assert (waiting.state, waiting.attempts, waiting.status) == ("waiting", 1, 503)
    assert waiting.next_at is not None
    (name,) = desk.scheduled()
    assert desk.job(name).args == ["ada", failing.webhook.id, waiting.id, 1]
    assert desk.job(name).func_name == "workers.webhooks.deliver"
    receiver.status = 200
    assert desk.attempt(failing).state == "delivered"
    assert len({got.id for got in receiver.got}) == 1
    assert len(receiver.got) == 2


def test_after_three_days_of_attempts_a_message_is_a_dead_letter_that_can_be_replayed(
    desk: Desk, receiver: Receiver, failing: Subscription
) -> None:
    for attempts in range(2, len(DELAYS) + 1):
        assert (desk.attempt(failing).state, desk.only(failing).attempts) == ("waiting", attempts)
    dead = desk.attempt(failing)
    assert (dead.state, dead.attempts, dead.next_at) == ("dead", len(DELAYS) + 1, None)
    assert desk.sweep(2**32) == 0
    receiver.status = 204
    desk.deliveries.replay("ada", failing.webhook.id, dead.id)
    assert desk.sweep() == 1
    desk.work()
    assert desk.only(failing).state == "delivered"
    assert {got.id for got in receiver.got} == {dead.id}


def test_the_delays_make_three_days_and_are_spread_by_chance() -> None:
    assert 2.5 * 86_400 < sum(DELAYS) < 4 * 86_400
    assert list(DELAYS) == sorted(DELAYS)
    assert delay(1, 0) == DELAYS[0]
    assert delay(2, 1) == DELAYS[1] * (1 + JITTER)
    assert delay(2, -1) == DELAYS[1] * (1 - JITTER)


def test_a_job_that_was_made_for_an_earlier_attempt_does_nothing(
    desk: Desk, receiver: Receiver, failing: Subscription
) -> None:
    desk.courier.deliver(Due("ada", failing.webhook.id, desk.only(failing).id), 0)
    assert len(receiver.got) == 1


def test_what_is_new_waits_while_the_receiver_has_just_failed(
    desk: Desk, receiver: Receiver, failing: Subscription
) -> None:
    receiver.status = 204
    StoredGame.create(desk.sessions, CreateGame(ruleset="toy", seats=(MySeat(), OpenSeat())))
    desk.sent()
    assert len(receiver.got) == 1
    assert sorted(one.attempts for one in desk.of(failing)) == [0, 1]
    assert len(desk.scheduled()) == 2
    with freeze_time(timedelta(minutes=10) + _now()):
        assert desk.sweep() == 2
        desk.work()
    assert {one.state for one in desk.of(failing)} == {"delivered"}
    assert [rest_seconds(failures) for failures in (1, 2, 3)] == [5, 10, 20]
    assert rest_seconds(10**6) == LONGEST_REST


def test_a_receiver_that_is_gone_is_told_nothing_more_until_it_takes_a_test(
    desk: Desk, receiver: Receiver, ada: Subscription
) -> None:
    receiver.status = 410
    game = StoredGame.create(desk.sessions, CreateGame(ruleset="toy", seats=(MySeat(), OpenSeat())))
    desk.sent()
    assert desk.only(ada).state == "dead"
    assert not desk.webhooks.get("ada", ada.webhook.id).webhook.enabled
    game.give(JoinGame(seat=1), player="bob")
    desk.sent()
    assert len(receiver.got) == 1
    receiver.status = 200
    test = of_test(ada.webhook.id, "e" * 24)
    desk.deliveries.put("ada", test, 0)
    desk.sweep()
    desk.work()
    assert receiver.got[-1].verified(ada.secret) == {
        "type": "webhook.test",
        "timestamp": test.created_at,
        "data": {"webhook": ada.webhook.id},
    }
    assert desk.webhooks.get("ada", ada.webhook.id).webhook.enabled


def test_a_job_that_was_lost_is_put_again(desk: Desk, receiver: Receiver, ada: Subscription) -> None:
    StoredGame.create(desk.sessions, CreateGame(ruleset="toy", seats=(MySeat(), OpenSeat())))
    desk.follow()
    for name in desk.queue.job_ids:
        desk.job(name).delete()
    assert desk.sweep() == 0
    with freeze_time(timedelta(seconds=HOLD + 1) + _now()):
        assert desk.sweep() == 1
        assert desk.sweep() == 0
    desk.work()
    assert desk.only(ada).state == "delivered"


def test_a_job_is_put_once_for_a_moment(desk: Desk) -> None:
    with freeze_time(_now()):
        for at in (None, None):
            put_job(desk.queue, Due("ada", "w", "d"), attempt=0, at=at)
    assert len(desk.queue.job_ids) == 1


def test_a_long_queue_is_not_made_longer(desk: Desk, ada: Subscription, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workers.webhooks.MOST_WAITING", 0)
    desk.deliveries.put("ada", of_test(ada.webhook.id, "e" * 24), 0)
    assert desk.sweep() == 0


def test_a_webhook_that_was_deleted_is_told_nothing_and_leaves_nothing(
    desk: Desk, sessions: Sessions, receiver: Receiver, ada: Subscription
) -> None:
    StoredGame.create(sessions, CreateGame(ruleset="toy", seats=(MySeat(), OpenSeat())))
    desk.follow()
    desk.webhooks.remove("ada", ada.webhook.id)
    desk.work()
    assert receiver.got == []
    with freeze_time(timedelta(days=9) + _now()):
        assert desk.sweep() == 0
    assert not list(sessions.store.client.scan_iter("*webhook:*"))
    assert not list(sessions.store.client.scan_iter("*webhooks:due"))
    assert not desk.deliveries.put("ada", of_test(ada.webhook.id, "e" * 24), 0)
    with pytest.raises(NotFound):
        desk.webhooks.enable("ada", ada.webhook.id, enabled=True)


def test_what_is_due_of_a_webhook_that_is_gone_is_forgotten_by_the_sweep(desk: Desk, ada: Subscription) -> None:
    desk.deliveries.put("ada", of_test(ada.webhook.id, "e" * 24), 0)
    desk.webhooks.erase("ada")
    assert desk.sweep() == 0
    assert all(not desk.deliveries.due(partition, 10) for partition in desk.pusher.feed.partitions)


def test_of_very_many_deliveries_the_oldest_make_room(desk: Desk, ada: Subscription) -> None:
    first = of_test(ada.webhook.id, f"{0:024x}")
    desk.deliveries.put("ada", first, 0)
    with freeze_time(timedelta(seconds=1) + _now()):
        for number in range(1, MOST_KEPT + 1):
            desk.deliveries.put("ada", of_test(ada.webhook.id, f"{number:024x}"), 0)
    assert len(desk.of(ada)) == MOST_KEPT
    with pytest.raises(NotFound):
        desk.deliveries.get("ada", ada.webhook.id, first.id)
    due = [due for partition in desk.pusher.feed.partitions for due in desk.deliveries.due(partition, 10_000)]
    assert len(due) == MOST_KEPT


class IdlePool(Pool):
    """A pool whose workers are threads that have ended; `served` are the queues of each."""

    def get_worker_process(self, name: str, *_: Any, **__: Any) -> Any:
        self.served = [*getattr(self, "served", []), list(self._queue_names)]
        worker: Any = threading.Thread(name=name)
        worker.pid = len(self.served)
        return worker


def test_one_worker_of_a_pool_sends_webhooks_and_is_replaced_when_it_dies(store_url: str) -> None:
    pool = IdlePool([STEPS, WEBHOOKS], connection=connect(store_url), num_workers=3)
    pool.start_workers()  # type: ignore[no-untyped-call,unused-ignore]
    assert sorted(pool.served) == [[STEPS], [STEPS], [WEBHOOKS]]
    assert pool.courier is not None
    del pool.worker_dict[pool.courier]
    pool.start_worker()
    assert pool.served[3] == [WEBHOOKS]
    del pool.worker_dict[next(name for name in pool.worker_dict if name != pool.courier)]
    pool.start_worker()
    assert pool.served[4] == [STEPS]


# Targets


@pytest.mark.parametrize(
    "address", ["10.1.2.3", "169.254.169.254", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "224.0.0.1", "240.0.0.1"]
)
def test_a_name_that_leads_to_a_private_address_is_not_connected_to(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [(family, socket.SOCK_STREAM, 6, "", (address, 80))])
    reply = post("http://innocent.example/", b"{}", {}, Policy(plain_http=True))
    assert (reply.status, reply.failure) == (None, "refused-address")


def test_the_connection_is_made_to_the_very_address_that_was_looked_at(
    monkeypatch: pytest.MonkeyPatch, receiver: Receiver
) -> None:
    asked: list[Any] = []
    looked_at: list[str] = []

    def once(*names: Any, **_: Any) -> list[Any]:
        asked.append(names)
        return [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.1", receiver.port)),
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", receiver.port)),
        ]

    def public(_: Policy, address: str) -> bool:
        looked_at.append(address)
        return address == "127.0.0.1"

    monkeypatch.setattr(socket, "getaddrinfo", once)
    monkeypatch.setattr(Policy, "allows", public)
    assert post("http://rebound.example/", b"{}", {}, Policy(plain_http=True)).is_taken
    assert (len(asked), looked_at) == (1, ["10.0.0.1", "127.0.0.1"])
    assert receiver.got[0].headers["host"] == "rebound.example"


def test_a_redirect_is_not_followed(receiver: Receiver) -> None:
    receiver.status, receiver.headers = 302, {"Location": receiver.url, "Content-Length": "0"}
    reply = post(receiver.url, b"{}", {}, LOCAL)
    assert (reply.status, reply.is_taken, len(receiver.got)) == (302, False, 1)


def test_an_address_that_may_be_a_target_no_longer_is_not_sent_to(receiver: Receiver) -> None:
    assert post(receiver.url, b"{}", {}, Policy()).failure == "refused-target"
    assert receiver.got == []


def speaking(answer: Callable[[socket.socket], None]) -> tuple[str, threading.Thread, socket.socket]:
    """The address of somebody who accepts one connection and answers in their own way."""
    listening = socket.create_server(("127.0.0.1", 0))

    def run() -> None:
        with listening.accept()[0] as line:
            answer(line)

    thread = threading.Thread(target=run)
    thread.start()
    return f"http://127.0.0.1:{listening.getsockname()[1]}/", thread, listening


def dripping(line: socket.socket) -> None:
    """An answer without end, a byte at a time."""
    line.settimeout(30)
    try:
        line.sendall(b"HTTP/1.1 200 OK\r\nX: ")
        for _ in range(3000):
            line.sendall(b"x")
            threading.Event().wait(0.01)
    except OSError:
        return


def silent(line: socket.socket) -> None:
    line.settimeout(30)
    while line.recv(4096):
        pass


def babbling(line: socket.socket) -> None:
    line.settimeout(30)
    try:
        line.sendall(b"HTTP/1.1 200 OK\r\n" + b"X: " + b"x" * 10_000_000 + b"\r\n\r\n")
    except OSError:
        return


def strange(line: socket.socket) -> None:
    request = b""
    while not request.endswith(b"{}"):
        request += line.recv(4096)
    line.sendall(b"220 mail.example ESMTP\r\n")


@pytest.mark.parametrize(
    ("answer", "failure"),
    [(dripping, "timeout"), (silent, "timeout"), (babbling, "bad-answer"), (strange, "bad-answer")],
)
def test_an_answer_is_bounded_in_time_and_size(
    monkeypatch: pytest.MonkeyPatch, answer: Callable[[socket.socket], None], failure: str
) -> None:
    monkeypatch.setattr(posting, "STEP_SECONDS", 1.0)
    monkeypatch.setattr(posting, "ALL_SECONDS", 2.0)
    url, thread, listening = speaking(answer)
    try:
        reply = post(url, b"{}", {}, LOCAL)
    finally:
        thread.join()
        listening.close()
    assert (reply.status, reply.failure) == (None, failure)


def test_who_is_not_there_and_who_speaks_no_tls_are_said_so(
    monkeypatch: pytest.MonkeyPatch, receiver: Receiver
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    assert post(f"http://127.0.0.1:{port}/", b"{}", {}, LOCAL).failure == "no-connection"
    assert post(f"https://127.0.0.1:{receiver.port}/", b"{}", {}, LOCAL).failure == "bad-tls"

    def unknown(*_: Any, **__: Any) -> None:
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    assert post("https://nobody.example/", b"{}", {}, LOCAL).failure == "unknown-host"


def test_a_bot_s_game_is_told_to_its_creator(desk: Desk, sessions: Sessions, receiver: Receiver) -> None:
    desk.webhooks.make("ada", receiver.url, None, ["table.game_started"])
    StoredGame.create(sessions, CreateGame(ruleset="toy", seats=(MySeat(), BotSeat("random"))))
    desk.sent()
    assert receiver.types == ["table.game_started"]


def _now() -> datetime:
    return datetime.now(UTC)
