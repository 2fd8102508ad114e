"""A release for Stata and for SPSS, written in memory."""

from __future__ import annotations

import datetime
import io
import os

import numpy as np
import pandas as pd
import pyreadstat

from anonlib.release.files.names import spss_names, stata_names
from anonlib.release.files.rows import ReleasedColumn, ReleasedRows

STATA_SHORT = 2_045  # bytes of a text that is not stored apart
SPSS_LONGEST_TEXT = 32_767  # bytes
IN_MEMORY = hasattr(os, "memfd_create")
"""Whether this system has files without a disk, which writing for SPSS needs."""

_LONGEST_LABEL = 80  # characters of a column's description, as Stata allows
_WRITTEN = datetime.datetime(1980, 1, 1)
_SPSS_WRITTEN, _SPSS_WRITTEN_AT = b"01 Jan 8000:00:00", 92  # date and time in the header: else no two files were equal


def write_stata(rows: ReleasedRows) -> bytes:
    """Format 118 (Stata 14 on, UTF-8): numbers as doubles, missing as ``.``, missing texts empty."""
    names = stata_names([column.name for column in rows.columns])
    frame = pd.DataFrame({name: _cells(column) for name, column in zip(names, rows.columns, strict=True)})
    long = [
        name
        for name, column in zip(names, rows.columns, strict=True)
        if column.numbers is None and max((len(label.encode()) for label in column.labels), default=0) > STATA_SHORT
    ]
    written = io.BytesIO()
    frame.to_stata(
        written, write_index=False, version=118, convert_strl=long, time_stamp=_WRITTEN,
        variable_labels={name: _label(column) for name, column in zip(names, rows.columns, strict=True)},
    )  # fmt: skip
    return written.getvalue()


def write_spss(rows: ReleasedRows) -> bytes:
    """A .sav file in UTF-8: numbers as numbers, missing as system missing, missing texts blank.

    SPSS fills texts up with blanks, so blanks at the end of a text are lost.
    """
    named = list(zip(spss_names([column.name for column in rows.columns]), rows.columns, strict=True))
    frame = pd.DataFrame({name: _cells(column) for name, column in named})
    labels: list[str | None] = [_label(column) for column in rows.columns]
    shown = {name: _shown(column) for name, column in named if column.numbers is not None}
    file = os.memfd_create("release")
    try:
        path = f"/proc/self/fd/{file}"
        pyreadstat.write_sav(frame, path, column_labels=labels, variable_format=shown, row_compress=True)
        os.pwrite(file, _SPSS_WRITTEN, _SPSS_WRITTEN_AT)
        with open(file, "rb", closefd=False) as written:
            written.seek(0)
            return written.read()
    finally:
        os.close(file)


def _cells(column: ReleasedColumn) -> np.ndarray:
    if column.numbers is not None:
        return column.floats
    return np.append(column.labels, [""])[column.codes]


def _shown(column: ReleasedColumn) -> str:
    """How SPSS is to show a column of numbers: with the decimals that it has."""
    decimals = max(len(str(label).partition(".")[2]) for label in column.labels)
    return f"F{max(8, *(len(str(label)) for label in column.labels))}.{decimals}"


def _label(column: ReleasedColumn) -> str:
    """What the column is called in the release, since its name may be another here."""
    return column.name[:_LONGEST_LABEL]
