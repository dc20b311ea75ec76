"""Whatever is wrong with a request, it is refused in good order, and nothing that is stored has changed.

`ANNALES_FUZZ` says how many times the usual number are sent: with 20, as in `make fuzz`, they are 100,000.
"""

import os
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from tests.service.bad_requests import Kinds, Sent
from tests.service.client import Client, House
from tests.service.tables import Tables
from tests.support.stored import everything

KINDS = [name for name in vars(Kinds) if not name.startswith("_")]
USUAL_NUMBER = 5000
LARGEST_ANSWER = 64 * 1024
"""Bytes that a refusal has at most."""
_EACH = USUAL_NUMBER * int(os.environ.get("ANNALES_FUZZ", "1")) // len(KINDS) + 1
_FUZZING = settings(
    max_examples=_EACH,
    database=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)


class Sender:
    """Sends requests to a house, looks at each answer and at the store, and keeps the figures."""

    def __init__(self, house: House, tables: Tables) -> None:
        self._house = house
        self._tables = tables
        self._clients = {name: Client(house, token)._client for name, token in tables.callers.items()}
        self._changes = self._counted()
        self._stored = self._dump()
        self.sent = self.refused = self.largest = 0
        self.slowest = 0.0

    def send(self, request: Sent) -> None:
        started = time.perf_counter()
        response = self._open(request)
        took = time.perf_counter() - started
        self.sent += 1
        self.slowest = max(self.slowest, took)
        said = (request, response.status, response.data[:500])
        assert response.status_code < 500, said
        self._house.contract.check(request.method, request.path, response)
        if not request.harmless:
            assert response.status_code >= 400, said
            assert len(response.data) <= LARGEST_ANSWER, (request, len(response.data))
            self.refused += 1
            self.largest = max(self.largest, len(response.data))
        if (changes := self._counted()) != self._changes:  # of anything: the store itself counts them
            assert self._dump() == self._stored, said
            self._changes = changes

    def look_again(self) -> None:
        """All that is stored is as it was."""
        assert self._dump() == self._stored

    def _open(self, request: Sent) -> TestResponse:
        token = self._tables.callers[request.by]
        headers = dict(request.headers)
        if token is not None:
            headers = {"Authorization": f"Bearer {token}", **headers}
        return self._clients[request.by].open(
            request.address, method=request.method, data=request.raw, headers=headers, buffered=True
        )

    def _counted(self) -> int:
        found: dict[str, Any] = self._house.services.store.client.info("persistence")
        return int(found["rdb_changes_since_last_save"])

    def _dump(self) -> dict[bytes, Any]:
        """All that is stored, but for budgets that are spent and the days on which tokens were used."""
        stored = everything(self._house.services.sessions, "annales:*")
        return {
            key: value for key, value in stored.items() if b":spent:" not in key and not key.endswith(b":tokens-used")
        }


@pytest.fixture
def tables(house: House, monkeypatch: pytest.MonkeyPatch) -> Tables:
    limits: Any = house.services.limits.limits
    monkeypatch.setitem(limits, "registrations", 0)  # what is spent of them would be stored with each request
    return Tables(house, Random().randrange(2**32))


@pytest.fixture(params=KINDS)
def requests(request: pytest.FixtureRequest, house: House, tables: Tables) -> st.SearchStrategy[Sent]:
    """All requests of a kind."""
    made: st.SearchStrategy[Sent] = getattr(Kinds(tables, house.contract.allows_body), request.param)()
    return made


@pytest.fixture
def sender(house: House, tables: Tables, record_property: Callable[[str, object], None]) -> Iterator[Sender]:
    made = Sender(house, tables)
    yield made
    made.look_again()
    record_property("bad_requests", (made.sent, made.refused, made.slowest, made.largest))


@_FUZZING
@given(data=st.data())
def test_bad_requests_are_refused_and_change_nothing(
    requests: st.SearchStrategy[Sent], sender: Sender, data: st.DataObject
) -> None:
    sender.send(data.draw(requests))
