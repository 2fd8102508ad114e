"""Workbooks, read as stored: text as text, numbers in full, dates as ISO, formulas by their stored result."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import openpyxl
import pandas as pd

from anonlib.basics.errors import InputError
from anonlib.basics.quiet import silence
from anonlib.basics.words import count, quoted
from anonlib.reading.sources.books import Book, cell_text
from anonlib.reading.sources.excel_binary import open_xls, open_xlsb
from anonlib.reading.sources.hidden import Hidden, hidden_in_xml
from anonlib.reading.sources.opendocument import open_ods
from anonlib.reading.sources.reading import Limits, Reading, ReadOptions
from anonlib.reading.sources.sheets import Grid, filled_grid, sheet_table

_UNPACKED = 4  # times the size limit of a file
_BOMB_SIZE, _BOMB_RATIO = 50_000_000, 400
_NO_RESULT = re.compile(rb"</f>\s*(?:<v\s*/>|<v>\s*</v>)?\s*</c>|<f[^<>]*/>\s*(?:<v\s*/>|<v>\s*</v>)?\s*</c>")
_FORMATS = {
    "xlsx": "Excel workbook",
    "xlsm": "Excel workbook",
    "xls": "Excel workbook (.xls)",
    "xlsb": "Excel workbook (.xlsb)",
    "ods": "OpenDocument spreadsheet",
}
WORKBOOKS = frozenset(_FORMATS)
"""The kinds of :func:`anonlib.reading.sources.sniff.kind_of` that are read here."""


def read_workbook(data: bytes, kind: str, options: ReadOptions, limits: Limits) -> tuple[pd.DataFrame, Reading]:
    """Read one worksheet. Nothing in the workbook is run: macros, links and formulas stay untouched.

    Parameters
    ----------
    data : bytes
        The bytes of the file.
    kind : str
        One of :data:`WORKBOOKS`.
    options : ReadOptions
        What to correct about how the sheet is read.
    limits : Limits
        How much one source may hold.

    Returns
    -------
    The table and how it was read.

    Raises
    ------
    InputError
        For a damaged, protected or oversized workbook, an unknown sheet, or many cells far from the table.
    """
    with _damage_in_words(kind):
        book = _opened(data, kind, limits)
        name, grid, notes = _chosen_sheet(book, options.sheet, limits)
        notes += book.notes(name)
        hidden = book.hidden(name)
    frame, reading = sheet_table(grid, options, limits, hidden)
    return frame, reading.of_sheet(_FORMATS[kind], name, book.sheets, notes)


def read_sheets(data: bytes, kind: str, limits: Limits) -> tuple[list[tuple[str, pd.DataFrame, Reading]], list[str]]:
    """Read every visible worksheet that holds a table; all where none is visible.

    Parameters
    ----------
    data : bytes
        The bytes of the file.
    kind : str
        One of :data:`WORKBOOKS`.
    limits : Limits
        How much one source may hold.

    Returns
    -------
    Name, table and reading of each, and sentences on the sheets that were left out.

    Raises
    ------
    InputError
        As :func:`read_workbook`; and when no sheet holds a table.
    """
    with _damage_in_words(kind):
        book = _opened(data, kind, limits)
        grids = {name: filled_grid(book.rows(name), limits) for name in book.visible or book.sheets}
        of_sheet = {name: book.notes(name) for name, grid in grids.items() if grid.rows}
        hidden_in = {name: book.hidden(name) for name in of_sheet}
    found, without, reasons = [], list[str](), list[InputError]()
    for name, notes in of_sheet.items():
        try:
            frame, reading = sheet_table(grids[name], ReadOptions(), limits, hidden_in[name])
        except InputError as error:
            without.append(name)
            reasons.append(error)
            continue
        found.append((name, frame, reading.of_sheet(_FORMATS[kind], name, book.sheets, notes)))
    if not found:
        raise (
            reasons[0]
            if reasons
            else InputError("Every sheet of this workbook is empty. Export it again.", code="file-without-records")
        )
    n_hidden = len(book.sheets) - len(grids)
    left_out = [f"Left out: {count(n_hidden, 'hidden sheets')} of the workbook."] if n_hidden else []
    if without:
        left_out.append(f"Left out, since no table was found in it: sheet {quoted(without)}.")
    return found, left_out


@contextmanager
def _damage_in_words(kind: str) -> Iterator[None]:
    """What a reader of workbooks raises, as one sentence."""
    try:
        yield
    except InputError:
        raise
    except (KeyboardInterrupt, SystemExit):
        raise
    except MemoryError:
        raise
    except BaseException:  # what the compiled reader of .xlsb raises is no Exception
        raise InputError(
            f"This {_FORMATS[kind]} is damaged, protected by a password or uses features that cannot be read. "
            "Save it as .xlsx or CSV.",
            code="file-damaged",
        ) from None


def _opened(data: bytes, kind: str, limits: Limits) -> Book:
    openers: dict[str, Callable[[bytes], Book]] = {"xls": open_xls, "xlsb": open_xlsb, "ods": open_ods}
    if kind != "xls":
        _check_archive(data, limits)
    return openers.get(kind, _open_xlsx)(data)


def _check_archive(data: bytes, limits: Limits) -> None:
    """Look at the sizes in the archive's directory, and for XML that defines entities, before anything is unpacked."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
        total = sum(member.file_size for member in members)
        bomb = any(m.file_size > _BOMB_SIZE and m.file_size > _BOMB_RATIO * m.compress_size for m in members)
        if total > _UNPACKED * limits.bytes or bomb or len(members) > 10_000:
            raise InputError(
                f"This workbook unpacks to {total / 1e6:,.0f} MB, more than is read into memory. "
                "Save the one sheet you need as CSV and open that.",
                code="file-too-large",
            )
        for member in members:
            if member.filename.lower().endswith((".xml", ".rels")):
                with archive.open(member) as opened:
                    start = opened.read(2048).replace(b"\0", b"")
                if b"<!DOCTYPE" in start or b"<!ENTITY" in start:
                    raise InputError(
                        "This workbook defines its own XML entities, which no spreadsheet does. It was not opened.",
                        code="file-declares-entities",
                    )


