"""Values that few have, put together: all into one, or with those that a hierarchy has near them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies.builders import finished
from anonlib.coarsening.hierarchies.hierarchy import Hierarchy, Levels
from anonlib.coarsening.recoding import Recoding, ValueMap
from anonlib.values.cells import Values

OTHER = "other"
"""The label of values that few have, where no other is chosen."""
SHARES_OF_RARE = (0.02, 0.1)
"""Of the records (persons), that keep a value apart, level by level."""
_ENOUGH = 200  # records, before values are rare rather than all of a small file


@dataclass(frozen=True, eq=False)
class Holders:
    """Who has which value of a column: a person with several rows may have several.

    Attributes
    ----------
    value, group : np.ndarray
        int arrays, one item a pair: the position of a value, and a group of persons who have it.
    persons : np.ndarray
        int64, per group: how many they are.
    """

    value: np.ndarray
    group: np.ndarray
    persons: np.ndarray

    @classmethod
    def of_records(cls, records: np.ndarray) -> Holders:
        """Of records, each of which has one value: how many have each."""
        places = np.arange(len(records))
        return cls(places, places, np.asarray(records, dtype=np.int64))

    def n(self, values: np.ndarray) -> int:
        """Persons who have one of some values (bool per value)."""
        return int(self.persons[np.unique(self.group[values[self.value]])].sum())

    def of_each(self, n_values: int) -> np.ndarray:
        """int64, persons who have each value."""
        counts = np.zeros(n_values, dtype=np.int64)
        np.add.at(counts, self.value, self.persons[self.group])
        return counts


def merged_rare(levels: Levels, holders: Holders, k: int) -> np.ndarray:
    """What each value becomes, so that no label is left to fewer than k persons.

    Values of fewer than k persons are put together at the first level where those of one group reach k together. What
    does not reach k at the last level joins the label that is nearest, of these the one that fewest persons have.

    Parameters
    ----------
    levels : Levels
        The labels of the values; those that stay apart on the last level join as if they were one there.
    holders : Holders
        Who has each value.
    k : int
        How many persons must have each label, 1 or more.

    Returns
    -------
    object array, one item a value
        Values of k persons or more keep their own text unless they are joined, and so do values that nobody has. A
        label is left to fewer than k only where the whole column is.
    """
    texts = levels.label(0)
    n_holders = holders.of_each(len(texts))
    labels = texts.copy()
    pending = (n_holders > 0) & (n_holders < k)
    for level in range(1, levels.n_levels):
        group = levels.group[level]
        for place in np.unique(group[pending]):
            near = pending & (group == place)
            if holders.n(near) >= k:
                labels[near] = levels.labels[level][place]
                pending &= ~near
    if pending.any() and levels.n_levels > 1:
        joined, level = _nearest(levels, labels, pending, n_holders > 0, holders)
        together = pending | joined
        labels[together] = levels.label(level)[np.flatnonzero(together)[0]]
    return labels


def _nearest(
    levels: Levels, labels: np.ndarray, pending: np.ndarray, held: np.ndarray, holders: Holders
) -> tuple[np.ndarray, int]:
    """The values of the label (bool) that what is pending joins, and the level at which they are one."""
    best: tuple[tuple[int, int, int], np.ndarray] | None = None
    for place, label in enumerate(dict.fromkeys(labels[held & ~pending])):
        unit = held & ~pending & np.array([own_label == label for own_label in labels], dtype=bool)
        both = np.flatnonzero(unit | pending)
        shared = (i for i in range(1, levels.n_levels) if len(np.unique(levels.group[i][both])) == 1)
        rank = (next(shared, levels.n_levels - 1), holders.n(unit), place)
        if best is None or rank < best[0]:
            best = rank, unit
    return (np.zeros_like(pending), levels.n_levels - 1) if best is None else (best[1], best[0][0])


def all_into(other: str) -> Hierarchy:
    """The hierarchy of a single level, on which every value but a missing one has the same label.

    Parameters
    ----------
    other : str
        The label.

    Returns
    -------
    Hierarchy
    """
    return Hierarchy((ValueMap((), otherwise=other),))


def are_few(n: int) -> bool:
    """Whether so few records (persons) are there that each value is rare.

    Parameters
    ----------
    n : int
        All that have a value.

    Returns
    -------
    bool
    """
    return n < _ENOUGH


def rare_by_share(values: Values, records: np.ndarray) -> tuple[Recoding, ...]:
    """Levels on which values of fewer than 2% and 10% of the records are one, as far as each changes something.

    Parameters
    ----------
    values : Values
        Distinct values, none missing.
    records : np.ndarray
        The records of each value.

    Returns
    -------
    tuple of Recoding
        The finest first; none for a column of fewer than 200 records.
    """
    if are_few(int(records.sum())):
        return ()
    least = [math.ceil(share * records.sum()) for share in SHARES_OF_RARE]
    levels: list[Recoding] = []
    before = len(values)
    for recoding in rare(list(values), records, least, top=False).recodings:
        groups = len({*recoding.labels(values)})
        if 1 < groups < before:
            levels.append(recoding)
            before = groups
    return tuple(levels)


def rare(
    values: Sequence[str | None],
    records: Sequence[int] | np.ndarray,
    least: Iterable[int] = (5,),
    *,
    other: str = OTHER,
    top: bool = True,
) -> Hierarchy:
    """Values that few records have under one label, level by level, and what the values do not name too.

    Parameters
    ----------
    values : Sequence[str | None]
        Distinct values; a missing one, None, stays missing.
    records : Sequence[int] | np.ndarray
        The records of each value.
    least : Iterable[int], default (5,)
        Per level, so many records keep a value apart; ascending. If fewer than that are put together, the rarest of the
        others joins them.
    other : str, default OTHER
        Their label.
    top : bool, default True
        Whether a last level puts everything together.

    Returns
    -------
    Hierarchy

    Raises
    ------
    InputError
        For numbers that are not ascending, and without a label.
    """
    given = [checks.whole(number, "The least number of records", 2) for number in least]
    if not given or given != sorted({*given}):
        raise InputError("Give the least number of records of each level, ascending, such as 5.", code="levels-missing")
    if not checks.text(other, "The label").strip():
        raise InputError("Give the values that are put together a label, such as “other”.", code="label-missing")
    texts = [value for value in values if value is not None]
    counts = np.array([n for value, n in zip(values, records, strict=True) if value is not None], dtype=np.int64)
    levels, holders = all_into(other).on(texts), Holders.of_records(counts)
    recodings = []
    for number in given:
        labels = merged_rare(levels, holders, number)
        frequent = {value: value for value, label in zip(texts, labels, strict=True) if label == value != other}
        recodings.append(ValueMap.of(frequent, otherwise=other))
    return finished(recodings, top)
