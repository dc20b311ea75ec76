"""Logs that leave and enter: a copy is the same game at every version, a running game moves and goes on elsewhere."""

import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from domain.table import BotSeat, CreateGame, MySeat, OpenSeat, undo_for
from domain.table.commands import AddEntropy, Clock, JoinGame, Redo, RequestUndo, StartGame
from events import audit
from events.draft import Session
from events.errors import KeyReused
from events.feed import START, Entry, Feed
from events.history import History
from events.sessions import Key, Sessions
from events.signing import KeyRing, new_key
from events.transfer import BadImport, GameExists, export_lines, import_finished, import_running
from service.cli import main
from tests.support.logged import RULESETS, hot_seat
from tests.support.stored import StoredGame, everything, sessions_at
from tests.support.toy import Add, Call, Peek


@pytest.fixture
def ring(tmp_path: Path) -> KeyRing:
    new_key(tmp_path, "annales.example")
    return KeyRing.open(tmp_path)


@pytest.fixture
def elsewhere(store_url: str) -> Sessions:
    """The games of another installation, whose partitions differ too."""
    return sessions_at(other_database(store_url), partitions=7)


def other_database(store_url: str) -> str:
    return f"{store_url}?db=1"


def exported(sessions: Sessions, game: str, ring: KeyRing, *, whole: bool = False) -> bytes:
    return b"".join(line + b"\n" for line in export_lines(sessions, game, ring, whole=whole))


def finished(sessions: Sessions, ruleset: str, seed: int) -> StoredGame:
    """A whole game, some of it taken back and played otherwise."""
    rng = random.Random(seed)
    game = StoredGame.create(sessions, hot_seat(ruleset, undo="consent"))
    while game.session.position.table.status == "active":
        offer, luck = undo_for(game.session.position.table, 0), rng.random()
        if luck < 0.03 and offer.redo_to is not None:
            game.give(Redo(), 0)
        elif luck < 0.1 and offer.to_version is not None:
            game.give(RequestUndo(to_version=offer.to_version), 0)
        else:
            game.step(rng)
    return game


def everybody_sees(session: Session) -> list[object]:
    """The board of each viewer, and all of it."""
    seats = range(len(session.position.table.seats))
    return [*(session.view(seat) for seat in (None, *seats)), session.view(None, reveal=True)]


# Copies


@pytest.mark.parametrize("ruleset", RULESETS.by_id)
def test_a_copy_has_the_board_of_the_original_at_every_version_for_every_viewer(
    sessions: Sessions, ring: KeyRing, ruleset: str
) -> None:
    game = finished(sessions, ruleset, seed=5)
    export = exported(sessions, game.id, ring)
    copy = import_finished(sessions, export, Key.own())
    original = History(RULESETS)
    for event in sessions.store.log(game.id):
        original.add(event)
        then = Session.of(game.id, original.ruleset, original.position, event.digest)
        assert everybody_sees(sessions.at(copy.id, event.version)) == everybody_sees(then)
    assert exported(sessions, copy.id, ring).splitlines()[1:] == export.splitlines()[1:]


def test_an_export_is_the_same_bytes_each_time_and_wherever_it_was_taken_in(
    sessions: Sessions, elsewhere: Sessions, ring: KeyRing
) -> None:
    game = finished(sessions, "kreta", seed=6)
    export = exported(sessions, game.id, ring)
    assert exported(sessions, game.id, ring) == export
    copy = import_finished(elsewhere, export, Key.own())
    unsigned = b"\n".join([audit.header_line(game.id), *export.splitlines()[1:]]) + b"\n"
    assert exported(elsewhere, copy.id, ring) == unsigned
    again = import_finished(elsewhere, unsigned, Key.own())
    assert exported(elsewhere, again.id, ring) == unsigned


def test_a_copy_is_in_no_feed_and_owes_nothing(sessions: Sessions, elsewhere: Sessions, ring: KeyRing) -> None:
    game = finished(sessions, "toy", seed=7)
    copy = import_finished(elsewhere, exported(sessions, game.id, ring), Key.own())
    assert copy.pending is None
    assert entries(elsewhere) == []
    assert elsewhere.load(copy.id).position.table.seats_of("ada") == ()


def test_another_log_under_a_key_that_was_used_is_refused(sessions: Sessions, ring: KeyRing) -> None:
    key = Key.own()
    exports = [exported(sessions, finished(sessions, "toy", seed).id, ring) for seed in (8, 9)]
    first = import_finished(sessions, exports[0], key)
    assert import_finished(sessions, exports[0], key) == first
    with pytest.raises(KeyReused):
        import_finished(sessions, exports[1], key)


# Moves


def entries(sessions: Sessions) -> list[Entry]:
    """All that the feeds say."""
    found = Feed(sessions.store).read(dict.fromkeys(range(sessions.store.keys.partitions), START))
    return [entry for partition in found.values() for entry in partition]


