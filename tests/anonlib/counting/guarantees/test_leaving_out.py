"""Whom to leave out so that guarantees hold: what is left holds, and where that can be said it is the most."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import tests.reference.guarantees as slow
from anonlib.counting.guarantees import (
    AttributeDisclosure,
    AverageRiskLimit,
    CodedRows,
    KAnonymity,
    least_to_go,
    left_after,
)
from anonlib.counting.guarantees.leaving_out import too_many_classes
from tests.helpers.examples import settings
from tests.reference.guarantees import table_of


def rows_left(rows: CodedRows, left: np.ndarray) -> tuple[list[slow.Row], list[int]]:
    """What is left as records with weights."""
    some = np.flatnonzero(left)
    values = {name: rows.labels[name][codes[some]] for name, codes in rows.codes.items()}
    return [{name: column[i] for name, column in values.items()} for i in range(len(some))], left[some].tolist()


# --- least numbers --------------------------------------------------------------------------------------------------


@settings(max_examples=300)
@given(st.integers(0, 60), st.integers(1, 60), st.floats(0, 1) | st.integers(0, 60).map(lambda part: part / 60))
def test_the_least_to_go_is_found_by_trying(violating, more, share):
    n = violating + more
    tried = next(x for x in range(violating + 1) if x == n or (violating - x) / (n - x) <= share)
    assert least_to_go(violating, n, share) == tried


@pytest.mark.parametrize("n", [100, 30_162, 10**9])
@pytest.mark.parametrize("percent", [1, 5, 7, 29, 33])
def test_a_share_that_is_just_met_takes_nobody(n, percent):
    exactly = Fraction(percent, 100) * n
    if exactly.denominator == 1:
        assert least_to_go(int(exactly), n, percent / 100) == 0
    assert least_to_go(int(exactly) + 1, n, percent / 100) > 0


def test_the_limits_of_a_share():
    assert [least_to_go(*asked) for asked in ((7, 7, 0.0), (7, 7, 1.0), (7, 7, 0.5), (0, 0, 0.0))] == [7, 0, 7, 0]


@settings(max_examples=200)
@given(st.lists(st.integers(0, 6), max_size=6), st.sampled_from([0.0, 0.2, 0.25, 1 / 3, 0.5, 1.0]))
def test_the_smallest_classes_go_for_an_average(sizes, limit):
    """Against every set of classes: leaving out a part of a class leaves as many classes."""
    used = [size for size in sizes if size]
    tried = [
        sum(used) - sum(left)
        for chosen in range(2 ** len(used))
        for left in [[size for i, size in enumerate(used) if chosen >> i & 1]]
        if not left or len(left) / sum(left) <= limit
    ]
    assert too_many_classes(np.array(sizes, dtype=np.int64), limit) == min(tried)


# --- who is left ----------------------------------------------------------------------------------------------------


@settings(max_examples=400)
@given(st.data())
def test_what_is_left_holds(data):
    rows = data.draw(slow.rows())
    weights = data.draw(slow.weights(len(rows)))
    guarantees = data.draw(st.lists(slow.ANY, min_size=1, max_size=3))
    coded = CodedRows.of(table_of(rows, weights))
    worth = data.draw(
        st.none() | st.lists(st.sampled_from([0.0, 1 / 3, 1.0]), min_size=len(coded.counts), max_size=len(coded.counts))
    )
    divisible = data.draw(st.booleans())
    left = left_after(coded, guarantees, None if worth is None else np.array(worth), divisible=divisible)
    assert ((left >= 0) & (left <= coded.counts)).all()
    if not divisible:
        assert ((left == 0) | (left == coded.counts)).all(), "whole rows alone"
    assert slow.all_hold(*rows_left(coded, left), guarantees)
    gone = int((coded.counts - left).sum())
    for most in {gone, max(0, gone - 1)}:
        again = left_after(
            coded, guarantees, None if worth is None else np.array(worth), most=most, divisible=divisible
        )
        assert (again is None) == (most < gone)
        assert again is None or np.array_equal(again, left)
    if slow.all_hold(*rows_left(coded, coded.counts), guarantees):
        assert not gone, "nobody goes where all holds"


@settings(max_examples=200)
@given(st.data())
def test_no_larger_set_of_records_holds(data):
    """Everybody, and whoever violates goes on: what is left is the one largest set, of all sets of records."""
    rows = data.draw(slow.rows(least=3, most=7))
    guarantees = data.draw(st.lists(slow.STAYS_FOR_EVERYBODY, min_size=1, max_size=3))
    table = table_of(rows)
    left = left_after(CodedRows.of(table), guarantees)
    (largest,) = slow.most_that_can_stay(rows, guarantees)
    assert {i for i, place in enumerate(table.class_of_record.tolist()) if left[place]} == largest
    assert left.sum() == len(largest) == len(slow.left_without_violators(rows, [1] * len(rows), guarantees))


@settings(max_examples=100)
@given(st.data())
def test_one_share_alone_takes_the_fewest(data):
    """One guarantee that allows a share, or one average: as good as the best of every set of records."""
    rows = data.draw(slow.rows(least=3, most=7))
    guarantee = data.draw(slow.shared() | slow.not_certain(p=(0.0,)) | slow.AVERAGE)
    assume(isinstance(guarantee, AverageRiskLimit) or guarantee.known is None)
    left = left_after(CodedRows.of(table_of(rows)), [guarantee])
    assert left.sum() == len(slow.most_that_can_stay(rows, [guarantee])[0])


@settings(max_examples=100)
@given(st.data())
def test_the_order_of_records_changes_nothing(data):
    rows = data.draw(slow.rows(least=2))
    guarantees = data.draw(st.lists(slow.ANY, min_size=1, max_size=2))
    mixed = data.draw(st.permutations(rows))
    found = [
        rows_left(coded, left_after(coded, guarantees))
        for coded in (CodedRows.of(table_of(each)) for each in (rows, mixed))
    ]
    assert found[0] == found[1]


def test_the_least_worth_goes_first():
    """Two of four are alone and a quarter may be: one goes, of equal ones the first in the order of the rows."""
    rows = CodedRows.of(table_of([{"a": "x"}, {"a": "y"}, {"a": "z"}, {"a": "z"}]))
    alone = [KAnonymity(columns=("a",), least=2, share=1 / 3)]
    assert left_after(rows, alone).tolist() == [0, 1, 2]
    assert left_after(rows, alone, np.array([1.0, 0.5, 0.0])).tolist() == [1, 0, 2]


def test_who_violates_most_goes_first():
    rows = CodedRows.of(table_of([{"a": a, "b": b} for a, b in ("xp", "yq", "zq", "zq", "zq")]))
    shared = [KAnonymity(columns=("a",), least=2, share=0.25), KAnonymity(columns=("b",), least=2, share=0.25)]
    # x is alone in both columns and y in one; both are alone in a, which a fifth and a bit may be.
    assert left_after(rows, shared).tolist() == [0, 1, 3]


def test_rows_without_records_are_nobody():
    """A row of nobody violates nothing, and keeps nobody from being left out."""
    rows = CodedRows.of(table_of([{"a": "x"}, {"a": "y"}, {"a": "z"}, {"a": "z"}]))
    empty = CodedRows(rows.codes, rows.labels, np.array([0, 1, 2]))
    both = [KAnonymity(columns=("a",), least=1), KAnonymity(columns=("a",), least=2, share=0.1)]
    assert left_after(empty, both).tolist() == [0, 0, 2]


def test_part_of_a_row_may_go():
    rows = CodedRows({"a": np.array([0, 1])}, {"a": np.array(["x", "y"], dtype=object)}, np.array([3, 8]))
    few = [KAnonymity(columns=("a",), least=4, share=0.2)]
    assert left_after(rows, few).tolist() == [2, 8]
    assert left_after(rows, few, divisible=False).tolist() == [0, 8]


def test_a_likely_value_has_no_largest_part():
    """Two sets of records in each of which nobody's value is likelier than a half make one in which somebody's is."""
    rows = [{"a": "x", "s": "p"}, {"a": "x", "s": "q"}, {"a": "x", "s": "p"}]
    half = AttributeDisclosure(columns=("a",), sensitive="s", p=0.4)
    assert slow.most_that_can_stay(rows, [half]) == [{0, 1}, {1, 2}]
    assert not slow.holds(rows, [1, 1, 1], half)
