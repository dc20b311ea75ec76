"""The life of a command: against the store, with keys, versions, batches, dry runs, and looking back."""

import random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.errors import BadCommand, DomainError, NotAllowed, RuleViolation, WrongMoment
from domain.table import BotSeat, CreateGame, ForkGame, MySeat, OpenSeat, Order
from domain.table.commands import JoinGame, LeaveGame, RequestUndo
from events import audit
from events.draft import Session
from events.errors import KeyReused, NotFound, VersionMismatch
from events.sessions import Key, Outcome, Sessions, snapshot_of
from events.store import MILESTONE_EVERY
from tests.support.logged import RULESETS, hot_seat
from tests.support.stored import StoredGame, everything
from tests.support.toy import Add, Call, Finish, Flip, Peek

START = 3


def key(name: str, request: object = "body", caller: str = "ada", scope: str = "game") -> Key:
    return Key.of(caller, scope, name, request)


def versions(outcome: Outcome) -> bytes:
    """An answer that shows how the game stood."""
    return f"version {outcome.session.version}, {[event.type for event in outcome.events]}".encode()


@pytest.fixture
def game(sessions: Sessions) -> StoredGame:
    return StoredGame.create(sessions, hot_seat("toy"))


# Commands and keys


def test_an_accepted_command_answers_with_its_events_and_the_game_after_it(game: StoredGame) -> None:
    outcome = game.give(Add(points=2), 1, render=versions)
    assert outcome.answer == b"version 4, ['toy.added']"
    assert not outcome.replayed
    assert outcome.session.position == game.session.position
    assert outcome.session.head == outcome.events[-1].digest


def test_a_stored_answer_is_given_again_byte_for_byte_however_the_game_has_moved(game: StoredGame) -> None:
    first = game.give(Add(points=1), 0, key=key("k"), render=versions)
    game.give(Add(points=5), 1)
    again = game.give(Add(points=1), 0, key=key("k"), expected=START, render=lambda _: b"another answer")
    assert again.answer == first.answer
    assert again.replayed
    assert again.events == ()
    assert again.session.version == game.version == START + 2


def test_a_stored_answer_is_given_even_to_who_has_lost_the_right_to_ask(sessions: Sessions) -> None:
    game = StoredGame.create(sessions, CreateGame(ruleset="toy", seats=(MySeat(), OpenSeat(), OpenSeat())))
    game.give(JoinGame(seat=1), player="bob")
    first = game.give(LeaveGame(), 1, key=key("leave"), render=versions)

    def no_longer(_: Session) -> list[Order]:
        raise NotAllowed("forbidden", "No seat any more.")

    again = sessions.handle(game.id, no_longer, key("leave"))
    assert (again.answer, again.replayed) == (first.answer, True)


def test_a_key_that_comes_back_with_another_body_is_refused(game: StoredGame) -> None:
    game.give(Add(points=1), 0, key=key("k", "one"))
    with pytest.raises(KeyReused):
        game.give(Add(points=2), 0, key=key("k", "two"))
    assert game.version == START + 1


def test_a_key_belongs_to_its_caller_and_to_its_game(game: StoredGame) -> None:
    ids = {key("k").id, key("k", caller="bob").id, key("k", scope="other").id, key("l").id}
    assert len(ids) == 4
    assert key("k", "one").id == key("k", "two").id
    game.give(Add(points=1), 0, key=key("k"))
    game.give(Add(points=1), 0, key=key("k", caller="bob"))
    assert game.version == START + 2


def test_a_refusal_stores_nothing_and_is_judged_anew(game: StoredGame) -> None:
    before = everything(game.sessions)
    with pytest.raises(RuleViolation):
        game.give(Add(points=9), 0, key=key("k"))
    assert everything(game.sessions) == before
    game.give(Add(points=1), 0, key=key("k"))


def test_a_command_for_a_version_is_refused_when_the_game_has_moved_on(game: StoredGame) -> None:
    game.give(Add(points=1), 0, expected=START)
    before = everything(game.sessions)
    with pytest.raises(VersionMismatch) as refusal:
        game.give(Add(points=1), 0, expected=START)
    assert (refusal.value.expected, refusal.value.current) == (START, START + 1)
    assert everything(game.sessions) == before


