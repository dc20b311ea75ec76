"""An independent recount of a whole game from its events and the data file, with nothing of the rules' own code."""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from importlib import resources
from typing import Any

from domain.canterbury import events as happened
from domain.game import Event

DATA: dict[str, Any] = json.loads(resources.files("domain.canterbury").joinpath("data.json").read_text("utf-8"))
SERVICES: list[str] = DATA["services"]["value"]
STRUCTURES: dict[str, dict[str, Any]] = {row["id"]: row for row in DATA["structures"]["value"]}
LOTS = {"small": 1, "medium": 2, "large": 4}
TIERS = list(LOTS)


def beside(district: int) -> list[int]:
    """The orthogonal neighbours on a board of five by five."""
    row, column = divmod(district, 5)
    steps = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [5 * r + c for r, c in steps if 0 <= r < 5 and 0 <= c < 5]


class Recount:
    """Takes the events one by one; afterwards `scores`, `shillings` and `city` are what they ought to be."""

    def __init__(self) -> None:
        self.seats = 0
        self.scores: list[int] = []
        self.shillings: list[int] = []
        self.city = 0
        self.tiles: dict[int, list[str]] = defaultdict(list)
        self.spaces: dict[tuple[int, str], int] = {}
        self.gone: Counter[str] = Counter()
        self.this_turn: list[tuple[str, int, bool, bool]] = []
        self.scored = 0
        self.replaced: list[str] = []

    def size(self, tile: str) -> str:
        return "small" if tile == "roman_well" else str(STRUCTURES[tile]["size"])

    def service(self, tile: str) -> str:
        return "water" if tile == "roman_well" else str(STRUCTURES[tile]["service"])

    def used(self, district: int) -> int:
        return sum(LOTS[self.size(tile)] for tile in self.tiles[district])

    def supplied(self, district: int, service: str) -> bool:
        return (district, service) in self.spaces

    def taken(self, tile: str, district: int) -> None:
        """A tile is put down: every rule of placing must hold."""
        assert self.tiles[district] or self.replaced or any(self.tiles[next_door] for next_door in beside(district))
        kinds = {"well" if name == "roman_well" else name for name in self.tiles[district]}
        assert tile not in kinds
        self.tiles[district].append(tile)
        assert self.used(district) <= 6
        for before in SERVICES[: SERVICES.index(self.service(tile))]:
            assert self.supplied(district, before)
        part = DATA["parts"]["value"][district]
        assert STRUCTURES[tile]["player"][part] is not None

    def cube(self, colour: int, district: int, service: str) -> None:
        assert (district, service) not in self.spaces
        self.spaces[district, service] = colour

    def take(self, event: Event) -> None:
        match event:
            case happened.GameBegan():
                self.seats = event.seats
                self.scores = [0] * event.seats
                self.shillings = [6] * event.seats
                self.city = 1
                self.tiles[12] = ["roman_well"]
                self.spaces[12, "water"] = -1
            case happened.TreasuryLevied():
                assert event.shillings == 5 + self.city // 10
                self.shillings[event.seat] += event.shillings
            case happened.CitizensTaxed():
                assert event.shillings == (5 + self.city // 10) // 2
                self.shillings[event.seat] += event.shillings
            case happened.StructureBought():
                self.shillings[event.seat] -= STRUCTURES[event.structure]["cost"]
                assert self.shillings[event.seat] >= 0
                self.replaced = []
            case happened.StructureDemolished():
                self.tiles[event.district].remove(event.structure)
                self.gone[event.structure] += 1
                self.replaced.append(event.structure)
            case happened.StructurePlaced():
                empty = not self.tiles[event.district] and not self.replaced
                upgrade = any(self.service(tile) == self.service(event.structure) for tile in self.replaced)
                self.taken(event.structure, event.district)
                self.this_turn.append((event.structure, event.district, empty, upgrade))
                for district in event.cubes:
                    self.cube(event.seat, district, self.service(event.structure))
                self.replaced = []
            case happened.NeutralPlaced():
                self.taken(event.structure, event.district)
                for district in event.cubes:
                    self.cube(self.seats, district, self.service(event.structure))
                self.city = min(301, self.city + STRUCTURES[event.structure]["city"])
            case happened.NeutralTileLost() | happened.NeutralSwapped():
                self.gone[event.structure] += 1
            case happened.DistrictServed():
                self.cube(event.colour, event.district, event.service)
            case happened.TurnEnded():
                self.turn_ended(event.seat)
            case happened.DistrictsScored():
                self.score_districts()
            case happened.RanksPaid():
                self.scored += 1
                for seat in range(self.seats):
                    self.shillings[seat] += DATA["rank_payouts"]["value"][seat][self.scored - 1]
            case happened.GameEnded():
                self.finish()
            case _:
                pass

    def turn_ended(self, seat: int) -> None:
        for tile, district, empty, upgrade in self.this_turn:
            self.city = min(301, self.city + STRUCTURES[tile]["city"])
            self.scores[seat] += STRUCTURES[tile]["player"][DATA["parts"]["value"][district]]
            if empty:
                self.scores[seat] += sum(place == district for place, _ in self.spaces)
            if upgrade:
                self.scores[seat] += 3
        self.this_turn = []

    def score_districts(self) -> None:
        for district in range(25):
            lots = self.used(district) - ("roman_well" in self.tiles[district])
            here = Counter(colour for (place, _), colour in self.spaces.items() if place == district and colour >= 0)
            self.reward(here.most_common(), lots, lots // 2, lots)

    def reward(self, places: list[tuple[int, int]], first: int, second: int, shared: int) -> None:
        """Colours with their cubes, most first."""
        leaders = [colour for colour, cubes in places if cubes == places[0][1]]
        if len(leaders) > 1:
            for colour in leaders:
                self.pay(colour, shared // len(leaders))
            return
        if places:
            self.pay(places[0][0], first)
        if len(places) == 2 or (len(places) > 2 and places[1][1] > places[2][1]):
            self.pay(places[1][0], second)

    def pay(self, colour: int, points: int) -> None:
        if colour < self.seats:
            self.scores[colour] += points

    def finish(self) -> None:
        for service in SERVICES:
            placed = Counter(colour for (_, what), colour in self.spaces.items() if what == service and colour >= 0)
            places = placed.most_common()
            if places:
                most = places[0][1]
                runner_up = places[1][1] if len(places) > 1 else 0
                self.reward(places, most, runner_up // 2, most + most // 2)
        for seat, shillings in enumerate(self.shillings):
            self.scores[seat] += shillings // 3


def recounted(events: Sequence[Event]) -> Recount:
    """The recount after all of `events`."""
    recount = Recount()
    for event in events:
        recount.take(event)
    return recount
