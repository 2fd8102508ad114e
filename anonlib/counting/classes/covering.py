"""Classes of a release in which labels of several levels stand side by side, counted by what the labels cover.

“34” and “30-39” are two labels and no two values: somebody of 34 may be behind either. So somebody who knows true
values is left with all records whose labels cover them, and not with those of one label.

First comes a class table that knows, beside the labels of a release, which true values each of them covers. Then comes
every subset of the attributes of a release, and how many of its records what is known of somebody fits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from anonlib.counting.classes.coding import checked_names, group, sum_by
from anonlib.counting.classes.subsets import Subset, Subsets
from anonlib.counting.classes.table import ClassTable
from anonlib.counting.classes.vector import AnonymityVector

_A_CLASS, _A_CANDIDATE = 50e-9, 1.5e-9  # seconds a class, and a kind of candidates


@dataclass(frozen=True, eq=False)
class Covering:
    """Which labels of a column cover each of its true values.

    Attributes
    ----------
    value : np.ndarray
        Intp, per class the code of its true value, which its label covers.
    start : np.ndarray
        int64, values + 1: where the labels of each value begin.
    label : np.ndarray
        int64, one value after the other: the codes of the labels that cover it.
    read : np.ndarray | None, default None
        Intp, per true value the first one that a person reads as the same; None where no two are
        (:func:`anonlib.values.spellings.read_as_one`).
    """

    value: np.ndarray
    start: np.ndarray
    label: np.ndarray
    read: np.ndarray | None = None

    @property
    def n_values(self) -> int:
        """True values that occur."""
        return len(self.start) - 1

    @classmethod
    def of(cls, value: np.ndarray, covers: np.ndarray, read: np.ndarray | None = None) -> Covering:
        """Of the code of each class's true value, and bool, values x labels: which label covers which value."""
        values, labels = np.nonzero(covers)
        start = np.zeros(len(covers) + 1, dtype=np.int64)
        start[1:] = np.bincount(values, minlength=len(covers)).cumsum()
        return cls(value.astype(np.intp), start, labels.astype(np.int64), read)

    def as_read(self, n_labels: int) -> Covering | None:
        """The same with true values that a person reads as one as one value; None where there are none."""
        if self.read is None:
            return None
        distinct, place = np.unique(self.read, return_inverse=True)
        covers = np.zeros((len(distinct), n_labels), dtype=bool)
        covers[np.repeat(place, np.diff(self.start)), self.label] = True
        return Covering.of(place[self.value], covers)

    def share_of(self, of_label: np.ndarray) -> float:
        """Of labels with these shares, the share that covers a value, on average over the classes."""
        values = np.repeat(np.arange(self.n_values), np.diff(self.start))
        of_value = np.bincount(values, weights=of_label[self.label], minlength=self.n_values)
        return float(of_value[self.value].mean()) if len(self.value) else 0.0

    def covers_all(self, n_labels: int) -> np.ndarray:
        """bool, a label each: it covers every value, so that nothing is read off it."""
        return np.bincount(self.label, minlength=n_labels) == self.n_values

    def covering(self, value: int, n_labels: int) -> np.ndarray:
        """bool, a label each: it covers a value."""
        covered = np.zeros(n_labels, dtype=bool)
        covered[self.label[self.start[value] : self.start[value + 1]]] = True
        return covered


def _seconds_a_set(n_classes: int, n_kinds: int, shares: Sequence[float], spans: Sequence[int]) -> float:
    """About how long one set of attributes takes, from the share of the kinds of labels that cover a value of each."""
    pairs = [(i, j) for j in range(len(spans)) for i in range(j)]
    left = [min(n_classes, spans[i] * spans[j]) * shares[i] * shares[j] for i, j in pairs]
    return _A_CLASS * n_classes + _A_CANDIDATE * n_kinds * (sum(left) / len(left) if left else 1.0)


