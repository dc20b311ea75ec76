"""The streams of players: what they are told of their games, once each, whatever fails on the way."""

from collections import defaultdict
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from redis.exceptions import RedisError

from domain.table import BotSeat, CreateGame, MySeat, OpenSeat, to_act
from domain.table.commands import AnswerUndo, CancelGame, JoinGame, ReplaceWithBot, RequestUndo, Resign
from events.feed import START
from events.notices import KEPT, CursorGone, Notice, Notices
from events.sessions import Sessions
from tests.support.logged import hot_seat
from tests.support.stored import StoredGame, sessions_at
from tests.support.toy import Add, Call, Finish

OPEN = (MySeat(), OpenSeat())


@pytest.fixture
def notices(sessions: Sessions) -> Notices:
    return Notices(sessions)


def follow(notices: Notices, most: int = 500) -> None:
    """Take all that the feed has, so many entries at a time."""
    for partition in notices.feed.partitions:
        position = notices.checkpoint(partition)
        while entries := notices.feed.read({partition: position}, count=most).get(partition):
            position = notices.take(partition, entries, position)


def heard(notices: Notices, player: str, after: int = 0) -> list[Notice]:
    """All that a player is told, which is numbered without a gap."""
    found = notices.read(player, after, 10_000)
    assert [numbered.number for numbered in found] == list(range(after + 1, after + 1 + len(found)))
    return [numbered.notice for numbered in found]


def kinds(told: Sequence[Notice]) -> list[tuple[str, int | None]]:
    return [(notice.type, notice.seat) for notice in told]


def joined(sessions: Sessions, ruleset: str = "toy", **choices: Any) -> StoredGame:
    """A game of ada and bob."""
    game = StoredGame.create(sessions, CreateGame(ruleset=ruleset, seats=OPEN, **choices))
    game.give(JoinGame(seat=1), player="bob")
    return game


def turns(game: StoredGame) -> tuple[int, ...]:
    return to_act(game.session.ruleset.game, game.session.position)


def move(game: StoredGame, chance: Random) -> int:
    """Any move of a seat that is awaited; the seat."""
    seat = chance.choice(turns(game))
    game.give(chance.choice(list(game.session.legal_commands(seat))), seat)
    return seat


def test_both_players_hear_that_their_game_has_started_and_the_first_that_it_is_their_turn(
    sessions: Sessions, notices: Notices
) -> None:
    game = joined(sessions, "kreta")
    follow(notices)
    (first,) = turns(game)
    for seat, player in enumerate(("ada", "bob")):
        told = heard(notices, player)
        assert kinds(told) == [("game_started", None), *([("your_turn", seat)] if seat == first else [])]
        assert {(notice.game, notice.version, notice.at) for notice in told} == {
            (game.id, game.version, game.session.position.table.updated_at)
        }


def test_nobody_hears_of_a_game_before_it_starts(sessions: Sessions, notices: Notices) -> None:
    StoredGame.create(sessions, CreateGame(ruleset="toy", seats=OPEN))
    follow(notices)
    assert heard(notices, "ada") == []


def test_whoever_is_awaited_hears_it_when_that_begins_and_not_again_after_moves_of_their_own(
    sessions: Sessions, notices: Notices
) -> None:
    game, chance = joined(sessions, "kreta"), Random(1)
    told: dict[str, list[Notice]] = defaultdict(list)
    awaited, moved = set[int](), 0
    for _ in range(60):
        follow(notices)
        for seat, player in enumerate(("ada", "bob")):
            new = heard(notices, player, len(told[player]))
            told[player] += new
            turn = [notice for notice in new if notice.type == "your_turn"]
            begins = seat in turns(game) and (seat not in awaited or moved != seat)
            assert [(notice.seat, notice.version) for notice in turn] == ([(seat, game.version)] if begins else [])
        awaited = set(turns(game))
        moved = move(game, chance)
        while game.session.pending:
            sessions.take_owed(game.id, game.version)
            moved = -1
        if not turns(game):
            break
    assert len(told["ada"]) + len(told["bob"]) > 20


def test_whoever_stays_awaited_hears_it_again_when_another_has_acted(sessions: Sessions, notices: Notices) -> None:
    game = joined(sessions)
    follow(notices)
    game.give(Add(points=1), 1)
    follow(notices)
    assert kinds(heard(notices, "ada", 2)) == [("your_turn", 0)]
    assert heard(notices, "bob", 2) == []


