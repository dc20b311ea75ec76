"""Commands per second over HTTP, beside a bare Flask endpoint that does one durable append."""

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

import msgspec

from bench.beside import CLIENTS, COLUMNS, NOTES, beside, the_same, warm_up
from bench.load import Plan, generator, request
from bench.mirror import Ahead, games_ahead
from bench.report import Effort, Measured
from bench.servers import Player, Stand, running
from domain.catalogue import GAMES

TITLE = "Commands over HTTP"
SEATS = 3
PLAYERS = 24
MOST_STEPS = 24
"""Commands of a game in a round."""
AT_ONCE = 4
"""Games that a client has under way."""


def run(effort: Effort) -> Measured:
    """Play many games at random over the API, by 1, 8 and 32 clients."""
    rows = []
    with generator() as load, running() as stand:
        warm_up(load, stand.service, stand.bare)
        players = stand.register(PLAYERS)
        for game in GAMES:
            play = Play(stand, players, game, effort.requests)
            rows += [
                {"game": game, **beside(load, play.plan, play.bare, clients, effort.rounds)} for clients in CLIENTS
            ]
    notes = (
        (
            f"Games of {SEATS} seats at random places of their course; each client has {AT_ONCE} of them under way, and no two "
            "clients share one. Every command is legal and is answered with 201."
        ),
        (
            "The bare endpoint takes an event as it lies in the log, appends it with XADD as it came, and answers with the id of "
            "the entry, in JSON; it checks nothing and reads nothing from the store."
        ),
        *NOTES,
    )
    return Measured(title=TITLE, columns=COLUMNS, rows=rows, notes=notes)


class Play:
    """What is asked for one ruleset."""

    def __init__(self, stand: Stand, players: Sequence[Player], game: str, requests: int) -> None:
        self._stand = stand
        self._requests = requests
        self._tokens = {player.id: player.token for player in players}
        ruleset = stand.sessions.rulesets[game]
        self._games = games_ahead(stand.sessions, ruleset, list(self._tokens), SEATS, MOST_STEPS, Random(game))
        first = stand.sessions.store.read(next(self._games).game)
        self._line = max((event.line for event in first[-5:]), key=len)

    def plan(self, clients: int) -> Plan:
        """Commands in games that nobody has touched yet."""
        each = self._requests // clients
        asked = [list(islice(self._of_a_client(), each)) for _ in range(clients)]
        return Plan(server=self._stand.service, status=201, clients=asked)

    def bare(self, clients: int) -> Plan:
        """As many bare appends."""
        append = request("POST", "/append", body=self._line)
        return Plan(server=self._stand.bare, status=201, clients=the_same(append, self._requests, clients))

    def _of_a_client(self) -> Iterator[bytes]:
        while True:
            games = [self._of_a_game(next(self._games)) for _ in range(AT_ONCE)]
            while games:
                for game in list(games):
                    following = next(game, None)
                    if following is None:
                        games.remove(game)
                    else:
                        yield following

    def _of_a_game(self, ahead: Ahead) -> Iterator[bytes]:
        path = f"/v1/games/{ahead.game}/commands"
        for step in ahead.steps:
            body = {"type": step.command.type, "data": step.command, "seat": step.seat}
            yield request("POST", path, self._tokens[ahead.players[step.seat]], msgspec.json.encode(body))
