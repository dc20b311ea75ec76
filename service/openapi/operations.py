"""The operations of the contract: what each takes, and every answer that it can give."""

from collections.abc import Mapping, Sequence
from typing import Any

from marshmallow import Schema as Marshmallow

from service.language import LANGUAGES
from service.openapi import examples
from service.openapi.components import ref
from service.schemas import (
    BoardQuerySchema,
    ConsistencyQuerySchema,
    DeliveriesQuerySchema,
    EntriesQuerySchema,
    EventsQuerySchema,
    GameQuerySchema,
    GamesQuerySchema,
    GiveQuerySchema,
    InclusionQuerySchema,
    NoticesQuerySchema,
    SeatQuerySchema,
)

Spec = dict[str, Any]

JSON = "application/json"
PROBLEM = "application/problem+json"
LINES = "application/x-ndjson"
STREAM = "text/event-stream"
PUBLIC: list[Spec] = [{}, {"token": []}]
"""Readable without a token, and more so with one."""
PLAYER: list[Spec] = [{"token": []}]
_NEW = ("Location", "ETag")

PROBLEMS: Mapping[int, tuple[str, str]] = {
    400: ("MalformedRequest", "The body, a query parameter or a header is malformed."),
    401: ("Unauthenticated", "There is no token, or a bad one."),
    403: ("Forbidden", "The caller has no right to do this, or the seat is not theirs."),
    404: ("NotFound", "There is no such thing, or the caller may not know of it."),
    409: ("WrongMoment", "The right shape at the wrong moment; nothing has changed."),
    410: ("Gone", "What came after the cursor is not kept any more."),
    412: ("VersionMismatch", "The game has moved on; nothing has changed."),
    413: ("ContentTooLarge", "The body is larger than 64 KiB, or an import than 16 MiB."),
    415: ("UnsupportedMediaType", "The body is not declared to be JSON."),
    422: ("RuleViolation", "Against the rules of the game, or an Idempotency-Key used before; nothing has changed."),
    429: ("RateLimited", "The budget of the caller is used up; nothing was done."),
    500: ("InternalError", "A fault of the service."),
    503: ("Unavailable", "The store cannot be reached or did not answer, or no more streams can be held."),
}

BYTES: Spec = {"type": "string", "format": "binary", "description": "To be kept byte for byte: digests cover it"}

HEADERS: Mapping[str, Spec] = {
    "ETag": {"description": "The version of the game, in quotes", "schema": {"type": "string"}},
    "Location": {
        "description": "The address of what was made",
        "schema": {"type": "string", "format": "uri-reference"},
    },
    "Idempotency-Replayed": {
        "description": "`true`: this was done before, and answered like this",
        "schema": {"type": "string", "const": "true"},
    },
    "Content-Language": {
        "description": "The language of what is for people, by `Accept-Language`: `en` or `hu`",
        "schema": {"type": "string", "enum": list(LANGUAGES)},
    },
    "X-Request-Id": {"description": "The id of this request, for the operator's log", "schema": {"type": "string"}},
    "RateLimit": {
        "description": "What is left of the budget (`r`), and for how many seconds more (`t`)",
        "schema": {"type": "string"},
        "example": '"commands";r=11999;t=42',
    },
    "RateLimit-Policy": {
        "description": "The budget that the request is taken from: its name, how much it is (`q`), for how many seconds (`w`)",
        "schema": {"type": "string"},
        "example": '"commands";q=12000;w=60',
    },
    "Retry-After": {"description": "Seconds after which to try again", "schema": {"type": "integer"}},
    "WWW-Authenticate": {"description": "How to authenticate", "schema": {"type": "string"}},
}

_OF_A_WEBHOOK = ("getWebhook", "deleteWebhook", "rotateWebhookSecret", "testWebhook", "listDeliveries")

LIMITS = ("RateLimit", "RateLimit-Policy")
"""Headers of every answer of the API."""

