"""The audit: what holds is verified or sealed, whatever was touched is found and named, and nothing makes it raise."""

import json
import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.table import Clock, CreateGame, ForkGame, MySeat, OpenSeat
from domain.table.commands import (
    AddEntropy,
    AnswerUndo,
    CancelGame,
    ExpireClock,
    JoinGame,
    LeaveGame,
    Redo,
    ReplaceWithBot,
    RequestUndo,
    Resign,
    StartGame,
    TakeOver,
)
from events.audit import MEANING, Report, header_line, verify, verify_export
from tests.events.test_envelope import event_digest, private_digest
from tests.support.examples import examples
from tests.support.logged import RULESETS, LoggedGame, hot_seat
from tests.support.toy import Add, Call, Finish, Flip, Peek

Json = dict[str, Any]


def outcomes(report: Report) -> dict[str, str]:
    return {check.name: check.verdict for check in report.checks}


def export(lines: Sequence[bytes], game: str = "g1") -> bytes:
    return b"".join(line + b"\n" for line in [header_line(game), *lines])


@lru_cache
def ten_events() -> tuple[bytes, ...]:
    """A whole game of the toy, opened."""
    game = LoggedGame(hot_seat("toy"))
    game.give(Add(points=3), 1)
    game.give(Peek(), 0)
    game.give(Add(points=1), 0)
    game.give(Finish(), 1)
    assert len(game.log) == 10
    return tuple(game.lines())


@lru_cache
def whole_game(ruleset: str) -> tuple[bytes, ...]:
    return tuple(LoggedGame(hot_seat(ruleset)).play(random.Random(5)).lines())


