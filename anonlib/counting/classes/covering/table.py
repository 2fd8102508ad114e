"""A class table that knows, beside the labels of a release, which true values each of them covers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from anonlib.counting.classes.coding import checked_names, group, sum_by
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
        kept, place = np.unique(self.read, return_inverse=True)
        covers = np.zeros((len(kept), n_labels), dtype=bool)
        covers[np.repeat(place, np.diff(self.start)), self.label] = True
        return Covering.of(place[self.value], covers)

    def covers_all(self, n_labels: int) -> np.ndarray:
        """bool, a label each: it covers every value, so that nothing is read off it."""
        return np.bincount(self.label, minlength=n_labels) == self.n_values

    def covering(self, value: int, n_labels: int) -> np.ndarray:
        """bool, a label each: it covers a value."""
        found = np.zeros(n_labels, dtype=bool)
        found[self.label[self.start[value] : self.start[value + 1]]] = True
        return found


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
        shares, spans = [], []
        kinds = self.by_labels
        for j, covering in enumerate(self.coverings):
            of_label = np.bincount(kinds.codes[:, j], minlength=len(self.categories[j])) / max(1, kinds.n_classes)
            if covering is None:
                shares.append(float(of_label[self.codes[:, j]].mean()) if self.n_classes else 0.0)
            else:
                values = np.repeat(np.arange(covering.n_values), np.diff(covering.start))
                of_value = np.bincount(values, weights=of_label[covering.label], minlength=covering.n_values)
                shares.append(float(of_value[covering.value].mean()) if self.n_classes else 0.0)
            spans.append(self.n_values(j))
        pairs = [(i, j) for j in range(len(spans)) for i in range(j)]
        left = [min(self.n_classes, spans[i] * spans[j]) * shares[i] * shares[j] for i, j in pairs]
        return _A_CLASS * self.n_classes + _A_CANDIDATE * kinds.n_classes * (sum(left) / len(left) if left else 1.0)

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
        columns = [self.codes[:, j] for j in picks] + [each.value for each in coverings if each is not None]
        spans = [len(self.categories[j]) for j in picks] + [each.n_values for each in coverings if each is not None]
        ids, first = group(np.column_stack(columns) if columns else np.zeros((len(self.counts), 0), np.intp), spans)
        of_record = None if self.class_of_record is None else np.append(ids, -1).astype(np.int32)[self.class_of_record]
        return CoveredTable(
            tuple(names),
            tuple(self.categories[j] for j in picks),
            self.codes[first][:, picks],
            sum_by(ids, len(first), self.counts),
            of_record,
            tuple(None if each is None else replace(each, value=each.value[first]) for each in coverings),
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