def test_what_may_not_be_seen_is_said_before_what_has_moved(game: StoredGame) -> None:
    """Rights come before the key, the key before the version, the version before the rules."""

    def orders(refusal: DomainError | None) -> Any:
        def given(_: Session) -> list[Order]:
            if refusal is not None:
                raise refusal
            return [Order(command=Add(points=9), actor="player", seat=0, player="ada")]

        return given

    game.give(Add(points=1), 0, key=key("k", "one"))
    with pytest.raises(NotAllowed):
        game.sessions.handle(game.id, orders(NotAllowed("forbidden", "No.")), key("k", "two"), expected=1)
    with pytest.raises(KeyReused):
        game.sessions.handle(game.id, orders(None), key("k", "two"), expected=1)
    with pytest.raises(VersionMismatch):
        game.sessions.handle(game.id, orders(None), key("l"), expected=1)
    with pytest.raises(RuleViolation):
        game.sessions.handle(game.id, orders(None), key("l"), expected=START + 1)


def test_a_game_that_is_not_there_is_not_found(sessions: Sessions) -> None:
    missing = StoredGame(sessions, "nobody")
    for attempt in (
        lambda: missing.give(Add(points=1), 0),
        lambda: missing.dry(Add(points=1), 0),
        lambda: sessions.load("nobody"),
        lambda: sessions.fold("nobody"),
        lambda: sessions.at("nobody", 1),
        lambda: sessions.fork(ForkGame(game="nobody", at=1), "ada", Key.own(), versions),
    ):
        with pytest.raises(NotFound):
            attempt()


def test_games_that_are_not_there_are_left_out_of_many(game: StoredGame) -> None:
    loaded = game.sessions.load_many(["nobody", game.id])
    assert [session.id for session in loaded] == [game.id]
    assert loaded[0].position == game.session.position


# Creating


def test_creating_with_a_key_makes_one_game_and_answers_the_same_again(sessions: Sessions) -> None:
    def commitment(outcome: Outcome) -> bytes:
        return outcome.session.position.table.commitment.encode()

    first, again = (sessions.create(hot_seat("toy"), "ada", key("new"), commitment) for _ in "ab")
    assert again.answer == first.answer == first.session.position.table.commitment.encode()
    assert (first.replayed, again.replayed) == (False, True)
    assert again.session.position == first.session.position == sessions.load(first.session.id).position
    with pytest.raises(KeyReused):
        sessions.create(hot_seat("toy", 3), "ada", key("new", "other"), commitment)


def test_once_its_answer_has_expired_creating_again_finds_the_game(sessions: Sessions) -> None:
    first = sessions.create(hot_seat("toy"), "ada", key("new"), versions)
    sessions.store.client.delete(sessions.store.keys.game(first.session.id, f"answer:{key('new').id}"))
    again = sessions.create(hot_seat("toy"), "ada", key("new"), versions)
    assert again.session.position == first.session.position
    assert again.events == ()


def test_each_game_has_a_seed_of_its_own_in_no_state_and_no_snapshot(sessions: Sessions) -> None:
    games = [StoredGame.create(sessions, hot_seat("toy")) for _ in range(3)]
    seeds = {sessions.seed(game.id) for game in games}
    assert {len(seed) for seed in seeds} == {32}
    assert len(seeds) == 3
    for game in games:
        seed = sessions.seed(game.id).hex().encode()
        keys = everything(sessions, f"*{game.id}*")
        holders = [name for name, value in keys.items() if seed in repr(value).encode()]
        assert holders == [sessions.store.keys.game(game.id, "events").encode()]
        assert sum(seed in line for line in game.lines()) == 1


# Batches


def test_a_batch_is_one_append(game: StoredGame) -> None:
    outcome = game.batch([(Add(points=1), 0, None), (Add(points=2), 1, None)], key=key("k"))
    assert [event.version for event in outcome.events] == [START + 1, START + 2]
    assert [event.command.id for event in outcome.events] == [f"{key('k').id}.0", f"{key('k').id}.1"]
    assert len({event.at for event in outcome.events}) == 1


def test_a_batch_points_at_the_command_that_was_refused_and_changes_nothing(game: StoredGame) -> None:
    before = everything(game.sessions)
    with pytest.raises(RuleViolation) as refusal:
        game.batch([(Add(points=1), 0, None), (Add(points=9), 0, None)])
    assert refusal.value.pointer == "/commands/1/data/points"
    with pytest.raises(WrongMoment) as crossed:
        game.batch([(Flip(), 0, None), (Add(points=1), 0, None)])
    assert (crossed.value.code, crossed.value.pointer) == ("batch-crosses-reveal", "/commands/1")
    assert everything(game.sessions) == before


