"""A bot on a client that openapi-python-client generates from `openapi.yaml`: `python bot.py http://127.0.0.1:8000 kreta`."""

import random
import sys
import time
from http import HTTPStatus
from typing import Any, TypeVar
from uuid import uuid4

from annales_generated import AuthenticatedClient, Client
from annales_generated.api.games import create_game, get_game
from annales_generated.api.history import get_audit
from annales_generated.api.play import get_board, get_legal_commands, give_commands
from annales_generated.api.players import register_player
from annales_generated.models import (
    Audit,
    AuditVerdict,
    BoardAnswer,
    CommandAnswer,
    CreateGame,
    CreateGameRuleset,
    Game,
    GameStatus,
    LegalCommands,
    NewSeat,
    NewSeatBot,
    NewSeatKind,
    Register,
    Registered,
)
from annales_generated.types import Response

T = TypeVar("T")


def told(kind: type[T], response: Response[Any]) -> T:
    """What a good answer holds."""
    if not isinstance(response.parsed, kind):
        raise SystemExit(f"{response.status_code}: {response.parsed}")
    return response.parsed


def play(client: AuthenticatedClient, game: Game) -> Game:
    """Give legal commands to the end of the game."""
    while game.status == GameStatus.ACTIVE:
        turn = told(LegalCommands, get_legal_commands.sync_detailed(game.id, client=client))
        if turn.commands:
            board = told(BoardAnswer, get_board.sync_detailed(game.id, client=client))
            if board.viewer != turn.seat or turn.seat not in board.to_act:
                raise SystemExit(f"The board is not that of the seat that is to act: {board}")
            command = random.choice(turn.commands)
            key = str(uuid4())
            given = [
                give_commands.sync_detailed(
                    game.id, client=client, body=command, if_match=f'"{turn.version}"', idempotency_key=key
                )
                for _ in range(2)  # the second is answered as the first
            ]
            answers = [told(CommandAnswer, each) for each in given]
            if answers[0] != answers[1] or given[1].headers["Idempotency-Replayed"] != "true":
                raise SystemExit(f"A repeated command was answered otherwise: {given[1]}")
        else:
            time.sleep(0.05)  # the service's bot is to act
        game = told(Game, get_game.sync_detailed(game.id, client=client))
    return game


def main(base_url: str, ruleset: str) -> None:
    """Play against a bot of the service."""
    name = Register(name="Generated Gwen")
    player = told(Registered, register_player.sync_detailed(client=Client(base_url), body=name))
    seats = [NewSeat(kind=NewSeatKind.ME), NewSeat(kind=NewSeatKind.BOT, bot=NewSeatBot.RANDOM)]
    with AuthenticatedClient(base_url, token=player.token) as client:
        table = CreateGame(ruleset=CreateGameRuleset(ruleset), seats=seats)
        made = create_game.sync_detailed(client=client, body=table)
        if made.status_code != HTTPStatus.CREATED:
            raise SystemExit(str(made))
        game = play(client, told(Game, made))
        verdict = told(Audit, get_audit.sync_detailed(game.id, client=client)).verdict
        if game.status != GameStatus.FINISHED or verdict != AuditVerdict.VERIFIED:
            raise SystemExit(f"{game.status}, {verdict}")
        print(f"Over: {game.result}")


if __name__ == "__main__":
    main(*sys.argv[1:])
