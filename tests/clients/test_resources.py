"""The shapes that the client states are those of the contract."""

from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints, is_typeddict

import pytest
import yaml

from annales_client import calls, resources
from annales_client.client import Ask, Client

CONTRACT = yaml.load(Path("openapi.yaml").read_text(), yaml.CSafeLoader)
SCHEMAS = CONTRACT["components"]["schemas"]
CALLED = {"Board": "BoardAnswer", "Event": "KretaFortBuiltEvent", "Command": "KretaBuildFortCommand"}
"""What the contract calls otherwise, or states type by type where the client has one shape."""
OF_SEVERAL = {"PrivatePart"}
SHAPES = {name: shape for name, shape in vars(resources).items() if is_typeddict(shape)}


def schema(name: str) -> Any:
    return SCHEMAS[CALLED.get(name, name)]


@pytest.mark.parametrize("name", sorted(SHAPES.keys() - OF_SEVERAL))
def test_a_shape_has_the_fields_of_its_schema(name: str) -> None:
    assert get_type_hints(SHAPES[name]).keys() <= schema(name)["properties"].keys()  # what is new may be unknown yet
    required = set(schema(name)["required"])
    stated: frozenset[str] = SHAPES[name].__required_keys__
    assert stated <= required
    assert required & get_type_hints(SHAPES[name]).keys() <= stated | {"data"}


def test_a_choice_has_the_values_of_its_schema() -> None:
    checked = 0
    for name in SHAPES.keys() - OF_SEVERAL:
        for field, hint in get_type_hints(SHAPES[name]).items():
            stated = schema(name)["properties"][field].get("enum")
            if get_origin(hint) is Literal and stated is not None:
                assert set(get_args(hint)) == set(stated), (name, field)
                checked += 1
    assert checked >= 8


def test_every_call_is_a_method() -> None:
    methods = {name: method for name, method in vars(Client.__mro__[1]).items() if isinstance(method, Ask)}
    made = {
        name
        for name, function in vars(calls).items()
        if callable(function)
        and getattr(function, "__annotations__", {}).get("return", None) is not None
        and "Call[" in str(function.__annotations__["return"])
    }
    assert methods.keys() == made - {"register", "stream"}
    for name in methods:
        assert getattr(Client, name) is getattr(calls, name)
