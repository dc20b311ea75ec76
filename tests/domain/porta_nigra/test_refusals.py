"""What refusals tell: what is wrong with the very values at hand, and what would be right."""

from typing import Any

import pytest

from domain.errors import RuleViolation
from domain.porta_nigra import commands as c
from domain.porta_nigra.commands import PortaNigraCommand
from domain.porta_nigra.state import State
from tests.domain.porta_nigra.builders import opening, outcome, position

SET = ("BLD-basilica-red", "BLD-amphitheatre-red", "BLD-cityWall-red", "BLD-portaNigra-red")


def own(**fields: Any) -> State:
    return position(card="ACT-2", own={0: fields}, elements={"POR-P3": (0, 8), "BAS-A1": 1})


CASES: list[tuple[State, PortaNigraCommand, str]] = [
    (
        opening(),
        c.PlaceBuilder("forum"),
        "There is no quarter forum; known are: basilica, amphitheatre, city_wall, porta_nigra.",
    ),
    (
        position(own={0: {"hand": ("ACT-3", "ACT-7")}}),
        c.PlayActionCard("ACT-1"),
        "ACT-1 is not in your hand; play one of: ACT-3, ACT-7.",
    ),
    (own(), c.PlayActionCard("ACT-1"), "One action card a turn; ACT-2 is played already."),
    (own(), c.BuyBrick(4, "red"), "ACT-2 has symbols 0 to 3; there is none at 4."),
    (own(), c.BuyBrick(3, "red"), "Symbol 3 of ACT-2 is influence; this action needs buy."),
    (position(card="ACT-2", covered=1), c.BuyBrick(0, "red"), "Symbol 0 is covered; each may be used once a turn."),
    (own(), c.BuyBrick(0, "green"), "There is no brick colour green; known are: black, blue, red, yellow, white."),
    (own(), c.BuyBrick(0, "red"), "This symbol buys in the black shop while that has bricks."),
    (position(card="ACT-1", market="1 black"), c.BuyBrick(0, "red"), "The red shop is empty."),
    (own(sesterces=4), c.BuyBrick(1, "red"), "This costs 5 sesterces, 2 of them for the way; you have 4."),
    (own(), c.BuildElement(2, "BAS-A1", 2, 0), "An element stands on BAS-A1; choose an empty site."),
    (own(), c.BuildElement(2, "POR-P1", 9, 0), "An element on POR-P1 has 3 to 8 bricks, not 9."),
    (own(), c.BuildElement(2, "AMP-A2", 3, 4), "White bricks may stand for 0 to 3 of these bricks, not 4."),
    (own(), c.BuildElement(2, "BAS-B3", 1, 1), "White bricks may stand for 0 to 0 of these bricks, not 1."),
    (
        own(bricks="1 red, 2 white"),
        c.BuildElement(2, "AMP-A2", 3, 1),
        "This takes 2 red and 1 white bricks; your supply has 1 and 2.",
    ),
    (
        own(bricks="3 yellow", sesterces=2),
        c.BuildElement(2, "POR-P4", 3, 0),
        "This costs 3 sesterces, 3 of them for the way; you have 2.",
    ),
    (own(), c.BuildElement(2, "BAS-C1", 1, 0), "There is no building site BAS-C1."),
    (own(influence=1), c.InfluenceBuild("BAS-B1", 2, 0), "This costs 2 influence; you have 1."),
    (own(), c.InfluenceRoman(), "This costs 1 influence; you have 0."),
    (
        position(own={0: {"influence": 2}}, honor_display=("HON-VP12", "HON-VP4", "HON-VP12")),
        c.BuyHonorCard("HON-VP8", ()),
        "HON-VP8 is not in the honor card display; there are: HON-VP12, HON-VP4.",
    ),
    (
        position(own={0: {"influence": 2}}, honor_display=("HON-VP12",)),
        c.BuyHonorCard("HON-VP12", ()),
        "This costs 3 influence; you have 2.",
    ),
    (
        position(own={0: {"influence": 2, "building_cards": SET}}, honor_display=("HON-FS30",)),
        c.BuyHonorCard("HON-FS30", SET[:3]),
        (
            "HON-FS30 asks you to discard one building card of yours for each of basilica, amphitheatre, city_wall, porta_nigra, "
            "in this order."
        ),
    ),
    (
        position(own={0: {"influence": 3}}, honor_display=("HON-FS42",)),
        c.BuyHonorCard("HON-FS42", ()),
        "HON-FS42 asks you to discard HON-FS30.",
    ),
    (
        position(own={0: {"influence": 3}}, honor_display=("HON-VP4",)),
        c.BuyHonorCard("HON-VP4", SET[:1]),
        "HON-VP4 asks you to discard nothing.",
    ),
    (position(bricks_due=2), c.EndTurn(), "Name the colour of your brick first: choose_brick (2 to name)."),
    (
        position(top_up_due=True, elements={"POR-P3": (0, 8)}),
        c.TopUpElement("POR-P3"),
        "The element on POR-P3 has 8 bricks already.",
    ),
    (
        position(top_up_due=True),
        c.TopUpElement("POR-P3"),
        "POR-P3 bears no element of yours whose height may grow.",
    ),
    (
        position(stage="split_interim", own={0: {"interim": 7}}),
        c.SplitInterim(8),
        "Take 0 to 7 victory points; the rest is sesterces.",
    ),
    (position(3, stage="choose_start_player"), c.ChooseStartPlayer(3), "There is no seat 3; seats are 0 to 2."),
    (position(stage="over"), c.EndTurn(), "No seat decides now: over."),
]


@pytest.mark.parametrize(("state", "command", "sentence"), CASES, ids=[sentence for _, _, sentence in CASES])
def test_a_refusal_tells_what_would_be_right(state: State, command: PortaNigraCommand, sentence: str) -> None:
    with pytest.raises(RuleViolation) as caught:
        outcome(state, command)
    assert caught.value.detail == sentence
