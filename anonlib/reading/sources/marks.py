"""Marks for missing values: proposed with their counts, applied when chosen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pandas as pd

from anonlib.basics.errors import InputError
from anonlib.values.cells import text_categorical, to_numbers

DEFAULT_MARKS = ("", "?", "NA")
"""Marks that count as missing unless the officer says otherwise."""

MISSING_WORDS = frozenset(
    "? na n/a n.a. n.a #n/a #na <na> nan null (null) \\n none nil missing (missing) - -- --- – — . .. ... * ** *** "
    "x xx xxx # ## ### unknown unk unk. undefined undetermined suppressed (suppressed) redacted masked withheld hidden "
    "blank empty refused declined #null! #value! #ref! #div/0! #name? #num! "
    "9999-12-31 1900-01-01 31/12/9999 01/01/1900".split()
) | frozenset(
    (
        "no data",
        "not applicable",
        "not available",
        "not known",
        "not recorded",
        "not reported",
        "not stated",
        "prefer not to say",
    )
)
_HIGH = frozenset({99.0, 888.0, 999.0, 8888.0, 9999.0, 99999.0, 999999.0, 88.0, 77.0, 777.0, 7777.0})
_LOW = frozenset({-1.0, -7.0, -8.0, -9.0, -77.0, -88.0, -99.0, -777.0, -888.0, -999.0, -9999.0, -99999.0})


class Counted(Protocol):
    """How often each value of a column occurs, wherever the records are."""

    @property
    def values(self) -> np.ndarray:
        """object array of text, the column's values in their order."""

    @property
    def records(self) -> np.ndarray:
        """int64, records with each value."""


@dataclass(frozen=True)
class MarkCandidate:
    """A value of a column that may stand for "missing", and in how many records it does.

    Attributes
    ----------
    column : str
        The column.
    mark : str
        The value.
    count : int
        The records that have it.
    """

    column: str
    mark: str
    count: int


def missing_mark_candidates(
    columns: Mapping[str, Counted], declared: Mapping[str, Sequence[str]] | None = None
) -> tuple[MarkCandidate, ...]:
    """Values that may mean "missing", by column, most frequent first; nothing is changed.

    Words and signs (``?``, ``NA``, ``null``, ``-``, ``.``, ``*``, ``suppressed`` ...) in any case, and numbers such as
    ``9999`` or ``-9`` where they stand apart from the other numbers of their column. Those of
    :data:`DEFAULT_MARKS` that occur are among them, and what is ``declared`` missing by column.

    Parameters
    ----------
    columns : Mapping[str, Counted]
        By column, its values with their numbers of records.
    declared : Mapping[str, Sequence[str]], optional
        By column, marks that the file itself names.

    Returns
    -------
    tuple[MarkCandidate, ...]
    """
    found = []
    for name, column in columns.items():
        values = list(column.values)
        merged: dict[str, int] = {}
        wanted = np.flatnonzero(marked(values, (declared or {}).get(name, ()))).tolist()
        for i in sorted({*_word_places(values), *_number_places(values), *wanted}):
            merged[values[i].strip()] = merged.get(values[i].strip(), 0) + int(column.records[i])
        found += [
            MarkCandidate(name, mark, count)
            for mark, count in sorted(merged.items(), key=lambda item: (-item[1], item[0]))
            if count
        ]
    return tuple(found)


def _word_places(values: list[str]) -> list[int]:
    return [i for i, value in enumerate(values) if len(value) < 24 and value.strip().casefold() in MISSING_WORDS]


def _number_places(values: list[str]) -> list[int]:
    """Sentinel numbers that stand apart: one well above all others, or a negative one where no other is negative."""
    if not any(_is_sentinel(value) for value in values):
        return []
    numbers = to_numbers(values)
    known = ~np.isnan(numbers)
    if known.mean() < 0.5:
        return []
    sentinel = known & np.isin(numbers, [*_HIGH, *_LOW])
    others = numbers[known & ~sentinel]
    if len(others) < 2:
        return []
    spread = others.max() - others.min()
    high = sentinel & (numbers > others.max() + max(1.0, 0.25 * spread))
    low = sentinel & (numbers < 0) & (others.min() >= 0)
    return np.flatnonzero(high | low).tolist()


def _is_sentinel(value: str) -> bool:
    if len(value) > 12:
        return False
    digits = value.strip().lstrip("-").split(".")[0].replace(",", "")
    return bool(digits) and (digits == "1" or set(digits) in ({"9"}, {"8"}, {"7"}))


def apply_missing_marks(frame: pd.DataFrame, marks: Iterable[str] | Mapping[str, Iterable[str]]) -> pd.DataFrame:
    """A frame in which these marks are missing; the frame given stays as it is.

    A mark is compared with the whole cell, case included, blanks around either left aside. Works on the distinct
    values, so that a million rows take milliseconds.

    Parameters
    ----------
    frame : pd.DataFrame
        Categoricals of text, as :func:`anonlib.reading.sources.open_source` gives.
    marks : Iterable[str] | Mapping[str, Iterable[str]]
        For all columns, or by column name (other columns stay as they are).

    Returns
    -------
    pd.DataFrame

    Raises
    ------
    InputError
        For a column that the frame does not have.
    """
    if isinstance(marks, str):
        marks = (marks,)
    by_column = marks if isinstance(marks, Mapping) else dict.fromkeys(frame.columns, tuple(marks))
    unknown = [str(name) for name in by_column if name not in frame.columns]
    if unknown:
        raise InputError(
            f"There is no column {unknown[0]} to mark values missing in. Choose one of the columns.",
            code="column-unknown",
        )
    changed = {}
    for name, chosen in by_column.items():
        column = frame[name].array
        keep = ~marked(column.categories, (chosen,) if isinstance(chosen, str) else chosen)
        if not keep.all():
            changed[name] = with_categories(column, np.where(keep, np.cumsum(keep) - 1, -1), column.categories[keep])
    return frame.assign(**changed) if changed else frame.copy(deep=False)


def marked(values: Sequence[str] | np.ndarray | pd.Index, marks: Iterable[str]) -> np.ndarray:
    """bool per value: it is one of the marks, blanks around either left aside.

    Parameters
    ----------
    values : Sequence[str] | np.ndarray | pd.Index
        The values.
    marks : Iterable[str]
        The marks.

    Returns
    -------
    np.ndarray
    """
    wanted = {mark.strip() for mark in marks}
    return np.fromiter((value.strip() in wanted for value in values), bool, len(values))


def with_categories(column: pd.Categorical, place: np.ndarray, categories: pd.Index) -> pd.Categorical:
    """A column whose old category i is the new category place[i] (-1: missing), in natural order.

    The order is made again: without its ``?`` a column may be one of numbers.
    """
    codes = np.append(place, -1)[column.codes]
    return text_categorical(pd.Categorical.from_codes(codes, categories=pd.Index(categories, dtype="object")))
