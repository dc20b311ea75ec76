"""Life of a command: load, decide, fold, seal, append. The one way to change a game, for players, bots and the service alike."""

import secrets
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct
from msgspec.structs import replace

from domain.canonical import canonical
from domain.errors import DomainError, WrongMoment
from domain.game import Command, Event
from domain.table import (
    CreateGame,
    Order,
    Position,
    Table,
    chance_of,
    create,
    decide,
    evolve,
    follow_up,
    is_reveal,
    owed_order,
    pending,
)
from events import envelope
from events.codec import encode_command
from events.envelope import GENESIS, CommandRef, Envelope
from events.errors import KeyReused, NotFound, VersionMismatch
from events.history import History, fact_of
from events.ruleset import Ruleset, Rulesets
from events.store import Append, Snapshot, Store

KEEP_KEYED = 25 * 3600
"""Seconds that the answer of a command with the client's own key is kept."""

KEEP_OWN = 600
"""Seconds that the service's own command ids are kept; a lost answer is asked for again within moments."""

ATTEMPTS = 20
"""How often a command without an expected version is tried against a game that keeps moving."""

Render = Callable[["Outcome"], bytes]


class Session(Struct, frozen=True):
    """A game as it stands: its ruleset, its position and the digest of its last event."""

    id: str
    ruleset: Ruleset
    position: Position[Any]
    head: str

    @property
    def version(self) -> int:
        """The number of events so far."""
        return self.position.table.version

    @property
    def pending(self) -> str | None:
        """What the service itself owes next: `"scoring"`, `"bot"` or nothing."""
        return pending(self.ruleset.game, self.position)

    def view(self, seat: int | None, *, reveal: bool = False) -> Any:
        """What `seat` sees of the board; None before the start."""
        if self.position.game is None:
            return None
        return self.ruleset.game.view(self.position.game, seat, reveal=reveal)

    def legal_commands(self, seat: int) -> Sequence[Command]:
        """The ruleset's commands that `seat` may give now."""
        if self.position.table.status != "active":
            return ()
        commands: Sequence[Command] = self.ruleset.game.legal_commands(self.position.game, seat)
        return commands


class Outcome(Struct, frozen=True):
    """What a command brought about: its events, whole, and the game after it.

    `replayed` is the stored answer, when the command had been stored before; `events` are then empty.
    `complete` is false for a dry run that stopped at something nobody can know yet.
    """

    session: Session
    events: Sequence[Envelope]
    replayed: bytes | None = None
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


class Draft:
    """A game on its way from one append to the next: takes commands, folds their events, seals them."""

    def __init__(self, session: Session, past: Callable[[int], Any], seed: Callable[[], bytes], at: str) -> None:
        self.session = session
        self.events: list[Envelope] = []
        self.typed: list[Event] = []
        self._past = past
        self._seed = seed
        self._at = at
        self._states: dict[int, Any] = {session.version: session.position.game}

    def give(self, order: Order, command_id: str) -> None:
        """Decide one command and take its events, and those that follow by themselves. Raises what `decide` raises."""
        if any(is_reveal(event) for event in self.typed):
            says = "A command may not follow one that reveals something hidden: send it on its own."
            raise WrongMoment("batch-crosses-reveal", says)
        game, position = self.session.ruleset.game, self.session.position
        decided = decide(game, position, order, chance_of(position.table, self._seed))
        rules = self.session.ruleset.rules_of(order.command)
        ref = CommandRef(id=command_id, type=order.command.type, data=encode_command(order.command), rules=rules)
        self._take(decided, order, ref)
        self.settle(order, ref.id)

    def settle(self, order: Order, command_id: str) -> None:
        """Take what follows by itself: the start of a full table, the end of a game."""
        ref = CommandRef(id=command_id)
        while True:
            position = self.session.position
            chance = chance_of(position.table, self._seed)
            following = follow_up(self.session.ruleset.game, position, chance, self._seed)
            if not following:
                return
            self._take(following, order, ref)

    def _take(self, events: Sequence[Event], order: Order, ref: CommandRef) -> None:
        for event in events:
            session = self.session
            sealed = seal(session.ruleset, event, session.id, session.version + 1, session.head, order, ref, self._at)
            position = evolve(session.ruleset.game, session.position, fact_of(sealed, event), self._state_at)
            self.session = replace(session, position=position, head=sealed.digest)
            self._states[sealed.version] = position.game
            self.events.append(sealed)
            self.typed.append(event)
            ref = CommandRef(id=ref.id)

    def _state_at(self, version: int) -> Any:
        """The state of the game at an earlier version, which may lie in this draft."""
        return self._states[version] if version in self._states else self._past(version)


