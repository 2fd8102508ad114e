"""A data set: its cells as text, what each column is, and the digest that names it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pandas as pd

from anonlib.basics.errors import InputError
from anonlib.basics.stores import TravellingStore
from anonlib.columns.roles import SAVED_ROLES, Role
from anonlib.counting.classes import ClassTable, Missing, PersonTable, content_digest
from anonlib.counting.classes.person_table import are_of_nobody, have_several_values, with_missing_flags
from anonlib.counting.privacy_models import Coded, CodedPersons, CodedRows
from anonlib.reading.joining import rows_of_tables
from anonlib.reading.labelled import in_codes, shown_alike
from anonlib.reading.records import CellLabels, CountedBy, FrameRecords, Groups, Labels, Records, TableRecords
from anonlib.reading.records.layout import TablesLayout, without_cells_apart
from anonlib.reading.sources import Described

if TYPE_CHECKING:
    import ibis.expr.types as ir

T = TypeVar("T")
_SINGLE = (Role.PERSON_ID, Role.WEIGHT)
_ONCE = "computed once"
_MOST_REMEMBERED = 50_000_000  # bytes of answers that go with the records that were opened


@dataclass(frozen=True, eq=False)
class Dataset:
    """Person-level records with a role a column. Immutable: every change is a new data set.

    Attributes
    ----------
    name : str
        What the officer calls it (a file name; text, never a path).
    digest : str
        SHA-256 of the bytes it was read from (of the values, when made from a frame; of the query and its schema, when
        the records stay in a database), as 64 hexadecimal digits.
    held : Records
        Its records, in memory or in a database, with what is withheld.
    roles : Mapping[str, Role], optional
        Column -> role, as accepted by the officer. A column without one takes part in nothing.
    missing : Missing, default "category"
        A missing quasi-identifier is a value of its own ("category") or leaves the record out ("drop").
    prepared : str, default ""
        What was done to the file's text before this point (reading options, marks, a recipe), as text that enters
        ``key``.
    withheld : tuple[str, ...], default ()
        Columns of persons or weights that were dropped: no longer among ``columns`` and never released, but counts go
        on being of persons.
    described : Mapping[str, Described], optional
        By column, what a file or a dictionary says of it.
    codes : Mapping[str, Mapping[str, str]], optional
        By column whose cells are shown by labels, by label, the code that the file has in its place: what leaves has
        codes again (:meth:`in_codes`).
    tables : TablesLayout, optional
        Where its tables lie, where it holds several.
    remembered : dict[Hashable, Any], optional
        What :meth:`once` computed of the records that were opened, and of all that steps made of them; it goes with
        these data sets, and is in no file.
    """

    name: str
    digest: str
    held: Records
    roles: Mapping[str, Role] = field(default_factory=dict)
    missing: Missing = "category"
    prepared: str = ""
    withheld: tuple[str, ...] = ()
    described: Mapping[str, Described] = field(default_factory=dict, repr=False)
    codes: Mapping[str, Mapping[str, str]] = field(default_factory=dict, repr=False)
    tables: TablesLayout | None = field(default=None, repr=False)
    remembered: dict[Hashable, Any] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.remembered is None:
            object.__setattr__(self, "remembered", self.held.remembered)
        assert self.remembered is not None
        self.remembered.setdefault(_ONCE, TravellingStore(_MOST_REMEMBERED))
        roles = {column: _role(column, role) for column, role in self.roles.items()}
        known = {*self.columns, *self.withheld}
        for column in roles:
            if column not in known:
                raise InputError(
                    f"There is no column named “{column}” to give a role to.", code="column-unknown", column=column
                )
        if self.tables is not None:
            _check_person(roles, self.tables.person)
        for role in _SINGLE:
            named = [column for column, given in roles.items() if given == role]
            if len(named) > 1:
                listed = " and ".join(f"“{column}”" for column in named)
                raise InputError(
                    f"Only one column can be the {role.label.lower()}; {listed} are. Change one.", code="role-taken"
                )
        if {Role.PERSON_ID, Role.WEIGHT} <= set(roles.values()):
            raise InputError(
                "A file has either a person id or a weight, not both. Change one of the two roles.",
                code="choices-do-not-fit",
            )
        object.__setattr__(self, "roles", MappingProxyType(roles))

    @classmethod
    def from_frame(cls, frame: pd.DataFrame, name: str = "data", digest: str | None = None, **fields: Any) -> Dataset:
        """A data set of any frame: its columns become categoricals of text, in which blank cells are missing.

        A typed cell has the text that it has in a Parquet file of the frame, opened in place or loaded.

        Parameters
        ----------
        frame : pd.DataFrame
            The cells; other types become text.
        name : str, default "data"
            What it is called.
        digest : str, optional
            SHA-256 of the file that it comes from, 64 hexadecimal digits.
        **fields : Any
            Other fields of the data set.

        Raises
        ------
        InputError
            When several columns have one name, or a column holds lists, structures or binary values.
        """
        held = FrameRecords.of(frame)
        return cls(name, digest or held.digest, held, **fields)

    @classmethod
    def from_ibis(cls, table: ir.Table, name: str = "table", **fields: Any) -> Dataset:
        """A data set whose records stay in a database: counts are made there, and steps become part of the query.

        Parameters
        ----------
        table : ir.Table
            The records.
        name : str, default "table"
            What it is called.
        **fields : Any
            Other fields of the data set.

        Raises
        ------
        InputError
            When a column holds lists, structures or binary values.
        """
        import ibis

        described = f"{ibis.to_sql(table)}\n{table.schema()}"
        return cls(name, hashlib.sha256(described.encode()).hexdigest(), TableRecords(table), **fields)

    @property
    def columns(self) -> list[str]:
        """The names of the columns, without those withheld: what is shown, counted as columns and released."""
        return [name for name in self.held.columns if name not in self.withheld]

    @property
    def visible(self) -> Records:
        """The records without the columns that only say where rows of several tables belong."""
        return self.held if self.tables is None else self.held.drop(self.tables.hidden)

    @property
    def n_records(self) -> int:
        """How many records there are, items of lists among them."""
        return self.held.n_records

    @cached_property
    def n_rows(self) -> int:
        """Rows of its files: items of lists in cells are records, and no rows."""
        if self.tables is None or not self.tables.has_lists:
            return self.n_records
        rows = rows_of_tables(self.held, self.tables)
        return sum(rows[place.name].rows for place in self.tables.files)

    @property
    def frame(self) -> pd.DataFrame | None:
        """Records x columns, every column a categorical of text, missing = code -1. None in a database."""
        return self.held.frame if isinstance(self.held, FrameRecords) else None

    @property
    def records(self) -> pd.DataFrame:
        """The frame, with what is withheld: take ``columns`` of it for what is seen or leaves.

        Raises
        ------
        InputError
            When the records stay in a database.
        """
        return self._in_memory.frame

    @property
    def _in_memory(self) -> FrameRecords:
        if not isinstance(self.held, FrameRecords):
            raise InputError(
                "The records of this data set stay in a database; this needs them in memory.",
                code="records-in-a-database",
            )
        return self.held

    @cached_property
    def key(self) -> str:
        """Names this data set's every input to an analysis: the same key, the same answers."""
        parts = [self.digest, self.prepared, self.missing, {c: str(r) for c, r in self.roles.items()}]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def once(self, key: Hashable, compute: Callable[[], T]) -> T:
        """What is computed, or was of another data set made of the records that were opened; the last few are kept.

        The key must name all that it depends on.

        Parameters
        ----------
        key : Hashable
            Names what is computed, and all that it depends on.
        compute : Callable[[], T]
            Computes it.

        Returns
        -------
        T
        """
        return self.computed_once.get(key, compute)

    @property
    def computed_once(self) -> TravellingStore[Any]:
        """What :meth:`once` keeps."""
        assert self.remembered is not None
        return self.remembered[_ONCE]

    @cached_property
    def content_digest(self) -> str:
        """Names what the columns with a role hold, alike in memory and in every engine; it does not name the file."""
        return content_digest(self.held, [column for column in self.held.columns if column in self.roles])

    def columns_with(self, *roles: Role) -> list[str]:
        """The columns that have one of the roles, in the file's order.

        Parameters
        ----------
        *roles : Role
            One or more; without any, no column has one of them.

        Returns
        -------
        list[str]
        """
        return [column for column in self.columns if self.roles.get(column) in roles]

    @property
    def quasi_identifiers(self) -> list[str]:
        """Quasi-identifiers and places: what an attacker is taken to know."""
        return self.columns_with(Role.QUASI_IDENTIFIER, Role.PLACE)

    @property
    def sensitive(self) -> list[str]:
        """The sensitive columns, in the file's order."""
        return self.columns_with(Role.SENSITIVE)

    def may_be_named(self, column: str) -> bool:
        """Whether a saved project names values of a column, where a step is made of them.

        Parameters
        ----------
        column : str
            Its name.

        Returns
        -------
        bool
            False for a sensitive column, one that names persons, and one that nobody has decided on.
        """
        return self.roles.get(column) in SAVED_ROLES

    @property
    def identifiers(self) -> list[str]:
        """The columns that identify a person directly, in the file's order."""
        return self.columns_with(Role.IDENTIFIER)

    @property
    def person_id(self) -> str | None:
        """The column by which persons are counted; None: each record is one."""
        return self._counted_by(Role.PERSON_ID)

    @property
    def weight(self) -> str | None:
        """The column that says how many people a record stands for; None: one."""
        return self._counted_by(Role.WEIGHT)

    def _counted_by(self, role: Role) -> str | None:
        return next((column for column, given in self.roles.items() if given == role), None)

    @property
    def unit(self) -> str:
        """What counts are of: persons when there is a person id or a weight, else records."""
        return "persons" if self.person_id or self.weight else "records"

    def with_roles(self, roles: Mapping[str, Role | str]) -> Dataset:
        """The data set with these roles of its columns, and no others.

        Parameters
        ----------
        roles : Mapping[str, Role | str]
            By column, what it is; a column that is not named takes part in nothing.

        Returns
        -------
        Dataset

        Raises
        ------
        InputError
            For a role that there is not, a column that there is not, and roles that do not go together.
        """
        return replace(self, roles={column: _role(column, role) for column, role in roles.items()})

    def in_codes(self) -> Dataset:
        """The data set with the codes of the file in the place of labels, wherever a cell is as it was there.

        ``codes`` is then of the columns that have them again, by label; not of those where a code could be mistaken.
        """
        if not self.codes:
            return self
        held, turned = in_codes(self.held, self.codes)
        codes = {name: of for name, of in self.codes.items() if name in turned}
        return replace(self.with_held(held, ""), codes=codes)

    def shown_as(self, other: Dataset) -> Dataset:
        """The data set of another file with its codes shown by the labels by which this one's are, by column.

        Parameters
        ----------
        other : Dataset
            The data set whose labels are taken.

        Returns
        -------
        Dataset
        """
        alike = {name: codes for name, codes in other.codes.items() if name in self.columns}
        return self.with_held(shown_alike(self.held, alike), f" shown as {alike}") if alike else self

    def with_missing(self, missing: Missing) -> Dataset:
        """The data set in which missing values count so; of several tables always as values.

        There each record lacks the columns of tables that it is not of.

        Parameters
        ----------
        missing : Missing
            "category": as a value of their own; "drop": who lacks one is not counted.

        Returns
        -------
        Dataset
        """
        return replace(self, missing="category" if self.tables is not None else missing)

    @property
    def counted_by(self) -> CountedBy:
        """The columns that say how much a record counts."""
        return CountedBy(self.person_id, self.weight)

    def with_held(self, held: Records, prepared: str, recoded: str | None = None) -> Dataset:
        """The data set after a change to its cells, records or columns; ``prepared`` says which.

        ``recoded`` is the column that was changed, where no other was and no record was left out.

        Parameters
        ----------
        held : Records
            The records after the change.
        prepared : str
            What makes the result, for the key of what is computed from it.
        recoded : str, optional
            The only column that was changed, where no record was left out.

        Returns
        -------
        Dataset
        """
        held = held if self.tables is None else held.settled(self.tables, recoded)
        columns_held = set(held.columns)
        roles = {column: role for column, role in self.roles.items() if column in columns_held}
        return replace(self, held=held, roles=roles, prepared=self.prepared + prepared)

    def with_frame(self, frame: pd.DataFrame, prepared: str) -> Dataset:
        """The data set of another frame; its records are taken for the same ones where there are as many.

        Parameters
        ----------
        frame : pd.DataFrame
            The cells.
        prepared : str
            What makes the result, for the key of what is computed from it.

        Returns
        -------
        Dataset
        """
        return self.with_held(self._in_memory.with_frame(frame), prepared)

    def with_records(self, kept: np.ndarray, prepared: str) -> Dataset:
        """The data set with the records kept (bool, a record each); values that no longer occur are forgotten.

        Parameters
        ----------
        kept : np.ndarray
            bool, one item a record.
        prepared : str
            What makes the result, for the key of what is computed from it.

        Returns
        -------
        Dataset
        """
        return self.with_held(self._in_memory.keep(kept), prepared)

    def recoded(self, column: str, labels: Labels, prepared: str) -> Dataset:
        """The data set with a column recoded, each value alike.

        Parameters
        ----------
        column : str
            Its name.
        labels : Labels
            What each value becomes.
        prepared : str
            What makes the result, for the key of what is computed from it.

        Returns
        -------
        Dataset
        """
        leaves_out = labels.gone is not None or labels.needs_value
        held = self.held.recode(column, labels, self.person_id)
        return self.with_held(held, prepared, None if leaves_out else column)

    def labelled(
        self, classes: Groups, kept: np.ndarray, prepared: str, cells: Mapping[str, CellLabels] | None = None
    ) -> Dataset:
        """The data set with the records of some of its classes (bool each), and the cells of these recoded by class.

        Parameters
        ----------
        classes : Groups
            The classes that the records are grouped into.
        kept : np.ndarray
            bool, one item a class.
        prepared : str
            What makes the result, for the key of what is computed from it.
        cells : Mapping[str, CellLabels], optional
            By column, what the cells of each class become.

        Returns
        -------
        Dataset
        """
        return self.with_held(self.held.label(classes, kept, cells, self.counted_by), prepared)

    def first_of(self, classes: Groups, stays: np.ndarray, prepared: str) -> Dataset:
        """The data set with so many records (persons) of each of its classes.

        Parameters
        ----------
        classes : Groups
            The classes that the records are grouped into.
        stays : np.ndarray
            int64, one item a class: how many of its records (persons) stay.
        prepared : str
            What makes the result, for the key of what is computed from it.

        Returns
        -------
        Dataset
        """
        return self.with_held(self.held.first(classes, stays, self.counted_by), prepared)

    def first_of_persons(self, table: PersonTable, persons: np.ndarray, times: np.ndarray, prepared: str) -> Dataset:
        """The data set with so many persons of each profile of its person table, and so many of each of their rows.

        Parameters
        ----------
        table : PersonTable
            The person table of this data set.
        persons : np.ndarray
            int64, one item a profile: how many of its persons stay.
        times : np.ndarray
            int64, as long as ``table.row``: how many of that row each of these persons keeps.
        prepared : str
            What makes the result, for the key of what is computed from it.

        Returns
        -------
        Dataset
        """
        assert self.person_id is not None
        return self.with_held(self.held.first_of_persons(table, persons, times, self.person_id), prepared)

    def labelled_persons(
        self, table: PersonTable, kept: np.ndarray, prepared: str, cells: Mapping[str, CellLabels]
    ) -> Dataset:
        """The data set with some rows of the persons of its table, each row recoded for itself.

        Parameters
        ----------
        table : PersonTable
            The person table of this data set.
        kept : np.ndarray
            bool, one item a row of the table.
        prepared : str
            What makes the result, for the key of what is computed from it.
        cells : Mapping[str, CellLabels]
            By column, what the cells of each row of the table become.

        Returns
        -------
        Dataset
        """
        assert self.person_id is not None
        return self.with_held(self.held.label_persons(table, kept, cells, self.person_id), prepared)

    def with_columns_of(self, before: Dataset, names: Mapping[str, str]) -> Dataset:
        """The data set with some columns as they were before, each under the name given for it.

        Parameters
        ----------
        before : Dataset
            A data set that this one was made of.
        names : Mapping[str, str]
            By column of that one, its name here.

        Returns
        -------
        Dataset

        Raises
        ------
        InputError
            When it is not known to be made of that one.
        """
        return self.with_held(self.held.with_columns_of(before.held, names), f"with columns {names}")

    def rows_of(self, other: Dataset) -> np.ndarray:
        """Which of these records are those of another data set that steps made of this one.

        Parameters
        ----------
        other : Dataset
            What became of it: cells recoded, columns dropped, records left out; none added.

        Returns
        -------
        ndarray of int
            One position a record of ``other``, ascending, counted from 0.

        Raises
        ------
        InputError
            When that is not known, as of a file that was read again, or when they stay in a database.
        """
        return self._in_memory.rows_of(other._in_memory)

    def has_partly_missing(self, column: str) -> bool:
        """Whether a person has rows with and rows without a value in a column.

        Parameters
        ----------
        column : str
            Its name.

        Returns
        -------
        bool
        """
        if self.person_id is None:
            return False
        held, copies = with_missing_flags(self.held, [column])
        return bool(have_several_values(self._persons_of(held, copies)).any())

    def without_partly_missing(self, columns: Iterable[str]) -> Dataset:
        """The data set without the persons who have rows with and rows without a value in one of some columns.

        Parameters
        ----------
        columns : Iterable[str]
            Their names.

        Returns
        -------
        Dataset
        """
        if self.person_id is None:
            return self
        held, copies = with_missing_flags(self.held, columns)
        classes = self._persons_of(held, copies)
        partly = have_several_values(classes)
        if not partly.any():
            return self
        left = held.label(classes, ~partly, counted_by=self.counted_by).drop(copies)
        return self.with_held(left, "not partly missing")

    def _persons_of(self, held: Records, columns: list[str]) -> ClassTable:
        return ClassTable.from_records(held, columns, person=self.person_id)

    def without_rows_of_nobody(self) -> Dataset:
        """The data set without the rows of count 0: they stand for nobody, and are in no class and no release."""
        if self.weight is None:
            return self
        counts = ClassTable.from_records(self.held, [self.weight])
        of_nobody = are_of_nobody(counts)
        if not of_nobody.any():
            return self
        return self.with_held(self.held.label(counts, ~of_nobody), "without rows of nobody")

    def with_counted(self) -> Dataset:
        """The records that a search counts: under the missing-value policy "drop", those with every quasi-identifier.

        The others are in no release. What is missing elsewhere, in a sensitive column or one that only a guarantee
        names, leaves no record out of the release, and is a value of its own to the search.
        """
        if self.missing != "drop" or not self.quasi_identifiers:
            return self
        classes = self.classes()
        if classes.class_of_record is not None and (classes.class_of_record >= 0).all():
            return self
        return self.labelled(classes, np.ones(classes.n_classes, dtype=bool), "left out")

    def without_columns(self, columns: Iterable[str]) -> Dataset:
        """The data set without some columns. What persons are counted by is withheld: counts stay of persons.

        Parameters
        ----------
        columns : Iterable[str]
            Their names.

        Returns
        -------
        Dataset
        """
        gone = [column for column in columns if column not in self.withheld]
        if not gone:
            return self
        counting = tuple(column for column in gone if column in (self.person_id, self.weight))
        held = self.held.drop([column for column in gone if column not in counting])
        return replace(self.with_held(held, f"without {gone}", recoded=""), withheld=(*self.withheld, *counting))

    def classes(self, attributes: list[str] | None = None) -> ClassTable:
        """The class table of the given attributes (none: everyone is in one class), or of the quasi-identifiers.

        Parameters
        ----------
        attributes : list[str], optional
            Their names; None: the quasi-identifiers.

        Returns
        -------
        ClassTable

        Raises
        ------
        InputError
            When it is to be of the quasi-identifiers and there are none.
        """
        names = self.quasi_identifiers if attributes is None else attributes
        if attributes is None and not names:
            raise InputError(
                "No quasi-identifiers are chosen. Say on the Data page which columns an attacker knows.",
                code="no-column-known",
            )
        return ClassTable.from_records(self.held, names, self.weight, self.missing, self.person_id)

    @cached_property
    def has_several_rows(self) -> bool:
        """Whether some person has several rows, so that it matters what is known of them."""
        return self.person_id is not None and self.held.persons_of_several_rows(self.person_id)[0] > 0

    @property
    def is_linked(self) -> bool:
        """Whether a person id leaves, by which the rows of one person can be linked."""
        return self.person_id in self.columns

    @property
    def ids_leave(self) -> bool:
        """Whether ids of persons leave in a file: the number of a row, where lists make rows persons, is in none."""
        return self.is_linked and not (self.tables is not None and self.tables.rows_are_persons)

    def persons(self, attributes: list[str], for_a_search: bool = False) -> PersonTable:
        """The person table of the given attributes: who has which rows. Missing values are values.

        For a search, cells in memory that a record cannot have differ from missing ones: a recoding may give a missing
        cell a label, but none to a row of a table that does not have the column. In sensitive columns they stay
        missing: of what a person does not have nobody is certain.

        Parameters
        ----------
        attributes : list[str]
            Their names.
        for_a_search : bool, default False
            Whether cells that a record cannot have are distinguished from missing ones.

        Returns
        -------
        PersonTable

        Raises
        ------
        InputError
            For an unknown column, and where no persons are counted.
        """
        if self.person_id is None:
            raise InputError(
                "No column says which rows are of one person. Give one the role “Person id”.", code="no-person-id"
            )
        if self.tables is None:
            return PersonTable.from_records(self.held, attributes, self.person_id)
        held = self.held
        if for_a_search and self.frame is not None:
            columns = [name for name in self.columns if name not in self.sensitive]
            held = self._in_memory.with_frame(without_cells_apart(self.frame, self.tables, columns))
        return PersonTable.from_records(held, attributes, self.person_id, self.tables.within)

    def coded(self, columns: Iterable[str], linked: bool = True) -> Coded:
        """Those who are counted, with the values of some columns, as guarantees look at them; missing is a value.

        Parameters
        ----------
        columns : Iterable[str]
            Their names.
        linked : bool, default True
            Whether rows of one person can be linked (:class:`CodedPersons`).

        Returns
        -------
        Coded
        """
        counted = self.with_counted().with_missing("category")
        if counted.has_several_rows:
            return CodedPersons.of(counted.persons(list(columns)), linked)
        return CodedRows.of(counted.classes(list(columns)))


def _check_person(roles: Mapping[str, Role], person: str) -> None:
    """Raises InputError where another column than the one that ties tables together says whose rows these are."""
    other = next((name for name, role in roles.items() if role in _SINGLE and name != person), None)
    if other is not None:
        raise InputError(
            f"The keys between the tables say whose rows these are, by “{person}”; “{other}” cannot as well. Give it "
            "another role, or change the keys.",
            code="role-taken",
            column=person,
        )


def _role(column: str, role: Role | str) -> Role:
    try:
        return Role(role)
    except ValueError:
        raise InputError(
            f"The role given to “{column}” is not one of: {', '.join(Role)}.", code="role-unknown", column=column
        ) from None
