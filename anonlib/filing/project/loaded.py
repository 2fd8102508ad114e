"""What the officer brought, files or tables that stay where they are, and how it is prepared before any analysis."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import pandas as pd

from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody
from anonlib.columns.codes import has_levels
from anonlib.columns.roles import Role
from anonlib.counting.classes import Missing
from anonlib.dataset import Dataset
from anonlib.filing.project.files import FileRead
from anonlib.reading.connected import Offered, OpenedTable
from anonlib.reading.ids import IdsRead, filled_down, with_ids_read
from anonlib.reading.joining import Joined, join
from anonlib.reading.labelled import few_values, shown_by_labels
from anonlib.reading.records import FrameRecords, Labels, Records, TableRecords, ValueCounts
from anonlib.reading.sources import (
    AS_FOUND,
    DEFAULT_MARKS,
    Described,
    ReadOptions,
    Source,
    apply_missing_marks,
    by_name,
    doubts_about,
    labels_of,
    marked,
    marks_of_column,
    merge_lookalikes,
    one_spelling,
    open_source,
)
from anonlib.reading.tables import Linked, ListColumn, NamedTable, link, open_offered, open_tables
from anonlib.values.cells import natural_order


@dataclass(frozen=True, kw_only=True, eq=False)
class Loaded(ABC):
    """What the officer brought, and how it is prepared: missing marks, merged spellings.

    Attributes
    ----------
    marks : tuple[str, ...], default DEFAULT_MARKS
        The texts that mean “missing” in every column.
    column_marks : tuple[tuple[str, str], ...], default ()
        A column, and a text that means “missing” in it alone.
    merged : tuple[str, ...], default ()
        The columns in which spellings that look alike are one value.
    described : tuple[Described, ...], default ()
        What a dictionary beside the file says of its columns.
    with_labels : bool, default True
        Whether codes are shown by their labels.
    in_codes : tuple[str, ...], default ()
        The columns whose codes are shown all the same.
    ids : IdsRead, optional
        How the ids of persons are read; None as they stand there.
    """

    marks: tuple[str, ...] = DEFAULT_MARKS
    column_marks: tuple[tuple[str, str], ...] = ()
    merged: tuple[str, ...] = ()
    described: tuple[Described, ...] = ()
    with_labels: bool = True
    in_codes: tuple[str, ...] = ()
    ids: IdsRead | None = None

    @property
    @abstractmethod
    def name(self) -> str:
        """What it is called on screen; never a path to open."""

    @property
    @abstractmethod
    def digest(self) -> str:
        """What names it, 64 hexadecimal digits."""

    @property
    @abstractmethod
    def raw(self) -> Records:
        """The records as they are read."""

    @property
    def columns(self) -> list[str]:
        """The names of the columns that there are to decide on."""
        return self.raw.columns

    @property
    def roles(self) -> Mapping[str, Role]:
        """The roles of columns that follow from what was brought."""
        return {}

    @property
    @abstractmethod
    def reading(self) -> object:
        """What was read, the same object until it is read again."""

    @property
    @abstractmethod
    def notes(self) -> tuple[str, ...]:
        """Sentences on what was assumed when it was read. No cell values."""

    @cached_property
    def doubts(self) -> tuple[str, ...]:
        """Sentences on cells that may not be what they look like. No cell values but of codes and ranges."""
        return doubts_about(self.counts(), self.raw.n_records, self.marks)

    @property
    @abstractmethod
    def brought(self) -> object:
        """What was brought, the same object however often it is read."""

    @property
    def options(self) -> ReadOptions:
        """What was corrected about how it is read."""
        return AS_FOUND

    @property
    def of_file(self) -> tuple[Described, ...]:
        """What the file says of its columns itself."""
        return ()

    def cells_of(self, raw: TableRecords) -> TableRecords:
        """What :meth:`cells` gives of records in an engine."""
        counts = {name: values for name in self.columns if (values := raw.counts_if_few(name)) is not None}
        records = raw.with_missing(self._missing(counts))
        for column in self.merged:
            if column in counts:
                now = records.counts_of(column)
                spelling = one_spelling(now.values, now.records)
                spellings = pd.unique(spelling)
                records = records.recode(column, Labels(now.values, spelling, spellings[natural_order(spellings)]))
        after = with_ids_read(records, self.ids)
        assert isinstance(after, TableRecords)
        return after

    def _missing(self, counts: Mapping[str, ValueCounts]) -> dict[str, list[str]]:
        """By column, the texts that mean “missing” in it."""
        gone = {
            name: values.values[marked(values.values, self.marks_of(name, values.values))].tolist()
            for name, values in counts.items()
        }
        return {name: texts for name, texts in gone.items() if texts}

    def marks_of(self, column: str, values: Iterable[str]) -> tuple[str, ...]:
        """The marks that count in a column: those for all, but what may be a code there, and those for it alone.

        Parameters
        ----------
        column : str
            The name of a column of the file.
        values : Iterable[str]
            Its distinct values.

        Returns
        -------
        tuple of str
        """
        return *marks_of_column(values, self.marks), *(mark for of, mark in self.column_marks if of == column)

    @abstractmethod
    def cells(self) -> Records:
        """The records with the missing marks applied and the chosen columns' spellings merged, in codes."""

    def records(self) -> Records:
        """The same with labels in the place of codes, where they are shown."""
        return shown_by_labels(self.cells(), self._labels)

    @cached_property
    def key(self) -> str:
        """Names what :meth:`records` gives: the same key, the same cells."""
        return self.digest + self.prepared

    @cached_property
    def prepared(self) -> str:
        """How it is prepared, as text."""
        how = repr((self.options, self.marks, self.column_marks, self.merged))
        how += repr(self.ids) if self.ids is not None and self.ids.changes else ""
        labelled = [(column.name, column.labels) for column in self.known.values() if column.labels]
        return how if not labelled or not self.with_labels else how + repr((labelled, self.in_codes))

    @property
    def unprepared(self) -> Loaded:
        """The same as it is read, with nothing prepared."""
        return replace(self, marks=(), column_marks=(), merged=(), in_codes=(), with_labels=False, ids=None)

    @cached_property
    def known(self) -> dict[str, Described]:
        """By column, what is known of it: what a dictionary says before what the file says itself."""
        of_file = {column.name: column for column in self.of_file}
        beside = by_name(self.described, self.columns)
        return {
            name: beside[name].over(of_file.get(name)) if name in beside else of_file[name]
            for name in self.columns
            if name in beside or name in of_file
        }

    @cached_property
    def _labels(self) -> dict[str, dict[str, str]]:
        """By column whose cells are shown by labels, by value, its label. Codes of a known system stay codes."""
        labelled = [column for column in self.known.values() if column.labels and column.name not in self.in_codes]
        if not labelled or not self.with_labels:
            return {}
        cells = self.cells()
        labels_by_column = {}
        for described in labelled:
            values = few_values(cells, described.name)
            if (labels := labels_of(described, values)) and not has_levels(values, described.name):
                labels_by_column[described.name] = labels
        return labels_by_column

    def dataset(self, records: Records, missing: Missing) -> Dataset:
        """The data set of :meth:`records`, without roles."""
        return Dataset(
            self.name, self.digest, records, prepared=self.prepared, missing=missing, described=self.known,
            codes={name: {label: value for value, label in of.items()} for name, of in self._labels.items()},
        )  # fmt: skip

    def counts(self) -> dict[str, ValueCounts]:
        """How often each value occurs as it is read, by column; columns of too many values are not in it."""
        return {name: self.raw.counts_of(name) for name in self.columns}

    @property
    def as_read(self) -> FileRead:
        """Which file it is and how it is read, for a project."""
        return FileRead(
            self.digest, self.name, self.raw.n_records, tuple(self.columns),
            self.options, self.marks, self.column_marks, self.merged, self.described, self.with_labels, self.in_codes,
            ids=self.ids,
        )  # fmt: skip

    def read_as(self, file: FileRead | None) -> tuple[Loaded, str]:
        """The file read and prepared as a project has it.

        Returns
        -------
        tuple of Loaded and str
            Where it cannot be read so: as it is read now, but for marks and spellings, and why in a sentence; else "".
        """
        if file is None:
            return self, ""
        loaded, why_not = self._with_options(file.options)
        columns = set(loaded.columns)
        marks = tuple(pair for pair in file.column_marks if pair[0] in columns)
        merged = tuple(name for name in file.merged if name in columns)
        in_codes = tuple(name for name in file.in_codes if name in columns)
        prepared: dict[str, Any] = {
            "marks": file.marks, "column_marks": marks, "merged": merged, "described": file.described,
            "with_labels": file.with_labels, "in_codes": in_codes,
            "ids": None if file.ids is None else file.ids.on(loaded.columns),
        }  # fmt: skip
        if any(getattr(loaded, name) != wanted for name, wanted in prepared.items()):
            loaded = replace(loaded, **prepared)
        return loaded, why_not

    def _with_options(self, options: ReadOptions) -> tuple[Loaded, str]:
        return self, ""


