"""What a deployment may choose, read once from the environment at start.

A setting is a field of `Settings`: `ANNALES_` and its name in capitals is the variable, and its metadata holds the
meaning and the parser. All bad values are named together, each with what would be right.
"""

import dataclasses
import difflib
import hashlib
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args
from urllib.parse import SplitResult, quote, urlsplit

PREFIX = "ANNALES_"
Durability = Literal["always", "everysec"]

_LONGEST_SOCKET_PATH = 100
"""Bytes; the kernels' own limits are 107 (Linux) and 103 (macOS)."""


class SettingsError(Exception):
    """Some settings are unusable; `problems` has one sentence for each."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


def _whole(low: int, high: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not re.fullmatch(r"\d{1,9}", text) or not low <= int(text) <= high:
            raise ValueError(f"a whole number from {low} to {high}")
        return int(text)

    return parse


def _address(text: str) -> SplitResult:
    try:
        parts = urlsplit(text)
        return parts if parts.port != 0 else urlsplit("")
    except ValueError:  # of the port, or of an address in brackets
        return urlsplit("")


def _store_address(text: str) -> str:
    parts = _address(text)
    if not ((parts.scheme in {"redis", "rediss"} and parts.hostname) or (parts.scheme == "unix" and parts.path)):
        raise ValueError(
            "an address like redis://host:6379/0, rediss://user:password@host:6380/0 or unix:///path/socket"
        )
    return text


def _web_address(text: str) -> str:
    parts = _address(text)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment:
        raise ValueError("an address like https://annales.example or https://example.org/annales")
    return text.rstrip("/")


def _origins(text: str) -> frozenset[str]:
    origins = frozenset(origin.strip().rstrip("/") for origin in text.split(","))
    if origins == {"none"}:
        return frozenset()
    for origin in origins - {"*"}:
        parts = _address(origin)
        if parts.scheme not in {"http", "https"} or not parts.hostname or origin != f"{parts.scheme}://{parts.netloc}":
            raise ValueError("*, none, or origins like https://example.org, with commas between them")
    return origins


def _durability(text: str) -> str:
    if text not in get_args(Durability):
        raise ValueError("always or everysec")
    return text


def _switch(text: str) -> bool:
    if text not in {"yes", "no"}:
        raise ValueError("yes or no")
    return text == "yes"


def _folder(text: str) -> Path:
    return Path(text).expanduser()


def _host(text: str) -> str:
    if not re.fullmatch(r"[0-9A-Za-z.:_-]+", text):
        raise ValueError("an address or a host name, such as 127.0.0.1, 0.0.0.0, :: or localhost")
    return text


def _setting(default: Any, meaning: str, parse: Callable[[str], Any], otherwise: str = "") -> Any:
    return dataclasses.field(default=default, metadata={"meaning": meaning, "parse": parse, "otherwise": otherwise})


class Described(NamedTuple):
    """One line of `annales settings`."""

    variable: str
    value: str
    default: str
    meaning: str


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All settings of a deployment. Built from keywords (tests) or by `Settings.read` (everything else)."""

    data: Path = _setting(Path("data"), "folder of the embedded store and of the archive", _folder)
    redis_url: str = _setting(
        "", "Redis or Valkey that holds the games", _store_address, "the embedded store of ANNALES_DATA"
    )
    queue_url: str = _setting("", "Redis or Valkey that holds the job queue", _store_address, "ANNALES_REDIS_URL")
    keys: Path = _setting(
        Path("keys"), "folder of the keys that sign, or the file of one; seen from ANNALES_DATA", _folder, "keys"
    )
    partitions: int = _setting(
        4, "parts that the games are spread over; fixed when a store is first used", _whole(1, 1024)
    )
    durability: Durability = _setting(
        "always", "always: what is acknowledged is on disk; everysec: up to a second may be lost", _durability
    )
    host: str = _setting("127.0.0.1", "address that the web server listens on", _host)
    port: int = _setting(8000, "port that the web server listens on; 0 takes a free one", _whole(0, 65535))
    public_url: str = _setting(
        "", "address under which clients reach the service", _web_address, "what each request was sent to"
    )
    trusted_hops: int = _setting(0, "proxies in front whose X-Forwarded headers are believed", _whole(0, 10))
    web_processes: int = _setting(2, "web server processes", _whole(1, 64))
    threads: int = _setting(128, "threads of a web server process, one for each request under way", _whole(4, 1024))
    streams: int = _setting(96, "live streams of a web server process; leave threads for requests", _whole(1, 1020))
    abandon_days: int = _setting(30, "days without a player's command after which a game is abandoned", _whole(1, 3650))
    expire_days: int = _setting(30, "days without a player's command after which an open game expires", _whole(1, 3650))
    registrations_per_minute: int = _setting(
        60, "players that may register from one address in a minute; 0: any number", _whole(0, 999_999_999)
    )
    reads_per_minute: int = _setting(
        30_000, "reads of one player in a minute; an audit or an export is 20; 0: any number", _whole(0, 999_999_999)
    )
    commands_per_minute: int = _setting(
        12_000,
        "commands of one player in a minute; one that is refused is 5, a new game 10, an import 100; 0: any number",
        _whole(0, 999_999_999),
    )
    cors_origins: frozenset[str] = _setting(
        frozenset({"*"}), "origins whose pages may call the service: *, none, or a list with commas", _origins, "*"
    )
    webhook_http: bool = _setting(False, "whether webhooks may be sent by plain HTTP", _switch, "no")
    webhook_private: bool = _setting(
        False,
        "whether webhooks may be sent to private, loopback and other addresses that are not public",
        _switch,
        "no",
    )
    workers: int = _setting(2, "processes for bots and scoring", _whole(1, 64))
    min_free_mb: int = _setting(
        128, "free space, in MB, below which ANNALES_DATA takes nothing more", _whole(0, 999_999_999)
    )

    def __post_init__(self) -> None:
        """Fill in what depends on other settings.

        Raises:
            SettingsError: values that are good alone do not go together.
        """
        if self.streams >= self.threads:
            raise SettingsError(
                [f"ANNALES_STREAMS is {self.streams}: must be below ANNALES_THREADS, which is {self.threads}"]
            )
        object.__setattr__(self, "data", Path(os.path.realpath(self.data)))
        object.__setattr__(self, "keys", self.data / self.keys)
        object.__setattr__(self, "redis_url", self.redis_url or embedded_url(self.data))
        object.__setattr__(self, "queue_url", self.queue_url or self.redis_url)

    @property
    def silence(self) -> dict[str, timedelta]:
        """After how long without a player a game ends by itself, as `Sessions` takes it."""
        return {"abandon_after": timedelta(days=self.abandon_days), "expire_after": timedelta(days=self.expire_days)}

    @property
    def embedded(self) -> bool:
        """Whether the games are in the store that `annales up` runs on `data`."""
        return self.redis_url == embedded_url(self.data)

    @classmethod
    def read(cls, environ: Mapping[str, str] | None = None, **given: Any) -> "Settings":
        """The settings of this process: `given` (command line options; None is left out) before `environ`.

        Raises:
            SettingsError: at least one value is unusable; all of them are named.
        """
        environ = os.environ if environ is None else environ
        values, problems = {name: value for name, value in given.items() if value is not None}, []
        fields = {PREFIX + field.name.upper(): field for field in dataclasses.fields(cls)}
        for variable, text in sorted(environ.items()):
            if (field := fields.get(variable)) is None:
                problems += _misspelt(variable, list(fields))
            elif text and field.name not in values:
                try:
                    values[field.name] = field.metadata["parse"](text)
                except ValueError as right:
                    problems.append(f"{variable} is {_unsecret(text)!r}: must be {right}")
        if problems:
            raise SettingsError(problems)
        return cls(**values)

    def described(self) -> Iterator[Described]:
        """Each setting with its value, default and meaning; passwords are not shown."""
        for field in dataclasses.fields(self):
            value, default = getattr(self, field.name), field.metadata["otherwise"] or str(field.default)
            yield Described(PREFIX + field.name.upper(), _unsecret(_text(value)), default, field.metadata["meaning"])

    def environment(self) -> dict[str, str]:
        """The variables from which `read` makes these settings again."""
        fields = dataclasses.fields(self)
        return {PREFIX + field.name.upper(): _text(getattr(self, field.name)) for field in fields}


