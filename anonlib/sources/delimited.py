"""Delimited text: where the table is, and reading its every cell as text."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from anonlib.errors import InputError
from anonlib.sources.dialect import Head, check_marks, csv_rows, read_head
from anonlib.sources.encodings import utf8_text
from anonlib.sources.irregular import Repairs, find_irregular, quotes_are_plain, settle
from anonlib.sources.layout import NO_RECORDS, Layout, Row, find_layout, footer_length
from anonlib.sources.names import check_width, column_names
from anonlib.sources.reading import Column, Limits, Reading, ReadOptions, check_cells, finished_frame

_SEP_LINE = re.compile(rb'"?sep=([^\r\n])"?[ \t]*(\r\n|\n|\r|$)', re.IGNORECASE)
_INK = re.compile(rb"[^\s\x1a]")
_LINE_END = re.compile(rb"\r\n|\n|\r")
_TAIL = 1 << 16
_TRAILING = b"\r\n\x1a"  # blank lines, and the end mark of DOS files


def read_delimited(data: bytes, options: ReadOptions, limits: Limits) -> tuple[pd.DataFrame, Reading]:
    """Reads delimited text. Every cell stays the text it is; a cell of only blanks is missing.

    Raises InputError for text that cannot be read without guessing where a cell belongs.
    """
    text, encoding, notes = utf8_text(data, options.encoding)
    if not _INK.search(text):
        raise InputError("The file is empty: it holds only blanks. Export it again.")
    head = _head(text, options, notes)
    check_width(max(len(row.cells) for row in head.rows), limits)
    layout = find_layout(head.rows, options.header, options.skip_rows)
    names, name_notes = column_names(layout.names, layout.width, limits)
    start = _line_start(text, layout.first_record)
    stop, skip_footer, footer_notes = _stop(text, start, head, layout, options.skip_footer)
    if stop <= start:
        raise InputError(NO_RECORDS)
    columns, n_rows, row_notes = _read_body(text, start, stop, head, layout, options.fill_short_rows, limits)
    columns = [replace(column, name=name) for column, name in zip(columns, names, strict=True)]
    frame, edge_notes = finished_frame(columns, n_rows, named=[bool(cell.strip()) for cell in layout.names])
    reading = Reading(
        format="Delimited text (CSV)",
        encoding=encoding,
        delimiter=head.delimiter,
        quote=head.quote,
        header=layout.header,
        skip_rows=layout.skip_rows,
        skip_footer=skip_footer,
        notes=(*notes, *layout.notes, *footer_notes, *name_notes, *row_notes, *edge_notes, *_oddities(text, head)),
    )
    return frame, reading


def _head(text: bytes, options: ReadOptions, notes: list[str]) -> Head:
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


def _stop(text: bytes, start: int, head: Head, layout: Layout, skip_footer: int | None) -> tuple[int, int, list[str]]:
    """Where the records end, how many lines stand below them, and a note on those."""
    stop = len(text)
    while stop > start and text[stop - 1] in _TRAILING:
        stop -= 1
    begin = max(start, stop - _TAIL)
    ends = [end.start() for end in _LINE_END.finditer(text, begin, stop)]
    starts = [begin, *(end.end() for end in _LINE_END.finditer(text, begin, stop))]
    if skip_footer is not None:
        if skip_footer == 0:
            return stop, 0, []
        if skip_footer >= len(starts):
            raise InputError("More lines are to be skipped at the end than can be. Skip fewer.")
        return ends[-skip_footer], skip_footer, []
    first = 0 if begin == start else 1  # the first line of the tail may begin in the middle
    lines = [text[a:b].decode("utf-8", errors="replace") for a, b in zip(starts, [*ends, stop], strict=True)][first:]
    odd = [i for i, line in enumerate(lines) if head.quote and line.count(head.quote) % 2]
    lines = lines[odd[-1] + 1 :] if odd else lines
    rows = [
        Row(i + 1, next(csv_rows([line], head.delimiter, head.quote, strict=False), []))
        for i, line in enumerate(lines[-40:])
    ]
    further_up = head.rows[:-40] if head.complete else head.rows
    seen = [row.cells[0] for row in further_up if row.cells]
    length = footer_length(rows, layout.width, seen)
    if length == 0:
        return stop, 0, []
    note = "The last line (a total or a note below the table) was left out."
    if length > 1:
        note = f"The last {length} lines (totals or notes below the table) were left out."
    return (ends[-length] if length <= len(ends) else start), length, [note]


def _read_body(
    text: bytes, start: int, stop: int, head: Head, layout: Layout, fill_short_rows: bool, limits: Limits
) -> tuple[list[Column], int, list[str]]:
    width = layout.width
    check_cells(text.count(b"\n", start, stop) + 1, width, limits)
    body = memoryview(text)[start:stop]
    quoted = bool(head.quote) and text.find(head.quote.encode(), start, stop) >= 0
    table, n_irregular = _parse(body, head, width)
    suspicious = quoted and (not quotes_are_plain(body, head.quote, head.delimiter) or _has_line_breaks(table))
    if table is not None and not n_irregular and not suspicious:
        return [_column(table.column(i)) for i in range(width)], table.num_rows, []
    irregular, n_rows = find_irregular(bytes(body), head.delimiter, head.quote, width, layout.first_record)
    repairs = settle(irregular, width, head.delimiter, fill_short_rows)
    if table is None or table.num_rows + len(irregular) != n_rows:
        raise InputError(
            "The rows of this file cannot be told apart with certainty. "
            "Export it again with every cell in quotation marks."
        )
    columns = [_with_rows(_column(table.column(i)), i, irregular, repairs) for i in range(width)]
    return columns, n_rows - len(repairs.dropped), repairs.notes


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


def _oddities(text: bytes, head: Head) -> list[str]:
    notes = []
    if b"\0" in text:
        notes.append("The text holds NUL characters; they were kept as part of their cells.")
    if head.quote == "'":
        notes.append("Cells are quoted with single quotation marks (').")
    return notes
