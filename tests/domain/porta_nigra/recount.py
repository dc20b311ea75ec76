"""A second, slow bookkeeping of the game, from the events and the data file alone: goods, pieces, points."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from domain.game import Event
from domain.porta_nigra.edition import REFERENCE
from domain.porta_nigra.events import actions as a
from domain.porta_nigra.events import course, scoring

DATA: dict[str, Any] = REFERENCE["reconstructed"]
RATES = {name: entry["value"] for name, entry in DATA["constants"].items()}
PRICES = {color["id"]: color["price"] for color in DATA["colors"]}
SITES = {site["id"]: site for site in DATA["sites"]}
HONOR = {card["id"]: card for card in DATA["honor_cards"]}
CARDS = {card["id"]: card["building"] for card in DATA["building_cards"]}
CARDS |= {card["id"]: card["effect"]["building"] for card in HONOR.values() if card["effect"]["building"]}
REWARDS = {quarter["id"]: quarter["reward"] for quarter in DATA["quarters"]}


class Recount:
    """What everybody has, by seat; sums of the ledger in the events."""

    def __init__(self, seats: int) -> None:
        self.seats = range(seats)
        self.sesterces = [RATES["sesterces"]] * seats
        self.torches = [RATES["torches"]] * seats
        self.influence = [RATES["influence"]] * seats
        self.romans = [RATES["romans"]] * seats
        self.points = [RATES["vp"]] * seats
        self.bricks = [Counter[str]() for _ in self.seats]
        self.cards: list[list[str]] = [[] for _ in self.seats]
        self.finals: list[list[str]] = [[] for _ in self.seats]
        self.elements: dict[str, tuple[int, int]] = {}
        self.market = Counter[str]()
        self.reserve = RATES["bricks"]

    def read(self, events: Iterable[Event]) -> "Recount":
        """Book all events but those of the final scoring, which `final_points` works out anew."""
        for event in events:
            self.book(event)
        return self

    def book(self, event: Event) -> None:
        """Book one event."""
        match event:
            case course.SupplyCardTurned():
                self.market.update(event.bricks)
                self.reserve -= len(event.bricks)
            case a.BrickBought():
                self._pay_torch(event.seat, event.torch)
                self.sesterces[event.seat] -= event.fee + PRICES[event.shop]
                self.market[event.shop] -= 1
                self.bricks[event.seat][event.shop] += 1
            case a.ElementBuilt():
                self._build(event)
            case a.RewardGranted():
                self._reward(event)
            case a.InfluenceTaken() | a.TorchTaken() | a.CoinsTaken():
                self._take(event)
            case a.TorchConverted():
                self._pay_torch(event.seat, event.source)
                self.sesterces[event.seat] += 1
            case a.HonorCardBought():
                self._buy(event)
            case a.RomanBought():
                self.influence[event.seat] -= event.influence
                self.romans[event.seat] += 1
            case a.BrickChosen():
                self.bricks[event.seat][event.color] += 1
                self.reserve -= 1
            case a.ElementToppedUp():
                owner, height = self.elements[event.site]
                assert (owner, height + 1) == (event.seat, event.bricks)
                self.elements[event.site] = (owner, height + 1)
                self.reserve -= 1
            case course.EarlyEndCalled():
                self.points[event.seat] += RATES["early_end_vp"]
            case scoring.InterimSplit():
                self._split(event)
            case _:
                pass

    def on_board(self, seat: int) -> int:
        """Own bricks on the board."""
        return sum(height for owner, height in self.elements.values() if owner == seat)

    def _pay_torch(self, seat: int, torch: str | None) -> None:
        self.torches[seat] -= torch == "token"

    def _romans_in_reserve(self, seat: int) -> int:
        built = sum(owner == seat for owner, _ in self.elements.values())
        return int(RATES["romans_per_color"] - built - self.romans[seat])

    def _take(self, event: a.InfluenceTaken | a.TorchTaken | a.CoinsTaken) -> None:
        self._pay_torch(event.seat, event.torch)
        if isinstance(event, a.CoinsTaken):
            self.sesterces[event.seat] += event.sesterces
        else:
            goods = self.influence if isinstance(event, a.InfluenceTaken) else self.torches
            goods[event.seat] += 1

    def _split(self, event: scoring.InterimSplit) -> None:
        multiplier = RATES["interim_multiplier"][str(len(self.seats))]
        assert event.vp + event.sesterces == multiplier * self.on_board(event.seat)
        self.points[event.seat] += event.vp
        self.sesterces[event.seat] += event.sesterces

    def _reward(self, event: a.RewardGranted) -> None:
        seat, times, reward = event.seat, event.times, REWARDS[event.building]
        inside = [site for site, (owner, _) in self.elements.items() if owner == seat]
        total = sum(self.elements[site][1] for site in inside if SITES[site]["building"] == event.building)
        assert total == event.total
        assert total // 3 >= times > 0
        assert event.romans == min(reward["romans"] * times, self._romans_in_reserve(seat))
        self.sesterces[seat] += reward["sesterces"] * times
        self.torches[seat] += reward["torches"] * times
        self.influence[seat] += reward["influence"] * times
        self.romans[seat] += event.romans

    def _build(self, event: a.ElementBuilt) -> None:
        seat, site = event.seat, SITES[event.site]
        assert event.site not in self.elements
        self._pay_torch(seat, event.torch)
        self.sesterces[seat] -= event.fee
        self.influence[seat] -= event.influence
        self.romans[seat] -= 1
        self.bricks[seat][site["color"]] -= event.bricks - event.whites
        self.bricks[seat]["white"] -= event.whites
        self.elements[event.site] = (seat, event.bricks)
        self.points[seat] += site["vp"] or site["vp_per_brick"] * event.bricks
        if event.building_card is not None:
            assert event.building_card.lower().endswith(site["color"])
            self.cards[seat].append(event.building_card)

    def _buy(self, event: a.HonorCardBought) -> None:
        seat, card = event.seat, HONOR[event.card]
        effect, amount = card["effect"]["type"], card["effect"]["amount"]
        self.influence[seat] -= card["influence_cost"]
        for discarded in event.discarded:
            (self.cards if discarded in CARDS else self.finals)[seat].remove(discarded)
        self.points[seat] += amount if effect == "vp" else 0
        self.sesterces[seat] += amount if effect == "sesterces" else 0
        self.torches[seat] += amount if effect == "torches" else 0
        self.romans[seat] += min(amount, self._romans_in_reserve(seat)) if effect == "romans" else 0
        if effect == "final_vp":
            self.finals[seat].append(event.card)
        elif effect == "substitute_building_card":
            self.cards[seat].append(event.card)

    def final_points(self) -> list[int]:
        """Points with the final scoring, worked out from what was booked."""
        totals = list(self.points)
        for seat in self.seats:
            left = Counter(CARDS[card] for card in self.cards[seat])
            while left:
                totals[seat] += RATES["set_vp"][str(len(left))]
                left = +Counter({building: number - 1 for building, number in left.items()})
            totals[seat] += sum(HONOR[card]["effect"]["amount"] for card in self.finals[seat])
            totals[seat] += self.romans[seat] + self.influence[seat] + self.torches[seat]
            totals[seat] += self.bricks[seat].total() + self.sesterces[seat] // 3
        for area in DATA["majorities"]:
            for seat, points in self._majority(area).items():
                totals[seat] += points
        return totals

    def _majority(self, area: dict[str, Any]) -> dict[int, int]:
        """Points of one majority: everybody's place is how many are strictly better, plus how many are as good."""
        keys: dict[int, tuple[int, int]] = {}
        for site_id, (seat, height) in self.elements.items():
            site = SITES[site_id]
            level = area["level"]
            inside = site["row"] == area["row"] if level is None else height >= level
            if site["building"] == area["building"] and inside:
                count, best = keys.get(seat, (0, 0))
                keys[seat] = (count + (height if level is None else 1), max(best, PRICES[site["color"]]))
        points = {}
        for seat, key in keys.items():
            worst_place = sum(other >= key for other in keys.values())
            is_tied_first = max(keys.values()) == key and worst_place > 1
            has_second = worst_place == 2 or is_tied_first
            points[seat] = area["first"] if worst_place == 1 else area["second"] if has_second else 0
        return points


def decks(seats: int) -> Sequence[str]:
    """A deck of action cards."""
    return [card["id"] for card in DATA["action_cards"] if seats < 4 or not card["only_two_or_three_players"]]
