"""The classes of one table among those of another."""

from __future__ import annotations

from collections import Counter

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from anonlib.counting.classes import ClassTable, counts_in
from tests.helpers.errors import refused

VALUES = st.sampled_from(["x", "y", "z", "1", "01", None])


def table(rows: list[tuple], names: str) -> ClassTable:
    frame = pd.DataFrame({name: pd.Series([row[j] for row in rows], dtype=object) for j, name in enumerate(names)})
    return ClassTable.from_frame(frame, list(names))


@given(st.lists(st.tuples(VALUES, VALUES), max_size=12), st.lists(st.tuples(VALUES, VALUES, VALUES), max_size=15))
def test_counts_are_those_of_the_rows_with_the_same_values(ours: list[tuple], theirs: list[tuple]) -> None:
    classes, other = table(ours, "ab"), table(theirs, "bca")  # other order, one more attribute
    expected = Counter((a, b) for b, _, a in theirs)
    found = counts_in(classes, other)
    assert found.dtype == "int64" and len(found) == classes.n_classes
    for i, count in enumerate(found.tolist()):
        assert count == expected[classes.column("a")[i], classes.column("b")[i]]


def test_weights_count_and_no_attributes_are_one_class() -> None:
    frame = pd.DataFrame({"a": ["x", "y", "x"], "n": [2, 5, 2**40]})
    other = ClassTable.from_frame(frame, ["a"], weights="n")
    assert counts_in(table([("x",), ("q",)], "a"), other).tolist() == [0, 2**40 + 2]
    assert counts_in(ClassTable.from_frame(frame, []), other).tolist() == [2**40 + 7]


def test_an_attribute_that_the_other_lacks_is_named() -> None:
    with refused("column-unknown", "b"):
        counts_in(table([("x", "y")], "ab"), table([("x",)], "a"))
