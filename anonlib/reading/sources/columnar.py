"""Parquet files, each value written as text."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody, share_of
from anonlib.basics.words import listed
from anonlib.reading.sources.cell_texts import array_texts, distinct_texts, is_cell_type
from anonlib.reading.sources.names import check_width, column_names
from anonlib.reading.sources.reading import CodedColumn, Limits, Reading, check_cells, finished_frame

_UNPACKED = 8  # times the size limit of a file
_UNUSUAL = re.compile(r"-|.*\(BC\)|\d{5}|2[4-9]:|[3-9]\d:|\d{3,}:|infinity")  # times and dates of no calendar
_DAMAGED = "This Parquet file is damaged, encrypted or cut off. Export it again."


def read_parquet(data: bytes, limits: Limits, progress: Progress = nobody) -> tuple[pd.DataFrame, Reading]:
    """Reads a Parquet file from memory, each value as the text that it has where the file is opened in place.

    Raises
    ------
    InputError
        For nested or binary columns, by name, and for a damaged or oversized file.
    """
    try:
        file = pq.ParquetFile(pa.BufferReader(data))
        schema, metadata = file.schema_arrow, file.metadata
        unpacked = sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
    except MemoryError:
        raise
    except Exception:
        raise InputError(_DAMAGED, code="file-damaged") from None
    check_width(len(schema.names), limits)
    check_cells(metadata.num_rows, len(schema.names), limits)
    if not schema.names or not metadata.num_rows:
        raise InputError(
            "The Parquet file holds no records. Export it again with its records.", code="file-without-records"
        )
    if unpacked > _UNPACKED * limits.bytes:
        raise InputError(
            f"This Parquet file unpacks to {unpacked / 1e6:,.0f} MB, more than is read into memory. "
            "Keep the columns you need, or open it as a database table.",
            code="file-too-large",
        )
    names, notes = column_names(schema.names, len(schema.names), limits)
    _refuse_nested(schema, names)
    columns, unusual = [], []
    for i, name in enumerate(names):
        try:
            values = _read_column(file, i)
            whole = len(values) == metadata.num_rows
        except MemoryError:
            raise
        except Exception:
            raise InputError(_DAMAGED, code="file-damaged") from None
        if not whole:
            raise InputError(_DAMAGED, code="file-damaged")
        column, is_unusual = _column(name, values)
        columns.append(column)
        if is_unusual:
            unusual.append(name)
        progress(0.5 * (i + 1) / len(names))
    frame, edge_notes = finished_frame(
        columns, metadata.num_rows, named=[True] * len(names), keep_rows=True, progress=share_of(progress, 0.5, 1.0)
    )
    notes += _notes({name: field.type for name, field in zip(names, schema, strict=True)}, unusual)
    return frame, Reading(format="Parquet", header=True, notes=(*notes, *edge_notes))


def _notes(types: Mapping[str, pa.DataType], unusual: list[str]) -> list[str]:
    """What is to know of how dates and times are written."""
    notes = []
    zoned = [name for name, kind in types.items() if pa.types.is_timestamp(kind) and kind.tz]
    if zoned:
        notes.append(f"Times of column {listed(zoned)} carry a time zone and are written in UTC.")
    if finer := [name for name in zoned if types[name].unit == "ns"]:
        notes.append(f"Times of column {listed(finer)} are stored in nanoseconds and written to the microsecond.")
    if durations := [f"{name} ({kind.unit})" for name, kind in types.items() if pa.types.is_duration(kind)]:
        notes.append(f"Durations are written as the numbers that the file stores: column {listed(durations)}.")
    if unusual:
        notes.append(
            f"Some dates or times of column {listed(unusual)} are not in the years 1 to 9999 or not within a day: "
            "they are written as they are."
        )
    return notes


def _refuse_nested(schema: pa.Schema, names: list[str]) -> None:
    nested = [name for name, field in zip(names, schema, strict=True) if not is_cell_type(field.type)]
    if nested:
        raise InputError(
            f"Lists, structures or binary values cannot be read as cells: column {listed(nested)}. "
            "Leave these out, or spread them over columns of their own.",
            code="cells-not-values",
        )


def _read_column(file: pq.ParquetFile, place: int) -> pa.ChunkedArray:
    # By place and not by name: two columns may have one name. Flat schemas have one leaf a column.
    chunks = [file.reader.read_row_group(i, column_indices=[place]).column(0) for i in range(file.num_row_groups)]
    values = pa.chunked_array([chunk for column in chunks for chunk in column.chunks], type=chunks[0].type)
    if isinstance(values.type, pa.Bool8Type):  # whole numbers to those who do not know the type
        return pa.chunked_array([chunk.storage for chunk in values.chunks], type=values.type.storage_type)
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    if pa.types.is_string(values.type) or pa.types.is_large_string(values.type) or pa.types.is_string_view(values.type):
        values.validate(full=True)  # the reader takes it on trust that texts are UTF-8
    return values


def _column(name: str, values: pa.ChunkedArray) -> tuple[CodedColumn, bool]:
    """A column as codes into the texts of its distinct values, and whether some are dates or times of no calendar."""
    if pa.types.is_null(values.type):
        return CodedColumn(name, np.full(len(values), -1, dtype=np.int32), []), False
    if isinstance(values.type, pa.BaseExtensionType):
        codes, distinct = pd.factorize(np.array(values.to_pylist(), dtype=object))
        return CodedColumn.of_texts(name, codes, distinct_texts(distinct)), False
    encoded = values.dictionary_encode().unify_dictionaries().combine_chunks()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.chunk(0)
    codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    texts = array_texts(encoded.dictionary)
    unusual = pa.types.is_temporal(values.type) and not pa.types.is_duration(values.type)
    # Texts may repeat: there are many not-a-numbers, all blank.
    return CodedColumn.of_texts(name, codes, texts), unusual and any(map(_UNUSUAL.match, texts))
