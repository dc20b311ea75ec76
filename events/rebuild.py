"""Folding everything again: the snapshots of all games and the lobby, compared with what is stored, and put right."""

from itertools import chain

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from events.codec import UnknownEvent
from events.draft import Session
from events.lobby import Lobby
from events.sessions import Sessions, snapshot_of


class Rebuilt(Struct, frozen=True):
    """What a rebuild found: how many games there are, how many snapshots and lobby cards were not as their logs say.

    `unreadable` are the games whose logs this code cannot fold, each with the reason; they are left as they are.
    """

    games: int
    snapshots_mended: int
    cards_mended: int
    unreadable: dict[str, str]


def rebuild(sessions: Sessions, lobby: Lobby) -> Rebuilt:
    """Fold all logs again, those of copies too, while games go on. What differs in snapshots and cards is replaced."""
    games = snapshots = cards = 0
    unreadable: dict[str, str] = {}
    for partition in lobby.feed.partitions:
        cards += lobby.rebuild(partition)
        for game in chain(sessions.store.games(partition), sessions.store.copies(partition)):
            games += 1
            try:
                snapshots += rebuild_snapshot(sessions, game)
            except (UnknownEvent, msgspec.MsgspecError, LookupError, TypeError) as error:
                unreadable[game] = f"{type(error).__name__}: {error}"
    return Rebuilt(games=games, snapshots_mended=snapshots, cards_mended=cards, unreadable=unreadable)


def _relink(sessions: Sessions, session: Session) -> None:
    """Let the game that `session` plays once more know of it, if it knows of no rematch."""
    parent = session.position.table.rematch_of
    if parent is not None:
        before, _ = sessions.store.load(parent.game)
        if before is not None and not before.rematch:
            sessions.store.put_rematch(parent.game, session.id)


def rebuild_snapshot(sessions: Sessions, game: str) -> bool:
    """Fold one log again; whether its snapshot had to be replaced. A snapshot that moved meanwhile is newer, and right."""
    session, (stored, _) = sessions.fold(game), sessions.store.load(game)
    folded = replace(snapshot_of(session), rematch=stored.rematch if stored else "")
    _relink(sessions, session)
    if stored == folded or (stored is not None and stored.version > folded.version):
        return False
    sessions.store.put_snapshot(game, folded)
    return True
