"""The records of delimited text as columns: read by compiled loops where they are regular, with care where not.

Rows that do not fit come first: they are found with their lines, and repaired only where nothing can shift.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody, share_of
from anonlib.basics.words import listed
from anonlib.reading.sources.dialect import LONGEST_CELL, Head, csv_rows
from anonlib.reading.sources.footers import is_comment
from anonlib.reading.sources.layout import TextLayout
from anonlib.reading.sources.reading import DELIMITER_NAMES, CodedColumn, Limits, ReadOptions, check_cells

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


FROM_BYTES = 1 << 24
"""Size of the smallest text that compiled loops read; a smaller one is read with care in less than a second."""


def read_body(
    text: bytes,
    start: int,
    stop: int,
    head: Head,
    layout: TextLayout,
    options: ReadOptions,
    limits: Limits,
    progress: Progress = nobody,
) -> tuple[list[CodedColumn], int, Repairs]:
    """The columns of the records, which stand between two places of a text; how many records; what was repaired.

    A large text of plainly regular rows is read by loops of our own. Any other, and any that they have a doubt of, is
    read with care: by Arrow, and row by row where rows do not fit. Both come to the same columns.

    Raises
    ------
    InputError
        Where it is not certain which cell belongs where, and for more cells than the limit.
    """
    width = layout.width
    n_lines = text.count(b"\n", start, stop) + 1
    check_cells(n_lines, width, limits)
    body = memoryview(text)[start:stop]
    done = 0.0
    if len(body) >= FROM_BYTES:

        def note_share(share: float, *_: None) -> None:
            nonlocal done
            done = share
            progress(share)

        regular = _regular(body, head, width, n_lines, note_share)
        if regular is not None:
            return regular, len(regular[0].codes), Repairs()
    quoted = bool(head.quote) and text.find(head.quote.encode(), start, stop) >= 0
    return _read_with_care(body, head, layout, options, share_of(progress, done, 1.0), quoted=quoted)


def _regular(body: memoryview, head: Head, width: int, n_lines: int, progress: Progress) -> list[CodedColumn] | None:
    # Imported here, since the compiler of its loops takes a while that no small file should wait for.
    from anonlib.reading.sources.regular import read_regular

    columns = read_regular(body, head.delimiter, head.quote, width, n_lines, progress)
    return None if columns is None else [CodedColumn("", *column) for column in columns]


def _read_with_care(
    body: memoryview, head: Head, layout: TextLayout, options: ReadOptions, progress: Progress, *, quoted: bool
) -> tuple[list[CodedColumn], int, Repairs]:
    width = layout.width
    progress(0.0)
    table, n_irregular = _parse(body, head, width)
    progress(0.2)
    suspicious = quoted and (not quotes_are_plain(body, head.quote, head.delimiter) or _has_line_breaks(table))
    if table is not None and not n_irregular and not suspicious:
        return [_column(table.column(i)) for i in range(width)], table.num_rows, Repairs()
    irregular, n_rows = find_irregular(
        bytes(body), head.delimiter, head.quote, width, layout.first_record, share_of(progress, 0.2, 1.0)
    )
    repairs = settle(
        irregular,
        width,
        head.delimiter,
        n_rows,
        fill_short_rows=options.fill_short_rows,
        keep_comments=options.keep_lines,
        hash_begins_values=table is not None and pc.any(pc.starts_with(_column(table.column(0)).values, "#")).as_py(),
    )
    if table is None or table.num_rows + len(irregular) != n_rows:
        raise InputError(
            "The rows of this file cannot be separated with certainty. "
            "Export it again with every cell in quotation marks.",
            code="rows-not-separable",
        )
    columns = [_with_rows(_column(table.column(i)), i, irregular, repairs) for i in range(width)]
    return columns, n_rows - len(repairs.dropped), repairs


def _parse(body: memoryview, head: Head, width: int) -> tuple[pa.Table | None, int]:
    """The regular rows as dictionary-encoded text (None when they cannot be read), and the number of irregular ones."""
    irregular = 0

    def skip(_row: object) -> str:
        nonlocal irregular
        irregular += 1
        return "skip"

    names = [str(i) for i in range(width)]
    parsing = pa.csv.ParseOptions(
        delimiter=head.delimiter,
        quote_char=head.quote or False,
        newlines_in_values=bool(head.quote),
        ignore_empty_lines=width > 1,
        invalid_row_handler=skip,
    )
    cells = pa.csv.ConvertOptions(
        column_types=dict.fromkeys(names, pa.dictionary(pa.int32(), pa.string())), strings_can_be_null=False
    )
    # The second time in one block, for a row longer than a block.
    for block_size in (min(max(len(body) // 8, 1 << 20), 1 << 24), min(len(body) + 1, (1 << 31) - 1)):
        irregular = 0
        try:
            table = pa.csv.read_csv(
                pa.BufferReader(pa.py_buffer(body)),
                pa.csv.ReadOptions(column_names=names, block_size=block_size),
                parsing,
                cells,
            )
        except (pa.ArrowException, ValueError):
            continue
        return table.unify_dictionaries(), irregular
    return None, irregular


def _has_line_breaks(table: pa.Table | None) -> bool:
    """Whether a value holds a line break: either a cell of several lines, or rows swallowed by an unclosed quote."""
    if table is None:
        return True
    return any(
        pc.any(pc.match_substring_regex(column.chunk(0).dictionary, "[\r\n]")).as_py()
        for column in table.columns
        if column.num_chunks
    )


def _column(column: pa.ChunkedArray) -> CodedColumn:
    array = column.combine_chunks()
    if isinstance(array, pa.ChunkedArray):
        array = array.chunk(0) if array.num_chunks else pa.array([], pa.string()).dictionary_encode()
    return CodedColumn("", array.indices.to_numpy(zero_copy_only=False), array.dictionary.cast(pa.large_string()))


def _with_rows(column: CodedColumn, place: int, irregular: Sequence[IrregularRow], repairs: Repairs) -> CodedColumn:
    """A column with the repaired rows put back where they stood."""
    if not repairs.rows:
        return column
    values = column.texts()
    code = {value: i for i, value in enumerate(values)}
    before = {row.position: i for i, row in enumerate(irregular)}
    positions, codes = [], []
    for position, cells in repairs.rows:
        cell = cells[place]
        if cell not in code:
            code[cell] = len(values)
            values.append(cell)
        positions.append(position - before[position])
        codes.append(code[cell])
    return CodedColumn(column.name, np.insert(column.codes, positions, codes), values)
