"""OpenDocument spreadsheets (.ods), read from their XML: cells by their values, zeros in front as they are shown."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree import ElementTree

from anonlib.reading.sources.books import Book, cell_text, duration_text
from anonlib.reading.sources.hidden import Hidden

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

    def hidden(name: str) -> Hidden:
        sheet = sheets[name]
        return Hidden(frozenset(sheet.hidden_rows), frozenset(sheet.hidden_columns), tuple(sheet.merged))

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
    found, place = [], 1
    for cell in row:
        if cell.tag in _CELLS:
            n_rows = int(cell.get(f"{_TABLE}number-rows-spanned", "1"))
            if n_rows > 1:
                found.append((place, n_rows))
            place += _repeats(cell, "columns")
    return found


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
