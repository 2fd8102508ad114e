"""Columns that may be keys: by their names and their values, and where no name says it by their values alone.

First, columns of tables are compared by their values: whether they are all different, and how many are in another
column. This is done in memory and in an engine alike; of tables in an engine only counts come here, where they are in
the same one. Then come the candidates.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pyarrow as pa

from anonlib.reading.records import Records, TableRecords, ValueCounts
from anonlib.reading.records.engines import PLAIN, as_key, beside, cell_text, engine_of, fetched
from anonlib.reading.tables.model import NamedTable
from anonlib.reading.tables.names import evidence, is_defined, of_column, of_table

if TYPE_CHECKING:
    import ibis.expr.types as ir


@dataclass(frozen=True)
class FilledCells:
    """How many cells of a column are filled.

    Attributes
    ----------
    rows : int
        Rows of the table.
    filled : int
        Cells with a value.
    values : int
        Different values.
    """

    rows: int
    filled: int
    values: int

    @property
    def are_unique(self) -> bool:
        """Whether there are values, and no two are the same."""
        return 0 < self.filled == self.values


@dataclass(frozen=True)
class ColumnFit:
    """How the cells of a column lie in another one.

    Attributes
    ----------
    rows : int
        Rows of the table.
    filled : int
        Cells with a value.
    inside : int
        Of these, cells whose value is in the other column.
    values_inside : int
        Different values among them.
    """

    rows: int
    filled: int
    inside: int
    values_inside: int

    @property
    def share(self) -> float:
        """Share of the filled cells that are inside, 0 to 1."""
        return self.inside / self.filled if self.filled else 0.0

    @property
    def rows_a_value(self) -> float:
        """Mean number of rows per value of the other column that has any; 0 where none has."""
        return self.inside / self.values_inside if self.values_inside else 0.0

    @property
    def outside(self) -> int:
        """Filled cells whose value is not in the other column."""
        return self.filled - self.inside


@dataclass
class Comparing:
    """What is counted of the columns of some tables, each thing once."""

    tables: dict[str, NamedTable]
    _cells: dict[tuple[str, str], FilledCells] = field(default_factory=dict)
    _fits: dict[tuple[str, str, str, str], ColumnFit | None] = field(default_factory=dict)

    def count(self, table: str, columns: Collection[str]) -> None:
        """Count several columns of a table at once, which spares an engine work."""
        new = [column for column in columns if (table, column) not in self._cells]
        if new:
            counted = _cells_of(self.tables[table].records, new)
            self._cells.update({(table, column): cells for column, cells in counted.items()})

    def cells(self, table: str, column: str) -> FilledCells:
        """How many cells of a column are filled, and with how many values."""
        self.count(table, [column])
        return self._cells[table, column]

    def fit(self, table: str, column: str, parent: str, parent_column: str) -> ColumnFit | None:
        """How a column lies in one of another table; None where both are too many to come here from two engines."""
        pair = table, column, parent, parent_column
        if pair not in self._fits:
            self._fits[pair] = _fit_of(self.tables[table].records, column, self.tables[parent].records, parent_column)
        return self._fits[pair]


def _cells_of(records: Records, columns: list[str]) -> dict[str, FilledCells]:
    if not isinstance(records, TableRecords):
        counts = {column: records.counts_of(column) for column in columns}
        return {
            column: FilledCells(
                column_counts.n_records,
                column_counts.n_records - column_counts.missing,
                int(np.count_nonzero(column_counts.records)),
            )
            for column, column_counts in counts.items()
        }
    keys = {column: key_of(records.table[column]) for column in columns}
    aggregates = {f"filled {i}": key.count() for i, key in enumerate(keys.values())}
    aggregates |= {f"values {i}": key.nunique() for i, key in enumerate(keys.values())}
    totals = fetched(records.table.aggregate(**aggregates)).to_pylist()[0]
    return {
        column: FilledCells(records.n_records, int(totals[f"filled {i}"] or 0), int(totals[f"values {i}"] or 0))
        for i, column in enumerate(columns)
    }


def key_of(column: ir.Column) -> ir.Column:
    """A column as it can be compared with another one: whole numbers of DuckDB as they are, all else as text."""
    return column if column.type().is_integer() and engine_of(column) == PLAIN else cell_text(column)


def same_kind(one: ir.Column, other: ir.Column) -> tuple[ir.Column, ir.Column]:
    """Two columns as they can be compared with each other."""
    keys = key_of(one), key_of(other)
    return keys if keys[0].type().is_integer() == keys[1].type().is_integer() else (cell_text(one), cell_text(other))


def share_an_engine(one: Records, other: Records) -> bool:
    """Whether an engine can compare two tables: both are on one connection."""
    both = isinstance(one, TableRecords) and isinstance(other, TableRecords)
    return both and one.table.get_backend() is other.table.get_backend()  # type: ignore[attr-defined]


def _fit_of(child: Records, column: str, parent: Records, parent_column: str) -> ColumnFit | None:
    if isinstance(child, TableRecords) and isinstance(parent, TableRecords) and share_an_engine(child, parent):
        one, other = same_kind(child.table[column], parent.table[parent_column])
        return _fit_in_engine(child, one, parent.table.select(key=other))
    counts, values = _few(child, column), _few(parent, parent_column)
    if counts is not None and values is not None:
        return _fit_in_memory(counts, values)
    if isinstance(child, TableRecords) and values is not None:
        keys = beside(child.table, pa.table({"key": pa.array(_occurring(values), pa.string())}))
        return _fit_in_engine(child, child.cell(column), keys)
    if isinstance(parent, TableRecords) and counts is not None:
        return _fit_in_memory(counts, _those_there(parent, parent_column, counts))
    return None


def _few(records: Records, column: str) -> ValueCounts | None:
    """The values of a column; None where they are too many to come here."""
    return records.counts_if_few(column) if isinstance(records, TableRecords) else records.counts_of(column)


def _occurring(counts: ValueCounts) -> np.ndarray:
    return counts.values[counts.records > 0]


def _fit_in_memory(counts: ValueCounts, values: ValueCounts | np.ndarray) -> ColumnFit:
    others = _occurring(values) if isinstance(values, ValueCounts) else values
    is_inside = pd.Index(counts.values, dtype=object).isin(others) & (counts.records > 0)
    filled = int(counts.records.sum())
    return ColumnFit(counts.n_records, filled, int(counts.records[is_inside].sum()), int(is_inside.sum()))


def _fit_in_engine(child: TableRecords, key: ir.Column, keys: ir.Table) -> ColumnFit:
    cells = child.table.select(key=key)
    cells = cells.filter(cells["key"].notnull())
    keys = keys.filter(keys["key"].notnull()).view()
    inside = cells.semi_join(keys, cells["key"] == keys["key"])
    filled = fetched(cells.aggregate(n=cells.count()))["n"][0].as_py()
    counts = fetched(inside.aggregate(rows=inside.count(), values=inside["key"].nunique())).to_pylist()[0]
    return ColumnFit(child.n_records, int(filled), int(counts["rows"]), int(counts["values"] or 0))


def _those_there(parent: TableRecords, column: str, counts: ValueCounts) -> np.ndarray:
    """Of some values those that a column of an engine has."""
    wanted_keys = beside(parent.table, pa.table({"key": pa.array(_occurring(counts), pa.string())}))
    parent_keys = parent.table.select(key=as_key(parent.cell(column)))
    common = fetched(parent_keys.semi_join(wanted_keys, parent_keys["key"] == wanted_keys["key"]).distinct())
    return common["key"].to_numpy(zero_copy_only=False)


ENOUGH = 0.9
"""Share of the filled cells of a key that must be in the parent's column."""
DEFINED, BY_NAME, BY_THING, BY_ANY_ID, BY_VALUES = 4, 3, 2, 1, 0
"""How clear a key is: defined by the OMOP model, by its name (see :func:`.names.evidence`), or by values alone."""
_FILLED = 0.9  # share of a table's rows that must have an own id
_FEWEST = 50  # different values from which on they may be a key without a name that says so
_SHORTEST = 4  # characters of such values
_DENSE = 0.01  # share of the whole numbers of a range from which on others can be among them by chance
_LOOKED_AT = 200  # values that are looked at before all are
_HALF = 0.5  # share of these that must be among another column's
_NO_ID = re.compile(r"\s|\d[.,]\d|^\d{4}-\d\d|\d[/:]\d")  # blanks, decimals, dates and times
_WHOLE = re.compile(r"[0-9]{1,18}")


