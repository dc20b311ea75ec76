"""The names of the keys. All keys of a partition share a hash tag, so that one script may touch them on a cluster."""

from zlib import crc32

PREFIX = "annales"


class Keys:
    """Key names for a store with a fixed number of partitions."""

    def __init__(self, partitions: int) -> None:
        self.partitions = partitions

    def partition_of(self, identifier: str) -> int:
        """The partition of a game or a player."""
        return crc32(identifier.encode()) % self.partitions

    def game(self, game: str, part: str) -> str:
        """A key of one game: `events`, `state`, or an answer."""
        return f"{PREFIX}:{{{self.partition_of(game)}}}:game:{game}:{part}"

    def shared(self, partition: int, part: str) -> str:
        """A key of one partition: `feed`, `owed`, `attempts`, `games`, or one of a projection."""
        return f"{PREFIX}:{{{partition}}}:{part}"

    def player(self, player: str, part: str) -> str:
        """A key of one player."""
        return f"{PREFIX}:{{{self.partition_of(player)}}}:player:{player}:{part}"
