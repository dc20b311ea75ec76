"""Requests that are wrong, of every kind that there is, each certain to be so: drawn by hypothesis from what would be right."""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import quote, urlencode

from hypothesis import assume
from hypothesis import strategies as st
from msgspec import Struct

from tests.service.tables import Table, Tables

JSON = "application/json"
COMMANDS = "/v1/games/{game}/commands"


class Sent(Struct, frozen=True, kw_only=True):
    """A request: `path` and `query` not yet quoted, `by` whom. Unless `harmless`, it must be refused."""

    method: str
    path: str
    by: str = "ada"
    query: Sequence[tuple[str, str]] = ()
    headers: Sequence[tuple[str, str]] = ()
    raw: bytes | None = None
    harmless: bool = False

    @property
    def address(self) -> str:
        return quote(self.path, errors="surrogatepass") + (
            "?" + urlencode(self.query, errors="surrogatepass") if self.query else ""
        )


texts = st.text(max_size=12) | st.sampled_from(
    ["", "\x00", "\u202e", "{}", "{seat}", "%s", "' OR 1=1", "../..", "*", "null", "me", "kreta", "x" * 3000, "\ud800"]
)
numbers = st.integers(-9, 99) | st.integers() | st.sampled_from([2**31, 2**53, 2**64, -(2**70), 10**400])
scalars = st.none() | st.booleans() | numbers | st.floats() | texts
values = st.recursive(
    scalars, lambda below: st.lists(below, max_size=3) | st.dictionaries(texts, below, max_size=3), max_leaves=6
)
header_values = st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=40) | st.sampled_from(
    ["", "*", "W/", '"', "0", "-1", "9" * 40, '"1", "2"', "x" * 5000, ";q=", "*/*;q=nan", "Bearer", "bytes=0-1"]
)
ids = st.integers(0, 2**96 - 1).map(lambda number: f"{number:024x}")
junk = texts | ids.map(str.upper) | ids.map(lambda made: made + "0") | st.integers().map(str)
unknown_names = st.text(min_size=1, max_size=12).map(lambda name: "x-" + name)


def filled(place: str, game: str, other: str) -> str:
    """The address of `place` in the contract, with these ids in it."""
    known = {"game": game, "ruleset": "kreta", "slug": "forbidden", "asset": "redoc.standalone.js"}
    return re.sub(r"{(\w+)}", lambda found: known.get(found[1], other), place)


def as_bytes(body: Any) -> bytes:
    return json.dumps(body).encode()


@st.composite
def changed(draw: st.DrawFn, body: Any) -> Any:
    """`body` with one of its parts changed to something else."""
    if (
        (isinstance(body, dict | list) and not body)
        or not isinstance(body, dict | list)
        or draw(st.integers(0, 9)) == 0
    ):
        return draw(_otherwise(body))
    key = draw(st.sampled_from(sorted(body) if isinstance(body, dict) else range(len(body))))
    made = body.copy()
    match draw(st.sampled_from(["within", "within", "other", "less", "more"])):
        case "within":
            made[key] = draw(changed(body[key]))
        case "other":
            made[key] = draw(values)
        case "less":
            del made[key]
        case _ if isinstance(made, dict):
            made[draw(unknown_names)] = draw(values)
        case _:
            made.insert(key, draw(values))
    return made


def _otherwise(value: Any) -> st.SearchStrategy[Any]:
    return values | st.sampled_from([[value], {"value": value}, str(value), {"x-unknown": value}])


