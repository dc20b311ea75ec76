"""Life of a command: load, decide, fold, seal, append. The one way to change a game, for players, bots and the service alike."""

import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct
from msgspec.structs import replace

from domain.canonical import canonical
from domain.errors import DomainError, WrongMoment
from domain.game import Event
from domain.table import (
    Ancestor,
    CreateGame,
    ForkGame,
    Order,
    Position,
    Table,
    due,
    is_reveal,
    owed_order,
    rematch,
)
from domain.table.events import HistoryRewound
from events import envelope
from events.draft import Draft, Session
from events.envelope import GENESIS, Envelope
from events.errors import KeyReused, NotFound, VersionMismatch
from events.history import History, milliseconds
from events.milestones import Milestones, is_due
from events.ruleset import Rulesets
from events.store import Append, Logged, Snapshot, Store

KEEP_KEYED = 25 * 3600
"""Seconds that the answer of a command with the client's own key is kept."""

KEEP_OWN = 600
"""Seconds that the service's own command ids are kept; a lost answer is asked for again within moments."""

MOST_KEPT = 500
"""How many games a process keeps decoded."""

ATTEMPTS = 20
"""How often a command without an expected version is tried against a game that keeps moving."""

Render = Callable[["Outcome"], bytes]
Given = Order | Callable[[Session], Order]
"""A command to give: an order, or what makes it of the game as it stands when its turn in a batch has come."""


class Outcome(Struct, frozen=True):
    """What a command brought about: its events, whole, and the game after it.

    `answer` is what the caller's `render` made of it. `replayed`: the command had been stored before; `answer` is then the
    stored one, `session` the game as it stands now, and `events` are empty.
    `complete` is false for a dry run that stopped at something nobody can know yet.
    """

    session: Session
    events: Sequence[Envelope]
    answer: bytes = b""
    replayed: bool = False
    complete: bool = True


class Key(Struct, frozen=True):
    """What makes a command recognisable when it comes again: its id, and the digest of its request.

    `kept` is false for ids of the service's own making, which no client can repeat.
    """

    id: str
    request: str = ""
    kept: bool = False

    @classmethod
    def own(cls) -> "Key":
        """A fresh id."""
        return cls(id=secrets.token_hex(12))

    @classmethod
    def of(cls, caller: str, scope: str, key: str, request: object) -> "Key":
        """The id of a client's own `key`, which belongs to `caller` and `scope` (a game, or what is made)."""
        digest = sha256(canonical([caller, scope, key])).hexdigest()
        return cls(id=digest[:24], request=sha256(canonical(request)).hexdigest(), kept=True)


class LoggedPast:
    """The log of a game so far, read only when a rewind asks for it."""

    def __init__(self, sessions: "Sessions", session: Session) -> None:
        self._sessions = sessions
        self._session = session

    def state(self, version: int) -> Any:
        """The state of the game at an earlier version."""
        return self._sessions.at(self._session.id, version).position.game

    def is_boundary(self, version: int) -> bool:
        """Whether `version` lies between two commands, or is the present."""
        if version == self._session.version:
            return True
        following = self._sessions.store.read(self._session.id, version, 1)
        return bool(following) and isinstance(envelope.decode(following[0].line).command.type, str)


