"""Workbooks, read as stored: text as text, numbers in full, dates as ISO, formulas by their stored result.

First come Excel workbooks that are not XML: .xls (to Excel 2003) and .xlsb. Next are OpenDocument spreadsheets (.ods),
read from their XML: cells by their values, zeros in front as they are shown. At the end a workbook of any of these
kinds, or of Excel's XML, is read sheet by sheet.
"""

from __future__ import annotations

import datetime
import io
import re
import struct
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from xml.etree import ElementTree

import openpyxl
import pandas as pd
import python_calamine
import xlrd

from anonlib.basics.errors import InputError
from anonlib.basics.quiet import silence
from anonlib.basics.words import count, quoted
from anonlib.reading.sources.reading import Limits, Reading, ReadOptions
from anonlib.reading.sources.sheets import (
    Book,
    FilledRows,
    HiddenOnSheet,
    cell_text,
    duration_text,
    filled_grid,
    hidden_in_xml,
    sheet_table,
)

_SPARSE = 20  # cells of the rectangle for each that is filled ...
_SMALL = 2_000_000  # ... in rectangles of more cells than these
_FILLED = range(2, 12)  # BrtCellRk to BrtFmlaError; BrtCellBlank holds a format alone
_STRINGS = 159  # BrtBeginSst


def open_xls(data: bytes) -> Book:
    """Open a workbook of Excel 97 to 2003. What is wrong with it raises some exception, here or while rows are read."""
    # Sheets are kept by rows, so that a cell far away takes no memory; what xlrd would print is not shown.
    book = xlrd.open_workbook(
        file_contents=data, formatting_info=True, on_demand=True, ragged_rows=True, logfile=io.StringIO()
    )
    formats = [book.format_map[style.format_key].format_str for style in book.xf_list]

    def rows(name: str) -> Iterator[tuple[int, list[str]]]:
        sheet = book.sheet_by_name(name)
        for i in range(sheet.nrows):
            yield i + 1, [_xls_text(cell, formats[cell.xf_index or 0], book.datemode) for cell in sheet.row(i)]

    def hidden(name: str) -> HiddenOnSheet:
        sheet = book.sheet_by_name(name)
        return HiddenOnSheet(
            frozenset(i + 1 for i, about in sheet.rowinfo_map.items() if about.hidden),
            frozenset(i + 1 for i, about in sheet.colinfo_map.items() if about.hidden),
            # The areas of xlrd end before their last row and column.
            tuple((column + 1, last - first) for first, last, column, _ in sheet.merged_cells if last - first > 1),
        )

    names = book.sheet_names()
    visible = [name for name, state in zip(names, book._sheet_visibility, strict=True) if state == 0]
    return Book(names, visible, rows, lambda name: [], hidden)


def _xls_text(cell: xlrd.sheet.Cell, number_format: str, datemode: int) -> str:
    if cell.ctype == xlrd.XL_CELL_ERROR:
        return xlrd.error_text_from_code.get(cell.value, "")
    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return cell_text(bool(cell.value))
    if cell.ctype != xlrd.XL_CELL_DATE:
        return cell_text(cell.value, number_format)
    if "[h" in number_format.lower():
        return cell_text(datetime.timedelta(days=cell.value))
    try:
        moment = xlrd.xldate.xldate_as_datetime(cell.value, datemode)
    except (ValueError, OverflowError):  # a number no calendar has, shown as a date
        return cell_text(cell.value)
    return cell_text(moment.time() if cell.value < 1 else moment)


