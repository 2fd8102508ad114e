"""The same records in memory and in an engine, and their rows whatever their order."""

from __future__ import annotations

from collections import Counter

import ibis
import pandas as pd
import pyarrow as pa
from hypothesis import strategies as st

from anonlib.records import FrameRecords, Records, TableRecords
from anonlib.values import text_categorical

TEXTS = ("a", "A", "a ", " a", "é", "e\u0301", "10", "9", "02138", "0", "0.0", "NULL", "a || b", "x|y", "'", '"', "ß")
"""Texts that engines and programs take for one another."""


def both(columns: dict[str, list[str | None]]) -> tuple[FrameRecords, TableRecords]:
    """The same cells as a frame and as a table of DuckDB."""
    frame = pd.DataFrame({name: text_categorical(cells) for name, cells in columns.items()})
    table = pa.table({name: pa.array(cells, pa.string()) for name, cells in columns.items()})
    return FrameRecords(frame), TableRecords(ibis.memtable(table))


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
