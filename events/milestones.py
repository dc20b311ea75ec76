"""Snapshots kept on the way, so that any moment of a long game is as near as one of a short game. A cache.

A milestone is kept after about every `store.MILESTONE_EVERY` events, and after each rewind to before the milestone that was the
last then. So a fold from the nearest milestone never has to look further back.
"""

from collections.abc import Callable
from typing import cast

import msgspec

from domain.game import Event
from domain.table.events import HistoryRewound
from events.store import Snapshot, Store, passes_milestone, reading


def is_due(last: int, version: int, event: Event) -> bool:
    """Whether a milestone is to be kept at `version`, after `event`, when the one before is at `last`."""
    return passes_milestone(last, version) or (isinstance(event, HistoryRewound) and event.to < last)


class Milestones:
    """The milestones of all games."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def nearest(self, game: str, version: int, schema_of: Callable[[Snapshot], str]) -> Snapshot | None:
        """The last milestone at or before `version` whose form is still `schema_of(snapshot)`; None when there is none.

        Raises StoreUnavailable.
        """
        key = self._store.keys.game(game, "milestones")
        with reading():
            for candidate in self._kept(game, version):
                packed = cast("bytes | None", self._store.client.hget(key, str(candidate)))
                if packed is not None:
                    snapshot = msgspec.msgpack.decode(packed, type=Snapshot)
                    if snapshot.schema == schema_of(snapshot):
                        return snapshot
        return None

    def last(self, game: str, version: int) -> int:
        """The version of the last milestone at or before `version`, whatever its form; 0 when there is none.

        Raises StoreUnavailable.
        """
        with reading():
            return next(iter(self._kept(game, version)), 0)

    def put(self, game: str, snapshot: Snapshot) -> None:
        """Keep a milestone that was missing. Raises StoreUnavailable."""
        key = self._store.keys.game(game, "milestones")
        with reading():
            self._store.client.hset(key, str(snapshot.version), msgspec.msgpack.encode(snapshot))

    def _kept(self, game: str, version: int) -> list[int]:
        """The versions of milestones at or before `version`, the nearest first."""
        names = cast("list[bytes]", self._store.client.hkeys(self._store.keys.game(game, "milestones")))
        return sorted((kept for kept in map(int, names) if kept <= version), reverse=True)
