"""Figures that equal their limit meet it: against exact fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from anonlib.basics.thresholds import is_at_least, is_at_most, least_of, mean_risk, smallest_class
from tests.helpers.examples import settings

COUNTED = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 60)), min_size=1, max_size=30)


@settings(max_examples=200)
@given(COUNTED, st.randoms(use_true_random=False))
def test_a_mean_risk_is_the_float_nearest_to_it_in_any_order(pairs, rng):
    n = sum(count for count, _ in pairs)
    exact = sum((Fraction(count, size) for count, size in pairs), Fraction(0)) / n if n else Fraction(0)
    counts, sizes = np.array(pairs, dtype=np.int64).T
    assert mean_risk(counts, sizes) == float(exact)
    rng.shuffle(pairs)
    assert mean_risk(*np.array(pairs, dtype=np.int64).T) == float(exact)


def test_a_quarter_is_a_quarter():
    """Summed as floats in this order, it is .25000000000000006."""
    sizes = np.array([5, 5, 3, 5, 5, 4, 5, 3, 4, 4, 3, 4], dtype=np.int64)
    assert (1 / sizes).sum() / 12 > 0.25
    assert mean_risk(np.ones(12, dtype=np.int64), sizes) == 0.25


@settings(max_examples=200)
@given(st.integers(1, 10_000), st.data())
def test_the_fewest_that_are_a_share(n, data):
    part = data.draw(st.integers(0, n))
    assert least_of(part / n, n) == part
    share = data.draw(st.floats(0, 1))
    fewest = least_of(share, n)
    assert fewest / n >= share and (not fewest or (fewest - 1) / n < share)
    hundredths = data.draw(st.integers(0, 100))
    assert least_of(hundredths / 100, n) == -(-hundredths * n // 100)


@given(st.integers(1, 2_000_000))
def test_the_smallest_class_of_a_risk(size):
    assert smallest_class(1 / size) == size
    assert smallest_class(np.nextafter(1 / size, 0)) == size + 1


@given(st.lists(st.integers(1, 30), min_size=2, max_size=12))
def test_sums_of_floats_that_equal_a_limit_keep_to_it(parts):
    total = sum(parts)
    shares = [part / total for part in parts]
    assert is_at_most(sum(shares), 1) and is_at_least(sum(shares), 1)
    assert not is_at_most(sum(shares) + 1e-9, 1) and not is_at_least(sum(shares) - 1e-9, 1)
