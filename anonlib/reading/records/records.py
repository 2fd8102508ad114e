"""The one interface for records, wherever they are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from anonlib.basics.errors import InputError
from anonlib.reading.records.labels import (
    RECORDS_ALONE,
    CellLabels,
    CountedBy,
    Groups,
    Labels,
    Profiles,
    ValueCounts,
    ValueSizes,
)
from anonlib.reading.records.layout import TablesLayout
from anonlib.reading.records.profile import Profile, profile_of

UNKNOWN_ROWS = (
    "It is not known which records of the original are in this release. Apply the recipe to the original again, "
    "instead of reading the released file."
)


class Records(ABC):
    """Records of cells that are text or missing. Immutable: every change gives new records.

    A cell is the text that it has in a CSV file of the same records, wherever they are; one that holds only blanks, a
    NULL and a not-a-number are missing.
    """

    @property
    @abstractmethod
    def columns(self) -> list[str]:
        """The names of the columns, in their order."""

    @property
    @abstractmethod
    def n_records(self) -> int:
        """How many records there are."""

    @abstractmethod
    def head(self, n: int) -> pd.DataFrame:
        """At most ``n`` records, a categorical of text a column; which ones is up to where they are."""

    def counts_of(self, column: str) -> ValueCounts:
        """How often each value of a column occurs; counted once.

        Raises
        ------
        InputError
            In an engine, for more than a million different values.
        """
        if column not in self._counted:
            self._counted[column] = self._count(column)
        return self._counted[column]

    @cached_property
    def _counted(self) -> dict[str, ValueCounts]:
        return {}

    @abstractmethod
    def _count(self, column: str) -> ValueCounts:
        """As :meth:`counts_of`, counted now."""

    @cached_property
    def remembered(self) -> dict[Hashable, Any]:
        """What was computed of these records and takes long, by what it is; it goes with them."""
        return {}

    def values(self, column: str) -> np.ndarray:
        """The values of a column in its order, object array of text; what is raised is as in :meth:`counts_of`."""
        return self.counts_of(column).values

    def lists_values(self, column: str) -> bool:
        """Whether the values of a column can be fetched (:meth:`counts_of`): of a database's not always."""
        try:
            self.counts_of(column)
        except InputError:
            return False
        return True

    def sizes_of(self, column: str) -> ValueSizes:
        """How many values of a column occur how often, missing as a value; of any number of values."""
        return ValueSizes.of(self.counts_of(column))

    def profile(self, column: str) -> Profile:
        """What there is to know of a column before its role is thought about."""
        return profile_of(self.counts_of(column))

    @abstractmethod
    def tell_the_same(self, one: str, other: str) -> bool:
        """Whether each value of one column goes with one value of the other, both ways; missing is a value."""

    @abstractmethod
    def recode(self, column: str, labels: Labels, person: str | None = None) -> Records:
        """The records with other values in a column, each value alike.

        Parameters
        ----------
        column : str
            Its name.
        labels : Labels
            What each value becomes. A record with a value that is not among them is left out.
        person : str, optional
            The column of person ids, where persons are counted.
        """

    @abstractmethod
    def label(
        self,
        groups: Groups,
        kept: np.ndarray,
        cells: Mapping[str, CellLabels] | None = None,
        counted_by: CountedBy = RECORDS_ALONE,
    ) -> Records:
        """The records of some classes, with other values in some columns.

        Parameters
        ----------
        groups : Groups
            The classes of these records. A record in none of them is left out.
        kept : np.ndarray
            bool per class: whether its records stay.
        cells : Mapping[str, CellLabels], optional
            By column, what its cells become.
        counted_by : CountedBy, default RECORDS_ALONE
            What the classes were counted by.
        """

    @abstractmethod
    def first(self, groups: Groups, stays: np.ndarray, counted_by: CountedBy = RECORDS_ALONE) -> Records:
        """Some records (persons) of each class: in memory the first ones, in an engine drawn by their content.

        Parameters
        ----------
        groups : Groups
            The classes of these records. A record in none of them is left out.
        counted_by : CountedBy, default RECORDS_ALONE
            What the classes were counted by.
        stays : np.ndarray
            int per class: how many of its records (persons) stay. With weights, a class stays as a whole or not.
        """

    @abstractmethod
    def first_of_persons(self, profiles: Profiles, persons: np.ndarray, times: np.ndarray, person: str) -> Records:
        """Some persons of each profile, with some of their rows: the first in memory, in an engine drawn by content.

        Parameters
        ----------
        profiles : Profiles
            The person table of these records.
        persons : np.ndarray
            int per profile: how many persons stay.
        times : np.ndarray
            int, as long as ``profiles.row``: how many of that row each of them keeps. Who keeps none is gone.
        person : str
            The column of person ids.
        """

    @abstractmethod
    def first_rows(
        self,
        person: str,
        most: int,
        secret: bytes,
        by: str | None = None,
        places: np.ndarray | None = None,
        apart: Collection[str] = (),
    ) -> Records:
        """At most so many rows of each person, the same wherever the records are.

        Parameters
        ----------
        person : str
            The column of person ids; a row without one is a person.
        most : int
            How many rows a person keeps.
        secret : bytes
            The key of the order in which rows are drawn that nothing else puts in order, by the hash of what they hold.
        by : str, optional
            A column by whose values rows stay; without one the order is drawn.
        places : np.ndarray, optional
            int per value of ``by``, 0 or more: rows with the lowest stay, those without a value last.
        apart : Collection[str], default ()
            Columns that are nothing a row holds.
        """

    @abstractmethod
    def label_persons(
        self, profiles: Profiles, kept: np.ndarray, cells: Mapping[str, CellLabels], person: str
    ) -> Records:
        """The records with other values in some columns, row by row of each person.

        Rows are counted as the profiles list them, each as often as its person has it: of equal ones the first comes
        first.

        Parameters
        ----------
        profiles : Profiles
            The person table of these records.
        person : str
            The column of person ids.
        kept : np.ndarray
            bool per such row: whether it stays.
        cells : Mapping[str, CellLabels]
            By column, what its cells become; ``level`` is of such rows. Missing cells become what their label says.

        Raises
        ------
        InputError
            Where the records are in an engine.
        """

    @abstractmethod
    def with_person_keys(self, name: str, person: str | None) -> Records:
        """The records with a column more, in which the rows of a person, and no others, share a text.

        That of a person with an id is the id behind a “p”; a row without one has an “r” and then a hash of what it
        holds, with its number among those that are equal.
        """

    @abstractmethod
    def paired(self, column: str, other: str) -> Records:
        """The records with the cells of another column behind those of a column, with a mark between them.

        A cell is missing where either is.
        """

    @abstractmethod
    def since_first(self, days: Mapping[str, np.ndarray], person: str | None) -> Records:
        """The records with days since the first one of the person in the place of some columns' values.

        Parameters
        ----------
        days : Mapping[str, np.ndarray]
            By column, int per value of it. The first is the least of all these columns in the rows of a person. What
            is missing stays so.
        person : str | None
            The column of person ids; a row without one is a person.
        """

    @abstractmethod
    def persons_of_several_rows(self, person: str) -> tuple[int, int]:
        """How many persons have several rows, of how many; a row without an id is a person."""

    @abstractmethod
    def changing_within(self, person: str, columns: Collection[str]) -> dict[str, int]:
        """By column, how many persons have two values or more in their rows; missing is a value."""

    @abstractmethod
    def drop(self, columns: Collection[str]) -> Records:
        """The records without some columns."""

    @abstractmethod
    def copy_column(self, column: str, name: str) -> Records:
        """The records with a column once more, under a name that is not taken."""

    @abstractmethod
    def with_columns_of(self, before: Records, names: Mapping[str, str]) -> Records:
        """The records with some columns as they were before, each under a name that is not taken.

        Parameters
        ----------
        before : Records
            Records that these were made of, cells recoded, columns dropped, records left out.
        names : Mapping[str, str]
            By column of ``before`` its name here.

        Raises
        ------
        InputError
            When these are not known to be made of those.
        """

    @abstractmethod
    def settled(self, layout: TablesLayout, recoded: str | None = None) -> Records:
        """The records of several tables after a change to them, as tables can have them.

        What hangs below a row that was left out is left out. In memory, cells of a row that others hang below are in
        these what they are in itself. A record has no cells in columns of tables that it does not hang below.

        Parameters
        ----------
        layout : TablesLayout
            Where the tables lie.
        recoded : str, optional
            The column whose values were recoded, each alike, where that is all that was changed ("" for nothing).
        """

    @abstractmethod
    def with_row_keys(self, name: str) -> Records:
        """The records with a column more, in which each has a text of its own, the same each time for the same rows."""

    @abstractmethod
    def renumber(self, person: str, secret: bytes) -> Records:
        """The records with numbers from 1 for the ids of persons, in an order that only the secret tells.

        Parameters
        ----------
        person : str
            The column of ids; a missing one stays missing.
        secret : bytes
            The key of the order; the same secret gives the same numbers wherever the records are.
        """
