"""The Merkle tree of RFC 9162, section 2.1: which nodes a tree keeps, what a proof holds, and how it is checked.

Only complete subtrees are kept, as node (level, index): that over the leaves index * 2**level … (index+1) * 2**level - 1.
They never change, so a tree of any earlier size is made of them too. The root and each hash of a proof cover a range of
leaves that is put together from at most one node a level: a proof reads O(log n) nodes.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256

Node = tuple[int, int]
Range = tuple[int, int]
"""Leaves from the first up to, but not including, the second."""

Nodes = Callable[[Sequence[Node]], Mapping[Node, bytes]]
"""Where the hashes of nodes are read, many at a time."""

EMPTY_ROOT = sha256(b"").digest()


def leaf_hash(data: bytes) -> bytes:
    """The hash of a leaf."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node."""
    return sha256(b"\x01" + left + right).digest()


def grown(size: int, leaves: Sequence[bytes], nodes: Nodes) -> dict[Node, bytes]:
    """The nodes that come with appending `leaves` (hashes) to a tree of `size` leaves."""
    known = dict(nodes(complete((0, size))))
    new: dict[Node, bytes] = {}
    for index, leaf in enumerate(leaves, size):
        level, hashed = 0, leaf
        new[level, index] = known[level, index] = hashed
        while index % 2:
            hashed = node_hash(known[level, index - 1], hashed)
            level, index = level + 1, index // 2  # noqa: PLW2901 climbs from the leaf
            new[level, index] = known[level, index] = hashed
    return new


def root(size: int, nodes: Nodes) -> bytes:
    """The root of the tree of the first `size` leaves."""
    return _hashes([(0, size)], nodes)[0] if size else EMPTY_ROOT


def inclusion_proof(index: int, size: int, nodes: Nodes) -> list[bytes]:
    """The proof that leaf `index` is in the tree of `size` leaves. Raises ValueError when it is not."""
    if not 0 <= index < size:
        raise ValueError(f"leaf {index} is not in a tree of {size}")
    return _hashes(list(_siblings(index, size)), nodes)


def consistency_proof(first: int, second: int, nodes: Nodes) -> list[bytes]:
    """The proof that the tree of `second` leaves begins with that of `first`. Raises ValueError unless 0 < first <= second."""
    if not 0 < first <= second:
        raise ValueError(f"there is no proof from a tree of {first} to one of {second}")
    return _hashes(list(_subproof(first, second)), nodes)


def includes(root_hash: bytes, size: int, index: int, leaf: bytes, proof: Sequence[bytes]) -> bool:
    """Whether `proof` shows that `leaf` (a hash) is leaf `index` of the tree with that root (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    node, last, hashed = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            return False
        if node % 2 or node == last:
            hashed = node_hash(sibling, hashed)
            while not node % 2 and node:
                node, last = node >> 1, last >> 1
        else:
            hashed = node_hash(hashed, sibling)
        node, last = node >> 1, last >> 1
    return last == 0 and hashed == root_hash


def is_consistent(first: int, first_root: bytes, second: int, second_root: bytes, proof: Sequence[bytes]) -> bool:
    """Whether `proof` shows that the second tree begins with the first (RFC 9162, 2.1.4.2)."""
    if not 0 < first <= second:
        return False
    if first == second:
        return not proof and first_root == second_root
    path = list(proof) if first & (first - 1) else [first_root, *proof]
    if not path:
        return False
    node, last = first - 1, second - 1
    while node % 2:
        node, last = node >> 1, last >> 1
    old = new = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        if node % 2 or node == last:
            old, new = node_hash(sibling, old), node_hash(sibling, new)
            while not node % 2 and node:
                node, last = node >> 1, last >> 1
        else:
            new = node_hash(new, sibling)
        node, last = node >> 1, last >> 1
    return last == 0 and old == first_root and new == second_root


def complete(leaves: Range) -> list[Node]:
    """The complete subtrees that a range is put together from, from left to right; the largest may begin at its start."""
    first, end = leaves
    found = []
    while first < end:
        level = (end - first).bit_length() - 1
        found.append((level, first >> level))
        first += 1 << level
    return found


def _siblings(index: int, size: int) -> Iterator[Range]:
    """The ranges beside the way from a leaf to the root, from the leaf up."""
    first, end, beside = 0, size, []
    while end - first > 1:
        middle = first + _split(end - first)
        if index < middle:
            beside.append((middle, end))
            end = middle
        else:
            beside.append((first, middle))
            first = middle
    return reversed(beside)


def _subproof(first: int, second: int) -> Iterator[Range]:
    """The ranges of a consistency proof, in its order."""
    start, end, beside, is_whole = 0, second, [], True
    while first != end:
        middle = start + _split(end - start)
        if first <= middle:
            beside.append((middle, end))
            end = middle
        else:
            beside.append((start, middle))
            start, is_whole = middle, False
    if not is_whole:
        beside.append((start, end))
    return reversed(beside)


def _split(width: int) -> int:
    """The largest power of two below `width`."""
    return 1 << ((width - 1).bit_length() - 1)


def _hashes(ranges: Sequence[Range], nodes: Nodes) -> list[bytes]:
    """The hash over each range, all nodes read at once."""
    parts = [complete(leaves) for leaves in ranges]
    known = nodes([node for part in parts for node in part])
    return [_folded(known[node] for node in part) for part in parts]


def _folded(hashes: Iterable[bytes]) -> bytes:
    """The hash over neighbouring complete subtrees, each smaller than the one before."""
    *left, folded = hashes
    for hashed in reversed(left):
        folded = node_hash(hashed, folded)
    return folded
