"""The same records in memory and in an engine, and their rows whatever their order."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields, is_dataclass
from hashlib import sha256
from typing import Any

import ibis
import numpy as np
import pandas as pd
import pyarrow as pa
from hypothesis import strategies as st

from anonlib.dataset import Dataset
from anonlib.reading.connected import Offered, OpenedTable
from anonlib.reading.records import FrameRecords, Records, TableRecords
from anonlib.reading.sources import open_source
from anonlib.values.cells import text_categorical
from tests.helpers.engines import Engine

TEXTS = ("a", "A", "a ", " a", "é", "e\u0301", "10", "9", "02138", "0", "0.0", "NULL", "a || b", "x|y", "'", '"', "ß")
"""Texts that engines and programs take for one another."""

DUCKDB = Engine("duckdb", None)
"""The engine of files, for what is tried in one alone; it makes tables without a connection."""


def both(engine: Engine, columns: dict[str, list[str | None]]) -> tuple[FrameRecords, TableRecords]:
    """The same cells as a frame and as a table of an engine."""
    return in_memory(columns), TableRecords(engine.table(columns))


def in_memory(columns: dict[str, list[str | None]]) -> FrameRecords:
    return FrameRecords(pd.DataFrame({name: text_categorical(cells) for name, cells in columns.items()}))


def rows_of(records: Records) -> Counter[tuple[str | None, ...]]:
    """Every record as a tuple of its cells, and how often it is there."""
    frame = records.head(1_000_000)
    cells = [[None if pd.isna(cell) else cell for cell in frame[name]] for name in records.columns]
    return Counter(zip(*cells, strict=True))


@st.composite
def columns_of_cells(draw: st.DrawFn, n_most: int = 12) -> dict[str, list[str | None]]:
    """Two columns of odd texts, some missing, one of persons' ids and one of weights."""
    n = draw(st.integers(1, n_most))
    odd = draw(st.lists(st.sampled_from(TEXTS), min_size=1, max_size=4, unique=True))

    def cells(values: list[str | None]) -> list[str | None]:
        return draw(st.lists(st.sampled_from(values), min_size=n, max_size=n))

    return {
        "x": cells([None, *odd]),
        "Size of it": cells([None, "1", "2", "10"]),
        "id": cells([None, "p", "q", "r"]),
        "w": cells(["0", "1", "3"]),
    }


_APART = {"class_of_record", "seconds"}


def both_data_sets(columns: dict[str, list[str | None]], **how: Any) -> tuple[Dataset, Dataset]:
    """The same people as data sets in memory and in DuckDB."""
    here, there = both(DUCKDB, columns)
    digest = Dataset.from_frame(here.frame).digest
    return Dataset("people", digest, here, **how), Dataset("people", digest, there, **how)


def alike(one: Any, other: Any, within: float = 0.0, place: str = "") -> None:
    """Assert that two results are the same, part by part, but for the time taken and the classes of records.

    Numbers may differ by ``within``; ``place`` says where in the result the two are.
    """
    assert type(one) is type(other), f"{place}: {type(one)} and {type(other)}"
    if isinstance(one, np.ndarray):
        if one.dtype.kind == "f":
            np.testing.assert_allclose(one, other, rtol=0, atol=within, err_msg=place)
        else:
            np.testing.assert_array_equal(one, other, err_msg=place)
    elif isinstance(one, pd.DataFrame):
        pd.testing.assert_frame_equal(one, other)
    elif is_dataclass(one) and not isinstance(one, Dataset):
        for name in (field.name for field in fields(one) if field.name not in _APART):
            alike(getattr(one, name), getattr(other, name), within, f"{place}.{name}")
    elif isinstance(one, list | tuple):
        assert len(one) == len(other), place
        for i, (mine, others) in enumerate(zip(one, other, strict=True)):
            alike(mine, others, within, f"{place}[{i}]")
    elif isinstance(one, dict):
        alike(list(one.items()), list(other.items()), within, place)
    elif isinstance(one, float):
        assert abs(one - other) <= within or one == other or (one != one and other != other), f"{place}: {one}, {other}"
    else:
        assert one == other, f"{place}: {one!r} and {other!r}"


@dataclass(frozen=True)
class InDuckDB(Offered):
    """The records of a file as a table of DuckDB."""

    data: bytes

    def open(self) -> OpenedTable:
        frame = open_source(self.data, self.name).frame.astype(object)
        columns = {each: pa.array(frame[each], pa.string(), from_pandas=True) for each in frame.columns}
        return OpenedTable(ibis.memtable(pa.table(columns)), sha256(b"table" + self.data).hexdigest())
