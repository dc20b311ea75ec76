"""Every type of problem, with what its page at /problems/<type> says."""

from collections.abc import Mapping

from msgspec import Struct


class Kind(Struct, frozen=True):
    """A type of problem: `meaning` says when it comes, `remedy` what a client does about it."""

    slug: str
    status: int
    title: str
    meaning: str
    remedy: str

    @property
    def path(self) -> str:
        """Its address, which is also its `type`."""
        return f"/problems/{self.slug}"


_ALL = (
    Kind(
        "malformed-request",
        400,
        "The request is malformed",
        "The body is not JSON, has the wrong shape or an unknown field, a query parameter or a header is wrong, or a value is "
        "one that no game could accept.",
        "`pointer` names the part of the body that is wrong, `parameter` the query parameter or header. `code` may be more "
        "exact, such as `unknown-command`. Do not send the same request again.",
    ),
    Kind(
        "unauthenticated",
        401,
        "A token is needed",
        "The request has no token, or one that this service did not give out or has withdrawn.",
        "Send `Authorization: Bearer <token>`. `POST /v1/players` gives a token, once.",
    ),
    Kind(
        "forbidden",
        403,
        "You may not do this",
        "The token is good, but this player has no right to do that here.",
        "Look at `seats` of the game: who is to do it?",
    ),
    Kind(
        "insufficient-scope",
        403,
        "The token is not for this",
        "The token is good, but its scopes do not cover the request: `read` is for reading alone, `play` for all that players "
        "do, `admin` for operators. A token makes no other that can do more, or lives longer.",
        "`WWW-Authenticate` names the scope that is needed. `GET /v1/tokens` lists the scopes of your tokens.",
    ),
    Kind(
        "blocked",
        403,
        "The player is blocked",
        "An operator of the service has blocked all tokens of this player.",
        "Ask the operator.",
    ),
    Kind(
        "removed",
        403,
        "You were sent away",
        "The creator of the game has sent this player away before its start.",
        "Join another game, or set one up.",
    ),
    Kind(
        "registration-closed",
        403,
        "Nobody can register at present",
        "An operator of the service has closed the registration of players.",
        "Try again later, or ask the operator.",
    ),
    Kind(
        "not-your-seat",
        403,
        "This is not your seat",
        "The `seat` of the request is played by somebody else, or by a bot.",
        "Name a seat of your own, or leave `seat` out.",
    ),
    Kind(
        "rated-game-running",
        403,
        "The rated game is not over",
        "Rated games are neither analysed nor forked while they run.",
        "Wait until `status` of the game is `finished`.",
    ),
    Kind(
        "not-found",
        404,
        "Not found",
        "There is nothing here, or nothing that this player may know of: a private game looks like none to everybody else.",
        "Check the address and the token.",
    ),
    Kind(
        "method-not-allowed",
        405,
        "This method is not allowed here",
        "The address exists, but does not answer this method.",
        "`Allow` lists the methods that it answers.",
    ),
    Kind(
        "wrong-moment",
        409,
        "Not at this moment",
        "The command has the right shape, but the game is not in a state in which it could be given.",
        "Read the game again.",
    ),
    Kind(
        "not-your-turn",
        409,
        "It is not your turn",
        "Other seats are to act.",
        "Wait until `to_act` of the game lists your seat; the event stream tells when that may be.",
    ),
    Kind(
        "game-not-active",
        409,
        "The game is not being played",
        "The game has not started yet, or is over.",
        "See `status` of the game.",
    ),
    Kind(
        "game-not-open",
        409,
        "The game has begun already",
        "This is possible only before the start of a game.",
        "See `status` of the game.",
    ),
    Kind(
        "game-not-over",
        409,
        "The game is not over",
        "A board is opened to everybody only when the game is over.",
        "Leave `reveal` out until `status` is `finished`.",
    ),
    Kind(
        "scoring-in-progress",
        409,
        "The service is scoring",
        "The service itself does the next step of the game (`pending` is `scoring`).",
        "Try again in a moment, or wait for the next event.",
    ),
    Kind(
        "game-not-started",
        409,
        "The game has not started",
        "This is possible only from the start of a game on.",
        "Wait until `status` of the game is `active`.",
    ),
    Kind(
        "clock-expired",
        409,
        "The time is up",
        "The clock of the seat has run out; what that means for the seat follows in a moment.",
        "`clock` and `times` of the game say how much time each seat has.",
    ),
    Kind(
        "seat-taken",
        409,
        "The seat is taken",
        "Somebody sits there already.",
        "`detail` lists the seats that are open.",
    ),
    Kind(
        "already-seated",
        409,
        "You have a seat already",
        "In a rated game each seat has a player of its own.",
        "Play the seat that you have.",
    ),
    Kind(
        "seats-open",
        409,
        "Seats are still open",
        "A game starts when all its seats are taken.",
        "Wait until somebody joins.",
    ),
    Kind(
        "no-guest-there",
        409,
        "There is no guest at that seat",
        "The seat is open, a bot's, or the creator's own.",
        "See `seats` of the game.",
    ),
    Kind(
        "nothing-to-invite-to",
        409,
        "There is nothing to invite to",
        "Invites are for private games that have not begun: the others need none.",
        "See `visibility` and `status` of the game.",
    ),
    Kind(
        "too-many",
        409,
        "There are too many",
        "A player has as many tokens, or a game as many invites, as they may have.",
        "Revoke one that is no longer needed.",
    ),
    Kind("undo-off", 409, "There is no undo in this game", "The game was set up with undo `off`.", "Play on."),
    Kind(
        "undo-not-possible",
        409,
        "This cannot be undone",
        "There is nothing that the seat may take back by itself: others have acted since, or hidden information was shown.",
        "`undo` of the board says beforehand what is allowed, how far back, and why not.",
    ),
    Kind(
        "undo-requested",
        409,
        "An undo is asked for already",
        "Another undo or redo waits for the consent of the players; it lapses after a minute or by any other command.",
        "`request` in `undo` of the board says what is asked for and who has to agree.",
    ),
    Kind(
        "no-undo-requested",
        409,
        "No undo is asked for",
        "There is nothing to agree to: it was answered, has lapsed, or was never asked for.",
        "`request` in `undo` of the board is null as long as nobody asks.",
    ),
    Kind(
        "no-player-there",
        409,
        "No player is there",
        "The seat is played by a bot already.",
        "See `seats` of the game.",
    ),
    Kind(
        "nothing-to-redo",
        409,
        "There is nothing to redo",
        "The latest undo was not made by this seat, or a command has been given since.",
        "`redo_to` in `undo` of the board is null as long as there is nothing.",
    ),
    Kind(
        "batch-crosses-reveal",
        409,
        "The batch goes beyond a reveal",
        "A command of the batch would follow one that shows something hidden; nothing of the batch was done.",
        "Send the commands up to the reveal, look at what came, then go on.",
    ),
    Kind(
        "delivery-waiting",
        409,
        "The delivery waits already",
        "The delivery that was to be sent again waits for its next attempt as it is.",
        "Wait for the attempt; `GET` of the deliveries says when it will be.",
    ),
    Kind(
        "nothing-owed",
        409,
        "Nothing is owed",
        "The service has no step of its own to do in this game.",
        "Read the game again.",
    ),
    Kind(
        "busy",
        409,
        "The game moves too fast",
        "The game kept changing while the command was being judged; nothing was done.",
        "Read the game and give the command with `If-Match`.",
    ),
    Kind(
        "cursor-gone",
        410,
        "The cursor is too old",
        "What came after this cursor of a player's stream is not kept any more: the newest 1,000 notices are, until 30 days "
        "after the last.",
        "`GET /v1/events?after=latest` as JSON gives a new cursor in `next`. Then read your games (`GET /v1/players/me`), act "
        "where you are awaited, and open a stream after the new cursor.",
    ),
    Kind(
        "version-mismatch",
        412,
        "The game has moved on",
        "`If-Match` names another version than the game is at. Nothing was done.",
        "`missed_events` lists what happened since that version (at most 100 events; `GET events?after=` gives the rest), "
        "`current_version` is the version to use now.",
    ),
    Kind(
        "content-too-large",
        413,
        "The body is too large",
        "A body has at most 64 KiB, an import 16 MiB.",
        "Send less.",
    ),
    Kind(
        "unsupported-media-type",
        415,
        "The body is of another type",
        "Bodies are JSON in UTF-8.",
        "Send `Content-Type: application/json`.",
    ),
    Kind(
        "rule-violation",
        422,
        "Against the rules of the game",
        "The command has the right shape and comes at the right moment, but a rule forbids it.",
        "`code` names the rule, `rule` its place in the rulebook, `pointer` the guilty part of the command, `detail` says "
        "what would be right. `GET legal-commands` lists everything that is allowed.",
    ),
    Kind(
        "bad-import",
        422,
        "This log cannot be taken",
        "What was sent is not the export of a finished game with everything opened, or it does not hold: nothing was stored.",
        "`detail` names the line and the reason, `report` has all checks, as `annales verify` prints them.",
    ),
    Kind(
        "idempotency-key-reused",
        422,
        "The Idempotency-Key was used before",
        "The key was used for another request; a key belongs to one request of one caller on one game.",
        "Take a new key for a new request.",
    ),
    Kind(
        "rate-limited",
        429,
        "Too many requests",
        "The budget of the caller (a player, or an address) for a minute is used up. Nothing was done.",
        "Repeat the request after `Retry-After` seconds. `RateLimit-Policy` and `RateLimit` of every answer say what there is "
        "and what is left: a refused command costs five times as much as one that is accepted, so ask for `legal-commands`.",
    ),
    Kind(
        "internal-error",
        500,
        "Something went wrong here",
        "A fault of the service.",
        "Tell the operator the `X-Request-Id` of the answer. A command may be repeated with the same Idempotency-Key.",
    ),
    Kind(
        "store-unavailable",
        503,
        "The store is unavailable",
        "Nothing was sent to the store, nothing has changed.",
        "Repeat the request after `Retry-After` seconds.",
    ),
    Kind(
        "outcome-unknown",
        503,
        "The outcome is unknown",
        "The store did not answer: the command may or may not have been stored.",
        "Repeat it with the same Idempotency-Key: if it was stored you get its answer, else it is done now.",
    ),
    Kind(
        "too-many-streams",
        503,
        "Too many streams are open",
        "This server process holds as many streams as it can.",
        "Try again after `Retry-After` seconds, or page through the events as JSON.",
    ),
)

KINDS: Mapping[str, Kind] = {kind.slug: kind for kind in _ALL}
