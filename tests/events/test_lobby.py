"""The lists of games: pages, filters, who sees what, and their upkeep from the feed."""

import base64
import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from domain.errors import BadCommand
from domain.table import CreateGame, ForkGame, MySeat, OpenSeat, Order
from domain.table.commands import AbandonGame, CancelGame, JoinGame, LeaveGame, ReplaceWithBot, TakeOver
from events.feed import START
from events.lobby import Lobby
from events.rebuild import rebuild
from events.sessions import Key, Sessions
from events.signing import KeyRing
from events.store import Store
from events.transfer import export_lines, import_finished
from tests.support.logged import hot_seat
from tests.support.stored import StoredGame, everything, nothing
from tests.support.toy import Add, Finish

PROJECTION = "annales:*:lobby:*"


@pytest.fixture
def lobby(store: Store) -> Lobby:
    return Lobby(store)


def follow(lobby: Lobby, most: int = 500) -> None:
    """Take all that the feed has, so many entries at a time."""
    for partition in lobby.feed.partitions:
        position = lobby.checkpoint(partition)
        while entries := lobby.feed.read({partition: position}, count=most).get(partition):
            position = lobby.take(partition, entries, position)


def listed(lobby: Lobby, **filters: Any) -> list[str]:
    """All pages of a list, two at a time."""
    found: list[str] = []
    cursor = None
    while True:
        page, cursor = lobby.page(**filters, cursor=cursor, limit=2)
        assert len(page) <= 2
        found += page
        if cursor is None:
            return found
        assert page


def create(sessions: Sessions, creator: str = "ada", **choices: Any) -> StoredGame:
    command = CreateGame(**{"ruleset": "toy", "seats": (MySeat(), OpenSeat()), **choices})
    return StoredGame.create(sessions, command, creator)


# Lists


def test_the_newest_game_comes_first_and_pages_leave_none_out(sessions: Sessions, lobby: Lobby) -> None:
    games = [create(sessions).id for _ in range(7)]
    follow(lobby)
    created = {game: (sessions.load(game).position.table.created_at, game) for game in games}
    newest_first = sorted(games, key=created.__getitem__, reverse=True)
    assert listed(lobby) == newest_first
    assert lobby.page(limit=7) == (newest_first, None)
    page, cursor = lobby.page(limit=6)
    assert page == newest_first[:6]
    assert cursor is not None


def test_games_that_come_meanwhile_do_not_disturb_the_pages_that_follow(sessions: Sessions, lobby: Lobby) -> None:
    games = {create(sessions).id for _ in range(4)}
    follow(lobby)
    first, cursor = lobby.page(limit=2)
    create(sessions)
    follow(lobby)
    second, after = lobby.page(limit=2, cursor=cursor)
    assert {*first, *second} == games
    assert after is None


def test_an_empty_list_is_one_empty_page(lobby: Lobby) -> None:
    assert lobby.page() == ([], None)
    assert lobby.page(player="nobody", viewer="nobody") == ([], None)


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "x",
        "%%%",
        "é",
        base64.urlsafe_b64encode(b"12").decode(),
        base64.urlsafe_b64encode(b"x:y").decode(),
        "a" * 999,
    ],
)
def test_a_cursor_that_was_not_given_out_is_refused(lobby: Lobby, cursor: str) -> None:
    with pytest.raises(BadCommand) as refusal:
        lobby.page(cursor=cursor)
    assert (refusal.value.code, refusal.value.pointer) == ("malformed-request", "/cursor")


def test_a_list_can_be_narrowed_by_status_ruleset_and_player_in_every_combination(
    sessions: Sessions, lobby: Lobby
) -> None:
    open_, active = create(sessions), create(sessions)
    active.give(JoinGame(seat=1), player="bob")
    finished = create(sessions, "bob", seats=(MySeat(), MySeat()))
    finished.give(Finish(), 0)
    cancelled = create(sessions)
    cancelled.give(CancelGame(), player="ada")
    kreta = create(sessions, ruleset="kreta")
    follow(lobby)
    games = {
        open_.id: ("open", "toy", {"ada"}),
        active.id: ("active", "toy", {"ada", "bob"}),
        finished.id: ("finished", "toy", {"bob"}),
        cancelled.id: ("abandoned", "toy", {"ada"}),
        kreta.id: ("open", "kreta", {"ada"}),
    }
    for status in (None, "open", "active", "finished", "abandoned"):
        for ruleset in (None, "toy", "kreta", "canterbury"):
            for player in (None, "ada", "bob", "cleo"):
                wanted = {
                    game
                    for game, (its_status, its_ruleset, players) in games.items()
                    if status in {None, its_status}
                    and ruleset in {None, its_ruleset}
                    and (player is None or player in players)
                }
                assert set(listed(lobby, status=status, ruleset=ruleset, player=player)) == wanted


