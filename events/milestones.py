"""Snapshots kept on the way, so that any moment of a long game is as near as one of a short game. A cache."""

from collections.abc import Callable
from typing import cast

import msgspec

from events.store import Snapshot, Store, reading


class Milestones:
    """The milestones of all games, one for about every `store.MILESTONE_EVERY` events."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def nearest(self, game: str, version: int, schema_of: Callable[[Snapshot], str]) -> Snapshot | None:
        """The last milestone at or before `version` whose form is still `schema_of(snapshot)`; None when there is none.

        Raises StoreUnavailable.
        """
        key = self._store.keys.game(game, "milestones")
        with reading():
            kept = sorted((int(name) for name in cast("list[bytes]", self._store.client.hkeys(key))), reverse=True)
            for candidate in (each for each in kept if each <= version):
                packed = cast("bytes | None", self._store.client.hget(key, str(candidate)))
                if packed is not None:
                    snapshot = msgspec.msgpack.decode(packed, type=Snapshot)
                    if snapshot.schema == schema_of(snapshot):
                        return snapshot
        return None

    def put(self, game: str, snapshot: Snapshot) -> None:
        """Keep a milestone that was missing. Raises StoreUnavailable."""
        key = self._store.keys.game(game, "milestones")
        with reading():
            self._store.client.hset(key, str(snapshot.version), msgspec.msgpack.encode(snapshot))