@dataclass(frozen=True)
class Candidate:
    """A column that may name rows of another table.

    Attributes
    ----------
    table, column, parent, parent_column : str
        As of a :class:`anonlib.reading.tables.model.Key`.
    strength : int
        How clear it is.
    fit : ColumnFit
        How its values lie in the parent's.
    one_a_parent : bool
        Whether no two rows name the same one.
    """

    table: str
    column: str
    parent: str
    parent_column: str
    strength: int
    fit: ColumnFit
    one_a_parent: bool

    @property
    def names_parent(self) -> bool:
        """Whether the parent's column is, by its name, the id of the parent's own rows."""
        return not of_column(self.parent_column).core or _is_own(self.parent, self.parent_column)

    @property
    def fits(self) -> bool:
        """Whether enough of its values are among the parent's."""
        return self.fit.share >= ENOUGH


def unique_columns(comparing: Comparing, table: str, columns: list[str]) -> list[str]:
    """Those whose values are all different, and hardly ever missing."""
    comparing.count(table, columns)
    cells = {column: comparing.cells(table, column) for column in columns}
    return [
        name
        for name, its_cells in cells.items()
        if its_cells.are_unique and its_cells.filled >= _FILLED * its_cells.rows
    ]


def by_name(comparing: Comparing) -> Iterator[Candidate]:
    """Columns that may be keys by their names, whether their values fit or not."""
    for parent, parent_table in comparing.tables.items():
        meanings = {column: of_column(column) for column in parent_table.columns}
        ids = [column for column, meaning in meanings.items() if meaning.is_id or meaning.is_number]
        named_alike = [
            (table, column, parent_column, strength)
            for table, child_table in comparing.tables.items()
            if table != parent
            for column in child_table.columns
            for parent_column in ids
            if (strength := _strength(table, column, parent, parent_column))
        ]
        unique = unique_columns(comparing, parent, list(dict.fromkeys(column for *_, column, _ in named_alike)))
        for table, column, parent_column, strength in named_alike:
            if parent_column in unique:
                candidate = _candidate(comparing, table, column, parent, parent_column, strength)
                if candidate is not None and not (strength == BY_ANY_ID and _by_chance(comparing, candidate)):
                    yield candidate


