"""Blanks between cells: columns aligned with blanks, and blanks that follow delimiters."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

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
    tidied = cell.sub(lambda found: found[1] + (found[3] if found[2] is None else found[2]), text)
    return tidied if tidied != text else None
