"""Several tables that an officer brought as one case."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody
from anonlib.columns.roles import Role
from anonlib.counting.classes import Missing
from anonlib.dataset import Dataset
from anonlib.filing.project.files import FileRead
from anonlib.filing.project.loaded import Loaded, LoadedFile
from anonlib.reading.connected import Offered
from anonlib.reading.ids import with_ids_read
from anonlib.reading.joining import Joined, join
from anonlib.reading.records import FrameRecords, Records, TableRecords, ValueCounts
from anonlib.reading.sources import Described, apply_missing_marks, merge_lookalikes
from anonlib.reading.tables import Linked, ListColumn, NamedTable, link, open_offered, open_tables


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
        found = cls.linking(open_offered(offered))
        held = found.joined.records
        assert isinstance(held, TableRecords)
        for i, name in enumerate(found.columns):
            progress(i / len(found.columns))
            held.counts_if_few(name)
        return found

    @classmethod
    def linking(
        cls,
        tables: Sequence[NamedTable],
        linked: Linked | None = None,
        lists: tuple[ListColumn, ...] = (),
        file: LoadedFile | None = None,
    ) -> LoadedTables:
        """The tables with the keys that are given, or found. Raises InputError where no table names persons."""
        found = cls(tuple(tables), link(tables) if linked is None else linked, lists, file)
        found.joined  # noqa: B018  # where they cannot be joined is raised at once
        return found

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
            parts.append(sorted((each.table, each.column, each.mark) for each in self.lists))
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
        found = list(self.linked.notes)
        for table in self.tables:
            of_reading = () if table.source is None else table.source.reading.notes
            found += [*table.notes, *(f"{table.name}: {note}" for note in of_reading)]
        return (*found, *self.doubts)

    @property
    def brought(self) -> object:
        return self.tables

    @cached_property
    def of_file(self) -> tuple[Described, ...]:
        """What the files say of their columns, under the names that these have here."""
        sources = {table.name: table.source for table in self.tables}
        found = []
        for place in self.joined.layout.tables:
            source = sources[place.parent if place.mark else place.name]
            described = () if source is None else source.reading.described
            named = place.named
            found += [replace(each, name=named[each.name]) for each in described if each.name in named]
        return tuple(found)

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
            found, why_not = super().read_as(file)
            return found, why_not or f"The tables do not hang together as the project says: {error}"
        return loaded.read_as(file)

    def counts(self) -> dict[str, ValueCounts]:
        held = self.joined.records
        if isinstance(held, TableRecords):
            return {name: found for name in self.columns if (found := held.counts_if_few(name)) is not None}
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
        found, other_why_not = tables.read_as(file)
        return found, why_not or other_why_not
    return loaded.read_as(file)


def _keys(linked: Linked) -> list[Any]:
    """What names how tables hang together, whatever was counted of it."""
    keys = sorted((key.table, key.column, key.parent, key.parent_column) for key in linked.keys)
    return [keys, linked.person_table, sorted(linked.person_columns.items())]
