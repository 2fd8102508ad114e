"""A value that everybody in a class has in some row, against looking at each person."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from anonlib.counting.classes.persons.sets import ValueSet
from anonlib.counting.guarantees.everybody import everybody_has_one, values_in_sets
from tests.helpers.examples import settings

CATEGORIES = ["u", "v", ValueSet.of(["u", "v"], " | "), ValueSet.of(["v", "w"], " | "), None]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(0, 2)), max_size=12))
@settings(max_examples=200)
def test_a_value_that_everybody_has_is_found(rows):
    held = values_in_sets(np.array(CATEGORIES, dtype=object))
    assert held is not None
    ids, category, counts = (np.array([row[j] for row in rows], dtype=np.intp) for j in range(3))
    expected = []
    for number in range(4):
        own = [CATEGORIES[row[1]] for row in rows if row[0] == number and row[2]]
        sets = [set(value.members) if isinstance(value, ValueSet) else {value} - {None} for value in own]
        expected.append(bool(sets) and bool(set.intersection(*sets)))
    assert everybody_has_one(ids, 4, category, counts, held).tolist() == expected


def test_without_sets_there_is_nothing_to_look_at():
    assert values_in_sets(np.array(["u", None], dtype=object)) is None
