"""What the readers of workbooks give: the names of the sheets, and the rows of each as texts."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from anonlib.reading.sources.hidden import NOTHING, Hidden
from anonlib.reading.sources.numerals import digits_as_shown, moment_text, number_text


@dataclass(frozen=True)
class Book:
    """An opened workbook.

    Attributes
    ----------
    sheets : Sequence[str]
        Names of all worksheets.
    visible : Sequence[str]
        Names of those that are not hidden.
    rows : Callable[[str], Iterator[tuple[int, list[str]]]]
        Sheet name -> its row numbers, counted from 1 and rising, with the texts of the cells from the first column on.
        Blank rows may be left out.
    notes : Callable[[str], list[str]]
        Sheet name -> sentences on what was assumed about it. No cell values.
    hidden : Callable[[str], Hidden], optional
        Sheet name -> its rows and columns that are not shown, and its merged cells.
    """

    sheets: Sequence[str]
    visible: Sequence[str]
    rows: Callable[[str], Iterator[tuple[int, list[str]]]]
    notes: Callable[[str], list[str]]
    hidden: Callable[[str], Hidden] = lambda name: NOTHING


def cell_text(value: object, number_format: str | None = None) -> str:
    """The text of a cell: as stored; leading zeros that its number format shows; dates and times as ISO.

    >>> cell_text(2138, "00000"), cell_text(True), cell_text(datetime.timedelta(hours=30))
    ('02138', 'TRUE', '30:00:00')
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, float)):
        return digits_as_shown(value, number_format) or number_text(value)
    if isinstance(value, datetime.timedelta):
        return duration_text(value.total_seconds())
    return moment_text(value) if isinstance(value, (datetime.date, datetime.time)) else str(value)


def duration_text(seconds: float) -> str:
    """A duration as hours, minutes and seconds."""
    whole = round(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
