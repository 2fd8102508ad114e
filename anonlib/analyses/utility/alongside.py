"""Original and release lined up: what each original value was released as, in counts of records."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from anonlib.analyses.utility.scale import label_holding
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import TOP
from anonlib.counting.classes import ClassTable
from anonlib.dataset import Dataset
from anonlib.reading.records import Records
from anonlib.reading.records.names import unused_name

MOST_AT_ONCE = 200_000
"""Records in a database of which all combinations of values are fetched at once."""


@dataclass(frozen=True, eq=False)
class Alongside:
    """An original and a release of it.

    Attributes
    ----------
    original, released : Dataset
        Both, with their records in memory or in a database.
    """

    original: Dataset
    released: Dataset

    @classmethod
    def of(cls, original: Dataset, released: Dataset) -> Alongside:
        """Both lined up.

        Raises
        ------
        InputError
            When either has no record, or the release is not known to be one of this original.
        """
        if not original.n_records:
            raise InputError("The original has no records, so nothing is known about what is kept.", code="no-records")
        if not released.n_records:
            raise InputError(
                "No record is left in the release: recode more, or leave out fewer.", code="no-record-left"
            )
        both = cls(original, released)
        if both.in_memory:
            _ = both.rows
        elif both.leaving:
            _ = both._with_old_columns
        return both

    @property
    def in_memory(self) -> bool:
        """Whether the records are here."""
        return self.original.frame is not None and self.released.frame is not None

    @cached_property
    def rows(self) -> np.ndarray:
        """int, per record of the release which of the original it is, ascending. Raises InputError in a database."""
        return self.original.rows_of(self.released)

    @cached_property
    def _old(self) -> dict[str, str]:
        """By column that leaves, what its old values are called."""
        taken = {*self.original.held.columns, *self.released.held.columns}
        return {name: unused_name(f"{name} before", taken) for name in self.leaving}

    @cached_property
    def _with_old_columns(self) -> Records:
        return self.released.held.with_columns_of(self.original.held, self._old)

    @cached_property
    def _all(self) -> ClassTable | None:
        """All columns before and after, where the records in a database are few; else they are counted one by one."""
        if self.original.n_records > MOST_AT_ONCE:
            return None
        return ClassTable.from_records(self._with_old_columns, [*self._old.values(), *self.leaving])

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The original's columns that say something of a person: no identifiers, person ids or weights."""
        apart = {*self.original.identifiers, self.original.person_id, self.original.weight}
        return tuple(name for name in self.original.columns if name not in apart)

    @cached_property
    def leaving(self) -> tuple[str, ...]:
        """Those that are in the release."""
        released_columns = set(self.released.columns)
        return tuple(name for name in self.columns if name in released_columns)

    def column(self, name: str) -> Recoded:
        """A column that leaves, before and after."""
        before = self.original.held.counts_of(name)
        records = np.append(before.records, before.missing)
        labels = self.released.held.values(name)
        pairs = self._pairs_of_rows(name) if self.in_memory else self._pairs_counted(name, before.values, labels)
        return Recoded(before.values, labels, records, *pairs)

    def before(self, name: str) -> np.ndarray:
        """int64, per record of the original the code of its value, missing as the last one. Needs them in memory."""
        return _codes(self.original, name)

    def after(self, name: str) -> np.ndarray:
        """int64, per record of the release the code of its label, missing as the last one. Needs them in memory."""
        return _codes(self.released, name)

    def _pairs_of_rows(self, name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        value, label = self.before(name)[self.rows], self.after(name)
        n_values, n_labels = len(self.original.held.values(name)) + 1, len(self.released.held.values(name)) + 1
        keys = value * n_labels + label
        if n_values * n_labels <= 4 * len(keys) + 1024:
            counts = np.bincount(keys, minlength=n_values * n_labels)
            keys = np.flatnonzero(counts)
            counts = counts[keys]
        else:
            keys, counts = np.unique(keys, return_counts=True)
        return keys // n_labels, keys % n_labels, counts

    def _pairs_counted(
        self, name: str, values: np.ndarray, labels: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        pair = [self._old[name], name]
        classes = (
            ClassTable.from_records(self._with_old_columns, pair) if self._all is None else self._all.project(pair)
        )
        value, label = (
            places_in(texts, categories)[codes]
            for texts, categories, codes in zip((values, labels), classes.categories, classes.codes.T, strict=True)
        )
        order = np.lexsort((label, value))
        return value[order], label[order], classes.counts[order]


@dataclass(frozen=True, eq=False)
class Recoded:
    """A column before and after. A label is *blank* that says nothing: missing, or ``*``.

    Attributes
    ----------
    values, labels : np.ndarray
        Distinct values of the original, and labels of the release.
    records : np.ndarray
        The original's records with each value, missing last.
    value, label, counts : np.ndarray
        Each value with a label that it was released as, and the records; missing as the last of each.
    """

    values: np.ndarray
    labels: np.ndarray
    records: np.ndarray
    value: np.ndarray
    label: np.ndarray
    counts: np.ndarray

    @property
    def n_released(self) -> int:
        """Records of the release."""
        return int(self.counts.sum())

    @cached_property
    def blank(self) -> np.ndarray:
        """bool per label, missing last."""
        return np.append(self.labels == TOP, True)

    @cached_property
    def telling(self) -> np.ndarray:
        """bool per pair: what the value stands for. A blank label does only where the value has no other."""
        has_other = np.zeros(len(self.values) + 1, dtype=bool)
        has_other[self.value[~self.blank[self.label]]] = True
        return ~(self.blank[self.label] & has_other[self.value])

    @cached_property
    def label_of(self) -> np.ndarray:
        """Per value, missing last, the label that most of its records have; -1 where it cannot be found.

        A value of which no record is in the release has the label that says so by what is written (see
        :func:`anonlib.analyses.utility.scale.label_holding`).
        """
        value, label, counts = (part[self.telling] for part in (self.value, self.label, self.counts))
        order = np.argsort(counts, kind="stable")  # the last one written is the commonest
        label_of_value = np.full(len(self.values) + 1, -1, dtype=np.int64)
        label_of_value[value[order]] = label[order]
        unseen = np.flatnonzero(label_of_value[:-1] < 0)
        if len(unseen):
            label_of_value[unseen] = label_holding(self.values[unseen], self.labels)
        if label_of_value[-1] < 0 and (self.label == len(self.labels)).any():
            label_of_value[-1] = len(self.labels)
        return label_of_value

    @property
    def is_changed(self) -> bool:
        """Whether any record of the release has another value than it had."""
        return self.cells_kept < self.n_released

    @cached_property
    def cells_kept(self) -> int:
        """Records of the release whose value is the original's, missing too."""
        place = {label: i for i, label in enumerate(self.labels.tolist())}
        same = np.array([*(place.get(value, -2) for value in self.values.tolist()), len(self.labels)], dtype=np.int64)
        return int(self.counts[same[self.value] == self.label].sum())

    @property
    def has_one_label_each(self) -> bool:
        """Whether each value has one label, blanks aside where it has any other."""
        value = self.value[self.telling]
        return len(np.unique(value)) == len(value)


def places_in(values: np.ndarray, texts: np.ndarray) -> np.ndarray:
    """int64, per text found its place among the values; missing, None, is behind the last."""
    places = pd.Index(values).get_indexer(pd.Index(texts, dtype=object))
    return np.where(pd.isna(texts), len(values), places).astype(np.int64)


def _codes(dataset: Dataset, name: str) -> np.ndarray:
    held = dataset.records[name].array
    codes = np.asarray(held.codes, dtype=np.int64)
    return np.where(codes < 0, len(held.categories), codes)
