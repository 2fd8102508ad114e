"""Marks for missing values: proposed with their counts, applied when chosen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pandas as pd

from anonlib.basics.errors import InputError
from anonlib.values.cells import text_categorical, to_numbers
from anonlib.values.missing_words import is_far_date, is_missing_word
from anonlib.values.naming import fold

DEFAULT_MARKS = ("", "?", "NA")
"""Marks that count as missing unless the officer says otherwise."""

_RESULTS = frozenset("unclear uncertain unklar ungeklart indetermine undetermined".split())  # what a test can say
_LONGEST_WORD = 30  # characters
_MOST_LETTERS = 3  # of a word that may be a code of a list: NA, NS, ND
_LIKE_IT, _SHARE_LIKE_IT = 2, 0.5  # values that are codes of as many letters, so many and of the others at least
_HIGH = frozenset({99.0, 888.0, 999.0, 8888.0, 9999.0, 99999.0, 999999.0, 88.0, 77.0, 777.0, 7777.0})
_LOW = frozenset({-1.0, -7.0, -8.0, -9.0, -77.0, -88.0, -99.0, -777.0, -888.0, -999.0, -9999.0, -99999.0})


_NINES = frozenset({99.0, 999.0, 9999.0})
_ALL_NINES = re.compile(r"9{2,}[.,]9+")
_CODE_OF_FIGURES = re.compile(r"\d{4,8}")
_FEWEST_CODES, _MOSTLY_CODES = 10, 0.8


class CountedValues(Protocol):
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
        The name of the column that the value is in.
    mark : str
        The value, as it stands there.
    count : int
        The records that have it.
    may_be_a_code : bool, default False
        Whether it is a mark by default and may be a code of a list in this column, where it counts as a value.
    """

    column: str
    mark: str
    count: int
    may_be_a_code: bool = False


def missing_mark_candidates(
    columns: Mapping[str, CountedValues], declared: Mapping[str, Sequence[str]] | None = None
) -> tuple[MarkCandidate, ...]:
    """Values that may mean "missing", by column, most frequent first; nothing is changed.

    Words and signs (``?``, ``NA``, ``null``, ``-``, ``.``, ``*``, ``suppressed``, ``sin datos`` ...) in any case and
    nine languages, dates such as 31.12.9999, and numbers such as ``9999`` or ``-9`` where they stand apart from the
    other numbers of their column. A word that may be a code of a list (``NS`` among provinces) is none. Those of
    :data:`DEFAULT_MARKS` that occur are among them, and what is ``declared`` missing by column.

    Parameters
    ----------
    columns : Mapping[str, CountedValues]
        By column, its values with their numbers of records.
    declared : Mapping[str, Sequence[str]], optional
        By column, marks that the file itself names.

    Returns
    -------
    tuple[MarkCandidate, ...]
    """
    candidates = []
    for name, column in columns.items():
        values = list(column.values)
        merged: dict[str, int] = {}
        wanted = np.flatnonzero(marked(values, (declared or {}).get(name, ()))).tolist()
        for i in sorted({*_word_places(values), *_number_places(values), *_code_places(values), *wanted}):
            merged[values[i].strip()] = merged.get(values[i].strip(), 0) + int(column.records[i])
        candidates += [
            MarkCandidate(name, mark, count, mark in DEFAULT_MARKS and may_be_a_code(mark, values))
            for mark, count in sorted(merged.items(), key=lambda item: (-item[1], item[0]))
            if count
        ]
    return tuple(candidates)


def _word_places(values: list[str]) -> list[int]:
    places = [
        i for i, value in enumerate(values)
        if len(value) <= _LONGEST_WORD and (is_missing_word(value) or is_far_date(value))
        and fold(value).casefold().strip() not in _RESULTS
    ]  # fmt: skip
    return [i for i in places if values[i].strip() in DEFAULT_MARKS or not may_be_a_code(values[i], values)]


def may_be_a_code(mark: str, values: Iterable[str]) -> bool:
    """Whether a word for "missing" may be one of a list of codes: NA of a country, NS of a province, Na of an analysis.

    Parameters
    ----------
    mark : str
        The word.
    values : Iterable[str]
        The distinct values of its column.

    Returns
    -------
    bool
        True for a word of at most three letters, where two other values or more (one, for a word of one letter), and
        half of the others, are codes of as many letters, small or capital as its own.
    """
    word = mark.strip()
    if not (word.isascii() and word.isalpha() and len(word) <= _MOST_LETTERS):
        return False
    others = {value.strip() for value in values} - {word, ""}
    same_length = [value for value in others if len(value) == len(word)]
    alike = sum(value.isalpha() and value.isascii() and _cased(value) == _cased(word) for value in same_length)
    if alike < min(_LIKE_IT, len(word)):
        return False
    n_others = sum(len(value) <= _MOST_LETTERS or not is_missing_word(value) for value in others)
    return alike >= _SHARE_LIKE_IT * n_others


def _cased(word: str) -> str:
    """How a word is written: a letter for each, small or capital."""
    return "".join("A" if letter.isupper() else "a" for letter in word)


def marks_of_column(values: Iterable[str], marks: Iterable[str]) -> tuple[str, ...]:
    """Those of marks for all columns that count in one: not the default ``NA`` where it may be a code of a list.

    Parameters
    ----------
    values : Iterable[str]
        The distinct values of the column.
    marks : Iterable[str]
        Marks for all columns.

    Returns
    -------
    tuple of str
    """
    held = list(values)
    return tuple(mark for mark in marks if mark not in DEFAULT_MARKS or not may_be_a_code(mark, held))


def _code_places(values: list[str]) -> list[int]:
    """One character again and again, in the place of a code of figures: 00000 and XXXXX among postcodes."""
    codes = [value for value in values if _CODE_OF_FIGURES.fullmatch(value)]
    if len(codes) < max(_FEWEST_CODES, _MOSTLY_CODES * len(values)):
        return []
    lengths = {len(code) for code in codes}
    if len(lengths) > 1:
        return []
    return [
        i for i, value in enumerate(values) if len(value) in lengths and set(value.upper()) in ({"0"}, {"9"}, {"X"})
    ]


def _number_places(values: list[str]) -> list[int]:
    """Sentinel numbers that stand apart: one well above all others, or a negative one where no other is negative."""
    if not any(_is_sentinel(value) for value in values):
        return []
    numbers = to_numbers(values)
    known = ~np.isnan(numbers)
    if known.mean() < 0.5:
        return []
    wanted = [*_HIGH, *_LOW]
    for nines in _NINES.intersection(numbers[known].tolist()):
        wanted += [nines - 1, nines - 2, nines - 3]  # kinds of missing: 996 to 999
    sentinel = known & (
        np.isin(numbers, wanted) | np.array([_ALL_NINES.fullmatch(value) is not None for value in values])
    )
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
    if _ALL_NINES.fullmatch(value):
        return True
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
        For all columns, but for those in which one may be a code of a list (:func:`may_be_a_code`); or by column name
        (other columns stay as they are).

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
    if not isinstance(marks, Mapping):
        everywhere = tuple(marks)
        marks = {name: marks_of_column(frame[name].array.categories, everywhere) for name in frame.columns}
    by_column = marks
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
        Texts of one column, in any order.
    marks : Iterable[str]
        Those that mean “missing”.

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
