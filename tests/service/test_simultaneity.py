"""Many at once: who wins, and what the others are told."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.service.client import Client, House, Seat, problem

CLAIMANTS = 100
SEATS = 4


def at_once(calls: Sequence[Callable[[], TestResponse]]) -> list[TestResponse]:
    """The answers to calls that all begin at the same moment."""
    barrier = Barrier(len(calls))

    def called(call: Callable[[], TestResponse]) -> TestResponse:
        barrier.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(called, calls))


def parted(answers: list[TestResponse]) -> tuple[list[TestResponse], list[TestResponse]]:
    """Those that were accepted, and those that were not."""
    won = [answer for answer in answers if answer.status_code == 201]
    return won, [answer for answer in answers if answer.status_code != 201]


@pytest.fixture
def crowd(house: House) -> list[Client]:
    return [house.player(f"Player {number}") for number in range(CLAIMANTS)]


@pytest.mark.parametrize("start", ["manual", "when_full"])
def test_a_hundred_claims_for_four_seats_give_four_winners_and_helpful_refusals(
    ada: Client, crowd: list[Client], start: str
) -> None:
    game = ada.create(seats="o" * SEATS, start=start)
    claims = [partial(client.at(game).give, "join_game", {"seat": n % SEATS}) for n, client in enumerate(crowd)]
    won, lost = parted(at_once(claims))
    assert (len(won), len(lost)) == (SEATS, CLAIMANTS - SEATS)
    expected = {"manual": {"seat-taken"}, "when_full": {"seat-taken", "game-not-open"}}[start]
    for refusal in lost:
        told: Any = refusal.json
        assert (refusal.status_code, told["status"]) == (409, 409)
        assert told["code"] in expected
        assert "open" in told["detail"]
    seated = [seat["player"]["id"] for seat in game.now["seats"]]
    assert len(set(seated)) == SEATS
    assert set(seated) <= {client.id for client in crowd}
    types = [event["type"] for event in game.see("events")["items"]]
    assert types.count("table.seat_taken") == SEATS


def test_of_a_hundred_claims_for_one_seat_one_wins(ada: Client, crowd: list[Client]) -> None:
    game = ada.create(seats="mo", start="manual")
    won, lost = parted(at_once([partial(client.at(game).give, "join_game", {"seat": 1}) for client in crowd]))
    assert len(won) == 1
    for refusal in lost:
        assert problem(refusal, 409, "seat-taken")["pointer"] == "/data/seat"


def test_of_two_writers_at_one_version_one_wins_and_the_other_is_told_what_it_missed(ada: Client, bob: Client) -> None:
    game = ada.create(seats="mo")
    bob.at(game).do("join_game", {"seat": 1})
    for _ in range(10):
        version = game.version
        writers = [partial(seat.give, "add", {"points": 1}, If_Match=f'"{version}"') for seat in (game, bob.at(game))]
        won, lost = parted(at_once(writers))
        assert (len(won), len(lost)) == (1, 1)
        told = problem(lost[0], 412, "version-mismatch")
        assert won[0].json is not None
        assert told["current_version"] == version + 1 == won[0].json["version"]
        assert told["missed_events"] == won[0].json["events"]
        assert game.version == version + 1


def test_all_who_ask_for_a_rematch_at_once_get_the_same_game(ada: Client, bob: Client) -> None:
    game = ada.create(seats="mo")
    bob.at(game).do("join_game", {"seat": 1})
    game.do("finish")
    answers = at_once([partial(client.call, "POST", f"{game.path}/rematch") for client in [ada, bob] * 5])
    assert {answer.status_code for answer in answers} <= {200, 201}
    (new,) = {answer.json["id"] for answer in answers if answer.json}
    assert game.now["rematch"] == new
    assert len({seat["player"]["id"] for seat in Seat(ada, new).now["seats"]}) == 2


def test_a_recovery_code_that_is_used_twice_at_once_is_good_once(visitor: Client) -> None:
    made = visitor.post("/v1/players", {"name": "Ada"}).json
    assert made is not None
    body = {"recovery": made["recovery"]}
    won, lost = parted(at_once([lambda: visitor.house.visitor().post("/v1/tokens/recover", body)] * 8))
    assert (len(won), len(lost)) == (1, 7)
    for refusal in lost:
        problem(refusal, 401, "unauthenticated")
