"""A row of a file while it is not yet known whether it is a record, and one that is none."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from anonlib.reading.sources.reading import LeftOut

__all__ = ["LeftOut", "Row", "left_out"]


@dataclass(frozen=True)
class Row:
    """A row, the line it begins in (or its row number in a sheet), counted from 1, and the line it ends in.

    A blank line has no cells.
    """

    line: int
    cells: list[str]
    last_line: int = 0

    @cached_property
    def filled(self) -> int:
        """How many cells hold more than blanks."""
        return sum(1 for cell in self.cells if cell.strip())


def left_out(row: Row, place: str) -> LeftOut:
    """A row as a line that is not among the records."""
    return LeftOut(row.line, place, " · ".join(cell.strip() for cell in row.cells if cell.strip()))
