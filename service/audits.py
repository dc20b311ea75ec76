"""Audits of whole logs, as anybody could make them from the export; each is made once and kept by the head of its log."""

from collections import OrderedDict
from threading import Lock

from events.audit import Report, verify
from events.draft import Session
from events.redaction import Reader
from events.ruleset import Rulesets
from events.signing import KeyRing
from events.store import Store
from events.transfer import checkpoint_of

_MOST = 1000


class Audits:
    """The latest reports of this process."""

    def __init__(self, store: Store, rulesets: Rulesets, ring: KeyRing) -> None:
        self._store = store
        self._ring = ring
        self._rulesets = rulesets
        self._reports: OrderedDict[str, Report] = OrderedDict()
        self._lock = Lock()

    def of(self, session: Session) -> Report:
        """The report on a game as it stands: on what a spectator may read, so that it tells nobody a secret."""
        known = self._reports.get(session.head)
        return known or self._made(session)

    def _made(self, session: Session) -> Report:
        """A new report; one at a time, since an audit keeps a processor busy."""
        with self._lock:
            if (known := self._reports.get(session.head)) is not None:
                return known
            reader = Reader(session, None)
            log = self._store.log(session.id, session.version)
            report = verify(
                (reader.shown(event) for event in log),
                self._rulesets,
                game=session.position.table.id,
                checkpoint=checkpoint_of(session, self._ring),
                keys=self._ring.public,
            )
            self._reports[session.head] = report
            while len(self._reports) > _MOST:
                self._reports.popitem(last=False)
        return report
