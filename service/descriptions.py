"""Events in words: to each line of a log, as it is shown to a reader, one sentence in the reader's language.

The sentence is made of the line as shown and of nothing else, so it says nothing that the line does not.
"""

from collections.abc import Sequence

import msgspec

from domain.table import WORDING, TableEvent
from domain.wording import Phrase
from events import envelope
from events.draft import Session
from service.accounts import Accounts
from service.language import Language, players_in


class Describer:
    """Adds sentences to the events of one game."""

    def __init__(self, session: Session, language: Language, accounts: Accounts) -> None:
        self._ruleset = session.ruleset
        self._seats = len(session.position.table.seats)
        self._language = language
        self._accounts = accounts

    def described(self, lines: Sequence[bytes]) -> list[bytes]:
        """The lines, each with `description` after the members of the envelope. Raises StoreUnavailable."""
        phrases = [self._phrase(line) for line in lines]
        names = self._accounts.names({player for phrase in phrases for player in players_in(phrase)})
        return [
            b'%b,"description":%b}' % (line[:-1], msgspec.json.encode(self._language.sentence(phrase, names)))
            for line, phrase in zip(lines, phrases, strict=True)
        ]

    def _phrase(self, line: bytes) -> Phrase:
        shown = envelope.decode(line)
        parts = [{"seats": part.seats, "data": part.read()} for part in shown.private if part.is_open]
        event = self._ruleset.codec.decode(shown.type, shown.schema, msgspec.json.decode(shown.data), parts)
        wording = WORDING if isinstance(event, TableEvent) else self._ruleset.game.wording
        return wording.describe(event, self._seats)
