"""Every subset of the attributes, and the classes it makes: one group-by a subset, each from the one before it.

The module begins with the classes of one table among those of another; the subsets follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import comb

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


@dataclass(frozen=True, eq=False)
class Subset:
    """The classes of some of a table's attributes.

    Attributes
    ----------
    members : tuple[int, ...]
        Positions of the attributes, in the order they were added.
    mask : int
        The same as a number: bit j is attribute j.
    group : np.ndarray
        Intp, per class of the table the number of its class here.
    sizes : np.ndarray
        int64, records in each class here.
    """

    members: tuple[int, ...]
    mask: int
    group: np.ndarray
    sizes: np.ndarray

    def __len__(self) -> int:
        return len(self.members)

    @cached_property
    def row(self) -> np.ndarray:
        """intp, per class here a class of the table that is in it."""
        rows = np.zeros(len(self.sizes), dtype=np.intp)
        rows[self.group] = np.arange(len(self.group))
        return rows


class Subsets:
    """The subsets of a table's attributes. A result never holds one: it keeps the codes and room to number groups."""

    def __init__(self, classes: ClassTable) -> None:
        self._begin(classes.codes.T, [len(values) for values in classes.categories], classes.counts)

    @classmethod
    def of_codes(cls, columns: Iterable[np.ndarray], spans: Iterable[int], counts: np.ndarray) -> Subsets:
        """The subsets of the columns of coded rows, each code below its span; the rows need not be distinct."""
        subsets = cls.__new__(cls)
        subsets._begin(columns, spans, counts)
        return subsets

    def _begin(self, columns: Iterable[np.ndarray], spans: Iterable[int], counts: np.ndarray) -> None:
        from anonlib.counting.classes.walk_loops import numbers_for, part  # which loads the compiler

        self.columns = [np.ascontiguousarray(column, dtype=np.intp) for column in columns]
        self.spans = [max(1, span) for span in spans]
        self.counts = np.ascontiguousarray(counts, dtype=np.int64)
        self._part, self._numbers = part, numbers_for(len(self.counts))

    def everyone(self) -> Subset:
        """The empty subset: everyone is in one class."""
        group = np.zeros(len(self.counts), dtype=np.intp)
        return Subset((), 0, group, np.array([self.counts.sum()], dtype=np.int64))

    def refine(self, subset: Subset, j: int) -> Subset:
        """The subset and attribute j: each class parted by its values."""
        group, sizes = np.empty_like(subset.group), np.empty(len(self.counts), dtype=np.int64)
        n = self._part(
            subset.group, len(subset.sizes), self.columns[j], self.spans[j], self.counts, self._numbers, group, sizes
        )
        return Subset((*subset.members, j), subset.mask | 1 << j, group, sizes[:n])

    def walk(self, max_size: int | None = None) -> Iterator[Subset]:
        """The subsets of at most ``max_size`` attributes by ascending ``mask``: each after all of its own subsets.

        Depth first, with one path of groups in memory.
        """
        largest = len(self.columns) if max_size is None else min(max_size, len(self.columns))

        def from_here(node: Subset, limit: int) -> Iterator[Subset]:
            yield node
            if len(node) < largest:
                for j in range(limit):  # a lower attribute each time: that is ascending in the mask
                    yield from from_here(self.refine(node, j), j)

        yield from from_here(self.everyone(), len(self.columns))


def n_subsets(attributes: int, max_size: int | None = None) -> int:
    """How many subsets there are of at most ``max_size`` attributes, the empty one included."""
    largest = attributes if max_size is None else min(max_size, attributes)
    return sum(comb(attributes, size) for size in range(largest + 1))