class Kinds:
    """Every kind of bad request to what lies on the tables."""

    def __init__(self, tables: Tables, is_body: Callable[[str, str, Any], bool]) -> None:
        self._tables = tables
        self._is_body = is_body
        """Whether the contract allows a body of an operation."""
        self._table = st.sampled_from(tables.every)
        self._active = st.sampled_from(tables.by_status["active"])
        self._callers = st.sampled_from([*tables.callers])

    @st.composite
    @staticmethod
    def _bodied(draw: st.DrawFn, kinds: "Kinds") -> tuple[str, str, str, Any]:
        """An operation that takes a body: method, address, its place in the contract, and a body that is right."""
        table = draw(kinds._active)
        command = draw(st.sampled_from(table.legal))
        places = [
            *kinds._tables.bodied,
            ("POST", "/v1/games", kinds._tables.creation(table)),
            ("POST", COMMANDS, command),
            ("POST", COMMANDS, {"commands": [command]}),
        ]
        method, place, body = draw(st.sampled_from(places))
        return method, filled(place, table.id, draw(ids)), place, body

    def _json(self, method: str, path: str, raw: bytes, **more: Any) -> Sent:
        by = "operator" if path.startswith("/v1/admin/") else "ada"
        headers = [("Content-Type", JSON), *more.pop("headers", ())]
        return Sent(**{"method": method, "path": path, "raw": raw, "by": by, "headers": headers, **more})

    def _given(self, table: Table, body: Any, **more: Any) -> Sent:
        return self._json("POST", f"/v1/games/{table.id}/commands", as_bytes(body), **more)

    def no_json(self) -> st.SearchStrategy[Sent]:
        """Bodies that are not JSON, or not said to be, or too much of it."""

        @st.composite
        def made(draw: st.DrawFn) -> Sent:
            method, path, _, body = draw(self._bodied(self))
            right = as_bytes(body)
            depth = draw(st.integers(2, 30_000))
            at = draw(st.integers(1, len(right) - 1))
            match draw(st.integers(0, 9)):
                case 0:
                    raw = right[:at]
                case 1:
                    raw = right + draw(st.binary(min_size=1, max_size=9).filter(bytes.strip))
                case 2:
                    raw = b'{"name":"' + draw(st.sampled_from([b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf8"])) + b'"}'
                case 3:
                    raw = b"[" * depth + draw(st.sampled_from([b"", b"]" * depth, b"1"]))
                case 4:
                    raw = b'{"data":' * (depth // 4) + b"1" + draw(st.sampled_from([b"", b"}" * (depth // 4)]))
                case 5:
                    number = draw(
                        st.sampled_from([b"NaN", b"-Infinity", b"1e999", b"9" * 5000, b"0x1", b"1e", b"-", b".5"])
                    )
                    raw = b'{"seat":' + number + b"}"
                case 6:
                    raw = json.dumps(body).encode(draw(st.sampled_from(["utf-16", "utf-32", "utf-8-sig", "utf-16-le"])))
                case 7:
                    raw = right[:-1] + b" " * 65_536 + draw(st.binary(max_size=4))
                case 8:
                    media_type = draw(
                        header_values | st.sampled_from(["text/plain", "application/json; charset=utf-16"])
                    )
                    assume("json" not in media_type or "utf-16" in media_type)
                    return Sent(method=method, path=path, raw=right, headers=[("Content-Type", media_type)])
                case _:
                    raw = draw(st.binary(max_size=80))
                    assume(not _is_json(raw))
            return self._json(method, path, raw)

        return made()

    def bodies(self) -> st.SearchStrategy[Sent]:
        """Bodies of the wrong shape: what the contract does not allow."""

        @st.composite
        def made(draw: st.DrawFn) -> Sent:
            method, path, place, body = draw(self._bodied(self))
            wrong = draw(changed(body))
            if draw(st.integers(0, 99)) == 0:
                wrong = {f"{number:x}": 0 for number in range(draw(st.integers(100, 5000)))}
            assume(not self._is_body(method, place, wrong))
            return self._json(method, path, as_bytes(wrong))

        return made()

    def commands(self) -> st.SearchStrategy[Sent]:
        """Commands of an active game that are not legal now, and those of other games."""

        @st.composite
        def made(draw: st.DrawFn) -> Sent:
            table, other = draw(self._active), draw(self._active)
            wrong = draw(st.sampled_from(other.legal))
            if table is other or draw(st.booleans()):
                wrong = {**wrong, "data": draw(changed(wrong["data"]))}
            if draw(st.booleans()):
                wrong = {**wrong, "type": draw(st.sampled_from(self._tables.types[other.ruleset]))}
            wrong = {**wrong, "seat": draw(st.sampled_from([None, 0, 0, 0, 1, 7]))}
            assume(not self._tables.is_legal(table, wrong))
            return self._given(table, wrong)

        return made()

    def moments(self) -> st.SearchStrategy[Sent]:
        """Commands of the right shape at the wrong moment."""

        @st.composite
        def made(draw: st.DrawFn) -> Sent:
            table = draw(self._table)
            kinds: list[Any] = [
                {"type": "join_game", "data": {"seat": draw(st.integers(0, 7))}},
                {"type": "add_entropy", "data": {"entropy": draw(texts)}},
                {"type": "start_game"},
                {"type": "cancel_game"},
            ]
            if table.status == "open":
                kinds = []
            if table.status != "active":
                kinds += [command for each in self._tables.by_status["active"] for command in each.legal]
                kinds += [{"type": "resign"}, {"type": "request_undo", "data": {"to_version": draw(numbers)}}]
                kinds += [{"type": "redo"}, {"type": "answer_undo", "data": {"accept": draw(st.booleans())}}]
            by = draw(st.sampled_from(["ada", "bob", "eve"])) if table.status == "finished" else "ada"
            key = draw(st.lists(st.tuples(st.just("Idempotency-Key"), ids), max_size=1))
            return self._given(table, draw(st.sampled_from(kinds)), by=by, headers=key)

        return made()

    def strangers(self) -> st.SearchStrategy[Sent]:
        """What is right, but not for who sends it."""

        @st.composite
        def made(draw: st.DrawFn) -> Sent:
            table = draw(self._active)
            by = draw(st.sampled_from(["eve", "reader", "visitor", "liar"]))
            if draw(st.integers(0, 4)) == 0:
                hidden = draw(st.sampled_from(self._tables.by_status["open"])).id
                part = draw(
                    st.sampled_from(["", "/board", "/events", "/legal-commands", "/audit", "/export", "/invites"])
                )
                who = draw(st.sampled_from(["bob", "eve", "visitor", "liar"]))
                return Sent(
                    method="GET", path=f"/v1/games/{hidden}{part}", by=who, headers=[("X-Request-Id", draw(ids))]
                )
            if draw(st.booleans()):
                theirs = draw(st.sampled_from([table.legal[0] | {"seat": 1}, *table.legal]))
                by = by if "seat" not in theirs else draw(st.sampled_from(["ada", by]))
                return self._given(table, theirs, by=by, headers=[("Idempotency-Key", draw(ids))])
            method, place = draw(
                st.sampled_from(
                    [
                        ("GET", f"/v1/games/{table.id}/invites"),
                        ("POST", f"/v1/games/{table.id}/invites"),
                        ("POST", f"/v1/games/{table.id}/rematch"),
                        ("POST", f"/v1/admin/games/{table.id}/close"),
                        ("PUT", f"/v1/admin/players/{self._tables.bob}/block"),
                        ("DELETE", f"/v1/admin/players/{draw(ids)}/block"),
                        ("GET", "/v1/admin/registration"),
                        ("DELETE", f"/v1/tokens/{draw(ids)}"),
                        ("POST", f"/v1/tokens/{draw(ids)}/rotate"),
                    ]
                )
            )
            assume(not (by == "reader" and method == "GET"))
            return Sent(method=method, path=place, by=by, headers=[("X-Request-Id", draw(ids))])

        return made()

    def headers(self) -> st.SearchStrategy[Sent]:
        """A legal command with a header that is wrong."""

        @st.composite
        def made(draw: st.DrawFn) -> Sent:
            table, value = draw(self._active), draw(header_values)
            name = draw(st.sampled_from(["If-Match", "Idempotency-Key", "Authorization", "Last-Event-ID"]))
            match name:
                case "If-Match":
                    value = draw(st.just(value) | st.integers(0, 10**15).map(lambda number: f'"{number}"'))
                    assume(value.strip() not in {"*", f'"{table.version}"'})
                case "Idempotency-Key":
                    value = draw(st.sampled_from(["", "x" * 129, "\xa0" + value, value + "\x7f"]))
                case "Last-Event-ID":
                    assume(not (value.isascii() and value.isdigit() and len(value) <= 16))
                    sent = [
                        ("Accept", draw(st.sampled_from(["text/event-stream", "application/x-ndjson"]))),
                        (name, value),
                    ]
                    return Sent(method="GET", path=f"/v1/games/{table.id}/events", headers=sent)
            return self._given(table, draw(st.sampled_from(table.legal)), headers=[(name, value)])

        return made()

    def queries(self) -> st.SearchStrategy[Sent]:
        """Queries with parameters that are unknown, wrong or there twice."""
        wrong = texts | st.sampled_from(["-1", "1e3", "0x1", "9" * 30, "1.0", " 1", "+1", "TRUE", "1_0", "\u0661"])

        @st.composite
        def made(draw: st.DrawFn) -> Sent:
            path, known = draw(st.sampled_from(self._tables.queries))
            path = filled(path, draw(self._active).id, draw(ids))
            name = draw(st.sampled_from(known) if known else st.nothing() | unknown_names)
            if name in {"limit", "after", "at", "from", "to", "size", "seat", "status", "player", "cursor", "reveal"}:
                value = draw(wrong)
                assume(
                    not (value.isascii() and value.isdigit() and name not in {"status", "player", "cursor", "reveal"})
                )
                query = [(name, value)]
            else:
                query = [(draw(unknown_names), draw(texts))]
            if draw(st.booleans()):
                query = [(name, "1"), (name, draw(wrong))]
            return Sent(method="GET", path=path, query=query, headers=[("Accept", draw(header_values))])

        return made()

    def addresses(self) -> st.SearchStrategy[Sent]:
        """Ids of nothing, and addresses where nothing is."""

        @st.composite
        def made(draw: st.DrawFn) -> Sent:
            method, place = draw(st.sampled_from(self._tables.places))
            assume("{" in place)
            named = draw(ids | junk)
            named += "-" if re.search("{(ruleset|slug|asset)}", place) else ""
            path = re.sub(r"{\w+}", lambda _: named, place)
            assume("{game}" not in place or not any(named == table.id for table in self._tables.every))
            assume(not set(path.split("/")) & {".", "..", ""} - {""} and "//" not in path and not path.endswith("/"))
            body = {"type": "resign"} if place == COMMANDS else {"at": 1}
            return self._json(method, path, as_bytes(body))

        return made()

    def methods(self) -> st.SearchStrategy[Sent]:
        """Methods that an address does not answer."""
        every = ["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "PROPFIND", "FOO"]

        @st.composite
        def made(draw: st.DrawFn) -> Sent:
            _, place = draw(st.sampled_from(self._tables.places))
            path = filled(place, draw(self._table).id, draw(ids))
            allowed = {method for method, other in self._tables.places if other == place}
            method = draw(st.sampled_from([method for method in every if method not in allowed]))
            return self._json(method, path, as_bytes(draw(values)), by=draw(self._callers))

        return made()

    def batches(self) -> st.SearchStrategy[Sent]:
        """Batches of which something is wrong, the rest being right."""

        @st.composite
        def made(draw: st.DrawFn) -> Sent:
            table = draw(self._active)
            right = draw(st.sampled_from(table.legal))
            wrong = draw(
                st.sampled_from([{**right, "x-more": 1}, {"type": "start_game"}, {"type": draw(texts)}]) | values
            )
            commands = draw(
                st.sampled_from(
                    [[right, wrong], [wrong, right], [], [right] * 65, {"0": right}, [[right]], [right, right, wrong]]
                )
            )
            body = {"commands": commands, **draw(st.dictionaries(unknown_names, values, max_size=1))}
            assume(wrong not in table.legal)
            return self._given(table, body, headers=[("Idempotency-Key", draw(ids))])

        return made()

    def reads(self) -> st.SearchStrategy[Sent]:
        """Reads with headers that mean nothing: these may be answered."""
        names = st.sampled_from(
            ["Accept", "Accept-Language", "Accept-Encoding", "If-None-Match", "If-Match", "Cookie", "Range", "X-Request-Id",
             "Origin", "Host", "X-Forwarded-For", "Last-Event-ID", "Content-Type", "Forwarded"]
        )  # fmt: skip

        @st.composite
        def made(draw: st.DrawFn) -> Sent:
            path, _ = draw(st.sampled_from(self._tables.queries))
            path = filled(path, draw(self._table).id, draw(ids))
            headers = draw(st.lists(st.tuples(names, header_values), min_size=1, max_size=4))
            assume(not any("stream" in value or "ndjson" in value for _, value in headers))
            return Sent(method="GET", path=path, by=draw(self._callers), headers=headers, harmless=True)

        return made()


def _is_json(raw: bytes) -> bool:
    try:
        json.loads(raw)
    except ValueError:
        return False
    return True
