"""Rows of persons: one row a person, with the set of their values where their rows differ.

First, runs of codes are compared: whose sets, or rows with their number, are equal. Then the rows of each person become
one. At the end are persons of several rows: how many there are, and one of them as an example.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonlib.counting.classes.coding import encode, sum_by
from anonlib.reading.records.persons import person_of_codes

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


class ValueSet(str):
    """The label of a set of values, which it can be taken apart into: what a person's rows have if they differ."""

    __slots__ = ("members",)
    members: tuple[str, ...]

    @classmethod
    def of(cls, members: Sequence[str], bar: str) -> ValueSet:
        """A set of values under a label that joins them."""
        label = cls(bar.join(members))
        label.members = tuple(members)
        return label


def person_of_row(column: pd.Series) -> np.ndarray:
    """Per row, the number of its person; a row without a person id is a person of its own.

    Parameters
    ----------
    column : pd.Series
        Ids of persons, one item a row.

    Returns
    -------
    int64 array, one item a row
        Numbers from 0, each used.
    """
    codes, values = encode(column)
    return person_of_codes(codes, len(values))


def one_row_a_person(
    codes: np.ndarray, categories: Sequence[np.ndarray], members: np.ndarray
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Coded rows of persons: the one value of an attribute, or the set of values where a person's rows differ.

    Parameters
    ----------
    codes : np.ndarray
        int32, rows x attributes; -1 is missing.
    categories : Sequence[np.ndarray]
        Per attribute the value of each code.
    members : np.ndarray
        Per row, the number of its person, from 0, each used.

    Returns
    -------
    persons : int32 array, persons x attributes
        -1 where the value is missing in all rows of a person.
    merged : list of object arrays
        Per attribute the value of each code: the categories, and after them the sets as :class:`ValueSet`.
    """
    n_persons = int(members.max()) + 1 if len(members) else 0
    order = np.argsort(members, kind="stable")
    starts = np.searchsorted(members[order], np.arange(n_persons))
    persons = np.full((n_persons, codes.shape[1]), -1, dtype=np.int32)
    merged = list(categories)
    for j in range(codes.shape[1]) if n_persons else ():
        column = codes[order, j]
        persons[:, j] = np.maximum.reduceat(column, starts)
        differing = rows_differ(column, starts)
        if differing.any():
            rows = np.flatnonzero(differing[members[order]] & (column >= 0))
            of_differing, merged[j] = _sets(members[order][rows], column[rows], categories[j])
            persons[differing, j] = of_differing
    return persons, merged


def _sets(owner: np.ndarray, column: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Codes of the sets of values of those who have rows here, in their order, and the values with the sets' labels."""
    owners, codes, _ = distinct_pairs(owner, column, len(values))
    begins = np.flatnonzero(np.diff(owners, prepend=-1))
    start = np.append(begins, len(owners))
    number = numbered_runs(start, codes)
    first_of_each = np.unique(number, return_index=True)[1]
    sets = [tuple(codes[start[run] : start[run + 1]].tolist()) for run in first_of_each.tolist()]
    of_set, labelled = coded_sets(sets, values)
    return of_set[number], labelled


def rows_differ(column: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Whether the rows of a person hold two values or more; a missing one is none.

    Parameters
    ----------
    column : np.ndarray
        int32, a code per row, -1 = missing; rows of one person side by side.
    starts : np.ndarray
        The positions at which the rows of each person begin.

    Returns
    -------
    bool array, one item a person
    """
    highest = np.maximum.reduceat(column, starts)
    lowest = np.minimum.reduceat(np.where(column < 0, np.iinfo(np.int32).max, column), starts)
    return (highest >= 0) & (lowest < highest)


def bar_between(values: Iterable[object]) -> str:
    """What stands between the values of a set's label: longer than any bar within a value.

    Parameters
    ----------
    values : Iterable[object]
        All values of the column.

    Returns
    -------
    str
        As `` | ``.
    """
    longest = max((len(run) for value in values for run in re.findall(r"\|+", str(value))), default=0)
    return f" {'|' * (longest + 1)} "


def coded_sets(sets: Sequence[tuple[int, ...]], values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Codes of sets of values: one value keeps its code, none is -1, more become a label after the values.

    The bar between the values of a label is longer than any bar within a value: no two sets share a label.

    Parameters
    ----------
    sets : Sequence[tuple[int, ...]]
        The codes of the values in each set, ascending.
    values : np.ndarray
        The value of each code.

    Returns
    -------
    codes : int32 array, one item a set
    labelled : object array
        The value of each code: ``values``, and after them the sets as :class:`ValueSet`.
    """
    larger = sorted({key for key in sets if len(key) > 1})
    position: dict[tuple[int, ...], int] = {(): -1} | {(code,): code for code in range(len(values))}
    position |= {key: len(values) + rank for rank, key in enumerate(larger)}
    bar = bar_between(values) if larger else ""
    labels = np.array([None, *(ValueSet.of([str(values[code]) for code in key], bar) for key in larger)], dtype=object)
    return np.array([position[key] for key in sets], dtype=np.int32), np.append(values, labels[1:])


FEW_ROWS = 4
"""Most rows of a person who is an example to look at, where there is such a person."""


@dataclass(frozen=True)
class SeveralRows:
    """Persons of several rows.

    Attributes
    ----------
    n_persons : int
        Persons, 1 or more; a row without a person id is a person.
    n_several : int
        Those who have several rows, 1 or more.
    example : tuple[int, ...]
        Positions of the rows of one of them in the file, 2 or more, ascending.
    n_values : Mapping[str, int]
        By column but that of the ids, how many values the rows of the example hold, missing not counted, 0 or more.
        With 2 or more the person counts with the set of them; a missing value gives way to one that is there.
    """

    n_persons: int
    n_several: int
    example: tuple[int, ...]
    n_values: Mapping[str, int]


def several_rows(frame: pd.DataFrame, person: str, counted: Collection[str] = ()) -> SeveralRows | None:
    """Look for persons of several rows.

    Parameters
    ----------
    frame : pd.DataFrame
        One row a record.
    person : str
        The column of person ids.
    counted : Collection[str], default ()
        Columns in which the rows of the example had better differ.

    Returns
    -------
    SeveralRows or None
        None where every person has one row. The example has at most ``FEW_ROWS`` rows, if anybody has so few; among
        those it differs in one of the columns counted, else in another one, if anybody does; among those it has the
        fewest rows, and of as many it is the first in the file.

    Examples
    --------
    >>> visits = pd.DataFrame({"id": ["a", "b", "b"], "sex": ["F", "M", "M"], "year": ["2023", "2023", "2024"]})
    >>> several_rows(visits, "id")
    SeveralRows(n_persons=2, n_several=1, example=(1, 2), n_values={'sex': 1, 'year': 2})
    """
    ids, values = encode(frame[person])
    n_rows = np.bincount(ids[ids >= 0], minlength=len(values))
    if not (n_rows > 1).any():
        return None
    rows = np.flatnonzero((ids >= 0) & (n_rows[ids] > 1))
    rows = rows[np.argsort(ids[rows], kind="stable")]  # those of a person side by side, in the file's order
    starts = np.flatnonzero(np.diff(ids[rows], prepend=-1))
    ends = np.append(starts[1:], len(rows))
    codes = {name: encode(frame[name])[0] for name in frame.columns if name != person}
    differing = np.zeros((2, len(starts)), dtype=bool)  # anywhere; in the columns counted
    for name, column in codes.items():
        differ = rows_differ(column[rows], starts)
        differing[0] |= differ
        if name in counted:
            differing[1] |= differ
    sizes = ends - starts
    best = np.lexsort((rows[starts], sizes, ~differing[0], ~differing[1], sizes > FEW_ROWS))[0]
    example = rows[starts[best] : ends[best]]
    return SeveralRows(
        int((n_rows > 0).sum() + (ids < 0).sum()),
        len(starts),
        tuple(example.tolist()),
        {name: len(np.unique(column[example][column[example] >= 0])) for name, column in codes.items()},
    )