def test_games_that_are_not_public_stand_in_the_lists_of_their_players_alone(sessions: Sessions, lobby: Lobby) -> None:
    hidden = {create(sessions, visibility=visibility).id for visibility in ("unlisted", "private")}
    public = create(sessions)
    follow(lobby)
    assert listed(lobby) == [public.id]
    assert listed(lobby, player="ada") == listed(lobby, player="ada", viewer="bob") == [public.id]
    assert set(listed(lobby, player="ada", viewer="ada")) == {*hidden, public.id}
    assert listed(lobby, viewer="ada") == [public.id]


def test_a_players_list_follows_who_sits_down_leaves_and_takes_over(sessions: Sessions, lobby: Lobby) -> None:
    game = create(sessions, seats=(MySeat(), OpenSeat(), OpenSeat()))

    def players() -> set[str]:
        follow(lobby)
        return {player for player in ("ada", "bob", "cleo", "eve") if listed(lobby, player=player)}

    assert players() == {"ada"}
    game.give(JoinGame(seat=1), player="bob")
    assert players() == {"ada", "bob"}
    game.give(LeaveGame(), 1)
    assert players() == {"ada"}
    game.give(JoinGame(seat=1), player="bob")
    game.give(JoinGame(seat=2), player="cleo")
    assert players() == {"ada", "bob", "cleo"}
    game.give(ReplaceWithBot(), 1)
    assert players() == {"ada", "bob", "cleo"}
    game.give(TakeOver(seat=1), player="eve")
    assert players() == {"ada", "cleo", "eve"}


def test_an_abandoned_game_stands_among_the_abandoned(sessions: Sessions, lobby: Lobby) -> None:
    game = StoredGame.create(sessions, hot_seat("toy"))
    follow(lobby)
    game.sessions.handle(game.id, lambda _: [Order(command=AbandonGame(), actor="system")], Key.own())
    follow(lobby)
    assert listed(lobby, status="active") == []
    assert listed(lobby, status="abandoned") == [game.id]


def test_a_fork_is_listed(sessions: Sessions, lobby: Lobby) -> None:
    game = StoredGame.create(sessions, hot_seat("toy"))
    fork = sessions.fork(ForkGame(game=game.id, at=game.version), "bob", Key.own(), nothing).session.id
    follow(lobby)
    assert set(listed(lobby, status="active")) == {game.id, fork}
    assert listed(lobby, player="bob") == [fork]


# Upkeep


def test_the_moves_of_the_game_itself_do_not_touch_its_card(sessions: Sessions, lobby: Lobby) -> None:
    game = StoredGame.create(sessions, hot_seat("toy"))
    follow(lobby)
    partition = sessions.store.keys.partition_of(game.id)
    before, checkpoint = lobby.cards(partition), lobby.checkpoint(partition)
    for _ in range(3):
        game.give(Add(points=1), 0)
    follow(lobby)
    assert lobby.cards(partition) == before
    assert lobby.checkpoint(partition) != checkpoint


def test_seeing_the_feed_again_changes_nothing(sessions: Sessions, lobby: Lobby) -> None:
    busy(sessions)
    follow(lobby)
    before = everything(sessions, PROJECTION)
    for partition in lobby.feed.partitions:
        entries = lobby.feed.read({partition: START}).get(partition, [])
        for entry in entries[:-1]:
            lobby.take(partition, [entry], lobby.checkpoint(partition))
        if entries:
            lobby.take(partition, entries, lobby.checkpoint(partition))
    assert everything(sessions, PROJECTION) == before


def test_who_reads_from_an_old_checkpoint_writes_nothing_and_learns_the_new_one(
    sessions: Sessions, lobby: Lobby
) -> None:
    game = create(sessions)
    partition = sessions.store.keys.partition_of(game.id)
    entries = lobby.feed.read({partition: START})[partition]
    follow(lobby)
    before = everything(sessions, PROJECTION)
    assert lobby.take(partition, entries, START) == lobby.checkpoint(partition) == entries[-1].id
    assert everything(sessions, PROJECTION) == before