def rechained(events: Sequence[Json]) -> list[bytes]:
    """The log with all digests computed anew, as a forger would; what cannot be digested stays as it is."""
    prev, lines = "sha256:" + "0" * 64, []
    for number, event in enumerate(events, start=1):
        forged = {**event, "version": number, "prev": prev}
        try:
            forged["private_digest"] = private_digest(forged["private"])
            forged["digest"] = prev = event_digest(forged)
        except (KeyError, TypeError, AttributeError, ValueError):
            pass
        lines.append(json.dumps(forged, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode())
    return lines


def read(lines: Sequence[bytes]) -> list[Json]:
    return [json.loads(line) for line in lines]


# What holds


@pytest.mark.parametrize("ruleset", RULESETS.by_id)
def test_a_whole_game_of_every_ruleset_is_verified(ruleset: str) -> None:
    lines = whole_game(ruleset)
    report = verify_export(export(lines), RULESETS)
    assert (report.verdict, report.first_bad) == ("verified", None)
    assert {name for name, verdict in outcomes(report).items() if verdict != "passed"} <= {"signature"}
    assert (report.game, report.version) == ("g1", len(lines))
    assert report.head == json.loads(lines[-1])["digest"]
    assert [check.name for check in report.checks] == list(MEANING)


def test_every_command_of_the_table_is_decided_again() -> None:
    """All that players and the house can do at a table, in games of two sorts."""
    game = LoggedGame(CreateGame(ruleset="toy", seats=(MySeat(), OpenSeat(), OpenSeat()), start="manual"))
    game.give(AddEntropy(entropy="x"), 0)
    game.give(JoinGame(seat=1), player="bob")
    game.give(LeaveGame(), 1)
    game.give(JoinGame(seat=1, entropy="y"), player="bob")
    game.give(JoinGame(seat=2), player="cleo")
    game.give(StartGame(), player="ada")
    start = game.version
    game.batch([game.order(Add(points=1), 0), game.order(Add(points=2), 0)])
    game.give(RequestUndo(to_version=start + 1), 0)
    game.give(Redo(), 0)
    game.give(Flip(), 1)
    for accept in (False, True):
        game.give(RequestUndo(to_version=start), 0)
        game.give(AnswerUndo(accept=True), 1)
        game.give(AnswerUndo(accept=accept), 2)
    game.give(ReplaceWithBot(), 1)
    game.give(Add(points=1), 1, actor="bot")
    game.give(TakeOver(seat=1), player="eve")
    game.give(Call(), 2)
    game.settle()
    game.give(Resign(), 2)
    game.give(Finish(), 0)
    report = verify(game.lines(), RULESETS)
    assert (report.verdict, report.first_bad) == ("verified", None)


def test_a_game_decided_by_the_clock_or_by_a_resignation_is_verified() -> None:
    timed = LoggedGame(hot_seat("toy", clock=Clock(per_turn_seconds=5, on_expiry="resign")))
    timed.wait(5)
    timed.give(ExpireClock(seat=0), actor="system")
    resigned = LoggedGame(hot_seat("toy"))
    resigned.give(Resign(), 1)
    for game in (timed, resigned):
        assert verify(game.lines(), RULESETS).verdict == "verified"


@pytest.mark.parametrize("started", [False, True])
def test_a_game_that_was_called_off_is_verified(*, started: bool) -> None:
    game = LoggedGame(hot_seat("toy", start="manual"))
    if started:
        game.give(AddEntropy(entropy="x"), 1)
    game.give(CancelGame(), player="ada")
    report = verify(game.lines(), RULESETS)
    assert (report.verdict, report.first_bad) == ("verified", None)


def test_a_fork_is_verified_without_the_log_of_its_parent() -> None:
    parent = LoggedGame(hot_seat("toy"))
    parent.give(Peek(), 0)
    fork = parent.fork(ForkGame(game="g1", at=parent.version, seats=(MySeat(), MySeat())), "ada")
    fork.give(Flip(), 1)
    fork.give(Finish(), 0)
    assert verify(fork.lines(), RULESETS).verdict == "verified"


@pytest.mark.parametrize("ruleset", RULESETS.by_id)
@pytest.mark.parametrize("seats", [(), (0,), tuple(range(8))], ids=["spectator", "seat 0", "all seats"])
def test_a_running_game_is_sealed_to_whoever_may_not_know_everything(ruleset: str, seats: tuple[int, ...]) -> None:
    game = LoggedGame(hot_seat(ruleset)).play(random.Random(1), 20)
    report = verify(game.lines(seats), RULESETS)
    assert (report.verdict, report.first_bad) == ("sealed", None)
    assert [name for name, verdict in outcomes(report).items() if verdict == "passed"] == [
        "form",
        "chain",
        "private_parts",
    ]


def test_a_running_game_with_all_its_secrets_is_checked_but_not_verified_before_its_end() -> None:
    game = LoggedGame(hot_seat("toy"))
    game.give(Flip(), 0)
    report = verify(game.lines(), RULESETS)
    assert report.verdict == "sealed"
    assert {name: verdict for name, verdict in outcomes(report).items() if verdict == "sealed"} == {
        "board": "sealed",
        "ending": "sealed",
    }
    assert outcomes(report)["decisions"] == outcomes(report)["shuffles"] == "passed"


def test_commands_of_other_rules_are_not_decided_again_and_that_is_said() -> None:
    events = read(ten_events())
    events[3]["command"]["rules"] = 6
    report = verify(rechained(events), RULESETS)
    assert outcomes(report)["decisions"] == "not_checked"
    assert [check.detail for check in report.checks if check.name == "decisions"] == [
        "not decided again: rules 6 unknown"
    ]


def test_commands_of_rules_newer_than_ours_leave_a_log_sealed() -> None:
    events = read(ten_events())
    events[3]["command"]["rules"] = 99
    report = verify(rechained(events), RULESETS)
    assert outcomes(report)["decisions"] == "sealed"
    assert report.verdict == "sealed"


# What was touched by somebody who cannot compute digests


def test_every_byte_that_is_changed_in_a_small_log_is_found_and_its_line_named() -> None:
    whole = export(ten_events())
    ends = [at for at, byte in enumerate(whole) if byte == 0x0A]
    for at in range(len(whole)):
        for flipped in (whole[at] ^ 0x01, whole[at] ^ 0x20):
            changed = whole[:at] + bytes([flipped]) + whole[at + 1 :]
            report = verify_export(changed, RULESETS)
            line = 1 + sum(end < at for end in ends)
            assert report.verdict == "failed", at
            assert report.first_bad is not None
            assert report.first_bad.reason
            # Another id in the header makes the first event the one that does not fit.
            expected = {1, 2} if line == 1 else {line}
            assert report.first_bad.line in expected, (at, report.first_bad)
            if report.first_bad.version is not None:
                assert report.first_bad.version == report.first_bad.line - 1


@pytest.mark.parametrize("ruleset", RULESETS.by_id)
def test_any_byte_that_is_changed_in_a_whole_game_is_found(ruleset: str) -> None:
    lines, rng = whole_game(ruleset), random.Random(11)
    for _ in range(examples(40)):
        number = rng.randrange(len(lines))
        at, bit = rng.randrange(len(lines[number])), 1 << rng.randrange(8)
        changed = bytearray(lines[number])
        changed[at] ^= bit
        report = verify([*lines[:number], bytes(changed), *lines[number + 1 :]], RULESETS)
        assert report.verdict == "failed"
        assert report.first_bad is not None
        assert report.first_bad.version == report.first_bad.line == number + 1


@pytest.mark.parametrize("ruleset", RULESETS.by_id)
def test_events_that_are_missing_doubled_or_swapped_are_found(ruleset: str) -> None:
    lines, rng = list(whole_game(ruleset)), random.Random(12)
    for _ in range(10):
        at = rng.randrange(len(lines) - 2)
        for changed in (
            lines[:at] + lines[at + 1 :],
            [*lines[: at + 1], lines[at], *lines[at + 1 :]],
            [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]],
        ):
            report = verify(changed, RULESETS)
            assert report.verdict == "failed"
            assert report.first_bad is not None
            assert report.first_bad.version in {at + 1, at + 2}


