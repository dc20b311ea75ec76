"""The `eventsourcing` library doing the same kind of work: an aggregate is loaded, changed by one event and saved."""

from collections.abc import Iterator, Mapping
from itertools import cycle, islice
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

AGGREGATES = 48
EVENTS = 100
"""Events of an aggregate before a round."""


class Board(Aggregate):
    """A board on which forts are built."""

    @event("Started")
    def __init__(self, ruleset: str) -> None:
        self.ruleset = ruleset
        self.forts: dict[int, tuple[int, str, str]] = {}
        self.points = [0, 0, 0]
        self.villagers = [8, 8, 8]

    @event("FortBuilt")
    def build(self, seat: int, site: int, points: int, villagers: int, place: str, player: str) -> None:
        """Build a fort."""
        self.forts[site] = seat, place, player
        self.points[seat] += points
        self.villagers[seat] -= villagers


class Peer:
    """An application with aggregates that have some history."""

    def __init__(self, environment: Mapping[str, str], *, cached: bool) -> None:
        cache = {"AGGREGATE_CACHE_MAXSIZE": str(2 * AGGREGATES)} if cached else {}
        self._app: Application[UUID] = Application({**environment, **cache})
        self._ids: Iterator[UUID] = iter(())

    def prepare(self) -> None:
        """Make new aggregates, so that they are as long in each round."""
        boards = [Board("kreta") for _ in range(AGGREGATES)]
        for board in boards:
            for _ in range(EVENTS):
                _build(board)
            self._app.save(board)
        self._ids = cycle([board.id for board in boards])

    def save(self, count: int) -> int:
        """Load, change and save that many times, one aggregate after the other; the count."""
        for id_ in islice(self._ids, count):
            board: Board = self._app.repository.get(id_)
            _build(board)
            self._app.save(board)
        return count


def _build(board: Board) -> None:
    board.build(seat=1, site=14, points=3, villagers=2, place="Kydonia", player="9f0c2ab15d3e")