PARAMETERS: Mapping[str, Spec] = {
    "game": {
        "in": "path",
        "name": "game",
        "required": True,
        "description": "The id of the game",
        "schema": {"type": "string", "pattern": "^[0-9a-f]{24}$"},
    },
    "If-Match": {
        "in": "header",
        "name": "If-Match",
        "description": "The version that the commands are meant for, in quotes; 412 when the game has moved on",
        "schema": {"type": "string", "pattern": r'^("[0-9]{1,15}"|\*)$'},
        "example": '"41"',
    },
    "Idempotency-Key": {
        "in": "header",
        "name": "Idempotency-Key",
        "description": "The caller's own name for this request, so that it can be sent again safely",
        "schema": {"type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[ -~]+$"},
    },
    "If-None-Match": {
        "in": "header",
        "name": "If-None-Match",
        "description": "The entity tag that the caller has; 304 when it is still the one",
        "schema": {"type": "string"},
    },
    "Last-Event-ID": {
        "in": "header",
        "name": "Last-Event-ID",
        "description": "The version after which a stream goes on; beats `after`",
        "schema": {"type": "string", "pattern": "^[0-9]{1,16}$"},
    },
    "Last-Event-ID-of-notices": {
        "in": "header",
        "name": "Last-Event-ID",
        "description": "The cursor after which a stream goes on; beats `after`",
        "schema": {"type": "string", "maxLength": 100},
    },
}


def operations() -> Mapping[str, Mapping[str, Spec]]:
    """The operations by path and method; bodies and queries still as marshmallow schemas."""
    every = _every()
    for path, methods in every.items():
        if path.startswith("/v1/"):
            for operation in methods.values():
                _limit(operation["responses"])
    return every


def _limit(responses: Spec) -> None:
    """Say in the answers of an operation that it is limited."""
    for response in responses.values():
        if "$ref" not in response:
            response["headers"] |= _headers(*LIMITS)
    responses["429"] = {"$ref": f"#/components/responses/{PROBLEMS[429][0]}"}


def _every() -> Mapping[str, Mapping[str, Spec]]:
    return {
        "/v1/players": {"post": _register()},
        "/v1/players/me": {"get": _me(), "patch": _rename(), "delete": _erase()},
        "/v1/tokens": {
            "get": _tokens(),
            "post": _leading_to(_make_token(), "token", "/info/id", "revokeToken", "rotateToken"),
        },
        "/v1/tokens/recover": {"post": _recover()},
        "/v1/tokens/{token}": {"delete": _revoke_token()},
        "/v1/tokens/{token}/rotate": {"post": _rotate_token()},
        "/v1/stream-tokens": {"post": _make_stream_token()},
        "/v1/rulesets": {"get": _rulesets()},
        "/v1/rulesets/{ruleset}": {"get": _ruleset()},
        "/v1/games": {"post": _create(), "get": _games()},
        "/v1/games/import": {"post": _import()},
        "/v1/games/{game}": {"get": _game()},
        "/v1/games/{game}/invites": {
            "get": _invites(),
            "post": _leading_to(_make_invite(), "invite", "/info/id", "revokeInvite"),
        },
        "/v1/games/{game}/invites/{invite}": {"delete": _revoke_invite()},
        "/v1/games/{game}/rematch": {"post": _rematch()},
        "/v1/games/{game}/forks": {"post": _fork()},
        "/v1/games/{game}/commands": {"post": _give()},
        "/v1/games/{game}/legal-commands": {"get": _legal_commands()},
        "/v1/games/{game}/board": {"get": _board()},
        "/v1/games/{game}/events": {"get": _events()},
        "/v1/games/{game}/audit": {"get": _audit()},
        "/v1/games/{game}/export": {"get": _export()},
        "/v1/events": {"get": _notices()},
        "/v1/webhooks": {
            "get": _webhooks(),
            "post": _leading_to(_make_webhook(), "webhook", "/webhook/id", *_OF_A_WEBHOOK),
        },
        "/v1/webhooks/{webhook}": {"get": _webhook(), "delete": _remove_webhook()},
        "/v1/webhooks/{webhook}/rotate": {"post": _rotate_webhook()},
        "/v1/webhooks/{webhook}/test": {"post": _test_webhook()},
        "/v1/webhooks/{webhook}/deliveries": {"get": _deliveries()},
        "/v1/webhooks/{webhook}/deliveries/{delivery}/replay": {"post": _replay()},
        "/v1/log": {"get": _log()},
        "/v1/log/inclusion": {"get": _inclusion()},
        "/v1/log/consistency": {"get": _consistency()},
        "/v1/log/entries": {"get": _entries()},
        "/.well-known/annales-keys": {"get": _keys()},
        "/v1/admin/games/{game}/close": {"post": _close()},
        "/v1/admin/players/{player}/block": {"put": _block(), "delete": _unblock()},
        "/v1/admin/registration": {"get": _registration(), "put": _set_registration()},
        "/healthz": {"get": _healthz()},
        "/readyz": {"get": _readyz()},
        "/openapi.yaml": {"get": _document("openapiYaml", "This document as YAML", **{"application/yaml": "object"})},
        "/openapi.json": {"get": _document("openapiJson", "This document as JSON", **{JSON: "object"})},
        "/docs": {"get": _page("docs", "This document for people")},
        "/docs/{asset}": {"get": _asset()},
        "/problems": {"get": _spoken_page("problems", "All types of problems")},
        "/problems/{slug}": {"get": _problem()},
    }


