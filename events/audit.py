"""Checking a log with nothing but the log: chain, secrets, signature, commitment, shuffles, decisions, final board.

The checks go event by event, so the first event that does not fit is named. What is sealed (a running game, seen by
somebody who may not know everything) is checked as far as it can be: its digests hold it in place until it is opened.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from hashlib import sha256
from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct

from domain.canonical import canonical, digest
from domain.chance import SeededChance
from domain.game import Event
from domain.table import FOUNDING, CreateGame, Order
from domain.table.events import GameForked, SeatTaken, SeatTakenOver, SeedRevealed
from events import envelope, signing
from events.codec import shuffles
from events.draft import Draft, Session
from events.envelope import GENESIS, CommandRef, Envelope, StoredPart
from events.history import History
from events.notes import BadNote, VerifierKey
from events.ruleset import Rulesets
from events.signing import Checkpoint

Verdict = Literal["verified", "sealed", "failed"]
Outcome = Literal["passed", "sealed", "failed", "not_checked"]
CheckName = Literal[
    "form", "chain", "private_parts", "signature", "commitment", "shuffles", "decisions", "board", "ending"
]

MEANING: dict[CheckName, str] = {
    "form": "each line is canonical JSON, and the versions run 1, 2, 3, … without a gap",
    "chain": "each event carries the digest of the one before, and its own digest fits it",
    "private_parts": "the opened private parts fit their digests",
    "signature": "the signed checkpoint is that of this log",
    "commitment": "the seed fits the commitment of the first event",
    "shuffles": "each shuffle, drawn again from the seed, comes out the same",
    "decisions": "each command, decided again, brings about the same events",
    "board": "the final board fits its digest",
    "ending": "the game is over and its seed is opened",
}


_LARGEST = 2**53 - 1

_WITHOUT_SECRETS: frozenset[CheckName] = frozenset({"form", "chain", "private_parts"})


class Check(Struct, frozen=True):
    """How one check went; `detail` says what was checked, or why it was not."""

    name: CheckName
    verdict: Outcome
    detail: str


class FirstBad(Struct, frozen=True):
    """The first event (or line of an export, from 1) that does not fit, and why."""

    version: int | None
    line: int
    reason: str


class Report(Struct, frozen=True):
    """What an audit found. `head` is the digest of the last event that was read, `version` its number."""

    verdict: Verdict
    game: str | None
    version: int
    head: str
    checks: tuple[Check, ...]
    first_bad: FirstBad | None = None


class Misfit(Exception):
    """Something in the log does not fit."""

    def __init__(self, check: CheckName, reason: str) -> None:
        super().__init__(reason)
        self.check: CheckName = check
        self.reason = reason


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of an export."""

    annales_export: Literal[1]
    game: str
    checkpoint: str | None


HEADER_LINES = 1
"""Lines of an export before its first event."""


def header_line(game: str, checkpoint: str | None = None) -> bytes:
    """The first line of an export."""
    return canonical(Header(annales_export=1, game=game, checkpoint=checkpoint))


def verify_export(export: bytes, rulesets: Rulesets, keys: Collection[VerifierKey] = ()) -> Report:
    """Check an export: a header line and one event a line. Never raises for what the export holds.

    `keys` are the public keys that may have signed it; without any the signature is not checked.
    """
    *lines, rest = export.split(b"\n")
    try:
        header = _header(lines[0] if lines else rest)
    except Misfit as misfit:
        return _Audit(rulesets).report(FirstBad(version=None, line=1, reason=misfit.reason), misfit)
    if rest:
        cut = Misfit("form", "the last line does not end with a newline")
        bad = FirstBad(version=None, line=len(lines) + 1, reason=cut.reason)
        return _Audit(rulesets, header.game).report(bad, cut)
    return verify(
        lines[1:], rulesets, game=header.game, checkpoint=header.checkpoint, keys=keys, first_line=1 + HEADER_LINES
    )


