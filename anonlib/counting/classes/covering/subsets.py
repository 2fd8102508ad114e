"""Every subset of the attributes of a release, and how many of its records what is known of somebody fits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from anonlib.counting.classes.coding import group, sum_by
from anonlib.counting.classes.covering.table import CoveredTable
from anonlib.counting.classes.subsets import Subset, Subsets
from anonlib.counting.classes.table import ClassTable


@dataclass(frozen=True, eq=False)
class CoveredSubset(Subset):
    """The classes of the true values of some of a table's attributes, and the records that these fit.

    Attributes
    ----------
    sizes : np.ndarray
        int64, per class here the *candidates*: records whose labels cover its values.
    persons : np.ndarray
        int64, records that have these values.
    rest : tuple[int, ...]
        The attributes by which candidates are still distinguished.
    begin : np.ndarray
        int64, classes here + 1: where the candidates of each begin.
    entry, records : np.ndarray
        int64: the kind of some candidates by the labels of ``rest``, and how many they are.
    """

    persons: np.ndarray
    rest: tuple[int, ...]
    begin: np.ndarray
    entry: np.ndarray
    records: np.ndarray


@dataclass(frozen=True, eq=False)
class _Kinds:
    """The distinct labels of some attributes: by attribute, of each kind its label."""

    label: dict[int, np.ndarray]


class CoveredSubsets(Subsets):
    """The subsets of a covered table's attributes.

    Parameters
    ----------
    table : CoveredTable
        The classes, each with the values that its labels cover.
    beside : Iterable[int], default ()
        Attributes by which candidates stay distinguished in every subset that :meth:`walk` gives, until they are in it.
    """

    def __init__(self, table: CoveredTable, beside: Iterable[int] = ()) -> None:
        from anonlib.counting.classes.covering.kernel import narrow  # which loads the compiler

        of_values = [
            table.codes[:, j] if covering is None else covering.value for j, covering in enumerate(table.coverings)
        ]
        self._begin(of_values, [table.n_values(j) for j in range(len(table.attributes))], table.counts)
        self._narrow, self._beside = narrow, frozenset(beside)
        self._n_labels = [max(1, len(values)) for values in table.categories]
        self._covering = [
            (np.arange(n + 1, dtype=np.int64), np.arange(n, dtype=np.int64))
            if covering is None
            else (covering.start, covering.label)
            for covering, n in zip(table.coverings, self._n_labels, strict=True)
        ]
        self._kinds = dict[tuple[int, ...], _Kinds]()
        self._merged = dict[tuple[tuple[int, ...], tuple[int, ...]], np.ndarray]()
        self._labels = [np.ascontiguousarray(column, dtype=np.int64) for column in table.codes.T]
        every = tuple(range(len(table.attributes)))
        ids, first = self._grouped(self._labels, every)
        self._kinds[every] = _Kinds({j: self._labels[j][first] for j in every})
        self._records = sum_by(ids, len(first), table.counts).astype(np.int64)

    def _grouped(self, labels: Iterable[np.ndarray], attributes: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        columns = list(labels)
        return group(np.column_stack(columns), [self._n_labels[j] for j in attributes])

    def everyone(self) -> CoveredSubset:
        plain = super().everyone()
        n = len(self._records)
        every = tuple(range(len(self.columns)))
        begin = np.array([0, n], dtype=np.int64)
        return CoveredSubset(
            (), 0, plain.group, plain.sizes, plain.sizes, every, begin, np.arange(n, dtype=np.int64), self._records
        )

    def refine(self, subset: Subset, j: int) -> CoveredSubset:
        assert isinstance(subset, CoveredSubset)
        return self._refined(subset, j, tuple(i for i in subset.rest if i != j))

    def _refined(self, subset: CoveredSubset, j: int, rest: tuple[int, ...]) -> CoveredSubset:
        """The subset and attribute j, its candidates distinguished by ``rest`` alone."""
        plain = super().refine(subset, j)
        parent, value = subset.group[plain.row].astype(np.int64), self.columns[j][plain.row].astype(np.int64)
        order = np.argsort(parent, kind="stable")  # the loop goes through the groups of one parent together
        place = np.empty(len(order), dtype=np.intp)
        place[order] = np.arange(len(order))
        sizes = np.empty(len(order), dtype=np.int64)
        start, covering = self._covering[j]
        merged = self._merge(subset.rest, rest)
        begin, entry, records = self._narrow(
            parent[order], value[order], subset.begin, subset.entry, subset.records,
            self._kinds[subset.rest].label[j], start, covering, self._n_labels[j],
            merged, int(merged.max(initial=-1)) + 1, sizes,
        )  # fmt: skip
        return CoveredSubset(
            plain.members, plain.mask, place[plain.group], sizes, plain.sizes[order], rest, begin, entry, records
        )

    def _merge(self, kinds: tuple[int, ...], rest: tuple[int, ...]) -> np.ndarray:
        """int64, per kind by some attributes its kind by fewer of them."""
        if (kinds, rest) not in self._merged:
            label = self._kinds[kinds].label
            n = len(next(iter(label.values()))) if label else 1
            if rest:
                ids, first = self._grouped([label[j] for j in rest], rest)
                found = {j: label[j][first] for j in rest}
            else:
                ids, found = np.zeros(n, dtype=np.int64), {}
            if rest not in self._kinds:
                self._kinds[rest] = _Kinds(found)
            self._merged[kinds, rest] = ids.astype(np.int64)
        return self._merged[kinds, rest]

    def walk(self, max_size: int | None = None) -> Iterator[CoveredSubset]:
        largest = len(self.columns) if max_size is None else min(max_size, len(self.columns))

        def from_here(node: CoveredSubset, limit: int) -> Iterator[CoveredSubset]:
            yield node
            if len(node) < largest:
                for j in range(limit):
                    is_last = len(node) + 1 == largest
                    rest = tuple(i for i in node.rest if i != j and ((i < j and not is_last) or i in self._beside))
                    yield from from_here(self._refined(node, j, rest), j)

        yield from from_here(self.everyone(), len(self.columns))

    def having(self, subset: CoveredSubset, s: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of each class of a subset, how many candidates may have each value of an attribute outside it.

        Parameters
        ----------
        subset : CoveredSubset
            A subset whose ``rest`` has the attribute.
        s : int
            The attribute.

        Returns
        -------
        tuple of arrays
            Class of the subset, value, and candidates (int64) whose label covers it, by class and then by value; pairs
            that no candidate has are left out.
        """
        label = self._kinds[subset.rest].label[s][subset.entry]
        of_class = np.repeat(np.arange(len(subset.sizes)), np.diff(subset.begin))
        start, covering = self._covering[s]
        values = np.repeat(np.arange(len(start) - 1), np.diff(start))  # by label the values that it covers
        order = np.argsort(covering, kind="stable")
        first = np.searchsorted(covering[order], np.arange(self._n_labels[s] + 1))
        many = (first[1:] - first[:-1])[label]
        within = np.arange(int(many.sum())) - np.repeat(many.cumsum() - many, many)
        value = values[order][np.repeat(first[label], many) + within]
        key, place = np.unique(np.repeat(of_class, many) * self.spans[s] + value, return_inverse=True)
        return key // self.spans[s], key % self.spans[s], sum_by(place, len(key), np.repeat(subset.records, many))


def subsets_of(classes: ClassTable, beside: Iterable[int] = ()) -> Subsets:
    """The subsets of a class table's attributes: of labels of one level by equal labels, else by what labels cover.

    Parameters
    ----------
    classes : ClassTable
        The table, a :class:`CoveredTable` where labels are of several levels.
    beside : Iterable[int], default ()
        As for :class:`CoveredSubsets`.

    Returns
    -------
    Subsets
    """
    return CoveredSubsets(classes, beside) if isinstance(classes, CoveredTable) else Subsets(classes)
