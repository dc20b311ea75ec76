import os
import tempfile
from pathlib import Path
from typing import Any

import pytest

from events.settings import Settings, SettingsError, socket_path

STORE_ADDRESS = "an address like redis://host:6379/0, rediss://user:password@host:6380/0 or unix:///path/socket"
ORIGINS = frozenset({"https://a.example", "http://b.example:81"})
WEB_ADDRESS = "an address like https://annales.example or https://example.org/annales"


def problems(**environ: str) -> list[str]:
    with pytest.raises(SettingsError) as error:
        Settings.read(environ)
    return error.value.problems


def test_without_any_variable_everything_is_on_this_machine() -> None:
    settings = Settings.read({})
    assert settings == Settings()
    assert settings.data == Path.cwd() / "data"
    assert settings.embedded
    assert settings.redis_url == settings.queue_url == f"unix://{Path.cwd()}/data/store.sock"
    assert (settings.host, settings.port, settings.partitions, settings.durability) == ("127.0.0.1", 8000, 4, "always")


@pytest.mark.parametrize(
    ("variable", "text", "field", "value"),
    [
        ("ANNALES_REDIS_URL", "redis://store:6379/0", "redis_url", "redis://store:6379/0"),
        ("ANNALES_REDIS_URL", "rediss://user:secret@store:6380", "redis_url", "rediss://user:secret@store:6380"),
        ("ANNALES_QUEUE_URL", "unix:///run/queue.sock", "queue_url", "unix:///run/queue.sock"),
        ("ANNALES_PARTITIONS", "16", "partitions", 16),
        ("ANNALES_DURABILITY", "everysec", "durability", "everysec"),
        ("ANNALES_HOST", "::1", "host", "::1"),
        ("ANNALES_PORT", "0", "port", 0),
        ("ANNALES_PUBLIC_URL", "https://example.org/annales/", "public_url", "https://example.org/annales"),
        ("ANNALES_TRUSTED_HOPS", "2", "trusted_hops", 2),
        ("ANNALES_WEB_PROCESSES", "3", "web_processes", 3),
        ("ANNALES_THREADS", "200", "threads", 200),
        ("ANNALES_STREAMS", "7", "streams", 7),
        ("ANNALES_EXPIRE_DAYS", "3", "expire_days", 3),
        ("ANNALES_REGISTRATIONS_PER_MINUTE", "0", "registrations_per_minute", 0),
        ("ANNALES_READS_PER_MINUTE", "7", "reads_per_minute", 7),
        ("ANNALES_COMMANDS_PER_MINUTE", "8", "commands_per_minute", 8),
        ("ANNALES_CORS_ORIGINS", "https://a.example, http://b.example:81/", "cors_origins", ORIGINS),
        ("ANNALES_CORS_ORIGINS", "none", "cors_origins", frozenset()),
        ("ANNALES_WORKERS", "5", "workers", 5),
        ("ANNALES_MIN_FREE_MB", "0", "min_free_mb", 0),
    ],
)
def test_a_variable_sets_its_field(variable: str, text: str, field: str, value: object) -> None:
    assert getattr(Settings.read({variable: text}), field) == value


def test_the_queue_is_where_the_games_are_unless_told_otherwise() -> None:
    settings = Settings.read({"ANNALES_REDIS_URL": "redis://store:6379"})
    assert settings.queue_url == "redis://store:6379"
    assert not settings.embedded


def test_an_empty_variable_is_as_good_as_none() -> None:
    assert Settings.read({"ANNALES_PORT": "", "ANNALES_REDIS_URL": ""}) == Settings()


def test_options_come_before_variables_and_none_is_no_option() -> None:
    settings = Settings.read({"ANNALES_PORT": "nonsense", "ANNALES_WORKERS": "3"}, port=81, workers=None)
    assert (settings.port, settings.workers) == (81, 3)


