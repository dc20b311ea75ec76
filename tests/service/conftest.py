"""The service under test: the toy and all games, on a real store."""

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from domain.catalogue import GAMES
from events.ruleset import Rulesets
from events.settings import Settings
from events.signing import new_key
from events.store import connect, open_store
from service.app import create_app
from service.services import NAME
from tests.service.client import Client, House
from tests.service.contract import Contract
from tests.support.toy import TOY

BOUNDLESS: dict[str, Any] = {f"{budget}_per_minute": 999_999_999 for budget in ("registrations", "reads", "commands")}
"""Budgets that no test uses up: all players of the tests have one address, and some ask for a lot."""


@pytest.fixture(scope="session")
def app(valkey_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    keys = tmp_path_factory.mktemp("keys")
    new_key(keys, "annales.example")
    settings = Settings(redis_url=valkey_url, keys=keys, **BOUNDLESS)
    made = create_app(settings, [TOY, *GAMES.values()])
    yield made
    for wakeups in (made.extensions[NAME].wakeups, made.extensions[NAME].bells):
        wakeups.stop()


@pytest.fixture(scope="session")
def contract(app: Flask) -> Contract:
    return Contract(Rulesets([TOY, *GAMES.values()]), app.url_map)


@pytest.fixture
def house(app: Flask, contract: Contract, store_url: str) -> House:
    """The service on an empty store."""
    settings = app.extensions[NAME].settings
    with connect(store_url) as client:
        open_store(client, settings.partitions, settings.durability)
    return House(app, contract)


@pytest.fixture
def ada(house: House) -> Client:
    return house.player("Ada")


@pytest.fixture
def bob(house: House) -> Client:
    return house.player("Bob")


@pytest.fixture
def visitor(house: House) -> Client:
    return house.visitor()
