"""All the games. The one module that names them."""

from collections.abc import Mapping
from typing import Any

from domain.canterbury import CANTERBURY
from domain.game import Game
from domain.kreta import KRETA
from domain.porta_nigra import PORTA_NIGRA

_ALL: tuple[Game[Any, Any, Any, Any], ...] = (KRETA, CANTERBURY, PORTA_NIGRA)

GAMES: Mapping[str, Game[Any, Any, Any, Any]] = {game.id: game for game in _ALL}
