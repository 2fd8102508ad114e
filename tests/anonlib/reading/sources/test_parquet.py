"""What Parquet stores as dates, times and text: all that it can hold, and no two values taken for one."""

from __future__ import annotations

import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from anonlib.reading.sources import open_source
from tests.helpers.errors import refused


def stored_as(kind: pa.DataType, stored: list[int]) -> pa.Array:
    return pa.array(stored, pa.int32() if kind.bit_width == 32 else pa.int64()).cast(kind)


def opened(*values: pa.Array) -> tuple[list[list[str]], str]:
    """The texts of the columns of a Parquet file, and its notes."""
    out = io.BytesIO()
    pq.write_table(pa.table({f"column {i}": column for i, column in enumerate(values)}), out)
    source = open_source(out.getvalue(), "a.parquet")
    return [list(source.frame[name]) for name in source.frame], " ".join(source.reading.notes)


END_OF_9999 = 253_402_300_799  # its last second in UTC


@pytest.mark.parametrize(
    ("kind", "stored", "text"),
    [
        (pa.timestamp("us", "Europe/Oslo"), (END_OF_9999 + 1) * 10**6, "10000-01-01 00:00:00+00"),
        (pa.timestamp("us"), (END_OF_9999 + 1) * 10**6, "10000-01-01 00:00:00"),
        (pa.date32(), 3_000_000, "10183-09-21"),
        (pa.date32(), -800_000, "0222-09-04 (BC)"),
        (pa.time64("ns"), 86_400 * 10**9, "24:00:00"),
    ],
)
def test_dates_that_python_cannot_hold_are_text_and_the_others_stay_dates(kind, stored, text):
    (odd, usual), notes = opened(stored_as(kind, [0, stored]), stored_as(kind, [0, 1]))
    assert odd == [usual[0], text]
    assert "dates or times of column column 0 are not in the years" in notes and "column 1 are not" not in notes


def test_times_in_a_zone_that_is_not_known_are_written_in_utc():
    (texts,), notes = opened(stored_as(pa.timestamp("ms", "Mars/Phobos"), [0, 1000]))
    assert texts == ["1970-01-01 00:00:00+00", "1970-01-01 00:00:01+00"]
    assert "column 0 carry a time zone and are written in UTC" in notes


def test_parquet_text_that_is_not_utf8_is_refused():
    buffers = [None, pa.py_buffer(np.array([0, 2], np.int32)), pa.py_buffer(b"\xff\xfe")]
    with refused("file-damaged"):
        opened(pa.Array.from_buffers(pa.string(), 1, buffers))
