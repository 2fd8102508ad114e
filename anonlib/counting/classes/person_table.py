"""The person table: the distinct rows of chosen attributes, and how many persons have just which of them.

After it comes what is counted before rows are left out: persons with rows that lack a value, and rows that stand for
nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonlib.counting.classes.coding import checked_names, sum_by
from anonlib.counting.classes.database import profiles_in_database
from anonlib.counting.classes.rows_of_persons import alike_profiles, distinct_pairs, person_of_row, starts_of
from anonlib.counting.classes.store import stored
from anonlib.counting.classes.table import ClassTable
from anonlib.reading.records import FrameRecords, Labels, Records, TableRecords
from anonlib.reading.records.names import unused_name
from anonlib.values.cells import to_numbers


@dataclass(frozen=True, eq=False)
class PersonTable:
    """Persons with all of their rows. Those who have equal rows, with their number, share a profile.

    Profiles stand in one order wherever the records are and however they are ordered: by their rows, fewer first.

    Attributes
    ----------
    rows : ClassTable
        The distinct rows; their counts are rows of the file. A missing value is a value of its own.
    persons : np.ndarray
        int64, how many persons have each profile, 1 or more.
    start : np.ndarray
        int64, profiles + 1: where the rows of each profile begin in ``row`` and ``times``, and the end.
    row : np.ndarray
        Intp, the distinct rows of one profile after the other, positions in ``rows``, ascending in each profile.
    times : np.ndarray
        Intp, how often a person of the profile has that row, 1 or more.
    profile_of_record : np.ndarray, optional
        Intp, per record its profile; None where the records are in an engine.
    within : tuple[str, ...], default ()
        Columns of ``rows``, besides those that are looked at, that say which rows of a person hang together below one
        row, by a number within the person; the highest first.
    """

    rows: ClassTable
    persons: np.ndarray
    start: np.ndarray
    row: np.ndarray
    times: np.ndarray
    profile_of_record: np.ndarray | None = None
    within: tuple[str, ...] = ()

    @property
    def n_persons(self) -> int:
        """All persons."""
        return int(self.persons.sum())

    @property
    def n_profiles(self) -> int:
        """How many different persons there are, so to speak."""
        return len(self.persons)

    @classmethod
    def from_frame(
        cls, frame: pd.DataFrame, attributes: Iterable[str], person: str, within: Sequence[str] = ()
    ) -> PersonTable:
        """Count the persons of a frame.

        Parameters
        ----------
        frame : pd.DataFrame
            One row a record.
        attributes : Iterable[str]
            The columns that are looked at.
        person : str
            The column of person ids. A row without one is a person of its own.
        within : Sequence[str], default ()
            Columns that say which rows of a person hang together (as above).

        Returns
        -------
        PersonTable

        Raises
        ------
        InputError
            For an unknown or repeated column.
        """
        checked_names(frame.columns, [person])
        rows = ClassTable.from_frame(frame, [*attributes, *within])
        assert rows.class_of_record is not None
        member = person_of_row(frame[person])
        n_persons = int(member.max(initial=-1)) + 1
        owner, row, times = distinct_pairs(member, rows.class_of_record, rows.n_classes)
        once = np.ones(n_persons, dtype=np.int64)
        return cls._of_runs(rows, once, starts_of(owner, n_persons), row, times, member, within)

    @classmethod
    def from_records(
        cls, records: Records, attributes: Iterable[str], person: str, within: Sequence[str] = ()
    ) -> PersonTable:
        """Count the persons of records, wherever they are; else as :meth:`from_frame`.

        In an engine two queries are sent: for the distinct rows, and for the list of rows of each person, grouped.
        """
        match records:
            case FrameRecords():
                return cls.from_frame(records.frame, attributes, person, within)
            case TableRecords():
                names = checked_names(records.columns, attributes)
                key = ("all rows of", person, *within)
                return stored(records, names, key, lambda: cls._of_table(records, names, person, within))
        raise TypeError(f"persons cannot be counted of {type(records).__name__}")

    @classmethod
    def _of_table(cls, records: TableRecords, names: list[str], person: str, within: Sequence[str]) -> PersonTable:
        rows = ClassTable.from_records(records, [*names, *within])
        start, listed, persons = profiles_in_database(records.table, rows, person)
        owner = np.repeat(np.arange(len(persons)), np.diff(start))
        owners, row, times = distinct_pairs(owner, listed, rows.n_classes)
        return cls._of_runs(rows, persons, starts_of(owners, len(persons)), row, times, None, within)

    @classmethod
    def _of_runs(
        cls,
        rows: ClassTable,
        persons: np.ndarray,
        start: np.ndarray,
        row: np.ndarray,
        times: np.ndarray,
        of_record: np.ndarray | None,
        within: Sequence[str],
    ) -> PersonTable:
        """Of persons (or profiles) as they come: those of equal rows are one profile."""
        same = alike_profiles(persons, start, row, times)
        profiles = None if of_record is None else same.number[of_record]
        return cls(rows, same.persons, same.start, same.row, same.times, profiles, tuple(within))

    @property
    def attributes(self) -> tuple[str, ...]:
        """Names of the columns that are looked at."""
        return tuple(name for name in self.rows.attributes if name not in self.within)

    @property
    def codes(self) -> np.ndarray:
        """int32, distinct rows x attributes, as of :class:`ClassTable`."""
        return self.rows.codes

    @property
    def profile(self) -> np.ndarray:
        """intp, as long as ``row``: the profile that has it."""
        return np.repeat(np.arange(self.n_profiles), np.diff(self.start))

    def project(self, attributes: Iterable[str]) -> PersonTable:
        """The person table of some of the attributes: rows that become equal are one, and so are profiles."""
        names = [*attributes, *self.within]
        rows, place = self.rows.project(names), self.rows.membership(names)
        key = self.profile * max(1, rows.n_classes) + place[self.row]
        distinct, number = np.unique(key, return_inverse=True)
        owner, row = np.divmod(distinct, max(1, rows.n_classes))
        times = sum_by(number, len(distinct), self.times).astype(np.intp)
        start = starts_of(owner, self.n_profiles)
        return self._of_runs(rows, self.persons, start, row, times, self.profile_of_record, self.within)


def are_of_nobody(counts: ClassTable) -> np.ndarray:
    """bool per class of a column of counts: the count is 0."""
    values = [value or "" for value in counts.categories[0]]
    return (to_numbers(values) == 0)[counts.codes[:, 0]]


def with_missing_flags(held: Records, columns: Iterable[str]) -> tuple[Records, list[str]]:
    """The records with a copy of each column that only says whether there is a value, and the copies' names."""
    copies = []
    for column in columns:
        copy = unused_name(f"{column} is there", held.columns)
        values = held.values(column)
        labels = Labels.as_they_come(values, np.full(len(values), "yes", dtype=object), missing="no")
        held = held.copy_column(column, copy).recode(copy, labels)
        copies.append(copy)
    return held, copies


def have_several_values(classes: ClassTable) -> np.ndarray:
    """bool per class: its persons have several values in an attribute."""
    several = np.zeros(classes.n_classes, dtype=bool)
    for name in classes.attributes:
        several |= [hasattr(value, "members") for value in classes.column(name)]
    return several
