"""Hierarchies as CSV files in the format of ARX: one row a value, one column a level, no header.

The first column is the value, the next its label on level 1, and so on. An empty first cell is the missing value. It is
a file for exchange between programs: cells are written as they are, also those that a spreadsheet takes for a formula.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

import numpy as np

from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies.builders import from_labels
from anonlib.coarsening.hierarchies.hierarchy import Hierarchy
from anonlib.reading.sources.encodings import utf8_text

DELIMITERS = (";", "\t", ",")
"""What may stand between cells: ARX's own first."""
MOST_BYTES = 50_000_000
MOST_LEVELS = 50


def from_csv(data: bytes | str, *, delimiter: str | None = None, top: bool = True) -> Hierarchy:
    r"""Read a hierarchy from a file of the ARX tool: one row a value, one column a level.

    Parameters
    ----------
    data : bytes | str
        The file.
    delimiter : str, optional
        Found out when left out.
    top : bool, default True
        Whether a last column of one label for all rows becomes the level of everything together, which also takes
        missing values and values the file does not name; if there is none, that level is added.

    Returns
    -------
    Hierarchy

    Raises
    ------
    InputError
        For an empty or too large file, a row with too few or too many cells, a value that is named twice, or levels
        that are not nested.

    Examples
    --------
    >>> from_csv("34;30-39;*\n36;30-39;*\n52;50-59;*\n").on(["34", "36", "52"]).label(1).tolist()
    ['30-39', '30-39', '50-59']
    """
    rows = _rows(data, delimiter)
    width = len(rows[0])
    if width > MOST_LEVELS:
        raise InputError(
            f"The hierarchy has {width:,} columns; at most {MOST_LEVELS} levels can be used.",
            code="hierarchy-too-large",
        )
    for number, row in enumerate(rows, start=1):
        if len(row) != width:
            raise InputError(
                f"Row {number:,} of the hierarchy has {len(row)} cells, the first row has {width}. Give every row a "
                "label on each level.",
                code="hierarchy-file-wrong",
            )
    if width == 1:
        raise InputError(
            "The hierarchy has a single column. Each row needs a value and its label on each level, with semicolons, "
            "commas or tabs between.",
            code="hierarchy-file-wrong",
        )
    values = [row[0] or None for row in rows]
    first: dict[str | None, int] = {}
    for number, value in enumerate(values, start=1):
        if first.setdefault(value, number) != number:
            what = "the missing value (an empty first cell)" if value is None else "the value"
            raise InputError(
                f"Row {number:,} of the hierarchy repeats {what} of row {first[value]:,}. Name each value once.",
                code="hierarchy-names-value-twice",
            )
    return from_labels(values, [[row[level] for row in rows] for level in range(1, width)], top=top)


def to_csv(hierarchy: Hierarchy, values: Iterable[str | None]) -> str:
    """The labels of a hierarchy for some values, as :func:`from_csv` reads them back.

    Parameters
    ----------
    hierarchy : Hierarchy
        The levels.
    values : Iterable[str | None]
        Distinct values of a column (None = missing).

    Returns
    -------
    str
        Semicolons between cells, a line feed after each row.

    Raises
    ------
    InputError
        For values that do not fit the hierarchy, and for an empty text, which the format cannot tell from a missing
        value.
    """
    leaves = [*values]
    if "" in leaves:
        raise InputError(
            "A value is an empty text, which this format cannot tell from a missing one. Mark it as missing first.",
            code="value-is-empty",
        )
    levels = hierarchy.on(leaves)
    columns = [levels.label(level) for level in range(levels.n_levels)]
    return "".join(";".join(map(_cell, row)) + "\n" for row in zip(*columns, strict=True))


def _cell(text: str | None) -> str:
    if text is None:
        return ""
    # The first row may begin with what looks like a byte order mark.
    plain = not any(mark in text for mark in ';"\r\n\ufeff')
    return text if plain else '"' + text.replace('"', '""') + '"'


def _rows(data: bytes | str, delimiter: str | None) -> list[list[str]]:
    if len(data) > MOST_BYTES:
        raise InputError(
            f"The hierarchy file is larger than {MOST_BYTES // 1_000_000} MB. Name fewer values.",
            code="hierarchy-too-large",
        )
    text = data if isinstance(data, str) else utf8_text(data)[0].decode("utf-8")
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise InputError("The hierarchy file is empty.", code="file-is-empty")
    if delimiter is not None:
        return _parsed(text, delimiter)
    candidates = [_parsed(text, mark) for mark in DELIMITERS]
    regular = [rows for rows in candidates if len(rows[0]) > 1 and len({len(row) for row in rows}) == 1]
    # Of files that fit no delimiter, the row to name is that of the one which is found in most rows.
    return regular[0] if regular else max(candidates, key=lambda rows: np.mean([len(row) > 1 for row in rows]))


def _parsed(text: str, delimiter: str) -> list[list[str]]:
    """Rows of cells; lines without any are passed over."""
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]
    except (csv.Error, TypeError):
        raise InputError(
            "The hierarchy file cannot be read as a CSV file. Check its quotes and line ends.", code="file-damaged"
        ) from None
    if not rows:
        raise InputError("The hierarchy file is empty.", code="file-is-empty")
    return rows
