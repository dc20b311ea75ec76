"""Games played ahead by a mirror of the service that knows their seeds, so that what to ask of the service is known beforehand.

A mirror decides as the service does (`events.draft`), with the same chance. Whatever legal command it gives, the service
accepts in the same place.
"""

import secrets
from collections.abc import Iterator, Sequence
from random import Random

from msgspec import Struct

from domain.game import Command
from domain.table import CreateGame, MySeat, OpenSeat, Order, owed_order, to_act
from domain.table.commands import JoinGame
from events.draft import Draft, Session
from events.envelope import Envelope
from events.history import NO_PAST
from events.ruleset import Ruleset
from events.sessions import Sessions, now, snapshot_of
from events.store import Append

MOST_STEPS = 5000
"""Commands after which a game is not going to end."""


class Step(Struct, frozen=True):
    """A command of a seat, in its place in a game."""

    seat: int
    command: Command


class Mirror:
    """A game played at random: `session` as it stands, `events` so far. The first of `players` (ids) has created it."""

    def __init__(self, ruleset: Ruleset, players: Sequence[str], luck: Random) -> None:
        self.players = players
        self._luck = luck
        self._seed = luck.randbytes(32)
        create = CreateGame(ruleset=ruleset.game.id, seats=(MySeat(), *[OpenSeat()] * (len(players) - 1)))
        self.id = secrets.token_hex(12)
        draft = Draft.opening(ruleset, self.id, create, players[0], self._seed, at=now(), command_id=self.id)
        self.session: Session = draft.session
        self.events: list[Envelope] = list(draft.events)
        for seat, player in enumerate(players[1:], 1):
            self.give(Order(command=JoinGame(seat=seat), actor="player", player=player))

    def give(self, order: Order) -> None:
        """Give one command."""
        draft = Draft.continuing(self.session, at=now(), seed=lambda: self._seed, past=NO_PAST)
        draft.give(order, secrets.token_hex(12))
        self.session = draft.session
        self.events += draft.events

    def owes(self) -> bool:
        """Do the step that the service owes; whether there was one."""
        order = owed_order(self.session.ruleset.game, self.session.position)
        if order is not None:
            self.give(order)
        return order is not None

    def step(self) -> Step | None:
        """Give any legal command, each of a seat as likely; None when the game is over or a step is owed."""
        awaited = to_act(self.session.ruleset.game, self.session.position)
        if not awaited:
            return None
        seat = self._luck.choice(awaited)
        command = self._luck.choice(self.session.legal_commands(seat))
        self.give(Order(command=command, actor="player", seat=seat, player=self.players[seat]))
        return Step(seat=seat, command=command)

    def play(self, most: int = MOST_STEPS) -> int:
        """Play on, owed steps included, for at most so many commands of seats; how many were given."""
        for given in range(most):
            if self.step() is None and not (self.owes() and self._settled()):
                return given
        return most

    def _settled(self) -> bool:
        """Do all that is owed; whether somebody is to act then."""
        while self.owes():
            pass
        return bool(to_act(self.session.ruleset.game, self.session.position))

    def keep(self, sessions: Sessions) -> None:
        """Put the game into a store as it stands."""
        session = self.session
        sessions.store.append(
            Append(
                game=self.id,
                expected=0,
                events=self.events,
                snapshot=snapshot_of(session),
                owed=session.pending or "",
                due=sessions.due_at(session),
                answer_id=self.id,
                answer=b"",
                keep_answer=60,
            )
        )


class Ahead(Struct, frozen=True):
    """A stored game and what its seats do next; nothing in between is owed by the service."""

    game: str
    players: Sequence[str]
    steps: Sequence[Step]


def usual_length(ruleset: Ruleset, players: Sequence[str], luck: Random) -> int:
    """How many commands a game takes, about."""
    return Mirror(ruleset, players, luck).play()


def games_ahead(
    sessions: Sessions, ruleset: Ruleset, players: Sequence[str], seats: int, most_steps: int, luck: Random
) -> Iterator[Ahead]:
    """Stored games without end, each at a random place of its course, with at most `most_steps` commands to come."""
    length = usual_length(ruleset, players[:seats], luck)
    while True:
        mirror = Mirror(ruleset, luck.sample(players, seats), luck)
        mirror.play(luck.randrange(length))
        while mirror.owes():
            pass
        if mirror.session.position.table.status != "active":
            continue
        mirror.keep(sessions)
        steps: list[Step] = []
        while len(steps) < most_steps and (step := mirror.step()) is not None:
            steps.append(step)
        yield Ahead(game=mirror.id, players=mirror.players, steps=steps)
