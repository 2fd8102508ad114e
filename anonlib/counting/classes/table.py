"""The class table: the distinct rows of chosen attributes with their counts.

After it comes what each class gives away of a sensitive attribute: l-diversity and t-closeness, as one figure for each
class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from anonlib.basics.errors import InputError
from anonlib.counting.classes.coding import (
    Missing,
    attribute_names,
    checked_names,
    checked_weights,
    encode,
    group,
    sum_by,
    tally,
)
from anonlib.counting.classes.database import counted_in_database
from anonlib.counting.classes.rows_of_persons import one_row_a_person, person_of_row
from anonlib.counting.classes.store import stored
from anonlib.counting.classes.vector import AnonymityVector, anonymity_vector
from anonlib.reading.records import FrameRecords, Records, TableRecords
from anonlib.reading.records.names import unused_name
from anonlib.values.cells import MISSING_LABEL
from anonlib.values.spellings import read_as_one

if TYPE_CHECKING:
    import ibis.expr.types as ir


@dataclass(frozen=True, eq=False)
class ClassTable:
    """The distinct rows of chosen attributes with their counts.

    Attributes
    ----------
    attributes : tuple[str, ...]
        Names of the attributes, in the order given.
    categories : tuple[np.ndarray, ...]
        Per attribute, the values that occur (object array); a missing value is ``None``, last.
    codes : np.ndarray
        int32, classes x attributes, positions in ``categories``. Rows are in lexicographic order.
    counts : np.ndarray
        int64, records (or persons, or summed weights) in each class, all at least 1.
    class_of_record : np.ndarray, optional
        int32, per record its class, or -1 where the record is left out (a missing value under ``missing="drop"``, or a
        weight of 0). None when the table was built without records.
    """

    attributes: tuple[str, ...]
    categories: tuple[np.ndarray, ...]
    codes: np.ndarray
    counts: np.ndarray
    class_of_record: np.ndarray | None = None

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        attributes: Iterable[str] | None = None,
        weights: str | Sequence[Any] | np.ndarray | None = None,
        missing: Missing = "category",
        person: str | None = None,
    ) -> ClassTable:
        """Count the classes of a frame.

        Parameters
        ----------
        frame : pd.DataFrame
            One row a record.
        attributes : Iterable[str], optional
            Columns whose combinations are counted; all but those of weights and persons when left out.
        weights : str | Sequence | np.ndarray, optional
            A column, or a sequence of whole numbers of 0 or more: how many persons each row stands for.
        missing : Missing, default "category"
            ``"category"``: a missing value is a value of its own. ``"drop"``: a record that lacks one is left out.
        person : str, optional
            A column of person ids: counts are then of persons, each with one value an attribute. If a person's rows
            differ, the value is the set of their values, because somebody who knows a person knows all of their rows; a
            missing value gives way to one that is present. A row without a person id is a person.

        Returns
        -------
        ClassTable

        Raises
        ------
        InputError
            For an unknown or repeated attribute, an unusable weight, or persons with weights.

        Examples
        --------
        >>> people = pd.DataFrame({"sex": ["F", "F", "F", "M"], "age": ["40", "40", "40", "52"]})
        >>> ClassTable.from_frame(people).to_frame()
          sex age  count
        0   F  40      3
        1   M  52      1
        """
        names = attribute_names(frame.columns, attributes, weights, person, missing)
        encoded = [encode(frame[name]) for name in names]
        codes = np.column_stack([codes for codes, _ in encoded]) if names else np.zeros((len(frame), 0), np.int32)
        categories = [values for _, values in encoded]
        if person is not None:
            members = person_of_row(frame[person])
            codes, categories = one_row_a_person(codes, categories, members)
            table = cls._count(names, categories, codes, None, missing)
            assert table.class_of_record is not None
            return replace(table, class_of_record=table.class_of_record[members])
        return cls._count(names, categories, codes, checked_weights(frame, weights), missing)

    @classmethod
    def from_ibis(
        cls,
        table: ir.Table,
        attributes: Iterable[str] | None = None,
        weights: str | None = None,
        missing: Missing = "category",
        person: str | None = None,
    ) -> ClassTable:
        """Count the classes of a database table with one GROUP BY; the records never leave the database.

        Parameters
        ----------
        table : ir.Table
            A table of DuckDB, or of the database that an Ibis connection leads to.
        attributes : Iterable[str], optional
            Columns whose combinations are counted; all but those of weights and persons when left out.
        weights : str, optional
            A column of whole numbers of 0 or more: how many persons each row stands for.
        missing : Missing, default "category"
            As for :meth:`from_frame`; NULL, NaN and blank text are one missing value.
        person : str, optional
            A column of person ids: counts are then of persons, as :meth:`from_frame` counts them.

        Returns
        -------
        ClassTable
            Values are text in natural order, as in every data set, so that tables counted in a database and in memory
            compare. ``class_of_record`` is None.

        Raises
        ------
        InputError
            As :meth:`from_frame`.
        """
        return cls._of_table(table, lambda _: (), attributes, weights, missing, person)

    @classmethod
    def from_records(
        cls,
        records: Records,
        attributes: Iterable[str] | None = None,
        weights: str | None = None,
        missing: Missing = "category",
        person: str | None = None,
    ) -> ClassTable:
        """Count the classes of records, wherever they are; the parameters are those of :meth:`from_frame`.

        Returns
        -------
        ClassTable
            The same for the same records, but that ``class_of_record`` is None where they are in an engine.

        Raises
        ------
        InputError
            As :meth:`from_frame`.
        """
        match records:
            case FrameRecords():
                return cls.from_frame(records.frame, attributes, weights, missing, person)
            case TableRecords():
                names = attribute_names(records.columns, attributes, weights, person, missing)
                table = stored(
                    records, names, (weights, person),
                    lambda: cls._of_table(records.table, records.order, names, weights, "category", person),
                )  # fmt: skip
                return table.keep(table.has_all_values) if missing == "drop" else table
        raise TypeError(f"classes cannot be counted of {type(records).__name__}")

    @classmethod
    def _of_table(
        cls,
        table: ir.Table,
        order: Callable[[str], np.ndarray | tuple[()]],
        attributes: Iterable[str] | None,
        weights: str | None,
        missing: Missing,
        person: str | None,
    ) -> ClassTable:
        names = attribute_names(table.columns, attributes, weights, person, missing)
        coded, sizes = counted_in_database(table, names, weights, person, order)
        codes = np.column_stack([codes for codes, _ in coded]) if names else np.zeros((len(sizes), 0), np.int32)
        classes = cls._count(names, [values for _, values in coded], codes, sizes, missing)
        return replace(classes, class_of_record=None)

    @classmethod
    def _count(
        cls,
        names: Sequence[str],
        categories: Sequence[np.ndarray],
        codes: np.ndarray,
        weights: np.ndarray | None,
        missing: Missing,
    ) -> ClassTable:
        """Group coded rows (-1 = missing) into classes."""
        kept = np.ones(len(codes), dtype=bool) if weights is None else weights > 0
        lacking = [j for j in range(len(names)) if (codes[:, j] < 0).any()]
        if missing == "drop":
            for j in lacking:
                kept &= codes[:, j] >= 0
        rows = codes if kept.all() else codes[kept]
        if missing == "category":
            rows = rows.copy() if lacking else rows
            for j in lacking:
                column = rows[:, j]
                if (column < 0).any():
                    column[column < 0] = len(categories[j])
                    categories = [*categories[:j], np.append(categories[j], [None]), *categories[j + 1 :]]
        ids, first = group(rows, [len(values) for values in categories])
        class_of_record = np.full(len(codes), -1, dtype=np.int32)
        class_of_record[kept] = ids
        counts = sum_by(ids, len(first), None if weights is None else weights[kept])
        class_codes = rows.take(first, axis=0).astype(np.int32, copy=False)
        return cls(tuple(names), tuple(categories), class_codes, counts, class_of_record)._tidy()

    @property
    def n_records(self) -> int:
        """Records (persons, summed weights) in all classes."""
        return int(self.counts.sum())

    @property
    def n_classes(self) -> int:
        """Combinations of values that occur."""
        return len(self.counts)

    @property
    def size_of_record(self) -> np.ndarray:
        """int64, per record the size of its class; 0 where the record is left out. Needs records."""
        if self.class_of_record is None:
            raise InputError(
                "This class table was built in a database and holds no records.", code="records-in-a-database"
            )
        return np.append(self.counts, 0)[self.class_of_record]

    @cached_property
    def anonymity_vector(self) -> AnonymityVector:
        """How many classes there are of each size."""
        return anonymity_vector(self.counts)

    @cached_property
    def vectors_without(self) -> tuple[AnonymityVector, ...]:
        """Per attribute the anonymity vector of all others."""
        columns = [self.codes[:, j].astype(np.intp) for j in range(len(self.attributes))]
        spans = [len(values) for values in self.categories]
        without = ((columns[:j] + columns[j + 1 :], spans[:j] + spans[j + 1 :]) for j in range(len(columns)))
        return tuple(anonymity_vector(tally(*others, self.counts)[1]) for others in without)

    def project(self, attributes: Iterable[str]) -> ClassTable:
        """The class table of some of the attributes.

        Parameters
        ----------
        attributes : Iterable[str]
            Names, in the order that the result has them.

        Returns
        -------
        ClassTable
            Classes that become equal are one.
        """
        names = checked_names(self.attributes, attributes)
        picks = [self.attributes.index(name) for name in names]
        ids, first = group(self.codes[:, picks], [len(self.categories[j]) for j in picks])
        of_record = None if self.class_of_record is None else np.append(ids, -1).astype(np.int32)[self.class_of_record]
        return ClassTable(
            tuple(names),
            tuple(self.categories[j] for j in picks),
            self.codes[first][:, picks],
            sum_by(ids, len(first), self.counts),
            of_record,
        )._tidy()

    def recode(self, labels: Mapping[str, np.ndarray]) -> ClassTable:
        """The class table after values are relabelled.

        Parameters
        ----------
        labels : Mapping[str, np.ndarray]
            By attribute, a label for each of its categories (object array, None = missing).

        Returns
        -------
        ClassTable
            Categories of one label are one, and classes that become equal are one.
        """
        checked_names(self.attributes, labels)
        return self.relabel({name: (self.codes[:, self.attributes.index(name)], labels[name]) for name in labels})

    def read(self, attribute: str) -> ClassTable | None:
        """The same classes in their order, with labels of an attribute as one value where a person reads them so.

        Parameters
        ----------
        attribute : str
            Its name. What a person reads as one value says :func:`anonlib.values.spellings.read_as_one`.

        Returns
        -------
        ClassTable, or None where no labels are read as one
            Several of its classes may be equal; the first spelling is the value.
        """
        checked_names(self.attributes, [attribute])
        j = self.attributes.index(attribute)
        first = read_as_one(self.categories[j])
        if first is None:
            return None
        distinct, place = np.unique(first, return_inverse=True)
        codes, categories = self.codes.copy(), list(self.categories)
        codes[:, j], categories[j] = place[self.codes[:, j]], self.categories[j][distinct]
        return replace(self, codes=codes, categories=tuple(categories))

    def relabel(
        self, columns: Mapping[str, tuple[np.ndarray, np.ndarray]], kept: np.ndarray | None = None
    ) -> ClassTable:
        """The class table with new values, given class by class.

        Parameters
        ----------
        columns : Mapping[str, tuple[np.ndarray, np.ndarray]]
            By attribute, a code for each class, and the label of each code (None = missing). Codes of one label are one
            value.
        kept : np.ndarray, optional
            bool, per class; the records of the others are left out.

        Returns
        -------
        ClassTable
            Classes that become equal are one.
        """
        codes, categories = self.codes.copy(), list(self.categories)
        for j, name in enumerate(self.attributes):
            if name in columns:
                given, labels = columns[name]
                new, distinct = pd.factorize(np.append(labels, [None]), use_na_sentinel=True)
                if (new[:-1] < 0).any():
                    new, distinct = np.where(new < 0, len(distinct), new), np.append(distinct, [None])
                codes[:, j], categories[j] = new[:-1][given], np.asarray(distinct, dtype=object)
        table = replace(self, codes=codes, categories=tuple(categories))
        return (table if kept is None else table.keep(kept)).project(self.attributes)

    def keep(self, kept: np.ndarray) -> ClassTable:
        """The class table of some of its classes.

        Parameters
        ----------
        kept : np.ndarray
            bool, per class; the records of the others are left out.

        Returns
        -------
        ClassTable
        """
        of_record = None
        if self.class_of_record is not None:
            place = np.where(kept, np.cumsum(kept) - 1, -1)
            of_record = np.append(place, -1).astype(np.int32)[self.class_of_record]
        return ClassTable(self.attributes, self.categories, self.codes[kept], self.counts[kept], of_record)._tidy()

    @property
    def has_all_values(self) -> np.ndarray:
        """bool per class: no attribute is missing in it."""
        return self.has_values(self.attributes)

    def has_values(self, attributes: Iterable[str]) -> np.ndarray:
        """bool per class: none of some attributes is missing in it."""
        whole = np.ones(self.n_classes, dtype=bool)
        for name in attributes:
            whole &= ~self.is_missing(self.attributes.index(name))
        return whole

    def is_missing(self, j: int) -> np.ndarray:
        """bool per class: the j-th attribute is missing in it."""
        values = self.categories[j]
        if not len(values) or values[-1] is not None:
            return np.zeros(self.n_classes, dtype=bool)
        return self.codes[:, j] == len(values) - 1

    def n_values(self, j: int) -> int:
        """Values that the j-th attribute has in all classes, a missing one too."""
        return len(self.categories[j])

    def tells_nothing(self, j: int) -> np.ndarray:
        """bool per class: nothing can be read off the j-th attribute, which is missing in it."""
        return self.is_missing(j)

    def membership(self, attributes: Iterable[str]) -> np.ndarray:
        """The class that each class is part of when fewer attributes are looked at.

        Parameters
        ----------
        attributes : Iterable[str]
            The attributes looked at.

        Returns
        -------
        intp array, one item a class
            Position in ``project(attributes)``.
        """
        picks = [self.attributes.index(name) for name in checked_names(self.attributes, attributes)]
        return group(self.codes[:, picks], [len(self.categories[j]) for j in picks])[0]

    def column(self, attribute: str) -> np.ndarray:
        """The value that each class has in an attribute.

        Parameters
        ----------
        attribute : str
            Its name.

        Returns
        -------
        object array, one item a class
            None = missing.
        """
        checked_names(self.attributes, [attribute])
        j = self.attributes.index(attribute)
        return self.categories[j][self.codes[:, j]]

    def to_frame(self, counts: str = "count") -> pd.DataFrame:
        """One row a class: its values and its count.

        Parameters
        ----------
        counts : str, default "count"
            Name of the column of counts.

        Returns
        -------
        DataFrame
        """
        if counts in self.attributes:
            counts = unused_name(counts, self.attributes)
        return pd.DataFrame({**{name: self.column(name) for name in self.attributes}, counts: self.counts})

    def labels(self) -> pd.DataFrame:
        """One row a class, as text for the screen (missing values as ``(missing)``)."""
        frame = pd.DataFrame({name: self.column(name) for name in self.attributes}, dtype=object)
        return frame.where(frame.notna(), MISSING_LABEL).astype(str)

    def _tidy(self) -> ClassTable:
        """Keep only the categories that occur, so that equal data give equal tables."""
        used = [np.bincount(self.codes[:, j], minlength=len(values)) > 0 for j, values in enumerate(self.categories)]
        if all(in_use.all() for in_use in used):
            return self
        codes = np.column_stack(
            [(np.cumsum(in_use, dtype=np.int32) - 1)[self.codes[:, j]] for j, in_use in enumerate(used)]
        )
        categories = tuple(values[in_use] for values, in_use in zip(self.categories, used, strict=True))
        return replace(self, categories=categories, codes=codes)


def distinct_values(group: np.ndarray, n_groups: int) -> np.ndarray:
    """int64, per group the distinct values in it (rows are distinct pairs of group and value)."""
    return np.bincount(group, minlength=n_groups)


def entropy(group: np.ndarray, share: np.ndarray, n_groups: int) -> np.ndarray:
    """Per group the entropy of its values, in nats. ``share`` is each row's share of its group."""
    return -np.bincount(group, weights=share * np.log(share), minlength=n_groups)


