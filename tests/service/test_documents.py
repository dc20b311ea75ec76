import re
from importlib.resources import files

import msgspec
import pytest
import yaml
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from domain.catalogue import GAMES
from domain.table import COMMANDS, EVENTS
from events.ruleset import Rulesets
from service.openapi import as_yaml, document, examples
from service.openapi.__main__ import FILE
from tests.service.client import Client, House, problem
from tests.service.contract import Contract


def test_the_contract_at_the_root_of_the_project_is_what_the_code_says() -> None:
    assert FILE.read_bytes() == as_yaml(document(Rulesets(GAMES.values())))


def test_the_contract_is_valid_openapi(contract: Contract) -> None:
    validate(contract.document)


def test_every_route_is_in_the_contract_and_every_operation_has_a_route(house: House, contract: Contract) -> None:
    routes = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in house.app.url_map.iter_rules()
        for method in rule.methods or ()
        if method not in {"HEAD", "OPTIONS"}
    }
    operations = {(path, method) for path, methods in contract.document["paths"].items() for method in methods}
    assert routes == operations


def test_every_operation_has_a_name_of_its_own_and_every_link_leads_to_one(contract: Contract) -> None:
    operations = [operation for methods in contract.document["paths"].values() for operation in methods.values()]
    names = [operation["operationId"] for operation in operations]
    assert all(names)
    assert len(names) == len(set(names))
    links = {name for one in operations for answer in one["responses"].values() for name in answer.get("links", {})}
    assert {"revokeToken", "revokeInvite", "rotateWebhookSecret"} <= links <= set(names)


def test_every_parameter_of_a_route_is_in_the_contract(house: House, contract: Contract) -> None:
    for rule in house.app.url_map.iter_rules():
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        for operation in contract.document["paths"][path].values():
            stated = [
                contract.document["components"]["parameters"][one["$ref"].rpartition("/")[2]] if "$ref" in one else one
                for one in operation.get("parameters", [])
            ]
            assert {one["name"] for one in stated if one["in"] == "path"} == set(rule.arguments)


def test_commands_and_events_of_each_type_are_described(contract: Contract) -> None:
    schemas = contract.document["components"]["schemas"]
    for game in GAMES.values():
        prefix = game.id.title().replace("-", "")
        assert schemas[f"{prefix}Command"]["discriminator"]["mapping"].keys() == {c.type for c in game.command_types}
    assert schemas["TableCommand"]["discriminator"]["mapping"].keys() == COMMANDS.keys()
    events = schemas["Event"]["discriminator"]["mapping"].keys()
    assert {event.type for game in GAMES.values() for event in game.event_types} <= events
    assert {event.type for event in EVENTS} <= events


def test_every_schema_is_one(contract: Contract) -> None:
    for schema in contract.document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def test_the_examples_are_accepted(house: House, ada: Client, bob: Client) -> None:
    assert house.visitor().post("/v1/players", examples.REGISTER).status_code == 201
    assert ada.call("PATCH", "/v1/players/me", examples.RENAME).status_code == 200
    assert ada.post("/v1/games", examples.CREATE_WITH_BOTS).status_code == 201
    made = ada.post("/v1/games", {**examples.CREATE_OPEN, "start": "manual"}).json
    assert made is not None
    commands = f"/v1/games/{made['id']}/commands"
    assert bob.post(commands, examples.JOIN).status_code == 201
    assert bob.post(commands, examples.BATCH).status_code == 201


def test_the_examples_fit_their_schemas(contract: Contract) -> None:
    for methods in contract.document["paths"].values():
        for operation in methods.values():
            for media in operation.get("requestBody", {}).get("content", {}).values():
                schema = {**media["schema"], "components": contract.document["components"]}
                for example in media["examples"].values():
                    Draft202012Validator(schema).validate(example["value"])


def test_the_contract_is_served_in_both_forms(visitor: Client, contract: Contract) -> None:
    as_json, written = visitor.get("/openapi.json"), visitor.get("/openapi.yaml")
    assert msgspec.json.decode(as_json.data) == contract.document
    assert yaml.load(written.data, yaml.CSafeLoader) == contract.document
    for response in (as_json, written):
        assert visitor.get(response.request.path, If_None_Match=response.headers["ETag"]).status_code == 304


