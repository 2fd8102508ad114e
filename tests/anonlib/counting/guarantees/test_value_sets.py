"""A value that everybody in a class has in some row, against looking at each person."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from anonlib.counting.classes.rows_of_persons import ValueSet
from anonlib.counting.guarantees import CodedRows, LDiversity
from anonlib.counting.guarantees.violating import violating_in
from tests.helpers.examples import settings

CATEGORIES = ["u", "v", ValueSet.of(["u", "v"], " | "), ValueSet.of(["v", "w"], " | "), None]


def rows_of(category: list[int], counts: list[int], categories=CATEGORIES) -> CodedRows:
    labels = {"s": np.array(categories, dtype=object)}
    return CodedRows({"s": np.array(category, dtype=np.intp)}, labels, np.array(counts, dtype=np.int64))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(0, 2)), max_size=12))
@settings(max_examples=200)
def test_a_class_is_not_diverse_where_everybody_has_a_value(rows):
    ids, category, counts = ([row[j] for row in rows] for j in range(3))
    bad = set()
    for number in range(4):
        own = [CATEGORIES[row[1]] for row in rows if row[0] == number and row[2]]
        sets = [set(value.members) if isinstance(value, ValueSet) else {value} - {None} for value in own]
        if own and (len({str(value) for value in own}) < 2 or set.intersection(*sets)):
            bad.add(number)
    sizes = np.array([sum(row[2] for row in rows if row[0] == number) for number in range(4)])
    groups = (np.array(ids, dtype=np.intp), sizes)
    found = violating_in(rows_of(category, counts), LDiversity(columns=(), sensitive="s", l=2), groups)
    assert [bool(each) for each, (_, _, count) in zip(found, rows, strict=True) if count] == [
        number in bad for number, _, count in rows if count
    ]


def test_without_sets_there_is_nothing_to_look_at():
    assert rows_of([0, 1], [1, 1], ["u", None]).held_in_sets("s") is None
