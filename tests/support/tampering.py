"""What somebody might do to an export: changes of its lines, and forgeries that hide them by chaining everything anew."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from domain.canonical import canonical
from events import audit, envelope
from events.envelope import Envelope
from events.signing import Checkpoint, KeyRing
from tests.support.logged import rechained

Data = dict[str, Any]


def export(log: Sequence[Envelope], ring: KeyRing | None = None, seats: Sequence[int] | None = None) -> bytes:
    """The export of a log, signed when there is a ring, as the holder of `seats` may read it (None: all of it)."""
    last = log[-1]
    checkpoint = Checkpoint(game=last.game, version=last.version, head=last.digest)
    shown = log if seats is None else [envelope.redacted(event, seats) for event in log]
    lines = [audit.header_line(last.game, ring.signed(checkpoint) if ring else None), *map(envelope.encode, shown)]
    return b"".join(line + b"\n" for line in lines)


def with_header(whole: bytes, forged: Sequence[Envelope]) -> bytes:
    """A forged log under the header of the true one."""
    header = whole.split(b"\n", 1)[0]
    return b"".join(line + b"\n" for line in [header, *map(envelope.encode, forged)])


def line_changed(whole: bytes, number: int, change: Callable[[bytes], bytes]) -> bytes:
    """The export with line `number` (the header is 0, an event's line its version) changed."""
    lines = whole.split(b"\n")
    lines[number] = change(lines[number])
    return b"\n".join(lines)


def data_forged(log: Sequence[Envelope], version: int, change: Callable[[Data], Data]) -> list[Envelope]:
    """The log with other public data in one event, chained anew."""
    return rechained([_with_data(event, change) if event.version == version else event for event in log])


def part_forged(log: Sequence[Envelope], version: int, change: Callable[[Data], Data]) -> list[Envelope]:
    """The log with other data in the first private part of one event, chained anew."""
    return rechained([_with_part(event, change) if event.version == version else event for event in log])


def version_of(log: Sequence[Envelope], type_name: str) -> int:
    """The version of the first event of that type."""
    return next(event.version for event in log if event.type == type_name)


def swapped(shuffle: Data) -> Data:
    """A shuffle with two different items of its order changed round."""
    order = list(shuffle["order"])
    other = next(place for place, item in enumerate(order) if item != order[0])
    order[0], order[other] = order[other], order[0]
    return {**shuffle, "order": order}


def _with_data(event: Envelope, change: Callable[[Data], Data]) -> Envelope:
    return replace(event, data=Raw(canonical(change(msgspec.json.decode(event.data)))))


def _with_part(event: Envelope, change: Callable[[Data], Data]) -> Envelope:
    first, *others = event.private
    changed = replace(first, data=Raw(canonical(change(first.read()))))
    return replace(event, private=(changed, *others))