def test_a_turn_comes_back_after_a_step_of_the_service(sessions: Sessions, notices: Notices) -> None:
    game = joined(sessions)
    follow(notices)
    game.give(Call(), 0)
    follow(notices)
    assert heard(notices, "ada", 2) == []
    sessions.take_owed(game.id, game.version)
    follow(notices)
    assert kinds(heard(notices, "ada", 2)) == [("your_turn", 0)]


def test_turns_that_have_passed_before_they_could_be_told_are_left_out(sessions: Sessions, notices: Notices) -> None:
    game, chance = joined(sessions, "kreta"), Random(2)
    for _ in range(40):
        move(game, chance)
        while game.session.pending:
            sessions.take_owed(game.id, game.version)
    follow(notices)
    assert sum(notice.type == "your_turn" for player in ("ada", "bob") for notice in heard(notices, player)) == 1


def test_each_seat_of_a_hot_seat_hears_its_turn_and_the_player_once_the_rest(
    sessions: Sessions, notices: Notices
) -> None:
    game = StoredGame.create(sessions, hot_seat("toy"))
    follow(notices)
    game.give(Finish(), 0)
    follow(notices)
    assert kinds(heard(notices, "ada")) == [
        ("game_started", None),
        ("your_turn", 0),
        ("your_turn", 1),
        ("game_finished", None),
    ]


def test_all_players_hear_that_the_game_is_over_also_those_who_gave_up(sessions: Sessions, notices: Notices) -> None:
    game = joined(sessions)
    game.give(Resign(), 1)
    follow(notices)
    for player in ("ada", "bob"):
        assert kinds(heard(notices, player)) == [("game_started", None), ("game_finished", None)]


def test_players_hear_that_a_game_is_called_off(sessions: Sessions, notices: Notices) -> None:
    game = StoredGame.create(sessions, CreateGame(ruleset="toy", seats=OPEN))
    game.give(CancelGame(), player="ada")
    follow(notices)
    assert kinds(heard(notices, "ada")) == [("game_abandoned", None)]


def test_nobody_hears_the_turns_of_a_bot(sessions: Sessions, notices: Notices) -> None:
    game = StoredGame.create(sessions, CreateGame(ruleset="toy", seats=(MySeat(), MySeat(), BotSeat())))
    game.give(ReplaceWithBot(bot="random"), 0)
    follow(notices)
    assert kinds(heard(notices, "ada")) == [("game_started", None), ("your_turn", 1)]


def test_whoever_has_to_agree_to_an_undo_hears_it_once(sessions: Sessions, notices: Notices) -> None:
    game = joined(sessions, undo="consent")
    begun = game.version
    game.give(Add(points=1), 0)
    game.give(Add(points=1), 1)
    follow(notices)
    before = {player: len(heard(notices, player)) for player in ("ada", "bob")}
    game.give(RequestUndo(to_version=begun), 0)
    for _ in range(2):
        follow(notices)
    assert ("undo_requested", 1) in kinds(heard(notices, "bob", before["bob"]))
    assert "undo_requested" not in {notice.type for notice in heard(notices, "ada")}
    game.give(AnswerUndo(accept=True), 1)
    follow(notices)
    assert kinds(heard(notices, "bob")).count(("undo_requested", 1)) == 1


