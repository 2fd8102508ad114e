"""How many have a sensitive value that is certain to someone who knows two things about them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from anonlib.classes.subsets import Subset, Subsets, n_subsets
from anonlib.dataset import Dataset

MOST_KNOWN = 2
_MOST_CELLS = 50_000_000  # rows x sets x columns that are looked at, some half a second


@dataclass(frozen=True)
class Inferable:
    """How many have a value of a sensitive column that is certain from at most two known columns.

    Attributes
    ----------
    column : str
        The sensitive column.
    certain : int
        Records (persons, summed weights) for whom all who share their values in some set of at most two known
        columns, the empty set included, have the same value of ``column`` and it is not missing.
    n_records : int
        All of them.
    known : tuple of str
        The columns that may be known: quasi-identifiers and places.
    is_complete : bool
        Every set was looked at. Else those of the columns with most values, and ``certain`` is the least it can be.
    """

    column: str
    certain: int
    n_records: int
    known: tuple[str, ...]
    is_complete: bool = True

    @property
    def share(self) -> float:
        return self.certain / self.n_records if self.n_records else 0.0


def inferable(dataset: Dataset) -> tuple[Inferable, ...]:
    """Each sensitive column, the one that is certain for most first; none without sensitive columns.

    These are the persons of PPP 0, the attacker who knows nothing included and values that are missing not. A missing
    value is a value to those who know it, and one that not all have.

    References
    ----------
    Kroes et al. (2021), Definition 3.
    """
    known, sensitive = dataset.quasi_identifiers, dataset.sensitive
    table = dataset.with_missing("category").classes([*known, *sensitive])
    places = _finest(table.categories[: len(known)], table.n_classes * (len(sensitive) + 3))
    values = [table.codes[:, len(known) + i] for i in range(len(sensitive))]
    certain = np.zeros((len(sensitive), table.n_classes), dtype=bool)
    subsets = Subsets(table)
    everyone = subsets.everyone()
    if not table.n_classes:  # weights of 0 count nobody
        return tuple(Inferable(name, 0, 0, tuple(known), True) for name in sensitive)
    singles = {j: subsets.refine(everyone, j) for j in places}
    for subset in (everyone, *singles.values()):
        _mark(certain, values, subset)
    for i, j in combinations(places, 2):
        _mark(certain, values, subsets.refine(singles[i], j))
    n, complete = table.n_records, len(places) == len(known)
    names = tuple(known[j] for j in sorted(places))
    found = [
        Inferable(name, int(table.counts[certain[i] & pd.notna(table.column(name))].sum()), n, names, complete)
        for i, name in enumerate(sensitive)
    ]
    return tuple(sorted(found, key=lambda column: -column.certain))


def _mark(certain: np.ndarray, values: list[np.ndarray], subset: Subset) -> None:
    """Mark the rows of ``certain`` (bool, sensitive columns x rows) whose class in the subset has one value."""
    for marks, codes in zip(certain, values, strict=True):
        one_of_class = codes[subset.row]
        other = subset.group[one_of_class[subset.group] != codes]
        mixed = np.zeros(len(subset.sizes), dtype=bool)
        mixed[other] = True
        marks |= ~mixed[subset.group]


def _finest(categories: tuple[np.ndarray, ...], cells_a_set: int) -> list[int]:
    """Positions of the columns that are looked at: all, or as many of those with most values as can be in the time."""
    ranked = sorted(range(len(categories)), key=lambda j: -len(categories[j]))
    while len(ranked) > 1 and n_subsets(len(ranked), MOST_KNOWN) * cells_a_set > _MOST_CELLS:
        ranked.pop()
    return ranked
