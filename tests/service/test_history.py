import msgspec
import pytest

from events import envelope
from tests.service.client import Client, House, Seat, problem


@pytest.fixture
def game(ada: Client, bob: Client) -> Seat:
    """A game of Ada, in seat 0, and Bob, in seat 1, in which both have peeked at a card."""
    game = ada.create(seats="mo", undo="free")
    bob.at(game).do("join_game", {"seat": 1})
    game.do("peek")
    bob.at(game).do("peek")
    return game


def test_events_are_paged_in_order_without_a_gap(game: Seat) -> None:
    found, after = [], 0
    while True:
        page = game.see(f"events?after={after}&limit=2")
        found += page["items"]
        if page["next"] is None:
            break
        after = page["next"]
    assert [event["version"] for event in found] == list(range(1, game.version + 1))
    assert found == game.see("events")["items"]


def test_a_page_beyond_the_end_is_empty(game: Seat) -> None:
    assert game.see("events?after=1000") == {"items": [], "next": None}


def test_a_page_has_never_more_than_a_thousand_events(game: Seat) -> None:
    assert len(game.see("events?limit=5000")["items"]) == game.version


def test_private_parts_are_for_their_seats(game: Seat, bob: Client, visitor: Client) -> None:
    for client, own in ((game.client, {0}), (bob, {1}), (visitor, set())):
        for event in client.at(game).see("events")["items"]:
            for part in event["private"]:
                assert ("data" in part) == bool(own & set(part["seats"])), event
                assert ("digest" in part) != ("data" in part)


def test_a_player_of_several_seats_reads_the_secrets_of_all_of_them(ada: Client) -> None:
    game = ada.create(seats="mm")
    game.do("peek", seat=0)
    game.do("peek", seat=1)
    peeks = [event for event in game.see("events")["items"] if event["type"] == "toy.peeked"]
    assert len(peeks) == 2
    assert all("data" in event["private"][0] for event in peeks)


def test_everything_is_opened_when_the_game_is_over(game: Seat, visitor: Client) -> None:
    game.do("finish")
    for event in visitor.at(game).see("events")["items"]:
        assert all("data" in part for part in event["private"])


def test_everything_is_opened_when_the_game_is_called_off(ada: Client, visitor: Client) -> None:
    game = ada.create(seats="mo")
    assert game.do("cancel_game")["game"]["status"] == "abandoned"
    assert "data" in visitor.at(game).see("events")["items"][0]["private"][0]


def test_the_digests_hold_for_what_anybody_reads(game: Seat, bob: Client, visitor: Client) -> None:
    for client in (game.client, bob, visitor):
        previous = envelope.GENESIS
        for line in client.at(game).get("export").data.splitlines()[1:]:
            event = envelope.decode(line)
            assert envelope.encode(event) == line
            assert event.prev == previous
            assert envelope.event_digest(event) == event.digest
            assert envelope.private_digest(event.private) == event.private_digest
            previous = event.digest


def test_page_stream_and_export_tell_the_same_bytes(game: Seat, visitor: Client) -> None:
    game.do("add", {"points": 1})
    for finish in (False, True):
        if finish:
            game.do("finish")
        for client in (game.client, visitor):
            seen = client.at(game)
            header, *exported = seen.get("export").data.splitlines()
            checkpoint = seen.see("audit")["checkpoint"]
            assert msgspec.json.decode(header) == {"annales_export": 1, "game": game.game, "checkpoint": checkpoint}
            page = msgspec.json.decode(seen.get("events?limit=1000").data, type=dict[str, msgspec.Raw])
            assert [bytes(item) for item in msgspec.json.decode(page["items"], type=list[msgspec.Raw])] == exported
            limit = len(exported)
            lines = seen.get(f"events?limit={limit}", Accept="application/x-ndjson")
            assert lines.mimetype == "application/x-ndjson"
            assert [line for line in lines.data.splitlines() if line] == exported
            stream = seen.get(f"events?limit={limit}", Accept="text/event-stream")
            assert [line[6:] for line in stream.data.splitlines() if line.startswith(b"data: ")] == exported


def test_an_audit_of_a_running_game_is_sealed_and_of_a_finished_one_verified(game: Seat, visitor: Client) -> None:
    report = visitor.at(game).see("audit")
    assert report["verdict"] == "sealed"
    assert report["head"] == game.see("events")["items"][-1]["digest"]
    game.do("finish")
    report = visitor.at(game).see("audit")
    assert report["verdict"] == "verified", report
    assert report["version"] == game.version
    assert report["head"] == game.see("events")["items"][-1]["digest"]
    assert report["first_bad"] is None


def test_an_audit_tells_everybody_the_same(game: Seat, visitor: Client) -> None:
    assert game.get("audit").data == visitor.at(game).get("audit").data


def test_an_audit_is_made_once_for_each_head(game: Seat, house: House) -> None:
    game.see("audit")
    session = house.session(game.game)
    assert house.services.audits.of(session) is house.services.audits.of(session)
    etag = game.get("audit").headers["ETag"]
    assert game.get("audit", If_None_Match=etag).status_code == 304


def test_an_audit_finds_a_touched_log(game: Seat, house: House) -> None:
    game.do("add", {"points": 1})
    store = house.services.store
    key, rows = store.keys.game(game.game, "events"), store.read(game.game)
    store.client.delete(key)
    for row in rows:
        line = row.line.replace(b'"points":1,"seat":0', b'"points":5,"seat":0') if row == rows[-1] else row.line
        store.client.xadd(key, {"e": line, "p": int(row.has_private)}, id=f"{row.version}-0")
    report = game.see("audit")
    assert report["verdict"] == "failed"
    assert report["first_bad"]["version"] == rows[-1].version


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("after=-1", "after"),
        ("after=x", "after"),
        ("limit=0", "limit"),
        ("limit=99999999999999999", "limit"),
        ("x=1", "x"),
    ],
)
def test_a_bad_query_is_refused(game: Seat, query: str, parameter: str) -> None:
    told = problem(game.get(f"events?{query}"), 400, "malformed-request")
    assert told["parameter"] == parameter


@pytest.mark.parametrize("accept", ["*/*", "application/json", "image/png", "text/*;q=0", "nonsense;q=x", ""])
def test_events_are_json_unless_something_else_is_asked_for(game: Seat, accept: str) -> None:
    assert game.get("events", Accept=accept).mimetype == "application/json"


def test_a_page_refuses_a_last_event_id_that_a_stream_would_refuse(game: Seat) -> None:
    told = problem(game.get("events", Last_Event_ID="none"), 400, "malformed-request")
    assert told["parameter"] == "Last-Event-ID"
    assert game.get("events", Last_Event_ID="3").status_code == 200