def test_a_log_that_is_cut_short_is_never_verified() -> None:
    lines = ten_events()
    for kept in range(1, len(lines)):
        report = verify(lines[:kept], RULESETS)
        # Between two commands it is a game that is not over; within one the command gives other events.
        assert report.verdict == ("sealed" if kept in {3, 4, 6, 7} else "failed")
        assert report.version == kept
    whole = export(lines)
    for cut in range(1, 200):
        assert verify_export(whole[:-cut], RULESETS).verdict == "failed"


def test_an_event_of_another_game_is_found() -> None:
    report = verify(ten_events(), RULESETS, game="g2")
    assert (report.verdict, report.first_bad and report.first_bad.version) == ("failed", 1)


def test_a_line_that_is_not_canonical_is_found() -> None:
    lines = list(ten_events())
    for changed in (lines[3].replace(b'":', b'": ', 1), b" " + lines[3], lines[3] + b"\r"):
        report = verify([*lines[:3], changed, *lines[4:]], RULESETS)
        assert report.verdict == "failed"
        assert outcomes(report)["form"] == "failed"
        assert report.first_bad is not None
        assert report.first_bad.version == 4


# Forgers who compute all digests anew


def forged(change: Callable[[list[Json]], None], lines: Sequence[bytes] | None = None) -> tuple[str, int]:
    """The check that a forgery fails, and the event that it names."""
    events = read(lines or ten_events())
    change(events)
    report = verify(rechained(events), RULESETS)
    assert report.verdict == "failed"
    assert report.first_bad is not None
    assert report.first_bad.version is not None
    (failed,) = (name for name, verdict in outcomes(report).items() if verdict == "failed")
    return failed, report.first_bad.version


def test_the_untouched_log_chained_anew_still_holds() -> None:
    assert rechained(read(ten_events())) == list(ten_events())


def test_another_outcome_does_not_follow_from_its_command() -> None:
    def more_points(events: list[Json]) -> None:
        assert events[3]["type"] == "toy.added"
        events[3]["data"]["points"] = 5

    assert forged(more_points) == ("decisions", 4)


def test_another_command_does_not_bring_about_the_events() -> None:
    def another(events: list[Json]) -> None:
        events[3]["command"]["data"]["points"] = 5

    assert forged(another) == ("decisions", 4)


def test_a_command_that_the_rules_refuse_is_named() -> None:
    def too_much(events: list[Json]) -> None:
        events[3]["command"]["data"]["points"] = events[3]["data"]["points"] = 9

    assert forged(too_much) == ("decisions", 4)