def test_all_bad_values_are_named_with_what_would_be_right() -> None:
    assert problems(
        ANNALES_REDIS_URL="http://store",
        ANNALES_PARTITIONS="0",
        ANNALES_DURABILITY="never",
        ANNALES_PUBLIC_URL="example.org",
        ANNALES_HOST="two words",
        ANNALES_PORT="65536",
        ANNALES_WORKERS="-1",
    ) == [
        "ANNALES_DURABILITY is 'never': must be always or everysec",
        "ANNALES_HOST is 'two words': must be an address or a host name, such as 127.0.0.1, 0.0.0.0, :: or localhost",
        "ANNALES_PARTITIONS is '0': must be a whole number from 1 to 1024",
        "ANNALES_PORT is '65536': must be a whole number from 0 to 65535",
        f"ANNALES_PUBLIC_URL is 'example.org': must be {WEB_ADDRESS}",
        f"ANNALES_REDIS_URL is 'http://store': must be {STORE_ADDRESS}",
        "ANNALES_WORKERS is '-1': must be a whole number from 1 to 64",
    ]


@pytest.mark.parametrize("url", ["http://user:secret@store", "redis://:secret@/0", "http://a:b:secret@store"])
def test_a_bad_address_is_named_without_its_password(url: str) -> None:
    (problem,) = problems(ANNALES_REDIS_URL=url)
    assert "secret" not in problem


@pytest.mark.parametrize("url", ["redis://[", "redis://store:port", "https://example.org:99999", "redis://store:0"])
def test_an_address_that_cannot_be_read_is_bad(url: str) -> None:
    assert problems(ANNALES_REDIS_URL=url) == [f"ANNALES_REDIS_URL is {url!r}: must be {STORE_ADDRESS}"]
    assert problems(ANNALES_PUBLIC_URL=url) == [f"ANNALES_PUBLIC_URL is {url!r}: must be {WEB_ADDRESS}"]


def test_a_misspelt_variable_is_named_and_a_strange_one_is_not() -> None:
    assert problems(ANNALES_DURABLITY="always", ANNALES_SOMETHING_ELSE="1", OTHER_PORT="2") == [
        "ANNALES_DURABLITY is not a setting: did you mean ANNALES_DURABILITY?"
    ]


def test_streams_must_leave_threads_for_requests() -> None:
    assert problems(ANNALES_STREAMS="128") == ["ANNALES_STREAMS is 128: must be below ANNALES_THREADS, which is 128"]


@pytest.mark.parametrize(
    "settings", [Settings(), Settings(redis_url="redis://store", port=1, public_url="https://a.example", streams=3)]
)
def test_what_is_handed_on_to_a_child_makes_the_same_settings(settings: Settings) -> None:
    assert Settings.read(settings.environment()) == settings


def test_every_setting_is_described_and_no_password_is_shown() -> None:
    settings = Settings(redis_url="redis://user:secret@store:6379")
    lines = {line.variable: line for line in settings.described()}
    assert set(lines) == set(settings.environment())
    assert all(line.meaning and line.default for line in lines.values())
    assert lines["ANNALES_REDIS_URL"].value == "redis://user:***@store:6379"
    assert lines["ANNALES_REDIS_URL"].default == "the embedded store of ANNALES_DATA"


def test_the_socket_is_in_the_data_folder_as_long_as_its_path_is_short_enough(tmp_path: Path, monkeypatch: Any) -> None:
    assert socket_path(Path("/data")) == Path("/data/store.sock")
    long = Path("/") / ("x" * 60) / ("y" * 60)
    short = socket_path(long)
    assert short.parent.parent == Path(tempfile.gettempdir())
    assert short == socket_path(long)
    assert short != socket_path(long / "other")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / ("z" * 100)))
    assert len(os.fsencode(socket_path(long))) < 104
    assert socket_path(long).name == "store.sock"


def test_two_names_of_one_folder_have_one_socket(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    assert socket_path(tmp_path / "link") == socket_path(tmp_path)
    assert Settings(data=tmp_path / "link").data == tmp_path
