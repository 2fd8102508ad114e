"""Where the tables of a case lie in records that hold them all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from anonlib.reading.records.names import unused_name

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
class Layout:
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
        items = (each for each in self.tables if each.mark and each.parent == place.name)
        return next(each.named[name] for each in (place, *items) if name in each.named)

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
