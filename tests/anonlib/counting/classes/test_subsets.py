"""The walk over every subset of the attributes, against the class table's own projections."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.subsets import Subset, Subsets, n_subsets
from tests.reference.individuals import tables

SIZES = st.one_of(st.none(), st.integers(0, 5))


def class_table(table: tuple[list[str], list[tuple]], weights: list[int] | None = None) -> ClassTable:
    names, rows = table
    return ClassTable.from_frame(pd.DataFrame(rows, columns=names, dtype=object), weights=weights)


def names_of(classes: ClassTable, subset: Subset) -> list[str]:
    return [classes.attributes[j] for j in subset.members]


def check(classes: ClassTable, subset: Subset) -> None:
    """A subset against the projection on its attributes: the same classes, with the same numbers of records."""
    names = names_of(classes, subset)
    assert subset.mask == sum(1 << j for j in subset.members)
    assert len(subset.group) == classes.n_classes
    projected, place = classes.project(names), classes.membership(names)
    np.testing.assert_array_equal(subset.sizes[subset.group], projected.counts[place])
    pairs = set(zip(subset.group.tolist(), place.tolist(), strict=True))
    assert len(pairs) == len({group for group, _ in pairs}) == len({one for _, one in pairs}) == projected.n_classes
    unused = np.setdiff1d(np.arange(len(subset.sizes)), subset.group)
    assert (subset.sizes[unused] == 0).all() and subset.sizes.sum() == classes.n_records


@given(tables(columns=(1, 4), rows=(0, 12)), SIZES, st.data())
def test_every_subset_counts_what_the_projection_counts(table, max_size, data):
    n = len(table[1])
    classes = class_table(table, data.draw(st.none() | st.lists(st.integers(1, 1000), min_size=n, max_size=n)))
    for subset in Subsets(classes).walk(max_size):
        check(classes, subset)


@pytest.mark.parametrize("n", range(6))
@pytest.mark.parametrize("max_size", [None, 0, 1, 2, 3, 9])
def test_the_walk_visits_each_subset_once_ascending_and_after_its_own_subsets(n, max_size):
    classes = ClassTable.from_frame(pd.DataFrame({f"v{j}": ["a", "b"] for j in range(n)}, index=[0, 1]))
    masks = [subset.mask for subset in Subsets(classes).walk(max_size)]
    expected = [mask for mask in range(2**n) if max_size is None or mask.bit_count() <= max_size]
    assert masks == expected
    assert len(masks) == n_subsets(n, max_size)
    for place, mask in enumerate(masks):
        parts = [mask & ~(1 << j) for j in range(n) if mask >> j & 1]
        assert all(part in masks[:place] for part in parts)


def test_the_number_of_subsets_is_that_of_the_combinations():
    for n in range(8):
        for most in range(10):
            assert n_subsets(n, most) == sum(1 for size in range(most + 1) for _ in combinations(range(n), size))
        assert n_subsets(n) == 2**n
    assert n_subsets(12, 4) == 1 + 12 + 66 + 220 + 495


@given(tables(columns=(2, 4), rows=(1, 12)), st.permutations(range(4)))
def test_the_order_of_refining_does_not_matter(table, order):
    """By another path than the walk takes."""
    classes = class_table(table)
    walk = Subsets(classes)
    subset = walk.everyone()
    members = [j for j in order if j < len(classes.attributes)]
    for j in members:
        subset = walk.refine(subset, j)
    assert subset.members == tuple(members) and len(subset) == len(members)
    check(classes, subset)


def of_few_values() -> pd.DataFrame:
    return pd.DataFrame(np.random.default_rng(2).integers(0, 6, (200, 5)).astype(str), columns=list("abcde"))


def of_many_values() -> pd.DataFrame:
    """Hundreds of values a variable: far more keys are possible than there are rows, and they are hashed."""
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({name: rng.integers(0, 400, 500).astype(str) for name in "abcd"})
    return frame.assign(e=rng.choice(["x", "y"], 500))


def of_texts_that_collide_joined() -> pd.DataFrame:
    return pd.DataFrame([("a-b", "c"), ("a", "b-c")], columns=["u", "v"])


def of_a_key_for_every_row() -> pd.DataFrame:
    return pd.DataFrame({name: [f"{name}{i}" for i in range(3000)] for name in "abc"})


@pytest.mark.parametrize("frame", [of_few_values, of_many_values, of_texts_that_collide_joined, of_a_key_for_every_row])
def test_subsets_are_right_and_stay_as_they_are_while_the_walk_goes_on(frame):
    """Numbering keeps room of its own: no subset given out earlier may change with it."""
    classes = ClassTable.from_frame(frame())
    for subset in list(Subsets(classes).walk()):
        check(classes, subset)


@pytest.mark.parametrize("largest", [2**52, 2**53, 2**60])
def test_counts_beyond_what_a_float_holds_stay_exact(largest):
    weights = [largest + 1, largest, 3, largest - 1]
    rows = [("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")]
    classes = class_table((["u", "v"], rows), weights)
    for subset in Subsets(classes).walk():
        expected: Counter = Counter()
        for row, weight in zip(rows, weights, strict=True):
            expected[tuple(row[j] for j in sorted(subset.members))] += weight
        found = {
            tuple(classes.categories[j][classes.codes[i, j]] for j in sorted(subset.members)): int(
                subset.sizes[subset.group[i]]
            )
            for i in range(classes.n_classes)
        }
        assert found == dict(expected)


def test_a_table_of_nobody_has_subsets_of_nobody():
    classes = class_table((["u", "v"], []))
    walked = list(Subsets(classes).walk())
    assert [subset.mask for subset in walked] == [0, 1, 2, 3]
    assert all(len(subset.group) == 0 and subset.sizes.sum() == 0 for subset in walked)


def test_a_table_without_attributes_has_one_subset():
    classes = ClassTable.from_frame(pd.DataFrame({"u": ["a", "b"]}), [])
    (everyone,) = Subsets(classes).walk()
    assert everyone.members == () and everyone.sizes.tolist() == [2]
