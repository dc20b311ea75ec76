"""What the tests of the workers may ask for: the games of an empty store."""

import pytest

from events.sessions import Sessions
from events.store import Store
from tests.support.stored import sessions_at


@pytest.fixture
def sessions(store_url: str) -> Sessions:
    return sessions_at(store_url)


@pytest.fixture
def store(sessions: Sessions) -> Store:
    return sessions.store
