"""Rows of persons: one row a person, with the set of their values where their rows differ."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from anonlib.counting.classes.coding import encode
from anonlib.counting.classes.persons.multisets import distinct_pairs, numbered_runs
from anonlib.reading.records.persons import person_of_codes


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