def test_another_seat_or_a_service_that_was_not_asked_is_found() -> None:
    def another_seat(events: list[Json]) -> None:
        events[3]["seat"] = 0

    def the_house(events: list[Json]) -> None:
        events[3]["actor"] = "system"

    assert forged(another_seat) == ("decisions", 4)
    assert forged(the_house) == ("decisions", 4)


def test_a_shuffle_with_another_order_is_found() -> None:
    def stacked(events: list[Json]) -> None:
        order = events[2]["private"][0]["data"]["shuffle"]["order"]
        order[0], order[1] = order[1], order[0]

    assert forged(stacked) == ("shuffles", 3)


def test_a_shuffle_with_another_number_or_other_cards_is_found() -> None:
    def numbered(events: list[Json]) -> None:
        events[2]["private"][0]["data"]["shuffle"]["draw"] = 1

    def other_cards(events: list[Json]) -> None:
        shuffle = events[2]["private"][0]["data"]["shuffle"]
        shuffle["items"] = shuffle["order"] = [1, 1, 1, 1, 1, 1, 1, 1]

    assert forged(numbered) == ("shuffles", 3)
    assert forged(other_cards) == ("decisions", 1)


def test_a_seed_that_does_not_fit_the_commitment_is_found() -> None:
    def another_seed(events: list[Json]) -> None:
        events[0]["private"][0]["data"]["seed"] = "00" * 32

    def another_commitment(events: list[Json]) -> None:
        events[0]["data"]["commitment"] = "sha256:" + "0" * 64

    assert forged(another_seed) == ("commitment", 1)
    assert forged(another_commitment) == ("commitment", 1)


def test_a_seed_chosen_afterwards_with_a_commitment_that_fits_draws_other_cards() -> None:
    def chosen(events: list[Json]) -> None:
        seed = bytes(range(1, 33))
        events[0]["private"][0]["data"]["seed"] = seed.hex()
        events[0]["data"]["commitment"] = "sha256:" + sha256(seed).hexdigest()
        events[-1]["data"]["seed"] = seed.hex()

    assert forged(chosen) == ("shuffles", 3)


def test_another_seed_in_the_last_event_is_found() -> None:
    def another(events: list[Json]) -> None:
        events[-1]["data"]["seed"] = "00" * 32

    check, version = forged(another)
    assert check in {"decisions", "commitment"}
    assert version in {8, 10}


def test_another_board_or_another_winner_in_the_last_events_is_found() -> None:
    def board(events: list[Json]) -> None:
        events[-1]["data"]["board_digest"] = "sha256:" + "0" * 64

    def winner(events: list[Json]) -> None:
        events[-2]["data"]["winners"] = [0]

    for change in (board, winner):
        check, version = forged(change)
        assert check in {"decisions", "board"}
        assert version in {8, 10}


def test_the_final_board_is_checked_even_where_the_commands_cannot_be_decided_again() -> None:
    def of_other_rules(events: list[Json]) -> None:
        for event in events[1:]:
            if "rules" in event["command"]:
                event["command"]["rules"] += 1
        events[-1]["data"]["board_digest"] = "sha256:" + "0" * 64

    assert forged(of_other_rules) == ("board", 10)


def test_a_secret_card_that_was_exchanged_is_found() -> None:
    def another_card(events: list[Json]) -> None:
        assert events[4]["type"] == "toy.peeked"
        events[4]["private"][0]["data"]["card"] ^= 1

    def another_reader(events: list[Json]) -> None:
        events[4]["private"][0]["seats"] = [0, 1]

    assert forged(another_card) == ("decisions", 5)
    assert forged(another_reader) == ("decisions", 5)


