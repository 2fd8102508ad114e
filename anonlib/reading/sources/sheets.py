"""Rows of a worksheet as a table, whatever program wrote them: far-off cells, header, notes and totals below.

First comes what a sheet does not show, and cells that it shows over several rows: they are read like the others, and
named. Then the rows become a table. At the end is what the readers of workbooks give: the names of the sheets, and the
rows of each as texts.
"""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pandas as pd

from anonlib.basics.errors import InputError
from anonlib.basics.words import count, listed, quoted
from anonlib.reading.sources.cell_texts import digits_as_shown, moment_text, number_text
from anonlib.reading.sources.footers import Footer, find_footer
from anonlib.reading.sources.headers import BETWEEN_RECORDS, Row, left_out, repeated_names_in_words
from anonlib.reading.sources.layout import NO_RECORDS, find_layout
from anonlib.reading.sources.names import check_width, column_names
from anonlib.reading.sources.reading import (
    MOST_LEFT_OUT,
    CodedColumn,
    Limits,
    Reading,
    ReadOptions,
    check_cells,
    finished_frame,
)

_ROW = re.compile(rb"<(?:\w+:)?row\b([^>]*)>")
_COLUMN = re.compile(rb"<(?:\w+:)?col\b([^>]*)>")
_MERGED = re.compile(rb"<(?:\w+:)?mergeCell\b[^>]*\bref\s*=\s*[\"']([A-Z]+)(\d+):([A-Z]+)(\d+)[\"']")
_ATTRIBUTE = re.compile(rb"\b(r|min|max|hidden|width|ht)\s*=\s*[\"']([^\"']*)[\"']")
_MOST_COLUMNS = 16_384


@dataclass(frozen=True)
class HiddenOnSheet:
    """What a sheet does not show as cells of their own.

    Attributes
    ----------
    rows : frozenset[int], default frozenset()
        The hidden rows, counted from 1.
    columns : frozenset[int], default frozenset()
        The hidden columns, counted from 1.
    merged : tuple[tuple[int, int], ...], default ()
        Cells that reach over several rows: the first column of each, counted from 1, and over how many rows.
    """

    rows: frozenset[int] = frozenset()
    columns: frozenset[int] = frozenset()
    merged: tuple[tuple[int, int], ...] = ()

    def notes(self, records: Sequence[int], names: Sequence[str]) -> list[str]:
        """Sentences on what is hidden or merged among the records of a table.

        Parameters
        ----------
        records : Sequence[int]
            The rows of the sheet that the records stand in, counted from 1.
        names : Sequence[str]
            The names of the columns.
        """
        notes = []
        rows = [row for row in records if row in self.rows]
        if rows:
            notes.append(
                f"Hidden in the workbook and read like the others: {count(len(rows), 'rows')}, {listed(rows)}. If they "
                "are not to be used, delete them from the sheet and load it again."
            )
        columns = [names[column - 1] for column in sorted(self.columns) if column <= len(names)]
        if columns:
            notes.append(
                f"Hidden in the workbook and read like the others: column {quoted(columns)}. It leaves unless it is "
                "dropped."
                if len(columns) == 1
                else f"Hidden in the workbook and read like the others: columns {quoted(columns)}. They leave unless "
                "they are dropped."
            )
        merged = Counter(column for column, _ in self.merged if column <= len(names))
        if merged and records:
            which = quoted([names[column - 1] for column in sorted(merged)])
            notes.append(
                f"In {which}, {count(sum(merged.values()), 'cells')} of the workbook reach over several rows; each "
                "gives its value to the first of them, and the others are blank."
            )
        return notes


NOTHING = HiddenOnSheet()
"""Nothing is hidden or merged."""


def hidden_in_xml(xml: bytes) -> HiddenOnSheet:
    """What is hidden or merged in a sheet of an Excel workbook, by its XML."""
    rows, columns = set[int](), set[int]()
    number = 0
    for tag in _ROW.finditer(xml):
        about: dict[bytes, bytes] = dict(_ATTRIBUTE.findall(tag[1]))
        number = int(about[b"r"]) if b"r" in about else number + 1  # a row that names no number follows the one before
        if _is_hidden(about, b"ht"):
            rows.add(number)
    for tag in _COLUMN.finditer(xml):
        about = dict(_ATTRIBUTE.findall(tag[1]))
        if _is_hidden(about, b"width") and b"min" in about:
            first, last = int(about[b"min"]), int(about.get(b"max", about[b"min"]))
            columns.update(range(first, min(last, _MOST_COLUMNS) + 1))
    merged = [
        (_column(begin), int(last) - int(first) + 1) for begin, first, _, last in _MERGED.findall(xml) if first != last
    ]
    return HiddenOnSheet(frozenset(rows), frozenset(columns), tuple(merged))