def _operation(
    name: str,
    tag: str,
    summary: str,
    responses: Mapping[int, Spec],
    *,
    description: str = "",
    security: Sequence[Spec] = (),
    parameters: Sequence[Any] = (),
    query: type[Marshmallow] | Marshmallow | None = None,
    body: Spec | None = None,
    problems: Sequence[int] = (),
) -> Spec:
    wanted = [*problems, 500]
    wanted += [400] if tag != "service" else []
    wanted += [413, 415] if body else []
    wanted += [403] if 401 in problems else []  # a token may be blocked, or not be for this
    return {
        "operationId": name,
        "tags": [tag],
        "summary": summary,
        **({"description": description} if description else {}),
        "security": list(security),
        "parameters": [*parameters, *([{"in": "query", "schema": query}] if query else [])],
        **({"requestBody": {"required": True, "content": {JSON: body}}} if body else {}),
        "responses": {
            **{str(status): answer for status, answer in responses.items()},
            **{
                str(status): {"$ref": f"#/components/responses/{PROBLEMS[status][0]}"} for status in sorted(set(wanted))
            },
        },
    }


def _leading_to(spec: Spec, parameter: str, pointer: str, *operations: str) -> Spec:
    """Say that what `spec` makes has an id (at `pointer` of the answer), which is a parameter of other operations."""
    known = {name: f"$request.path.{name}" for name in ("game",) if name in spec["parameters"]}
    link = {"parameters": {**known, parameter: f"$response.body#{pointer}"}}
    spec["responses"]["201"]["links"] = {name: {"operationId": name, **link} for name in operations}
    return spec


def _answer(description: str, schema: str, headers: Sequence[str] = (), example: Any = None) -> Spec:
    content = {"schema": ref(schema)}
    if example is not None:
        content["example"] = example
    return {"description": description, "headers": _headers(*headers), "content": {JSON: content}}


def _headers(*names: str) -> Spec:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in ("X-Request-Id", *names)}


def _same() -> Spec:
    return {"description": "The caller has it already.", "headers": _headers("ETag")}


def _in_body(schema: Any, **given: Any) -> Spec:
    return {"schema": schema, "examples": {name: {"value": value} for name, value in given.items()}}


def _register() -> Spec:
    return _operation(
        "registerPlayer",
        "players",
        "Register a player",
        {201: _answer("The player and their token, which is shown this once.", "Registered")},
        description="The token goes into `Authorization: Bearer …` of every request of this player. Keep the recovery code: "
        "it gives the account back when the token is lost.",
        body=_in_body("RegisterSchema", ada=examples.REGISTER),
        problems=[403, 503],
    )


def _me() -> Spec:
    return _operation(
        "getMe",
        "players",
        "The caller, and their games that are not over",
        {200: _answer("The caller.", "Me")},
        security=PLAYER,
        problems=[401, 503],
    )


def _rename() -> Spec:
    return _operation(
        "renameMe",
        "players",
        "Take another name",
        {200: _answer("The caller under the new name.", "Renamed")},
        security=PLAYER,
        body=_in_body("RenameSchema", grace=examples.RENAME),
        problems=[401, 503],
    )


