"""Columns as codes, rows of codes as classes, and checks of what is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from anonlib.basics.errors import InputError
from anonlib.values.cells import to_numbers

Missing = Literal["category", "drop"]
LIMIT = 2**62  # mixed-radix keys and counts stay below int64's limit


def checked_names(columns: Iterable[str], attributes: Iterable[str] | None) -> list[str]:
    """The attributes asked for (all columns by default). Raises InputError for unknown or repeated ones."""
    known = Counter(columns)
    names = list(known) if attributes is None else list(attributes)
    for name in names:
        if name not in known:
            raise InputError(f"There is no column named “{name}”.", code="column-unknown", column=name)
        if known[name] > 1:
            raise InputError(
                f"{known[name]} columns are named “{name}”. Give each column a name of its own.",
                code="columns-of-one-name",
                column=name,
            )
    if len(set(names)) < len(names):
        raise InputError(
            "A column is named twice among the attributes. Name each column once.", code="column-named-twice"
        )
    return names


def attribute_names(
    columns: Iterable[str],
    attributes: Iterable[str] | None,
    weights: str | Sequence[Any] | np.ndarray | None,
    person: str | None,
    missing: str,
) -> list[str]:
    """The attributes to count, once everything that is asked for can be done."""
    if missing not in get_args(Missing):
        raise InputError(
            "Missing values are a value of their own (“category”) or leave the record out (“drop”).",
            code="choice-unknown",
        )
    if person is not None and weights is not None:
        raise InputError(
            "Choose either a person id or a weight column: both at once have no clear count.", code="choices-do-not-fit"
        )
    apart = [name for name in (person, weights) if isinstance(name, str)]
    checked_names(columns, apart)
    return checked_names(columns, [c for c in columns if c not in apart] if attributes is None else attributes)


def encode(column: pd.Series) -> tuple[np.ndarray, np.ndarray]:
    """Codes (int32, -1 = missing) and values of a column; a categorical keeps the order of its categories."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.cat.codes.to_numpy().astype(np.int32), column.cat.categories.to_numpy(dtype=object)
    codes, distinct = pd.factorize(column, use_na_sentinel=True)
    values = np.asarray(distinct, dtype=object)
    try:
        order = np.argsort(values, kind="stable")
    except TypeError:  # values of mixed types have no order of their own
        order = np.argsort([f"{type(value).__name__} {value}" for value in values], kind="stable")
    rank = np.append(np.argsort(order, kind="stable"), -1)
    return rank[codes].astype(np.int32), values[order]


def group(codes: np.ndarray, spans: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Per row its class in lexicographic order, and per class its first row."""
    key, span = np.zeros(len(codes), dtype=np.int64), 1
    for j, size in enumerate(spans):
        if span * max(size, 1) > LIMIT:
            key, span = ranked(key)
        key *= max(size, 1)
        key += codes[:, j]
        span *= max(size, 1)
    if span <= 4 * len(codes) + 1024:  # few enough keys to look up directly
        occurs = np.zeros(span, dtype=bool)
        occurs[key] = True
        ids, n = (np.cumsum(occurs) - 1)[key], int(occurs.sum())
    else:
        ids, n = ranked(key)
    first = np.empty(n, dtype=np.intp)
    first[ids[::-1]] = np.arange(len(codes) - 1, -1, -1)
    return ids, first


def tally(columns: Sequence[np.ndarray], spans: Sequence[int], counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Per row the number of its class, and per number the records in that class: 0 where no row has the number.

    As :func:`group`, in no order and without copying where that is quicker: for the inner loop of a search.
    ``columns`` are intp, each below its span; ``counts`` are the records of each row.
    """
    key: np.ndarray = np.zeros(len(counts), dtype=np.intp)
    span = 1
    for column, size in zip(columns, spans, strict=True):
        if span * max(size, 1) > LIMIT:
            key, distinct = pd.factorize(key)
            span = len(distinct)
        if size > 1:
            if span > 1:
                key *= size
            key += column
            span *= size
    return tally_keys(key, span, counts)


def tally_keys(key: np.ndarray, span: int, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """As :func:`tally`, of numbers below ``span`` that tell the classes apart already."""
    if span > 4 * len(counts) + 1024:
        key, distinct = pd.factorize(key)
        span = len(distinct)
    if counts.sum() < 2**53:  # then sums are exact as floats, and faster
        return key, np.bincount(key, weights=counts, minlength=span).astype(np.int64)
    return key, sum_by(key, span, counts)


def n_distinct(ids: np.ndarray, n: int) -> int:
    """How many different ones there are among ids below n; quicker than sorting or hashing them."""
    seen = np.zeros(n, dtype=bool)
    seen[ids] = True
    return int(np.count_nonzero(seen))


def ranked(key: np.ndarray) -> tuple[np.ndarray, int]:
    """Positions of the distinct keys in ascending order, for each key, and how many there are."""
    order = np.argsort(key)
    ascending = key[order]
    begins = np.ones(len(key), dtype=np.int64)
    np.not_equal(ascending[1:], ascending[:-1], out=begins[1:], casting="unsafe")
    number = np.cumsum(begins)
    ranks = np.empty(len(key), dtype=np.int64)
    ranks[order] = number - 1
    return ranks, int(number[-1]) if len(number) else 0


def sum_by(ids: np.ndarray, n: int, weights: np.ndarray | None) -> np.ndarray:
    """The sum of the weights of each id from 0 to n - 1; without weights, how often it occurs."""
    if weights is None:
        return np.bincount(ids, minlength=n).astype(np.int64)
    sums = np.zeros(n, dtype=np.int64)
    np.add.at(sums, ids, weights)  # exact, as sums of floats are not
    return sums


def checked_weights(frame: pd.DataFrame, weights: str | Sequence[Any] | np.ndarray | None) -> np.ndarray | None:
    """int64, per row how many persons it stands for; None without weights. Raises InputError for unusable ones."""
    if weights is None:
        return None
    column = frame[weights] if isinstance(weights, str) else pd.Series(weights)
    what = f"The weight column “{weights}”" if isinstance(weights, str) else "The weights"
    if len(column) != len(frame):
        raise InputError(
            f"{what} must hold one number per record ({len(frame):,}), not {len(column):,}.",
            code="list-of-other-length",
        )
    numbers = _numbers(column)
    wrong = np.flatnonzero(~(np.isfinite(numbers) & (numbers >= 0) & (numbers == np.floor(numbers))))
    if wrong.size:
        raise InputError(
            f"{what} must hold whole numbers of persons, 0 or more: record {wrong[0] + 1:,} does not "
            f"({wrong.size:,} in all). Correct it, or give the column another role.",
            code="people-not-numbers",
        )
    if numbers.sum(dtype=float) >= LIMIT:
        raise InputError(f"{what} add up to more than can be counted. Check the column's unit.", code="people-too-many")
    return numbers.astype(np.int64)


def _numbers(column: pd.Series) -> np.ndarray:
    """A column's numbers, NaN where it holds none; whole numbers stay exact."""
    if pd.api.types.is_integer_dtype(column.dtype) and not column.hasnans:
        return column.to_numpy()
    if pd.api.types.is_float_dtype(column.dtype):
        return column.to_numpy(dtype=float, na_value=np.nan)
    codes, values = encode(column)
    return np.append(to_numbers(values.tolist()), np.nan)[codes]