@dataclass(frozen=True, eq=False)
class CoveredTable(ClassTable):
    """A class table of labels of which some cover several true values that others cover too.

    A class has one label and one true value in each attribute, so that several classes may have the same labels.
    :func:`anonlib.counting.classes.covering.subsets_of` counts it by what labels cover. Everything that a class table
    says of classes as a whole, it says of those of equal labels (:attr:`by_labels`).

    Attributes
    ----------
    coverings : tuple[Covering | None, ...]
        Per attribute which labels cover which values; None where each label is a value of its own.
    """

    coverings: tuple[Covering | None, ...] = ()

    @cached_property
    def by_labels(self) -> ClassTable:
        """The classes of equal labels, as if each label were a value."""
        return ClassTable(
            self.attributes, self.categories, self.codes, self.counts, self.class_of_record
        ).project(self.attributes)  # fmt: skip

    @cached_property
    def seconds_a_set(self) -> float:
        """About how long one set of attributes takes on one core: the candidates that two true values leave."""
        kinds = self.by_labels
        shares, spans = [], []
        for j, covering in enumerate(self.coverings):
            of_label = np.bincount(kinds.codes[:, j], minlength=len(self.categories[j])) / max(1, kinds.n_classes)
            if covering is None:
                shares.append(float(of_label[self.codes[:, j]].mean()) if self.n_classes else 0.0)
            else:
                shares.append(covering.share_of(of_label))
            spans.append(self.n_values(j))
        return _seconds_a_set(self.n_classes, kinds.n_classes, shares, spans)

    def n_values(self, j: int) -> int:
        covering = self.coverings[j]
        return super().n_values(j) if covering is None else covering.n_values

    def tells_nothing(self, j: int) -> np.ndarray:
        covering, n_labels = self.coverings[j], len(self.categories[j])
        if covering is None or covering.n_values < 2:
            return super().tells_nothing(j)
        return super().tells_nothing(j) | covering.covers_all(n_labels)[self.codes[:, j]]

    @property
    def anonymity_vector(self) -> AnonymityVector:
        return self.by_labels.anonymity_vector

    @property
    def size_of_record(self) -> np.ndarray:
        return self.by_labels.size_of_record

    def project(self, attributes: Iterable[str]) -> ClassTable:
        names = checked_names(self.attributes, attributes)
        picks = [self.attributes.index(name) for name in names]
        coverings = [self.coverings[j] for j in picks]
        columns = [self.codes[:, j] for j in picks] + [covering.value for covering in coverings if covering is not None]
        spans = [len(self.categories[j]) for j in picks] + [
            covering.n_values for covering in coverings if covering is not None
        ]
        ids, first = group(np.column_stack(columns) if columns else np.zeros((len(self.counts), 0), np.intp), spans)
        of_record = None if self.class_of_record is None else np.append(ids, -1).astype(np.int32)[self.class_of_record]
        return CoveredTable(
            tuple(names),
            tuple(self.categories[j] for j in picks),
            self.codes[first][:, picks],
            sum_by(ids, len(first), self.counts),
            of_record,
            tuple(
                None if covering is None else replace(covering, value=covering.value[first]) for covering in coverings
            ),
        )

    def read(self, attribute: str) -> ClassTable | None:
        checked_names(self.attributes, [attribute])
        j = self.attributes.index(attribute)
        covering = self.coverings[j]
        if covering is None:
            return super().read(attribute)
        as_read = covering.as_read(len(self.categories[j]))
        if as_read is None:
            return None
        return replace(self, coverings=(*self.coverings[:j], as_read, *self.coverings[j + 1 :]))

    def relabel(
        self, columns: Mapping[str, tuple[np.ndarray, np.ndarray]], kept: np.ndarray | None = None
    ) -> ClassTable:
        plain = ClassTable(self.attributes, self.categories, self.codes, self.counts, self.class_of_record)
        return plain.relabel(columns, kept)

    def keep(self, kept: np.ndarray) -> ClassTable:
        return self.relabel({}, kept)


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
        of_values = [
            table.codes[:, j] if covering is None else covering.value for j, covering in enumerate(table.coverings)
        ]
        self._begin(of_values, [table.n_values(j) for j in range(len(table.attributes))], table.counts)
        self._begin_candidates(table, table.coverings, beside)

    def _begin_candidates(
        self, labels: ClassTable, coverings: Iterable[Covering | None], beside: Iterable[int] = ()
    ) -> None:
        """The records by their labels, which may be those of another file than the values are of."""
        from anonlib.counting.classes.covering_loops import narrow  # which loads the compiler

        self._narrow, self._beside = narrow, frozenset(beside)
        self._n_labels = [max(1, len(values)) for values in labels.categories]
        self._covering = [
            (np.arange(n + 1, dtype=np.int64), np.arange(n, dtype=np.int64))
            if covering is None
            else (covering.start, covering.label)
            for covering, n in zip(coverings, self._n_labels, strict=True)
        ]
        self._kinds = dict[tuple[int, ...], _Kinds]()
        self._merged = dict[tuple[tuple[int, ...], tuple[int, ...]], np.ndarray]()
        self._labels = [np.ascontiguousarray(column, dtype=np.int64) for column in labels.codes.T]
        every = tuple(range(len(labels.attributes)))
        ids, first = self._grouped(self._labels, every)
        self._kinds[every] = _Kinds({j: self._labels[j][first] for j in every})
        self._records = sum_by(ids, len(first), labels.counts).astype(np.int64)

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
                labels = {j: label[j][first] for j in rest}
            else:
                ids, labels = np.zeros(n, dtype=np.int64), {}
            if rest not in self._kinds:
                self._kinds[rest] = _Kinds(labels)
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


@dataclass(frozen=True, eq=False)
class UnlinkedTable:
    """The true values of the persons of one file, and the labels of another, of which nobody knows whose they are.

    Attributes
    ----------
    values : ClassTable
        The persons by their true values.
    labels : ClassTable
        The records of the other file by their labels, of the same attributes.
    coverings : tuple[Covering, ...]
        Per attribute which labels cover which values.
    """

    values: ClassTable
    labels: ClassTable
    coverings: tuple[Covering, ...]

    @property
    def attributes(self) -> tuple[str, ...]:
        return self.values.attributes

    @cached_property
    def seconds_a_set(self) -> float:
        """About how long one set of attributes takes on one core."""
        n_kinds = max(1, self.labels.n_classes)
        shares = [
            covering.share_of(np.bincount(self.labels.codes[:, j], minlength=len(self.labels.categories[j])) / n_kinds)
            for j, covering in enumerate(self.coverings)
        ]
        spans = [covering.n_values for covering in self.coverings]
        return _seconds_a_set(self.values.n_classes, n_kinds, shares, spans)

    @property
    def subsets(self) -> UnlinkedSubsets:
        """The subsets of its attributes."""
        return UnlinkedSubsets(self)


class UnlinkedSubsets(CoveredSubsets):
    """The subsets of the attributes of an unlinked table: ``sizes`` are 0 where no record fits a person's values."""

    def __init__(self, table: UnlinkedTable) -> None:
        self._begin(table.values.codes.T, [len(values) for values in table.values.categories], table.values.counts)
        self._begin_candidates(table.labels, table.coverings)


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
