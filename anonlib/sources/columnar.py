"""Parquet files, each value written as text."""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Callable

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from anonlib.errors import InputError
from anonlib.sources.names import check_width, column_names
from anonlib.sources.reading import Column, Limits, Reading, check_cells, finished_frame, listed

_UNPACKED = 8  # times the size limit of a file
_DAMAGED = "This Parquet file is damaged, encrypted or cut off. Export it again."


def read_parquet(data: bytes, limits: Limits) -> tuple[pd.DataFrame, Reading]:
    """Reads a Parquet file from memory: integers in full, floats as Python writes them, dates as ISO.

    Raises InputError for nested or binary columns, by name, and for a damaged or oversized file.
    """
    try:
        file = pq.ParquetFile(pa.BufferReader(data))
        schema, metadata = file.schema_arrow, file.metadata
        unpacked = sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
    except Exception:
        raise InputError(_DAMAGED) from None
    check_width(len(schema.names), limits)
    check_cells(metadata.num_rows, len(schema.names), limits)
    if not schema.names or not metadata.num_rows:
        raise InputError("The Parquet file holds no records. Export it again with its records.")
    if unpacked > _UNPACKED * limits.bytes:
        raise InputError(
            f"This Parquet file unpacks to {unpacked / 1e6:,.0f} MB, more than is read into memory. "
            "Keep the columns you need, or open it as a database table."
        )
    names, notes = column_names(schema.names, len(schema.names), limits)
    _refuse_nested(schema, names)
    columns = []
    for i, name in enumerate(names):
        try:
            columns.append(_column(name, _read_column(file, i)))
        except Exception:
            raise InputError(_DAMAGED) from None
    frame, edge_notes = finished_frame(columns, metadata.num_rows, named=[True] * len(names), keep_rows=True)
    zoned = [
        name for name, field in zip(names, schema, strict=True) if pa.types.is_timestamp(field.type) and field.type.tz
    ]
    if zoned:
        notes.append(f"Times of column {listed(zoned)} carry a time zone and are written with their offset.")
    return frame, Reading(format="Parquet", header=True, notes=(*notes, *edge_notes))


def _refuse_nested(schema: pa.Schema, names: list[str]) -> None:
    def unreadable(kind: pa.DataType) -> bool:
        kind = kind.value_type if pa.types.is_dictionary(kind) else kind
        binary = pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind)
        return pa.types.is_nested(kind) or binary or isinstance(kind, pa.BaseExtensionType)

    nested = [name for name, field in zip(names, schema, strict=True) if unreadable(field.type)]
    if nested:
        raise InputError(
            f"Lists, structures or binary values cannot be read as cells: column {listed(nested)}. "
            "Leave these out, or spread them over columns of their own."
        )


def _read_column(file: pq.ParquetFile, place: int) -> pa.ChunkedArray:
    # By place and not by name: two columns may have one name. Flat schemas have one leaf a column.
    chunks = [file.reader.read_row_group(i, column_indices=[place]).column(0) for i in range(file.num_row_groups)]
    return pa.chunked_array([chunk for column in chunks for chunk in column.chunks], type=chunks[0].type)


def _column(name: str, values: pa.ChunkedArray) -> Column:
    """A column as codes into the texts of its distinct values."""
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    if pa.types.is_null(values.type):
        return Column(name, np.full(len(values), -1, dtype=np.int32), [])
    if pa.types.is_timestamp(values.type) or pa.types.is_float16(values.type) or pa.types.is_duration(values.type):
        return _from_texts(name, values)
    encoded = values.dictionary_encode().unify_dictionaries().combine_chunks()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.chunk(0)
    codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return _distinct(name, codes, _texts(encoded.dictionary))


def _from_texts(name: str, values: pa.ChunkedArray) -> Column:
    codes, distinct = pd.factorize(np.array(values.to_pylist(), dtype=object))
    return _distinct(name, codes, [_plain(value) for value in distinct])


def _distinct(name: str, codes: np.ndarray, texts: list[str]) -> Column:
    """Texts may repeat (0.0 and -0.0, say, do not; two zones of one instant may): one code each."""
    index: dict[str, int] = {}
    place = np.array([index.setdefault(text, len(index)) for text in texts] + [-1], dtype=np.int64)
    return Column(name, place[codes], list(index))


def _texts(values: pa.Array) -> list[str]:
    kind = values.type
    write: Callable[[object], str] = _plain
    if pa.types.is_float32(kind):
        return ["" if value != value else str(value) for value in values.to_numpy(zero_copy_only=False)]
    return [write(value) for value in values.to_pylist()]


def _plain(value: object) -> str:
    """One value as text: dates and times as ISO, numbers as Python writes them; not-a-number is blank."""
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return "" if value != value else repr(value)
    if isinstance(value, datetime.datetime):
        midnight = value.tzinfo is None and value.time() == datetime.time() and not getattr(value, "nanosecond", 0)
        return value.date().isoformat() if midnight else value.isoformat(sep=" ")
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    return format(value, "f") if isinstance(value, decimal.Decimal) else str(value)
