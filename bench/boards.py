"""Board reads per second over HTTP, beside a bare Flask endpoint that returns a constant of the same size."""

from itertools import cycle, islice
from random import Random
from statistics import mean

import msgspec

from bench.beside import CLIENTS, COLUMNS, NOTES, beside, dealt, the_same, warm_up
from bench.load import Plan, generator, request
from bench.mirror import games_ahead
from bench.report import Column, Effort, Measured
from bench.servers import Player, Stand, running
from domain.catalogue import GAMES
from service.resources import board_of

TITLE = "Boards over HTTP"
SEATS = 3
PLAYERS = 24
GAMES_READ = 48


def run(effort: Effort) -> Measured:
    """Read the boards of many games by their seats, by 1, 8 and 32 clients."""
    rows = []
    with generator() as load, running() as stand:
        warm_up(load, stand.service, stand.bare)
        players = stand.register(PLAYERS)
        for game in GAMES:
            reading = Reading(stand, players, game, effort.requests)
            for clients in CLIENTS:
                found = beside(load, reading.plan, reading.bare, clients, effort.rounds)
                rows.append({"game": game, "bytes": reading.size, **found})
    notes = (
        (
            f"{GAMES_READ} games of {SEATS} seats at random places of their course, each read by a seat with its token, without "
            "If-None-Match; bytes: the mean size of a board, which is that of the bare answer."
        ),
        *NOTES,
    )
    return Measured(title=TITLE, columns=(COLUMNS[0], Column("bytes", "bytes"), *COLUMNS[1:]), rows=rows, notes=notes)


class Reading:
    """What is asked for one ruleset; `size` is the mean size of an answer."""

    def __init__(self, stand: Stand, players: list[Player], game: str, requests: int) -> None:
        self._stand = stand
        self._requests = requests
        tokens = {player.id: player.token for player in players}
        ruleset, luck = stand.sessions.rulesets[game], Random(game)
        ahead = islice(games_ahead(stand.sessions, ruleset, list(tokens), SEATS, 0, luck), GAMES_READ)
        chosen = [(each.game, luck.randrange(SEATS), each.players) for each in ahead]
        self._boards = [request("GET", f"/v1/games/{id_}/board", tokens[at[seat]]) for id_, seat, at in chosen]
        sessions = [(stand.sessions.load(id_), seat) for id_, seat, _ in chosen]
        boards = [board_of(session, seat, reveal=False, present=True) for session, seat in sessions]
        self.size = round(mean(len(msgspec.json.encode(board)) for board in boards))

    def plan(self, clients: int) -> Plan:
        """Reads of all the boards by turns."""
        asked = dealt(cycle(self._boards), self._requests, clients)
        return Plan(server=self._stand.service, status=200, clients=asked)

    def bare(self, clients: int) -> Plan:
        """As many reads of the constant."""
        constant = request("GET", f"/constant/{self.size}")
        return Plan(server=self._stand.bare, status=200, clients=the_same(constant, self._requests, clients))
