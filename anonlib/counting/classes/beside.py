"""The people of one file looked up among the records of another, of which nobody knows whose they are.

For known attributes the candidates of somebody are the records of the other file whose labels there are true of their
values. Labels may be coarser than values, and of several levels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from anonlib.counting.classes.covering import CoveredTable, Covering
from anonlib.counting.classes.table import ClassTable
from anonlib.values.spellings import read_as_one


@dataclass(frozen=True, eq=False)
class TrueLabels:
    """Which labels of another file are true of each value of an attribute.

    Attributes
    ----------
    start : np.ndarray
        int64, values + 1: where the labels of each value begin.
    label : np.ndarray
        int64, one value after the other, ascending in each: codes of labels.
    """

    start: np.ndarray
    label: np.ndarray

    @classmethod
    def of(cls, labels: Sequence[Sequence[int]]) -> TrueLabels:
        """Of the labels of each value, in any order."""
        start = np.append(0, np.cumsum([len(set(of_value)) for of_value in labels], dtype=np.int64)).astype(np.int64)
        return cls(start, np.array([code for of_value in labels for code in sorted(set(of_value))], dtype=np.int64))

    @property
    def number(self) -> np.ndarray:
        """int64, per value how many labels are true of it."""
        return np.diff(self.start)


@dataclass(frozen=True, eq=False)
class PeopleBeside:
    """The people of one file, and a table in which each of them is a class beside the records of another file.

    Attributes
    ----------
    people : ClassTable
        The classes of the people.
    table : ClassTable
        The same classes, in their order and with a count of 0, and after them the classes of the other file's records
        with theirs. Its values are the labels of the other file, and the values that none of these is true of; where
        labels of several levels stand side by side it is a :class:`CoveredTable`.
    silent : tuple[np.ndarray | None, ...]
        Per attribute bool, a class of ``table`` each: nothing is read off its label, which is true of every value or is
        an empty cell that may be hidden (:func:`more_are_empty`); None where there is no such label.
    """

    people: ClassTable
    table: ClassTable
    silent: tuple[np.ndarray | None, ...]

    @classmethod
    def of(cls, people: ClassTable, records: ClassTable, true_labels: Sequence[TrueLabels]) -> PeopleBeside:
        """Put people beside records.

        Parameters
        ----------
        people, records : ClassTable
            Of the same attributes in one order.
        true_labels : Sequence[TrueLabels]
            Per attribute, which of the records' values are true of each of the people's, a missing one among them.

        Returns
        -------
        PeopleBeside
        """
        is_plain = all(int(of_column.number.max(initial=0)) <= 1 for of_column in true_labels)
        table = (_by_labels if is_plain else _by_covering)(people, records, true_labels)
        silent = [_silent(people, records, j, of_column) for j, of_column in enumerate(true_labels)]
        return cls(people, table, tuple(silent))

    @property
    def rows(self) -> np.ndarray:
        """Positions of the people's classes in ``table``."""
        return np.arange(self.people.n_classes)

    @cached_property
    def as_shown(self) -> ClassTable:
        """The people alone, by what the other file distinguishes; classes may be equal.

        Where labels of several levels stand side by side, it is by their own values. Values that only the other file
        has are among the categories.
        """
        if isinstance(self.table, CoveredTable):
            coded = [self._with_strange(j, covering) for j, covering in enumerate(self.table.coverings)]
            codes, categories = zip(*coded, strict=True)
            return replace(self.people, codes=np.column_stack(codes), categories=categories)
        codes = self.table.codes[: self.people.n_classes]
        return replace(self.table, codes=codes, counts=self.people.counts)

    def _with_strange(self, j: int, covering: Covering | None) -> tuple[np.ndarray, np.ndarray]:
        """The people's codes of the j-th attribute and its values, with the labels that are true of none of them."""
        assert covering is not None
        codes, values = self.people.codes[:, j], self.people.categories[j]
        strange = self.table.categories[j][covering.label[covering.start[len(values)] :]]
        has_missing = int(values[-1] is None)  # which stays the last
        n_present = len(values) - has_missing
        return (
            np.where(codes < n_present, codes, codes + len(strange)),
            np.concatenate([values[:n_present], strange, values[n_present:]]),
        )

    def about(self, j: int) -> ClassTable:
        """The table without the records that say nothing of the j-th attribute."""
        silent = self.silent[j]
        return self.table if silent is None else replace(self.table, counts=np.where(silent, 0, self.table.counts))


