"""A release as a Parquet file."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from anonlib.release.files.rows import ReleasedColumn, ReleasedRows


def write_parquet(rows: ReleasedRows) -> bytes:
    """Text columns as text, columns of whole numbers as 64-bit integers and of other numbers as doubles."""
    table = pa.table([_array(column) for column in rows.columns], names=[column.name for column in rows.columns])
    written = pa.BufferOutputStream()
    pq.write_table(table, written)
    return written.getvalue().to_pybytes()


def _array(column: ReleasedColumn) -> pa.Array:
    values: pa.Array
    if column.numbers is None:
        values = pa.array(column.labels, pa.string())
    elif (column.numbers == np.floor(column.numbers)).all():
        values = pa.array(column.numbers.astype(np.int64))
    else:
        values = pa.array(column.numbers)
    return values.take(pa.array(column.codes, mask=column.codes < 0))