def _erase() -> Spec:
    return _operation(
        "eraseMe",
        "players",
        "Forget the caller",
        {204: {"description": "Name and tokens are gone.", "headers": _headers()}},
        description="The caller leaves the games that have not begun; in the others bots play on. Games keep the player's "
        "id, which then has no name; they stay valid. Within seconds the name is shown nowhere, and the token is void.",
        security=PLAYER,
        problems=[401, 503],
    )


def _tokens() -> Spec:
    return _operation(
        "listTokens",
        "tokens",
        "The caller's tokens, without their secrets",
        {200: _answer("The tokens.", "TokenList")},
        security=PLAYER,
        problems=[401, 503],
    )


def _make_token() -> Spec:
    return _operation(
        "makeToken",
        "tokens",
        "Make another token",
        {201: _answer("The token, which is shown this once.", "NewToken")},
        description="It can do no more than the token that makes it, and lives no longer. `read` is for reading alone.",
        security=PLAYER,
        body=_in_body("MakeTokenSchema", spectator=examples.NEW_TOKEN),
        problems=[401, 403, 409, 503],
    )


def _recover() -> Spec:
    return _operation(
        "recoverAccount",
        "tokens",
        "Get an account back with the recovery code",
        {201: _answer("A token and a new recovery code, which are shown this once.", "Registered")},
        description="The code is void after that.",
        body=_in_body("RecoverSchema", lost=examples.RECOVER),
        problems=[401, 403, 503],
    )


def _revoke_token() -> Spec:
    return _with_id(
        _operation(
            "revokeToken",
            "tokens",
            "Withdraw a token",
            {204: {"description": "It is void, everywhere within seconds.", "headers": _headers()}},
            description="Stream tokens that it made are void with it. Any token may withdraw itself.",
            security=PLAYER,
            problems=[401, 403, 404, 503],
        ),
        "token",
    )


def _rotate_token() -> Spec:
    return _with_id(
        _operation(
            "rotateToken",
            "tokens",
            "Change a token for a new one",
            {201: _answer("The new token, which is shown this once.", "NewToken")},
            description="Name, scopes and expiry are those of the old one, which stays good for ten minutes.",
            security=PLAYER,
            problems=[401, 403, 404, 503],
        ),
        "token",
    )


def _make_stream_token() -> Spec:
    return _operation(
        "makeStreamToken",
        "tokens",
        "Make a token for streams",
        {201: _answer("The token, which is shown this once.", "StreamToken")},
        description="Good for twelve hours, for streams alone, as `?access_token=`: browsers' EventSource sends no header.",
        security=PLAYER,
        body=_in_body("MakeStreamTokenSchema", any_game=examples.STREAM_TOKEN),
        problems=[401, 404, 503],
    )


def _rulesets() -> Spec:
    return _operation(
        "listRulesets",
        "rulesets",
        "All rulesets",
        {200: _answer("All rulesets.", "RulesetList", ["ETag", "Content-Language"]), 304: _same()},
        security=PUBLIC,
        parameters=["If-None-Match"],
        problems=[401, 503],
    )


def _ruleset() -> Spec:
    return _operation(
        "getRuleset",
        "rulesets",
        "All about a ruleset",
        {
            200: _answer(
                "Options, commands and events, rules, names, static data.", "RulesetPage", ["ETag", "Content-Language"]
            ),
            304: _same(),
        },
        security=PUBLIC,
        parameters=[
            {"in": "path", "name": "ruleset", "required": True, "schema": {"type": "string"}, "example": "kreta"},
            "If-None-Match",
        ],
        problems=[401, 404, 503],
    )


def _create() -> Spec:
    return _operation(
        "createGame",
        "games",
        "Set up a game",
        {201: _answer("The game.", "Game", ["Location", "ETag", "Idempotency-Replayed"])},
        description="By default it starts by itself when no seat is open. `me` may stand for several seats.",
        security=PLAYER,
        parameters=["Idempotency-Key"],
        body=_in_body("CreateGameSchema", with_bots=examples.CREATE_WITH_BOTS, open_table=examples.CREATE_OPEN),
        problems=[401, 422, 503],
    )


