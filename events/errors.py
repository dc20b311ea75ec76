"""What can go wrong around the log, as against the rules."""

from domain.errors import DomainError


class NotFound(DomainError):
    """There is no such game, or the caller may not know of it (HTTP 404)."""

    def __init__(self, what: str = "game") -> None:
        super().__init__("not-found", "There is no such {what} here.", what=what)


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
