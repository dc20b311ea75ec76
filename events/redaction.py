"""What a player may see: which games, and the events of one as the stored bytes where nothing is hidden, else redacted."""

from collections.abc import Iterable

from domain.table import Table
from events import envelope
from events.draft import Session
from events.envelope import Envelope
from events.store import Logged


def may_see(table: Table, player: str | None) -> bool:
    """Whether the game may be shown to `player` (None: anybody)."""
    if table.visibility != "private":
        return True
    return player is not None and (player == table.creator or any(seat.player == player for seat in table.seats))


class Reader:
    """One who reads a game: all of it once the game is over, else what their seats may know."""

    def __init__(self, session: Session, player: str | None) -> None:
        table = session.position.table
        self._sees_all = table.seed_revealed
        self._seats = () if player is None else table.seats_of(player)

    def line(self, event: Logged) -> bytes:
        """The canonical JSON of a stored event."""
        if self._sees_all or not event.has_private:
            return event.line
        return self.shown(envelope.decode(event.line))

    def lines(self, events: Iterable[Logged]) -> list[bytes]:
        """The canonical JSON of stored events."""
        return [self.line(event) for event in events]

    def shown(self, event: Envelope) -> bytes:
        """The canonical JSON of an event."""
        if self._sees_all or not event.private:
            return envelope.encode(event)
        return envelope.encode(envelope.redacted(event, self._seats))
