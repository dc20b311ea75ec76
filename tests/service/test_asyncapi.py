"""docs/asyncapi.yaml: what streams send is what openapi.yaml says it is, where openapi.yaml says it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docs" / "asyncapi.yaml"


@pytest.fixture(scope="module")
def told() -> Any:
    return yaml.safe_load(FILE.read_text())


@pytest.fixture(scope="module")
def contract() -> Any:
    return yaml.safe_load((ROOT / "openapi.yaml").read_text())


def references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if "$ref" in node:
            yield node["$ref"]
        for value in node.values():
            yield from references(value)
    elif isinstance(node, list):
        for value in node:
            yield from references(value)


def resolved(document: Any, pointer: str) -> Any:
    for step in pointer.removeprefix("/").split("/"):
        document = document[step.replace("~1", "/").replace("~0", "~")]
    return document


def test_it_is_an_asyncapi_document_whose_references_all_lead_somewhere(told: Any, contract: Any) -> None:
    assert told["asyncapi"].startswith("3.")
    found = list(references(told))
    assert found
    for reference in found:
        file, _, pointer = reference.partition("#")
        assert not file or (FILE.parent / file).resolve() == ROOT / "openapi.yaml"
        assert resolved(contract if file else told, pointer)


def test_the_payload_of_each_message_is_a_schema_of_the_contract(told: Any) -> None:
    for name, message in told["components"]["messages"].items():
        assert set(message["payload"]) == {"$ref"}, name
        assert message["payload"]["$ref"].startswith("../openapi.yaml#/components/schemas/"), name


def test_each_stream_of_the_contract_is_a_channel_and_says_the_same(told: Any, contract: Any) -> None:
    streams = {
        path: operation
        for path, methods in contract["paths"].items()
        for operation in methods.values()
        if "text/event-stream" in operation["responses"].get("200", {}).get("content", {})
    }
    channels = {channel["address"]: channel for channel in told["channels"].values()}
    assert set(streams) <= set(channels)
    for path, operation in streams.items():
        (page,) = (
            content["schema"]["$ref"].rpartition("/")[2]
            for kind, content in operation["responses"]["200"]["content"].items()
            if kind == "application/json"
        )
        items = contract["components"]["schemas"][page]["properties"]["items"]["items"]["$ref"]
        (message,) = channels[path]["messages"].values()
        assert resolved(told, message["$ref"][1:])["payload"]["$ref"] == f"../openapi.yaml{items}"


def test_each_channel_is_sent_on(told: Any) -> None:
    sent = {operation["channel"]["$ref"].rpartition("/")[2] for operation in told["operations"].values()}
    assert sent == set(told["channels"])
    for operation in told["operations"].values():
        channel = resolved(told, operation["channel"]["$ref"][1:])
        for message in operation["messages"]:
            assert resolved(told, message["$ref"][1:]) in channel["messages"].values()