class Sessions:
    """All games of a store."""

    def __init__(
        self,
        store: Store,
        rulesets: Rulesets,
        *,
        abandon_after: timedelta = timedelta(days=30),
        expire_after: timedelta = timedelta(days=30),
    ) -> None:
        self.store = store
        self.rulesets = rulesets
        self._milestones = Milestones(store)
        self._silence = (round(abandon_after.total_seconds() * 1000), round(expire_after.total_seconds() * 1000))
        self._kept: dict[str, Session] = {}

    def load(self, game: str) -> Session:
        """The game as it stands. Raises NotFound."""
        return self._load(game, None)[0]

    def load_with_events(self, game: str, after: int, limit: int) -> tuple[Session, list[Logged]]:
        """The game as it stands and at most `limit` of its events after a version, in one round trip. Raises NotFound.

        Whoever may read the game as it stands may not read what came after: the seats may have changed hands.
        """
        snapshot, rows = self.store.load_with_events(game, after, limit)
        session = self._session(game, snapshot)
        return session, [row for row in rows if row.version <= session.version]

    def load_many(self, games: Sequence[str]) -> list[Session]:
        """Those of the games that exist, in one round trip."""
        found: list[Session] = []
        for game, snapshot in zip(games, self.store.load_many(games), strict=True):
            with suppress(NotFound):
                found.append(self._session(game, snapshot))
        return found

    def at(self, game: str, version: int) -> Session:
        """The game as it stood at `version`. Raises NotFound when there is no such game or version.

        Folds from the nearest milestone, and keeps milestones that are missing on the way.
        """
        history, before, head = self._from_milestone(game, version)
        last = before
        for line in self.store.log(game, version, before):
            event = history.add(line)
            before, head = line.version, line.digest
            if is_due(last, before, event):
                passed = Session.of(game, history.ruleset, history.position, head)
                self._milestones.put(game, snapshot_of(passed))
                last = before
        if before != version or version == 0:
            raise NotFound("version")
        return Session.of(game, history.ruleset, history.position, head)

    def fold(self, game: str) -> Session:
        """The game as its whole log says, caches aside. Raises NotFound."""
        history, last = History(self.rulesets), None
        for last in self.store.log(game):
            history.add(last)
        if last is None:
            raise NotFound
        return Session.of(game, history.ruleset, history.position, last.digest)

    def _from_milestone(self, game: str, version: int) -> tuple[History, int, str]:
        """A fold that begins as near before `version` as a milestone lets it, its version and digest."""
        milestone = self._milestones.nearest(game, version, self._schema_of)
        if milestone is None:
            return History(self.rulesets), 0, GENESIS
        session = self._session(game, milestone)
        past = LoggedPast(self, session)
        history = History(self.rulesets, ruleset=session.ruleset, position=session.position, past=past)
        return history, session.version, session.head

    def _schema_of(self, snapshot: Snapshot) -> str:
        """The form that a snapshot must have to be read."""
        return self.rulesets[_TABLE_HEAD.decode(snapshot.table).ruleset].snapshot_schema

    def create(self, command: CreateGame, creator: str, key: Key, render: Render) -> Outcome:
        """A new game. Its id comes from `key`, so that the same request makes it once. Raises BadCommand, KeyReused."""
        ruleset, seed = self.rulesets[command.ruleset], secrets.token_bytes(32)
        draft = Draft.opening(ruleset, key.id, command, creator, seed, at=now(), command_id=key.id)
        outcome = Outcome(session=draft.session, events=draft.events)
        stored = self._store(outcome, 0, key, render)
        return stored or self._there(key.id, render)

    def fork(self, command: ForkGame, creator: str, key: Key, render: Render) -> Outcome:
        """A new game from how another stood at the last boundary between commands at or before `command.at`.

        Raises NotFound, NotAllowed, WrongMoment, BadCommand, KeyReused.
        """
        present = self.load(command.game)
        if command.at > present.version:
            raise NotFound("version")
        past = LoggedPast(self, present)
        at = next((version for version in range(command.at, 0, -1) if past.is_boundary(version)), None)
        if at is None:
            raise WrongMoment("game-not-started", "Before its start a game has nothing to fork.", pointer="/at")
        then = present if at == present.version else self.at(command.game, at)
        ancestor = Ancestor(position=then.position, head=then.head, table=present.position.table)
        seed = secrets.token_bytes(32)
        draft = Draft.forking(present.ruleset, key.id, command, ancestor, creator, seed, at=now(), command_id=key.id)
        outcome = Outcome(session=draft.session, events=draft.events)
        stored = self._store(outcome, 0, key, render)
        return stored or self._there(key.id, render)

    def rematch(self, game: str, player: str, render: Render) -> Outcome:
        """The game that plays `game`, which is over, once more: the one there is, else a new one. It is `replayed` then.

        A rematch that was called off makes room for another. Its id follows from the game and the rematch before, so that
        all who ask at once get the same. Raises NotFound, WrongMoment, NotAllowed.
        """
        ended = self.load(game)
        command = rematch(ended.position.table, ended.head, player)
        if ended.rematch and self.load(ended.rematch).position.table.status != "abandoned":
            return self._there(ended.rematch, render)
        made = self.create(command, player, Key.of("", f"rematch:{game}", ended.rematch, None), render)
        self.store.put_rematch(game, made.session.id)
        return made

    def handle(
        self,
        game: str,
        orders: Callable[[Session], Sequence[Given]],
        key: Key,
        *,
        render: Render = lambda _: b"",
        expected: int | None = None,
    ) -> Outcome:
        """Give a game the commands that `orders` makes of its present state, all or none, in one append.

        `orders` is where the caller's rights are checked. A stored answer is given again without it, since a command may
        have cost its caller those very rights (leaving, resigning). Raises NotFound, VersionMismatch (when the game is not at the
        `expected` version), KeyReused, and whatever the rules say.
        """
        for _ in range(ATTEMPTS):
            session, stored_answer = self._load(game, key)
            if stored_answer is not None and _answers(stored_answer, key):
                return _replay(session, stored_answer, key)
            given = orders(session)
            if stored_answer is not None:
                raise KeyReused
            if expected is not None and expected != session.version:
                raise VersionMismatch(expected, session.version)
            draft = self._draft(session, given, key)
            outcome = Outcome(session=draft.session, events=draft.events)
            stored = self._store(outcome, session.version, key, render)
            if stored is not None:
                return stored
        raise WrongMoment("busy", "The game moves too fast; say with If-Match which version is meant.")

    def try_out(
        self, game: str, orders: Callable[[Session], Sequence[Given]], *, expected: int | None = None
    ) -> Outcome:
        """What the commands would bring about, as far as anybody can know it; stores nothing."""
        session = self.load(game)
        given = orders(session)
        if expected is not None and expected != session.version:
            raise VersionMismatch(expected, session.version)
        draft = self._draft(session, given, Key(id="dry-run"))
        known: list[Envelope] = []
        for event, sealed in zip(draft.typed, draft.events, strict=True):
            known.append(veiled(event, sealed))
            if is_reveal(event):
                return Outcome(session=session, events=known, complete=False)
        return Outcome(session=session, events=known)

    def take_owed(self, game: str, version: int) -> Outcome | None:
        """Do the step that the service owes at `version`; None when the game has moved on or owes nothing."""
        session = self.load(game)
        order = owed_order(session.ruleset.game, session.position)
        if session.version != version or order is None:
            return None
        try:
            return self.handle(game, lambda _: [order], Key.own(), expected=version)
        except VersionMismatch:
            return None

    def take_due(self, game: str, version: int) -> Outcome | None:
        """Do what has fallen due at `version` (a clock, an undo without answer, a game left alone); None when nothing has."""
        session = self.load(game)
        coming = due(session.position.table, *self._silence)
        if session.version != version or coming is None or coming[0] > milliseconds(now()):
            return None
        try:
            return self.handle(game, lambda _: [Order(command=coming[1], actor="system")], Key.own(), expected=version)
        except VersionMismatch:
            return None

    def due_at(self, session: Session) -> int | None:
        """When something falls due in a game (Unix milliseconds), unless it moves before."""
        coming = due(session.position.table, *self._silence)
        return None if coming is None else coming[0]

    def seed(self, game: str) -> bytes:
        """The seed of a game, from the private part of its first event."""
        first = envelope.decode(self.store.seed_line(game))
        return bytes.fromhex(first.private[0].read()["seed"])

    def _there(self, game: str, render: Render) -> Outcome:
        """The answer to the making of a game that was made before, when its first answer is no longer kept."""
        outcome = Outcome(session=self.load(game), events=(), replayed=True)
        return replace(outcome, answer=render(outcome))

    def _load(self, game: str, key: Key | None) -> tuple[Session, bytes | None]:
        snapshot, answer = self.store.load(game, key.id if key else None)
        return self._session(game, snapshot), answer

    def _session(self, game: str, snapshot: Snapshot | None) -> Session:
        """The session that a snapshot holds; from the log when there is none or it has an older form. Raises NotFound.

        The latest ones are kept decoded: what a snapshot of this form holds follows from the head of its log.
        """
        if snapshot is None:
            return self._folded(game)
        kept = self._kept.get(game)
        if kept is not None and kept.head == snapshot.head and kept.ruleset.snapshot_schema == snapshot.schema:
            if kept.rematch == snapshot.rematch:
                return kept
            session = replace(kept, rematch=snapshot.rematch)
        else:
            session = replace(self._decoded(game, snapshot), rematch=snapshot.rematch)
        self._keep(session)
        return session

    def _keep(self, session: Session) -> None:
        if len(self._kept) >= MOST_KEPT and session.id not in self._kept:
            self._kept.clear()
        self._kept[session.id] = session

    def _decoded(self, game: str, snapshot: Snapshot) -> Session:
        ruleset = self.rulesets[_TABLE_HEAD.decode(snapshot.table).ruleset]
        if snapshot.schema != ruleset.snapshot_schema:
            return self._folded(game)
        table = _TABLE.decode(snapshot.table)
        state = ruleset.read_game(snapshot.game) if snapshot.game != _NOTHING else None
        return Session.of(game, ruleset, Position(table, state), snapshot.head)

    def _folded(self, game: str) -> Session:
        """The session that the log holds; its snapshot is put in place. Raises NotFound."""
        session = self.fold(game)
        self.store.put_snapshot(game, snapshot_of(session))
        return session

    def _draft(self, session: Session, orders: Sequence[Given], key: Key) -> Draft:
        game = session.id
        draft = Draft.continuing(
            session,
            at=now(),
            seed=lambda: self.seed(game),
            past=LoggedPast(self, session),
        )
        for number, order in enumerate(orders):
            try:
                draft.give(
                    order if isinstance(order, Order) else order(draft.session),
                    key.id if len(orders) == 1 else f"{key.id}.{number}",
                )
            except DomainError as refusal:
                if len(orders) > 1:
                    refusal.pointer = f"/commands/{number}{refusal.pointer or ''}"
                raise
        return draft

    def _store(self, outcome: Outcome, expected: int, key: Key, render: Render) -> Outcome | None:
        """Append; None when another append came first. A command that turns out to be stored already is answered as then."""
        session, answer = outcome.session, render(outcome)
        append = Append(
            game=session.id,
            expected=expected,
            events=outcome.events,
            snapshot=snapshot_of(session),
            owed=session.pending or "",
            due=self.due_at(session),
            answer_id=key.id,
            answer=key.request.encode() + answer if key.kept else b"",
            keep_answer=KEEP_KEYED if key.kept else KEEP_OWN,
            milestone=self._goes_far_back(session.id, expected, outcome.events),
        )
        appended = self.store.append(append)
        if appended.outcome == "moved":
            return None
        if appended.outcome == "known" and key.kept:
            if not _answers(appended.answer, key):
                raise KeyReused
            return _replay(self.load(session.id), appended.answer, key)
        self._keep(session)
        return replace(outcome, answer=answer)

    def _goes_far_back(self, game: str, version: int, events: Sequence[Envelope]) -> bool:
        """Whether events after `version` take the game back to before its last milestone."""
        targets = [
            msgspec.convert(msgspec.json.decode(event.data)["to"], int)
            for event in events
            if event.type == HistoryRewound.type
        ]
        return bool(targets) and min(targets) < self._milestones.last(game, version)