def _make_invite() -> Spec:
    return _operation(
        "makeInvite",
        "games",
        "Make an invite to a private game",
        {201: _answer("The code, which is shown this once.", "NewInvite")},
        description="Whoever has the code sees the game with `?invite=`, and joins with `invite` of `join_game`, before it "
        "starts. For the creator of the game.",
        security=PLAYER,
        parameters=["game"],
        problems=[401, 403, 404, 409, 503],
    )


def _invites() -> Spec:
    return _operation(
        "listInvites",
        "games",
        "The invites of a game, without their codes",
        {200: _answer("The invites.", "InviteList")},
        security=PLAYER,
        parameters=["game"],
        problems=[401, 403, 404, 503],
    )


def _revoke_invite() -> Spec:
    return _with_id(
        _operation(
            "revokeInvite",
            "games",
            "Withdraw an invite",
            {204: {"description": "It is void; who has joined by it stays.", "headers": _headers()}},
            security=PLAYER,
            parameters=["game"],
            problems=[401, 403, 404, 503],
        ),
        "invite",
    )


def _rematch() -> Spec:
    return _operation(
        "rematch",
        "games",
        "Play a game once more",
        {
            200: _answer("The game that plays it once more already: take the seat that is kept for you.", "Game", _NEW),
            201: _answer("The new game.", "Game", _NEW),
        },
        description="For those who have played a game that is over. The same ruleset, options and company; everybody moves up "
        "one seat. The first who asks sits down; the seats of the other players are kept for them until they `join_game`, or "
        "until the creator gives that up with `remove_guest`. `origin` of the new game names the old one, `rematch` of the old "
        "one the new. When that was called off, there may be another.",
        security=PLAYER,
        parameters=["game"],
        problems=[401, 403, 404, 409, 503],
    )


def _fork() -> Spec:
    return _operation(
        "forkGame",
        "games",
        "Begin a new game from how another stood",
        {201: _answer("The new game.", "Game", ["Location", "ETag", "Idempotency-Replayed"])},
        description="`at` snaps back to the last boundary between two commands. The caller takes the seat that they hold in the "
        "game (else seat 0), bots the others, unless `seats` says otherwise. What the caller has not seen there (piles, hands of "
        "others) is drawn anew, unless the game is over and `chance` is `same`.",
        security=PLAYER,
        parameters=["game", "Idempotency-Key"],
        body=_in_body("ForkSchema", middle={"at": 40}),
        problems=[401, 403, 404, 409, 422, 503],
    )


def _import() -> Spec:
    spec = _operation(
        "importGame",
        "games",
        "Take in a copy of a finished game",
        {201: _answer("The copy.", "Game", ["Location", "ETag"])},
        description="The body is the export of a finished game with everything opened. All of it is checked, as an audit does, "
        "before anything is stored. The copy is attributed to nobody and stands in no list. At most 16 MiB.",
        security=PLAYER,
        parameters=["Idempotency-Key"],
        problems=[401, 413, 415, 422, 503],
    )
    spec["requestBody"] = {"required": True, "content": {LINES: _in_body(BYTES, begin=examples.EXPORT)}}
    return spec


def _games() -> Spec:
    return _operation(
        "listGames",
        "games",
        "Games, newest first",
        {200: _answer("A page of games.", "GameList")},
        description="Public games, and with `player` the caller all of their own. A new game appears within moments.",
        security=PUBLIC,
        query=GamesQuerySchema(),
        problems=[401, 503],
    )


def _game() -> Spec:
    return _operation(
        "getGame",
        "games",
        "A game",
        {200: _answer("The game.", "Game", ["ETag"]), 304: _same()},
        security=PUBLIC,
        parameters=["game", "If-None-Match"],
        query=GameQuerySchema(),
        problems=[401, 404, 503],
    )


def _give() -> Spec:
    return _operation(
        "giveCommands",
        "play",
        "Give a command, or several",
        {
            200: _answer("With `dry_run`: what would happen. Nothing was stored.", "Trial"),
            201: _answer("What happened.", "CommandAnswer", ["Idempotency-Replayed"]),
        },
        description="A batch is applied all or none. Without `seat`, the caller's seat that is to act is meant, else their "
        "lowest. The checks come in this order: token, shape, right to see and act, Idempotency-Key, If-Match, moment, "
        "rules. A private game answers 404 to those who may not see it before the `data` of the command is looked at, "
        "whose shape depends on the ruleset.",
        security=PLAYER,
        parameters=["game", "If-Match", "Idempotency-Key"],
        query=GiveQuerySchema(),
        body=_in_body({"anyOf": [ref("Command"), ref("Batch")]}, join=examples.JOIN, batch=examples.BATCH),
        problems=[401, 403, 404, 409, 412, 422, 503],
    )


