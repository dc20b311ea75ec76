"""A second account of the game, kept from the events and the data file alone: pieces, points, cards."""

import json
from collections import Counter
from importlib.resources import files
from typing import Any

from domain.game import Event
from domain.kreta import events as happened

DATA: dict[str, Any] = json.loads((files("domain.kreta") / "editions" / "reconstructed.json").read_bytes())
_PROVINCES = {province["id"]: province for province in DATA["map"]["provinces"]}
_POINTS = {point["site"]: point["provinces"] for point in DATA["map"]["fort_points"]}
_INFLUENCE: dict[str, int] = {
    kind: DATA["pieces"][kind]["influence"] for kind in ("villager", "village", "abbot", "ship", "fort")
}


class Ledger:
    """Fed with every event in turn, it checks what each of them pays and counts everything again."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.points = [0] * seats
        self.pieces: Counter[tuple[int, str, Any]] = Counter()
        """How many pieces of (seat, kind) stand at a place."""
        self.tiles: Counter[tuple[int, str]] = Counter()
        self.scored: list[int] = []
        self.over = False

    def take(self, event: Event) -> None:
        """Book one event."""
        match event:
            case happened.VillagerPlaced(seat, province):
                self.pieces[seat, "villager", province] += 1
            case happened.AbbotPlaced(seat, province):
                self.pieces[seat, "abbot", province] += 1
            case happened.ShipPlaced(seat, province):
                self.pieces[seat, "ship", province] += 1
            case happened.VillageBuilt(seat, province):
                self.pieces[seat, "village", province] += 1
            case happened.FortBuilt(seat, site):
                self.pieces[seat, "fort", site] += 1
            case happened.VillagerMoved() | happened.AbbotMoved() | happened.ShipMoved():
                kind = type(event).__name__.removesuffix("Moved").lower()
                self.pieces[event.seat, kind, event.from_province] -= 1
                self.pieces[event.seat, kind, event.to_province] += 1
            case happened.TileHarvested(seat, _, tile, count, points):
                self.tiles[seat, tile] += 1
                assert (count, points) == (self.tiles[seat, tile],) * 2
                self.points[seat] += points
            case happened.ProvinceScored():
                self._score(event)
            case happened.FortCardTurnedDown():
                self.scored.append(event.point)
            case happened.GameEnded():
                assert event.scores == tuple(self.points)
                self.over = True
            case _:
                pass

    def placed(self, seat: int, kind: str) -> int:
        """How many pieces of a kind a seat has on the board."""
        return sum(count for (owner, what, _), count in self.pieces.items() if (owner, what) == (seat, kind))

    def figures(self, province: str) -> int:
        """How many pieces the limit of a province counts."""
        kinds = ("villager", "village", "abbot")
        return sum(self.pieces[seat, kind, province] for seat in range(self.seats) for kind in kinds)

    def ships(self, province: str) -> list[int]:
        """How many ships each seat has in a harbour."""
        return [self.pieces[seat, "ship", province] for seat in range(self.seats)]

    def _score(self, event: happened.ProvinceScored) -> None:
        province = event.province
        assert province in _POINTS[event.point]
        assert event.value == _PROVINCES[province]["value"]
        influence = {seat: self._influence(seat, province) for seat in range(self.seats)}
        present = {seat: count for seat, count in influence.items() if count}
        assert {standing.seat: standing.influence for standing in event.standings} == present
        levels = sorted(set(present.values()), reverse=True)
        first = [seat for seat, count in present.items() if count == levels[0]] if levels else []
        seconds = self.seats >= 3 and len(first) == 1 and len(levels) > 1
        expected = {
            seat: event.value if seat in first else event.value // 2 if seconds and count == levels[1] else 0
            for seat, count in present.items()
        }
        assert {standing.seat: standing.points for standing in event.standings} == expected
        for seat, points in expected.items():
            self.points[seat] += points

    def _influence(self, seat: int, province: str) -> int:
        at_home = sum(
            self.pieces[seat, kind, province] * _INFLUENCE[kind] for kind in ("villager", "village", "abbot", "ship")
        )
        forts = sum(self.pieces[seat, "fort", site] for site in _PROVINCES[province]["fort_points"])
        return at_home + forts * _INFLUENCE["fort"]
