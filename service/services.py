"""What the routes stand on, made once in each process."""

from collections.abc import Mapping
from dataclasses import dataclass

from flask import current_app

from events.deliveries import Deliveries
from events.feed import Wakeups
from events.lobby import Lobby
from events.notices import Notices
from events.ruleset import Rulesets
from events.sessions import Sessions
from events.settings import Settings
from events.signing import KeyRing
from events.store import Store
from events.transparency import TransparencyLog
from events.webhooks import Webhooks
from service.accounts import Accounts
from service.audits import Audits
from service.cache import TimedCache
from service.invites import Invites
from service.limits import Limits
from service.ruleset_pages import RulesetPages
from service.schemas import GamesQuerySchema
from service.streams import Streams
from service.tokens import Tokens

NAME = "annales"

BoardKey = tuple[str, int, int | None, bool, bool]
"""What a board depends on: the game, its version, the viewer, whether it is opened, and whether it is the present one."""


@dataclass(frozen=True, kw_only=True)
class Services:
    """The parts of this process. `wakeups` wake the streams of games, `bells` those of players.

    `root` goes before every path that answers hold (the public address, or nothing); `ruleset_pages` are by language.
    """

    settings: Settings
    root: str
    store: Store
    rulesets: Rulesets
    ruleset_pages: Mapping[str, RulesetPages]
    games_query: GamesQuerySchema
    sessions: Sessions
    lobby: Lobby
    tokens: Tokens
    accounts: Accounts
    invites: Invites
    limits: Limits
    webhooks: Webhooks
    deliveries: Deliveries
    notices: Notices
    wakeups: Wakeups
    bells: Wakeups
    streams: Streams
    audits: Audits
    ring: KeyRing
    log: TransparencyLog
    boards: TimedCache[BoardKey, bytes]


def services() -> Services:
    """Those of the app that answers the present request."""
    house: Services = current_app.extensions[NAME]
    return house