def _legal_commands() -> Spec:
    return _operation(
        "getLegalCommands",
        "play",
        "All that a seat may do now",
        {200: _answer("Every legal command.", "LegalCommands", ["ETag"]), 304: _same()},
        description="Each listed command is accepted as it stands; whatever is not listed is refused.",
        security=PLAYER,
        parameters=["game", "If-None-Match"],
        query=SeatQuerySchema(),
        problems=[401, 403, 404, 503],
    )


def _board() -> Spec:
    return _operation(
        "getBoard",
        "play",
        "The board as the caller may see it",
        {200: _answer("The board.", "BoardAnswer", ["ETag"]), 304: _same()},
        description="Now, or with `at` at any earlier version: what that viewer was shown then.",
        security=PUBLIC,
        parameters=["game", "If-None-Match"],
        query=BoardQuerySchema(),
        problems=[401, 403, 404, 409, 503],
    )


def _events() -> Spec:
    page = _answer("Events.", "EventPage", ["Content-Language"])
    page["content"] |= {
        LINES: {"schema": {"type": "string", "description": "An event a line, live; blank lines keep it alive"}},
        STREAM: {
            "schema": {
                "type": "string",
                "description": "Server-sent events, live: `id` is the version, `event` the type, `data` the event",
            }
        },
    }
    return _operation(
        "getEvents",
        "history",
        "The log, as the caller may read it",
        {200: page, 204: {"description": "The game is over and its log read to the end.", "headers": _headers()}},
        description="A page of JSON, or for who accepts it a live stream. At most 16 streams of a player are held by a "
        "server process: a new one ends the oldest. A stream ends itself after an hour; go on with `Last-Event-ID`. With "
        "`describe=true` each event has a `description` after the members of its envelope, in a page and in a stream alike: "
        "a sentence in the language of `Accept-Language`, made of what the caller may read of the event.",
        security=PUBLIC,
        parameters=["game", "Last-Event-ID"],
        query=EventsQuerySchema(),
        problems=[401, 404, 503],
    )


def _notices() -> Spec:
    page = _answer("Notices.", "NoticePage")
    page["content"] |= {
        LINES: {"schema": {"type": "string", "description": "A notice a line, live; blank lines keep it alive"}},
        STREAM: {
            "schema": {
                "type": "string",
                "description": "Server-sent events, live: `id` is the cursor, `event` the type, `data` the notice",
            }
        },
    }
    return _operation(
        "getNotices",
        "play",
        "What happens to the caller in all their games",
        {200: page},
        description="One stream for all games of a player: a game has started, a decision of yours is awaited, an undo needs "
        "your consent, a game is over. A page of JSON, or for who accepts it a live stream, bound like that of a game. Ids are "
        "cursors: take them as they are. A stream goes on after `Last-Event-ID` without a gap and without a duplicate, on any "
        "server process. The newest 1,000 notices of a player are kept, until 30 days after the last; a cursor older than that "
        "is answered with 410. A bot takes `next` of `after=latest` as JSON, reads its games, and opens the stream after that.",
        security=PLAYER,
        parameters=["Last-Event-ID-of-notices"],
        query=NoticesQuerySchema(),
        problems=[401, 410, 503],
    )


def _audit() -> Spec:
    return _operation(
        "getAudit",
        "history",
        "Whether the log holds",
        {200: _answer("The report.", "Audit", ["ETag"]), 304: _same()},
        security=PUBLIC,
        parameters=["game", "If-None-Match"],
        problems=[401, 404, 503],
    )


def _export() -> Spec:
    return _operation(
        "getExport",
        "history",
        "The whole log",
        {
            200: {
                "description": "A header line, then an event a line, as canonical JSON.",
                "headers": _headers(),
                "content": {LINES: {"schema": BYTES}},
            }
        },
        security=PUBLIC,
        parameters=["game"],
        problems=[401, 404, 503],
    )


