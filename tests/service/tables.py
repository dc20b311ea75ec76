"""Players and games for bad requests to be about: of each ruleset a game in each status."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from domain.errors import DomainError
from domain.game import Command
from domain.table import COMMANDS
from events.ruleset import Ruleset
from service.accounts import Accounts
from service.openapi.operations import JSON, operations
from tests.service.client import House, Seat

_MOST_COMMANDS = 12
"""How many commands are given in a game before the bad requests come."""


class Table(Struct, frozen=True):
    """A game: `legal` are the commands of seat 0 that it awaits, as bodies."""

    id: str
    ruleset: str
    status: str
    version: int
    legal: Sequence[Any] = ()


class Tables:
    """What there is in `house`, and by whom: Ada and Bob play, Eve does not; some have no right to anything."""

    def __init__(self, house: House, seed: int) -> None:
        self._house = house
        self._random = random.Random(seed)
        self._ada, bob, eve = house.player("Ada"), house.player("Bob"), house.player("Eve")
        self._bob = bob
        self.bob = bob.id
        reader = self._ada.post("/v1/tokens", {"name": "reader", "scopes": ["read"]}).json
        assert reader is not None
        accounts: Accounts = house.services.accounts
        operator = accounts.register("Operator", ("admin",)).token
        known = {"ada": self._ada.token, "bob": bob.token, "eve": eve.token, "reader": reader["token"]}
        self.callers: Mapping[str, str | None] = {
            **known,
            "operator": operator,
            "visitor": None,
            "liar": "annales_liar",
        }
        rulesets = house.services.rulesets.by_id
        self.types = {
            ruleset: [*each.commands, *(kind for kind in COMMANDS if kind not in _ALWAYS_RIGHT)]
            for ruleset, each in rulesets.items()
        }
        made = [
            table for ruleset in rulesets for table in (self._open(ruleset), self._active(ruleset), self._over(ruleset))
        ]
        self.every: Sequence[Table] = made
        self.by_status = {status: [table for table in made if table.status == status] for status in _STATUSES}
        self._legal = {table.id: self._legal_of(table.id) for table in self.by_status["active"]}
        self.places = [(method.upper(), path) for path, methods in operations().items() for method in methods]
        paths = house.contract.document["paths"]
        self.queries = [
            (path, [each["name"] for each in methods["get"]["parameters"] if each.get("in") == "query"])
            for path, methods in paths.items()
            if path.startswith("/v1/") and "get" in methods and not path.startswith("/v1/admin/")
        ]
        self.bodied = [
            (method.upper(), path, next(iter(media["examples"].values()))["value"])
            for path, methods in paths.items()
            for method, operation in methods.items()
            if (media := operation.get("requestBody", {}).get("content", {}).get(JSON))
        ]
        house.project()

    def creation(self, table: Table) -> Any:
        """The body that makes such a game."""
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
        return {"ruleset": table.ruleset, "seats": seats, "options": {}, "rated": False, "undo": "off", "clock": None}

    def is_legal(self, table: Table, body: Any) -> bool:
        """Whether the service would take this command from Ada, who has seat 0."""
        ruleset = self._ruleset(table)
        if body["type"] in COMMANDS:
            return body["type"] in _ALWAYS_RIGHT
        try:
            command = ruleset.command(body["type"], msgspec.json.decode(msgspec.json.encode(body.get("data", {}))))
        except (DomainError, UnicodeEncodeError):
            return False
        return body.get("seat") in {None, 0} and command in self._legal[table.id]

    def _ruleset(self, table: Table) -> Ruleset:
        return self._house.services.rulesets.by_id[table.ruleset]

    def _open(self, ruleset: str) -> Table:
        return self._table(self._ada.create(ruleset, "mo", visibility="private"), ruleset)

    def _active(self, ruleset: str) -> Table:
        """A game under way in which Ada has something to do, after a few random commands."""
        game = self._ada.create(ruleset, "mo", undo="off")
        self._bob.at(game).do("join_game", {"seat": 1})
        wanted = self._random.randrange(_MOST_COMMANDS)
        while wanted > 0 or not self._legal_of(game.game):
            self._step(game)
            wanted -= 1
            if game.now["status"] != "active":  # a short game, which is over
                return self._active(ruleset)
        return self._table(game, ruleset)

    def _over(self, ruleset: str) -> Table:
        game = self._ada.create(ruleset, "mo")
        self._bob.at(game).do("join_game", {"seat": 1})
        self._bob.at(game).do("resign")
        return self._table(game, ruleset)

    def _step(self, game: Seat) -> None:
        self._house.do_owed(game.game)
        seat = self._random.choice(game.now["to_act"])
        mover = (self._ada, self._bob)[seat].at(game)
        command = self._random.choice(mover.see("legal-commands")["commands"])
        mover.do(command["type"], command["data"])
        self._house.do_owed(game.game)

    def _table(self, game: Seat, ruleset: str) -> Table:
        now = game.now
        legal = game.see("legal-commands?seat=0")["commands"] if now["status"] == "active" else ()
        return Table(game.game, ruleset, now["status"], now["version"], legal)

    def _legal_of(self, game: str) -> Sequence[Command]:
        return self._house.session(game).legal_commands(0)


_ALWAYS_RIGHT = {"resign", "replace_with_bot", "leave_game"}
"""What a player may do at any time in a running game."""
_STATUSES = ("open", "active", "finished")
