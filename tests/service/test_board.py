import pytest

from tests.service.client import Client, House, Seat, problem


@pytest.fixture
def game(ada: Client, bob: Client) -> Seat:
    """A game of Ada, in seat 0, and Bob, in seat 1, in which both have peeked at a card."""
    game = ada.create(seats="mo", undo="free")
    bob.at(game).do("join_game", {"seat": 1})
    game.do("peek")
    bob.at(game).do("peek")
    return game


def test_each_seat_sees_its_own_secrets(game: Seat, bob: Client, visitor: Client) -> None:
    mine, theirs, nobodys = (client.at(game).see("board") for client in (game.client, bob, visitor))
    assert [board["viewer"] for board in (mine, theirs, nobodys)] == [0, 1, None]
    assert mine["board"]["seen"][0] is not None
    assert mine["board"]["seen"][1] is None
    assert theirs["board"]["seen"][0] is None
    assert nobodys["board"]["seen"] == [None, None]


def test_the_board_says_whose_turn_it_is_and_what_may_be_undone(game: Seat) -> None:
    board = game.see("board")
    assert board["to_act"] == [0, 1]
    assert board["pending"] is None
    assert board["undo"]["allowed"] is False
    assert board["phase"]
    assert board["version"] == game.version


def test_before_the_start_there_is_no_board(ada: Client) -> None:
    board = ada.create(seats="mo").see("board")
    assert (board["board"], board["phase"], board["to_act"]) == (None, None, [])


def test_an_earlier_board_is_what_was_shown_then(game: Seat, bob: Client) -> None:
    seen = {game.version: game.see("board")["board"]}
    for points in (1, 2, 3):
        game.do("add", {"points": points})
        seen[game.version] = game.see("board")["board"]
    bob.at(game).do("finish")
    for version, board in seen.items():
        then = game.see(f"board?at={version}")
        assert then["board"] == board
        assert then["version"] == version
        assert then["undo"]["allowed"] is False


def test_the_present_board_can_be_asked_for_by_its_version(game: Seat) -> None:
    now = game.see("board")
    assert game.see(f"board?at={now['version']}") == now


def test_a_board_to_come_is_not_found(game: Seat) -> None:
    problem(game.get(f"board?at={game.version + 1}"), 404, "not-found")
    problem(game.get("board?at=9007199254740991"), 404, "not-found")


def test_a_player_of_several_seats_chooses_whose_board_it_is(ada: Client) -> None:
    game = ada.create(seats="mm")
    game.do("peek", seat=1)
    assert game.see("board?seat=1")["board"]["seen"][1] is not None
    assert game.see("board?seat=0")["board"]["seen"][1] is None
    assert game.see("board?seat=1")["viewer"] == 1


def test_the_board_of_a_foreign_seat_is_refused(game: Seat, visitor: Client) -> None:
    told = problem(game.get("board?seat=1"), 403, "not-your-seat")
    assert (told["parameter"], "pointer" in told) == ("seat", False)
    problem(visitor.at(game).get("board?seat=1"), 403, "not-your-seat")
    problem(game.get("board?seat=7"), 403, "not-your-seat")


def test_a_finished_game_is_opened_to_all_who_ask(game: Seat, visitor: Client) -> None:
    problem(visitor.at(game).get("board?reveal=true"), 409, "game-not-over")
    game.do("finish")
    opened = visitor.at(game).see("board?reveal=true")
    assert all(seen is not None for seen in opened["board"]["seen"])
    assert opened["board"]["pile"] is not None
    assert visitor.at(game).see("board")["board"]["pile"] is None
    assert visitor.at(game).see("board?seat=1")["viewer"] == 1
    problem(visitor.at(game).get("board?seat=7"), 403, "not-your-seat")


def test_an_earlier_board_of_a_finished_game_can_be_opened_too(game: Seat) -> None:
    version = game.version
    game.do("finish")
    assert game.see(f"board?at={version}&reveal=true")["board"]["pile"] is not None


def test_a_board_that_has_not_changed_is_not_sent_again(game: Seat) -> None:
    etag = game.get("board").headers["ETag"]
    assert etag == f'"{game.version}"'
    assert game.get("board", If_None_Match=etag).status_code == 304
    assert game.get("legal-commands", If_None_Match=etag).status_code == 304
    game.do("add", {"points": 1})
    assert game.get("board", If_None_Match=etag).status_code == 200


def test_an_earlier_board_is_sent_again_only_when_it_is_that_of_another(game: Seat) -> None:
    at = game.version
    present = game.get(f"board?at={at}")
    game.do("add", {"points": 1})
    past = game.get(f"board?at={at}", If_None_Match=present.headers["ETag"])
    assert past.status_code == 200  # there is nothing to undo any more
    assert game.get(f"board?at={at}", If_None_Match=past.headers["ETag"]).status_code == 304
    game.do("replace_with_bot")
    theirs = game.get(f"board?at={at}", If_None_Match=past.headers["ETag"])
    assert theirs.status_code == 200
    assert theirs.json is not None
    assert theirs.json["viewer"] is None


@pytest.mark.parametrize(
    "query", ["at=0", "at=-1", "at=x", "at=1.0", "at=99999999999999999999", "seat=8", "seat=x", "reveal=1", "version=3"]
)
def test_a_bad_query_is_refused(game: Seat, query: str) -> None:
    told = problem(game.get(f"board?{query}"), 400, "malformed-request")
    assert told["parameter"] == query.partition("=")[0]


def test_a_number_that_is_too_small_is_told_what_would_be_right(game: Seat) -> None:
    for query in ("at=0", "at=-1"):
        assert problem(game.get(f"board?{query}"), 400, "malformed-request")["detail"].startswith("Must be greater")


def test_every_listed_command_is_accepted_as_it_stands(ada: Client, house: House) -> None:
    game = ada.create("kreta", "mm", undo="free")
    for _ in range(5):
        legal = game.see("legal-commands")
        assert legal["version"] == game.version
        for command in legal["commands"]:
            response = game.give(command["type"], command["data"], query="?dry_run=true")
            assert response.status_code == 200, (command, response.data)
        game.do(legal["commands"][-1]["type"], legal["commands"][-1]["data"])
        house.do_owed(game.game)


def test_legal_commands_are_those_of_the_named_seat(ada: Client) -> None:
    game = ada.create("kreta", "mm")
    assert game.see("legal-commands?seat=0")["commands"]
    assert game.see("legal-commands?seat=1") == {"version": game.version, "seat": 1, "commands": []}


def test_legal_commands_are_for_players(game: Seat, house: House, visitor: Client) -> None:
    problem(visitor.at(game).get("legal-commands"), 401, "unauthenticated")
    problem(house.player("Carl").at(game).get("legal-commands"), 403, "forbidden")
    assert problem(game.get("legal-commands?seat=1"), 403, "not-your-seat")["parameter"] == "seat"


def test_before_the_start_and_after_the_end_nothing_is_legal(ada: Client, game: Seat) -> None:
    assert ada.create(seats="mo").see("legal-commands")["commands"] == []
    game.do("finish")
    assert game.see("legal-commands")["commands"] == []