class Sessions:
    """All games of a store."""

    def __init__(self, store: Store, rulesets: Rulesets) -> None:
        self.store = store
        self.rulesets = rulesets

    def load(self, game: str) -> Session:
        """The game as it stands. Raises NotFound."""
        return self._load(game, None)[0]

    def load_many(self, games: Sequence[str]) -> list[Session]:
        """Those of the games that exist, in one round trip."""
        snapshots = zip(games, self.store.load_many(games), strict=True)
        return [self._session(game, snapshot) for game, snapshot in snapshots if snapshot is not None]

    def at(self, game: str, version: int) -> Session:
        """The game as it stood at `version`. Raises NotFound when there is no such game or version."""
        history, last = History(self.rulesets), None
        for last in self.store.log(game, version):
            history.add(last)
        if last is None or last.version != version:
            raise NotFound("version")
        return Session(id=game, ruleset=history.ruleset, position=history.position, head=last.digest)

    def fold(self, game: str) -> Session:
        """The game as its whole log says. Raises NotFound."""
        history, last = History(self.rulesets), None
        for last in self.store.log(game):
            history.add(last)
        if last is None:
            raise NotFound
        return Session(id=game, ruleset=history.ruleset, position=history.position, head=last.digest)

    def create(self, command: CreateGame, creator: str, key: Key, render: Render) -> Outcome:
        """A new game. Its id comes from `key`, so that the same request makes it once. Raises BadCommand, KeyReused."""
        ruleset, game, seed = self.rulesets[command.ruleset], key.id, secrets.token_bytes(32)
        order = Order(command=command, actor="player", player=creator)
        first = create(ruleset.game, command, creator, seed)
        at = now()
        ref = CommandRef(id=key.id, type=command.type, data=encode_command(command), rules=ruleset.rules_of(command))
        sealed = seal(ruleset, first, game, 1, GENESIS, order, ref, at)
        position = evolve(ruleset.game, None, fact_of(sealed, first), _no_past)
        draft = Draft(Session(game, ruleset, position, sealed.digest), _no_past, lambda: seed, at)
        draft.events.append(sealed)
        draft.settle(order, key.id)
        outcome = Outcome(session=draft.session, events=draft.events)
        stored = self._store(outcome, 0, key, render)
        return stored or Outcome(session=self.load(game), events=())

    def handle(
        self,
        game: str,
        orders: Callable[[Session], Sequence[Order]],
        key: Key,
        *,
        render: Render = lambda _: b"",
        expected: int | None = None,
    ) -> Outcome:
        """Give a game the commands that `orders` makes of its present state, all or none, in one append.

        `orders` is where the caller's rights are checked. Raises NotFound, VersionMismatch (when the game is not at the
        `expected` version), KeyReused, and whatever the rules say.
        """
        for _ in range(ATTEMPTS):
            session, answer = self._load(game, key)
            given = orders(session)
            if answer is not None:
                return Outcome(session=session, events=(), replayed=_answered(answer, key))
            if expected is not None and expected != session.version:
                raise VersionMismatch(expected, session.version)
            draft = self._draft(session, given, key)
            outcome = Outcome(session=draft.session, events=draft.events)
            stored = self._store(outcome, session.version, key, render)
            if stored is not None:
                return stored
        raise WrongMoment("busy", "The game moves too fast; say with If-Match which version is meant.")

    def try_out(
        self, game: str, orders: Callable[[Session], Sequence[Order]], *, expected: int | None = None
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

    def seed(self, game: str) -> bytes:
        """The seed of a game, from the private part of its first event."""
        first = envelope.decode(self.store.seed_line(game))
        return bytes.fromhex(first.private[0].read()["seed"])

    def _load(self, game: str, key: Key | None) -> tuple[Session, bytes | None]:
        snapshot, answer = self.store.load(game, key.id if key else None)
        if snapshot is None:
            raise NotFound
        return self._session(game, snapshot), answer

    def _session(self, game: str, snapshot: Snapshot) -> Session:
        """The session that a snapshot holds; from the log when the snapshot has an older form."""
        table = _TABLE.decode(snapshot.table)
        ruleset = self.rulesets[table.ruleset]
        if snapshot.schema != ruleset.snapshot_schema:
            session = self.fold(game)
            self.store.put_snapshot(game, snapshot_of(session))
            return session
        state = ruleset.read_game(snapshot.game) if snapshot.game != _NOTHING else None
        return Session(game, ruleset, Position(table, state), snapshot.head)

    def _draft(self, session: Session, orders: Sequence[Order], key: Key) -> Draft:
        game = session.id
        draft = Draft(session, lambda version: self.at(game, version).position.game, lambda: self.seed(game), now())
        for number, order in enumerate(orders):
            try:
                draft.give(order, key.id if len(orders) == 1 else f"{key.id}.{number}")
            except DomainError as refusal:
                if len(orders) > 1:
                    refusal.pointer = f"/commands/{number}{refusal.pointer or ''}"
                raise
        return draft

    def _store(self, outcome: Outcome, expected: int, key: Key, render: Render) -> Outcome | None:
        """Append; None when another append came first. A command that turns out to be stored already is answered as then."""
        session = outcome.session
        append = Append(
            game=session.id,
            expected=expected,
            events=outcome.events,
            snapshot=snapshot_of(session),
            owed=session.pending or "",
            answer_id=key.id,
            answer=key.request.encode() + (render(outcome) if key.kept else b""),
            keep_answer=KEEP_KEYED if key.kept else KEEP_OWN,
        )
        appended = self.store.append(append)
        if appended.outcome == "moved":
            return None
        if appended.outcome == "known" and key.kept:
            return Outcome(session=session, events=(), replayed=_answered(appended.answer, key))
        return outcome


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


def seal(
    ruleset: Ruleset, event: Event, game: str, version: int, prev: str, order: Order, ref: CommandRef, at: str
) -> Envelope:
    """The envelope of `event`, chained to `prev`, with fresh salts for its private parts."""
    data, parts = ruleset.codec.encode(event)
    return envelope.sealed(
        Envelope(
            game=game,
            version=version,
            type=event.type,
            schema=event.schema,
            data=Raw(canonical(data)),
            private=tuple(envelope.sealed_part(part["seats"], part["data"]) for part in parts),
            seat=order.seat,
            actor=order.actor,
            command=ref,
            at=at,
            private_digest=None,
            prev=prev,
            digest="",
        )
    )


def veiled(event: Event, sealed: Envelope) -> Envelope:
    """The event of a dry run: what it would reveal is null, and so are the digests that depend on it."""
    data = msgspec.json.decode(sealed.data)
    for name in event.reveals:
        data[name] = None
    parts = tuple(replace(part, salt=UNSET, data=UNSET, digest="") for part in sealed.private)
    return replace(sealed, data=Raw(canonical(data)), private=parts, private_digest=None, prev="", digest="")


_TABLE = msgspec.json.Decoder(Table)
_NOTHING = b"null"


def _no_past(version: int) -> Any:
    raise LookupError(version)


def _answered(answer: bytes, key: Key) -> bytes:
    """The stored answer. Raises KeyReused when it answered another request."""
    length = len(key.request)
    if answer[:length] != key.request.encode():
        raise KeyReused
    return answer[length:]
