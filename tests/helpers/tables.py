"""Tables of a case, made of columns of texts: in memory, or in one connection of DuckDB."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from anonlib.counting.classes import ClassTable
from anonlib.reading.records import FrameRecords, Records, TableRecords
from anonlib.reading.sources.tables import duckdb
from anonlib.reading.tables import NamedTable
from anonlib.values.cells import text_categorical

Columns = Mapping[str, Sequence[object]]


def in_memory(**tables: Columns) -> tuple[NamedTable, ...]:
    """By name the columns of each; None is missing, numbers are written as texts."""
    held = {name: FrameRecords.of(pd.DataFrame(dict(columns), dtype=object)) for name, columns in tables.items()}
    return tuple(NamedTable(name, None, records, records.digest) for name, records in held.items())


def in_duckdb(connection: Any = None, **tables: Columns) -> tuple[NamedTable, ...]:
    """The same as tables of an engine, of the types that the values have."""
    connection = connection or duckdb()
    made = {name: connection.create_table(name, _arrow(columns), temp=True) for name, columns in tables.items()}
    return tuple(NamedTable(name, None, TableRecords(table), f"{name:0<64}") for name, table in made.items())


def in_an_engine(records: Records) -> TableRecords:
    """The same records as a table of DuckDB."""
    plain = records.head(records.n_records).astype(object)
    return TableRecords(duckdb().create_table("records", _arrow(plain.where(plain.notna(), None)), temp=True))


def _arrow(columns: Columns) -> pa.Table:
    kinds = {name: None if any(cell is not None for cell in cells) else pa.string() for name, cells in columns.items()}
    return pa.table({name: pa.array(cells, kinds[name]) for name, cells in columns.items()})


def text_frame(columns: Columns) -> pd.DataFrame:
    """The columns as categories of text, as a file is read."""
    return pd.DataFrame({name: text_categorical(pd.Series(cells, dtype=object)) for name, cells in columns.items()})


def csv(columns: Columns, delimiter: str = ",") -> bytes:
    """The columns as a file."""
    lines = [columns.keys(), *zip(*columns.values(), strict=True)]
    cells = ["" if cell is None else str(cell) for line in lines for cell in line]
    width = len(columns)
    rows = [delimiter.join(cells[i : i + width]) for i in range(0, len(cells), width)]
    return ("\n".join(rows) + "\n").encode()


def check_form(table: ClassTable) -> None:
    """What every class table promises of its arrays."""
    assert table.codes.dtype == np.int32 and table.codes.shape == (table.n_classes, len(table.attributes))
    assert table.counts.dtype == np.int64 and (table.counts > 0).all()
    order = [tuple(row) for row in table.codes.tolist()]
    assert order == sorted(order)
    for j, values in enumerate(table.categories):
        assert set(table.codes[:, j].tolist()) == set(range(len(values))), "every category occurs"
        assert len(set(values.tolist())) == len(values)
        assert None not in values[:-1], "missing is last"


def check_same(one: ClassTable, other: ClassTable, records: bool = True) -> None:
    assert one.attributes == other.attributes
    assert [values.tolist() for values in one.categories] == [values.tolist() for values in other.categories]
    np.testing.assert_array_equal(one.codes, other.codes)
    np.testing.assert_array_equal(one.counts, other.counts)
    if records:
        np.testing.assert_array_equal(one.class_of_record, other.class_of_record)
