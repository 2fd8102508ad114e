"""Hidden rows and columns of a workbook, and cells merged over several rows, are named."""

from __future__ import annotations

import io
import zipfile

import openpyxl
import pytest

from anonlib.reading.sources import open_source
from anonlib.reading.sources.sheets import hidden_in_xml

_ODS = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>'
    '<table:table table:name="a"><table:table-column/><table:table-column table:visibility="collapse"/>{rows}'
    "</table:table></office:spreadsheet></office:body></office:document-content>"
)


def notes_of(data: bytes, name: str) -> str:
    return " ".join(open_source(data, name).reading.notes)


def workbook(hide: bool, merge: bool) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["id", "surname", "age"])
    for i in range(20):
        sheet.append([i + 1, f"name {i}", 20 + i])
    if hide:
        sheet.column_dimensions["B"].hidden = True
        for row in (5, 6, 9):
            sheet.row_dimensions[row].hidden = True
    if merge:
        sheet.merge_cells("A2:A4")
        sheet.merge_cells("A5:A6")
        sheet.merge_cells("B7:C7")
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_hidden_rows_and_columns_of_excel_are_named():
    notes = notes_of(workbook(hide=True, merge=False), "a.xlsx")
    assert "3 rows, 5, 6 and 9" in notes and "column “surname”" in notes and "reach over" not in notes
    assert len(open_source(workbook(hide=True, merge=False), "a.xlsx").frame) == 20, "they are read"


def test_cells_merged_over_several_rows_are_counted():
    notes = notes_of(workbook(hide=False, merge=True), "a.xlsx")
    assert "In “id”, 2 cells of the workbook reach over several rows" in notes and "Hidden" not in notes


def test_an_ordinary_workbook_has_no_such_note():
    assert notes_of(workbook(hide=False, merge=False), "a.xlsx") == ""


@pytest.mark.parametrize("state", ["collapse", "filter"])
def test_hidden_rows_of_open_document_are_named(state: str):
    cells = "".join(
        f"<table:table-row{hidden}><table:table-cell{more}><text:p>{i}</text:p></table:table-cell>"
        f"<table:table-cell><text:p>n{i}</text:p></table:table-cell></table:table-row>"
        for i, (hidden, more) in enumerate(
            [("", ""), (f' table:visibility="{state}"', ""), ("", ' table:number-rows-spanned="2"'), ("", "")]
        )
    )
    head = "".join(f"<table:table-cell><text:p>{name}</text:p></table:table-cell>" for name in ("id", "surname"))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", _ODS.format(rows=f"<table:table-row>{head}</table:table-row>{cells}"))
    notes = notes_of(out.getvalue(), "a.ods")
    assert "1 row, 3." in notes and "column “surname”" in notes and "In “id”, 1 cell of the workbook reach" in notes


def test_a_row_without_a_number_follows_the_one_before():
    """Office Open XML, row (r): it may be left out, also behind a gap (ECMA-376, 18.3.1.73)."""
    rows = b'<row r="5"><c/></row><row hidden="1"><c/></row><row r="9" hidden="1"/><row hidden="1"/>'
    assert hidden_in_xml(b"<sheetData>" + rows + b"</sheetData>").rows == {6, 9, 10}