@pytest.mark.parametrize("ruleset", RULESETS.by_id)
def test_a_forged_deal_of_a_real_game_is_found(ruleset: str) -> None:
    def swap(value: Any) -> bool:
        """Swap two items of the first shuffle with different ones."""
        if isinstance(value, dict):
            if {"label", "draw", "items", "order"} <= value.keys():
                order = value["order"]
                other = next((at for at, item in enumerate(order) if item != order[0]), None)
                if other is None:
                    return False
                order[0], order[other] = order[other], order[0]
                return True
            return any(map(swap, value.values()))
        return isinstance(value, list) and any(map(swap, value))

    events = read(whole_game(ruleset))
    forgeable = [event for event in events if swap([event["data"], event["private"]])][:1]
    if not forgeable:
        assert not any("order" in json.dumps(event) for event in events)
        return
    report = verify(rechained(events), RULESETS)
    assert outcomes(report)["shuffles"] == "failed"
    assert report.first_bad is not None
    assert report.first_bad.version == forgeable[0]["version"]


def test_events_inserted_or_left_out_by_a_forger_are_found() -> None:
    def gift(events: list[Json]) -> None:
        events.insert(4, {**events[3], "command": {**events[3]["command"], "id": "gift"}, "seat": 0})

    def without_a_command(events: list[Json]) -> None:
        events[3]["command"] = {"id": "nobody's"}

    def without_its_first_event(events: list[Json]) -> None:
        del events[2]

    assert forged(gift) == ("decisions", 5)
    assert forged(without_a_command) == ("form", 4)
    assert forged(without_its_first_event)[0] in {"form", "decisions"}


def test_a_move_that_was_left_out_is_seen_in_the_final_board_or_the_result() -> None:
    def unplayed(events: list[Json]) -> None:
        del events[3]

    check, version = forged(unplayed)
    assert check in {"decisions", "board"}
    assert version in {7, 9}


def test_an_event_of_an_unknown_type_or_schema_is_named() -> None:
    def unknown(events: list[Json]) -> None:
        events[3]["type"] = "toy.flown"

    def newer(events: list[Json]) -> None:
        events[3]["schema"] = 2

    def older(events: list[Json]) -> None:
        events[3]["schema"] = 0

    for change in (unknown, newer, older):
        assert forged(change) == ("form", 4)


@pytest.mark.parametrize("first", [1, 2, 3])
def test_a_log_that_does_not_begin_at_the_beginning_is_found(first: int) -> None:
    def beheaded(events: list[Json]) -> None:
        del events[:first]

    assert forged(beheaded)[1] == 1


# What is no log at all


@pytest.mark.parametrize(
    "given_bytes",
    [
        b"",
        b"\n",
        b"\n\n",
        b"null\n",
        b"{}\n",
        b"\xff\xfe\n",
        b"[" * 100_000 + b"\n",
        b'{"annales_export":1}\n',
        b'{"annales_export":2,"checkpoint":null,"game":"g1"}\n',
        b'{"annales_export":1,"checkpoint":null,"game":3}\n',
        b'{"game":"g1","annales_export":1,"checkpoint":null}\n',
        b'{"annales_export":1,"checkpoint":null,"game":"g1","x":1}\n',
        b'{"annales_export":1,"checkpoint":' + b"[" * 100_000 + b"\n",
    ],
    ids=range(13),
)
def test_what_has_no_header_is_no_export(given_bytes: bytes) -> None:
    report = verify_export(given_bytes, RULESETS)
    assert report.verdict == "failed"
    assert report.first_bad is not None
    assert (report.first_bad.line, report.first_bad.version) == (1, None)
    assert report.first_bad.reason
    assert outcomes(report)["form"] == "failed"


def test_a_header_without_events_is_no_log() -> None:
    report = verify_export(export([]), RULESETS)
    assert report.verdict == "failed"
    assert (report.game, report.version) == ("g1", 0)
    assert verify([], RULESETS).verdict == "failed"


@given(st.binary(max_size=200) | st.text(max_size=80).map(str.encode))
def test_no_bytes_make_it_raise(noise: bytes) -> None:
    assert verify_export(noise, RULESETS).verdict == "failed"
    assert verify_export(header_line("g1") + b"\n" + noise, RULESETS).verdict == "failed"
    assert verify(noise.split(b"\n"), RULESETS).verdict == "failed"


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.integers(-3, 9)
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["table.game_created", "toy.peeked", "kreta.fort_built", "zz", "\ud800", "2026-13-01T00:00:00Z"])
)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner))


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something could be replaced in a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, child in inner for place in places(child, (*path, key)))]


