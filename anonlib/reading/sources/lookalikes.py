"""Values that a person reads as one and are not the same text: pointed out, merged only when asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonlib.basics.errors import InputError
from anonlib.reading.sources.marks import Counted, with_categories
from anonlib.values.spellings import groups_read_as_one


@dataclass(frozen=True)
class Lookalike:
    """Values of a column that a person reads as one (:func:`anonlib.values.spellings.read_as_one`).

    Attributes
    ----------
    column : str
        Its name.
    values : tuple[str, ...]
        The spellings, most frequent first (natural order among equals).
    counts : tuple[int, ...]
        Records with each.
    """

    column: str
    values: tuple[str, ...]
    counts: tuple[int, ...]


def lookalikes(columns: Mapping[str, Counted]) -> tuple[Lookalike, ...]:
    """Groups of values that a person reads as one (:func:`anonlib.values.spellings.read_as_one`).

    Parameters
    ----------
    columns : Mapping[str, Counted]
        By column, its values with their numbers of records.

    Returns
    -------
    The groups of two and more values, by column.
    """
    found = []
    for name, column in columns.items():
        for group in groups_read_as_one(column.values):
            order = sorted(group, key=lambda i: (-column.records[i], i))
            values = tuple(column.values[i] for i in order)
            counts = tuple(int(column.records[i]) for i in order)
            found.append(Lookalike(name, values, counts))
    return tuple(found)


def merge_lookalikes(frame: pd.DataFrame, column: str) -> pd.DataFrame:
    """A frame in which look-alike values of one column all have their most frequent spelling (the first on a tie).

    Parameters
    ----------
    frame : pd.DataFrame
        Categoricals of text.
    column : str
        Its name.

    Returns
    -------
    pd.DataFrame

    Raises
    ------
    InputError
        When there is no such column.
    """
    if column not in frame.columns:
        raise InputError(f"There is no column {column}. Choose one of the columns.", code="column-unknown")
    values = frame[column].array
    counts = np.bincount(values.codes[values.codes >= 0], minlength=len(values.categories))
    kept, place = np.unique(_targets(values.categories.to_numpy(dtype=object), counts), return_inverse=True)
    return frame.assign(**{column: with_categories(values, place, values.categories[kept])})


def one_spelling(values: np.ndarray, records: np.ndarray) -> np.ndarray:
    """Per value of a column, with its number of records, the spelling that :func:`merge_lookalikes` gives it.

    Parameters
    ----------
    values : np.ndarray
        Its distinct values, none missing.
    records : np.ndarray
        int64, the number of records with each.

    Returns
    -------
    np.ndarray
    """
    return values[_targets(values, records)]


def _targets(values: np.ndarray, records: np.ndarray) -> np.ndarray:
    """Per value the position of the most frequent one that is read as the same."""
    target = np.arange(len(values))
    for group in groups_read_as_one(values):
        target[group] = max(group, key=lambda i: (records[i], -i))
    return target
