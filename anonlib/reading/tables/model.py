"""The tables of a case, the keys between them, and what was found of how they hang together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from anonlib.basics.errors import InputError
from anonlib.basics.words import count
from anonlib.reading.records import FrameRecords, Records, TableRecords
from anonlib.reading.sources import Source, display_name

MOST_TABLES = 30
"""Most tables of a case."""
_LONGEST = 60  # characters of a name


@dataclass(frozen=True, eq=False)
class NamedTable:
    """A table of a case.

    Attributes
    ----------
    name : str
        Short, once in the case whatever its capitals: the file without its ending, the sheet, the resource.
    source : Source | None
        Where it was read into memory; None where it stays in an engine.
    records : Records
        Its records.
    digest : str
        64 hexadecimal digits by which it can be recognised; of another content or state it is another.
    notes : tuple[str, ...], default ()
        Sentences on how it came into the case, beside those of its reading. No cell values.
    """

    name: str
    source: Source | None
    records: Records
    digest: str
    notes: tuple[str, ...] = ()

    @classmethod
    def of_source(cls, name: str, source: Source) -> NamedTable:
        """A table that was read into memory."""
        return cls(short_name(name), source, FrameRecords(source.frame), source.digest)

    @property
    def key(self) -> str:
        """What answers about it are remembered by."""
        return f"{self.name} {self.digest}"

    @property
    def columns(self) -> list[str]:
        """The names of its columns, in their order."""
        return self.records.columns

    @property
    def stays(self) -> bool:
        """Whether its records are in an engine."""
        return isinstance(self.records, TableRecords)


@dataclass(frozen=True)
class Key:
    """Each row of a table names a row of another one, its parent.

    Attributes
    ----------
    table, column : str
        The table, and its column that names the parent's row.
    parent, parent_column : str
        The other table, and its column whose values are all different.
    inside : float, default 0.0
        Share, 0 to 1, of the filled cells of ``column`` that occur in ``parent_column``.
    rows_a_parent : float, default 0.0
        Mean number of rows of ``table`` per row of ``parent`` that has any; 0 where none has.
    """

    table: str
    column: str
    parent: str
    parent_column: str
    inside: float = 0.0
    rows_a_parent: float = 0.0


@dataclass(frozen=True)
class Linked:
    """How the tables of a case hang together: a tree, or several where no table has a row a person.

    Attributes
    ----------
    person_table : str | None
        The table with a row a person; None where there is none.
    person_columns : dict[str, str], optional
        By table, its column of person ids, where it has one; of ``person_table`` its own ids.
    keys : tuple[Key, ...], default ()
        One at most for each table that hangs below another one.
    notes : tuple[str, ...], default ()
        Sentences on what was assumed, and on what does not fit. No cell values.
    """

    person_table: str | None
    person_columns: dict[str, str] = field(default_factory=dict)
    keys: tuple[Key, ...] = ()
    notes: tuple[str, ...] = ()

    def key_of(self, table: str) -> Key | None:
        """The key by which a table hangs below another one."""
        return next((key for key in self.keys if key.table == table), None)

    def above(self, table: str) -> list[str]:
        """The tables that a table hangs below, its parent first."""
        parents: list[str] = []
        key = self.key_of(table)
        while key is not None and key.parent not in parents:
            parents.append(key.parent)
            key = self.key_of(key.parent)
        return parents

    def depth(self, table: str) -> int:
        """How many tables stand above a table; 0 or more."""
        return len(self.above(table))


def short_name(name: str) -> str:
    """A name to show, of at most 60 characters; untrusted text, and never a path."""
    shown = display_name(name)
    return shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…"


def check_number(n_tables: int) -> None:
    """Raises InputError where there are more than :data:`MOST_TABLES`."""
    if n_tables > MOST_TABLES:
        raise InputError(
            f"A case has at most {MOST_TABLES} tables; here are {count(n_tables)}. Open those that are to leave.",
            code="too-many-tables",
        )


def named_apart(tables: Iterable[NamedTable]) -> tuple[NamedTable, ...]:
    """The tables with names of their own: a name that comes again, in whatever capitals, gets a number.

    Parameters
    ----------
    tables : Iterable[NamedTable]
        Those of one case, in their order, with the names of their files or sheets.

    Returns
    -------
    tuple[NamedTable, ...]

    Raises
    ------
    InputError
        When there are more than :data:`MOST_TABLES`.
    """
    given = list(tables)
    check_number(len(given))
    taken: set[str] = {table.name.casefold() for table in given}
    used: set[str] = set()
    apart = []
    for table in given:
        name, number = table.name, 2
        while name.casefold() in used or (number > 2 and name.casefold() in taken):
            name, number = f"{table.name} ({number})", number + 1
        used.add(name.casefold())
        apart.append(table if name == table.name else replace(table, name=name))
    return tuple(apart)


def by_name(tables: Sequence[NamedTable]) -> dict[str, NamedTable]:
    """The tables by their names.

    Raises
    ------
    InputError
        When two have one name.
    """
    named = {table.name: table for table in tables}
    if len(named) < len(tables):
        raise InputError(
            "Two tables of the case have the same name. Give each a name of its own.", code="tables-of-one-name"
        )
    return named
