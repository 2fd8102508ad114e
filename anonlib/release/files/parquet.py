"""A release as a Parquet file."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from anonlib.release.files.rows import ReleasedColumn, ReleasedRows


def write_parquet(rows: ReleasedRows) -> bytes:
    """Text columns as text, columns of whole numbers as 64-bit integers and of other numbers as doubles; missing null.

    The metadata of a column has its ``title`` and ``unit``, where these are known, what labels mean under ``labels`` as
    JSON, and what null does under ``missing``.
    """
    arrays = [_array(column) for column in rows.columns]
    fields = [
        pa.field(column.name, array.type, metadata=_metadata(column))
        for column, array in zip(rows.columns, arrays, strict=True)
    ]
    table = pa.Table.from_arrays(arrays, schema=pa.schema(fields))
    written = pa.BufferOutputStream()
    pq.write_table(table, written)
    return written.getvalue().to_pybytes()


def _metadata(column: ReleasedColumn) -> dict[str, str] | None:
    labels = {label: column.meanings[label] for label in column.labels if label in column.meanings}
    labels = labels or {code: column.of_codes[code] for code in column.labels if code in column.of_codes}
    described = column.described
    metadata = {
        "title": "" if described is None else described.title,
        "unit": "" if described is None else described.unit,
        "labels": json.dumps(labels, ensure_ascii=False) if labels else "",
        "missing": column.meanings.get("", ""),
    }
    return {name: text for name, text in metadata.items() if text} or None


def _array(column: ReleasedColumn) -> pa.Array:
    values: pa.Array
    if column.numbers is None:
        values = pa.array(column.labels, pa.string())
    elif (column.numbers == np.floor(column.numbers)).all():
        values = pa.array(column.numbers.astype(np.int64))
    else:
        values = pa.array(column.numbers)
    return values.take(pa.array(column.codes, mask=column.codes < 0))
