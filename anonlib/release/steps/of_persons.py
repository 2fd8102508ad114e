"""What steps share that go through the rows of each person: their secret, and what cells they can read."""

from __future__ import annotations

import secrets

import numpy as np

from anonlib.basics import checks, words
from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from anonlib.reading.records import FrameRecords, Records

SECRET_BYTES = 16
"""Bytes of the secret of a step."""


def new_secret() -> str:
    """A secret that the system draws, as hexadecimal digits."""
    return secrets.token_hex(SECRET_BYTES)


def checked_secret(value: object) -> str:
    """The secret of a step. Raises InputError where it is none; the sentence does not quote it."""
    text = checks.text(value, "The secret of the step").lower()
    if len(text) != 2 * SECRET_BYTES or not set(text) <= set("0123456789abcdef"):
        raise InputError(
            f"The secret of the step must be {2 * SECRET_BYTES} hexadecimal digits. Draw them, such as by "
            f"“openssl rand -hex {SECRET_BYTES}”.",
            code="secret-wrong",
        )
    return text


def values_of(held: Records, column: str, what: str) -> np.ndarray:
    """The values of a column, each of which is looked at.

    Parameters
    ----------
    held : Records
        Records, in memory or in an engine.
    column : str
        One of their columns.
    what : str
        What the values are, in the plural, for an error.

    Raises
    ------
    InputError
        In an engine, where they are too many to be fetched.
    """
    try:
        return held.values(column)
    except InputError:
        raise InputError(
            f"There are more than a million different {what}, too many to look at each while the records stay in a "
            "database. Take the table into memory: open it as a file; or do this where the records are.",
            code="too-many-values",
        ) from None


def refuse_unread(dataset: Dataset, column: str, is_read: np.ndarray, what: str, way_out: str) -> None:
    """Refuse cells that cannot be read, without naming their values.

    Parameters
    ----------
    dataset : Dataset
        Where the cells are.
    column : str
        One of its columns.
    is_read : np.ndarray
        bool per value of the column.
    what, way_out : str
        What a cell should be, such as “a date”, and what can be done, a sentence.

    Raises
    ------
    InputError
        Where some row has a value that is not read. It says how many, and in memory which is the first.
    """
    counts = dataset.held.counts_of(column)
    wrong = ~is_read & (counts.records > 0)
    if not wrong.any():
        return
    n, first = int(counts.records[wrong].sum()), ""
    if isinstance(dataset.held, FrameRecords):
        codes = np.asarray(dataset.held.frame[column].array.codes)
        row = int(np.argmax(np.append(wrong, False)[codes]))
        position = row if dataset.held.rows is None else int(dataset.held.rows[row])
        first = f", the first of them row {position + 1:,}"
    verb = "holds" if n == 1 else "hold"
    raise InputError(
        f"{words.count(n, 'rows')} of “{column}” {verb} something that is not {what}{first}. {way_out}",
        code="cells-not-values",
        column=column,
    )