@pytest.mark.parametrize("ruleset", RULESETS.by_id)
def test_a_running_game_moves_and_is_played_to_its_end_elsewhere(
    sessions: Sessions, elsewhere: Sessions, ring: KeyRing, ruleset: str
) -> None:
    rng = random.Random(11)
    game = StoredGame.create(sessions, hot_seat(ruleset))
    for _ in range(20):
        if (session := game.session).position.table.status == "active" and not session.position.table.line.undone:
            step_that_goes_on(game, rng)
    moved = import_running(elsewhere, exported(sessions, game.id, ring, whole=True))
    there = StoredGame(elsewhere, game.id)
    assert (moved.position, moved.head) == (game.session.position, game.session.head)
    assert there.session.position == game.session.position
    assert there.lines() == game.lines()
    there.play(rng)
    assert there.session.position.table.status == "finished"
    assert there.lines()[: game.version] == game.lines()
    assert audit.verify_export(exported(elsewhere, game.id, ring), RULESETS, ring.public).verdict == "verified"
    for version in range(1, there.version + 1, 7):
        assert elsewhere.at(game.id, version).version == version


def step_that_goes_on(game: StoredGame, rng: random.Random) -> None:
    """One step, unless the toy would end by it."""
    if game.session.ruleset.game.id == "toy":
        game.give(Add(points=rng.randint(1, 5)), rng.randrange(2))
    else:
        game.step(rng)


def test_what_a_game_owes_and_what_falls_due_moves_with_it(
    sessions: Sessions, elsewhere: Sessions, ring: KeyRing
) -> None:
    clock = Clock(per_turn_seconds=600)
    owing = StoredGame.create(sessions, CreateGame(ruleset="toy", seats=(MySeat(), BotSeat()), clock=clock))
    owing.give(Call(), 0)
    import_running(elsewhere, exported(sessions, owing.id, ring, whole=True))
    (entry,) = entries(elsewhere)
    assert (entry.game, entry.version, entry.owed, entry.table) == (owing.id, owing.version, "scoring", True)
    assert entry.due == sessions.due_at(owing.session)
    assert elsewhere.take_owed(owing.id, owing.version) is not None


def test_a_game_that_has_not_begun_moves_too(sessions: Sessions, elsewhere: Sessions, ring: KeyRing) -> None:
    seats = (MySeat(), OpenSeat())
    game = StoredGame.create(sessions, CreateGame(ruleset="porta-nigra", seats=seats, start="manual"))
    game.give(AddEntropy("dice"), 0)
    import_running(elsewhere, exported(sessions, game.id, ring, whole=True))
    for where in (game, StoredGame(elsewhere, game.id)):
        where.give(JoinGame(seat=1, entropy="more dice"), player="bob")
        where.give(StartGame(), player="ada")
    there = StoredGame(elsewhere, game.id)
    assert there.state == game.state


def test_secrets_and_chance_move_along(sessions: Sessions, elsewhere: Sessions, ring: KeyRing) -> None:
    game = StoredGame.create(sessions, hot_seat("toy"))
    game.give(Peek(), 0)
    import_running(elsewhere, exported(sessions, game.id, ring, whole=True))
    there = StoredGame(elsewhere, game.id)
    assert elsewhere.seed(game.id) == sessions.seed(game.id)
    for where in (game, there):
        where.give(Peek(), 1)
    assert there.state == game.state


def test_a_game_is_not_taken_twice(sessions: Sessions, elsewhere: Sessions, ring: KeyRing) -> None:
    game = StoredGame.create(sessions, hot_seat("toy"))
    export = exported(sessions, game.id, ring, whole=True)
    import_running(elsewhere, export)
    StoredGame(elsewhere, game.id).give(Add(points=1), 0)
    before = everything(elsewhere)
    for where in (sessions, elsewhere):
        with pytest.raises(GameExists):
            import_running(where, export)
    assert everything(elsewhere) == before


def test_a_log_without_its_secrets_or_with_a_fault_is_not_taken_over(
    sessions: Sessions, elsewhere: Sessions, ring: KeyRing
) -> None:
    game = StoredGame.create(sessions, hot_seat("toy"))
    game.give(Add(points=1), 0)
    whole = exported(sessions, game.id, ring, whole=True)
    bad = [
        exported(sessions, game.id, ring),
        whole.replace(b'"points":1,"seat":0', b'"points":2,"seat":0'),
        b"".join(whole.splitlines(keepends=True)[:-1]),
        whole.replace(b'"schema":1', b'"schema":2'),
        b"",
    ]
    for export in bad:
        assert export != whole
        with pytest.raises(BadImport) as refused:
            import_running(elsewhere, export)
        assert "Line " in refused.value.detail
    assert everything(elsewhere, "*game*") == {}


def test_the_operators_commands_move_a_game_from_store_to_store(
    sessions: Sessions, elsewhere: Sessions, store_url: str, tmp_path: Path
) -> None:
    game = StoredGame.create(sessions, hot_seat("kreta"))
    game.play(random.Random(1), 10)
    file = tmp_path / "moving.ndjson"
    runner = CliRunner()
    here, there = (
        {"ANNALES_REDIS_URL": url, "ANNALES_PARTITIONS": str(partitions), "ANNALES_DATA": str(tmp_path)}
        for url, partitions in ((store_url, 4), (other_database(store_url), 7))
    )
    sent = runner.invoke(main, ["export", game.id, "--sealed", "-o", str(file)], env=here)
    assert sent.exit_code == 0, sent.output
    taken = runner.invoke(main, ["import", str(file)], env=there)
    assert taken.output == f"game {game.id}, version {game.version}, active\n"
    moved = StoredGame(elsewhere, game.id)
    assert moved.lines() == game.lines()
    moved.play(random.Random(2))
    assert moved.session.position.table.status == "finished"
