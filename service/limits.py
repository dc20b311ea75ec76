"""How much a caller may ask for in a minute.

There is a budget for each kind of request and caller (their player, or their address), counted in the store for all
processes together. A process counts by itself first, and tells the store what was spent a slice at a time, so that most
requests ask it nothing; so all processes together may grant a slice each beyond the budget. When the store cannot be
asked, each process goes on by its own count.
"""

import logging
import time
from collections.abc import Mapping
from threading import Lock
from typing import Literal

from msgspec import Struct
from redis import Redis
from redis.exceptions import RedisError

from domain.errors import DomainError
from events.keys import Keys
from events.settings import Settings

LOG = logging.getLogger(__name__)

WINDOW = 60
"""Seconds for which a budget is."""

Budget = Literal["registrations", "reads", "commands"]

_SLICES = 20
_PATIENCE = 5.0
"""Seconds for which a store that could not be asked is not asked again."""


class RateLimited(DomainError):
    """The budget is used up (HTTP 429); `seconds` until there is a new one."""

    def __init__(self, budget: Budget, limit: int, seconds: int) -> None:
        says = "{limit} {budget} a minute are used up; there are more in {seconds} seconds."
        super().__init__("rate-limited", says, limit=limit, budget=budget, seconds=seconds)
        self.seconds = seconds


class Standing(Struct, frozen=True):
    """What is left of a budget, for how many seconds more."""

    budget: Budget
    limit: int
    left: int
    seconds: int


class _Spent(Struct):
    """What a caller has spent: `told` by all processes together when the store was last asked, `own` untold since."""

    told: int = 0
    own: int = 0


class Limits:
    """The budgets of all callers, as one process knows them. Thread-safe."""

    def __init__(self, client: Redis, keys: Keys, settings: Settings) -> None:
        self.limits: Mapping[Budget, int] = {
            "registrations": settings.registrations_per_minute,
            "reads": settings.reads_per_minute,
            "commands": settings.commands_per_minute,
        }
        self._client = client
        self._keys = keys
        self._window = 0
        self._spent: dict[tuple[Budget, str], _Spent] = {}
        self._lock = Lock()
        self._asks_from = 0.0

    def spend(self, budget: Budget, who: str, cost: int) -> Standing:
        """Take `cost` out of a budget. Raises RateLimited when it is used up."""
        limit, now = self.limits[budget], time.time()
        window, seconds = int(now // WINDOW), WINDOW - int(now % WINDOW)
        spent, to_tell = self._counted(budget, who, cost, window)
        if to_tell:
            self._tell(budget, who, window, spent, to_tell)
        left = limit - spent.told - spent.own
        if left < 0:
            raise RateLimited(budget, limit, seconds)
        return Standing(budget=budget, limit=limit, left=left, seconds=seconds)

    def add(self, budget: Budget, who: str, cost: int) -> None:
        """Take more out of a budget afterwards."""
        self._counted(budget, who, cost, int(time.time() // WINDOW))

    def _counted(self, budget: Budget, who: str, cost: int, window: int) -> tuple[_Spent, int]:
        """The account with `cost` on it, and what of it is to be told to the store now."""
        limit = self.limits[budget]
        with self._lock:
            if window != self._window:
                self._window = window
                self._spent.clear()
            spent = self._spent.setdefault((budget, who), _Spent())
            spent.own += cost
            is_slice = spent.own >= limit // _SLICES or budget == "registrations"
            if spent.told > limit or not is_slice or time.monotonic() < self._asks_from:
                return spent, 0
            to_tell, spent.own = spent.own, 0
            spent.told += to_tell
            return spent, to_tell

    def _tell(self, budget: Budget, who: str, window: int, spent: _Spent, amount: int) -> None:
        """Add what this process has spent to what all have, and learn that; in one round trip."""
        key = self._keys.shared(self._keys.partition_of(who), f"spent:{budget}:{who}:{window}")
        try:
            pipeline = self._client.pipeline(transaction=False)
            pipeline.incrby(key, amount)
            pipeline.expire(key, 2 * WINDOW)
            total = int(pipeline.execute()[0])
        except RedisError as error:
            LOG.warning("budgets are counted by each process alone for %s s: %s", _PATIENCE, error)
            self._asks_from = time.monotonic() + _PATIENCE
            return
        with self._lock:
            spent.told = max(spent.told, total)