def test_only_the_newest_notices_are_kept_and_a_cursor_before_them_is_refused(
    sessions: Sessions, notices: Notices, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("events.notices.KEPT", 3)
    game = joined(sessions)
    for _ in range(5):
        follow(notices)
        game.give(Add(points=1), 1)
    follow(notices)
    last, first = notices.last("ada"), notices.first("ada")
    assert (last, first) == (7, 4)
    assert len(heard(notices, "ada", first)) == 3
    with pytest.raises(CursorGone):
        notices.read("ada", first - 1, 10)
    assert KEPT >= 1000


def test_notices_are_forgotten_some_time_after_the_last_and_numbers_go_on(sessions: Sessions, notices: Notices) -> None:
    game = joined(sessions)
    follow(notices)
    client = sessions.store.client
    key = sessions.store.keys.player("ada", "notices")
    assert 0 < int(client.ttl(key)) <= 30 * 86_400
    client.delete(key)  # as it does when the time has come
    assert notices.first("ada") == notices.last("ada") == 2
    assert heard(notices, "ada", 2) == []
    with pytest.raises(CursorGone):
        notices.read("ada", 1, 10)
    game.give(Add(points=1), 1)
    follow(notices)
    assert kinds(heard(notices, "ada", 2)) == [("your_turn", 0)]


def test_a_cursor_beyond_the_end_is_refused(sessions: Sessions, notices: Notices) -> None:
    joined(sessions)
    follow(notices)
    with pytest.raises(CursorGone):
        notices.read("ada", 3, 10)


def many(sessions: Sessions, count: int = 12) -> list[StoredGame]:
    return [joined(sessions) for _ in range(count)]


def play(games: Sequence[StoredGame], chance: Random) -> None:
    for game in games:
        game.give(Add(points=1), chance.randrange(2))


def expected(games: Sequence[StoredGame]) -> set[tuple[str, str]]:
    return {(game.id, kind) for game in games for kind in ("game_started", "game_finished")}


class Failing:
    """Lets the delivery to a player fail now and then, before or after it was done."""

    def __init__(self, notices: Notices, monkeypatch: pytest.MonkeyPatch, chance: Random) -> None:
        self._hand_over, self._chance = notices._hand_over, chance
        self.failures = 0
        monkeypatch.setattr(notices, "_hand_over", self)

    def __call__(self, *batch: Any) -> int:
        when = self._chance.choice(["never", "never", "before", "after"])
        if when == "before":
            self.failures += 1
            raise RedisError("cut before")
        done = self._hand_over(*batch)
        if when == "after":
            self.failures += 1
            raise RedisError("cut after")
        return done


@pytest.mark.parametrize("seed", range(3))
def test_whatever_fails_in_between_each_notice_comes_once_and_in_the_order_of_its_game(
    sessions: Sessions, notices: Notices, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    chance = Random(seed)
    games, failing = many(sessions), Failing(notices, monkeypatch, chance)
    for step in range(6):
        if step == 5:
            for game in games:
                game.give(Finish(), 0)
        else:
            play(games, chance)
        for _ in range(100):
            try:
                follow(notices, most=chance.randrange(1, 20))
                for partition in notices.feed.partitions:
                    notices.deliver(partition)
            except RedisError:
                continue
            break
    assert failing.failures > 0
    for player in ("ada", "bob"):
        told = heard(notices, player)
        assert len({(notice.game, notice.version, notice.type, notice.seat) for notice in told}) == len(told)
        assert {(notice.game, notice.type) for notice in told if notice.seat is None} == expected(games)
        for game in games:
            versions = [notice.version for notice in told if notice.game == game.id]
            assert versions == sorted(versions)
            assert sum(notice.game == game.id and notice.seat is None for notice in told) == 2


def test_what_a_stopped_follower_has_left_in_the_outbox_is_delivered_by_any_other(
    sessions: Sessions, notices: Notices, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = joined(sessions)
    monkeypatch.setattr(notices, "deliver", lambda _: 0)
    follow(notices)
    assert heard(notices, "ada") == []
    other = Notices(sessions)
    partition = sessions.store.keys.partition_of(game.id)
    assert other.deliver(partition) == 4
    assert other.deliver(partition) == 0
    assert len(heard(other, "ada")) == len(heard(other, "bob")) == 2


def test_of_two_followers_the_slower_one_writes_nothing_and_goes_on_from_where_the_other_is(
    sessions: Sessions, store_url: str, notices: Notices
) -> None:
    game = joined(sessions)
    slower = Notices(sessions_at(store_url))
    partition = sessions.store.keys.partition_of(game.id)
    entries = notices.feed.read({partition: START})[partition]
    assert notices.take(partition, entries, START) == entries[-1].id
    assert slower.take(partition, entries[:1], START) == entries[-1].id
    assert len(heard(notices, "ada")) == 2


def test_a_follower_that_is_overtaken_in_the_middle_writes_nothing(
    sessions: Sessions, store_url: str, notices: Notices, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = joined(sessions)
    partition = sessions.store.keys.partition_of(game.id)
    entries = notices.feed.read({partition: START})[partition]
    load = sessions.load_with_events

    def overtaken(*arguments: Any) -> Any:
        Notices(sessions_at(store_url)).take(partition, entries, START)
        monkeypatch.setattr(sessions, "load_with_events", load)
        return load(*arguments)

    monkeypatch.setattr(sessions, "load_with_events", overtaken)
    assert notices.take(partition, entries, START) == entries[-1].id
    assert len(heard(notices, "ada")) == 2


def test_a_game_that_cannot_be_read_is_passed_over_and_the_others_are_told_of(
    sessions: Sessions, notices: Notices, caplog: pytest.LogCaptureFixture
) -> None:
    good, bad = (joined(sessions) for _ in "ab")
    sessions.store.client.delete(sessions.store.keys.game(bad.id, "state"), sessions.store.keys.game(bad.id, "events"))
    follow(notices)
    assert {notice.game for notice in heard(notices, "ada")} == {good.id}
    assert bad.id in caplog.text
