"""Parquet files, each value written as text."""

from __future__ import annotations

import decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from anonlib.errors import InputError
from anonlib.sources.names import check_width, column_names
from anonlib.sources.numerals import moment_text
from anonlib.sources.reading import (
    Column,
    Limits,
    Progress,
    Reading,
    check_cells,
    finished_frame,
    listed,
    nobody,
    share_of,
)

_UNPACKED = 8  # times the size limit of a file
_BINARY = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary, pa.types.is_binary_view)
_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_DAMAGED = "This Parquet file is damaged, encrypted or cut off. Export it again."


def read_parquet(data: bytes, limits: Limits, progress: Progress = nobody) -> tuple[pd.DataFrame, Reading]:
    """Reads a Parquet file from memory: integers in full, floats as Python writes them, dates as ISO.

    What is stored as a date or time but is none that Python knows keeps a text of its own, with a note.

    Raises
    ------
    InputError
        For nested or binary columns, by name, and for a damaged or oversized file.
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
    columns, no_dates = [], []
    for i, name in enumerate(names):
        try:
            values = _read_column(file, i)
            whole = len(values) == metadata.num_rows
        except Exception:
            raise InputError(_DAMAGED) from None
        if not whole:
            raise InputError(_DAMAGED)
        column, odd = _column(name, values)
        columns.append(column)
        if odd:
            no_dates.append(name)
        progress(0.5 * (i + 1) / len(names))
    frame, edge_notes = finished_frame(
        columns, metadata.num_rows, named=[True] * len(names), keep_rows=True, progress=share_of(progress, 0.5, 1.0)
    )
    kinds = [(name, field.type) for name, field in zip(names, schema, strict=True)]
    zoned = [(name, _known_zone(kind) == kind) for name, kind in kinds if pa.types.is_timestamp(kind) and kind.tz]
    if known := [name for name, is_known in zoned if is_known]:
        notes.append(f"Times of column {listed(known)} carry a time zone and are written with their offset.")
    if unknown := [name for name, is_known in zoned if not is_known]:
        notes.append(f"Times of column {listed(unknown)} are in a time zone unknown to this computer: written in UTC.")
    if no_dates:
        notes.append(
            f"Some dates or times of column {listed(no_dates)} are not in the years 1 to 9999 or not within a day: "
            "they are written as the file stores them, moments in UTC."
        )
    return frame, Reading(format="Parquet", header=True, notes=(*notes, *edge_notes))


def _refuse_nested(schema: pa.Schema, names: list[str]) -> None:
    def unreadable(kind: pa.DataType) -> bool:
        kind = kind.value_type if pa.types.is_dictionary(kind) else kind
        binary = (is_binary(kind) for is_binary in _BINARY)
        return pa.types.is_nested(kind) or any(binary) or isinstance(kind, pa.BaseExtensionType)

    nested = [name for name, field in zip(names, schema, strict=True) if unreadable(field.type)]
    if nested:
        raise InputError(
            f"Lists, structures or binary values cannot be read as cells: column {listed(nested)}. "
            "Leave these out, or spread them over columns of their own."
        )


def _read_column(file: pq.ParquetFile, place: int) -> pa.ChunkedArray:
    # By place and not by name: two columns may have one name. Flat schemas have one leaf a column.
    chunks = [file.reader.read_row_group(i, column_indices=[place]).column(0) for i in range(file.num_row_groups)]
    values = pa.chunked_array([chunk for column in chunks for chunk in column.chunks], type=chunks[0].type)
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    if pa.types.is_string(values.type) or pa.types.is_large_string(values.type) or pa.types.is_string_view(values.type):
        values.validate(full=True)  # the reader takes it on trust that texts are UTF-8
    return values.cast(pa.float64()) if pa.types.is_float16(values.type) else values


def _column(name: str, values: pa.ChunkedArray) -> tuple[Column, bool]:
    """A column as codes into the texts of its distinct values, and whether some are dates or times and yet none."""
    if pa.types.is_null(values.type):
        return Column(name, np.full(len(values), -1, dtype=np.int32), []), False
    # Told apart as they are stored: of two moments with one clock time (when clocks go back) Python sees one.
    encoded = values.dictionary_encode().unify_dictionaries().combine_chunks()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.chunk(0)
    codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    distinct, odd = encoded.dictionary, False
    if pa.types.is_temporal(distinct.type):
        moments = _moments(distinct)
        odd = None in moments
        texts = [_stored(distinct[i]) if text is None else text for i, text in enumerate(moments)]
    else:
        texts = _texts(distinct)
    # Texts may repeat: there are many not-a-numbers, all blank.
    return Column.of_texts(name, codes, texts), odd


def _texts(values: pa.Array) -> list[str]:
    if pa.types.is_float32(values.type):
        return ["" if value != value else str(value) for value in values.to_numpy(zero_copy_only=False)]
    return [_text(value) for value in values.to_pylist()]


def _text(value: object) -> str:
    """One value as text: numbers as Python writes them; not-a-number is blank."""
    if isinstance(value, float):
        return "" if value != value else repr(value)
    return format(value, "f") if isinstance(value, decimal.Decimal) else str(value)


def _moments(values: pa.Array) -> list[str | None]:
    """Dates and times as ISO, durations as Python writes them; None for those that Python cannot hold."""
    if pa.types.is_timestamp(values.type):
        values = values.cast(_known_zone(values.type))
    return [_moment(value) for value in values]


def _moment(value: pa.Scalar) -> str | None:
    if pa.types.is_time(value.type):
        per_second = _PER_SECOND[value.type.unit]
        if not 0 <= value.value < 86_400 * per_second:
            return None  # Python would go on with the next day
        finer = value.value % 1000 if value.type.unit == "ns" else 0
        return f"{value.as_py().isoformat('microseconds')}{finer:03}" if finer else moment_text(value.as_py())
    try:
        return str(value.as_py()) if pa.types.is_duration(value.type) else moment_text(value.as_py())
    except OverflowError:
        return None


def _stored(value: pa.Scalar) -> str:
    """A date or time of any year, in UTC; a time or duration as its number with the unit."""
    kind = value.type
    if pa.types.is_time(kind) or pa.types.is_duration(kind):
        return f"{value.value} {kind.unit}"
    unit = {pa.date32(): "D", pa.date64(): "ms"}.get(kind) or kind.unit
    zone = "+00:00" if pa.types.is_timestamp(kind) and kind.tz else ""
    return str(np.array(value.value, f"datetime64[{unit}]")).replace("T", " ") + zone


def _known_zone(kind: pa.TimestampType) -> pa.TimestampType:
    """The same kind of moment, in UTC when this computer does not know its time zone."""
    try:
        pa.scalar(0, kind).as_py()
    except Exception:
        return pa.timestamp(kind.unit, "UTC")
    return kind