@pytest.mark.parametrize("ruleset", RULESETS.by_id)
@settings(max_examples=examples(60))
@given(data=st.data())
def test_no_value_in_any_place_of_a_log_makes_it_raise_even_when_it_is_chained_anew(
    ruleset: str, data: st.DataObject
) -> None:
    events = read(whole_game(ruleset)[:40])
    for _ in range(data.draw(st.integers(1, 3))):
        number = data.draw(st.integers(0, len(events) - 1))
        path = data.draw(st.sampled_from(places(events[number])[1:]))
        target = events[number]
        try:
            for key in path[:-1]:
                target = target[key]
            target[path[-1]] = data.draw(VALUES)
        except (KeyError, TypeError, IndexError):
            continue
    try:
        lines = rechained(events)
    except UnicodeEncodeError:
        return
    report = verify(lines, RULESETS)
    assert report.verdict in {"failed", "sealed", "verified"}
    assert msgspec.json.encode(report)


@pytest.mark.parametrize(
    "place",
    [
        b'{"game":',
        b'{"data":',
        b'{"command":{"data":',
        b'{"private":[{"data":',
    ],
)
def test_nesting_without_end_is_no_event(place: bytes) -> None:
    for depth in (100, 100_000):
        report = verify([place + b"[" * depth + b"]" * depth + b"}"], RULESETS)
        assert report.verdict == "failed"


@pytest.mark.parametrize("value", ["[" * 500 + "]" * 500, '{"a":' * 500 + "1" + "}" * 500])
def test_deep_data_in_a_good_envelope_does_not_make_it_raise(value: str) -> None:
    events = read(ten_events())
    events[3]["data"] = json.loads(value)
    assert verify(rechained(events), RULESETS).verdict == "failed"


@pytest.mark.parametrize("ruleset", RULESETS.by_id)
def test_events_left_out_or_doubled_by_a_forger_are_found_wherever_they_lie(ruleset: str) -> None:
    lines, rng = read(whole_game(ruleset)), random.Random(13)
    for at in [0, 1, 2, *(rng.randrange(3, len(lines) - 2) for _ in range(examples(12)))]:
        for changed in (lines[:at] + lines[at + 1 :], [*lines[: at + 1], lines[at], *lines[at + 1 :]]):
            report = verify(rechained(changed), RULESETS)
            assert report.verdict == "failed"
            assert report.first_bad is not None


@pytest.mark.parametrize("ruleset", RULESETS.by_id)
def test_events_in_another_order_never_make_it_raise(ruleset: str) -> None:
    lines, rng = read(whole_game(ruleset)), random.Random(14)
    for _ in range(examples(12)):
        shuffled = lines[:4] + rng.sample(lines[4:], len(lines) - 4)
        assert verify(rechained(shuffled), RULESETS).verdict == "failed"
        at = rng.randrange(len(lines) - 1)
        swapped = [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]
        # Two moves that do not touch each other may have been played in the other order.
        assert verify(rechained(swapped), RULESETS).verdict in {"failed", "verified"}


@pytest.mark.parametrize("ruleset", RULESETS.by_id)
def test_the_moves_of_one_game_do_not_pass_for_those_of_another(ruleset: str) -> None:
    mine, other = (
        read(LoggedGame(hot_seat(ruleset), seed=bytes([n]) * 32).play(random.Random(n)).lines()) for n in (1, 2)
    )
    for kept in (1, 2, 3, 4, 10, 20):
        report = verify(rechained([*mine[:kept], *other[kept:]]), RULESETS)
        assert report.verdict == "failed"


def test_a_board_that_there_never_was_is_found() -> None:
    game = LoggedGame(hot_seat("toy", start="manual"))
    game.give(CancelGame(), player="ada")
    events = read(game.lines())
    events[-1]["data"] |= {"board_digest": "sha256:" + "0" * 64, "view_schema": 3}
    assert outcomes(verify(rechained(events), RULESETS))["decisions"] == "failed"
    events[1]["command"]["rules"] += 1
    report = verify(rechained(events), RULESETS)
    assert (report.verdict, outcomes(report)["board"]) == ("failed", "failed")
