import warnings
from collections.abc import Mapping, Sequence

import pymerkle
import pytest

from events import merkle
from events.merkle import Node, leaf_hash, node_hash

SIZE = 70

PUBLISHED_LEAVES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
PUBLISHED_ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
"""The tree that implementations of Certificate Transparency test themselves with."""


class Tree:
    """A tree in memory that counts what is read of it."""

    def __init__(self, leaves: Sequence[bytes], batch: int = 1) -> None:
        self.kept: dict[Node, bytes] = {}
        self.read = 0
        hashes = [leaf_hash(leaf) for leaf in leaves]
        for size in range(0, len(leaves), batch):
            self.kept |= merkle.grown(size, hashes[size : size + batch], self.nodes)

    def nodes(self, wanted: Sequence[Node]) -> Mapping[Node, bytes]:
        self.read += len(wanted)
        return {node: self.kept[node] for node in wanted}

    def leaf(self, index: int) -> bytes:
        return self.kept[0, index]


LEAVES = [f"leaf {number}".encode() for number in range(SIZE)]
TREE = Tree(LEAVES)
ROOTS = [merkle.root(size, TREE.nodes) for size in range(SIZE + 1)]


def defined_root(first: int, end: int) -> bytes:
    """The root as RFC 9162 defines it, 2.1.1."""
    if end - first == 1:
        return leaf_hash(LEAVES[first])
    middle = first + largest_power(end - first)
    return node_hash(defined_root(first, middle), defined_root(middle, end))


def defined_subproof(size: int, first: int, end: int, *, whole: bool) -> list[bytes]:
    """The consistency proof as RFC 9162 defines it, 2.1.4.1."""
    if size == end - first:
        return [] if whole else [defined_root(first, end)]
    half = largest_power(end - first)
    if size <= half:
        return [
            *defined_subproof(size, first, first + half, whole=whole),
            defined_root(first + half, end),
        ]
    return [
        *defined_subproof(size - half, first + half, end, whole=False),
        defined_root(first, first + half),
    ]


def largest_power(width: int) -> int:
    power = 1
    while power * 2 < width:
        power *= 2
    return power


def test_the_roots_are_those_that_others_publish() -> None:
    tree = Tree([bytes.fromhex(leaf) for leaf in PUBLISHED_LEAVES])
    assert [merkle.root(size, tree.nodes).hex() for size in range(9)] == PUBLISHED_ROOTS


@pytest.mark.parametrize("batch", [1, 3, 16, SIZE])
def test_a_tree_is_the_same_however_it_grew(batch: int) -> None:
    assert Tree(LEAVES, batch).kept == TREE.kept


def test_roots_and_inclusion_proofs_are_those_of_another_implementation() -> None:
    other = pymerkle.InmemoryTree(algorithm="sha256")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for leaf in LEAVES:
            other.append_entry(leaf)
    for size in range(1, SIZE + 1):
        assert ROOTS[size] == other.get_root(size)
        for index in range(size):
            theirs = other.prove_inclusion(index + 1, size)
            assert merkle.inclusion_proof(index, size, TREE.nodes) == list(theirs.path[1:])


def test_consistency_proofs_are_those_of_the_definition() -> None:
    for second in range(1, SIZE + 1):
        for first in range(1, second + 1):
            proof = merkle.consistency_proof(first, second, TREE.nodes)
            assert proof == defined_subproof(first, 0, second, whole=True)


def test_every_inclusion_proof_holds_and_no_other_leaf_or_place_does() -> None:
    for size in range(1, SIZE + 1):
        for index in range(size):
            proof = merkle.inclusion_proof(index, size, TREE.nodes)
            assert merkle.includes(ROOTS[size], size, index, TREE.leaf(index), proof)
            assert not merkle.includes(ROOTS[size - 1], size, index, TREE.leaf(index), proof)
            assert not merkle.includes(ROOTS[size], size, index, leaf_hash(b"other"), proof)
            assert not merkle.includes(ROOTS[size], size, index, TREE.leaf(index), [*proof, ROOTS[1]])
            assert not merkle.includes(ROOTS[size], size, size, TREE.leaf(index), proof)
            if proof:
                assert not merkle.includes(ROOTS[size], size, index, TREE.leaf(index), proof[:-1])
                assert not merkle.includes(ROOTS[size], size, index ^ 1, TREE.leaf(index), proof)


def test_every_consistency_proof_holds_and_none_for_another_tree() -> None:
    for second in range(1, SIZE + 1):
        for first in range(1, second + 1):
            proof = merkle.consistency_proof(first, second, TREE.nodes)
            assert merkle.is_consistent(first, ROOTS[first], second, ROOTS[second], proof)
            assert not merkle.is_consistent(first, ROOTS[first], second, ROOTS[0], proof)
            assert not merkle.is_consistent(first, ROOTS[0], second, ROOTS[second], proof)
            assert not merkle.is_consistent(first, ROOTS[first], second, ROOTS[second], [*proof, ROOTS[1]])
            if first < second:
                assert not merkle.is_consistent(first, ROOTS[first], second, ROOTS[second], proof[:-1])


@pytest.mark.parametrize(("first", "second"), [(0, 3), (4, 3), (-1, 3)])
def test_there_is_no_proof_from_nothing_nor_backwards(first: int, second: int) -> None:
    with pytest.raises(ValueError, match="no proof"):
        merkle.consistency_proof(first, second, TREE.nodes)
    assert not merkle.is_consistent(first, ROOTS[0], second, ROOTS[second], [])


@pytest.mark.parametrize(("index", "size"), [(3, 3), (-1, 3), (0, 0)])
def test_there_is_no_proof_of_what_is_not_there(index: int, size: int) -> None:
    with pytest.raises(ValueError, match="not in a tree"):
        merkle.inclusion_proof(index, size, TREE.nodes)


def test_a_proof_reads_no_more_than_a_node_a_level() -> None:
    tree = Tree([str(number).encode() for number in range(5000)], 1000)
    levels = (5000).bit_length()
    for index in range(0, 5000, 97):
        tree.read = 0
        merkle.inclusion_proof(index, 5000, tree.nodes)
        assert tree.read <= 2 * levels
        tree.read = 0
        merkle.consistency_proof(index + 1, 5000, tree.nodes)
        assert tree.read <= 2 * levels
