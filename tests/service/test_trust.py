import base64
import json
from typing import Any

import pytest

from events import audit, merkle, signing
from events.notes import VerifierKey, read_note
from events.transparency import Entry, game_digest
from service.services import Services
from tests.service.client import Client, House, Seat, problem
from tests.support.logged import RULESETS


@pytest.fixture
def services(house: House) -> Services:
    return house.services


@pytest.fixture
def key(visitor: Client) -> VerifierKey:
    """The key of the service, as anybody gets it."""
    (published,) = visitor.see("/.well-known/annales-keys")["keys"]
    assert published["status"] == "current"
    return VerifierKey.read(published["key"])


def finished(player: Client, **more: Any) -> Seat:
    game = player.create(**more)
    game.do("finish")
    return game


def raw(encoded: str) -> bytes:
    return base64.b64decode(encoded, validate=True)


def test_the_public_keys_may_be_kept_for_a_while(visitor: Client, services: Services) -> None:
    response = visitor.get("/.well-known/annales-keys")
    assert response.headers["Cache-Control"] == "public, max-age=300"
    assert signing.read_keys(response.text) == services.ring.public
    assert "PRIVATE" not in response.text


def test_the_checkpoint_of_a_running_game_is_of_its_present_head(ada: Client, key: VerifierKey) -> None:
    game = ada.create(seats="mm")
    for _ in range(2):
        told = game.see("audit")
        head = game.see(f"events?after={game.version - 1}")["items"][0]["digest"]
        stated = signing.verified(told["checkpoint"], [key])
        assert (stated.game, stated.version, stated.head) == (game.game, game.version, head)
        assert {check["name"]: check["verdict"] for check in told["checks"]}["signature"] == "passed"
        game.do("peek", seat=0)


def test_an_export_verifies_with_the_published_key(ada: Client, visitor: Client, key: VerifierKey) -> None:
    game = finished(ada)
    report = audit.verify_export(visitor.at(game).get("export").data, RULESETS, [key])
    assert report.verdict == "verified"
    assert {check.verdict for check in report.checks} == {"passed"}


def test_a_running_game_is_exported_with_a_checkpoint_too(ada: Client, key: VerifierKey) -> None:
    game = ada.create(seats="mm")
    game.do("peek", seat=0)
    report = audit.verify_export(game.get("export").data, RULESETS, [key])
    assert report.verdict == "sealed"
    assert next(check.verdict for check in report.checks if check.name == "signature") == "passed"


def test_the_service_does_not_vouch_for_a_copy(ada: Client, key: VerifierKey) -> None:
    export = finished(ada).get("export").data
    sent = {"Content-Type": "application/x-ndjson"}
    made = ada.call("POST", "/v1/games/import", raw=export, headers=sent)
    assert made.status_code == 201, made.data
    assert made.json is not None
    copy = Seat(ada, made.json["id"])
    told = copy.see("audit")
    assert (told["verdict"], told["checkpoint"]) == ("verified", None)
    report = audit.verify_export(copy.get("export").data, RULESETS, [key])
    assert report.verdict == "verified"
    assert next(check.verdict for check in report.checks if check.name == "signature") == "not_checked"


def test_an_empty_log_has_a_signed_head(visitor: Client, key: VerifierKey) -> None:
    head = visitor.see("/v1/log")
    assert (head["size"], raw(head["root"])) == (0, merkle.EMPTY_ROOT)
    assert read_note(head["checkpoint"]).signer([key]) == key
    assert visitor.see("/v1/log/entries") == {"items": [], "next": None}


def test_the_head_is_a_checkpoint_of_a_transparency_log(house: House, ada: Client, key: VerifierKey) -> None:
    finished(ada)
    house.project()
    response = ada.get("/v1/log")
    assert response.json is not None
    note = read_note(response.json["checkpoint"])
    assert note.text == f"{key.name}\n1\n{response.json['root']}\n"
    assert note.signer([key]) == key
    assert response.headers["ETag"] == '"1"'
    assert ada.get("/v1/log", If_None_Match='"1"').status_code == 304