def test_each_command_of_a_batch_may_be_made_of_the_game_as_the_others_leave_it(game: StoredGame) -> None:
    seen: list[int] = []

    def one_more(session: Session) -> Order:
        seen.append(session.version)
        return Order(command=Add(points=1), actor="player", seat=0, player="ada")

    game.sessions.handle(game.id, lambda _: [one_more, one_more], Key.own())
    assert seen == [START, START + 1]


def test_a_batch_may_undo_what_was_done_before_it_and_within_it(game: StoredGame) -> None:
    game.give(Add(points=4), 0)
    game.batch(
        [
            (Add(points=3), 0, None),
            (RequestUndo(to_version=START + 1), 0, None),
            (RequestUndo(to_version=START), 0, None),
            (Add(points=1), 0, None),
        ]
    )
    assert game.state.totals == (1, 0)
    assert game.sessions.fold(game.id).position == game.session.position


# Dry runs


def test_a_dry_run_shows_the_events_and_stores_nothing(game: StoredGame) -> None:
    before = everything(game.sessions)
    outcome = game.dry(Add(points=2), 0)
    assert outcome.complete
    assert [(event.type, event.version) for event in outcome.events] == [("toy.added", START + 1)]
    assert msgspec.json.decode(outcome.events[0].data) == {"seat": 0, "points": 2}
    assert everything(game.sessions) == before


@pytest.mark.parametrize(
    ("command", "last", "data"),
    [
        (Flip(), "toy.flipped", {"seat": 0, "card": None}),
        (Peek(), "toy.peeked", {"seat": 0}),
        (Finish(), "table.seed_revealed", {"seed": None, "board_digest": None, "view_schema": 3}),
    ],
)
def test_a_dry_run_ends_with_the_first_event_that_nobody_can_know(
    game: StoredGame, command: Any, last: str, data: dict[str, Any]
) -> None:
    outcome = game.dry(command, 0)
    assert not outcome.complete
    event = outcome.events[-1]
    assert event.type == last
    assert msgspec.json.decode(event.data) == data
    assert (event.private_digest, event.prev, event.digest) == (None, "", "")
    assert all(not part.is_open and part.digest == "" for part in event.private)


def test_a_dry_run_refuses_like_the_command_itself(game: StoredGame) -> None:
    with pytest.raises(RuleViolation):
        game.dry(Add(points=9), 0)
    with pytest.raises(VersionMismatch):
        game.sessions.try_out(game.id, lambda _: [], expected=1)


# Steps of the service


def test_an_owed_step_is_taken_at_its_version_once(game: StoredGame) -> None:
    game.give(Call(), 0)
    assert game.sessions.take_owed(game.id, START) is None
    outcome = game.sessions.take_owed(game.id, START + 1)
    assert outcome is not None
    assert outcome.events[-1].type == "toy.settled"
    assert game.sessions.take_owed(game.id, START + 1) is None
    assert game.sessions.take_owed(game.id, START + 2) is None
    assert game.version == START + 2


def test_what_is_not_due_yet_is_not_done(game: StoredGame) -> None:
    assert game.sessions.take_due(game.id, START) is None
    assert game.sessions.take_due(game.id, START - 1) is None


# Looking back


def test_the_game_at_every_version_is_the_fold_of_its_log_that_far(sessions: Sessions) -> None:
    for ruleset in RULESETS.by_id:
        rng = random.Random(7)
        game = StoredGame.create(sessions, hot_seat(ruleset))
        stands = {game.version: game.session}
        for _ in range(60):
            session = game.session
            steps = session.position.table.line.steps
            if steps and rng.random() < 0.3:
                game.give(RequestUndo(to_version=rng.choice(steps).before), steps[-1].seat)
            else:
                game.step(rng)
            stands[game.version] = game.session
            if game.session.position.table.status != "active":
                break
        for version, stood in stands.items():
            then = sessions.at(game.id, version)
            assert (then.position, then.head) == (stood.position, stood.head)
        for version in range(1, game.version + 1):
            assert sessions.at(game.id, version).version == version


def test_a_version_that_has_not_come_yet_is_not_found(game: StoredGame) -> None:
    for version in (0, START + 1, 10_000):
        with pytest.raises(NotFound):
            game.sessions.at(game.id, version)