def more_are_empty(people: ClassTable, records: ClassTable, j: int) -> bool:
    """Whether an attribute that lacks values of people already lacks a larger share of records.

    Some of its empty cells were hidden then, and nobody knows which.

    Parameters
    ----------
    people, records : ClassTable
        Of the same attributes in one order, neither empty.
    j : int
        The attribute.
    """
    of_people, of_records = (
        float(table.counts[table.is_missing(j)].sum() / table.n_records) for table in (people, records)
    )  # fmt: skip
    return 0 < of_people < of_records


def _silent(people: ClassTable, records: ClassTable, j: int, true_labels: TrueLabels) -> np.ndarray | None:
    """As :attr:`PeopleBeside.silent`. Of one value there is nothing to tell, and no label is silent of it."""
    values = people.categories[j]
    n_values = len(values) - (len(values) > 0 and values[-1] is None)
    if n_values < 2:
        return None
    times = np.bincount(true_labels.label[: true_labels.start[n_values]], minlength=len(records.categories[j]))
    of_record = (times == n_values)[records.codes[:, j]]
    if more_are_empty(people, records, j):
        of_record |= records.is_missing(j)
    return np.concatenate([np.zeros(people.n_classes, dtype=bool), of_record]) if of_record.any() else None


def _counts(people: ClassTable, records: ClassTable) -> np.ndarray:
    return np.concatenate([np.zeros(people.n_classes, dtype=np.int64), records.counts])


def _by_labels(people: ClassTable, records: ClassTable, true_labels: Sequence[TrueLabels]) -> ClassTable:
    """Where at most one label is true of each value, that is its value."""
    columns, categories = [], []
    for j, of_column in enumerate(true_labels):
        labels, values = records.categories[j], people.categories[j]
        code = np.full(len(values), -1, dtype=np.int64)
        code[of_column.number > 0] = of_column.label
        without = np.flatnonzero(code < 0)
        code[without] = len(labels) + np.arange(len(without))
        distinct = np.append(labels, values[without])
        is_missing = np.array([value is None for value in distinct], dtype=bool)
        place = np.argsort(np.argsort(is_missing, kind="stable"), kind="stable")  # a missing value is the last
        columns.append(np.concatenate([place[code][people.codes[:, j]], place[records.codes[:, j]]]))
        categories.append(distinct[np.argsort(is_missing, kind="stable")])
    codes = np.column_stack(columns).astype(np.int32)
    return ClassTable(people.attributes, tuple(categories), codes, _counts(people, records), people.class_of_record)


def _by_covering(people: ClassTable, records: ClassTable, true_labels: Sequence[TrueLabels]) -> CoveredTable:
    """Where several labels are true of a value: of people the values count, of records the labels.

    People get a label that is true of nothing, and records the first value. Values are those of the people, and the
    labels that are true of none of these.
    """
    labels, coverings, categories = [], [], []
    for j, of_column in enumerate(true_labels):
        n_labels = len(records.categories[j])
        strange = np.setdiff1d(np.arange(n_labels), of_column.label)
        start = np.append(of_column.start, of_column.start[-1] + 1 + np.arange(len(strange)))
        value = np.concatenate([people.codes[:, j], np.zeros(records.n_classes, dtype=np.int32)]).astype(np.intp)
        read = read_as_one(np.append(people.categories[j], records.categories[j][strange]))
        coverings.append(Covering(value, start, np.append(of_column.label, strange), read))
        labels.append(np.concatenate([np.full(people.n_classes, n_labels), records.codes[:, j]]))
        categories.append(np.append(records.categories[j], [""]))
    codes = np.column_stack(labels).astype(np.int32)
    return CoveredTable(
        people.attributes, tuple(categories), codes, _counts(people, records), people.class_of_record, tuple(coverings)
    )
