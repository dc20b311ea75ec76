"""Logs that leave and enter: the export of a game, the import of a finished one, the move of a running one."""

from collections.abc import Iterable, Iterator

from domain.errors import DomainError
from events import audit, envelope
from events.draft import Session
from events.envelope import Envelope
from events.errors import KeyReused
from events.history import History
from events.ruleset import Rulesets
from events.sessions import Key, Sessions, snapshot_of
from events.signing import Checkpoint, KeyRing
from events.store import Append

LARGEST = 16 * 1024 * 1024
"""Bytes of an export that may be imported over REST."""


class BadImport(DomainError):
    """What was sent is no log that can be taken (HTTP 422); `report` says what was checked."""

    def __init__(self, report: audit.Report) -> None:
        bad = report.first_bad
        sealed = next((check.detail for check in report.checks if check.verdict == "sealed"), "it cannot be taken")
        line, reason = (bad.line, bad.reason) if bad else (1, sealed)
        says = "The log was not taken. Line {line}: {reason}."
        super().__init__("bad-import", says, line=line, reason=reason)
        self.report = report


class GameExists(DomainError):
    """A game of that id is here already (HTTP 409)."""

    def __init__(self, game: str) -> None:
        super().__init__("game-exists", "There is a game {game} here already.", game=game)


def export_lines(sessions: Sessions, game: str, ring: KeyRing, *, whole: bool) -> Iterator[bytes]:
    """The lines of an export, its checkpoint signed: as anybody may read the game, or with every secret (`whole`).

    Raises NotFound.
    """
    session = sessions.load(game)
    everything = whole or session.position.table.seed_revealed
    yield audit.header_line(session.position.table.id, checkpoint_of(session, ring))
    for event in sessions.store.log(game, session.version):
        yield envelope.encode(event if everything else envelope.redacted(event, ()))


def checkpoint_of(session: Session, ring: KeyRing) -> str | None:
    """The signed checkpoint of a game as it stands. A copy has none: who made the original vouches for it, not we."""
    if session.is_copy:
        return None
    return ring.signed(Checkpoint(game=session.id, version=session.version, head=session.head))


def import_finished(sessions: Sessions, export: bytes, key: Key) -> Session:
    """Check an export of a finished, opened game and store it verbatim under a new id, which comes from `key`.

    The copy is attributed to nobody and stands in no list. An id that is taken means that the import was done before:
    its game is the answer. Raises BadImport, with line and reason, before anything is stored; KeyReused.
    """
    report = audit.verify_export(export, sessions.rulesets)
    if report.verdict != "verified":
        raise BadImport(report)
    session, events = _folded(sessions.rulesets, key.id, export.splitlines()[1:])
    if not sessions.store.put_copy(key.id, events, snapshot_of(session)) and sessions.load(key.id).head != session.head:
        raise KeyReused
    return session


def import_running(sessions: Sessions, export: bytes) -> Session:
    """Take over a game from another installation, from the operator's export, under its own id.

    Raises BadImport when it does not hold, or lacks its secrets; GameExists.
    """
    report = audit.verify_export(export, sessions.rulesets)
    events = export.splitlines()[1:]
    if report.verdict == "failed" or not all(_is_whole(line) for line in events):
        raise BadImport(report)
    session, envelopes = _folded(sessions.rulesets, report.game or "", events)
    append = Append(
        game=session.id,
        expected=0,
        events=envelopes,
        snapshot=snapshot_of(session),
        owed=session.pending or "",
        due=sessions.due_at(session),
        answer_id="import",
        answer=b"",
        keep_answer=1,
    )
    if sessions.store.append(append).outcome != "stored":
        raise GameExists(session.id)
    return session


def _folded(rulesets: Rulesets, game: str, lines: Iterable[bytes]) -> tuple[Session, list[Envelope]]:
    history, events = History(rulesets), [envelope.decode(line) for line in lines]
    for event in events:
        history.add(event)
    return Session.of(game, history.ruleset, history.position, events[-1].digest), events


def _is_whole(line: bytes) -> bool:
    return all(part.is_open for part in envelope.decode(line).private)
