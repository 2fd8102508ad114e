"""Delimited text: where the table is, and reading its every cell as text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from anonlib.errors import InputError
from anonlib.sources.blanks import PARTED, parted, without_blanks_after_delimiters
from anonlib.sources.dialect import Head, check_marks, csv_rows, read_head
from anonlib.sources.encodings import utf8_text
from anonlib.sources.footers import find_footer
from anonlib.sources.irregular import IrregularRow, Repairs, find_irregular, quotes_are_plain, settle
from anonlib.sources.layout import BLANK, NO_RECORDS, Layout, Row, find_layout, left_out, modal_width
from anonlib.sources.names import check_width, column_names
from anonlib.sources.reading import (
    ALIGNED,
    MOST_LEFT_OUT,
    Column,
    LeftOut,
    Limits,
    Reading,
    ReadOptions,
    check_cells,
    finished_frame,
)

_SEP_LINE = re.compile(rb'"?sep=([^\r\n])"?[ \t]*(\r\n|\n|\r|$)', re.IGNORECASE)
_INK = re.compile(rb"[^\s\x1a]")
_LINE_END = re.compile(rb"\r\n|\n|\r")
_TAIL = 1 << 16
_TAIL_LINES = 40
_MARKS = {":": "a colon", ";": "a semicolon", ",": "a comma", "|": "a vertical bar", " ": "a blank"}
_TRAILING = b"\r\n\x1a"  # blank lines, and the end mark of DOS files


def read_delimited(data: bytes, options: ReadOptions, limits: Limits) -> tuple[pd.DataFrame, Reading]:
    """Reads delimited text. Every cell stays the text it is; a cell of only blanks is missing.

    Raises
    ------
    InputError
        For text that cannot be read without guessing where a cell belongs.
    """
    text, encoding, notes = utf8_text(data, options.encoding)
    if not _INK.search(text):
        raise InputError(BLANK)
    text, head = _head(text, options, notes)
    check_width(max(len(row.cells) for row in head.rows), limits)
    layout = find_layout(head.rows, options.header, options.skip_rows)
    names, name_notes = column_names(layout.names, layout.width, limits)
    start = _line_start(text, layout.first_record)
    below = _below(text, start, head, layout, options)
    if below.stop <= start:
        raise InputError(NO_RECORDS)
    columns, n_rows, repairs = _read_body(text, start, below.stop, head, layout, options, limits)
    columns = [replace(column, name=name) for column, name in zip(columns, names, strict=True)]
    frame, edge_notes = finished_frame(columns, n_rows, named=[bool(cell.strip()) for cell in layout.names])
    reading = Reading(
        format="Delimited text (CSV)",
        encoding=encoding,
        delimiter=ALIGNED if head.aligned else head.delimiter,
        quote=head.quote,
        header=layout.header,
        skip_rows=layout.skip_rows,
        skip_footer=below.skipped,
        notes=(
            *notes,
            *layout.notes,
            *below.notes,
            *name_notes,
            *repairs.notes,
            *edge_notes,
            *_oddities(text, head, layout),
        ),
        left_out=(*layout.above, *_comments(repairs.comments), *below.left_out)[:MOST_LEFT_OUT],
    )
    return frame, reading


def _head(text: bytes, options: ReadOptions, notes: list[str]) -> tuple[bytes, Head]:
    """The text with one delimiter between its cells, and its first rows."""
    if options.delimiter == ALIGNED:
        return _aligned(text, options.skip_rows or 0, only_if_clear=False)
    head = _declared_head(text, options, notes)
    if options.delimiter is None and modal_width(head.rows) == 1 and len(head.rows) > 1:
        aligned, head_of_aligned = _aligned(text, options.skip_rows or 0, only_if_clear=True)
        if head_of_aligned.aligned:
            notes.append("The file has no delimiter; its columns are aligned with blanks and were read so.")
            return aligned, head_of_aligned
    tidied = without_blanks_after_delimiters(text, head.delimiter, head.quote)
    if tidied is None:
        return text, head
    notes.append("Blanks follow the delimiters of this file; they were left out.")
    return tidied, _declared_head(tidied, replace(options, delimiter=head.delimiter, quote=head.quote), [])


def _aligned(text: bytes, skip_rows: int, *, only_if_clear: bool) -> tuple[bytes, Head]:
    columns = parted(text, skip_rows, only_if_clear=only_if_clear)
    if columns is None:
        return text, read_head(text, None, "")
    return columns, replace(read_head(columns, PARTED, ""), aligned=True)


def _declared_head(text: bytes, options: ReadOptions, notes: list[str]) -> Head:
    """The first rows, less a first line that declares the delimiter (``sep=;``, a habit of Excel)."""
    check_marks(options.delimiter, options.quote)
    declared = _SEP_LINE.match(text[:64]) if options.skip_rows is None or options.skip_rows > 0 else None
    if declared is None:
        return read_head(text, options.delimiter, options.quote)
    delimiter = options.delimiter or declared.group(1).decode("utf-8", errors="replace")
    head = read_head(text, delimiter, options.quote)
    rows = [row for row in head.rows if row.line > 1]
    if not rows:
        raise InputError("The file declares a delimiter and holds nothing else. Export it again.")
    notes.append("The first line declares the delimiter (sep=); it was used and left out.")
    return replace(head, rows=rows)


def _line_start(text: bytes, line: int) -> int:
    """Where a line begins (lines counted from 1)."""
    position = 0
    for _ in range(line - 1):
        end = _LINE_END.search(text, position)
        if end is None:
            return len(text)
        position = end.end()
    return position


@dataclass(frozen=True)
class _Below:
    """Where the records end, and what stands below them: how many lines, which, and notes on them."""

    stop: int
    skipped: int = 0
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()


def _below(text: bytes, start: int, head: Head, layout: Layout, options: ReadOptions) -> _Below:
    stop = len(text)
    while stop > start and text[stop - 1] in _TRAILING:
        stop -= 1
    begin = max(start, stop - _TAIL)
    ends = [end.start() for end in _LINE_END.finditer(text, begin, stop)]
    starts = [begin, *(end.end() for end in _LINE_END.finditer(text, begin, stop))]
    n_looked_at = max(_TAIL_LINES, options.skip_footer or 0)
    places = list(zip(starts, [*ends, stop], strict=True))[-n_looked_at:]
    lines = [text[a:b].decode("utf-8", errors="replace") for a, b in places]
    last_line = 1 + text.count(b"\n", 0, stop) + text.count(b"\r", 0, stop) - text.count(b"\r\n", 0, stop)
    rows = [
        Row(last_line - len(lines) + 1 + i, next(csv_rows([line], head.delimiter, head.quote, strict=False), []))
        for i, line in enumerate(lines)
    ]
    if options.keep_lines or options.skip_footer == 0:
        return _Below(stop)
    notes: tuple[str, ...] = ()
    if options.skip_footer is not None:
        length = options.skip_footer
        if length >= len(starts):
            raise InputError("More lines are to be skipped at the end than can be. Skip fewer.")
    else:
        length, notes = _footer(rows, lines, head, layout, cut_off=begin > start and len(lines) == len(starts))
    if length == 0:
        return _Below(stop, notes=notes)
    gone = tuple(left_out(row, "below the table") for row in rows[-length:] if row.filled)
    return _Below(ends[-length] if length <= len(ends) else start, length, gone, notes)


def _footer(
    rows: list[Row], lines: list[str], head: Head, layout: Layout, *, cut_off: bool
) -> tuple[int, tuple[str, ...]]:
    """How many of the last lines are totals or notes, and a note that says so."""
    odd = [i for i, line in enumerate(lines) if head.quote and line.count(head.quote) % 2]
    # Lines up to an odd quotation mark may be part of a cell; the first line of a tail may begin in the middle.
    tail = rows[max(odd[-1] + 1 if odd else 0, int(cut_off)) :]
    if not tail:
        return 0, ()
    above = [row.cells for row in head.rows if layout.first_record <= row.line < tail[0].line and row.filled]
    all_seen = head.complete and (not head.rows or head.rows[-1].line >= tail[0].line - 1)
    footer = find_footer(tail, above, layout.width, all_seen=all_seen)
    return footer.length, tuple(footer.notes("line"))


def _comments(rows: Sequence[IrregularRow]) -> list[LeftOut]:
    return [left_out(Row(row.line, row.cells), "comment") for row in rows[:MOST_LEFT_OUT]]


def _read_body(
    text: bytes, start: int, stop: int, head: Head, layout: Layout, options: ReadOptions, limits: Limits
) -> tuple[list[Column], int, Repairs]:
    width = layout.width
    check_cells(text.count(b"\n", start, stop) + 1, width, limits)
    body = memoryview(text)[start:stop]
    quoted = bool(head.quote) and text.find(head.quote.encode(), start, stop) >= 0
    table, n_irregular = _parse(body, head, width)
    suspicious = quoted and (not quotes_are_plain(body, head.quote, head.delimiter) or _has_line_breaks(table))
    if table is not None and not n_irregular and not suspicious:
        return [_column(table.column(i)) for i in range(width)], table.num_rows, Repairs()
    irregular, n_rows = find_irregular(bytes(body), head.delimiter, head.quote, width, layout.first_record)
    repairs = settle(
        irregular,
        width,
        head.delimiter,
        n_rows,
        fill_short_rows=options.fill_short_rows,
        keep_comments=options.keep_lines,
        hash_begins_values=table is not None and any(v.startswith("#") for v in _column(table.column(0)).values),
    )
    if table is None or table.num_rows + len(irregular) != n_rows:
        raise InputError(
            "The rows of this file cannot be told apart with certainty. "
            "Export it again with every cell in quotation marks."
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


def _column(column: pa.ChunkedArray) -> Column:
    array = column.combine_chunks()
    if isinstance(array, pa.ChunkedArray):
        array = array.chunk(0) if array.num_chunks else pa.array([], pa.string()).dictionary_encode()
    return Column("", array.indices.to_numpy(zero_copy_only=False), array.dictionary.to_pylist())


def _with_rows(column: Column, place: int, irregular: list, repairs: Repairs) -> Column:
    """A column with the repaired rows put back where they stood."""
    if not repairs.rows:
        return column
    values = list(column.values)
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
    return Column(column.name, np.insert(column.codes, positions, codes), values)


def _oddities(text: bytes, head: Head, layout: Layout) -> list[str]:
    notes = []
    if layout.width == 1 and (mark := _inner_mark(head.rows)):
        notes.append(
            f"The file was read as one column, and nearly every line holds {mark}. "
            "If its lines hold several cells, choose the delimiter that parts them."
        )
    if b"\0" in text:
        notes.append("The text holds NUL characters; they were kept as part of their cells.")
    if head.quote == "'":
        notes.append("Cells are quoted with single quotation marks (').")
    return notes


def _inner_mark(rows: Sequence[Row]) -> str | None:
    """What stands in nearly every line of a single column and may part cells; None when nothing does."""
    texts = [row.cells[0].strip() for row in rows if row.filled]
    for mark, name in _MARKS.items():
        if len(texts) > 1 and sum(mark in text for text in texts) >= 0.9 * len(texts):
            return name
    return None