def _is_hidden(about: dict[bytes, bytes], size: bytes) -> bool:
    if about.get(b"hidden", b"0") in (b"1", b"true"):
        return True
    return size in about and about[size].strip(b"0.") == b""


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + letter - ord("A") + 1
    return number


_STRAY_CELLS = 10
_ROWS = 1_048_576
_ROW_GAP, _COLUMN_GAP = 100, 50


@dataclass
class FilledRows:
    """Rows that hold anything, each cut after its last filled cell.

    Attributes
    ----------
    rows : list[tuple[int, list[str]]]
        Row number, counted from 1, and the texts of its cells from the first column on.
    notes : list[str]
        Sentences on cells that were left out.
    """

    rows: list[tuple[int, list[str]]]
    notes: list[str]


def filled_grid(rows: Iterable[tuple[int, list[str]]], limits: Limits) -> FilledRows:
    """The filled rows of a sheet; a few cells far from all others are left out and named.

    Parameters
    ----------
    rows : Iterable[tuple[int, list[str]]]
        Row numbers, counted from 1 and rising, with the texts of their cells; blank rows may be left out.
    limits : Limits
        How much one source may hold.

    Raises
    ------
    InputError
        When the sheet has too many cells, or many of them far from the table.
    ValueError
        When there are more rows than a sheet can have.
    """
    filled_rows: list[tuple[int, list[str]]] = []
    stray: list[str] = []
    shared: dict[str, str] = {}
    filled = 0
    for number, texts in rows:
        if number > _ROWS:
            raise ValueError("more rows than a sheet has")
        if len(texts) > limits.columns:
            stray += [cell_name(number, i) for i in range(limits.columns, len(texts)) if texts[i]]
            if len(stray) > _STRAY_CELLS:
                check_width(len(texts), limits)
            texts = texts[: limits.columns]
        while texts and not texts[-1]:
            texts.pop()
        if texts:
            filled_rows.append((number, [shared.setdefault(text, text) for text in texts]))
            filled += len(texts)
            check_cells(filled, 1, limits)
    filled_rows, far = _without_far_rows(filled_rows)
    filled_rows, wide = _without_far_columns(filled_rows)
    stray += far + wide
    if len(stray) > _STRAY_CELLS:
        raise InputError(
            f"The sheet has {len(stray):,} filled cells far from its table, the first at {stray[0]}. "
            "Move or delete them, or save the table alone as CSV.",
            code="cells-far-apart",
        )
    return FilledRows(filled_rows, [f"Far from the table, cell {listed(stray)} was left out."] if stray else [])


def cell_name(row: int, column: int) -> str:
    """What a spreadsheet calls a cell: the row counts from 1, the column from 0.

    >>> cell_name(7, 0), cell_name(1, 26), cell_name(1048576, 16383)
    ('A7', 'AA1', 'XFD1048576')
    """
    letters, column = "", column + 1
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row}"


def _without_far_rows(rows: list[tuple[int, list[str]]]) -> tuple[list[tuple[int, list[str]]], list[str]]:
    gap = next((i for i in range(1, len(rows)) if rows[i][0] - rows[i - 1][0] > _ROW_GAP), len(rows))
    below = rows[gap : gap + 1000]
    return rows[:gap], [cell_name(number, i) for number, texts in below for i, text in enumerate(texts) if text]


def _without_far_columns(rows: list[tuple[int, list[str]]]) -> tuple[list[tuple[int, list[str]]], list[str]]:
    used = sorted({i for _, texts in rows for i in range(len(texts)) if texts[i]}) if rows else []
    edge = next((a + 1 for a, b in pairwise(used) if b - a > _COLUMN_GAP), None)
    if edge is None:
        return rows, []
    far = [cell_name(number, i) for number, texts in rows for i in range(edge, len(texts)) if texts[i]]
    return [(number, texts[:edge]) for number, texts in rows if any(texts[:edge])], far


