"""Where the tables of a case lie in records that hold them all, and these records put right after a change.

The layout comes first. Then come records of several tables after a change to them: what tables cannot have is put
right.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from anonlib.reading.records.engines import cell_text
from anonlib.reading.records.names import unused_name

if TYPE_CHECKING:
    import ibis.expr.types as ir


NO_CELL = "\x00no cell\x00"
"""What a search has in the place of cells that a record cannot have, since they are of other tables: a value of its
own that no recoding changes."""


@dataclass(frozen=True)
class TablePlace:
    """One table of a case.

    Attributes
    ----------
    name : str
        What it is called, once in the case.
    file_columns : tuple[str, ...]
        Its columns in its file, in their order, keys among them.
    columns : tuple[tuple[str, str], ...]
        By its name in the file, the name that a column has in the records; keys are not among them.
    person : str, default ""
        Its column of person ids in the file; "" where it has none.
    keys : tuple[str, ...], default ()
        Its columns in the file by which tables below name its rows, but for the person id of the person table.
    parent : str, default ""
        The table that it hangs below; "" of one that hangs below nothing but persons.
    parent_column : str, default ""
        Its column in the file that names a row of the parent; "" without a parent.
    parent_key : str, default ""
        The parent's column in the file in which that row is named; "" without a parent.
    row : str, default ""
        The hidden column of the records that says which row of this table a record belongs to; "" where no table hangs
        below.
    number : str, default ""
        The hidden column that numbers these rows within their person; "" of the person table, or without ``row``.
    of_person : tuple[str, ...], default ()
        The columns that say something of the person, as they stand in the records: they have its cells in rows of other
        tables too.
    mark : str, default ""
        Where its rows are the items of lists in cells of the rows above, what stands between them; else "".
    digest : str, default ""
        Names what the table held when it was opened, 64 hexadecimal digits.
    """

    name: str
    file_columns: tuple[str, ...]
    columns: tuple[tuple[str, str], ...]
    person: str = ""
    keys: tuple[str, ...] = ()
    parent: str = ""
    parent_column: str = ""
    parent_key: str = ""
    row: str = ""
    number: str = ""
    of_person: tuple[str, ...] = ()
    mark: str = ""
    digest: str = ""

    @property
    def named(self) -> Mapping[str, str]:
        """By its name in the file, the name of a column in the records."""
        return dict(self.columns)


@dataclass(frozen=True)
class TablesLayout:
    """Where the tables of a case lie in records that hold them all.

    A record is a row of one table, together with the row of each table that it hangs below. What it has no column of
    is missing.

    Attributes
    ----------
    tables : tuple[TablePlace, ...]
        The tables; one that others hang below stands before them.
    person : str
        The column of person ids in the records.
    table : str
        The hidden column that says of which table a record is.
    person_table : str, default ""
        The table with a row a person; "" where there is none.
    """

    tables: tuple[TablePlace, ...]
    person: str
    table: str
    person_table: str = ""

    @property
    def hidden(self) -> tuple[str, ...]:
        """The columns that only say where records belong: they are never looked at, and do not leave."""
        return (self.table, *(place.row for place in self.tables if place.row), *self.within)

    @property
    def within(self) -> tuple[str, ...]:
        """Those of them that say which rows of a person hang together below one row, the highest table first."""
        return tuple(place.number for place in self.tables if place.number)

    @cached_property
    def by_name(self) -> dict[str, TablePlace]:
        """The tables by their names."""
        return {place.name: place for place in self.tables}

    @property
    def files(self) -> tuple[TablePlace, ...]:
        """The tables that are a file each: all but those of items of lists."""
        return tuple(place for place in self.tables if not place.mark)

    @property
    def has_lists(self) -> bool:
        """Whether some table is of items of lists in cells, which a row holds together without any key."""
        return any(place.mark for place in self.tables)

    @property
    def rows_are_persons(self) -> bool:
        """Whether no file has ids of persons, so that each row of the one with lists is a person, by its number."""
        return not any(place.person in place.file_columns for place in self.tables)

    def leaves_as(self, place: TablePlace, name: str) -> str:
        """The column of the records that a column of a table's file is; a hidden one where it is a key.

        Of a column of lists it is that of their items.
        """
        if name in place.keys:
            return place.row
        if name == place.parent_column:
            parent = self.by_name[place.parent]
            return parent.row if place.parent_key in parent.keys else self.person
        if name == place.person:
            return self.person
        items = (item_place for item_place in self.tables if item_place.mark and item_place.parent == place.name)
        return next(other.named[name] for other in (place, *items) if name in other.named)

    def above(self, place: TablePlace) -> Iterator[TablePlace]:
        """The tables that one hangs below, the nearest first."""
        while place.parent:
            place = self.by_name[place.parent]
            yield place

    def table_of(self, column: str) -> TablePlace | None:
        """The table that a column of the records is of; None of the person id and what is hidden."""
        return next((place for place in self.tables if any(own == column for _, own in place.columns)), None)


def names_of_columns(own: Mapping[str, list[str]], person: str) -> dict[str, dict[str, str]]:
    """Names for the columns of all tables: their own, and with the table's in front where two have one name.

    Parameters
    ----------
    own : Mapping[str, list[str]]
        By table its columns that are no keys.
    person : str
        The name of the column of person ids, which is taken.

    Returns
    -------
    dict
        By table and column the name.
    """
    times: dict[str, int] = {person.casefold(): 2}
    for columns in own.values():
        for column in columns:
            times[column.casefold()] = times.get(column.casefold(), 0) + 1
    taken, named = {person}, dict[str, dict[str, str]]()
    for table, columns in own.items():
        named[table] = {}
        for column in columns:
            wanted = column if times[column.casefold()] == 1 else f"{table}.{column}"
            named[table][column] = unused_name(wanted, taken)
            taken.add(named[table][column])
    return named


# ---- in memory ----


def in_their_tables(frame: pd.DataFrame, layout: TablesLayout) -> np.ndarray:
    """bool per record: no row that it hangs below was left out."""
    stays = np.ones(len(frame), dtype=bool)
    for place in layout.tables:
        if place.row:
            stays &= (_row_codes(frame, place) < 0) | (record_of(frame, layout, place) >= 0)
    return stays


def settled_columns(frame: pd.DataFrame, layout: TablesLayout, recoded: str | None = None) -> dict[str, pd.Categorical]:
    """By column that has to change: a record has the cells of the rows that it hangs below, and of its person.

    Parameters
    ----------
    frame : pd.DataFrame
        One row a record, of which none hangs below a row that was left out.
    layout : TablesLayout
        Where the tables lie.
    recoded : str, optional
        The column whose values were recoded, each alike, where that is all that was changed ("" for nothing); None
        where anything may have changed.
    """
    changed = {}
    for place in layout.tables:
        for of_person in (False, True):
            columns = [
                name for name in _looked_at(place, frame.columns, recoded) if of_person == (name in place.of_person)
            ]
            record = record_of(frame, layout, place, of_person) if columns else np.array([], dtype=np.int64)
            for name in columns:
                codes = np.asarray(frame[name].array.codes)
                settled = np.append(codes, -1)[record]
                if not np.array_equal(settled, codes):
                    changed[name] = pd.Categorical.from_codes(settled, dtype=frame[name].array.dtype)
    return changed


def without_cells_apart(frame: pd.DataFrame, layout: TablesLayout, columns: Collection[str]) -> pd.DataFrame:
    """The frame with :data:`NO_CELL` in some columns where a record cannot have a cell, apart from missing ones."""
    changed = {}
    for place in layout.tables:
        for name in _looked_at(place, columns, None):
            held = frame[name].array
            has_none = record_of(frame, layout, place, name in place.of_person) < 0
            codes = np.where(has_none, len(held.categories), held.codes)
            changed[name] = pd.Categorical.from_codes(
                codes, categories=held.categories.append(pd.Index([NO_CELL], dtype=object))
            )
    return frame.assign(**changed)


def record_of(frame: pd.DataFrame, layout: TablesLayout, place: TablePlace, of_person: bool = False) -> np.ndarray:
    """int64, per record the one that is its row of a table: itself, one that it hangs below, or -1 for none.

    ``of_person``: where it has none, the first of its person that is there.
    """
    of_table = frame[layout.table].array
    own = np.asarray(of_table.codes) == of_table.categories.get_indexer([place.name])[0]
    record = np.where(own, np.arange(len(frame)), -1)
    if place.row:
        row = _row_codes(frame, place)
        of_row = np.full(len(frame[place.row].array.categories) + 1, -1, dtype=np.int64)  # the last one: of no row
        of_row[row[own]] = np.flatnonzero(own)
        of_row[-1] = -1
        record = of_row[row]
    if not of_person:
        return record
    person = np.asarray(frame[layout.person].array.codes)
    first = np.full(len(frame[layout.person].array.categories) + 1, -1, dtype=np.int64)
    rows = np.flatnonzero(own)[::-1]  # the first one is written last
    first[person[rows]] = rows
    first[-1] = -1
    return np.where(record >= 0, record, first[person])


def _looked_at(place: TablePlace, held: Collection[str], recoded: str | None) -> list[str]:
    """The columns of a table whose cells may not be as they must."""
    return [name for _, name in place.columns if name in held and recoded in (None, name)]


def _row_codes(frame: pd.DataFrame, place: TablePlace) -> np.ndarray:
    """Per record a number of its row of a table, -1 where it has none."""
    return np.asarray(frame[place.row].array.codes)


# ---- in an engine ----


def settled_table(table: ir.Table, layout: TablesLayout, recoded: str | None = None) -> ir.Table:
    """The same of records in an engine, where cells are not changed row by row: all have those of the rows above."""
    stays = []
    for place in layout.tables:
        if place.row and recoded is None:
            own = table.filter(cell_text(table[layout.table]) == place.name).view()
            stays.append(table[place.row].isnull() | table[place.row].isin(own[place.row]))
    if stays:
        table = table.filter(stays)
    blank = {}
    for place in layout.tables:
        for name in _looked_at(place, table.columns, recoded):
            blank[name] = has_cells(table, layout, place, name in place.of_person).ifelse(table[name], None)
    return table.mutate(**blank) if blank else table


def has_cells(table: ir.Table, layout: TablesLayout, place: TablePlace, of_person: bool = False) -> ir.BooleanColumn:
    """Whether a record is a row of a table or hangs below one; or, where asked, whether its person has such a row."""
    own = cell_text(table[layout.table]) == place.name
    with_cells = own | table[place.row].notnull() if place.row else own
    if of_person:
        with_cells = with_cells | (table[layout.person].notnull() & own.any().over(group_by=table[layout.person]))
    return with_cells


def spread_over_persons(table: ir.Table, layout: TablesLayout) -> ir.Table:
    """What a table says of the person in all of the person's records: where rows differ, the last value in order."""
    spread = {}
    for place in layout.tables:
        for name in place.of_person:
            own = cell_text(table[layout.table]) == place.name
            of_person = own.ifelse(table[name], None).max().over(group_by=table[layout.person])
            known = table[layout.person].notnull() & ~has_cells(table, layout, place)
            spread[name] = known.ifelse(of_person, table[name])
    return table.mutate(**spread) if spread else table