def test_each_finished_game_can_be_shown_to_be_in_the_log(house: House, ada: Client, visitor: Client) -> None:
    games = [finished(ada) for _ in range(5)]
    house.project()
    head = visitor.see("/v1/log")
    for game in games:
        proof = visitor.see(f"/v1/log/inclusion?game={game.game}")
        assert (proof["size"], proof["root"], proof["checkpoint"]) == (5, head["root"], head["checkpoint"])
        last = game.see(f"events?after={game.version - 1}")["items"][0]
        assert proof["entry"] == {
            "game": game_digest(game.game),
            "head": last["digest"],
            "version": last["version"],
        }
        leaf = Entry(**proof["entry"]).leaf
        assert merkle.includes(raw(head["root"]), 5, proof["index"], leaf, list(map(raw, proof["path"])))


def test_a_proof_can_be_had_for_the_tree_that_the_caller_knows(house: House, ada: Client) -> None:
    first = finished(ada)
    house.project()
    known = ada.see("/v1/log")
    later = [finished(ada) for _ in range(3)]
    house.project()
    proof = ada.see(f"/v1/log/inclusion?game={first.game}&size=1")
    assert (proof["root"], proof["path"], proof["checkpoint"]) == (known["root"], [], known["checkpoint"])
    refused = problem(ada.get(f"/v1/log/inclusion?game={later[0].game}&size=1"), 400, "malformed-request")
    assert refused["parameter"] == "size"


def test_a_later_tree_can_be_shown_to_begin_with_an_earlier_one(house: House, ada: Client, visitor: Client) -> None:
    heads = []
    for _ in range(5):
        finished(ada)
        house.project()
        heads.append(visitor.see("/v1/log"))
    for earlier in heads:
        proof = visitor.see(f"/v1/log/consistency?from={earlier['size']}")
        assert (proof["from_root"], proof["to"], proof["to_root"]) == (earlier["root"], 5, heads[-1]["root"])
        path = list(map(raw, proof["path"]))
        assert merkle.is_consistent(earlier["size"], raw(earlier["root"]), 5, raw(heads[-1]["root"]), path)
    assert visitor.see("/v1/log/consistency?from=2&to=3")["to_root"] == heads[2]["root"]


@pytest.mark.parametrize("query", ["", "from=0", "from=4", "from=3&to=2", "to=4&from=1", "from=x", "from=1&until=2"])
def test_there_is_no_proof_between_trees_that_never_were(house: House, ada: Client, query: str) -> None:
    for _ in range(3):
        finished(ada)
    house.project()
    problem(ada.get(f"/v1/log/consistency?{query}"), 400, "malformed-request")


def test_an_empty_log_has_nothing_to_prove(visitor: Client) -> None:
    problem(visitor.get("/v1/log/consistency?from=1"), 400, "malformed-request")


def test_the_whole_log_can_be_read_in_pages_and_built_again(house: House, ada: Client, visitor: Client) -> None:
    for _ in range(5):
        finished(ada)
    house.project()
    found, after = [], 0
    while after is not None:
        page = visitor.see(f"/v1/log/entries?after={after}&limit=2")
        found += page["items"]
        after = page["next"]
    assert len(found) == 5
    kept: dict[merkle.Node, bytes] = {}
    kept |= merkle.grown(
        0, [Entry(**entry).leaf for entry in found], lambda nodes: {node: kept[node] for node in nodes}
    )
    assert merkle.root(5, lambda nodes: {node: kept[node] for node in nodes}) == raw(visitor.see("/v1/log")["root"])


def test_a_game_that_goes_on_is_not_in_the_log(house: House, ada: Client) -> None:
    game = ada.create(seats="mm")
    house.project()
    problem(ada.get(f"/v1/log/inclusion?game={game.game}"), 404, "not-found")


def test_of_a_private_game_only_its_players_have_a_proof(house: House, ada: Client, bob: Client) -> None:
    game = finished(ada, visibility="private")
    house.project()
    assert ada.see(f"/v1/log/inclusion?game={game.game}")["index"] == 0
    problem(bob.get(f"/v1/log/inclusion?game={game.game}"), 404, "not-found")


def test_the_log_tells_no_id_of_a_game(house: House, ada: Client, visitor: Client) -> None:
    game = finished(ada, visibility="unlisted")
    house.project()
    assert game.game not in json.dumps([visitor.see("/v1/log/entries"), visitor.see("/v1/log")])
