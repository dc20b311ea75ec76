"""Folding the scorings."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.porta_nigra.events import scoring as e
from domain.porta_nigra.events.course import PortaNigraEvent
from domain.porta_nigra.evolution.changes import seated
from domain.porta_nigra.state import State


def _interim_counted(state: State, event: e.InterimCounted) -> State:
    points = {entry.seat: entry.points for entry in event.points}
    players = tuple(replace(player, interim=points[seat]) for seat, player in enumerate(state.players))
    return replace(state, players=players, stage="split_interim", active=event.points[0].seat)


def _interim_split(state: State, event: e.InterimSplit) -> State:
    player = state.players[event.seat]
    player = replace(player, vp=player.vp + event.vp, sesterces=player.sesterces + event.sesterces, interim=0)
    return replace(
        state,
        players=seated(state.players, event.seat, player),
        active=event.seat if event.next_seat is None else event.next_seat,
    )


def _part_scored(
    state: State, event: e.BuildingCardsScored | e.FinalCardsScored | e.LeftoversScored | e.MajorityScored
) -> State:
    entries = event.contenders if isinstance(event, e.MajorityScored) else event.seats
    points = {entry.seat: entry.vp for entry in entries}
    players = tuple(replace(player, vp=player.vp + points.get(seat, 0)) for seat, player in enumerate(state.players))
    return replace(state, players=players)


def _game_ended(state: State, event: e.GameEnded) -> State:  # noqa: ARG001
    return replace(state, stage="over")


FOLDS: dict[type[PortaNigraEvent], Callable[[Any, Any], State]] = {
    e.InterimCounted: _interim_counted,
    e.InterimSplit: _interim_split,
    e.BuildingCardsScored: _part_scored,
    e.FinalCardsScored: _part_scored,
    e.LeftoversScored: _part_scored,
    e.MajorityScored: _part_scored,
    e.GameEnded: _game_ended,
}
