"""Original and release lined up, record by record: what each original value was released as."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.hierarchies import TOP
from anonlib.utility.scale import label_holding


@dataclass(frozen=True, eq=False)
class Alongside:
    """An original and a release of it.

    Attributes
    ----------
    original, released : Dataset
        Both, with their records in memory.
    rows : ndarray of int
        Per record of the release, which of the original it is, ascending.
    """

    original: Dataset
    released: Dataset
    rows: np.ndarray

    @classmethod
    def of(cls, original: Dataset, released: Dataset) -> Alongside:
        """Both lined up.

        Raises
        ------
        InputError
            When either has no record, or the release is not known to be one of this original.
        """
        if not original.n_records:
            raise InputError("The original has no records, so nothing can be said of what is kept.")
        if not released.n_records:
            raise InputError("No record is left in the release: recode more, or leave out fewer.")
        return cls(original, released, original.rows_of(released))

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The original's columns that say something of a person: no identifiers, person ids or weights."""
        apart = {*self.original.identifiers, self.original.person_id, self.original.weight}
        return tuple(name for name in self.original.columns if name not in apart)

    @cached_property
    def leaving(self) -> tuple[str, ...]:
        """Those that are in the release."""
        there = set(self.released.columns)
        return tuple(name for name in self.columns if name in there)

    def column(self, name: str) -> Recoded:
        """A column that leaves, before and after."""
        before, after = self.original.records[name], self.released.records[name]
        return Recoded(
            before.cat.categories.to_numpy(dtype=object),
            after.cat.categories.to_numpy(dtype=object),
            before.cat.codes.to_numpy().astype(np.int64),
            after.cat.codes.to_numpy().astype(np.int64),
            self.rows,
        )


@dataclass(frozen=True, eq=False)
class Recoded:
    """A column before and after. A label is *blank* that says nothing: missing, or ``*``.

    Attributes
    ----------
    values, labels : ndarray of str
        Distinct values of the original, and labels of the release.
    before, after : ndarray of int64
        Codes of the original's records, and of the release's; -1 is missing.
    rows : ndarray of int
        Per record of the release, which of the original it is.
    """

    values: np.ndarray
    labels: np.ndarray
    before: np.ndarray
    after: np.ndarray
    rows: np.ndarray

    @cached_property
    def blank(self) -> np.ndarray:
        """bool per label, missing last."""
        return np.append(self.labels == TOP, True)

    @cached_property
    def pairs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Each value with a label that it was released as, and the records; missing as the last of each."""
        n_labels = len(self.labels) + 1
        value, label = _last(self.before[self.rows], len(self.values)), _last(self.after, len(self.labels))
        if (len(self.values) + 1) * n_labels <= 4 * len(value) + 1024:
            counts = np.bincount(value * n_labels + label, minlength=(len(self.values) + 1) * n_labels)
            keys = np.flatnonzero(counts)
            counts = counts[keys]
        else:
            keys, counts = np.unique(value * n_labels + label, return_counts=True)
        return keys // n_labels, keys % n_labels, counts

    @cached_property
    def telling(self) -> np.ndarray:
        """bool per pair: what the value stands for. A blank label does only where the value has no other."""
        value, label, _ = self.pairs
        has_other = np.zeros(len(self.values) + 1, dtype=bool)
        has_other[value[~self.blank[label]]] = True
        return ~(self.blank[label] & has_other[value])

    @cached_property
    def label_of(self) -> np.ndarray:
        """Per value, missing last, the label that most of its records have; -1 where it cannot be told.

        A value of which no record is in the release has the label that says so by what is written (see
        :func:`~anonlib.utility.scale.label_holding`).
        """
        value, label, counts = (part[self.telling] for part in self.pairs)
        order = np.argsort(counts, kind="stable")  # the last one written is the commonest
        found = np.full(len(self.values) + 1, -1, dtype=np.int64)
        found[value[order]] = label[order]
        unseen = np.flatnonzero(found[:-1] < 0)
        if len(unseen):
            found[unseen] = label_holding(self.values[unseen], self.labels)
        if found[-1] < 0 and (self.after < 0).any():
            found[-1] = len(self.labels)
        return found

    @property
    def is_changed(self) -> bool:
        """Whether any record of the release has another value than it had."""
        return self.cells_kept < len(self.after)

    @cached_property
    def cells_kept(self) -> int:
        """Records of the release whose value is the original's, missing too."""
        place = {label: i for i, label in enumerate(self.labels.tolist())}
        same = np.array([*(place.get(value, -2) for value in self.values.tolist()), len(self.labels)], dtype=np.int64)
        value, label, counts = self.pairs
        return int(counts[same[value] == label].sum())

    @property
    def has_one_label_each(self) -> bool:
        """Whether each value has one label, blanks aside where it has any other."""
        value = self.pairs[0][self.telling]
        return len(np.unique(value)) == len(value)

    def recoded(self) -> np.ndarray:
        """Per record of the original, its code among the labels: as released, else as its value mostly was.

        Missing is ``len(labels)``, and -1 what cannot be told.
        """
        codes = self.label_of[_last(self.before, len(self.values))]
        codes[self.rows] = _last(self.after, len(self.labels))
        return codes


def _last(codes: np.ndarray, n: int) -> np.ndarray:
    """Codes with missing as the last one, n."""
    return np.where(codes < 0, n, codes)
