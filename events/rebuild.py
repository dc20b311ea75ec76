"""Folding everything again: the snapshots of all games and the lobby, compared with what is stored, and put right."""

from msgspec import Struct

from events.lobby import Lobby
from events.sessions import Sessions, snapshot_of


class Rebuilt(Struct, frozen=True):
    """What a rebuild found: how many games there are, how many snapshots and lobby cards were not as their logs say."""

    games: int
    snapshots_mended: int
    cards_mended: int


def rebuild(sessions: Sessions, lobby: Lobby) -> Rebuilt:
    """Fold all logs again while games go on. What differs from the stored snapshots and cards is replaced."""
    games = snapshots = cards = 0
    for partition in lobby.feed.partitions:
        cards += lobby.rebuild(partition)
        for game in sessions.store.games(partition):
            games += 1
            snapshots += rebuild_snapshot(sessions, game)
    return Rebuilt(games=games, snapshots_mended=snapshots, cards_mended=cards)


def rebuild_snapshot(sessions: Sessions, game: str) -> bool:
    """Fold one log again; whether its snapshot had to be replaced. A snapshot that moved meanwhile is newer, and right."""
    folded = snapshot_of(sessions.fold(game))
    stored, _ = sessions.store.load(game)
    if stored == folded or (stored is not None and stored.version > folded.version):
        return False
    sessions.store.put_snapshot(game, folded)
    return True