def test_a_long_game_looks_back_from_its_milestones_as_from_its_beginning(sessions: Sessions) -> None:
    """Rewinds to before the milestone included, and milestones that were lost are kept again."""
    game, rng = StoredGame.create(sessions, hot_seat("toy")), random.Random(3)
    heads = {}
    while game.version < 2 * MILESTONE_EVERY + 20:
        steps = game.session.position.table.line.steps
        if steps and rng.random() < 0.2:
            game.give(RequestUndo(to_version=rng.choice(steps).before), steps[-1].seat)
        else:
            game.give(Add(points=rng.randint(1, 5)), rng.choice((0, 0, 0, 1)))
        heads[game.version] = game.session
    milestones = sessions.store.keys.game(game.id, "milestones")
    for forget in (False, True):
        if forget:
            sessions.store.client.delete(milestones)
        for version in sorted(heads, reverse=True)[::7]:
            then = sessions.at(game.id, version)
            assert (then.position, then.head) == (heads[version].position, heads[version].head)
    kept = {int(version) for version in game.client.hkeys(milestones)}
    assert {MILESTONE_EVERY, 2 * MILESTONE_EVERY} <= kept


def test_a_milestone_of_an_older_form_is_not_read(sessions: Sessions) -> None:
    game = StoredGame.create(sessions, hot_seat("toy"))
    while game.version < MILESTONE_EVERY + 5:
        game.give(Add(points=1), 0)
    name = sessions.store.keys.game(game.id, "milestones")
    kept = {
        version: msgspec.msgpack.encode({**msgspec.msgpack.decode(packed), "schema": "older", "game": b'"x"'})
        for version, packed in game.client.hgetall(name).items()
    }
    game.client.hset(name, mapping=kept)
    then: Any = sessions.at(game.id, MILESTONE_EVERY + 1).position.game
    assert then.totals == (MILESTONE_EVERY + 1 - START, 0)


# Snapshots are a cache


@pytest.mark.parametrize(
    "damage",
    [
        {"s": "older", "g": b'"another form"'},
        {"s": "older", "t": b'{"ruleset":"toy","of":"another form"}'},
    ],
    ids=["game", "table"],
)
def test_a_snapshot_of_an_older_form_is_folded_anew_and_replaced(game: StoredGame, damage: dict[str, Any]) -> None:
    game.give(Peek(), 0)
    stood, store = game.session, game.store
    game.client.hset(store.keys.game(game.id, "state"), mapping=damage)
    assert game.session.position == stood.position
    assert store.load(game.id)[0] == snapshot_of(stood)
    game.give(Add(points=1), 0)


def test_a_snapshot_that_is_gone_is_made_again_from_the_log(game: StoredGame, sessions: Sessions) -> None:
    """Whichever way the game is asked for, and what was stored under a key is known still."""
    first = game.give(Add(points=2), 0, key=key("k"), render=versions)
    stood, state = game.session, game.store.keys.game(game.id, "state")
    for ask in (
        sessions.load,
        lambda game: sessions.load_many([game, "0" * 24])[0],
        lambda game: sessions.load_with_events(game, 0, 10)[0],
        lambda _: game.give(Add(points=2), 0, key=key("k"), render=versions).session,
    ):
        before = game.client.hgetall(state)
        game.client.delete(state)
        found = ask(game.id)
        assert (found.position, found.head) == (stood.position, stood.head)
        assert game.client.hgetall(state) == before
    game.client.delete(state)
    assert game.give(Add(points=2), 0, key=key("k"), render=versions).answer == first.answer
    game.client.delete(state)
    game.give(Add(points=1), 1)
    assert sessions.fold(game.id).position == game.session.position


