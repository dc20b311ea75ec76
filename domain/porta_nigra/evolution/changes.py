"""Small changes to frozen values."""

from domain.porta_nigra.state import Player


def seated(players: tuple[Player, ...], seat: int, player: Player) -> tuple[Player, ...]:
    """The players with this one at `seat`."""
    changed = list(players)
    changed[seat] = player
    return tuple(changed)


def plus(counts: tuple[int, ...], index: int, amount: int) -> tuple[int, ...]:
    """The counts with `amount` more at `index`."""
    changed = list(counts)
    changed[index] += amount
    return tuple(changed)


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """The cards without the first `card` among them. Raises ValueError if there is none."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]
