"""Excel workbooks, read as stored: text as text, numbers in full, dates as ISO, formulas by their stored result."""

from __future__ import annotations

import datetime
import io
import re
import warnings
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import openpyxl
import pandas as pd
from openpyxl.utils import get_column_letter

from anonlib.errors import InputError
from anonlib.sources.footers import Footer, find_footer
from anonlib.sources.layout import NO_RECORDS, Row, find_layout, left_out
from anonlib.sources.names import check_width, column_names
from anonlib.sources.numerals import digits_as_shown, moment_text, number_text
from anonlib.sources.reading import (
    MOST_LEFT_OUT,
    Column,
    LeftOut,
    Limits,
    Reading,
    ReadOptions,
    check_cells,
    finished_frame,
    listed,
)

# openpyxl warns with the value of a cell whose date is out of range; such warnings would reach logs.
warnings.filterwarnings("ignore", module=r"openpyxl(\..*)?")

_UNPACKED = 4  # times the size limit of a file
_BOMB_SIZE, _BOMB_RATIO = 50_000_000, 400
_STRAY_CELLS = 10
_ROWS = 1_048_576
_ROW_GAP, _COLUMN_GAP = 100, 50
_NO_RESULT = re.compile(rb"</f>\s*(?:<v\s*/>|<v>\s*</v>)?\s*</c>|<f[^<>]*/>\s*(?:<v\s*/>|<v>\s*</v>)?\s*</c>")
_DAMAGED = "This Excel workbook is damaged or uses features that cannot be read. Save it again as .xlsx or CSV."


def read_workbook(
    data: bytes, options: ReadOptions, limits: Limits, *, macros: bool = False
) -> tuple[pd.DataFrame, Reading]:
    """Reads one worksheet. Nothing in the workbook is run: macros, links and formulas stay untouched.

    Raises InputError for a damaged or oversized workbook, an unknown sheet, or cells far from the table.
    """
    _check_archive(data, limits)
    try:
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        sheets = [sheet.title for sheet in book.worksheets]
    except Exception:
        raise InputError(_DAMAGED) from None
    try:
        sheet, grid, notes = _chosen_sheet(book, sheets, options.sheet, limits)
        member = getattr(book[sheet], "_worksheet_path", "")
    finally:
        book.close()
    if macros:
        notes.append("The workbook holds macros; they were not run.")
    unsaved = _formulas_without_result(data, member)
    if unsaved:
        notes.append(
            f"{unsaved:,} formula cell(s) hold no stored result and are read as missing. "
            "Open the workbook in a spreadsheet program, save it, and load it again."
        )
    frame, table = _table(grid, options, limits)
    return frame, Reading(
        format="Excel workbook",
        header=table.header,
        skip_rows=table.skip_rows,
        skip_footer=table.skip_footer,
        sheet=sheet,
        sheets=tuple(sheets),
        notes=(*notes, *grid.notes, *table.notes),
        left_out=table.left_out,
    )


@dataclass
class _Grid:
    """Rows that hold anything, with their row number; each is cut after its last filled cell."""

    rows: list[tuple[int, list[str]]]
    notes: list[str]