@dataclass(frozen=True, eq=False)
class LoadedFile(Loaded):
    """A file in memory.

    Attributes
    ----------
    data : bytes
        The file's bytes.
    source : Source
        How they are read.
    options : ReadOptions, default AS_FOUND
        What was corrected about that.
    """

    data: bytes
    source: Source
    options: ReadOptions = AS_FOUND

    @classmethod
    def of(cls, data: bytes, name: str, options: ReadOptions = AS_FOUND, progress: Progress = nobody) -> LoadedFile:
        """A file read as its content suggests, or as the officer chose. Raises InputError where it cannot be read.

        Parameters
        ----------
        data : bytes
            The file.
        name : str
            Its name.
        options : ReadOptions, default AS_FOUND
            What the officer corrected about how it is read.
        progress : Progress, default nobody
            Called with the share done, 0 to 1; may raise to stop.
        """
        return cls(data, open_source(data, name, options, progress=progress), options)

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes."""
        return self.source.digest

    @cached_property
    def raw(self) -> FrameRecords:
        return FrameRecords(self.source.frame)

    @property
    def reading(self) -> Source:
        return self.source

    @property
    def notes(self) -> tuple[str, ...]:
        return (*self.source.reading.notes, *self.doubts)

    @property
    def brought(self) -> bytes:
        return self.data

    @property
    def of_file(self) -> tuple[Described, ...]:
        return self.source.reading.described

    def cells(self) -> Records:
        frame = apply_missing_marks(filled_down(self.source.frame, self.ids), self.marks)
        for column, mark in self.column_marks:
            frame = apply_missing_marks(frame, {column: (mark,)})
        for column in self.merged:
            frame = merge_lookalikes(frame, column)
        return with_ids_read(FrameRecords(frame), self.ids)

    def _with_options(self, options: ReadOptions) -> tuple[Loaded, str]:
        if options == self.options:
            return self, ""
        try:
            return replace(self, source=open_source(self.data, self.name, options), options=options), ""
        except InputError as error:
            return self, f"It is not read as the project says: {error}"


@dataclass(frozen=True, eq=False)
class LoadedTable(Loaded):
    """A table that stays where it is: in a folder of files, or in a database.

    Attributes
    ----------
    offered : Offered
        Where it is, as offered by the person who runs Anonscope.
    opened : OpenedTable
        The table as it was then.
    counted : TableRecords
        Its records, the values of whose columns are counted.
    """

    offered: Offered
    opened: OpenedTable
    counted: TableRecords

    @classmethod
    def of(cls, offered: Offered, progress: Progress = nobody) -> LoadedTable:
        """The table, its columns' values counted once. Raises InputError where it cannot be opened or read.

        Parameters
        ----------
        offered : Offered
            Which one.
        progress : Progress, default nobody
            Called with the share of the columns that are counted, 0 to 1, and may raise to end it.
        """
        opened = offered.open()
        records = TableRecords(opened.table)
        for i, name in enumerate(records.columns):
            progress(i / len(records.columns))
            records.counts_if_few(name)
        return cls(offered, opened, records)

    @property
    def name(self) -> str:
        return self.offered.name

    @property
    def digest(self) -> str:
        """Names the table as it was opened."""
        return self.opened.digest

    @property
    def raw(self) -> TableRecords:
        return self.counted

    @property
    def reading(self) -> TableRecords:
        return self.counted

    @property
    def notes(self) -> tuple[str, ...]:
        return (*self.opened.notes, *self.doubts)

    @property
    def brought(self) -> Offered:
        return self.offered

    def counts(self) -> dict[str, ValueCounts]:
        all_counts = {name: self.raw.counts_if_few(name) for name in self.raw.columns}
        return {name: counts for name, counts in all_counts.items() if counts is not None}

    def cells(self) -> TableRecords:
        return self.cells_of(self.raw)


@dataclass(frozen=True, eq=False)
class LoadedTables(Loaded):
    """Several tables in memory, which are looked at as one.

    Attributes
    ----------
    tables : tuple[NamedTable, ...]
        Each with its name and its records.
    linked : Linked
        How they hang together.
    lists : tuple[ListColumn, ...], default ()
        The columns whose cells hold lists.
    file : LoadedFile, optional
        The one file that they were made of, where they were.
    """

    tables: tuple[NamedTable, ...]
    linked: Linked
    lists: tuple[ListColumn, ...] = ()
    file: LoadedFile | None = None

    @classmethod
    def of(cls, files: Sequence[tuple[str, bytes]], progress: Progress = nobody) -> LoadedTables:
        """The tables of some files, with the keys that are found between them.

        Raises
        ------
        InputError
            Where one cannot be read, or no table names persons.
        """
        return cls.linking(open_tables(files, progress))

    @classmethod
    def staying(cls, offered: Sequence[Offered], progress: Progress = nobody) -> LoadedTables:
        """Tables that stay where they are, the values of their columns counted once.

        Raises
        ------
        InputError
            Where one cannot be opened, they are not all in one engine, or no table names persons.
        """
        loaded = cls.linking(open_offered(offered))
        held = loaded.joined.records
        assert isinstance(held, TableRecords)
        for i, name in enumerate(loaded.columns):
            progress(i / len(loaded.columns))
            held.counts_if_few(name)
        return loaded

    @classmethod
    def linking(
        cls,
        tables: Sequence[NamedTable],
        linked: Linked | None = None,
        lists: tuple[ListColumn, ...] = (),
        file: LoadedFile | None = None,
    ) -> LoadedTables:
        """The tables with the keys that are given, or found. Raises InputError where no table names persons."""
        loaded = cls(tuple(tables), link(tables) if linked is None else linked, lists, file)
        loaded.joined  # noqa: B018  # where they cannot be joined is raised at once
        return loaded

    @cached_property
    def joined(self) -> Joined:
        """The tables as one."""
        return join(self.tables, self.linked, self.lists)

    @property
    def name(self) -> str:
        if self.file is not None:
            return self.file.name
        return " + ".join(table.name for table in self.tables[:3]) + (" + …" if len(self.tables) > 3 else "")

    @cached_property
    def digest(self) -> str:
        """Names the tables, by what they hold, and the keys between them."""
        parts = [sorted((table.name, table.digest) for table in self.tables), *_keys(self.linked)]
        if self.lists:
            parts.append(sorted((lists.table, lists.column, lists.mark) for lists in self.lists))
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    @property
    def raw(self) -> Records:
        return self.joined.records

    @property
    def columns(self) -> list[str]:
        return [name for name in self.raw.columns if name not in self.joined.layout.hidden]

    @property
    def reading(self) -> object:
        return self.linked

    @property
    def notes(self) -> tuple[str, ...]:
        """How they hang together, and then of each table how it was read."""
        notes = list(self.linked.notes)
        for table in self.tables:
            of_reading = () if table.source is None else table.source.reading.notes
            notes += [*table.notes, *(f"{table.name}: {note}" for note in of_reading)]
        return (*notes, *self.doubts)

    @property
    def brought(self) -> object:
        return self.tables

    @cached_property
    def of_file(self) -> tuple[Described, ...]:
        """What the files say of their columns, under the names that these have here."""
        sources = {table.name: table.source for table in self.tables}
        columns = []
        for place in self.joined.layout.tables:
            source = sources[place.parent if place.mark else place.name]
            described = () if source is None else source.reading.described
            named = place.named
            columns += [replace(column, name=named[column.name]) for column in described if column.name in named]
        return tuple(columns)

    @property
    def as_read(self) -> FileRead:
        return replace(super().as_read, linked=replace(self.linked, notes=()), lists=self.lists)

    def read_as(self, file: FileRead | None) -> tuple[Loaded, str]:
        if file is None or file.linked is None or (_keys(file.linked), file.lists) == (_keys(self.linked), self.lists):
            return super().read_as(file)
        try:
            loaded = replace(self, linked=link(self.tables, file.linked), lists=file.lists)
            loaded.joined  # noqa: B018  # whether they can be joined so
        except InputError as error:
            as_now, why_not = super().read_as(file)
            return as_now, why_not or f"The tables do not hang together as the project says: {error}"
        return loaded.read_as(file)

    def counts(self) -> dict[str, ValueCounts]:
        held = self.joined.records
        if isinstance(held, TableRecords):
            return {name: values for name in self.columns if (values := held.counts_if_few(name)) is not None}
        return super().counts()

    def cells(self) -> Records:
        if self.ids is not None and (self.ids.fill_down or self.ids.within):
            raise InputError(
                "Of several tables, ids can neither be filled down nor read beside a column. Do so in the files, and "
                "load them again.",
                code="choices-do-not-fit",
                column=self.ids.column,
            )
        held = self.joined.records
        if isinstance(held, TableRecords):
            return self.cells_of(held)
        assert isinstance(held, FrameRecords)
        frame = held.frame
        for column in self.columns:
            marks = self.marks_of(column, frame[column].array.categories)
            if marks:
                frame = apply_missing_marks(frame, {column: marks})
        for column in self.merged:
            frame = merge_lookalikes(frame, column)
        return with_ids_read(FrameRecords(frame), self.ids)

    def dataset(self, records: Records, missing: Missing) -> Dataset:
        """As of one table. What is missing is a value: a record has no cells of tables that it is not of."""
        layout = self.joined.layout
        return replace(super().dataset(records, "category"), withheld=layout.hidden, tables=layout)

    @property
    def roles(self) -> dict[str, Role]:
        return {self.joined.layout.person: Role.PERSON_ID}


def as_decided(loaded: Loaded, file: FileRead | None) -> tuple[Loaded, str]:
    """What was brought, read as a project has it: one file as a table with lists in cells, where it was decided so.

    Parameters
    ----------
    loaded : Loaded
        As it is now.
    file : FileRead or None
        What the project says of it.

    Returns
    -------
    tuple of Loaded and str
        As of :meth:`Loaded.read_as`.
    """
    if isinstance(loaded, LoadedFile) and file is not None and file.lists:
        name = file.lists[0].table
        loaded, why_not = loaded.read_as(file)
        assert isinstance(loaded, LoadedFile)
        table = NamedTable.of_source(name, loaded.source)
        try:
            tables = LoadedTables.linking([table], file.linked, file.lists, loaded)
        except InputError as error:
            return loaded, why_not or f"Lists in cells are not looked at as the project says: {error}"
        loaded_tables, other_why_not = tables.read_as(file)
        return loaded_tables, why_not or other_why_not
    return loaded.read_as(file)


def _keys(linked: Linked) -> list[Any]:
    """What names how tables hang together, whatever was counted of it."""
    keys = sorted((key.table, key.column, key.parent, key.parent_column) for key in linked.keys)
    return [keys, linked.person_table, sorted(linked.person_columns.items())]
