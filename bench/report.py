"""What a bench found, as a table for people and as a line of JSON for machines."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct


class Effort(Struct, frozen=True, kw_only=True):
    """How hard to measure.

    `rounds` of each measurement, of which the median counts; `requests` in a round over HTTP; `seconds` of processor time for
    a figure of one process; `games` of each pairing of bots, in `processes` processes.
    """

    rounds: int = 7
    requests: int = 960
    seconds: float = 4.0
    games: int = 200
    processes: int = 2


class Column(NamedTuple):
    """A column: the key of its values in a row, what stands above them, how they are formatted."""

    key: str
    heading: str
    form: str = ""


class Measured(Struct, frozen=True):
    """What a bench found. `rows` have a value for each column (None: there is none); `notes` say how to read them."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Mapping[str, Any]]
    notes: Sequence[str] = ()

    def table(self) -> str:
        """The rows as an aligned table, which is Markdown too; text to the left, numbers to the right."""
        cells = [[_text(row[column.key], column.form) for column in self.columns] for row in self.rows]
        widths = [
            max(len(column.heading), 3, *(len(row[place]) for row in cells))
            for place, column in enumerate(self.columns)
        ]
        numeric = [any(isinstance(row[column.key], (int, float)) for row in self.rows) for column in self.columns]
        rule = ["-" * (width - 1) + (":" if right else "-") for width, right in zip(widths, numeric, strict=True)]
        lines = [[column.heading for column in self.columns], rule, *cells]
        return "\n".join(_line(line, widths, numeric) for line in lines)

    def __str__(self) -> str:
        """Title, table and notes."""
        return "\n".join([f"## {self.title}", "", self.table(), "", *(f"- {note}" for note in self.notes)]).rstrip()


def _text(value: Any, form: str) -> str:
    return "-" if value is None else format(value, form)


def _line(cells: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    padded = (
        cell.rjust(width) if right else cell.ljust(width)
        for cell, width, right in zip(cells, widths, numeric, strict=True)
    )
    return f"| {' | '.join(padded)} |"