def _strength(table: str, column: str, parent: str, parent_column: str) -> int:
    defined = is_defined(table, column, parent, parent_column)
    if defined is not None:
        return DEFINED if defined else 0
    if _is_own(table, column) and not _is_own(parent, parent_column):
        return 0  # a row of visits is not below what names a visit, even where each visit is named once
    return evidence(column, parent_column, parent)


def _is_own(table: str, column: str) -> bool:
    """Whether a column is, by its name, the id of the table's own rows."""
    own, rows = of_column(column), of_table(table)
    return own.core != () and (own.core == rows.core or (own.thing != "" and own.thing == rows.thing))


def _candidate(
    comparing: Comparing, table: str, column: str, parent: str, parent_column: str, strength: int
) -> Candidate | None:
    fit = comparing.fit(table, column, parent, parent_column)
    if fit is None or not fit.filled:
        return None
    one_a_parent = fit.inside == fit.values_inside
    return Candidate(table, column, parent, parent_column, strength, fit, one_a_parent)


def _by_chance(comparing: Comparing, candidate: Candidate) -> bool:
    """Whether two columns that only have “id” for a name may number different things: 1, 2, 3, … in both."""
    if not candidate.one_a_parent:
        return False
    if isinstance(comparing.tables[candidate.parent].records, TableRecords):
        return True
    return not _far_apart(comparing.tables[candidate.parent].records.values(candidate.parent_column))


def by_values(comparing: Comparing, table: str) -> Iterator[Candidate]:
    """Keys of a table that no name says: many different values that look like ids, and are another table's own.

    They are looked for in memory alone; in an engine each pair of columns would take a pass over both.
    """
    children = [column for column in comparing.tables[table].columns if _may_be_ids(comparing, table, column)]
    for parent in comparing.tables if children else ():
        if parent == table:
            continue
        own = [column for column in comparing.tables[parent].columns if _may_be_ids(comparing, parent, column)]
        for parent_column in unique_columns(comparing, parent, own):
            values = comparing.tables[parent].records.values(parent_column)
            likely = _mostly_among(comparing, table, children, values) if _far_apart(values) else []
            candidates = (_candidate(comparing, table, column, parent, parent_column, BY_VALUES) for column in likely)
            yield from (candidate for candidate in candidates if candidate is not None and candidate.fits)


def _mostly_among(comparing: Comparing, table: str, columns: list[str], values: np.ndarray) -> list[str]:
    """Columns of which half of the values that are looked at are among others: all are compared of these alone."""
    others = pd.Index(values, dtype=object)
    drawn = {column: _drawn(comparing.tables[table].records.values(column)) for column in columns}
    return [column for column, texts in drawn.items() if (others.get_indexer(texts) >= 0).mean() >= _HALF]


def _may_be_ids(comparing: Comparing, table: str, column: str) -> bool:
    records = comparing.tables[table].records
    if isinstance(records, TableRecords):
        return False
    values = records.values(column)
    if len(values) < _FEWEST:
        return False
    return all(
        len(text) >= _SHORTEST and any(letter.isdigit() for letter in text) and not _NO_ID.search(text)
        for text in _drawn(values)
    )


def _drawn(values: np.ndarray) -> np.ndarray:
    """Some of the values, evenly over their order."""
    return values[np.unique(np.linspace(0, len(values) - 1, _LOOKED_AT).astype(int))]


def _far_apart(values: np.ndarray) -> bool:
    """Whether values are no whole numbers, or so far apart that others are hardly among them by chance."""
    if not all(_WHOLE.fullmatch(value) for value in values):
        return True
    numbers = [int(value) for value in values]
    return len(numbers) < _DENSE * (max(numbers) - min(numbers) + 1)


def persons_by_name(comparing: Comparing, table: str) -> list[str]:
    """The columns of a table that are ids of persons by their names; of a table of persons also its plain “id”."""
    of_persons = of_table(table).thing == "person"
    meanings = {column: of_column(column) for column in comparing.tables[table].columns}
    return [
        column
        for column, meaning in meanings.items()
        if meaning.thing == "person" or (of_persons and (meaning.is_plain or meaning.is_number))
    ]