def now() -> str:
    """The present as events state it: RFC 3339, UTC, milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def snapshot_of(session: Session) -> Snapshot:
    """The snapshot of a game."""
    return Snapshot(
        version=session.version,
        schema=session.ruleset.snapshot_schema,
        table=msgspec.json.encode(session.position.table),
        game=msgspec.json.encode(session.position.game),
        head=session.head,
    )


def veiled(event: Event, sealed: Envelope) -> Envelope:
    """The event of a dry run: what it would reveal is null, and so are the digests that depend on it."""
    data = msgspec.json.decode(sealed.data)
    for name in event.reveals:
        data[name] = None
    parts = tuple(replace(part, salt=UNSET, data=UNSET, digest="") for part in sealed.private)
    return replace(sealed, data=Raw(canonical(data)), private=parts, private_digest=None, prev="", digest="")


class _TableHead(Struct):
    """What must be known of a table before its form is."""

    ruleset: str


_TABLE = msgspec.json.Decoder(Table)
_TABLE_HEAD = msgspec.json.Decoder(_TableHead)
_NOTHING = b"null"


def _answers(stored: bytes, key: Key) -> bool:
    """Whether a stored answer is that of this very request."""
    return stored.startswith(key.request.encode())


def _replay(session: Session, stored: bytes, key: Key) -> Outcome:
    return Outcome(session=session, events=(), answer=stored[len(key.request) :], replayed=True)