def test_events_that_came_after_the_game_was_read_are_left_to_the_next_page(
    game: StoredGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A seat may have changed hands in between: whoever had it is not shown what its new holder learns."""
    before = game.store.load(game.id)[0]
    game.give(Peek(), 0)
    monkeypatch.setattr(
        game.store, "load_with_events", lambda id_, after, limit: (before, game.store.read(id_, after, limit))
    )
    session, rows = game.sessions.load_with_events(game.id, 0, 100)
    assert session.version == START
    assert [row.version for row in rows] == [1, 2, 3]


def test_as_many_games_are_kept_decoded_as_may_be(sessions: Sessions, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command to one that is kept throws none of the others away; one more than may be does."""
    monkeypatch.setattr("events.sessions.MOST_KEPT", 3)
    games = [StoredGame.create(sessions, hot_seat("toy")) for _ in range(3)]
    kept = games[0].session
    games[2].give(Add(points=1), 0)
    assert games[0].session is kept
    StoredGame.create(sessions, hot_seat("toy"))
    assert games[0].session is not kept


def test_a_snapshot_holds_the_very_position(sessions: Sessions) -> None:
    for ruleset in RULESETS.by_id:
        game = StoredGame.create(sessions, hot_seat(ruleset, RULESETS[ruleset].game.seats[-1]))
        game.play(random.Random(2), 25)
        assert sessions.fold(game.id).position == game.session.position
        assert snapshot_of(sessions.fold(game.id)) == game.store.load(game.id)[0]


# Whole games


@pytest.mark.parametrize("ruleset", RULESETS.by_id)
def test_whole_games_of_every_ruleset_and_number_of_seats_end_verified(sessions: Sessions, ruleset: str) -> None:
    for seats in RULESETS[ruleset].game.seats:
        game = StoredGame.create(sessions, hot_seat(ruleset, seats)).play(random.Random(seats))
        session = game.session
        assert session.position.table.status == "finished"
        assert session.position.table.result is not None
        assert session.pending is None
        report = audit.verify(game.lines(), RULESETS, game=game.id)
        assert (report.verdict, report.first_bad) == ("verified", None)
        assert sessions.fold(game.id).position == session.position
        client, partition = game.client, game.store.keys.partition_of(game.id)
        assert client.zscore(game.store.keys.shared(partition, "owed"), game.id) is None
        assert client.zscore(game.store.keys.shared(partition, "due"), game.id) is None


# Forks


def test_a_fork_begins_at_the_boundary_before_the_version_asked_for(sessions: Sessions) -> None:
    game = StoredGame.create(sessions, hot_seat("toy"))
    game.give(Add(points=1), 0)
    game.give(Flip(), 1)  # two events, to version 6
    forks = {
        at: sessions.fork(ForkGame(game=game.id, at=at), "ada", Key.own(), versions).session for at in (3, 4, 5, 6)
    }
    parents = {at: fork.position.table.parent for at, fork in forks.items()}
    assert {at: parent and parent.version for at, parent in parents.items()} == {3: 3, 4: 4, 5: 4, 6: 6}
    state: Any = forks[5].position.game
    assert state.totals == (1, 0)
    assert sessions.fold(forks[6].id).position == forks[6].position


def test_a_fork_at_a_version_that_has_not_come_is_not_found(game: StoredGame) -> None:
    with pytest.raises(NotFound):
        game.sessions.fork(ForkGame(game=game.id, at=START + 1), "ada", Key.own(), versions)


@pytest.mark.parametrize("at", [1, 2])
def test_where_no_boundary_lies_before_the_version_there_is_nothing_to_fork(game: StoredGame, at: int) -> None:
    with pytest.raises(WrongMoment) as refusal:
        game.sessions.fork(ForkGame(game=game.id, at=at), "ada", Key.own(), versions)
    assert (refusal.value.code, refusal.value.pointer) == ("game-not-started", "/at")


def test_forking_with_a_key_makes_one_fork(game: StoredGame) -> None:
    first, again = (game.sessions.fork(ForkGame(game=game.id, at=START), "ada", key("fork"), versions) for _ in "ab")
    assert again.answer == first.answer
    assert again.session.position == first.session.position


def test_a_fork_of_a_whole_game_plays_to_its_end_and_verifies(sessions: Sessions) -> None:
    for ruleset in RULESETS.by_id:
        parent = StoredGame.create(sessions, hot_seat(ruleset)).play(random.Random(1), 20)
        command = ForkGame(game=parent.id, at=parent.version, seats=(MySeat(), MySeat()))
        fork = StoredGame(sessions, sessions.fork(command, "ada", Key.own(), versions).session.id)
        fork.play(random.Random(2))
        report = audit.verify(fork.lines(), RULESETS)
        assert (report.verdict, report.first_bad) == ("verified", None)


def test_a_bad_table_is_refused_before_anything_is_stored(sessions: Sessions) -> None:
    for command, code in (
        (hot_seat("chess"), "unknown-ruleset"),
        (hot_seat("toy", 9), "seats-out-of-range"),
        (CreateGame(ruleset="toy", seats=(BotSeat(), BotSeat()), options={"x": 1}), "malformed-request"),
    ):
        with pytest.raises(BadCommand) as refusal:
            sessions.create(command, "ada", Key.own(), versions)
        assert refusal.value.code == code
    assert list(everything(sessions)) == [b"annales:meta"]


def test_what_a_caller_sees_before_the_start_is_nothing(sessions: Sessions) -> None:
    game = StoredGame.create(sessions, CreateGame(ruleset="toy", seats=(MySeat(), OpenSeat())))
    assert game.session.view(0) is None
    assert game.session.legal_commands(0) == ()
    assert replace(game.session, head="x").version == 1