def socket_path(data: Path) -> Path:
    """The socket of the embedded store of a data folder: in it, or, where that path is too long, in a temporary one."""
    path = Path(os.path.realpath(data)) / "store.sock"
    if len(os.fsencode(path)) <= _LONGEST_SOCKET_PATH:
        return path
    name = f"annales-{os.getuid()}-{hashlib.sha256(os.fsencode(path)).hexdigest()[:16]}"
    temporary = Path(tempfile.gettempdir()) / name / "store.sock"
    return temporary if len(os.fsencode(temporary)) <= _LONGEST_SOCKET_PATH else Path("/tmp") / name / "store.sock"  # noqa: S108 its folder is made with our rights alone


def embedded_url(data: Path) -> str:
    """The address of the embedded store of a data folder."""
    return f"unix://{quote(str(socket_path(data)))}"


def _misspelt(variable: str, known: list[str]) -> list[str]:
    if not variable.startswith(PREFIX):
        return []
    names = [name.removeprefix(PREFIX) for name in known]
    near = difflib.get_close_matches(variable.removeprefix(PREFIX), names, n=1, cutoff=0.75)
    return [f"{variable} is not a setting: did you mean {PREFIX}{near[0]}?"] if near else []


def _text(value: Any) -> str:
    """A value as a variable states it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return (",".join(sorted(value)) or "none") if isinstance(value, frozenset) else str(value)


def _unsecret(text: str) -> str:
    return re.sub(r"(?<=:)[^:@/]+(?=@)", "***", text)
