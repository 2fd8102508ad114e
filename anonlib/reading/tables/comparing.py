"""Columns of tables compared by their values: whether they are all different, and how many are in another column.

In memory and in an engine alike; of tables in an engine only counts come here, where they are in the same one.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pyarrow as pa

from anonlib.reading.records import Records, TableRecords, ValueCounts
from anonlib.reading.records.cells import as_key, cell_text, fetched
from anonlib.reading.records.engines import PLAIN, beside, engine_of
from anonlib.reading.tables.model import NamedTable

if TYPE_CHECKING:
    import ibis.expr.types as ir


@dataclass(frozen=True)
class Cells:
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
class Fit:
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
    _cells: dict[tuple[str, str], Cells] = field(default_factory=dict)
    _fits: dict[tuple[str, str, str, str], Fit | None] = field(default_factory=dict)

    def count(self, table: str, columns: Collection[str]) -> None:
        """Count several columns of a table at once, which spares an engine work."""
        new = [column for column in columns if (table, column) not in self._cells]
        if new:
            counted = _cells_of(self.tables[table].records, new)
            self._cells.update({(table, column): found for column, found in counted.items()})

    def cells(self, table: str, column: str) -> Cells:
        """How many cells of a column are filled, and with how many values."""
        self.count(table, [column])
        return self._cells[table, column]

    def fit(self, table: str, column: str, parent: str, parent_column: str) -> Fit | None:
        """How a column lies in one of another table; None where both are too many to come here from two engines."""
        asked = table, column, parent, parent_column
        if asked not in self._fits:
            self._fits[asked] = _fit_of(self.tables[table].records, column, self.tables[parent].records, parent_column)
        return self._fits[asked]


def _cells_of(records: Records, columns: list[str]) -> dict[str, Cells]:
    if not isinstance(records, TableRecords):
        counts = {column: records.counts_of(column) for column in columns}
        return {
            column: Cells(each.n_records, each.n_records - each.missing, int(np.count_nonzero(each.records)))
            for column, each in counts.items()
        }
    keys = {column: key_of(records.table[column]) for column in columns}
    asked = {f"filled {i}": key.count() for i, key in enumerate(keys.values())}
    asked |= {f"values {i}": key.nunique() for i, key in enumerate(keys.values())}
    found = fetched(records.table.aggregate(**asked)).to_pylist()[0]
    return {
        column: Cells(records.n_records, int(found[f"filled {i}"] or 0), int(found[f"values {i}"] or 0))
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


def _fit_of(child: Records, column: str, parent: Records, parent_column: str) -> Fit | None:
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


def _fit_in_memory(counts: ValueCounts, values: ValueCounts | np.ndarray) -> Fit:
    others = _occurring(values) if isinstance(values, ValueCounts) else values
    is_inside = pd.Index(counts.values, dtype=object).isin(others) & (counts.records > 0)
    filled = int(counts.records.sum())
    return Fit(counts.n_records, filled, int(counts.records[is_inside].sum()), int(is_inside.sum()))


def _fit_in_engine(child: TableRecords, key: ir.Column, keys: ir.Table) -> Fit:
    cells = child.table.select(key=key)
    cells = cells.filter(cells["key"].notnull())
    keys = keys.filter(keys["key"].notnull()).view()
    inside = cells.semi_join(keys, cells["key"] == keys["key"])
    filled = fetched(cells.aggregate(n=cells.count()))["n"][0].as_py()
    found = fetched(inside.aggregate(rows=inside.count(), values=inside["key"].nunique())).to_pylist()[0]
    return Fit(child.n_records, int(filled), int(found["rows"]), int(found["values"] or 0))


def _those_there(parent: TableRecords, column: str, counts: ValueCounts) -> np.ndarray:
    """Of some values those that a column of an engine has."""
    asked = beside(parent.table, pa.table({"key": pa.array(_occurring(counts), pa.string())}))
    there = parent.table.select(key=as_key(parent.cell(column)))
    found = fetched(there.semi_join(asked, there["key"] == asked["key"]).distinct())
    return found["key"].to_numpy(zero_copy_only=False)
