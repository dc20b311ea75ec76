import json
import os
import subprocess
import sys
from pathlib import Path
from zlib import crc32

import pytest
import redis
from click.testing import CliRunner, Result

from domain.catalogue import GAMES
from domain.table.commands import CreateGame, MySeat, Resign
from domain.table.orders import Order
from events import audit
from events.ruleset import Rulesets
from events.sessions import Key, Sessions
from events.settings import Settings
from events.store import connect, open_store
from service.cli import main
from service.tokens import Tokens
from tests.support.processes import PATIENCE

COMMANDS = [
    "up",
    "serve",
    "follow",
    "work",
    "settings",
    "verify",
    "rebuild",
    "keygen",
    "admin-token",
    "export",
    "import",
]


def run(*arguments: str, given: bytes | None = None, **environ: str) -> Result:
    """With no data folder unless one is given: that of this checkout may have keys, from a service that was run here."""
    return CliRunner().invoke(main, arguments, input=given, env={"ANNALES_DATA": os.devnull, **environ})


def run_alone(*arguments: str, **environ: str) -> tuple[int, list[str]]:
    """In a process of its own, for commands that change theirs; the exit code and the lines of both outputs."""
    ended = subprocess.run(
        [sys.executable, "-m", "service.cli", *arguments],
        env={**os.environ, **environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return ended.returncode, ended.stdout.splitlines()


def test_help_names_every_command() -> None:
    result = run("--help")
    assert result.exit_code == 0
    assert [line.split()[0] for line in result.output.partition("Commands:")[2].splitlines() if line] == sorted(
        COMMANDS
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    assert len(result.output.splitlines()) > 5


def test_an_operator_gets_a_token_that_is_printed_alone(store_url: str, tmp_path: Path) -> None:
    result = run("admin-token", "--name", "Olga", ANNALES_REDIS_URL=store_url)
    assert result.exit_code == 0
    token, player = result.stdout.strip(), result.stderr.split()[1].rstrip(",")
    with connect(store_url) as client:
        tokens = Tokens(open_store(client, 4, "always"))
        known = tokens.principal(token)
        assert known is not None
        assert (known.player, known.scopes, known.until) == (player, ("admin",), None)
        assert client.hget(f"annales:{{{crc32(player.encode()) % 4}}}:player:{player}:profile", "name") == b"Olga"


def test_a_name_that_cannot_be_shown_makes_no_operator(store_url: str) -> None:
    result = run("admin-token", "--name", "a\nb", ANNALES_REDIS_URL=store_url)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "control characters" in result.stderr


def test_the_version_is_told() -> None:
    assert run("--version").output.startswith("annales, version ")


def test_all_settings_are_listed_with_value_default_and_meaning() -> None:
    lines = run("settings", ANNALES_PORT="8123").output.splitlines()
    assert [line.partition("=")[0] for line in lines[::2]] == list(Settings().environment())
    where = lines.index("ANNALES_PORT=8123")
    assert lines[where + 1] == "    port that the web server listens on; 0 takes a free one (default: 8000)"


@pytest.mark.parametrize("command", ["up", "serve", "follow", "work", "settings", "rebuild"])
def test_bad_settings_are_all_named_at_start(command: str) -> None:
    result = run(command, ANNALES_PORT="many", ANNALES_PARTITONS="4")
    assert result.exit_code == 2
    assert result.output.splitlines() == [
        "annales: ANNALES_PARTITONS is not a setting: did you mean ANNALES_PARTITIONS?",
        "annales: ANNALES_PORT is 'many': must be a whole number from 0 to 65535",
    ]


@pytest.mark.parametrize("command", ["serve", "follow", "rebuild"])
def test_a_store_that_is_not_there_is_one_line(command: str, tmp_path: Path) -> None:
    code, (line,) = run_alone(command, ANNALES_REDIS_URL=f"unix://{tmp_path}/none.sock")
    assert code == 1
    assert line.startswith("annales: ")
    assert "none.sock" in line


@pytest.mark.parametrize("command", ["serve", "follow", "rebuild"])
def test_a_store_that_may_forget_is_refused_with_what_to_change(command: str, store_url: str) -> None:
    with redis.Redis.from_url(store_url) as client:
        client.config_set("maxmemory-policy", "allkeys-lru")
        try:
            code, (line,) = run_alone(command, ANNALES_REDIS_URL=store_url)
        finally:
            client.config_set("maxmemory-policy", "noeviction")
    assert code == 1
    assert "noeviction" in line


def test_up_says_in_one_line_why_it_does_not_start(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    result = run("up", "--data", str(file))
    assert result.exit_code == 1
    assert result.output == f"annales: cannot write to the data folder {file}: File exists\n"


def test_a_rebuild_of_an_empty_store_mends_nothing(store_url: str) -> None:
    result = run("rebuild", ANNALES_REDIS_URL=store_url)
    assert result.exit_code == 0, result.output
    assert result.output == "games: 0, snapshots mended: 0, cards mended: 0\n"


@pytest.fixture
def sessions(store_url: str) -> Sessions:
    return Sessions(open_store(connect(store_url), 4, "always"), Rulesets(GAMES.values()))


@pytest.fixture
def game(sessions: Sessions) -> str:
    """A game that has begun."""
    command = CreateGame(ruleset="kreta", seats=(MySeat(), MySeat()))
    return sessions.create(command, "ada", Key.own(), lambda _: b"").session.id


def test_keygen_makes_a_private_key_that_only_its_owner_may_read(tmp_path: Path) -> None:
    result = run("keygen", "--name", "annales.example", ANNALES_DATA=str(tmp_path))
    assert result.exit_code == 0, result.output
    (private,) = (tmp_path / "keys").glob("*.key")
    assert private.stat().st_mode & 0o777 == 0o600
    assert result.output.splitlines() == [
        f"{private} signs from now on, under the public key",
        private.with_suffix(".pub").read_text().strip(),
    ]


def test_the_next_key_has_the_name_of_the_one_before(tmp_path: Path) -> None:
    run("keygen", "--name", "annales.example", ANNALES_DATA=str(tmp_path))
    assert run("keygen", ANNALES_DATA=str(tmp_path)).output.splitlines()[1].startswith("annales.example+")


def test_a_name_that_is_none_makes_no_key(tmp_path: Path) -> None:
    result = run("keygen", "--name", "two words", ANNALES_DATA=str(tmp_path))
    assert result.exit_code == 1
    assert result.output.startswith("annales: no key was made: ")


def test_what_is_no_key_is_wrong_use(tmp_path: Path) -> None:
    empty = tmp_path / "keys.txt"
    empty.touch()
    for given in ("nonsense", str(empty)):
        result = run("verify", "-", "--key", given, given=b"")
        assert result.exit_code == 2
        assert given in result.output


def test_an_export_is_signed_and_its_key_verifies_it(
    sessions: Sessions, game: str, store_url: str, tmp_path: Path
) -> None:
    data, file = str(tmp_path), tmp_path / "export.ndjson"
    run("keygen", ANNALES_DATA=data)
    assert run("export", game, "-o", str(file), ANNALES_REDIS_URL=store_url, ANNALES_DATA=data).exit_code == 0
    (public,) = (tmp_path / "keys").glob("*.pub")
    result = run("verify", str(file), "--key", str(public))
    assert result.exit_code == 3
    assert "\n  signature: passed. " in result.output
    assert "\n  signature: not_checked. no key was given\n" in run("verify", str(file)).output


def test_a_sealed_export_moves_a_running_game_to_another_store(sessions: Sessions, game: str, store_url: str) -> None:
    whole = run("export", game, "--sealed", ANNALES_REDIS_URL=store_url).stdout_bytes
    assert run("import", "-", given=whole, ANNALES_REDIS_URL=store_url).output.startswith("annales: game-exists: ")
    seen = run("export", game, ANNALES_REDIS_URL=store_url).stdout_bytes
    sessions.store.client.flushall()
    assert run("import", "-", given=seen, ANNALES_REDIS_URL=store_url).output.startswith("annales: bad-import: ")
    result = run("import", "-", given=whole, ANNALES_REDIS_URL=store_url)
    assert result.output == f"game {game}, version 3, active\n"
    assert run("export", game, "--sealed", ANNALES_REDIS_URL=store_url).stdout_bytes == whole


def test_a_finished_game_can_be_taken_as_a_copy(sessions: Sessions, game: str, store_url: str) -> None:
    sessions.handle(game, lambda _: [Order(Resign(), "player", seat=0, player="ada")], Key.own())
    whole = run("export", game, ANNALES_REDIS_URL=store_url).stdout_bytes
    result = run("import", "-", "--copy", given=whole, ANNALES_REDIS_URL=store_url)
    copy = result.output.split()[1].strip(",")
    assert copy != game
    assert run("export", copy, ANNALES_REDIS_URL=store_url).stdout_bytes == whole


def test_an_export_of_no_game_is_one_line(store_url: str) -> None:
    result = run("export", "0" * 24, ANNALES_REDIS_URL=store_url)
    assert result.exit_code == 1
    assert result.output == "annales: not-found: There is no such game here.\n"


def export(sessions: Sessions, game: str) -> bytes:
    lines = [audit.header_line(game), *(row.line for row in sessions.store.read(game))]
    return b"".join(line + b"\n" for line in lines)


def test_the_log_of_a_game_that_goes_on_is_sealed(sessions: Sessions, game: str) -> None:
    result = run("verify", "-", given=export(sessions, game))
    assert result.exit_code == 3
    assert result.output.startswith(f"sealed: game {game}, version 3, head sha256:")
    assert "\n  ending: sealed. the game is not over\n" in result.output


def test_the_log_of_a_finished_game_is_verified(sessions: Sessions, game: str, tmp_path: Path) -> None:
    sessions.handle(game, lambda _: [Order(Resign(), "player", seat=0, player="ada")], Key.own())
    file = tmp_path / "export.ndjson"
    file.write_bytes(export(sessions, game))
    result = run("verify", str(file), "--json")
    assert result.exit_code == 0, result.output
    report = json.loads(result.output)
    assert (report["verdict"], report["game"], report["first_bad"]) == ("verified", game, None)


def test_a_log_that_was_tampered_with_fails_with_the_line_that_is_wrong(sessions: Sessions, game: str) -> None:
    before, key, after = export(sessions, game).rpartition(b'"first_seat":')
    result = run("verify", "-", given=before + key + b"1" + after[1:])
    assert result.exit_code == 1
    assert result.output.startswith("failed: ")
    assert "\n  line 4: " in result.output


def test_what_is_no_log_fails_and_what_is_no_file_is_wrong_use(tmp_path: Path) -> None:
    assert run("verify", "-", given=b"nonsense").exit_code == 1
    assert run("verify", str(tmp_path / "none")).exit_code == 2


def test_a_rebuild_mends_what_differs_from_the_log(store_url: str, sessions: Sessions, game: str) -> None:
    with redis.Redis.from_url(store_url) as client:
        client.delete(sessions.store.keys.game(game, "state"))
    result = run("rebuild", ANNALES_REDIS_URL=store_url)
    assert result.output == "games: 1, snapshots mended: 1, cards mended: 1\n"
    assert run("rebuild", ANNALES_REDIS_URL=store_url).output == "games: 1, snapshots mended: 0, cards mended: 0\n"