def verify(
    lines: Iterable[bytes],
    rulesets: Rulesets,
    *,
    game: str | None = None,
    checkpoint: str | None = None,
    keys: Collection[VerifierKey] = (),
    first_line: int = 1,
) -> Report:
    """Check a log, one event a line in canonical JSON; `game` is the id it must have. Never raises for what the log holds.

    `checkpoint` is the signed note of its head; `keys` as in `verify_export`.
    """
    audit = _Audit(rulesets, game)
    try:
        for line in lines:
            audit.take(line)
        audit.finish(checkpoint, keys)
    except Misfit as misfit:
        if misfit.check == "signature":
            return audit.report(FirstBad(version=None, line=1, reason=misfit.reason), misfit)
        return audit.report(FirstBad(version=audit.at, line=first_line + audit.at - 1, reason=misfit.reason), misfit)
    return audit.report()


class _Audit:
    """The state of one audit."""

    def __init__(self, rulesets: Rulesets, game: str | None = None) -> None:
        self._rulesets = rulesets
        self._game = game
        self._head = GENESIS
        self._version = 0
        self.at = 1
        self._all_open = True
        self._commands: list[list[Envelope]] = []
        self._results: dict[CheckName, tuple[Outcome, str]] = {}

    def take(self, line: bytes) -> None:
        """Check form, chain and private parts of one event. Raises Misfit."""
        self.at = self._version + 1
        event = _read(line)
        if event.version != self._version + 1:
            raise Misfit("form", f"version {event.version} where {self._version + 1} should be")
        if event.game != (self._game or event.game):
            raise Misfit("form", f"an event of game {event.game} in the log of {self._game}")
        self._game = event.game
        if event.prev != self._head:
            raise Misfit("chain", "its 'prev' is not the digest of the event before")
        if envelope.private_digest(event.private) != event.private_digest:
            raise Misfit("private_parts", "its private parts do not fit its 'private_digest'")
        if envelope.event_digest(event) != event.digest:
            raise Misfit("chain", "its 'digest' does not fit it")
        self._group(event)
        self._all_open = self._all_open and all(part.is_open for part in event.private)
        self._head, self._version = event.digest, event.version

    def finish(self, checkpoint: str | None, keys: Collection[VerifierKey]) -> None:
        """Check all that needs the whole log. Raises Misfit."""
        if not self._commands:
            raise Misfit("form", "the log has no events")
        for name in _WITHOUT_SECRETS:
            self._results[name] = ("passed", MEANING[name])
        signature = self._signature(checkpoint, keys)
        self._results["signature"] = signature
        if self._all_open:
            self._check_open()
        else:
            for name in MEANING.keys() - self._results.keys():
                self._results[name] = ("sealed", "not before the private parts are opened")
        if signature[0] == "failed":
            raise Misfit("signature", signature[1])

    def _group(self, event: Envelope) -> None:
        """Put the event with those of its command. Raises Misfit when it belongs to none."""
        if isinstance(event.command.type, str):
            self._commands.append([event])
        elif self._commands and _belongs(event, self._commands[-1][0]):
            self._commands[-1].append(event)
        else:
            raise Misfit("form", "it belongs to no command")

    def _signature(self, checkpoint: str | None, keys: Collection[VerifierKey]) -> tuple[Outcome, str]:
        """How the signature checks out. A checkpoint of another head is wrong whoever has signed it."""
        if checkpoint is None:
            return "not_checked", "there is no signed checkpoint"
        try:
            stated = signing.verified(checkpoint, keys) if keys else signing.stated(checkpoint)
        except BadNote as reason:
            return "failed", f"the checkpoint does not hold: {reason}"
        if stated != Checkpoint(game=self._game or "", version=self._version, head=self._head):
            return "failed", f"the checkpoint is of version {stated.version}, head {stated.head} of game {stated.game}"
        return ("passed", MEANING["signature"]) if keys else ("not_checked", "no key was given")

    def _check_open(self) -> None:
        self.at = 1
        replay = _Replay(self._rulesets, self._commands[0][0])
        for command in self._commands:
            for event in command:
                self.at = event.version
                replay.fold(event)
            self.at = command[0].version
            replay.decide_again(command)
        self._results["commitment"] = ("passed", MEANING["commitment"])
        self._results["shuffles"] = ("passed", MEANING["shuffles"])
        self._results["decisions"] = replay.decisions()
        self.at = self._version
        self._results["board"], self._results["ending"] = replay.check_end(self._commands[-1][-1])

    def report(self, bad: FirstBad | None = None, misfit: Misfit | None = None) -> Report:
        """What was found."""
        if misfit is not None:
            self._results[misfit.check] = ("failed", misfit.reason)
        checks = tuple(
            Check(name, *self._results.get(name, ("not_checked", "an earlier check failed"))) for name in MEANING
        )
        outcomes = {check.verdict for check in checks}
        verdict: Verdict = "failed" if bad else "sealed" if "sealed" in outcomes else "verified"
        return Report(
            verdict=verdict,
            game=self._game,
            version=self._version,
            head=self._head,
            checks=checks,
            first_bad=bad,
        )


