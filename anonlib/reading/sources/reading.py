"""What reading a file takes and gives: the officer's corrections, how it was read, and the source."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pandas as pd
import pyarrow as pa

from anonlib.basics.cores import n_threads
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody
from anonlib.basics.words import count, listed
from anonlib.reading.sources.described import Described
from anonlib.values.cells import coded_categorical
from anonlib.values.text_order import text_bytes

_MANY_ROWS = 1_000_000  # of which columns are made side by side


DELIMITER_NAMES = {
    ",": "comma",
    ";": "semicolon",
    "\t": "tab",
    "|": "vertical bar",
    "^": "caret",
    "~": "tilde",
    ":": "colon",
    " ": "blank (each)",
    "  ": "columns aligned with blanks",
    "\x01": "control character 1",
    "\x1f": "unit separator",
}
"""What a delimiter is called on screen."""
ALIGNED = "  "
"""Not one delimiter: columns aligned with blanks, or parted by any number of them."""
MOST_LEFT_OUT = 200
"""Most lines that a reading names as left out."""
_BLANKS = [character for character in map(chr, range(0x3001)) if character.isspace()]  # there are none above
_BEGINS_BLANK = np.isin(np.arange(256), [character.encode()[0] for character in _BLANKS])  # by byte


@dataclass(frozen=True)
class ReadOptions:
    """What the officer corrects about how a file is read; None leaves it to the content.

    Attributes
    ----------
    encoding : str, optional
        Name of a text encoding, one of :data:`anonlib.reading.sources.ENCODINGS` or another one Python knows.
    delimiter : str, optional
        The one character between cells.
    header : bool, optional
        Whether the first line of the table holds column names.
    skip_rows : int, optional
        Lines above the table (titles, comments, ``sep=``) that are not part of it; >= 0.
    skip_footer : int, optional
        Lines below the table (totals, notes), trailing blank lines not counted; >= 0.
    sheet : str, optional
        The worksheet to read.
    quote : str, optional
        The quotation mark around cells; ``""`` when quotation marks are ordinary text.
    fill_short_rows : bool, default False
        Read rows that end early as if their last cells were blank, instead of refusing them.
    keep_lines : bool, default False
        Keep as records the comments, and the lines below the column names or the table, that would be left out; those
        that end early are filled with blanks. It overrides ``skip_footer``.
    """

    encoding: str | None = None
    delimiter: str | None = None
    header: bool | None = None
    skip_rows: int | None = None
    skip_footer: int | None = None
    sheet: str | None = None
    quote: str | None = None
    fill_short_rows: bool = False
    keep_lines: bool = False


@dataclass(frozen=True)
class LeftOut:
    """A line that is not among the records.

    Attributes
    ----------
    line : int
        Where it stands, counted from 1 (the row, in a sheet).
    place : str
        "above the table", "below the column names", "between the records", "below the table", or "comment".
    text : str
        Its cells. It may tell of a person: to be shown where cells are shown, and nowhere else.
    """

    line: int
    place: str
    text: str = field(repr=False)


@dataclass(frozen=True)
class Limits:
    """How much one source may hold.

    Attributes
    ----------
    bytes : int, default 500000000
        Size of the file; a workbook may unpack to four times that, a Parquet file to eight times.
    columns : int, default 2000
        How many a table may have.
    cells : int, default 1000000000
        Rows times columns.
    """

    bytes: int = 500_000_000
    columns: int = 2_000
    cells: int = 1_000_000_000


@dataclass(frozen=True)
class Reading:
    """How a source was read, to show beside the preview. Attributes that do not apply to its format are None.

    Attributes
    ----------
    format : str
        Such as "Delimited text (CSV)", "Excel workbook", "Parquet", "Stata".
    encoding : str, optional
        The text encoding.
    delimiter : str, optional
        The one character between cells.
    quote : str, optional
        The quotation mark around cells; ``""`` when quotation marks are ordinary text.
    header : bool, optional
        Whether the first line of the table holds column names.
    skip_rows : int, optional
        Lines above the table that are not part of it; 0 or more.
    skip_footer : int, optional
        Lines below the table, trailing blank lines not counted; 0 or more.
    sheet : str, optional
        The worksheet that was read.
    sheets : tuple[str, ...], default ()
        Names of all worksheets.
    notes : tuple[str, ...], default ()
        A sentence on everything that was assumed or changed. No cell values.
    left_out : tuple[LeftOut, ...], default ()
        The lines that are not among the records, up to :data:`MOST_LEFT_OUT`; blank ones are not named.
    shown_otherwise : tuple[str, ...], default ()
        Columns of which the file has what a program shows in the place of cells, or leaves out: labels of values,
        values declared missing, another title.
    described : tuple[Described, ...], default ()
        What the file says of its columns.
    """

    format: str
    encoding: str | None = None
    delimiter: str | None = None
    quote: str | None = None
    header: bool | None = None
    skip_rows: int | None = None
    skip_footer: int | None = None
    sheet: str | None = None
    sheets: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    shown_otherwise: tuple[str, ...] = ()
    described: tuple[Described, ...] = field(default=(), repr=False)

    @property
    def labelled(self) -> dict[str, dict[str, str]]:
        """By column that has labels of values, the label of each cell that has one."""
        return {column.name: dict(column.labels) for column in self.described if column.labels}

    @property
    def delimiter_name(self) -> str | None:
        """The delimiter in a word, such as "semicolon"."""
        return None if self.delimiter is None else DELIMITER_NAMES.get(self.delimiter, f"“{self.delimiter}”")

    def with_notes(self, *notes: str, first: bool = False) -> Reading:
        """The same reading with further notes."""
        return replace(self, notes=(*notes, *self.notes) if first else (*self.notes, *notes))

    def of_sheet(self, form: str, sheet: str, sheets: Sequence[str], notes: Sequence[str]) -> Reading:
        """The same reading with what is known of its workbook, the notes on it first."""
        known = replace(self, format=form, sheet=sheet, sheets=tuple(sheets))
        return known.with_notes(*notes, first=True)


@dataclass(frozen=True)
class Source:
    """A file that has been read.

    Attributes
    ----------
    name : str
        For display only: no path parts, no control or direction characters. Never a path to open.
    frame : pd.DataFrame
        One categorical of text a column, in natural order; blank cells are missing.
    digest : str
        SHA-256 of the bytes, in hexadecimal.
    reading : Reading
        How it was read.
    n_bytes : int
        Size of the file.
    """

    name: str
    frame: pd.DataFrame
    digest: str
    reading: Reading
    n_bytes: int


@dataclass
class CodedColumn:
    """A column while it is being read: integer codes (-1 is missing) into its distinct values."""

    name: str
    codes: np.ndarray
    values: Sequence[str] | pa.Array  # an array is one of large strings

    @classmethod
    def of_texts(cls, name: str, codes: np.ndarray, texts: Iterable[str]) -> CodedColumn:
        """A column from codes into texts that may repeat; -1 is missing."""
        index: dict[str, int] = {}
        place = np.array([*(index.setdefault(text, len(index)) for text in texts), -1], dtype=np.int64)
        return cls(name, place[codes], list(index))

    def texts(self) -> list[str]:
        """The distinct values."""
        return self.values.to_pylist() if isinstance(self.values, pa.Array) else list(self.values)

    @cached_property
    def blank(self) -> np.ndarray:
        """The places of the values that are empty or hold only blanks."""
        if isinstance(self.values, pa.Array):
            return blank_places(self.values)
        return np.array([i for i, value in enumerate(self.values) if not value.strip()], dtype=np.intp)

    @property
    def has_only_blanks(self) -> bool:
        """Whether a value holds blanks and nothing else."""
        return any(str(self.values[int(i)]) for i in self.blank)

    def categorical(self) -> pd.Categorical:
        """The column as a categorical of text in natural order; cells that hold only blanks are missing."""
        codes = self.codes
        if len(self.blank):
            is_blank = np.zeros(len(self.values) + 1, dtype=bool)
            is_blank[self.blank] = True
            codes = np.where(is_blank[codes], codes.dtype.type(-1), codes)
        texts = self.values if isinstance(self.values, pa.Array) else np.array([*self.values, None], dtype=object)[:-1]
        return coded_categorical(codes, texts)


def blank_places(texts: pa.Array) -> np.ndarray:
    """The places of the texts (large strings) that are empty or hold only blanks."""
    begins, content = text_bytes(texts)
    filled = begins[1:] > begins[:-1]
    first = np.zeros(len(texts), dtype=np.uint8)
    first[filled] = content[begins[:-1][filled]]
    maybe = np.flatnonzero(~filled | _BEGINS_BLANK[first])
    return np.array([i for i in maybe if not texts[int(i)].as_py().strip()], dtype=np.intp)


def finished_frame(
    columns: Sequence[CodedColumn],
    n_rows: int,
    named: Sequence[bool],
    *,
    keep_rows: bool = False,
    progress: Progress = nobody,
) -> tuple[pd.DataFrame, list[str]]:
    """The columns as a frame, with notes on what was blank.

    Rows at the end and nameless columns at the right edge that hold only blanks are left out: spreadsheets write them.

    Parameters
    ----------
    named : Sequence[bool]
        Whether the file gives each column a name; empty when it has no header.
    keep_rows : bool, default False
        Whether blank rows at the end are records too (the format says how many records there are).
    progress : Progress, default nobody
        Called with the share of the columns that is done.
    """
    notes = []
    width = len(columns)
    series = {}
    with ThreadPoolExecutor(n_threads() if n_rows >= _MANY_ROWS else 1) as threads:
        for i, categorical in enumerate(threads.map(CodedColumn.categorical, columns)):
            series[columns[i].name] = categorical
            progress((i + 1) / len(columns))
    names = list(series)
    while width > 1 and not (named and named[width - 1]) and not len(series[names[width - 1]].categories):
        width -= 1
    if width < len(names):
        notes.append(f"Left out at the right: {count(len(names) - width, 'nameless columns')} of only blanks.")
    last = max((_last_filled(series[name]) for name in names[:width]), default=-1) + 1
    if keep_rows or width == 1:
        last = n_rows
    if last < n_rows:
        notes.append(f"Left out at the end: {count(n_rows - last, 'rows')} of only blanks.")
    if last == 0:
        raise InputError(
            "The table holds only blanks below its column names. Export it again with its records.",
            code="file-without-records",
        )
    blanked = [i + 1 for i, column in enumerate(columns[:width]) if column.has_only_blanks]
    if blanked:
        notes.append(f"Cells of only blanks are read as missing: column {listed(blanked)}.")
    trimmed = {name: series[name] if last == n_rows else series[name][:last] for name in names[:width]}
    return pd.DataFrame(trimmed, index=pd.RangeIndex(last), copy=False), notes


def _last_filled(column: pd.Categorical) -> int:
    filled = np.asarray(column.codes)[::-1] >= 0
    return len(filled) - 1 - int(filled.argmax()) if filled.any() else -1


def check_cells(rows: int, columns: int, limits: Limits) -> None:
    """Raises InputError when a table has more cells than the limit."""
    if rows * columns > limits.cells:
        raise InputError(
            f"The table has about {rows:,} rows and {columns:,} columns, more than {limits.cells:,} cells. "
            "Keep the columns you need, or open it as a Parquet file or database table.",
            code="too-many-cells",
        )
