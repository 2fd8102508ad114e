"""The records of delimited text as columns: read by compiled loops where they are regular, with care where not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody, share_of
from anonlib.reading.sources.dialect import Head
from anonlib.reading.sources.irregular import IrregularRow, Repairs, find_irregular, quotes_are_plain, settle
from anonlib.reading.sources.layout import Layout
from anonlib.reading.sources.reading import Column, Limits, ReadOptions, check_cells

FROM_BYTES = 1 << 24
"""Size of the smallest text that compiled loops read; a smaller one is read with care in less than a second."""


def read_body(
    text: bytes,
    start: int,
    stop: int,
    head: Head,
    layout: Layout,
    options: ReadOptions,
    limits: Limits,
    progress: Progress = nobody,
) -> tuple[list[Column], int, Repairs]:
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


def _regular(body: memoryview, head: Head, width: int, n_lines: int, progress: Progress) -> list[Column] | None:
    # Imported here, since the compiler of its loops takes a while that no small file should wait for.
    from anonlib.reading.sources.regular.rows import read_regular

    columns = read_regular(body, head.delimiter, head.quote, width, n_lines, progress)
    return None if columns is None else [Column("", *column) for column in columns]


def _read_with_care(
    body: memoryview, head: Head, layout: Layout, options: ReadOptions, progress: Progress, *, quoted: bool
) -> tuple[list[Column], int, Repairs]:
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


def _column(column: pa.ChunkedArray) -> Column:
    array = column.combine_chunks()
    if isinstance(array, pa.ChunkedArray):
        array = array.chunk(0) if array.num_chunks else pa.array([], pa.string()).dictionary_encode()
    return Column("", array.indices.to_numpy(zero_copy_only=False), array.dictionary.cast(pa.large_string()))


def _with_rows(column: Column, place: int, irregular: Sequence[IrregularRow], repairs: Repairs) -> Column:
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
    return Column(column.name, np.insert(column.codes, positions, codes), values)
