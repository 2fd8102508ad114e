"""The classes of one table among those of another."""

from __future__ import annotations

import numpy as np

from anonlib.counting.classes.coding import group
from anonlib.counting.classes.table import ClassTable


def counts_in(classes: ClassTable, other: ClassTable) -> np.ndarray:
    """The size that each class has in another table.

    Parameters
    ----------
    classes : ClassTable
        The classes asked about.
    other : ClassTable
        A table that has all attributes of ``classes``, and may have more.

    Returns
    -------
    int64 array, one item a class
        Records of ``other`` with the values of the class; 0 if there are none.
    """
    projected = other.project(classes.attributes)
    codes = np.empty_like(classes.codes)
    for j, (ours, theirs) in enumerate(zip(classes.categories, projected.categories, strict=True)):
        position = {value: code for code, value in enumerate(theirs)}
        codes[:, j] = np.array([position.get(value, len(theirs)) for value in ours], dtype=np.int32)[
            classes.codes[:, j]
        ]
    ids, _ = group(np.vstack([projected.codes, codes]), [len(values) + 1 for values in projected.categories])
    counts = np.zeros(len(ids) and int(ids.max()) + 1, dtype=np.int64)
    counts[ids[: projected.n_classes]] = projected.counts
    return counts[ids[projected.n_classes :]]