def _check_archive(data: bytes, limits: Limits) -> None:
    """Looks at the sizes in the archive's directory, and for XML that defines entities, before anything is unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            total = sum(member.file_size for member in members)
            bomb = any(m.file_size > _BOMB_SIZE and m.file_size > _BOMB_RATIO * m.compress_size for m in members)
            if total > _UNPACKED * limits.bytes or bomb or len(members) > 10_000:
                raise InputError(
                    f"This workbook unpacks to {total / 1e6:,.0f} MB, more than is read into memory. "
                    "Save the one sheet you need as CSV and open that."
                )
            for member in members:
                if member.filename.lower().endswith((".xml", ".rels")):
                    with archive.open(member) as opened:
                        start = opened.read(2048).replace(b"\0", b"")
                    if b"<!DOCTYPE" in start or b"<!ENTITY" in start:
                        raise InputError(
                            "This workbook defines its own XML entities, which no spreadsheet does. It was not opened."
                        )
    except InputError:
        raise
    except Exception:
        raise InputError(_DAMAGED) from None


def _chosen_sheet(book, sheets: list[str], wanted: str | None, limits: Limits) -> tuple[str, _Grid, list[str]]:
    """The worksheet asked for, or else the first visible one that holds anything."""
    if not sheets:
        raise InputError("This workbook holds no worksheet. Save the table in a worksheet and load it again.")
    if wanted is not None:
        if wanted not in sheets:
            raise InputError("The workbook has no sheet of that name. Choose one of its sheets.")
        grid = _grid(book[wanted], limits)
        if not grid.rows:
            raise InputError("That sheet is empty. Choose another sheet.")
        return wanted, grid, []
    visible = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
    for sheet in visible or book.worksheets:
        grid = _grid(sheet, limits)
        if grid.rows:
            hidden = len(sheets) - len(visible)
            more = f"The workbook has {len(sheets):,} sheets; the first one with a table was read."
            more += f" {hidden:,} of them hidden." if hidden else ""
            return sheet.title, grid, [more] if len(sheets) > 1 else []
    raise InputError("Every sheet of this workbook is empty. Export it again.")


def _grid(sheet, limits: Limits) -> _Grid:
    """The filled rows of a sheet; a few cells far from all others are left out and named."""
    rows: list[tuple[int, list[str]]] = []
    stray: list[str] = []
    shared: dict[str, str] = {}
    filled = 0
    try:
        # The stated dimension may be wrong, or end at XFD1048576: rows are taken as they come.
        sheet.reset_dimensions()
        for number, cells in enumerate(sheet.iter_rows(), start=1):
            if number > _ROWS:
                raise InputError(_DAMAGED)
            if not cells:
                continue
            if len(cells) > limits.columns:
                stray += [f"{get_column_letter(i + 1)}{number}" for i in _filled_places(cells) if i >= limits.columns]
                if len(stray) > _STRAY_CELLS:
                    check_width(len(cells), limits)
                cells = cells[: limits.columns]
            texts = [cell_text(cell) for cell in cells]
            while texts and not texts[-1]:
                texts.pop()
            if texts:
                rows.append((number, [shared.setdefault(text, text) for text in texts]))
                filled += len(texts)
                check_cells(filled, 1, limits)
    except InputError:
        raise
    except Exception:
        raise InputError(_DAMAGED) from None
    rows, far = _without_far_rows(rows)
    rows, wide = _without_far_columns(rows)
    stray += far + wide
    if len(stray) > _STRAY_CELLS:
        raise InputError(
            f"The sheet has {len(stray):,} filled cells far from its table, the first at {stray[0]}. "
            "Move or delete them, or save the table alone as CSV."
        )
    notes = [f"Far from the table, cell {listed(stray)} was left out."] if stray else []
    return _Grid(rows, notes)


def _filled_places(cells: Iterable) -> list[int]:
    return [i for i, cell in enumerate(cells) if cell.value is not None]


def _without_far_rows(rows: list[tuple[int, list[str]]]) -> tuple[list[tuple[int, list[str]]], list[str]]:
    gap = next((i for i in range(1, len(rows)) if rows[i][0] - rows[i - 1][0] > _ROW_GAP), len(rows))
    far = [
        f"{get_column_letter(i + 1)}{number}"
        for number, texts in rows[gap : gap + 1000]
        for i, text in enumerate(texts)
        if text
    ]
    return rows[:gap], far


def _without_far_columns(rows: list[tuple[int, list[str]]]) -> tuple[list[tuple[int, list[str]]], list[str]]:
    used = sorted({i for _, texts in rows for i in range(len(texts)) if texts[i]}) if rows else []
    edge = next((a + 1 for a, b in pairwise(used) if b - a > _COLUMN_GAP), None)
    if edge is None:
        return rows, []
    far = [f"{get_column_letter(i + 1)}{n}" for n, texts in rows for i in range(edge, len(texts)) if texts[i]]
    return [(n, texts[:edge]) for n, texts in rows if any(texts[:edge])], far


def cell_text(cell) -> str:
    """The text of a cell: as stored; leading zeros that its number format shows; dates and times as ISO."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, float)):
        return digits_as_shown(value, cell.number_format) or number_text(value)
    if isinstance(value, datetime.timedelta):
        seconds = round(value.total_seconds())
        return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return moment_text(value) if isinstance(value, (datetime.date, datetime.time)) else str(value)


