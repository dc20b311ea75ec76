"""Small changes to frozen values."""

from typing import Any

from msgspec.structs import replace

from domain.porta_nigra.state import Player, State


def with_player(state: State, seat: int, player: Player, **changes: Any) -> State:
    """The state with this player at `seat`, and other fields changed."""
    players = state.players
    return replace(state, players=(*players[:seat], player, *players[seat + 1 :]), **changes)


def plus(counts: tuple[int, ...], index: int, amount: int) -> tuple[int, ...]:
    """The counts with `amount` more at `index`."""
    return (*counts[:index], counts[index] + amount, *counts[index + 1 :])


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """The cards without the first `card` among them. Raises ValueError if there is none."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]
