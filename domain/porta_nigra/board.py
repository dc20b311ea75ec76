"""The tables of each edition, worked out once: colours, quarters, sites and cards by index or id, ways and costs.

Colours are indices in price order, quarters indices clockwise; a set of sites or shops is an int, bit by index.
"""

from msgspec import Struct

from domain.porta_nigra.edition import DIGESTS, EDITIONS, ActionEntry, Edition, SiteEntry

ANY_SHOP = -1
"""The shop of a grey buy symbol."""

NOWHERE = -1
"""The quarter of a builder that is not on the board yet."""


class Site(Struct, frozen=True):
    """A building site; `points[n]` are the victory points for an element of n bricks, where n is in `sizes`."""

    index: int
    id: str
    building: int
    row: str
    color: int
    sizes: range
    points: tuple[int, ...]
    grants_building_card: bool


class Symbol(Struct, frozen=True):
    """An action symbol; `shop` (or ANY_SHOP) where it buys, `amount` in sesterces where it pays."""

    kind: str
    shop: int
    amount: int


class ActionCard(Struct, frozen=True):
    """An action card; `torches` is how many actions it pays for."""

    id: str
    torches: int
    symbols: tuple[Symbol, ...]


class Board:
    """The tables of one edition. Nothing in them ever changes."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition.edition
        self.digest = DIGESTS[edition.edition]
        self.constants = edition.constants
        self.colors = tuple(color.id for color in edition.colors)
        self.color_index = {color: index for index, color in enumerate(self.colors)}
        self.prices = tuple(color.price for color in edition.colors)
        self.white = self.color_index[edition.white_shop.color]
        self.quarters = tuple(quarter.id for quarter in edition.quarters)
        self.quarter_index = {quarter: index for index, quarter in enumerate(self.quarters)}
        self.rewards = tuple(quarter.reward for quarter in edition.quarters)
        self._lay_ways(edition)
        self._lay_sites(edition)
        self._lay_cards(edition)

    def _lay_ways(self, edition: Edition) -> None:
        """`fees[q][p]`: sesterces from quarter q to p clockwise; `shop_quarters[q][c]`: where a builder in q buys colour c."""
        around = range(len(self.quarters))
        border = edition.constants.border_fee
        self.fees = tuple(tuple((to - at) % len(around) * border for to in around) for at in around)
        shops = {self.color_index[quarter.shop]: index for index, quarter in enumerate(edition.quarters)}
        self.shop_quarters = tuple(tuple(shops.get(color, at) for color in range(len(self.colors))) for at in around)
        self.shop_costs = tuple(
            tuple(self.fees[at][to] + price for to, price in zip(self.shop_quarters[at], self.prices, strict=True))
            for at in around
        )
        self.dearest = max(max(costs) for costs in self.shop_costs)

    def _lay_sites(self, edition: Edition) -> None:
        """The sites, and `reach[q][n]`: the set of sites to which n sesterces take a builder from quarter q."""
        self.sites = tuple(self._site(index, entry) for index, entry in enumerate(edition.sites))
        self.site_index = {site.id: site.index for site in self.sites}
        self.all_sites = (1 << len(self.sites)) - 1
        self.farthest = max(max(fees) for fees in self.fees)
        self.reach = tuple(
            tuple(
                sum(1 << site.index for site in self.sites if fees[site.building] <= purse)
                for purse in range(self.farthest + 1)
            )
            for fees in self.fees
        )
        self.growing = frozenset(site.index for site in self.sites if len(site.sizes) > 1)
        self.areas = edition.majorities

    def _site(self, index: int, entry: SiteEntry) -> Site:
        fixed, each = entry.vp or 0, entry.vp_per_brick or 0
        return Site(
            index=index,
            id=entry.id,
            building=self.quarter_index[entry.building],
            row=entry.row,
            color=self.color_index[entry.color],
            sizes=range(entry.min_bricks, entry.max_bricks + 1),
            points=tuple(fixed + each * bricks for bricks in range(entry.max_bricks + 1)),
            grants_building_card=entry.grants_building_card,
        )

    def _lay_cards(self, edition: Edition) -> None:
        self.supply_cards = {
            card.id: tuple(sorted(self.color_index[color] for color in card.bricks)) for card in edition.supply_cards
        }
        self.action_cards = {card.id: self._action_card(card) for card in edition.action_cards}
        self.decks = {
            seats: tuple(card.id for card in edition.action_cards if seats < 4 or not card.only_two_or_three_players)
            for seats in edition.constants.rounds
        }
        self.honor_cards = {card.id: card for card in edition.honor_cards}
        self.honor_pile = tuple(card.id for card in edition.honor_cards for _ in range(card.copies))
        self.building_cards = {card.id: self.quarter_index[card.building] for card in edition.building_cards}
        self.matching = {
            (self.quarter_index[card.building], self.color_index[card.color]): card.id
            for card in edition.building_cards
        }
        self.final_cards = {
            card.id: card.effect.amount for card in edition.honor_cards if card.effect.type == "final_vp"
        }
        self.card_buildings = self.building_cards | {
            card.id: self.quarter_index[card.effect.building]
            for card in edition.honor_cards
            if card.effect.building is not None
        }

    def _action_card(self, entry: ActionEntry) -> ActionCard:
        return ActionCard(
            id=entry.id,
            torches=entry.torches,
            symbols=tuple(
                Symbol(symbol.type, self.color_index.get(symbol.shop or "", ANY_SHOP), symbol.amount or 0)
                for symbol in entry.symbols
            ),
        )


def members(bits: int) -> list[int]:
    """The indices in a set, rising."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found


BOARDS = {name: Board(edition) for name, edition in EDITIONS.items()}
"""Edition -> its tables."""

BOARD = next(iter(BOARDS.values()))
"""The tables of the default edition; the ids are the same in all of them."""
