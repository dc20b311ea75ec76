"""Where what may be built or demolished, as things stand: each condition is the set of districts that meet it.

`legal_commands` reads the sets, `decide` asks them about one district, so the two cannot disagree.
"""

from collections.abc import Iterable, Iterator
from itertools import accumulate
from operator import and_, or_

from domain.canterbury import refusals
from domain.canterbury.board import LARGE, MEDIUM, SMALL, Tile
from domain.canterbury.state import State, tables
from domain.errors import Rule


class Survey:
    """The city seen by a builder; `clearing` says whether demolition may make room (never for the neutral colour)."""

    __slots__ = ("_cleared", "_clearing", "_settled", "edition", "near", "ready", "state")

    def __init__(self, state: State, *, clearing: bool = True) -> None:
        self.state = state
        self.edition = edition = tables(state)
        opened = edition.everywhere & ~state.free[-1]
        self.near = opened | edition.around(opened)
        self.ready = self._ready()
        self._clearing = clearing
        self._settled: list[int] | None = None
        self._cleared: dict[int, list[int]] = {}

    def _ready(self) -> list[int]:
        """By service the districts where all the services before it are supplied."""
        supplied: Iterable[int] = self.edition.purple
        for services in self.state.cubes:
            supplied = map(or_, supplied, services)
        return list(accumulate(supplied, and_, initial=self.edition.everywhere))

    def without_twin(self, tile: Tile) -> int:
        """The districts where no equal structure stands."""
        standing = self.state.standing
        mask = self.edition.everywhere
        for twin in tile.twins:
            mask &= ~standing[twin]
        return mask

    def room(self, tile: Tile) -> int:
        """The districts with enough free lots, or where enough may be demolished."""
        free = self.state.free[tile.lots - 1]
        if tile.size == SMALL or not self._clearing:
            return free
        return free | self._clearable(tile)

    def sites(self, tile: Tile) -> int:
        """The districts where `tile` may be built, whatever it costs."""
        mask = tile.sites & self.near & self.ready[tile.service] & self.without_twin(tile)
        if mask & ~self.state.free[tile.lots - 1]:
            return mask & self.room(tile)
        return mask

    def against(self, tile: Tile, district: int) -> Rule:
        """The rule that keeps `tile` out of a district that is not among its `sites`."""
        conditions = (
            (refusals.NOT_IN_PART, tile.sites),
            (refusals.OUT_OF_REACH, self.near),
            (refusals.DUPLICATE, self.without_twin(tile)),
            (refusals.MISSING_SERVICE, self.ready[tile.service]),
            (refusals.NO_ROOM, self.room(tile)),
        )
        return next(rule for rule, mask in conditions if not mask >> district & 1)

    def buildable(self, shillings: int | None) -> Iterator[tuple[Tile, int]]:
        """The structures in supply that `shillings` can pay (None: at any price) and have a site, with their sites."""
        supply = self.state.supply
        largest = MEDIUM if self.state.built else LARGE
        for tile in self.edition.for_sale:
            if supply[tile.index] and (shillings is None or tile.cost <= shillings) and tile.size <= largest:
                mask = self.sites(tile)
                if mask:
                    yield tile, mask

    def can_build(self, shillings: int | None) -> bool:
        """Whether anything can be built with `shillings` (None: at any price)."""
        return any(True for _ in self.buildable(shillings))

    def settled(self, tile: int) -> int:
        """Where a kind of tile stands, without what this action has put down."""
        if self._settled is None:
            self._settled = list(self.state.standing)
            for built in self.state.built:
                self._settled[built.tile] &= ~(1 << built.district)
        return self._settled[tile]

    def dispensable(self, service: int, size: int) -> int:
        """Where structures of this service and size may go because another one of the service makes up for them.

        A large one anywhere makes up for all; a medium one for the small ones in the districts next to it.
        """
        small, medium, large = self.edition.kinds[service]
        here = self._any_settled((small, medium)[size])
        if self._any_settled(large):
            return here
        return here & self.edition.around(self._any_settled(medium)) if size == SMALL else 0

    def _any_settled(self, kinds: tuple[int, ...]) -> int:
        mask = 0
        for kind in kinds:
            mask |= self.settled(kind)
        return mask

    def _clearable(self, tile: Tile) -> int:
        """The districts where enough lots for `tile` are free or can be cleared."""
        lots = list(self._lots_after_clearing(tile.size))
        for size in range(tile.size):
            own = self._any_settled(self.edition.kinds[tile.service][size]) & ~self.dispensable(tile.service, size)
            _add_lots(lots, own, self.edition.sizes[size].lots)
        return lots[tile.lots - 1]

    def _lots_after_clearing(self, size: int) -> list[int]:
        """lots[n]: the districts with more than n lots free once all that a structure of `size` makes dispensable is gone."""
        if size not in self._cleared:
            lots = list(self.state.free)
            for service in range(len(self.edition.services)):
                for smaller in range(size):
                    _add_lots(lots, self.dispensable(service, smaller), self.edition.sizes[smaller].lots)
            self._cleared[size] = lots
        return self._cleared[size]


def _add_lots(lots: list[int], districts: int, more: int) -> None:
    """Count `more` lots in each of `districts` (a mask)."""
    if districts:
        for _ in range(more):
            for n in range(len(lots) - 1, 0, -1):
                lots[n] |= lots[n - 1] & districts
            lots[0] |= districts
