"""What lets everybody check the service itself: its public keys, and the log of all finished games with its proofs."""

import base64
from collections.abc import Iterable, Sequence

from flask import Blueprint, Response
from msgspec import Struct

from events.errors import NotFound
from events.transparency import Entry, Head
from service.answers import JSON, answer, encoded, not_modified, tag
from service.callers import caller
from service.games import seen
from service.incoming import BadParameter, knows_already, read_query
from service.schemas import ConsistencyQuerySchema, EntriesQuerySchema, InclusionQuerySchema, NoQuerySchema
from service.services import services

blueprint = Blueprint("trust", __name__)

NO_QUERY = NoQuerySchema()
INCLUSION_QUERY = InclusionQuerySchema()
CONSISTENCY_QUERY = ConsistencyQuerySchema()
ENTRIES_QUERY = EntriesQuerySchema()


class TreeHead(Struct, frozen=True):
    """The log of finished games as it stands: how many there are, the root of the Merkle tree (base64), both signed."""

    size: int
    root: str
    checkpoint: str | None


class Inclusion(Struct, frozen=True):
    """The proof that a game is in the tree of `size` games, as leaf `index`: the hash of the canonical JSON of `entry`.

    `path` are the hashes beside the way to the root, from the leaf up (RFC 9162, 2.1.3). Hashes are in base64.
    """

    index: int
    size: int
    entry: Entry
    path: Sequence[str]
    root: str
    checkpoint: str | None


class Consistency(
    Struct, frozen=True, rename={"start": "from", "end": "to", "start_root": "from_root", "end_root": "to_root"}
):
    """The proof that the tree of `to` games begins with that of `from` (RFC 9162, 2.1.4). Hashes are in base64."""

    start: int
    end: int
    start_root: str
    end_root: str
    path: Sequence[str]


class Entries(Struct, frozen=True):
    """Entries in order; the first has the index asked for. `next` is the `after` of the next page, null at the end."""

    items: Sequence[Entry]
    next: int | None


@blueprint.get("/.well-known/annales-keys")
def keys() -> Response:
    """The public keys of this service, the newest first."""
    read_query(NO_QUERY)
    body = encoded(services().ring.published())
    return Response(body, headers={"Cache-Control": "public, max-age=300"}, content_type=JSON)


@blueprint.get("/v1/log")
def head() -> Response:
    """The tree as it stands."""
    caller()
    read_query(NO_QUERY)
    found = services().log.head()
    etag = tag(found.size)
    if knows_already(etag):
        return not_modified(etag)
    told = TreeHead(size=found.size, root=_encoded(found.root), checkpoint=_signed(found))
    return answer(encoded(told), headers={"ETag": etag})


@blueprint.get("/v1/log/inclusion")
def inclusion() -> Response:
    """The proof that a game is in the tree."""
    reader = caller()
    query = read_query(INCLUSION_QUERY)
    log = services().log
    game = seen(query["game"], reader).id
    index = log.index(game)
    if index is None:
        raise NotFound("game in the log")
    size = _size("size", query["size"], log.head().size)
    if index >= size:
        says = "The game came in later: ask for a size above {index}."
        raise BadParameter("size", says, index=index)
    then = Head(size, log.root(size))
    told = Inclusion(
        index=index,
        size=size,
        entry=log.entries(index, 1)[0],
        path=_all_encoded(log.inclusion_proof(index, size)),
        root=_encoded(then.root),
        checkpoint=_signed(then),
    )
    return answer(encoded(told))


@blueprint.get("/v1/log/consistency")
def consistency() -> Response:
    """The proof that a later tree begins with an earlier one."""
    caller()
    query = read_query(CONSISTENCY_QUERY)
    log = services().log
    end = _size("to", query["end"], log.head().size)
    start = _size("from", query["start"], end)
    told = Consistency(
        start=start,
        end=end,
        start_root=_encoded(log.root(start)),
        end_root=_encoded(log.root(end)),
        path=_all_encoded(log.consistency_proof(start, end)),
    )
    return answer(encoded(told))


@blueprint.get("/v1/log/entries")
def entries() -> Response:
    """The entries of the tree, so that anybody can make it again."""
    caller()
    query = read_query(ENTRIES_QUERY)
    log = services().log
    after, limit = query["after"], query["limit"]
    items = log.entries(after, limit)
    following = after + limit if len(items) == limit and after + limit < log.head().size else None
    return answer(encoded(Entries(items=items, next=following)))


def _size(parameter: str, asked: int | None, largest: int) -> int:
    """The size of a tree that is asked for. Raises BadParameter for one that there has not been."""
    size = largest if asked is None else asked
    if not 0 < size <= largest:
        raise BadParameter(parameter, "There are trees of 1 to {largest} games to ask for.", largest=largest)
    return size


def _signed(found: Head) -> str | None:
    signer = services().ring.signer
    return signer.signed(found.text(signer.name)) if signer else None


def _encoded(hashed: bytes) -> str:
    return base64.b64encode(hashed).decode()


def _all_encoded(hashes: Iterable[bytes]) -> list[str]:
    return [_encoded(hashed) for hashed in hashes]