class _Replay:
    """The fold of an open log, with every shuffle drawn and every command decided again."""

    def __init__(self, rulesets: Rulesets, first: Envelope) -> None:
        self._history = History(rulesets)
        self._game = first.game
        self._seed = self._read_seed(first)
        self._before: Session | None = None
        self._typed: list[Event] = []
        self.unknown_rules = ""
        self.newer_rules = False

    def fold(self, event: Envelope) -> None:
        """Fold one event and draw its shuffles again. Raises Misfit."""
        table = None if event.version == 1 else self._history.position.table
        try:
            typed = self._history.add(event)
        except _UNREADABLE as error:
            raise Misfit("form", f"it cannot be folded: {error}") from error
        self._typed.append(typed)
        for number, shuffle in enumerate(shuffles(typed)):
            entropies = table.entropies if table else ()
            draw = (table.draws if table else 0) + number
            again = SeededChance(lambda: self._seed, self._game, entropies, draw).shuffle(shuffle.label, shuffle.items)
            if again != shuffle:
                raise Misfit("shuffles", f"the shuffle of {shuffle.label} comes out otherwise when it is drawn again")

    def decide_again(self, command: Sequence[Envelope]) -> None:
        """Decide the command whose events were just folded again. Raises Misfit."""
        recorded, self._typed = self._typed, []
        first, ruleset = command[0], self._history.ruleset
        now = Session(id=self._game, ruleset=ruleset, position=self._history.position, head=command[-1].digest)
        before, self._before = self._before, now
        if isinstance(recorded[0], GameForked):
            return  # its state is taken over from its parent, whose log is not here
        try:
            wanted = ruleset.any_command(str(first.command.type), first.command.data)
            known, rules = ruleset.rules_of(wanted), first.command.rules
            if rules != known:
                self.unknown_rules = self.unknown_rules or f"not decided again: rules {rules} unknown"
                self.newer_rules = self.newer_rules or not isinstance(rules, int) or rules > known
                return
            order = Order(
                command=wanted, actor=first.actor, seat=first.seat, player=_player(before, first, recorded[0])
            )
            decided = self._decided(before, order, first.at)
        except _UNREADABLE as error:
            raise Misfit("decisions", f"its command, decided again, is refused: {error}") from error
        if decided != recorded:
            raise Misfit("decisions", "its command, decided again, brings about other events")

    def decisions(self) -> tuple[Outcome, str]:
        """How the decisions check out. Rules newer than ours leave the log sealed: whoever wrote it must not choose to escape."""
        if not self.unknown_rules:
            return "passed", MEANING["decisions"]
        return "sealed" if self.newer_rules else "not_checked", self.unknown_rules

    def check_end(self, last: Envelope) -> tuple[tuple[Outcome, str], tuple[Outcome, str]]:
        """How the final board and the ending check out. Raises Misfit."""
        event = self._history.read(last)
        if not isinstance(event, SeedRevealed):
            not_over: tuple[Outcome, str] = ("sealed", "the game is not over")
            return not_over, not_over
        if event.seed != self._seed.hex():
            raise Misfit("commitment", "the seed that was opened is not that of the first event")
        ending: tuple[Outcome, str] = ("passed", MEANING["ending"])
        game, state = self._history.ruleset.game, self._history.position.game
        if event.view_schema is None:
            return ("passed", "the game never had a board"), ending
        if event.view_schema != game.view_schema:
            return ("not_checked", f"views of schema {event.view_schema} unknown"), ending
        if state is None or digest(game.view(state, None, reveal=True)) != event.board_digest:
            raise Misfit("board", "the final board does not fit its digest")
        return ("passed", MEANING["board"]), ending

    def _read_seed(self, first: Envelope) -> bytes:
        """The seed in the first event. Raises Misfit when there is none, or not the one that was committed to."""
        try:
            event = self._history.read(first)
        except _UNREADABLE as error:
            raise Misfit("form", f"it cannot be read: {error}") from error
        if not isinstance(event, FOUNDING) or len(event.private) != 1:
            raise Misfit("form", "a log begins with a founding event and its seed")
        if not _SEED.fullmatch(event.private[0].data.seed):
            raise Misfit("form", "a seed is 32 bytes in lower-case hex")
        seed = bytes.fromhex(event.private[0].data.seed)
        if event.commitment != "sha256:" + sha256(seed).hexdigest():
            raise Misfit("commitment", "the seed does not fit the commitment")
        return seed

    def _decided(self, before: Session | None, order: Order, at: str) -> list[Event]:
        seed = self._seed
        if before is not None:
            draft = Draft.continuing(before, at=at, seed=lambda: seed, past=self._history)
            draft.give(order, "")
            return draft.typed
        if not isinstance(order.command, CreateGame):
            raise TypeError("the first command of a game creates it")
        creator = order.player or ""
        ruleset = self._history.ruleset
        return Draft.opening(ruleset, self._game, order.command, creator, seed, at=at, command_id="").typed