def sheet_table(
    grid: FilledRows, options: ReadOptions, limits: Limits, hidden: HiddenOnSheet = NOTHING
) -> tuple[pd.DataFrame, Reading]:
    """The table of a sheet, and how it was read; the caller adds what it knows of the workbook.

    Raises
    ------
    InputError
        When there is no table in the sheet, or it has too many columns.
    """
    width = max(len(texts) for _, texts in grid.rows)
    check_width(width, limits)
    rows = [Row(number, texts + [""] * (width - len(texts))) for number, texts in grid.rows]
    layout = find_layout(rows[:1000], options.header, options.skip_rows, units="rows", keep_lines=options.keep_lines)
    names, name_notes = column_names(layout.names, width, limits)
    records = [row for row in rows if row.line >= layout.first_record]
    if options.keep_lines or options.skip_footer is not None:
        footer = Footer(0 if options.keep_lines else options.skip_footer or 0)
    else:
        footer = _footer(records, width, layout.names)
    last_row = rows[-1].line - footer.length
    body = [row for row in records if row.line <= last_row]
    repeated = [] if options.keep_lines else _repeated(layout.names, body)
    body = [row for row in body if row not in repeated] if repeated else body
    if not body:
        raise InputError(NO_RECORDS, code="file-without-records")
    every_row = np.arange(len(body))
    columns = [
        CodedColumn.of_texts(name, every_row, values)
        for name, values in zip(names, zip(*(row.cells for row in body), strict=True), strict=True)
    ]
    notes = [*grid.notes, *layout.notes, *name_notes]
    if options.skip_footer is None:
        notes += footer.notes("rows")
    if repeated:
        notes.append(repeated_names_in_words([row.line for row in repeated], "rows"))
    notes += hidden.notes([row.line for row in body], names)
    blank = body[-1].line - layout.first_record + 1 - len(body) - sum(row.line < body[-1].line for row in repeated)
    if blank:
        notes.append(f"Left out: {count(blank, 'blank rows')}.")
    rounded = [
        i + 1
        for i, column in enumerate(columns)
        if any(len(v) > 15 and v.isdigit() and v.endswith("0") for v in column.values)
    ]
    if rounded:
        notes.append(f"Spreadsheets round numbers of more than 15 digits: check the ids in column {listed(rounded)}.")
    frame, edge_notes = finished_frame(columns, len(body), named=[bool(cell.strip()) for cell in layout.names])
    among = [left_out(row, BETWEEN_RECORDS) for row in repeated]
    below = [left_out(row, "below the table") for row in records if row.line > last_row]
    return frame, Reading(
        format="spreadsheet",
        header=layout.header,
        skip_rows=layout.skip_rows,
        skip_footer=footer.length,
        notes=(*notes, *edge_notes),
        left_out=(*layout.above, *layout.below_names, *among, *below)[:MOST_LEFT_OUT],
    )


def _repeated(names: Sequence[str], rows: Sequence[Row]) -> list[Row]:
    """The rows that only repeat the column names."""
    plain = [name.strip() for name in names]
    if sum(map(bool, plain)) < 2:
        return []
    return [row for row in rows if [cell.strip() for cell in row.cells] == plain]


def _footer(rows: Sequence[Row], width: int, names: Sequence[str]) -> Footer:
    """Which rows at the end of a sheet, blank ones included, are totals or notes."""
    tail: list[Row] = []
    for row in rows[-40:]:
        if tail and row.line - tail[-1].line > 1:
            tail.append(Row(row.line - 1, []))
        tail.append(row)
    footer = find_footer(tail, [row.cells for row in rows[:-40]], width, names=names, all_seen=True)
    return replace(footer, length=tail[-1].line - tail[-footer.length].line + 1 if footer.length else 0)


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
    hidden : Callable[[str], HiddenOnSheet], optional
        Sheet name -> its rows and columns that are not shown, and its merged cells.
    """

    sheets: Sequence[str]
    visible: Sequence[str]
    rows: Callable[[str], Iterator[tuple[int, list[str]]]]
    notes: Callable[[str], list[str]]
    hidden: Callable[[str], HiddenOnSheet] = lambda name: NOTHING


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