def equal_distance(
    group: np.ndarray, value: np.ndarray, share: np.ndarray, overall: np.ndarray, n_groups: int
) -> np.ndarray:
    """Per group the distance of its values from ``overall``, all values equally far apart: half the summed changes."""
    return np.bincount(group, weights=np.maximum(share - overall[value], 0), minlength=n_groups)


def ordered_distance(group: np.ndarray, value: np.ndarray, share: np.ndarray, overall: np.ndarray) -> np.ndarray:
    """Per group the ordered (earth mover's) distance to the whole: sum |F_group - F_all| / (m - 1).

    Every group from 0 on has a row; rows are sorted by group and value. Between two values of a group F_group is
    constant and F_all rises, so each stretch is two prefix sums of F_all on either side of where they cross.
    """
    m = len(overall)
    if m < 2:
        return np.zeros(int(group.max()) + 1)
    cumulative = np.cumsum(overall)
    prefix = np.concatenate([[0.0], np.cumsum(cumulative)])
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    running = np.cumsum(share)
    level = running - (running[starts] - share[starts])[group]
    ends = np.append(value[1:], m)
    ends[np.append(starts[1:], len(value)) - 1] = m
    crossing = np.clip(np.searchsorted(cumulative, level), value, ends)
    above = level * (crossing - value) - (prefix[crossing] - prefix[value])
    below = (prefix[ends] - prefix[crossing]) - level * (ends - crossing)
    distance = np.bincount(group, weights=above + below) + prefix[value[starts]]
    return distance / (m - 1)