def busy(sessions: Sessions, games: int = 12) -> list[StoredGame]:
    """Games of all sorts in all partitions, some of them moved on."""
    made = [create(sessions, creator=f"player{number % 3}") for number in range(games)]
    for number, game in enumerate(made):
        if number % 4:
            game.give(JoinGame(seat=1), player="bob")
        if number % 4 == 2:
            game.give(Finish(), 0)
        if number % 4 == 3:
            game.give(Add(points=1), 1)
    return made


@pytest.mark.parametrize("most", [1, 2, 500])
def test_the_projection_is_the_same_however_the_feed_is_cut_into_batches(
    sessions: Sessions, lobby: Lobby, most: int
) -> None:
    busy(sessions)
    follow(lobby, most)
    before = everything(sessions, PROJECTION)
    sessions.store.client.delete(*before)
    follow(lobby)
    assert everything(sessions, PROJECTION) == before


def test_two_followers_at_once_make_one_projection(sessions: Sessions, lobby: Lobby) -> None:
    stop = threading.Event()

    def keep_following() -> None:
        while not stop.is_set():
            follow(Lobby(sessions.store), most=2)

    followers = [threading.Thread(target=keep_following) for _ in range(2)]
    for follower in followers:
        follower.start()
    busy(sessions, 24)
    stop.set()
    for follower in followers:
        follower.join()
    follow(lobby)
    before = everything(sessions, PROJECTION)
    assert_rebuilds_to(sessions, lobby, before)


def assert_rebuilds_to(sessions: Sessions, lobby: Lobby, before: dict[bytes, Any]) -> None:
    """That a rebuild finds nothing to mend and leaves the same bytes, and builds them again from nothing."""
    rebuilt = rebuild(sessions, lobby)
    assert (rebuilt.snapshots_mended, rebuilt.cards_mended) == (0, 0)
    assert everything(sessions, PROJECTION) == before
    sessions.store.client.delete(*before)
    rebuild(sessions, lobby)
    assert everything(sessions, PROJECTION) == before


# Rebuilding


def test_a_rebuild_gives_the_same_bytes_and_finds_nothing_to_mend(sessions: Sessions, lobby: Lobby) -> None:
    busy(sessions)
    follow(lobby)
    assert_rebuilds_to(sessions, lobby, everything(sessions, PROJECTION))


def test_a_rebuild_counts_the_games_and_mends_what_is_wrong(sessions: Sessions, lobby: Lobby) -> None:
    games = busy(sessions)
    follow(lobby)
    before = everything(sessions)
    wrong, lost, damaged = games[0], games[1], games[2]
    client: Any = sessions.store.client
    keys = sessions.store.keys
    cards = [keys.shared(keys.partition_of(game.id), "lobby:cards") for game in (wrong, lost)]
    client.hset(cards[0], wrong.id, client.hget(cards[0], wrong.id).replace(b'"open"', b'"active"'))
    client.hdel(cards[1], lost.id)
    client.zadd(keys.shared(0, "lobby:index:public/open/toy"), {"00000000000001:ghost": 0})
    client.hset(keys.game(damaged.id, "state"), "g", b'{"over":"perhaps"}')
    rebuilt = rebuild(sessions, lobby)
    assert (rebuilt.games, rebuilt.cards_mended, rebuilt.snapshots_mended) == (len(games), 2, 1)
    assert everything(sessions) == before


def test_a_rebuild_mends_copies_too(sessions: Sessions, lobby: Lobby, tmp_path: Path) -> None:
    game = create(sessions, seats=(MySeat(), MySeat()))
    game.give(Finish(), 0)
    export = b"\n".join(export_lines(sessions, game.id, KeyRing.open(tmp_path), whole=False)) + b"\n"
    copy = StoredGame(sessions, import_finished(sessions, export, Key.own()).id)
    follow(lobby)
    before = everything(sessions)
    sessions.store.client.hset(sessions.store.keys.game(copy.id, "state"), "g", b'{"over":"perhaps"}')
    rebuilt = rebuild(sessions, lobby)
    assert (rebuilt.games, rebuilt.cards_mended, rebuilt.snapshots_mended) == (2, 0, 1)
    assert everything(sessions) == before


def test_a_rebuild_of_an_empty_store_finds_nothing(sessions: Sessions, lobby: Lobby) -> None:
    rebuilt = rebuild(sessions, lobby)
    assert (rebuilt.games, rebuilt.cards_mended, rebuilt.snapshots_mended) == (0, 0, 0)