def open_xlsb(data: bytes) -> Book:
    """Open a binary workbook. What is wrong with it raises some exception, here or while rows are read.

    The reader takes memory for the whole rectangle that the cells of a sheet span, and Python ends where that is too
    much, so that is looked up before.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        links = archive.read("xl/_rels/workbook.bin.rels")
        for target in set(re.findall(rb"""Target\s*=\s*["']([^"']+\.bin)["']""", links)):
            name = target.decode().removeprefix("/xl/")
            if not name.lower().endswith("vbaproject.bin"):
                _check_part(archive.read(f"xl/{name}"))
    book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
    worksheets = [about for about in book.sheets_metadata if about.typ == python_calamine.SheetTypeEnum.WorkSheet]

    def rows(name: str) -> Iterator[tuple[int, list[str]]]:
        sheet = book.get_sheet_by_name(name)
        left = [""] * (sheet.start or (0, 0))[1]
        for number, values in enumerate(sheet.iter_rows(), start=1):
            yield number, [*left, *map(cell_text, values)]

    def notes(name: str) -> list[str]:
        return [
            "Zeros in front that only a number format shows are not read from .xlsb: check ZIP codes and the like.",
            "Hidden rows and columns and merged cells of .xlsb are not named: save it as .xlsx to see them.",
        ]

    return Book(
        [about.name for about in worksheets],
        [about.name for about in worksheets if about.visible == python_calamine.SheetVisibleEnum.Visible],
        rows,
        notes,
    )


def _check_part(part: bytes) -> None:
    """Refuse a part whose cells stand far apart, or that announces more than it holds ([MS-XLSB], 2.1.4: records)."""
    row = last_row = last_column = filled = place = 0
    while place < len(part):
        kind, place = _number(part, place, 2)
        length, place = _number(part, place, 4)
        if place + length > len(part):
            raise ValueError("a record ends after its part")
        if kind == 0:
            (row,) = struct.unpack_from("<I", part, place)
        elif kind in _FILLED:
            last_row, filled = max(last_row, row), filled + 1
            last_column = max(last_column, *struct.unpack_from("<I", part, place))
        elif kind == _STRINGS and struct.unpack_from("<I", part, place + 4)[0] > len(part):
            raise ValueError("more texts are announced than there can be")
        place += length
    if (last_row + 1) * (last_column + 1) > max(_SMALL, _SPARSE * filled):
        raise InputError(
            f"The cells of a sheet reach to row {last_row + 1:,} and column {last_column + 1:,}, and nearly all "
            "between are blank. Delete the cells far from the table, or save the workbook as .xlsx or CSV.",
            code="cells-far-apart",
        )


def _number(part: bytes, place: int, longest: int) -> tuple[int, int]:
    """A number of seven bits a byte, least first, and the place behind it."""
    value = 0
    for i in range(longest):
        value |= (part[place + i] & 0x7F) << 7 * i
        if part[place + i] < 0x80:
            return value, place + i + 1
    return value, place + longest


_OFFICE, _STYLE, _TABLE, _TEXT = (
    f"{{urn:oasis:names:tc:opendocument:xmlns:{name}:1.0}}" for name in ("office", "style", "table", "text")
)
_CELLS = {f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"}
_NO_TEXT = {f"{_OFFICE}annotation", f"{_TEXT}note"}
_ROWS, _COLUMNS = 1 << 20, 1 << 14
_MOST_REPEATED = 20_000_000  # cells that stand in the file once and in the sheet again and again
_DURATION = re.compile(r"PT(\d+)H(\d+)M(\d+(?:[.,]\d+)?)S")
_PADDED = re.compile(r"0[\d ()/-]*\d")


@dataclass
class _Sheet:
    """A sheet while it is read: its filled rows with number, texts and how often each repeats."""

    visible: bool
    height: int = 0
    rows: list[tuple[int, int, list[str]]] = field(default_factory=list)
    width: int = 0
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    merged: list[tuple[int, int]] = field(default_factory=list)

    def add(self, row: ElementTree.Element) -> None:
        """Take in the next row."""
        repeated, texts = _repeats(row, "rows"), _row_texts(row)
        if texts:
            self.rows.append((self.height + 1, repeated, texts))
            if _is_hidden(row):
                self.hidden_rows.update(range(self.height + 1, self.height + repeated + 1))
            self.merged += _merged_down(row)
        self.height += repeated
        if self.height > _ROWS or len(texts) * (repeated - 1) > _MOST_REPEATED:
            raise ValueError("more cells than a sheet has")

    def add_column(self, column: ElementTree.Element) -> None:
        """Take in how the next columns are shown."""
        repeated = int(column.get(f"{_TABLE}number-columns-repeated", "1"))
        last = min(self.width + repeated, _COLUMNS)
        if _is_hidden(column):
            self.hidden_columns.update(range(self.width + 1, last + 1))
        self.width = last


def open_ods(data: bytes) -> Book:
    """Open a spreadsheet. What is wrong with it raises some exception.

    Cells are read by the values they hold; of a number, the zeros in front are read as they are shown.

    References
    ----------
    OASIS (2021), Open Document Format for Office Applications 1.3, part 3, chapter 9 (tables) and 19 (attributes).
    """
    sheets: dict[str, _Sheet] = {}
    hidden_styles: set[str | None] = set()
    style, sheet, depth = None, None, 0
    with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open("content.xml") as xml:
        for event, element in ElementTree.iterparse(xml, ("start", "end")):
            if element.tag == f"{_TABLE}table":
                depth += 1 if event == "start" else -1
                if depth == 1 and event == "start":  # a table within a cell is part of that cell
                    sheet = _Sheet(element.get(f"{_TABLE}style-name") not in hidden_styles)
                    sheets.setdefault(element.get(f"{_TABLE}name") or "", sheet)
            elif event == "start":
                if element.tag == f"{_STYLE}style":
                    style = element.get(f"{_STYLE}name")
                elif element.get(f"{_TABLE}display") == "false":
                    hidden_styles.add(style)
            elif element.tag == f"{_TABLE}table-column" and depth == 1 and sheet is not None:
                sheet.add_column(element)
            elif element.tag == f"{_TABLE}table-row" and depth == 1 and sheet is not None:
                sheet.add(element)
                element.clear()

    def rows(name: str) -> Iterator[tuple[int, list[str]]]:
        for number, repeated, texts in sheets[name].rows:
            for i in range(repeated):
                yield number + i, [*texts]

    def hidden(name: str) -> HiddenOnSheet:
        sheet = sheets[name]
        return HiddenOnSheet(frozenset(sheet.hidden_rows), frozenset(sheet.hidden_columns), tuple(sheet.merged))

    visible = [name for name, sheet in sheets.items() if sheet.visible]
    return Book([*sheets], visible, rows, lambda name: [], hidden)


def _repeats(element: ElementTree.Element, what: str) -> int:
    repeated = int(element.get(f"{_TABLE}number-{what}-repeated", "1"))
    if not 1 <= repeated <= _ROWS:
        raise ValueError("more cells than a sheet has")
    return repeated


def _is_hidden(element: ElementTree.Element) -> bool:
    return element.get(f"{_TABLE}visibility", "visible") != "visible"


def _merged_down(row: ElementTree.Element) -> list[tuple[int, int]]:
    """The cells of a row that reach over several rows: column, counted from 1, and how many rows."""
    merged, place = [], 1
    for cell in row:
        if cell.tag in _CELLS:
            n_rows = int(cell.get(f"{_TABLE}number-rows-spanned", "1"))
            if n_rows > 1:
                merged.append((place, n_rows))
            place += _repeats(cell, "columns")
    return merged


def _row_texts(row: ElementTree.Element) -> list[str]:
    """The texts of a row's cells up to the last filled one."""
    texts: list[str] = []
    width = 0
    for cell in row:
        if cell.tag in _CELLS:
            text, repeated = _cell_text(cell), _repeats(cell, "columns")
            if text:
                if width + repeated > _COLUMNS:
                    raise ValueError("more columns than a sheet has")
                texts += [""] * (width - len(texts)) + [text] * repeated
            width += repeated
    return texts


