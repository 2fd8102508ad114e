"""Runs of codes compared: whose sets, or rows with their number, are equal."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonlib.counting.classes.coding import sum_by

_BY_POSITION = 16  # codes; longer runs are few, and compared as a whole


def distinct_pairs(owner: np.ndarray, code: np.ndarray, span: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Each pair of owner and code once, in ascending order, with how often it occurs.

    Parameters
    ----------
    owner : np.ndarray
        Intp, 0 or more.
    code : np.ndarray
        Intp, below ``span``.

    Returns
    -------
    tuple of three intp arrays: owners, codes, times.
    """
    key, times = np.unique(owner.astype(np.int64) * max(1, span) + code, return_counts=True)
    owners, codes = np.divmod(key, max(1, span))
    return owners, codes, times


def numbered_runs(start: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """A number for each run of codes: equal for equal runs, and for no others, whatever order they come in.

    Parameters
    ----------
    start : np.ndarray
        int64, runs + 1, ascending from 0: where each run begins, and the end.
    codes : np.ndarray
        int64, the runs one after the other, 0 or more. Sets and multisets are runs in ascending order.

    Returns
    -------
    intp array, an item a run: numbers from 0, each taken. Shorter runs come first, those of one length by their codes
    (those of more than sixteen behind all others).
    """
    length = np.diff(start)
    numbers = length.astype(np.int64)  # runs of two lengths are never equal
    span = int(codes.max(initial=0)) + 1
    short = np.flatnonzero((length > 0) & (length <= _BY_POSITION))
    below = int(length.max(initial=0)) + 1  # numbers given so far
    for position in range(min(_BY_POSITION, int(length.max(initial=0)))):
        short = short[length[short] > position]
        parts, distinct = pd.factorize(numbers[short] * span + codes[start[short] + position], sort=True)
        numbers[short] = below + parts
        below += len(distinct)
    long = np.flatnonzero(length > _BY_POSITION)
    texts = [codes[start[run] : start[run + 1]].astype(">i8").tobytes() for run in long.tolist()]
    rank = {text: i for i, text in enumerate(sorted(set(texts), key=lambda text: (len(text), text)))}
    numbers[long] = [below + rank[text] for text in texts]
    return pd.factorize(numbers, sort=True)[0].astype(np.intp)


def starts_of(owner: np.ndarray, n: int) -> np.ndarray:
    """int64, n + 1: where the items of each owner from 0 to n - 1 begin in an ascending array, and its length."""
    return np.searchsorted(owner, np.arange(n + 1)).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Alike:
    """Profiles of which no two are equal: who has which rows.

    Attributes
    ----------
    number : np.ndarray
        Intp, per profile as it was its place among these.
    persons, start, row, times : np.ndarray
        As of :class:`anonlib.counting.classes.PersonTable`.
    """

    number: np.ndarray
    persons: np.ndarray
    start: np.ndarray
    row: np.ndarray
    times: np.ndarray


def alike_profiles(persons: np.ndarray, start: np.ndarray, row: np.ndarray, times: np.ndarray) -> Alike:
    """Persons, or profiles, as they come: those of equal rows together."""
    number = numbered_runs(start, row * (int(times.max(initial=0)) + 1) + times)
    first = np.unique(number, return_index=True)[1]
    lengths = np.diff(start)[first]
    begins = np.append(0, np.cumsum(lengths)).astype(np.int64)
    picked = np.repeat(start[first] - begins[:-1], lengths) + np.arange(int(begins[-1]))
    return Alike(number, sum_by(number, len(first), persons), begins, row[picked], times[picked])