def _webhooks() -> Spec:
    return _operation(
        "listWebhooks",
        "webhooks",
        "The caller's webhooks, without their secrets",
        {200: _answer("The webhooks.", "WebhookList")},
        security=PLAYER,
        problems=[401, 503],
    )


def _make_webhook() -> Spec:
    return _operation(
        "makeWebhook",
        "webhooks",
        "Be told of events by HTTP",
        {201: _answer("The webhook and its secret, which is shown this once.", "NewWebhook")},
        description="What happens from now on is sent as a POST with `webhook-id`, `webhook-timestamp` and `webhook-signature` "
        "of the Standard Webhooks specification; the body has `type`, `timestamp`, and `data` with `game`, `version` and "
        "`event`, as the caller may read it. A message may come more than once, always under the same id, and in any order. "
        "What no answer of 2xx takes is sent again over three days, then kept as a dead letter; 410 switches the webhook off.",
        security=PLAYER,
        body=_in_body("MakeWebhookSchema", bot=examples.WEBHOOK),
        problems=[401, 404, 409, 503],
    )


def _webhook() -> Spec:
    return _of_webhook("getWebhook", "A webhook, without its secret", {200: _answer("The webhook.", "Webhook")})


def _remove_webhook() -> Spec:
    gone = {"description": "Nothing more is sent to it.", "headers": _headers()}
    return _of_webhook("deleteWebhook", "Delete a webhook", {204: gone})


def _rotate_webhook() -> Spec:
    return _of_webhook(
        "rotateWebhookSecret",
        "A new secret for a webhook",
        {200: _answer("The webhook and its new secret, which is shown this once.", "NewWebhook")},
        "For a day messages are signed with the secret before as well.",
    )


def _test_webhook() -> Spec:
    return _of_webhook(
        "testWebhook",
        "Send a message that tells of no event",
        {202: _answer("The delivery, which is made in a moment.", "Delivery")},
        "Its type is `webhook.test`; it is tried once. When it is taken, a webhook that was switched off is on again.",
    )


def _deliveries() -> Spec:
    return _of_webhook(
        "listDeliveries",
        "What was sent to a webhook, or waits to be",
        {200: _answer("A page of deliveries.", "DeliveryList")},
        "The newest 1,000 of a webhook are kept.",
        DeliveriesQuerySchema(),
    )


def _replay() -> Spec:
    spec = _of_webhook(
        "replayDelivery",
        "Send once more what was sent, or could not be",
        {202: _answer("The delivery, which is made in a moment.", "Delivery")},
        "For dead letters, and for what was taken but lost. The id stays the same.",
    )
    spec["responses"]["409"] = {"$ref": f"#/components/responses/{PROBLEMS[409][0]}"}
    return _with_id(spec, "delivery")


def _of_webhook(
    name: str, summary: str, responses: Mapping[int, Spec], description: str = "", query: Marshmallow | None = None
) -> Spec:
    """An operation on one webhook of the caller."""
    return _with_id(
        _operation(
            name,
            "webhooks",
            summary,
            responses,
            description=description,
            security=PLAYER,
            query=query,
            problems=[401, 404, 503],
        ),
        "webhook",
    )


def _log() -> Spec:
    return _operation(
        "getLog",
        "trust",
        "The log of finished games as it stands",
        {
            200: _answer("How many games, and the root of their Merkle tree, signed.", "TreeHead", ["ETag"]),
            304: _same(),
        },
        description="The checkpoint is a C2SP tlog-checkpoint. Keep it: a later one must be consistent with it.",
        security=PUBLIC,
        parameters=["If-None-Match"],
        problems=[401, 503],
    )


def _inclusion() -> Spec:
    return _operation(
        "getInclusion",
        "trust",
        "The proof that a finished game is in the log",
        {200: _answer("The proof.", "Inclusion")},
        description="A game comes in within moments of its end; imported copies never do.",
        security=PUBLIC,
        query=InclusionQuerySchema(),
        problems=[401, 404, 503],
    )


def _consistency() -> Spec:
    return _operation(
        "getConsistency",
        "trust",
        "The proof that the log only grew",
        {200: _answer("The proof.", "Consistency")},
        security=PUBLIC,
        query=ConsistencyQuerySchema(),
        problems=[401, 503],
    )


