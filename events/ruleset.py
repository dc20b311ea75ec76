"""A game bound to what the log needs of it: its codec, its commands by name, the form of its snapshots."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

import msgspec

from domain import table as tables
from domain.canonical import canonical
from domain.errors import BadCommand
from domain.game import Command
from domain.table import Position, Table
from events.codec import AnyGame, EventCodec, decode_command

_OF_THE_TABLE = {**tables.FOUNDING_COMMANDS, **tables.COMMANDS, **tables.HOUSE_COMMANDS}

TABLE_CODEC = EventCodec(tables.EVENTS, tables.UPCASTS)


class Ruleset:
    """One game of the catalogue, made ready for the log."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.codec = EventCodec([*tables.EVENTS, *game.event_types], {**tables.UPCASTS, **game.upcasts})
        self.commands: dict[str, type[Command]] = {
            **tables.COMMANDS,
            **{command.type: command for command in game.command_types},
        }
        self.house_commands: dict[str, type[Command]] = {command.type: command for command in game.house_command_types}
        self.snapshot_schema = _schema_of(game)
        self._game_decoder = msgspec.json.Decoder(game.state_type)
        self._view_decoder = msgspec.json.Decoder(game.view_type)

    def command(self, type_name: str, data: Any, pointer: str = "") -> Command:
        """The command of a player. Raises BadCommand with a pointer below `pointer`."""
        return decode_command(self.commands, type_name, data, pointer)

    def any_command(self, type_name: str, data: Any) -> Command:
        """Any command that can stand in a log, for an audit. Raises BadCommand."""
        known = {**tables.FOUNDING_COMMANDS, **self.commands, **self.house_commands, **tables.HOUSE_COMMANDS}
        return decode_command(known, type_name, data)

    def rules_of(self, command: Command) -> int:
        """The version of the rules that decides `command`."""
        return tables.RULES if command.type in _OF_THE_TABLE else self.game.rules

    def read_game(self, state: bytes) -> Any:
        """The state of the game in a snapshot."""
        return self._game_decoder.decode(state)

    def read_view(self, view: bytes) -> Any:
        """A view from its JSON."""
        return self._view_decoder.decode(view)


class Rulesets:
    """All rulesets by id."""

    def __init__(self, games: Iterable[AnyGame]) -> None:
        self.by_id: Mapping[str, Ruleset] = {game.id: Ruleset(game) for game in games}

    def __getitem__(self, ruleset: str) -> Ruleset:
        """Raises BadCommand for an id that is not known."""
        found = self.by_id.get(ruleset)
        if found is None:
            known = ", ".join(self.by_id)
            says = "There is no ruleset '{ruleset}'. Known are: {known}."
            raise BadCommand("unknown-ruleset", says, pointer="/ruleset", ruleset=ruleset, known=known)
        return found

    def of(self, position: Position[Any]) -> Ruleset:
        """The ruleset of a game."""
        return self[position.table.ruleset]


def _schema_of(game: AnyGame) -> str:
    """A name for the form of a snapshot: it changes with the fields of the table or the state, and with the rules."""
    shapes = msgspec.json.schema_components([Table, game.state_type])
    return sha256(canonical([shapes, tables.RULES, game.rules])).hexdigest()[:16]
