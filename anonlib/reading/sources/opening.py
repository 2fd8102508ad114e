"""Opening a file: what it is decides who reads it."""

from __future__ import annotations

import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pandas as pd

from anonlib.basics import disk
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody
from anonlib.reading.sources.columnar import read_parquet
from anonlib.reading.sources.delimited import read_delimited
from anonlib.reading.sources.reading import Limits, Reading, ReadOptions, Source
from anonlib.reading.sources.sniff import display_name, kind_of
from anonlib.reading.sources.statistical import read_statistical
from anonlib.reading.sources.workbooks import WORKBOOKS, read_workbook

AS_FOUND = ReadOptions()
"""Everything decided from the content."""


def open_source(
    data: bytes | Path,
    name: str | None = None,
    options: ReadOptions = AS_FOUND,
    *,
    max_bytes: int = Limits.bytes,
    max_columns: int = Limits.columns,
    max_cells: int = Limits.cells,
    progress: Progress = nobody,
) -> Source:
    """Read a CSV, Excel, OpenDocument, Parquet, Stata, SAS or SPSS file as text, from memory.

    What the file is, is read off its first bytes and never off its name. Types are not guessed: every cell is
    the text it is in the file. Blank cells are missing; other marks for missing are values until
    :func:`anonlib.reading.sources.apply_missing_marks` is called.

    Parameters
    ----------
    data : bytes | Path
        The bytes, or the path of a file.
    name : str, optional
        The file's name, for display only.
    options : ReadOptions, default AS_FOUND
        What to correct about how the file is read.
    max_bytes : int, default Limits.bytes
        Largest size of the file in bytes.
    max_columns : int, default Limits.columns
        Most columns.
    max_cells : int, default Limits.cells
        Most rows times columns.
    progress : Progress, default nobody
        Of delimited text and Parquet, gets the share that is read, 0 to 1, and may raise to end the reading.

    Returns
    -------
    A :class:`Source`; its reading says in sentences what was assumed.

    Raises
    ------
    InputError
        When the file cannot be read exactly; the message says where and what to do, without cell values.
    """
    limits = Limits(max_bytes, max_columns, max_cells)
    if isinstance(data, (str, Path)):
        name = name or Path(data).name
        content = _bytes_of(Path(data), limits)
    else:
        content = bytes(data)
    _check_size(len(content), limits)
    shown = display_name(name)
    kind = kind_of(content)
    with ThreadPoolExecutor(1) as beside:
        digest = beside.submit(lambda: hashlib.sha256(content).hexdigest())
        frame, reading = _read(content, kind, options, limits, progress)
    ending = shown.rpartition(".")[2].lower() if "." in shown else ""
    if ending in _ENDINGS and kind not in _ENDINGS[ending]:
        reading = reading.with_notes(
            f"The name ends in .{ending}, but the content is {reading.format}; it was read as that.", first=True
        )
    return Source(shown, frame, digest.result(), reading, len(content))


def _read(
    content: bytes, kind: str, options: ReadOptions, limits: Limits, progress: Progress
) -> tuple[pd.DataFrame, Reading]:
    if kind == "text":
        return read_delimited(content, options, limits, progress)
    if kind in WORKBOOKS:
        return read_workbook(content, kind, options, limits)
    if kind == "parquet":
        return read_parquet(content, limits, progress)
    return read_statistical(content, kind, limits)


_ENDINGS = {
    "csv": {"text"},
    "tsv": {"text"},
    "txt": {"text"},
    "xlsx": {"xlsx"},
    "xls": {"xls"},
    "xlsm": {"xlsm", "xlsx"},
    "xlsb": {"xlsb"},
    "ods": {"ods"},
    "parquet": {"parquet"},
    "dta": {"stata"},
    "sas7bdat": {"sas7bdat"},
    "xpt": {"xport"},
    "sav": {"spss"},
    "zsav": {"spss"},
    "por": {"por"},
    "json": set(),
    "pdf": set(),
}


def _bytes_of(path: Path, limits: Limits) -> bytes:
    try:
        with disk.opened_to_read(path) as file:
            _check_size(os.fstat(file.fileno()).st_size, limits)
            return file.read()
    except FileNotFoundError:
        raise InputError("There is no file at that path. Check the path.", code="file-missing") from None
    except OSError:
        raise InputError(
            "The file at that path cannot be read. Check that it is a file and that you may read it.",
            code="file-unreadable",
        ) from None


def _check_size(n_bytes: int, limits: Limits) -> None:
    if n_bytes > limits.bytes:
        raise InputError(
            f"The file has {n_bytes / 1e6:,.0f} MB; at most {limits.bytes / 1e6:,.0f} MB are read into memory. "
            "Keep the columns you need, or open it as a Parquet file or database table.",
            code="file-too-large",
        )