def _entries() -> Spec:
    return _operation(
        "getEntries",
        "trust",
        "The entries of the log",
        {200: _answer("A page of entries.", "Entries")},
        description="An entry names its game by the SHA-256 of its id, since an id is enough to look at an unlisted game.",
        security=PUBLIC,
        query=EntriesQuerySchema(),
        problems=[401, 503],
    )


def _keys() -> Spec:
    return _operation(
        "getKeys",
        "trust",
        "The public keys of this service",
        {200: _answer("The keys, the newest first.", "KeySet")},
        description="`annales verify --key` takes this answer in a file.",
    )


def _close() -> Spec:
    return _operation(
        "closeGame",
        "operators",
        "End a game as it stands",
        {200: _answer("The game, which is abandoned.", "Game")},
        security=PLAYER,
        parameters=["game"],
        problems=[401, 403, 404, 409, 503],
    )


def _block() -> Spec:
    return _with_id(
        _operation(
            "blockPlayer",
            "operators",
            "Let no token of a player be good",
            {204: {"description": "They are refused, everywhere within seconds.", "headers": _headers()}},
            security=PLAYER,
            problems=[401, 403, 404, 503],
        ),
        "player",
    )


def _unblock() -> Spec:
    return _with_id(
        _operation(
            "unblockPlayer",
            "operators",
            "Let the tokens of a player be good again",
            {204: {"description": "They are.", "headers": _headers()}},
            security=PLAYER,
            problems=[401, 403, 404, 503],
        ),
        "player",
    )


def _registration() -> Spec:
    return _operation(
        "getRegistration",
        "operators",
        "Whether anybody may register",
        {200: _answer("Whether it is so.", "Registration")},
        security=PLAYER,
        problems=[401, 403, 503],
    )


def _set_registration() -> Spec:
    return _operation(
        "setRegistration",
        "operators",
        "Let everybody register, or nobody",
        {200: _answer("How it is now.", "Registration")},
        security=PLAYER,
        body=_in_body("SetRegistrationSchema", closed=examples.CLOSED),
        problems=[401, 403, 503],
    )


def _healthz() -> Spec:
    return _operation("healthz", "service", "Whether this process lives", {200: _answer("It does.", "Alive")})


def _readyz() -> Spec:
    ready = {200: _answer("It can.", "Ready")}
    return _operation("readyz", "service", "Whether this process can do its work", ready, problems=[503])


def _page(name: str, summary: str) -> Spec:
    page = {"description": summary, "headers": _headers(), "content": {"text/html": {"schema": {"type": "string"}}}}
    return _operation(name, "service", summary, {200: page})


def _spoken_page(name: str, summary: str) -> Spec:
    spec = _page(name, summary)
    spec["responses"]["200"]["headers"] = _headers("Content-Language")
    return spec


def _document(name: str, summary: str, **media_types: str) -> Spec:
    content = {media_type: {"schema": {"type": kind}} for media_type, kind in media_types.items()}
    document = {"description": summary, "headers": _headers("ETag"), "content": content}
    return _operation(name, "service", summary, {200: document, 304: _same()}, parameters=["If-None-Match"])


def _asset() -> Spec:
    media_types = {"text/javascript": "string", "text/plain": "string"}
    spec = _document("docsAsset", "What the page for people is made of", **media_types)
    return _with_path(spec, "asset", "redoc.standalone.js")


def _problem() -> Spec:
    return _with_path(_spoken_page("problem", "A type of problem"), "slug", "not-your-turn")


def _with_id(spec: Spec, name: str) -> Spec:
    where = {
        "in": "path",
        "name": name,
        "required": True,
        "description": f"The id of the {name}",
        "schema": {"type": "string", "pattern": "^[0-9a-f]{24}$"},
    }
    spec["parameters"] = [*spec["parameters"], where]
    return spec


def _with_path(spec: Spec, name: str, example: str) -> Spec:
    where = {"in": "path", "name": name, "required": True, "schema": {"type": "string"}, "example": example}
    spec["parameters"] = [where, *spec["parameters"]]
    spec["responses"]["404"] = {"$ref": "#/components/responses/NotFound"}
    return spec