def test_a_rebuild_while_games_go_on_loses_nothing(sessions: Sessions, lobby: Lobby) -> None:
    busy(sessions)
    stop = threading.Event()

    def go_on() -> None:
        for _ in range(12):
            busy(sessions, 4)
        stop.set()

    def keep_following() -> None:
        while not stop.is_set():
            follow(Lobby(sessions.store), most=3)

    threads = [threading.Thread(target=go_on), threading.Thread(target=keep_following)]
    for thread in threads:
        thread.start()
    while not stop.is_set():
        rebuild(sessions, lobby)
    for thread in threads:
        thread.join()
    follow(lobby)
    before = everything(sessions, PROJECTION)
    assert len(before) > 4
    assert_rebuilds_to(sessions, lobby, before)


# What cannot be projected


def add_foreign_event(game: StoredGame) -> None:
    """An event of newer code at the end of the log of a game, with its feed entry."""
    client, keys, version = game.client, game.store.keys, game.version + 1
    event = {**json.loads(game.lines()[-1]), "type": "table.seat_painted", "version": version}
    client.xadd(keys.game(game.id, "events"), {"e": json.dumps(event), "p": "0"}, id=f"{version}-0")
    feed = keys.shared(keys.partition_of(game.id), "feed")
    client.xadd(feed, {"g": game.id, "v": version, "o": "", "t": "1", "d": ""})


def in_one_partition(sessions: Sessions, number: int) -> Sequence[StoredGame]:
    games: list[StoredGame] = []
    while len(games) < number:
        game = create(sessions)
        if sessions.store.keys.partition_of(game.id) == 0:
            games.append(game)
    return games


@pytest.mark.parametrize("most", [1, 500])
def test_a_game_with_an_event_that_nobody_knows_is_parked_and_the_others_go_on(
    sessions: Sessions, lobby: Lobby, most: int
) -> None:
    before, bad, after = in_one_partition(sessions, 3)
    add_foreign_event(bad)
    for game in (before, after):
        game.give(JoinGame(seat=1), player="bob")
    follow(lobby, most)
    assert set(listed(lobby, status="active")) >= {before.id, after.id}
    assert list(lobby.parked(0)) == [bad.id]
    assert "table.seat_painted" in lobby.parked(0)[bad.id]


def test_a_rebuild_names_a_game_that_it_cannot_fold_and_mends_the_others(sessions: Sessions, lobby: Lobby) -> None:
    bad, damaged = in_one_partition(sessions, 2)
    add_foreign_event(bad)
    sessions.store.client.hset(sessions.store.keys.game(damaged.id, "state"), "h", "sha256:" + "0" * 64)
    rebuilt = rebuild(sessions, lobby)
    assert list(rebuilt.unreadable) == [bad.id]
    assert "table.seat_painted" in rebuilt.unreadable[bad.id]
    assert rebuilt.snapshots_mended == 1


@pytest.mark.parametrize("followed", ["before", "after"])
def test_a_rebuild_gives_the_same_bytes_with_a_parked_game_too(sessions: Sessions, lobby: Lobby, followed: str) -> None:
    """Whether the follower met the bad event together with those before it or by itself, the card stands before it."""
    _, bad, _ = in_one_partition(sessions, 3)
    if followed == "before":
        follow(lobby)
    bad.give(JoinGame(seat=1), player="bob")
    add_foreign_event(bad)
    follow(lobby)
    assert list(lobby.parked(0)) == [bad.id]
    assert listed(lobby, player="bob", status="active") == [bad.id]
    before = everything(sessions, PROJECTION)
    rebuild_lobby(lobby)
    assert everything(sessions, PROJECTION) == before


def rebuild_lobby(lobby: Lobby) -> None:
    for partition in lobby.feed.partitions:
        lobby.rebuild(partition)


def test_a_parked_game_is_listed_again_once_its_events_are_known(sessions: Sessions, lobby: Lobby) -> None:
    _, bad, _ = in_one_partition(sessions, 3)
    add_foreign_event(bad)
    follow(lobby)
    assert list(lobby.parked(0)) == [bad.id]
    bad.client.xdel(bad.store.keys.game(bad.id, "events"), "2-0")
    rebuild_lobby(lobby)
    assert lobby.parked(0) == {}
    assert bad.id in listed(lobby, status="open")
