"""Rows of delimited text that do not fit: found with their lines, repaired only where nothing can shift."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody
from anonlib.basics.words import listed
from anonlib.reading.sources.dialect import LONGEST_CELL, csv_rows
from anonlib.reading.sources.footers import is_comment
from anonlib.reading.sources.reading import DELIMITER_NAMES

_CHUNK = 1 << 24
_MOST = 100_000
_REPORT_EVERY = 10_000  # rows


@dataclass(frozen=True)
class IrregularRow:
    """A row whose number of cells is not that of the columns; position among all rows, line in the file."""

    position: int
    line: int
    cells: list[str]


@dataclass
class Repairs:
    """Rows to put back, by position among all rows, and how many of the irregular ones were left out."""

    rows: list[tuple[int, list[str]]] = field(default_factory=list)
    dropped: list[int] = field(default_factory=list)
    comments: list[IrregularRow] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def quotes_are_plain(body: memoryview, quote: str, delimiter: str) -> bool:
    """Whether every quotation mark opens, closes or doubles another, and they are even in number.

    Otherwise the text may have an unclosed quotation mark and is worth a strict (slower) look.
    """
    mark = ord(quote)
    beside = np.zeros(256, dtype=bool)
    beside[[mark, ord(delimiter), 10, 13]] = True
    total = 0
    values = np.frombuffer(body, dtype=np.uint8)
    for start in range(0, len(values), _CHUNK):
        places = np.flatnonzero(values[start : start + _CHUNK] == mark) + start
        total += len(places)
        before = beside[values[np.maximum(places - 1, 0)]] | (places == 0)
        after = beside[values[np.minimum(places + 1, len(values) - 1)]] | (places == len(values) - 1)
        if not (before | after).all():
            return False
    return total % 2 == 0


def find_irregular(
    body: bytes, delimiter: str, quote: str, width: int, first_line: int, progress: Progress = nobody
) -> tuple[list[IrregularRow], int]:
    """The irregular rows, and how many rows there are in all. Blank lines are no rows unless there is one column.

    Raises
    ------
    InputError
        With the line, where a quotation mark is not closed or text follows a closed one.
    """
    content = io.BytesIO(body)
    reader = csv_rows(io.TextIOWrapper(content, "utf-8", newline=""), delimiter, quote, strict=True)
    irregular: list[IrregularRow] = []
    position, line = 0, first_line
    try:
        for cells in reader:
            if cells or width == 1:
                if len(cells) != width and (width > 1 or cells):
                    irregular.append(IrregularRow(position, line, cells))
                    if len(irregular) > _MOST:
                        raise _not_fitting(irregular, width, delimiter)
                position += 1
                if position % _REPORT_EVERY == 0:
                    progress(content.tell() / len(body))
            line = first_line + reader.line_num
    except csv.Error as error:
        raise _quote_error(str(error), line) from None
    return irregular, position


def _quote_error(reason: str, line: int) -> InputError:
    # The reason is csv's own fixed wording; it decides the sentence and is not shown.
    if "end of data" in reason:
        return InputError(
            f"A quotation mark opened in the row that begins in line {line:,} is never closed. "
            "Close it in the file, or choose that quotation marks are ordinary text.",
            code="quotation-mark-not-closed",
        )
    if "field limit" in reason:
        return InputError(
            f"A cell in the row that begins in line {line:,} is longer than {LONGEST_CELL:,} characters; "
            "its quotation mark may never be closed. "
            "Correct that row, or choose that quotation marks are ordinary text.",
            code="cell-too-long",
        )
    return InputError(
        f"In the row that begins in line {line:,}, text follows a closing quotation mark. "
        "Double the quotation marks inside the cell, or choose that quotation marks are ordinary text.",
        code="quotation-mark-wrong",
    )


def settle(
    irregular: Sequence[IrregularRow],
    width: int,
    delimiter: str,
    n_rows: int,
    *,
    fill_short_rows: bool = False,
    keep_comments: bool = False,
    hash_begins_values: bool = False,
) -> Repairs:
    """What becomes of irregular rows: blanks beyond the columns are cut and comments left out; the rest is refused.

    A row that ends early could lack a cell anywhere, so it is filled at its end only when that was chosen. Where
    values begin with a hash, a short row that does is a record and no comment.
    """
    repairs = Repairs()
    comments_known = not (keep_comments or hash_begins_values)
    cut, filled, refused = [], [], []
    for row in irregular:
        blank = not any(cell.strip() for cell in row.cells)
        if len(row.cells) < width and blank:
            repairs.dropped.append(row.position)
        elif len(row.cells) < width and comments_known and is_comment(row.cells[0]):
            repairs.dropped.append(row.position)
            repairs.comments.append(row)
        elif len(row.cells) > width and not any(cell.strip() for cell in row.cells[width:]):
            repairs.rows.append((row.position, row.cells[:width]))
            cut.append(row.line)
        elif len(row.cells) < width and (fill_short_rows or keep_comments):
            repairs.rows.append((row.position, row.cells + [""] * (width - len(row.cells))))
            filled.append(row.line)
        else:
            refused.append(row)
    if refused:
        raise _not_fitting(refused, width, delimiter, at_end=refused[-1].position == n_rows - 1)
    if repairs.comments:
        repairs.notes.append(f"Comments (#) were left out: line {listed([row.line for row in repairs.comments])}.")
    if cut:
        repairs.notes.append(f"Blank cells beyond the last column were cut: line {listed(cut)}.")
    if filled:
        repairs.notes.append(
            f"Rows that end early were filled with blanks at their end, as chosen: line {listed(filled)}."
        )
    return repairs


def _not_fitting(rows: Sequence[IrregularRow], width: int, delimiter: str, *, at_end: bool = False) -> InputError:
    short = [row.line for row in rows if len(row.cells) < width]
    long = [row.line for row in rows if len(row.cells) > width]
    sentences = []
    if long:
        mark = DELIMITER_NAMES.get(delimiter, "delimiter")
        sentences.append(
            f"{_lines(long)} more cells than the {width:,} columns; "
            f"a cell there may hold a {mark} without quotation marks."
        )
    if short:
        sentences.append(
            f"{_lines(short)} fewer cells than the {width:,} columns, and which cell is missing is not known."
        )
    way_out = "Correct the file or choose another delimiter"
    way_out += "; or choose to fill rows that end early with blanks at their end." if short and not long else "."
    if at_end and len(rows[-1].cells) < width:
        way_out += f" If line {rows[-1].line:,} is a note or a total below the table, skip it: lines to skip below."
    return InputError(" ".join([*sentences, way_out]), code="rows-uneven")


def _lines(lines: Sequence[int]) -> str:
    return f"Line {lines[0]:,} has" if len(lines) == 1 else f"Lines {listed(lines)} have"
