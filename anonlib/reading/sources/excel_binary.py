"""Excel workbooks that are not XML: .xls (to Excel 2003) and .xlsb."""

from __future__ import annotations

import datetime
import io
import re
import struct
import zipfile
from collections.abc import Iterator

import python_calamine
import xlrd

from anonlib.basics.errors import InputError
from anonlib.reading.sources.books import Book, cell_text
from anonlib.reading.sources.hidden import Hidden

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

    def hidden(name: str) -> Hidden:
        sheet = book.sheet_by_name(name)
        return Hidden(
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
