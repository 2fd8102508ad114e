"""The order and the columns of the individuals' heatmap, against going through the individuals one by one."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor, isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.individuals.heatmap import COLUMNS, HeatmapColumns, certainty_order, heatmap_columns, row_at

EIGHTHS = st.integers(0, 8).map(lambda eighths: eighths / 8)  # sums of them are exact
PEERS = st.sampled_from([0.0, 1.0, 2.0, 7.0, 20.0, 31_000.0])
Table = tuple[np.ndarray, np.ndarray, np.ndarray]  # values and certain (rows x variables), counts


@st.composite
def tables(draw: st.DrawFn, most_rows: int = 9, most_alike: int = 6) -> Table:
    """Rows of individuals; a variable may be not defined for anyone, and is then certain of nobody."""
    n, variables = draw(st.integers(1, most_rows)), draw(st.integers(1, 4))
    values, certain = np.empty((n, variables)), np.zeros((n, variables), dtype=bool)
    for j in range(variables):
        kind = draw(st.sampled_from([EIGHTHS, EIGHTHS, PEERS, st.just(np.nan)]))
        values[:, j] = draw(st.lists(kind, min_size=n, max_size=n))
        if not np.isnan(values[:, j]).any():
            certain[:, j] = draw(st.lists(st.booleans(), min_size=n, max_size=n))
    counts = draw(st.lists(st.integers(1, most_alike), min_size=n, max_size=n))
    return values, certain, np.array(counts, dtype=np.int64)


@st.composite
def ordered_tables(draw: st.DrawFn) -> tuple[Table, np.ndarray]:
    table = draw(tables())
    return table, np.array(draw(st.permutations(range(len(table[2])))))


# ---- one by one ------------------------------------------------------------------------------------------------------


def everyone(counts: Sequence[int], order: Sequence[int]) -> list[int]:
    """The row of each individual, in the order."""
    return [int(row) for row in order for _ in range(counts[row])]


def mean_of(values: Sequence[float], low: Fraction, high: Fraction) -> float:
    """The mean between two places; individual i is from i to i + 1."""
    total = Fraction(0)
    for i, value in enumerate(values):
        part = min(high, Fraction(i + 1)) - max(low, Fraction(i))
        if part > 0:
            if isnan(value):
                return float("nan")
            total += part * Fraction(value)
    return float(total / (high - low))


def edges_of(start: int, stop: int, columns: int) -> list[Fraction]:
    n = min(columns, stop - start)
    return [start + Fraction(stop - start, n) * i for i in range(n + 1)]


def touched(low: Fraction, high: Fraction) -> range:
    """The individuals who are at least in part between two places."""
    return range(floor(low), ceil(high))


def check_columns(found: HeatmapColumns, table: Table, order: np.ndarray, start: int, stop: int, columns: int) -> None:
    values, certain, counts = table
    people = everyone(counts.tolist(), order.tolist())
    edges = edges_of(start, stop, columns)
    assert (found.start, found.stop) == (start, stop)
    assert found.width == pytest.approx(float(edges[1] - edges[0]))
    assert found.mean.dtype == np.float32 and found.certain.dtype == bool
    assert found.mean.shape == found.certain.shape == (values.shape[1], len(edges) - 1)
    for j in range(values.shape[1]):
        one = [float(values[row, j]) for row in people]
        means = [mean_of(one, *ends) for ends in pairwise(edges)]
        np.testing.assert_allclose(found.mean[j], np.array(means, np.float32), rtol=2e-6, atol=1e-7 * max(1, *one))
        red = [any(certain[people[i], j] for i in touched(*ends)) for ends in pairwise(edges)]
        assert found.certain[j].tolist() == red


# ---- columns ---------------------------------------------------------------------------------------------------------


@given(ordered_tables(), st.data())
def test_columns_are_the_mean_and_any_certain_of_those_drawn_in_them(drawn, data):
    table, order = drawn
    n = int(table[2].sum())
    start = data.draw(st.integers(0, n - 1))
    stop = data.draw(st.integers(start + 1, n))
    columns = data.draw(st.integers(1, 60))
    found = heatmap_columns(*table, order, start, stop, columns)
    check_columns(found, table, order, start, stop, columns)


@given(ordered_tables())
def test_left_out_a_range_is_everyone_and_one_beyond_the_last_ends_there(drawn):
    """Also of one column, and of one an individual."""
    table, order = drawn
    n = int(table[2].sum())
    for columns in (COLUMNS, 1, n):
        check_columns(heatmap_columns(*table, order, columns=columns), table, order, 0, n, columns)
    check_columns(heatmap_columns(*table, order, -3, n + 5, 4), table, order, 0, n, 4)
    check_columns(heatmap_columns(*table, order, n + 5, n + 9), table, order, n - 1, n, COLUMNS)


@pytest.mark.parametrize(("n", "columns"), [(4_600, 900), (30_162, 900), (396, 46), (901, 900), (900, 900), (7, 900)])
def test_no_column_is_red_for_its_neighbour(n, columns):
    """Where an edge falls between two individuals, who begins there is in the column after it alone."""
    rng = np.random.default_rng(7)
    order = rng.permutation(n)
    edges = edges_of(0, n, columns)
    begin = [int(edge) for edge in edges[:-1] if edge.denominator == 1]
    for places in (begin, [place - 1 for place in begin if place], rng.choice(n, n // 10 + 1, replace=False).tolist()):
        certain = np.zeros((n, 1), dtype=bool)
        certain[order[places]] = True
        found = heatmap_columns(np.ones((n, 1)), certain, np.ones(n, np.int64), order, columns=columns)
        there = np.zeros(n, dtype=bool)
        there[places] = True
        red = np.array([there[list(touched(*ends))].any() for ends in pairwise(edges)])
        assert np.flatnonzero(found.certain[0] != red).tolist() == []
        np.testing.assert_allclose(found.mean, 1, rtol=1e-6)


def test_one_certain_among_many_is_never_lost_in_the_mean():
    values, certain = np.ones((100_000, 1)), np.zeros((100_000, 1), dtype=bool)
    values[54_321], certain[54_321] = 0, True
    found = heatmap_columns(values, certain, np.ones(100_000, np.int64), np.arange(100_000))
    assert found.certain.shape == (1, COLUMNS) and found.certain.sum() == 1
    assert found.certain[0, 54_321 * COLUMNS // 100_000] and found.mean.min() > 0.99


def test_one_individual():
    found = heatmap_columns(np.array([[0.0, 0.25]]), np.array([[True, False]]), np.array([1]), np.array([0]))
    assert found.mean.tolist() == [[0], [0.25]] and found.certain.tolist() == [[True], [False]]
    assert (found.start, found.stop, found.width) == (0, 1, 1)
    assert row_at(np.array([1]), np.array([0]), 0) == 0


# ---- order -----------------------------------------------------------------------------------------------------------


def step(value: float, certain: bool, largest: float) -> int:
    """0 for what is certain, else 1 to 5: none, and quarters of the variable's largest value; not defined is 6."""
    if certain:
        return 0
    if isnan(value):
        return 6
    return 1 + ceil(4 * Fraction(value) / Fraction(largest)) if largest else 1


@given(tables(most_rows=14))
def test_the_order_is_a_permutation_with_the_riskiest_first(table):
    values, certain, _ = table
    order = certainty_order(values, certain)
    assert sorted(order.tolist()) == list(range(len(values)))
    largest = [max([0.0, *(v for v in column if not isnan(v))]) for column in values.T.tolist()]

    def key(row: int) -> tuple:
        own = values[row].tolist()
        steps = [step(v, bool(e), m) for v, e, m in zip(own, certain[row], largest, strict=True)]
        return *steps, sum(m if isnan(v) else v for v, m in zip(own, largest, strict=True))

    keys = [key(row) for row in order]
    assert keys == sorted(keys)


@given(ordered_tables())
def test_the_row_at_a_place_is_that_of_the_individual_who_stands_there(drawn):
    (_, _, counts), order = drawn
    people = everyone(counts.tolist(), order.tolist())
    assert [row_at(counts, order, place) for place in range(len(people))] == people
