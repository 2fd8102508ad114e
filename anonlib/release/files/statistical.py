"""A release for Stata and for SPSS, written in memory."""

from __future__ import annotations

import datetime
import io
import os

import numpy as np
import pandas as pd
import pyreadstat

from anonlib.release.files.names import spss_names, stata_names
from anonlib.release.files.rows import ReleasedColumn, ReleasedRows, as_numbers

STATA_SHORT = 2_045  # bytes of a text that is not stored apart
SPSS_LONGEST_TEXT = 32_767  # bytes
IN_MEMORY = hasattr(os, "memfd_create")
"""Whether this system has files without a disk, which writing for SPSS needs."""

MOST_CODES = 1_000
"""Most different labels of a recoded column that is codes with value labels."""

_LONGEST_VALUE_LABEL = 120  # bytes, as SPSS allows
_LARGEST_CODE = 2_147_483_000  # below Stata's largest whole number that is not missing
_LONGEST_LABEL = 80  # characters of a column's description, as Stata allows
_WRITTEN = datetime.datetime(1980, 1, 1)
_SPSS_WRITTEN, _SPSS_WRITTEN_AT = b"01 Jan 8000:00:00", 92  # date and time in the header: else no two files were equal


def write_stata(rows: ReleasedRows) -> bytes:
    """Format 118 (Stata 14 on, UTF-8): numbers as doubles, missing as ``.``, missing texts empty.

    Recoded columns are whole numbers with their labels as value labels, missing as ``.`` (:func:`_coded`).
    """
    names = stata_names([column.name for column in rows.columns])
    frame = pd.DataFrame({name: _cells(column) for name, column in zip(names, rows.columns, strict=True)})
    coded = {name: codes for name, column in zip(names, rows.columns, strict=True) if (codes := _coded(column))}
    long = [
        name
        for name, column in zip(names, rows.columns, strict=True)
        if column.numbers is None and name not in coded and _longest(column) > STATA_SHORT
    ]
    written = io.BytesIO()
    frame.to_stata(
        written, write_index=False, version=118, convert_strl=long, time_stamp=_WRITTEN,
        variable_labels={name: _label(column) for name, column in zip(names, rows.columns, strict=True)},
        value_labels=coded or None,  # type: ignore[arg-type]
    )  # fmt: skip
    return written.getvalue()


def write_spss(rows: ReleasedRows) -> bytes:
    """A .sav file in UTF-8: numbers as numbers, missing as system missing, missing texts blank and declared missing.

    Recoded columns are whole numbers with their labels as value labels, missing as system missing (:func:`_coded`).
    SPSS fills texts up with blanks, so blanks at the end of a text are lost.
    """
    named = list(zip(spss_names([column.name for column in rows.columns]), rows.columns, strict=True))
    frame = pd.DataFrame({name: _cells(column) for name, column in named})
    labels: list[str | None] = [_label(column) for column in rows.columns]
    shown = {name: _shown(column) for name, column in named if column.numbers is not None}
    coded = {name: codes for name, column in named if (codes := _coded(column))}
    shown |= dict.fromkeys(coded, "F8.0")
    texts = [name for name, column in named if column.numbers is None and name not in coded]
    with_missing = [name for name in texts if (frame[name] == "").any()]
    file = os.memfd_create("release")
    try:
        path = f"/proc/self/fd/{file}"
        pyreadstat.write_sav(
            frame, path, column_labels=labels, variable_format=shown, row_compress=True, variable_value_labels=coded,
            missing_ranges={name: [""] for name in with_missing},
        )  # fmt: skip
        os.pwrite(file, _SPSS_WRITTEN, _SPSS_WRITTEN_AT)
        with open(file, "rb", closefd=False) as written:
            written.seek(0)
            return written.read()
    finally:
        os.close(file)


def _cells(column: ReleasedColumn) -> np.ndarray:
    if column.numbers is not None:
        return column.floats
    if coded := _coded(column):
        return np.append(np.array(list(coded), dtype=float), np.nan)[column.codes]
    return np.append(column.labels, [""])[column.codes]


def _longest(column: ReleasedColumn) -> int:
    """Bytes of the longest label."""
    return max((len(str(label).encode()) for label in column.labels), default=0)


def _coded(column: ReleasedColumn) -> dict[int | float, str]:
    """The code of each label of a recoded column, with the label; none where the column stays one of texts.

    The number itself where every label is a whole one, else from 1 in the column's order. What is blank and what was
    missing already have no code and are both missing to the program, which leaves them out of what it counts.
    """
    if not column.is_recoded or column.is_person or not 0 < len(column.labels) <= MOST_CODES:
        return {}
    if _longest(column) > _LONGEST_VALUE_LABEL:
        return {}
    numbers = as_numbers(column.labels)
    are_codes = numbers is not None and (numbers % 1 == 0).all() and (np.abs(numbers) < _LARGEST_CODE).all()
    codes = numbers.astype(int).tolist() if numbers is not None and are_codes else range(1, len(column.labels) + 1)
    return {code: str(label) for code, label in zip(codes, column.labels, strict=True)}


def _shown(column: ReleasedColumn) -> str:
    """How SPSS is to show a column of numbers: with the decimals that it has."""
    decimals = max(len(str(label).partition(".")[2]) for label in column.labels)
    return f"F{max(8, *(len(str(label)) for label in column.labels))}.{decimals}"


def _label(column: ReleasedColumn) -> str:
    """What the column is called in the release, since its name may be another here."""
    return column.name[:_LONGEST_LABEL]
