"""Names on their way out: answers are made, and stored, with the name of every player null.

So a stored answer holds no name, a name can be erased, and a first and a repeated answer are filled in the same way.
"""

import re

import msgspec

from service.accounts import Accounts

_NAMELESS = re.compile(rb'\{"id":"([0-9a-f]{24})","name":null\}')
"""A player in an answer; within a JSON string the quotes would be escaped, so nothing else looks like it."""


def with_names(answer: bytes, accounts: Accounts) -> bytes:
    """The JSON `answer` with the names of its players. Raises StoreUnavailable."""
    players = {found.decode() for found in _NAMELESS.findall(answer)}
    if not players:
        return answer
    names = {player: msgspec.json.encode(name) for player, name in accounts.names(players).items()}
    return _NAMELESS.sub(lambda found: _filled(found, names), answer)


def _filled(found: re.Match[bytes], names: dict[str, bytes]) -> bytes:
    return b'{"id":"%b","name":%b}' % (found[1], names.get(found[1].decode(), b"null"))