def test_the_page_for_people_needs_nothing_from_elsewhere(visitor: Client) -> None:
    page = visitor.get("/docs")
    assert "://" not in page.text
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe-eval" not in policy
    (script,) = re.findall(r'<script src="([^"]+)"', page.text)
    assert visitor.get(script).data == files("service").joinpath("static/redoc.standalone.js").read_bytes()


def test_the_licences_of_the_page_come_with_it(visitor: Client) -> None:
    assert b"MIT" in files("service").joinpath("static/redoc.LICENSE.txt").read_bytes()
    assert files("service").joinpath("static/redoc.standalone.js.LICENSE.txt").is_file()


@pytest.mark.parametrize("asset", ["nothing.js", "../app.py", "..%2Fapp.py", "%2Fetc%2Fpasswd", ".."])
def test_nothing_else_is_given_out(visitor: Client, asset: str) -> None:
    problem(visitor.get(f"/docs/{asset}"), 404, "not-found")


def test_this_process_lives_and_can_do_its_work(house: House, visitor: Client) -> None:
    assert visitor.see("/healthz") == {"status": "ok"}
    ready = visitor.see("/readyz")
    assert ready["status"] == "ready"
    assert ready["durability"] == "always"
    assert ready["partitions"] == house.services.settings.partitions


def test_a_store_that_may_lose_data_is_not_ready(house: House, visitor: Client) -> None:
    client = house.services.store.client
    client.config_set("appendfsync", "no")
    try:
        response = visitor.get("/readyz")
    finally:
        client.config_set("appendfsync", "always")
    problem(response, 503, "store-unavailable")
    assert visitor.get("/readyz").status_code == 200


def test_data_of_another_format_is_not_ready(house: House, visitor: Client) -> None:
    house.services.store.client.hset("annales:meta", "format", "2")
    problem(visitor.get("/readyz"), 503, "store-unavailable")


class TestRulesets:
    def test_are_listed(self, visitor: Client) -> None:
        listed = visitor.see("/v1/rulesets")
        assert listed["next"] is None
        assert [item["id"] for item in listed["items"]] == ["toy", *GAMES]
        assert listed["items"][0]["seats"] == {"min": 2, "max": 4}
        assert "greedy" in listed["items"][0]["bots"]

    @pytest.mark.parametrize("ruleset", ["toy", *GAMES])
    def test_tell_all_about_themselves(self, visitor: Client, ruleset: str) -> None:
        page = visitor.see(f"/v1/rulesets/{ruleset}")
        assert page["reference"]
        assert page["rulebook"][0].keys() == {"code", "says", "source"}
        assert "join_game" in page["commands"]
        assert "table.game_created" in page["events"]
        for schema in (page["options"], *page["commands"].values()):
            Draft202012Validator.check_schema(schema)
        for shape in page["events"].values():
            Draft202012Validator.check_schema(shape["data"])
            assert "private" not in shape["data"]["properties"]

    def test_give_schemas_that_hold_for_their_events(self, ada: Client, visitor: Client) -> None:
        game = ada.create()
        game.do("peek")
        game.do("finish")
        shapes = visitor.see("/v1/rulesets/toy")["events"]
        for event in game.see("events")["items"]:
            Draft202012Validator(shapes[event["type"]]["data"]).validate(event["data"])
            for part in event["private"]:
                Draft202012Validator(shapes[event["type"]]["private"]).validate(part["data"])

    def test_are_not_sent_again(self, visitor: Client) -> None:
        for path in ("/v1/rulesets", "/v1/rulesets/toy"):
            assert visitor.get(path, If_None_Match=visitor.get(path).headers["ETag"]).status_code == 304


def test_the_page_of_a_problem_shows_as_code_what_is_code(visitor: Client) -> None:
    page = visitor.get("/problems/rule-violation").text
    assert "<code>code</code> names the rule" in page
    assert "`" not in page.partition("<table>")[0]
