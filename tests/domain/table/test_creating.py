"""Setting up a table: what the first event says, and which tables nobody may have."""

from hashlib import sha256
from typing import Any

import pytest

from domain.errors import BadCommand
from domain.game import NOBODY
from domain.table import BotSeat, CreateGame, MySeat, OpenSeat, create
from domain.table.events import GameCreated, SeatSetup
from tests.support.logged import SEED, LoggedGame, hot_seat
from tests.support.toy import TOY


def refused(**choices: Any) -> BadCommand:
    with pytest.raises(BadCommand) as refusal:
        create(TOY, CreateGame(**{"ruleset": "toy", "seats": (MySeat(), MySeat()), **choices}), "ada", SEED)
    assert refusal.value.detail.endswith(".")
    return refusal.value


def test_the_first_event_says_all_that_was_chosen() -> None:
    command = CreateGame(
        ruleset="toy",
        seats=(MySeat(), OpenSeat(), BotSeat("random")),
        options={"pace": "fast", "colours": ["red", "blue", "green"], "edition": "second"},
        visibility="unlisted",
        undo="off",
        start="manual",
    )
    event = create(TOY, command, "ada", SEED)
    assert event.seats == (
        SeatSetup(kind="player", player="ada"),
        SeatSetup(kind="open"),
        SeatSetup(kind="bot", bot="random"),
    )
    assert (event.ruleset, event.creator) == ("toy", "ada")
    assert (event.edition, event.edition_digest) == ("second", TOY.editions["second"])
    assert (event.visibility, event.undo, event.rated, event.start) == ("unlisted", "off", False, "manual")
    assert event.options == {"pace": "fast", "colours": ["red", "blue", "green"], "edition": "second"}


def test_options_that_were_left_out_are_written_down_with_their_defaults() -> None:
    event = create(TOY, hot_seat("toy"), "ada", SEED)
    assert event.options == {"edition": "reconstructed", "pace": "slow", "colours": ["red", "blue"]}


def test_the_seed_is_committed_to_and_kept_where_nobody_may_read_it() -> None:
    event = create(TOY, hot_seat("toy"), "ada", SEED)
    assert event.commitment == "sha256:" + sha256(SEED).hexdigest()
    (part,) = event.private
    assert part.seats == NOBODY
    assert part.data.seed == SEED.hex()


@pytest.mark.parametrize("seats", [0, 1, 5, 8])
def test_a_table_has_as_many_seats_as_the_ruleset_allows(seats: int) -> None:
    refusal = refused(seats=(MySeat(),) * seats)
    assert (refusal.code, refusal.pointer) == ("seats-out-of-range", "/seats")
    assert "2 to 4" in refusal.detail


def test_an_edition_that_nobody_knows_is_refused_and_the_known_ones_named() -> None:
    refusal = refused(options={"edition": "gold"})
    assert (refusal.code, refusal.pointer) == ("unknown-edition", "/options/edition")
    assert "reconstructed, second" in refusal.detail


@pytest.mark.parametrize(
    ("options", "pointer"),
    [
        ({"speed": 3}, "/options/speed"),
        ({"pace": "brisk"}, "/options/pace"),
        ({"colours": ["red", 4]}, "/options/colours/1"),
        ({"edition": None}, "/options/edition"),
    ],
)
def test_options_that_the_ruleset_does_not_offer_are_refused_and_pointed_at(
    options: dict[str, Any], pointer: str
) -> None:
    refusal = refused(options=options)
    assert (refusal.code, refusal.pointer) == ("malformed-request", pointer)


def test_options_that_do_not_go_with_the_number_of_seats_are_refused_by_the_game() -> None:
    refusal = refused(seats=(MySeat(),) * 3, options={"pace": "fast"})
    assert (refusal.code, refusal.pointer) == ("too-few-colours", "/options/colours")


def test_a_rated_game_is_played_without_undo() -> None:
    for undo in ("free", "consent"):
        refusal = refused(seats=(MySeat(), OpenSeat()), rated=True, undo=undo)
        assert (refusal.code, refusal.pointer) == ("rated-needs-undo-off", "/undo")


@pytest.mark.parametrize(
    "seats",
    [
        (MySeat(), MySeat()),
        (MySeat(), BotSeat()),
        (OpenSeat(), BotSeat()),
        (BotSeat(), BotSeat()),
        (MySeat(), MySeat(), OpenSeat()),
    ],
)
def test_a_rated_game_is_played_by_two_or_more_players_with_one_seat_each(
    seats: tuple[MySeat | OpenSeat | BotSeat, ...],
) -> None:
    refusal = refused(seats=seats, rated=True, undo="off")
    assert (refusal.code, refusal.pointer) == ("rated-needs-two-players", "/seats")


@pytest.mark.parametrize("seats", [(MySeat(), OpenSeat()), (OpenSeat(), OpenSeat()), (MySeat(), OpenSeat(), BotSeat())])
def test_a_rated_game_of_two_players_without_undo_is_fine(seats: tuple[MySeat | OpenSeat | BotSeat, ...]) -> None:
    command = CreateGame(ruleset="toy", seats=seats, rated=True, undo="off")
    assert create(TOY, command, "ada", SEED).rated


def test_the_table_remembers_what_the_first_event_said() -> None:
    game = LoggedGame(CreateGame(ruleset="toy", seats=(OpenSeat(), BotSeat("greedy")), visibility="private"))
    table = game.table
    assert isinstance(game.typed[0], GameCreated)
    assert [(seat.kind, seat.player, seat.bot) for seat in table.seats] == [
        ("open", None, None),
        ("bot", None, "greedy"),
    ]
    assert (table.id, table.version, table.ruleset, table.creator) == ("g1", 1, "toy", "ada")
    assert (table.status, table.visibility, table.undo) == ("open", "private", "consent")
    assert table.created_at == table.updated_at == game.log[0].at
    assert game.position.game is None
    assert game.awaited == ()
    assert game.pending is None
