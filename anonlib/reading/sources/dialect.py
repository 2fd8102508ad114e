"""The delimiter and quotation mark of delimited text, from its first lines, and the blanks between its cells.

Delimiters and quotation marks come first. Then come columns that are aligned with blanks, and blanks that follow
delimiters.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from anonlib.basics.errors import InputError
from anonlib.reading.sources.headers import Row
from anonlib.reading.sources.layout import modal_width

if TYPE_CHECKING:
    from _csv import Reader


# Later ones win a tie: a comma that appears as regularly as a semicolon is a decimal mark.
_COMMON = (",", "|", ";", "\t")
_RARE = ("^", "~", "\x01", "\x1f")
_CLOCK = re.compile(r"(?<![\d:])([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d([.,]\d+)?)?(?![\d:])")
_SAMPLE, _LONG_LINES, _LONGEST_LINES = 1 << 17, 1 << 22, 1 << 28
_MOST_ROWS = 1_000
_LINE_END = re.compile(rb"\r\n|\n|\r")
_SINGLE_QUOTED = re.compile(r"'.*'", re.DOTALL)
LONGEST_CELL = 1 << 24
"""Characters in one cell; far less than this is usual, far more is an unclosed quotation mark."""


@dataclass(frozen=True)
class Head:
    """The first rows of a file and how they were separated; aligned when its columns were, with blanks."""

    delimiter: str
    quote: str
    rows: list[Row]
    complete: bool
    aligned: bool = False


def read_head(text: bytes, delimiter: str | None, quote: str | None) -> Head:
    """The first rows of a text, parsed with the delimiter and quotation mark given or else with the likeliest.

    Raises
    ------
    InputError
        For a delimiter or quotation mark that cannot be one.
    """
    check_marks(delimiter, quote)
    size = _SAMPLE
    if len(text) > size and len(_LINE_END.findall(text, 0, size)) < 20:
        size = _LONG_LINES
    sample = text[:size].decode("utf-8", errors="ignore")
    complete = size >= len(text)
    chosen_quote = '"' if quote is None else quote
    if delimiter is None:
        delimiter = _likeliest(sample, chosen_quote, complete)
    rows = _parse(sample, delimiter, chosen_quote, complete)
    if quote is None and _single_quoted(rows):
        again = _parse(sample, delimiter, "'", complete)
        if _regularity(again) >= _regularity(rows):
            return Head(delimiter, "'", again, complete)
    if not complete and len(rows) < 3:
        complete = len(text) <= _LONGEST_LINES
        rows = _parse(text[:_LONGEST_LINES].decode("utf-8", errors="ignore"), delimiter, chosen_quote, complete)
    return Head(delimiter, chosen_quote, rows, complete)


def check_marks(delimiter: str | None, quote: str | None) -> None:
    """Raises InputError for a delimiter or quotation mark that cannot be one."""
    if delimiter is not None and (len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n\0'):
        raise InputError(
            "A delimiter is one plain character such as a comma, a semicolon, a tab or a vertical bar.",
            code="delimiter-wrong",
        )
    if quote and (len(quote) != 1 or not quote.isascii() or quote in "\r\n\0" or quote == delimiter):
        raise InputError(
            "A quotation mark is one plain character other than the delimiter, or none.", code="quotation-mark-wrong"
        )


def csv_rows(lines: io.TextIOBase | Sequence[str], delimiter: str, quote: str, *, strict: bool) -> Reader:
    """A csv reader for these marks; an empty quote means that quotation marks are ordinary text.

    Raises the limit of ``csv`` to :data:`LONGEST_CELL` where it is lower, for the whole process and for good: a reader
    asks for it at every cell, and another thread may still be reading when this one is done.
    """
    if csv.field_size_limit() < LONGEST_CELL:
        csv.field_size_limit(LONGEST_CELL)
    if quote:
        return csv.reader(lines, delimiter=delimiter, quotechar=quote, strict=strict)
    return csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE, strict=strict)


def _parse(sample: str, delimiter: str, quote: str, complete: bool) -> list[Row]:
    reader = csv_rows(io.StringIO(sample, newline=""), delimiter, quote, strict=False)
    rows: list[Row] = []
    last_line = 0
    try:
        for cells in reader:
            rows.append(Row(last_line + 1, cells, reader.line_num))
            last_line = reader.line_num
            if len(rows) > _MOST_ROWS:
                return rows
    except csv.Error:
        if len(rows) < 2:
            raise InputError(
                f"A cell of the row that begins in line {last_line + 1:,} is longer than {LONGEST_CELL:,} characters; "
                "its quotation mark may never be closed. "
                "Correct that row, or choose that quotation marks are ordinary text.",
                code="cell-too-long",
            ) from None
        return rows
    return rows if complete or len(rows) < 2 else rows[:-1]


def _likeliest(sample: str, quote: str, complete: bool) -> str:
    best, best_score = ",", 0.0
    for delimiter in (*_RARE, *_COMMON):
        if delimiter not in sample:
            continue
        score = _trial(sample, delimiter, quote, complete)
        if delimiter in _RARE and score < 0.9:
            continue
        if score >= best_score and score > 0:
            best, best_score = delimiter, score
    if best_score < 1 and _colon_is_clear(sample, quote, complete):
        return ":"
    return best


def _trial(sample: str, delimiter: str, quote: str, complete: bool) -> float:
    try:
        return _regularity(_parse(sample, delimiter, quote, complete))
    except InputError:
        return 0.0


def _colon_is_clear(sample: str, quote: str, complete: bool) -> bool:
    """Whether colons part the cells: as many in every line as in a line of names, and not those of times of day.

    With two colons and more a line in twenty may have others: it is damaged, which is reported where the file is read.
    """
    if ":" not in sample:
        return False
    rows = [row.cells for row in _parse(sample, ":", quote, complete) if row.filled]
    names = [cell.strip() for cell in rows[0]] if rows else []
    alike = [cells for cells in rows if len(cells) == len(names)]
    least = len(rows) if len(names) < 3 else 0.95 * len(rows)
    if names and not names[-1]:  # each line ends with a colon
        names.pop()
    if len(alike) < max(3, least) or len(set(names)) < len(names):
        return False
    if not all(any(character.isalpha() for character in name) for name in names):
        return False
    if any(":" in cell for cells in rows for cell in cells):
        return True  # in quotation marks, which it needs where colons part the cells
    return any(":" in _CLOCK.sub("", ":".join(cells)) for cells in rows[1:])


def _regularity(rows: Sequence[Row]) -> float:
    """The share of rows that have as many cells as most; 0 when that is one cell."""
    filled = [row for row in rows if any(row.cells)]
    width = modal_width(filled)
    if width == 1:
        return 0.0
    return sum(len(row.cells) == width for row in filled) / len(filled)


def _single_quoted(rows: Sequence[Row]) -> bool:
    words = [cell.strip() for row in rows[:200] for cell in row.cells if re.search(r"[^\d.,+\s-]", cell)]
    quoted = sum(bool(_SINGLE_QUOTED.fullmatch(word)) or word.startswith("'") for word in words)
    return len(words) >= 4 and quoted * 2 > len(words)


PARTED = "\x1f"
"""What :func:`parted` writes between cells."""
_SAMPLE_LINES = 1_000
_CLEAR_LINES = 10
_UNFIT = 0.02  # share of lines that may stand across the beginning of a column, to be refused by their number
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|$)")


def parted(text: bytes, skip_rows: int, *, only_if_clear: bool) -> bytes | None:
    """A text of columns aligned with blanks, line for line, with :data:`PARTED` between its cells.

    Columns begin where the first line has a word and end where every line of the sample has a blank, so that blank
    cells keep their place. A line that does not fit them (a note, a name that is too long) becomes one cell, and is
    distinguished later. Where nothing is aligned, cells are parted by any number of blanks.

    Parameters
    ----------
    text : bytes
        UTF-8.
    skip_rows : int
        Lines above the table, left as they are.
    only_if_clear : bool
        Whether to return None where it is not plain that columns are aligned.
    """
    if b"\t" in text and only_if_clear:
        return None
    # Tabs are blanks up to the next stop.
    lines = [line.expandtabs() for line in _LINE.findall(text.decode("utf-8")) if line]
    sample = [line.rstrip() for line in lines[skip_rows : skip_rows + _SAMPLE_LINES] if line.strip()]
    starts = _column_starts(sample)
    if only_if_clear and not _is_clear(sample, starts):
        return None
    cut = lines[:skip_rows]
    words = {len(line.split()) for line in sample}
    by_words = len(starts) == 1 or (len(words) == 1 and not _is_clear(sample, starts))
    for line in lines[skip_rows:]:
        content = line.rstrip()
        cells = content.split() if by_words else _cells_at(content, starts)
        cut.append(PARTED.join(cells) + line[len(line.rstrip("\r\n")) :])
    return "".join(cut).encode()


def _column_starts(sample: Sequence[str]) -> list[int]:
    """Where columns begin: 0, and words of the first line that stand after a blank of (nearly) every line."""
    if len(sample) < 2:
        return [0]
    width = max(map(len, sample))
    n_inked = np.zeros(width, np.int64)
    for line in sample:
        n_inked[: len(line)] += np.array([not character.isspace() for character in line], np.int64)
    inked = n_inked > _UNFIT * len(sample)
    starts: list[int] = []
    for place in _word_starts(sample[0])[1:]:
        # Numbers stand flush right: the column may begin left of its name, after the last blank of every line.
        begin = place
        while begin > 0 and inked[begin - 1]:
            begin -= 1
        if begin > 0 and sample[0][begin - 1 : place].isspace() and begin not in starts:
            starts.append(begin)
    return [0, *starts]


def _word_starts(line: str) -> list[int]:
    return [match.start() for match in re.finditer(r"\S+", line)]


def _is_clear(sample: Sequence[str], starts: Sequence[int]) -> bool:
    """Whether aligned columns are plain: wide gaps, or many lines in which a blank is by chance hardly in one place."""
    if len(starts) < 2 or len(sample) < 3:
        return False
    if sum(start <= 0 or sample[0][:start].endswith("  ") for start in _word_starts(sample[0])) > len(starts):
        return False  # names far apart whose columns are not
    wide = any(sample[0][:start].endswith("  ") or _gap(sample, start) > 1 for start in starts[1:])
    return wide or len(sample) >= _CLEAR_LINES


def _gap(sample: Sequence[str], start: int) -> int:
    """How many blanks stand before a column in every line."""
    return min((len(line[:start]) - len(line[:start].rstrip()) for line in sample if len(line) > start), default=0)


def _cells_at(line: str, starts: Sequence[int]) -> list[str]:
    """The cells of a line; the whole line where a word stands across the beginning of a column."""
    if not line:
        return []
    if any(start < len(line) and not line[start - 1].isspace() for start in starts[1:]):
        return [line.strip()]
    ends = [*starts[1:], len(line)]
    return [line[start:end].strip() for start, end in zip(starts, ends, strict=True)]


def without_blanks_after_delimiters(text: bytes, delimiter: str, quote: str) -> bytes | None:
    """A text without the blanks that follow its delimiters; None when no quotation mark follows such a blank.

    Only a blank before a quotation mark shows that blanks are the writer's habit and not part of cells:
    ``1, "Paris, France"``.
    """
    if not quote or delimiter == " " or quote == " ":
        return None
    if quote.encode() not in text or f" {quote}".encode() not in text:  # both are sooner seen than what follows
        return None
    mark, ink = re.escape(delimiter.encode()), re.escape(quote.encode())
    if not re.search(mark + b" +" + ink, text):
        return None
    cell = re.compile(
        b"(^|" + mark + b"|[\r\n])"  # a cell begins
        b"(?: *(" + ink + b"(?:[^" + ink + b"]|" + ink + ink + b")*" + ink + b") *(?=" + mark + b"|[\r\n]|$)"
        b"| *([^" + mark + b"\r\n]*))"
    )
    tidied = cell.sub(lambda match: match[1] + (match[3] if match[2] is None else match[2]), text)
    return tidied if tidied != text else None
