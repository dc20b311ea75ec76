"""Canonical JSON: the same bytes as an implementation of RFC 8785 that is not ours."""

from hashlib import sha256

import msgspec
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from domain.canonical import canonical, digest

NAMES = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=8)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4), max_leaves=20
)


class Point(msgspec.Struct):
    y: int
    x: tuple[str, ...]


@given(VALUES)
def test_canonical_json_is_that_of_rfc_8785(value: object) -> None:
    assert canonical(value) == rfc8785.dumps(value)  # type: ignore[arg-type]


@given(VALUES)
def test_canonical_json_read_and_written_again_is_the_same(value: object) -> None:
    assert canonical(msgspec.json.decode(canonical(value))) == canonical(value)


def test_structs_are_objects_with_sorted_names() -> None:
    assert canonical(Point(y=1, x=("ü", "\n\u2028/"))) == '{"x":["ü","\\n\u2028/"],"y":1}'.encode()


def test_a_raw_value_goes_in_as_it_stands() -> None:
    assert canonical({"b": msgspec.Raw(b'{"a":1}'), "a": 2}) == b'{"a":2,"b":{"a":1}}'


def test_a_digest_names_its_hash_and_is_taken_over_the_canonical_form() -> None:
    assert digest({"b": 1, "a": [True, None]}) == "sha256:" + sha256(b'{"a":[true,null],"b":1}').hexdigest()
