"""A game between two appends: commands are decided, their events folded and sealed."""

from collections.abc import Callable, Sequence
from typing import Any, Self

from msgspec import Raw, Struct
from msgspec.structs import replace

from domain.canonical import canonical
from domain.chance import SeededChance
from domain.errors import WrongMoment
from domain.game import Command, Event
from domain.table import (
    Ancestor,
    CreateGame,
    ForkGame,
    Moment,
    Order,
    Past,
    Position,
    chance_of,
    create,
    decide,
    evolve,
    follow_up,
    fork,
    is_reveal,
    pending,
)
from events import envelope
from events.codec import encode_command
from events.envelope import GENESIS, CommandRef, Envelope
from events.history import NO_PAST, fact_of, milliseconds
from events.ruleset import Ruleset


class Session(Struct, frozen=True):
    """A game as it stands: its ruleset, its position and the digest of its last event.

    `rematch` is the game that plays it once more, or ''; that is no part of its log.
    """

    id: str
    ruleset: Ruleset
    position: Position[Any]
    head: str
    rematch: str = ""

    @property
    def version(self) -> int:
        """The number of events so far."""
        return self.position.table.version

    @classmethod
    def of(cls, game: str, ruleset: Ruleset, position: Position[Any], head: str) -> Self:
        """The game `game` as its log says; an imported copy is attributed to nobody, and for everybody to see."""
        session = cls(id=game, ruleset=ruleset, position=position, head=head)
        if not session.is_copy:
            return session
        table = position.table
        nobody = tuple(replace(seat, player=None) for seat in table.seats)
        unlisted = replace(table, seats=nobody, creator="", visibility="unlisted", rated=False)
        return replace(session, position=Position(unlisted, position.game))

    @property
    def is_copy(self) -> bool:
        """Whether this is an imported copy of a finished game: its log has the id of the original."""
        return self.id != self.position.table.id

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


class Draft:
    """A game on its way from one append to the next.

    `at` is the present; `seed` and `past` (the log so far) are asked for only when they are needed.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        game: str,
        *,
        at: str,
        seed: Callable[[], bytes],
        past: Past,
        position: Position[Any] | None = None,
        head: str = GENESIS,
    ) -> None:
        self.events: list[Envelope] = []
        self.typed: list[Event] = []
        self._ruleset = ruleset
        self._game = game
        self._position = position
        self._head = head
        self._at = at
        self._time = milliseconds(at)
        self._seed = seed
        self._past = past
        self._states: dict[int, Any] = {}
        self._opened: set[int] = set()

    @classmethod
    def opening(
        cls, ruleset: Ruleset, game: str, command: CreateGame, creator: str, seed: bytes, *, at: str, command_id: str
    ) -> Self:
        """A new game. Raises BadCommand for options or seats that the ruleset does not offer."""
        draft = cls(ruleset, game, at=at, seed=lambda: seed, past=NO_PAST)
        draft._found(create(ruleset.game, command, creator, seed), command, creator, command_id)
        return draft

    @classmethod
    def forking(
        cls,
        ruleset: Ruleset,
        game: str,
        command: ForkGame,
        ancestor: Ancestor,
        creator: str,
        seed: bytes,
        *,
        at: str,
        command_id: str,
    ) -> Self:
        """A new game from how `ancestor` stood. Raises NotAllowed, WrongMoment, BadCommand."""
        draft = cls(ruleset, game, at=at, seed=lambda: seed, past=NO_PAST)
        chance = SeededChance(lambda: seed, game, (), 0)
        draft._found(fork(ruleset.game, command, ancestor, creator, seed, chance), command, creator, command_id)
        return draft

    @classmethod
    def continuing(cls, session: Session, *, at: str, seed: Callable[[], bytes], past: Past) -> Self:
        """More of a game that stands as `session` says."""
        position, head = session.position, session.head
        return cls(session.ruleset, session.id, at=at, seed=seed, past=past, position=position, head=head)

    @property
    def session(self) -> Session:
        """The game after what was taken so far."""
        assert self._position is not None, "an opening takes its first event at once"  # noqa: S101
        return Session(id=self._game, ruleset=self._ruleset, position=self._position, head=self._head)

    def give(self, order: Order, command_id: str) -> None:
        """Decide one command and take its events, and those that follow by themselves. Raises what `decide` raises."""
        if any(is_reveal(event) for event in self.typed):
            says = "A command may not follow one that reveals something hidden: send it on its own."
            raise WrongMoment("batch-crosses-reveal", says)
        decided = decide(self._ruleset.game, self.session.position, order, self._moment())
        self._take(decided, order, self._ref(order, command_id))
        self._settle(order, command_id)

    def _settle(self, order: Order, command_id: str) -> None:
        """Take what follows by itself: the start of a full table, the end of a game."""
        while True:
            following = follow_up(self._ruleset.game, self.session.position, self._moment(), self._seed)
            if not following:
                return
            self._take(following, order, CommandRef(id=command_id))

    def _take(self, events: Sequence[Event], order: Order, ref: CommandRef) -> None:
        for event in events:
            version = self._position.table.version + 1 if self._position else 1
            sealed = seal(self._ruleset, event, self._game, version, self._head, order, ref, self._at)
            self._position = evolve(self._ruleset.game, self._position, fact_of(sealed, event), self)
            self._head = sealed.digest
            self._states[version] = self._position.game
            if isinstance(ref.type, str):
                self._opened.add(version)
            self.events.append(sealed)
            self.typed.append(event)
            ref = CommandRef(id=ref.id)

    def _ref(self, order: Order, command_id: str) -> CommandRef:
        command = order.command
        rules = self._ruleset.rules_of(command)
        return CommandRef(id=command_id, type=command.type, data=encode_command(command), rules=rules)

    def state(self, version: int) -> Any:
        """The state of the game at an earlier version, which may lie in this draft."""
        return self._states[version] if version in self._states else self._past.state(version)

    def is_boundary(self, version: int) -> bool:
        """Whether `version` lies between two commands, or is the present."""
        if version + 1 in self._states:
            return version + 1 in self._opened
        return self._past.is_boundary(version)

    def _found(self, event: Event, command: CreateGame | ForkGame, creator: str, command_id: str) -> None:
        order = Order(command=command, actor="player", player=creator)
        self._take([event], order, self._ref(order, command_id))
        self._settle(order, command_id)

    def _moment(self) -> Moment:
        chance = chance_of(self.session.position.table, self._seed)
        return Moment(time=self._time, chance=chance, past=self)


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
