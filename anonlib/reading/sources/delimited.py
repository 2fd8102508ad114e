"""Delimited text: where the table is, and reading its every cell as text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody, share_of
from anonlib.reading.sources.body import IrregularRow, read_body
from anonlib.reading.sources.dialect import (
    PARTED,
    Head,
    check_marks,
    csv_rows,
    parted,
    read_head,
    without_blanks_after_delimiters,
)
from anonlib.reading.sources.encodings import utf8_text
from anonlib.reading.sources.footers import find_footer
from anonlib.reading.sources.headers import BETWEEN_RECORDS, Row, left_out, repeated_names, repeated_names_in_words
from anonlib.reading.sources.layout import BLANK, NO_RECORDS, TextLayout, find_layout, modal_width
from anonlib.reading.sources.names import check_width, column_names
from anonlib.reading.sources.reading import (
    ALIGNED,
    MOST_LEFT_OUT,
    CodedColumn,
    LeftOut,
    Limits,
    Reading,
    ReadOptions,
    finished_frame,
)

_SEP_LINE = re.compile(rb'"?sep=([^\r\n])"?[ \t]*(\r\n|\n|\r|$)', re.IGNORECASE)
_INK = re.compile(rb"[^\s\x1a]")
_LINE_END = re.compile(rb"\r\n|\n|\r")
_TAIL = 1 << 16
_TAIL_LINES = 40
_MARKS = {":": "a colon", ";": "a semicolon", ",": "a comma", "|": "a vertical bar", " ": "a blank"}
_FOUND, _READ = 0.1, 0.6  # shares of the work: where the table is found, and where its rows are read
_TRAILING = b"\r\n\x1a"  # blank lines, and the end mark of DOS files


def read_delimited(
    data: bytes, options: ReadOptions, limits: Limits, progress: Progress = nobody
) -> tuple[pd.DataFrame, Reading]:
    """Reads delimited text. Every cell stays the text it is; a cell of only blanks is missing.

    ``progress`` is called with the share that is done, 0 to 1; what it raises ends the reading.

    Raises
    ------
    InputError
        For text that cannot be read without guessing where a cell belongs.
    """
    progress(0.0)
    text, encoding, notes = utf8_text(data, options.encoding)
    if not _INK.search(text):
        raise InputError(BLANK, code="file-is-empty")
    text, head = _head(text, options, notes)
    check_width(max(len(row.cells) for row in head.rows), limits)
    layout = find_layout(head.rows, options.header, options.skip_rows, keep_lines=options.keep_lines)
    names, name_notes = column_names(layout.names, layout.width, limits)
    start = _line_start(text, layout.first_record)
    below = _below(text, start, head, layout, options)
    if below.stop <= start:
        raise InputError(NO_RECORDS, code="file-without-records")
    columns, n_rows, repairs = read_body(
        text, start, below.stop, head, layout, options, limits, share_of(progress, _FOUND, _READ)
    )
    columns, repeated = ([*columns], []) if options.keep_lines else _without_names(text, start, columns, layout, head)
    n_rows -= len(repeated)
    columns = [replace(column, name=name) for column, name in zip(columns, names, strict=True)]
    frame, edge_notes = finished_frame(
        columns,
        n_rows,
        named=[bool(cell.strip()) for cell in layout.names],
        progress=share_of(progress, _READ, 1.0),
    )
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
            *([repeated_names_in_words([line.line for line in repeated], "lines")] if repeated else ()),
            *repairs.notes,
            *edge_notes,
            *_oddities(text, head, layout),
        ),
        left_out=(*layout.above, *layout.below_names, *repeated, *_comments(repairs.comments), *below.left_out)[
            :MOST_LEFT_OUT
        ],
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
        raise InputError(
            "The file declares a delimiter and holds nothing else. Export it again.", code="file-without-records"
        )
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


def _below(text: bytes, start: int, head: Head, layout: TextLayout, options: ReadOptions) -> _Below:
    stop = len(text)
    while stop > start and text[stop - 1] in _TRAILING:
        stop -= 1
    begin = max(start, stop - _TAIL)
    ends = [end.start() for end in _LINE_END.finditer(text, begin, stop)]
    starts = [begin, *(end.end() for end in _LINE_END.finditer(text, begin, stop))]
    n_looked_at = max(_TAIL_LINES, options.skip_footer or 0)
    places = list(zip(starts, [*ends, stop], strict=True))[-n_looked_at:]
    lines = [text[a:b].decode("utf-8", errors="replace") for a, b in places]
    last_line = 1 + text.count(b"\n", 0, stop)
    if b"\r" in text:
        last_line += text.count(b"\r", 0, stop) - text.count(b"\r\n", 0, stop)
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
            raise InputError(
                "More lines are to be skipped at the end than can be. Skip fewer.", code="number-out-of-range"
            )
    else:
        length, notes = _footer(rows, lines, head, layout, cut_off=begin > start and len(lines) == len(starts))
    if length == 0:
        return _Below(stop, notes=notes)
    gone = tuple(left_out(row, "below the table") for row in rows[-length:] if row.filled)
    return _Below(ends[-length] if length <= len(ends) else start, length, gone, notes)


def _footer(
    rows: list[Row], lines: list[str], head: Head, layout: TextLayout, *, cut_off: bool
) -> tuple[int, tuple[str, ...]]:
    """How many of the last lines are totals or notes, and a note that says so."""
    odd = [i for i, line in enumerate(lines) if head.quote and line.count(head.quote) % 2]
    # Lines up to an odd quotation mark may be part of a cell; the first line of a tail may begin in the middle.
    tail = rows[max(odd[-1] + 1 if odd else 0, int(cut_off)) :]
    if not tail:
        return 0, ()
    above = [row.cells for row in head.rows if layout.first_record <= row.line < tail[0].line and row.filled]
    all_seen = head.complete and (not head.rows or head.rows[-1].line >= tail[0].line - 1)
    footer = find_footer(tail, above, layout.width, names=layout.names, all_seen=all_seen)
    return footer.length, tuple(footer.notes("lines"))


def _without_names(
    text: bytes, start: int, columns: Sequence[CodedColumn], layout: TextLayout, head: Head
) -> tuple[list[CodedColumn], list[LeftOut]]:
    """The columns without the records that only repeat the column names, and these."""
    named = list(zip(columns, layout.names, strict=False))
    may_hold = bool(named) and all(_may_hold(column, name) for column, name in named)
    places = repeated_names(layout.names, [(column.codes, column.texts()) for column in columns] if may_hold else [])
    if not len(places):
        return [*columns], []
    names = Row(0, list(layout.names))
    first = 1 + len(_LINE_END.findall(text, 0, start))
    lines = _lines_of_names(text, start, first, layout, head)
    if len(lines) != len(places):  # a cell of several lines, or blank ones among them
        lines = [first + place for place in places.tolist()]
    shortened = [replace(column, codes=np.delete(column.codes, places)) for column in columns]
    return shortened, [replace(left_out(names, BETWEEN_RECORDS), line=line) for line in lines]


def _may_hold(column: CodedColumn, name: str) -> bool:
    """Whether a name is among a column's values; looked up before they are made into texts."""
    if not name.strip():
        return True
    if not isinstance(column.values, pa.Array):
        return any(value.strip() == name.strip() for value in column.values)
    return bool(pc.any(pc.equal(pc.utf8_trim_whitespace(column.values), name.strip())).as_py())


def _lines_of_names(text: bytes, start: int, first: int, layout: TextLayout, head: Head) -> list[int]:
    """The lines, from that which begins at a place on, that hold the names and nothing else."""
    names = [name.strip() for name in layout.names]
    begins = names[0].encode() if names[0] else b""
    line_numbers = []
    for i, line in enumerate(_LINE_END.split(text[start:])):
        if begins not in line:
            continue
        cells = next(csv_rows([line.decode("utf-8", errors="replace")], head.delimiter, head.quote, strict=False), [])
        if [cell.strip() for cell in cells] == names:
            line_numbers.append(first + i)
    return line_numbers


def _comments(rows: Sequence[IrregularRow]) -> list[LeftOut]:
    return [left_out(Row(row.line, row.cells), "comment") for row in rows[:MOST_LEFT_OUT]]


def _oddities(text: bytes, head: Head, layout: TextLayout) -> list[str]:
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
