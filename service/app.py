"""The WSGI app of one server process."""

from collections.abc import Iterable

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import BaseConverter

from domain.catalogue import GAMES
from events.codec import AnyGame
from events.deliveries import Deliveries
from events.feed import Wakeups
from events.lobby import Lobby
from events.notices import BELLS, Notices
from events.ruleset import Rulesets
from events.sessions import Sessions
from events.settings import Settings
from events.signing import KeyRing
from events.store import connect, open_store
from events.transparency import TransparencyLog
from events.webhooks import Webhooks
from service import (
    board,
    branches,
    commands,
    credentials,
    documents,
    games,
    health,
    history,
    invitations,
    metering,
    notices,
    operators,
    players,
    problems,
    rulesets,
    trust,
    webhooks,
)
from service.accounts import Accounts
from service.audits import Audits
from service.cache import TimedCache
from service.cross_origin import open_to
from service.incoming import LARGEST_BODY
from service.invites import Invites
from service.language import LANGUAGES
from service.limits import Limits
from service.marks import marked
from service.ruleset_pages import RulesetPages
from service.schemas import GamesQuerySchema
from service.services import NAME, Services
from service.streams import Streams
from service.tokens import Tokens

_BOARD_SECONDS = 60.0
_MOST_BOARDS = 1000
_PARTS = (
    players,
    credentials,
    rulesets,
    games,
    invitations,
    branches,
    commands,
    board,
    history,
    notices,
    trust,
    webhooks,
    operators,
    health,
    documents,
)


class IdConverter(BaseConverter):
    """An id as this service gives them out."""

    regex = "[0-9a-f]{24}"


class NameConverter(BaseConverter):
    """A name of ours, such as that of a ruleset."""

    regex = "[a-z0-9-]{1,40}"


def create_app(settings: Settings | None = None, catalogue: Iterable[AnyGame] = GAMES.values()) -> Flask:
    """The app for the games of `catalogue`, on the store that the settings (those of the environment when left out) name.

    Raises:
        SettingsError, RedisError, UnsafeStore, BadKey: it cannot work with these settings or that store.
    """
    app = Flask(__name__, static_folder=None)
    app.extensions[NAME] = _services(settings or Settings.read(), Rulesets(catalogue))
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY
    app.url_map.merge_slashes = False
    app.url_map.converters |= {"id": IdConverter, "name": NameConverter}
    problems.register(app)
    for part in _PARTS:
        app.register_blueprint(part.blueprint)
    app.before_request(metering.check)
    app.after_request(metering.tell)
    chosen: Settings = app.extensions[NAME].settings
    hops = chosen.trusted_hops
    proxied = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops) if hops else app.wsgi_app
    app.wsgi_app = marked(open_to(chosen.cors_origins, proxied))  # type: ignore[method-assign, assignment]
    return app


def _services(settings: Settings, offered: Rulesets) -> Services:
    store = open_store(connect(settings.redis_url), settings.partitions, settings.durability)
    ring = KeyRing.open(settings.keys)
    tokens = Tokens(store)
    sessions = Sessions(store, offered, **settings.silence)
    wakeups, bells = Wakeups(store), Wakeups(store, BELLS)
    wakeups.start()
    bells.start()
    return Services(
        settings=settings,
        root=settings.public_url,
        store=store,
        rulesets=offered,
        ruleset_pages={tag: RulesetPages(offered, spoken) for tag, spoken in LANGUAGES.items()},
        games_query=GamesQuerySchema(offered.by_id),
        sessions=sessions,
        lobby=Lobby(store),
        tokens=tokens,
        accounts=Accounts(store, tokens),
        invites=Invites(store, settings.expire_days * 86_400),
        limits=Limits(store.client, store.keys, settings),
        webhooks=Webhooks(store),
        deliveries=Deliveries(store),
        notices=Notices(sessions),
        wakeups=wakeups,
        bells=bells,
        streams=Streams(settings.streams),
        audits=Audits(store, offered, ring),
        ring=ring,
        log=TransparencyLog(store),
        boards=TimedCache(_BOARD_SECONDS, _MOST_BOARDS),
    )
