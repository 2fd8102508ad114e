"""Excel workbooks, written in memory: no cell is a formula.

Nothing of a data set may be written to disk, as openpyxl does with each sheet, and XlsxWriter in memory takes seven
times as long and fifteen times the memory (docs/decisions/writing-workbooks.md). So the few parts of a workbook
(ISO/IEC 29500) that a table needs are written here.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from xml.sax.saxutils import escape

import numpy as np
import pandas as pd

from anonlib.release.files.rows import ReleasedRows, neutralise

MOST_ROWS = 1_048_576  # of a sheet, the names of the columns among them
LONGEST_TEXT = 32_767  # characters of a cell
_LONGEST_NAME = 31  # characters of a sheet's name
_NOT_IN_NAMES = re.compile(r"[\[\]:*?/\\\x00-\x1f]")
NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that no XML file may hold."""

_ESCAPED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")  # Excel would read _x0041_ as the letter A
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_WRITTEN = (1980, 1, 1, 0, 0, 0)  # a workbook does not tell when it was made, and the same rows are the same bytes

Cells = Sequence[str] | np.ndarray


def write_excel(rows: ReleasedRows) -> bytes:
    """A release as one sheet: numbers as numbers, all else as text, neutralised as in the CSV; missing cells empty."""
    return write_sheets({"Release": rows})


def write_sheets(tables: Mapping[str, ReleasedRows]) -> bytes:
    """Tables of a release as sheets of one workbook, each as of :func:`write_excel`, under its name as Excel allows."""
    sheets = dict[str, Iterable[str]]()
    for name, rows in tables.items():
        sheets[_sheet_name(name, sheets)] = _release_sheet(rows)
    return _workbook(sheets)


def _sheet_name(name: str, taken: Collection[str]) -> str:
    """At most 31 characters, none of those that Excel forbids, and not taken, whatever its case."""
    plain = _NOT_IN_NAMES.sub("_", name).strip("'")[:_LONGEST_NAME] or "Table"
    used, wanted = {taken_name.casefold() for taken_name in taken}, plain
    for number in count(2):
        if wanted.casefold() not in used:
            break
        wanted = f"{plain[: _LONGEST_NAME - len(str(number)) - 3]} ({number})"
    return wanted


def _release_sheet(rows: ReleasedRows) -> Iterator[str]:
    names = neutralise(column.name for column in rows.columns)
    columns: list[Cells] = []
    for column in rows.columns:
        if column.numbers is None:
            texts = list(column.labels) if column.is_person else neutralise(column.labels)
            cells = [_text_cell(text) for text in texts]
        else:
            cells = [f"<c><v>{label}</v></c>" for label in column.labels]
        columns.append(np.array([*cells, "<c/>"], dtype=object)[column.codes])
    return _sheet(names, columns)


def write_tables(tables: Mapping[str, pd.DataFrame]) -> bytes:
    """Tables as sheets of one workbook.

    Parameters
    ----------
    tables : Mapping[str, pd.DataFrame]
        By the name of its sheet (at most 31 plain characters) a table of texts and numbers, missing ones empty. Texts
        are neutralised as in the CSV, and cut where a cell cannot hold them.
    """
    sheets = {}
    for title, table in tables.items():
        columns: list[Cells] = []
        for name in table.columns:
            if pd.api.types.is_numeric_dtype(table[name]):
                columns.append(["<c/>" if pd.isna(cell) else f"<c><v>{cell}</v></c>" for cell in table[name]])
            else:
                columns.append(["<c/>" if pd.isna(cell) else _text_cell(_fitting(cell)) for cell in table[name]])
        sheets[title] = _sheet([str(name) for name in table.columns], columns)
    return _workbook(sheets)


def _fitting(text: str) -> str:
    return neutralise([NO_XML.sub("\ufffd", text)[: LONGEST_TEXT - 1]])[0]


def _text_cell(text: str) -> str:
    """A cell that is text by its type, whatever it begins with."""
    safe = escape(_ESCAPED.sub("_x005F_", text), {"\r": "&#13;"})
    return f'<c t="inlineStr"><is><t xml:space="preserve">{safe}</t></is></c>'


def _sheet(names: Iterable[str], columns: Sequence[Cells]) -> Iterator[str]:
    """The XML of a sheet, some of it at a time."""
    yield f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetData>'
    for cells in chain([[_text_cell(name) for name in names]], zip(*columns, strict=True)):
        yield f"<row>{''.join(cells)}</row>"
    yield "</sheetData></worksheet>"


def _workbook(sheets: Mapping[str, Iterable[str]]) -> bytes:
    numbered = list(enumerate(sheets.items(), start=1))
    types = f"{_PACKAGE}/content-types"
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    overrides = "".join(
        f'<Override PartName="/xl/worksheets/sheet{i}.xml" ContentType="{kind}.worksheet+xml"/>' for i, _ in numbered
    )
    listed = "".join(f'<sheet name="{escape(title)}" sheetId="{i}" r:id="rId{i}"/>' for i, (title, _) in numbered)
    links = "".join(
        f'<Relationship Id="rId{i}" Type="{_OFFICE}/worksheet" Target="worksheets/sheet{i}.xml"/>' for i, _ in numbered
    )
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{types}">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/>{overrides}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">{links}</Relationships>',
    }
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for path, content in parts.items():
            archive.writestr(_member(path), _HEAD + content)
        for i, (_, xml) in numbered:
            with archive.open(_member(f"xl/worksheets/sheet{i}.xml"), "w", force_zip64=True) as part:
                for piece in xml:
                    part.write(piece.encode())
    return written.getvalue()


def _member(path: str) -> zipfile.ZipInfo:
    member = zipfile.ZipInfo(path, _WRITTEN)
    member.compress_type = zipfile.ZIP_DEFLATED
    return member
