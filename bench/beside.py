"""The service beside the bare endpoint, over HTTP, in turns: what disturbs the machine disturbs both."""

from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice
from statistics import median
from typing import Any

from bench.figures import percentile
from bench.load import Generator, Load, Plan, request
from bench.report import Column
from bench.servers import Served

CLIENTS = (1, 8, 32)
WARM_UP = 1600
"""Requests before anything is measured."""

COLUMNS = (
    Column("game", "game"),
    Column("clients", "clients"),
    Column("rate", "per second", ".0f"),
    Column("p50", "p50 ms", ".2f"),
    Column("p99", "p99 ms", ".2f"),
    Column("bare_rate", "bare per second", ".0f"),
    Column("bare_p50", "bare p50 ms", ".2f"),
    Column("bare_p99", "bare p99 ms", ".2f"),
    Column("ratio", "ratio", ".2f"),
    Column("ratios", "from-to"),
    Column("processor", "CPU µs", ".0f"),
    Column("bare_processor", "bare CPU µs", ".0f"),
    Column("processor_ratio", "CPU ratio", ".2f"),
)
NOTES = (
    (
        "ratio: the rate of the bare endpoint over that of the service, the median over the rounds of both; from-to: its "
        "smallest and largest in a round. Rates and latencies are medians over the rounds."
    ),
    (
        "CPU: processor time for a request, web processes and store together, over all rounds. It hardly depends on what "
        "else the machine does, so its ratio is the steadier one."
    ),
    (
        "Both are served with the default settings (two processes) on the same embedded store; load generator, servers and "
        "store share the cores. Workers do not run meanwhile."
    ),
)

Make = Callable[[int], Plan]
"""Makes the plan of a round for so many clients."""


def beside(generator: Generator, ours: Make, bare: Make, clients: int, rounds: int) -> dict[str, Any]:
    """The figures of a row: so many rounds of either, who is first by turns."""
    loads: dict[Make, list[Load]] = {ours: [], bare: []}
    for number in range(rounds):
        plans = [(make, make(clients)) for make in (ours, bare)]
        for make, plan in reversed(plans) if number % 2 else plans:
            loads[make].append(generator.run(plan))
    ratios = [other.rate / own.rate for own, other in zip(loads[ours], loads[bare], strict=True)]
    used, bare_used = _processor(loads[ours]), _processor(loads[bare])
    return {
        "clients": clients,
        **_figures("", loads[ours]),
        **_figures("bare_", loads[bare]),
        "ratio": median(ratios),
        "ratios": f"{min(ratios):.2f}-{max(ratios):.2f}",
        "processor": used,
        "bare_processor": bare_used,
        "processor_ratio": used / bare_used if used and bare_used else None,
    }


def warm_up(generator: Generator, *servers: Served) -> None:
    """Let the threads of the servers open their connections."""
    for server in servers:
        asked = the_same(request("GET", "/readyz"), WARM_UP, max(CLIENTS))
        generator.run(Plan(server=server, status=200, clients=asked))


def dealt(requests: Iterator[bytes], count: int, clients: int) -> Sequence[Sequence[bytes]]:
    """The next `count` requests, dealt to the clients in packets that each get as many of."""
    each = count // clients
    return [list(islice(requests, each)) for _ in range(clients)]


def the_same(asked: bytes, count: int, clients: int) -> Sequence[Sequence[bytes]]:
    """One request, over and over."""
    return dealt(cycle([asked]), count, clients)


def _processor(loads: Sequence[Load]) -> float | None:
    """Microseconds of processor time for a request, over all rounds."""
    known = [(load.processor, len(load.latencies)) for load in loads if load.processor is not None]
    return 1e6 * sum(used for used, _ in known) / sum(count for _, count in known) if known else None


def _figures(prefix: str, loads: Sequence[Load]) -> dict[str, float]:
    return {
        f"{prefix}rate": median(load.rate for load in loads),
        f"{prefix}p50": 1000 * median(percentile(load.latencies, 0.5) for load in loads),
        f"{prefix}p99": 1000 * median(percentile(load.latencies, 0.99) for load in loads),
    }
