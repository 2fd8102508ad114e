"""Counting in the inner loop of a search against a dictionary."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.counting.classes.coding import tally

SPANS = st.one_of(st.integers(1, 4), st.sampled_from([1, 40, 2000, 2**20, 2**31, 2**40, 2**58]))


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[list[int]], list[int], list[int]]:
    """Columns of codes near either end of their spans, the spans, and the records of each row."""
    n = draw(st.integers(0, 12))
    spans = draw(st.lists(SPANS, max_size=5))
    columns = []
    for span in spans:
        near = st.integers(0, min(span - 1, 2))
        codes = draw(
            st.lists(st.one_of(near, near.map(lambda code, span=span: span - 1 - code)), min_size=n, max_size=n)
        )
        columns.append(codes)
    counts = draw(st.lists(st.sampled_from([0, 1, 2, 5, 2**53, 2**58 + 1]), min_size=n, max_size=n))
    return columns, spans, counts


def tallied(columns, spans, counts) -> tuple[np.ndarray, np.ndarray]:
    """The tally of what is given, which stays as it was."""
    arrays, records = [np.array(column, dtype=np.intp) for column in columns], np.array(counts, dtype=np.int64)
    found = tally(arrays, spans, records)
    assert [array.tolist() for array in arrays] == columns and records.tolist() == counts
    return found


@given(tables())
def test_against_a_dictionary(table):
    columns, spans, counts = table
    ids, sizes = tallied(columns, spans, counts)
    rows = list(zip(*columns, strict=True)) if columns else [()] * len(counts)
    expected: Counter = Counter()
    for row, count in zip(rows, counts, strict=True):
        expected[row] += count
    assert ids.shape == (len(rows),) and sizes.dtype == np.int64
    number = dict(zip(rows, ids.tolist(), strict=True))
    assert [number[row] for row in rows] == ids.tolist(), "equal rows have one number"
    assert len(set(number.values())) == len(number), "and different rows have different ones"
    assert {row: int(sizes[i]) for row, i in number.items()} == expected
    assert sizes.sum() == sum(counts) and len(sizes) <= 4 * len(rows) + 1024 + 1
    assert not sizes[np.setdiff1d(np.arange(len(sizes)), ids)].any()


@pytest.mark.parametrize(
    ("columns", "spans", "counts", "expected"),
    [
        ([], [], [], 0),
        ([], [], [3, 4], 7),  # everything is one class
        ([[]], [5], [], 0),
        ([[]], [0], [], 0),  # a column of no values
        ([[], []], [0, 3], [], 0),
    ],
)
def test_without_rows_or_columns(columns, spans, counts, expected):
    ids, sizes = tallied(columns, spans, counts)
    assert len(ids) == len(counts) and sizes.sum() == expected


def test_records_beyond_what_floats_tell_apart():
    """2^53 + 1 is no float."""
    _, sizes = tallied([[0, 0, 1]], [2], [2**53, 1, 2**53 + 3])
    assert sizes.tolist() == [2**53 + 1, 2**53 + 3]


def test_columns_whose_combinations_pass_64_bits():
    """Three columns of 2^31: numbers of 93 bits, of which 64 would be the same for different rows."""
    high = 2**31 - 1
    rows = [(0, 0, 0), (high, 0, 0), (0, high, 0), (0, 0, high), (2, 0, 0), (0, 0, 0), (high, high, high)]
    ids, sizes = tallied([list(column) for column in zip(*rows, strict=True)], [2**31] * 3, [1] * 7)
    assert len(set(ids.tolist())) == 6 and ids[0] == ids[5]
    assert sorted(sizes[sizes > 0].tolist()) == [1, 1, 1, 1, 1, 2]