_SEED = re.compile(r"[0-9a-f]{64}")

_UNREADABLE = Exception
"""What a log can raise that was made by other code, or by no code of ours: a game that folds a foreign event, anything."""


def _header(line: bytes) -> Header:
    try:
        header = msgspec.json.decode(line, type=Header)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Misfit("form", f"the first line is no header of an export: {error}") from error
    if canonical(header) != line:
        raise Misfit("form", "the first line is not canonical JSON")
    return header


def _read(line: bytes) -> Envelope:
    try:
        event = envelope.decode(line)
        plain = msgspec.json.decode(line)
        is_canonical = envelope.encode(event) == line and canonical(plain) == line and _is_portable(plain)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Misfit("form", f"it is no event: {error}") from error
    if not is_canonical:
        raise Misfit("form", "it is not canonical JSON")
    if not _is_whole_or_reference(event.command) or not all(map(_is_open_or_sealed, event.private)):
        raise Misfit("form", "it is no event: a command or a private part is neither whole nor referred to")
    return event


def _is_portable(value: Any) -> bool:
    """Whether every language reads the value alike: whole numbers within 2**53, names in ASCII."""
    match value:
        case dict():
            return all(name.isascii() and _is_portable(inner) for name, inner in value.items())
        case list():
            return all(map(_is_portable, value))
        case float():
            return False
        case int():
            return abs(value) <= _LARGEST
        case _:
            return True


def _is_whole_or_reference(command: CommandRef) -> bool:
    return (command.type is UNSET) == (command.data is UNSET) == (command.rules is UNSET)


def _is_open_or_sealed(part: StoredPart) -> bool:
    return (part.salt is UNSET) == (part.data is UNSET) != (part.digest is UNSET)


def _belongs(event: Envelope, first: Envelope) -> bool:
    same = (event.command.id, event.seat, event.actor, event.at)
    return same == (first.command.id, first.seat, first.actor, first.at)


def _player(before: Session | None, first: Envelope, event: Event) -> str | None:
    """Who gave the command of `event`, its first: the log names the player, or the seat, or means the creator."""
    if isinstance(event, FOUNDING):
        return event.creator
    if isinstance(event, (SeatTaken, SeatTakenOver)):
        return event.player
    if before is None or first.actor != "player":
        return None
    table = before.position.table
    return table.creator if first.seat is None else table.seats[first.seat].player
