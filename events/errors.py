"""What can go wrong around the log, as against the rules."""

from collections.abc import Mapping
from typing import Literal

from domain.errors import DomainError

Thing = Literal[
    "game",
    "version",
    "ruleset",
    "file",
    "type of problem",
    "game in the log",
    "player",
    "token",
    "invite",
    "webhook",
    "delivery",
]

ABSENT: Mapping[Thing, str] = {
    "game": "There is no such game here.",
    "version": "There is no such version here.",
    "ruleset": "There is no such ruleset here.",
    "file": "There is no such file here.",
    "type of problem": "There is no such type of problem here.",
    "game in the log": "There is no such game in the log here.",
    "player": "There is no such player here.",
    "token": "You have no such token.",
    "invite": "The game has no such invite.",
    "webhook": "You have no such webhook.",
    "delivery": "The webhook has no such delivery.",
}
"""What can be looked for in vain, and how that is said."""


class NotFound(DomainError):
    """There is no such game, or the caller may not know of it (HTTP 404)."""

    def __init__(self, what: Thing = "game") -> None:
        super().__init__("not-found", ABSENT[what])


class VersionMismatch(DomainError):
    """The game has moved on (HTTP 412)."""

    def __init__(self, expected: int, current: int) -> None:
        says = "The game is at version {current}, the command was made for version {expected}."
        super().__init__("version-mismatch", says, expected=expected, current=current)
        self.expected = expected
        self.current = current


class KeyReused(DomainError):
    """An idempotency key came back with another body (HTTP 422)."""

    def __init__(self) -> None:
        says = "This Idempotency-Key was used for another command; take a new key for a new command."
        super().__init__("idempotency-key-reused", says)


class StoreUnavailable(DomainError):
    """Nothing was sent to the store, nothing has changed (HTTP 503)."""

    def __init__(self, reason: str) -> None:
        super().__init__("store-unavailable", "The store cannot be reached; nothing has changed.")
        self.reason = reason


class OutcomeUnknown(DomainError):
    """The store did not answer an append: it may or may not have happened (HTTP 503)."""

    def __init__(self, reason: str) -> None:
        says = "The store did not answer; the command may have been stored. Repeat it with the same Idempotency-Key."
        super().__init__("outcome-unknown", says)
        self.reason = reason


class UnsafeStore(Exception):
    """The server may lose what it acknowledges; the message says what to change."""
