"""A client of Annales: `Client` answers, `AsyncClient` is awaited, and otherwise they are the same."""

from annales_client.calls import ME, OPEN, Call, bot
from annales_client.client import AsyncClient, Client
from annales_client.problems import (
    AnnalesError,
    BrokenStream,
    Forbidden,
    MalformedRequest,
    NotFound,
    Problem,
    RateLimited,
    RuleViolation,
    Unauthenticated,
    Unavailable,
    Unreachable,
    VersionMismatch,
    WrongMoment,
)
from annales_client.retrying import Patience

__all__ = [
    "ME",
    "OPEN",
    "AnnalesError",
    "AsyncClient",
    "BrokenStream",
    "Call",
    "Client",
    "Forbidden",
    "MalformedRequest",
    "NotFound",
    "Patience",
    "Problem",
    "RateLimited",
    "RuleViolation",
    "Unauthenticated",
    "Unavailable",
    "Unreachable",
    "VersionMismatch",
    "WrongMoment",
    "bot",
]
