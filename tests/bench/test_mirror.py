from itertools import islice
from random import Random

import pytest

from bench.mirror import Mirror, games_ahead
from domain.catalogue import GAMES
from domain.table import Order
from events import audit, envelope
from events.ruleset import Rulesets
from events.sessions import Key, Sessions
from events.store import connect, open_store

RULESETS = Rulesets(GAMES.values())
PLAYERS = [f"{number:024x}" for number in range(4)]


@pytest.mark.parametrize("game", GAMES)
def test_a_mirrored_game_is_a_game_like_any_other(game: str) -> None:
    mirror = Mirror(RULESETS[game], PLAYERS[:3], Random(1))
    mirror.play()
    assert mirror.session.position.table.status == "finished"
    assert audit.verify([envelope.encode(event) for event in mirror.events], RULESETS).verdict == "verified"


@pytest.mark.parametrize("game", GAMES)
def test_the_service_accepts_what_the_mirror_has_played_ahead(game: str, store_url: str) -> None:
    with connect(store_url) as client:
        sessions = Sessions(open_store(client, 4, "always"), RULESETS)
        for ahead in islice(games_ahead(sessions, RULESETS[game], PLAYERS, 3, 10, Random(2)), 4):
            for step in ahead.steps:
                player = ahead.players[step.seat]
                order = Order(command=step.command, actor="player", seat=step.seat, player=player)
                version = sessions.load(ahead.game).version
                outcome = sessions.handle(ahead.game, lambda _, order=order: [order], Key.own(), expected=version)  # type: ignore[misc]
                assert outcome.session.version > version
