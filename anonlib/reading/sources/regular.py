"""Large regular text, read as columns of codes into distinct values, or not at all at the first doubt.

In regular text every row has its cells and every quotation mark its place, which each byte of it shows.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from anonlib.basics.cores import n_threads
from anonlib.basics.progress import Progress, nobody
from anonlib.reading.sources.regular_loops import (
    IRREGULAR,
    ByteMarks,
    Keys,
    Values,
    copy_values,
    encode,
    fill_slots,
    find_cells,
    find_keys,
)

BLOCK = 1 << 17
"""Cells that are looked at together: so many stay near the processor."""
_BOM = b"\xef\xbb\xbf"


def read_regular(
    body: memoryview,
    delimiter: str,
    quote: str,
    width: int,
    n_lines: int,
    progress: Progress = nobody,
) -> list[tuple[np.ndarray, pa.Array]] | None:
    """The columns of a table of which each row is plainly separate; None where one is not.

    Separate are rows of as many cells as there are columns, ended by a line feed, with or without a carriage return
    before it. A quotation mark opens a cell or closes one; a quoted cell holds neither another one nor a line break.
    Blank lines are no rows unless there is one column.

    Parameters
    ----------
    body : memoryview
        UTF-8, from the first record to the last.
    delimiter, quote : str
        One ASCII character each; no quote where quotation marks are ordinary text.
    width : int
        Cells a row.
    n_lines : int
        Lines of the body, or more.
    progress : Progress, default nobody
        Called with the share of the body that is read, 0 to 1; what it raises ends the reading.

    Returns
    -------
    For each column its codes (int32, a row each) and its distinct texts, in the order in which they came first.
    """
    if bytes(body[: len(_BOM)]) == _BOM or n_lines >= np.iinfo(np.int32).max:
        return None
    text = np.frombuffer(body, dtype=np.uint8)
    marks = ByteMarks(ord(delimiter), ord(quote) if quote else -1)
    n_together = max(BLOCK // width, 1)
    columns = [_Values(n_lines, n_together) for _ in range(width)]
    n_rows = position = 0
    with ThreadPoolExecutor(n_threads()) as threads:
        ahead, cells, others = None, _Cells.of(width, n_together), _Cells.of(width, n_together)
        while position < len(text):
            n_read, position = find_cells(text, position, marks, *cells) if ahead is None else ahead.result()
            if n_read == IRREGULAR:
                return None
            if position < len(text):  # while the columns take these in
                ahead = threads.submit(find_cells, text, position, marks, *others)
            list(threads.map(partial(_Values.add, text=text, n_rows=n_rows), columns, *cells.by_column(n_read)))
            cells, others = others, cells
            n_rows += n_read
            progress(position / len(text))
    if n_rows == 0:
        return None
    return [(column.codes[:n_rows], column.texts(text)) for column in columns]


class _Cells(NamedTuple):
    """Where the cells of some rows are."""

    starts: np.ndarray  # int64, columns x rows
    lengths: np.ndarray

    @classmethod
    def of(cls, width: int, n_rows: int) -> _Cells:
        """Room for so many."""
        return cls(*(np.empty((width, n_rows), dtype=np.int64) for _ in range(2)))

    def by_column(self, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
        """The same of the first rows."""
        return self.starts[:, :n_rows], self.lengths[:, :n_rows]


class _Values:
    """The values of a column while its rows are read."""

    def __init__(self, n_rows: int, n_together: int) -> None:
        self.codes = np.empty(n_rows, dtype=np.int32)
        self.n = 0
        self._values = Values(*(np.empty(0, dtype) for dtype in (np.uint64, np.uint64, np.int64, np.int64)))
        self._slots = np.empty(0, dtype=np.uint64)
        self._keys = Keys(*(np.empty(n_together, dtype=np.uint64) for _ in range(3)))

    def add(self, starts: np.ndarray, lengths: np.ndarray, text: np.ndarray, n_rows: int) -> None:
        """Take in the cells of some more rows, below those there are."""
        keys = self._keys
        self._make_room(self.n + len(starts))
        find_keys(text, starts, lengths, keys)
        codes = self.codes[n_rows : n_rows + len(starts)]
        self.n = encode(text, starts, lengths, keys, self._values, self._slots, self.n, codes)

    def _make_room(self, n: int) -> None:
        room = len(self._values.starts)
        if n > room:
            more = max(n, min(4 * room, len(self.codes))) - self.n
            self._values = Values(
                *(np.concatenate([part[: self.n], np.empty(more, part.dtype)]) for part in self._values)
            )
        if 2 * n > len(self._slots):
            before, self._slots = self._slots, np.zeros(1 << (2 * n - 1).bit_length(), dtype=np.uint64)
            fill_slots(before, self._slots)

    def texts(self, text: np.ndarray) -> pa.Array:
        """The values as text; what finds them is let go."""
        starts, lengths = self._values.starts[: self.n], self._values.lengths[: self.n]
        ends = np.concatenate([[0], np.cumsum(lengths)])
        out = np.empty(ends[-1], dtype=np.uint8)
        copy_values(text, starts, lengths, out)
        del self._values, self._slots, self._keys
        return pa.LargeStringArray.from_buffers(self.n, pa.py_buffer(ends), pa.py_buffer(out))