@dataclass(frozen=True)
class _Table:
    header: bool
    skip_rows: int
    skip_footer: int
    notes: list[str]
    left_out: tuple[LeftOut, ...]


def _table(grid: _Grid, options: ReadOptions, limits: Limits) -> tuple[pd.DataFrame, _Table]:
    width = max(len(texts) for _, texts in grid.rows)
    check_width(width, limits)
    rows = [Row(number, texts + [""] * (width - len(texts))) for number, texts in grid.rows]
    layout = find_layout(rows[:1000], options.header, options.skip_rows, unit="row")
    names, name_notes = column_names(layout.names, width, limits)
    records = [row for row in rows if row.line >= layout.first_record]
    if options.keep_lines or options.skip_footer is not None:
        footer = Footer(0 if options.keep_lines else options.skip_footer or 0)
    else:
        footer = _footer(records, width)
    last_row = rows[-1].line - footer.length
    body = [row for row in records if row.line <= last_row]
    if not body:
        raise InputError(NO_RECORDS)
    columns = [
        _encoded(name, values)
        for name, values in zip(names, zip(*(row.cells for row in body), strict=True), strict=True)
    ]
    notes = [*layout.notes, *name_notes]
    if footer.length and options.skip_footer is None:
        notes.append(f"The last {footer.length:,} row(s) (totals or notes below the table) were left out.")
    if footer.doubtful is not None:
        notes.append(
            f"Row {footer.doubtful:,} may be a total or a note below the table; it was kept as a record. "
            "If it is no record, choose how many lines to skip below."
        )
    blank = body[-1].line - layout.first_record + 1 - len(body)
    if blank:
        notes.append(f"{blank:,} blank row(s) were left out.")
    rounded = [
        i + 1
        for i, column in enumerate(columns)
        if any(len(v) > 15 and v.isdigit() and v.endswith("0") for v in column.values)
    ]
    if rounded:
        notes.append(f"Spreadsheets round numbers of more than 15 digits: check the ids in column {listed(rounded)}.")
    frame, edge_notes = finished_frame(columns, len(body), named=[bool(cell.strip()) for cell in layout.names])
    below = [left_out(row, "below the table") for row in records if row.line > last_row]
    gone = (*layout.above, *below)[:MOST_LEFT_OUT]
    return frame, _Table(layout.header, layout.skip_rows, footer.length, [*notes, *edge_notes], gone)


def _footer(rows: Sequence[Row], width: int) -> Footer:
    """Which rows at the end of a sheet, blank ones included, are totals or notes."""
    tail: list[Row] = []
    for row in rows[-40:]:
        if tail and row.line - tail[-1].line > 1:
            tail.append(Row(row.line - 1, []))
        tail.append(row)
    footer = find_footer(tail, [row.cells for row in rows[:-40]], width, all_seen=True)
    return replace(footer, length=tail[-1].line - tail[-footer.length].line + 1 if footer.length else 0)


def _encoded(name: str, values: Sequence[str]) -> Column:
    index: dict[str, int] = {}
    codes = np.fromiter((index.setdefault(value, len(index)) for value in values), np.int32, len(values))
    return Column(name, codes, list(index))


def _formulas_without_result(data: bytes, member: str) -> int:
    """How many formula cells of a sheet hold no stored result (written by programs that do not calculate)."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            xml = archive.read(member)
    except Exception:
        return 0
    return sum(1 for _ in _NO_RESULT.finditer(xml)) if b"<f" in xml else 0