def _chosen_sheet(book: Book, wanted: str | None, limits: Limits) -> tuple[str, Grid, list[str]]:
    """The worksheet asked for, or else the first visible one that holds anything."""
    if not book.sheets:
        raise InputError(
            "This workbook holds no worksheet. Save the table in a worksheet and load it again.",
            code="file-without-table",
        )
    if wanted is not None:
        if wanted not in book.sheets:
            raise InputError("The workbook has no sheet of that name. Choose one of its sheets.", code="sheet-unknown")
        grid = filled_grid(book.rows(wanted), limits)
        if not grid.rows:
            raise InputError("That sheet is empty. Choose another sheet.", code="sheet-is-empty")
        return wanted, grid, []
    for name in book.visible or book.sheets:
        grid = filled_grid(book.rows(name), limits)
        if grid.rows:
            hidden = len(book.sheets) - len(book.visible)
            more = f"The workbook has {len(book.sheets):,} sheets; the first one with a table was read."
            more += f" {hidden:,} of them hidden." if hidden else ""
            return name, grid, [more] if len(book.sheets) > 1 else []
    raise InputError("Every sheet of this workbook is empty. Export it again.", code="file-without-records")


def _open_xlsx(data: bytes) -> Book:
    silence("openpyxl")  # it warns with the value of a cell whose date is out of range
    book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)

    def rows(name: str) -> Iterator[tuple[int, list[str]]]:
        # The stated dimension may be wrong, or end at XFD1048576: rows are taken as they come.
        book[name].reset_dimensions()
        for number, cells in enumerate(book[name].iter_rows(), start=1):
            yield number, [cell_text(cell.value, cell.number_format) for cell in cells]

    def notes(name: str) -> list[str]:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            macros = any(member.lower() == "xl/vbaproject.bin" for member in archive.namelist())
            unsaved = _formulas_without_result(archive.read(book[name]._worksheet_path))
        found = ["The workbook holds macros; they were not run."] if macros else []
        if unsaved:
            found.append(
                f"Read as missing: {count(unsaved, 'formula cells')} without a stored result. "
                "Open the workbook in a spreadsheet program, save it, and load it again."
            )
        return found

    def hidden(name: str) -> Hidden:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return hidden_in_xml(archive.read(book[name]._worksheet_path))

    sheets = book.worksheets
    return Book(
        [sheet.title for sheet in sheets],
        [sheet.title for sheet in sheets if sheet.sheet_state == "visible"],
        rows,
        notes,
        hidden,
    )


def _formulas_without_result(xml: bytes) -> int:
    """How many formula cells of a sheet hold no stored result (written by programs that do not calculate)."""
    return sum(1 for _ in _NO_RESULT.finditer(xml)) if b"<f" in xml else 0
