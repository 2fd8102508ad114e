"""What becomes of cells: labels by value, labels by class, and how often each value occurs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pandas as pd


@dataclass(frozen=True, eq=False)
class ValueCounts:
    """How often each value of a column occurs.

    Attributes
    ----------
    values : np.ndarray
        Object array of text, the column's values in its order; a value can have no record.
    records : np.ndarray
        int64, records with each value.
    missing : int
        Records without one.
    """

    values: np.ndarray
    records: np.ndarray
    missing: int

    @property
    def n_records(self) -> int:
        """All records, with a value or without."""
        return int(self.records.sum()) + self.missing

    def relabelled(self, labels: Labels) -> ValueCounts:
        """How often each label occurs that records with these values get, where no record is left out."""
        place = {label: i for i, label in enumerate(labels.order)} | {None: len(labels.order)}
        of_value = {value: place[label] for value, label in zip(labels.values, labels.labels, strict=True)}
        counted = np.zeros(len(place), dtype=np.int64)
        np.add.at(counted, [of_value[value] for value in self.values], self.records)
        counted[place[labels.missing]] += self.missing
        occurs = counted[:-1] > 0
        return ValueCounts(labels.order[occurs], counted[:-1][occurs], int(counted[-1]))


@dataclass(frozen=True, eq=False)
class ValueSizes:
    """How many values occur how often.

    Attributes
    ----------
    records : np.ndarray
        int64, records that share a value, 1 or more, ascending.
    values : np.ndarray
        int64, how many values so many records have; missing is a value.
    missing : int, default 0
        Records without a value.
    """

    records: np.ndarray
    values: np.ndarray
    missing: int = 0

    @classmethod
    def of(cls, counts: ValueCounts) -> ValueSizes:
        """Those of values that are counted."""
        sizes = np.append(counts.records, counts.missing)
        return cls(*np.unique(sizes[sizes > 0], return_counts=True), int(counts.missing))

    @property
    def n_values(self) -> int:
        """Values that occur; what is missing is none."""
        return int(self.values.sum()) - (self.missing > 0)

    @property
    def entropy(self) -> float:
        """Of the values over the records, in bits, 0 or more (Shannon 1948)."""
        shares = self.records / max(1, int(self.records @ self.values))
        return max(0.0, float(-(self.values * shares * np.log2(shares)).sum()))


@dataclass(frozen=True, eq=False)
class Labels:
    """What the cells of a column become, each value alike.

    Attributes
    ----------
    values : np.ndarray
        Object array of text, the values of the column, each once.
    labels : np.ndarray
        Object array, the label of each; None = missing.
    order : np.ndarray
        Object array of text, the labels that occur, in the order of the new column.
    gone : np.ndarray, optional
        bool per value: its records are left out; None where nobody's are.
    missing : str, optional
        The label of missing cells; they stay missing where it is None. Where persons are counted, a missing cell stays
        missing if the label would say more of its person than their other rows do.
    needs_value : bool, default False
        A record without a value is left out too, unless another one of its person has a value and stays.
    """

    values: np.ndarray
    labels: np.ndarray
    order: np.ndarray
    gone: np.ndarray | None = None
    missing: str | None = None
    needs_value: bool = False

    @classmethod
    def as_they_come(
        cls, values: np.ndarray, labels: np.ndarray, gone: np.ndarray | None = None, missing: str | None = None
    ) -> Labels:
        """Labels in the order of the values that they come from, that of missing cells last."""
        order = pd.unique(np.append(labels, [missing]))
        return cls(values, labels, order[[label is not None for label in order]], gone, missing)

    @property
    def stays(self) -> np.ndarray:
        """bool per value: its records stay."""
        return np.ones(len(self.values), dtype=bool) if self.gone is None else ~self.gone


@dataclass(frozen=True, eq=False)
class CellLabels:
    """What the cells of a column become where that depends on the class of the record too.

    Attributes
    ----------
    values : np.ndarray
        Object array of text, the values of the column, each once.
    level : np.ndarray
        int per class: which row of ``labels`` holds for it.
    labels : np.ndarray
        Object array, levels x (values + 1), the label of each value and, in the last column, of missing cells; None =
        missing. Missing cells of persons are treated as by :class:`Labels`.
    """

    values: np.ndarray
    level: np.ndarray
    labels: np.ndarray


class Groups(Protocol):
    """What records need of a class table, to find the class of each record again."""

    @property
    def attributes(self) -> tuple[str, ...]:
        """Names of the attributes."""

    @property
    def categories(self) -> tuple[np.ndarray, ...]:
        """Per attribute, its values: texts, sets of texts with ``members``, and None where missing ones count."""

    @property
    def codes(self) -> np.ndarray:
        """int, classes x attributes, positions in ``categories``."""

    @property
    def counts(self) -> np.ndarray:
        """int64, what each class counts."""

    @property
    def class_of_record(self) -> np.ndarray | None:
        """int, per record its class or -1, for records in memory."""


class Profiles(Protocol):
    """What records need of a person table, to find the persons again and what rows they have."""

    @property
    def rows(self) -> Groups:
        """The distinct rows."""

    @property
    def persons(self) -> np.ndarray:
        """int64, how many persons have each profile."""

    @property
    def start(self) -> np.ndarray:
        """int64, profiles + 1: where the rows of each begin in ``row``, and the end."""

    @property
    def row(self) -> np.ndarray:
        """int, distinct rows of one profile after the other, ascending in each."""

    @property
    def times(self) -> np.ndarray:
        """int, how often a person of the profile has that row."""

    @property
    def profile_of_record(self) -> np.ndarray | None:
        """int, per record its profile, for records in memory."""


@dataclass(frozen=True)
class CountedBy:
    """What classes were counted by: a column of persons, or of weights, or neither.

    Attributes
    ----------
    person : str, optional
        The column that names persons.
    weight : str, optional
        The column that says how many people a record stands for.
    """

    person: str | None = None
    weight: str | None = None


RECORDS_ALONE = CountedBy()
"""Each record counts for itself."""