def _cell_text(cell: ElementTree.Element) -> str:
    kind = cell.get(f"{_OFFICE}value-type")
    if kind in ("float", "percentage", "currency"):
        return _number_text(float(cell.get(f"{_OFFICE}value", "")), _shown(cell))
    if kind == "date":
        date, _, time = cell.get(f"{_OFFICE}date-value", "").partition("T")
        return date if time in ("", "00:00:00") else f"{date} {time}"
    if kind == "time":
        duration = _DURATION.fullmatch(cell.get(f"{_OFFICE}time-value", ""))
        if duration is None:
            return _shown(cell)
        hours, minutes, seconds = duration.groups()
        return _time_text(3600 * int(hours) + 60 * int(minutes) + float(seconds.replace(",", ".")))
    if kind == "boolean":
        return cell_text(cell.get(f"{_OFFICE}boolean-value") == "true")
    return cell.get(f"{_OFFICE}string-value") or _shown(cell)


def _number_text(value: float, shown: str) -> str:
    """A number in full; as shown where its format puts zeros in front (ZIP codes) and marks between its digits."""
    if value.is_integer() and _PADDED.fullmatch(shown) and int(re.sub(r"\D", "", shown)) == value:
        return shown
    return cell_text(value)


def _time_text(seconds: float) -> str:
    """A time of day as ISO, a longer duration in hours."""
    text = duration_text(seconds)
    return text.zfill(8) if seconds < 86_400 else text


def _shown(cell: ElementTree.Element) -> str:
    """The text of a cell as it is shown, a line a paragraph."""
    return "\n".join(_text(part) for part in cell if part.tag == f"{_TEXT}p")


def _text(element: ElementTree.Element) -> str:
    text = element.text or ""
    for part in element:
        if part.tag == f"{_TEXT}s":
            text += " " * min(int(part.get(f"{_TEXT}c", "1")), 1000)
        elif part.tag == f"{_TEXT}tab":
            text += "\t"
        elif part.tag == f"{_TEXT}line-break":
            text += "\n"
        elif part.tag not in _NO_TEXT:
            text += _text(part)
        text += part.tail or ""
    return text


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
    tables, without, reasons = [], list[str](), list[InputError]()
    for name, notes in of_sheet.items():
        try:
            frame, reading = sheet_table(grids[name], ReadOptions(), limits, hidden_in[name])
        except InputError as error:
            without.append(name)
            reasons.append(error)
            continue
        tables.append((name, frame, reading.of_sheet(_FORMATS[kind], name, book.sheets, notes)))
    if not tables:
        raise (
            reasons[0]
            if reasons
            else InputError("Every sheet of this workbook is empty. Export it again.", code="file-without-records")
        )
    n_hidden = len(book.sheets) - len(grids)
    left_out = [f"Left out: {count(n_hidden, 'hidden sheets')} of the workbook."] if n_hidden else []
    if without:
        left_out.append(f"Left out, since no table was found in it: sheet {quoted(without)}.")
    return tables, left_out


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


def _chosen_sheet(book: Book, wanted: str | None, limits: Limits) -> tuple[str, FilledRows, list[str]]:
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
        sentences = ["The workbook holds macros; they were not run."] if macros else []
        if unsaved:
            sentences.append(
                f"Read as missing: {count(unsaved, 'formula cells')} without a stored result. "
                "Open the workbook in a spreadsheet program, save it, and load it again."
            )
        return sentences

    def hidden(name: str) -> HiddenOnSheet:
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
