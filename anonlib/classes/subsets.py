"""Every subset of the attributes, and the classes it makes: one group-by a subset, each from the one before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np
import pandas as pd

from anonlib.classes.table import ClassTable

_DIRECT = 16  # keys per row up to which a table of keys is looked up, rather than hashed


@dataclass(frozen=True, eq=False)
class Subset:
    """The classes of some of a table's attributes.

    Attributes
    ----------
    members : positions of the attributes, in the order they were added.
    mask : the same as a number: bit j is attribute j.
    group : intp, per class of the table the number of its class here. Not every number need be used.
    sizes : int64, records in each class here; 0 for a number that is not used.
    """

    members: tuple[int, ...]
    mask: int
    group: np.ndarray
    sizes: np.ndarray

    def __len__(self) -> int:
        return len(self.members)

    @cached_property
    def row(self) -> np.ndarray:
        """intp, per number of a class here a class of the table that is in it; 0 for a number that is not used."""
        rows = np.zeros(len(self.sizes), dtype=np.intp)
        rows[self.group] = np.arange(len(self.group))
        return rows


class Subsets:
    """The subsets of a table's attributes. A result never holds one: it keeps the codes and a table to look up keys."""

    def __init__(self, classes: ClassTable) -> None:
        self.columns = [np.ascontiguousarray(column, dtype=np.intp) for column in classes.codes.T]
        self.spans = [max(1, len(values)) for values in classes.categories]
        self.counts = classes.counts
        # Sums of whole numbers are exact as floats up to 2^53, and faster.
        self._weights = classes.counts.astype(np.float64) if int(classes.counts.sum()) < 2**53 else None
        self._relabel = _Relabel(classes.n_classes)

    def everyone(self) -> Subset:
        """The empty subset: everyone is in one class."""
        group = np.zeros(len(self.counts), dtype=np.intp)
        return Subset((), 0, group, self._sums(group, 1))

    def refine(self, subset: Subset, j: int, last: bool = False) -> Subset:
        """The subset and attribute j: its key is the group so far times the attribute's domain, plus its code.

        ``last`` says that the result is not refined further, so that its numbers may be many.
        """
        keys = subset.group * self.spans[j]
        keys += self.columns[j]
        group, n = self._relabel(keys, len(subset.sizes) * self.spans[j], last)
        return Subset((*subset.members, j), subset.mask | 1 << j, group, self._sums(group, n))

    def walk(self, max_size: int | None = None) -> Iterator[Subset]:
        """The subsets of at most ``max_size`` attributes by ascending ``mask``: each after all of its own subsets.

        Depth first, with one path of groups in memory.
        """
        largest = len(self.columns) if max_size is None else min(max_size, len(self.columns))

        def from_here(node: Subset, limit: int) -> Iterator[Subset]:
            yield node
            if len(node) < largest:
                for j in range(limit):  # a lower attribute each time: that is ascending in the mask
                    yield from from_here(self.refine(node, j, last=len(node) + 1 == largest), j)

        yield from from_here(self.everyone(), len(self.columns))

    def _sums(self, group: np.ndarray, n: int) -> np.ndarray:
        if self._weights is not None:
            return np.bincount(group, weights=self._weights, minlength=n).astype(np.int64)
        sums = np.zeros(n, dtype=np.int64)
        np.add.at(sums, group, self.counts)
        return sums


def n_subsets(attributes: int, max_size: int | None = None) -> int:
    """How many subsets there are of at most ``max_size`` attributes, the empty one included."""
    largest = attributes if max_size is None else min(max_size, attributes)
    return sum(comb(attributes, size) for size in range(largest + 1))


class _Relabel:
    """Keys to smaller numbers, the same for the same key, in no particular order."""

    def __init__(self, rows: int) -> None:
        self.positions = np.arange(rows, dtype=np.int32)
        self.row_of_key = np.empty(0, dtype=np.int32)

    def __call__(self, keys: np.ndarray, span: int, last: bool) -> tuple[np.ndarray, int]:
        """The numbers, and what they are all below. Keys are below ``span``; few keys are left as they are."""
        rows = len(keys)
        if span <= (rows if last else rows // 4):
            return keys, span
        if span > _DIRECT * rows + 1024:
            codes, distinct = pd.factorize(keys)
            return codes, len(distinct)
        if len(self.row_of_key) < span:
            self.row_of_key = np.empty(span, dtype=np.int32)
        # The row written last stands for its key. Places that no key names are never read, so nothing is cleared.
        self.row_of_key[keys] = self.positions
        stands = self.row_of_key.take(keys)
        if last:
            return stands, rows
        number = np.cumsum(stands == self.positions)
        number -= 1
        return number.take(stands), int(number[-1]) + 1 if rows else 0
