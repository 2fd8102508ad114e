"""The compiled walk over all sets: the same values as plain counting, in whichever way and order it counts."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.counting.classes import ClassTable, walk
from anonlib.counting.classes.walk import Walk

SEEDS = st.integers(0, 2**31)
ATTRIBUTES = st.lists(st.sampled_from([1, 2, 3, 5, 30]), min_size=1, max_size=5)


def made_up(domains: list[int], rows: int, seed: int, largest_count: int = 3) -> ClassTable:
    """Distinct rows of made-up codes with counts; some values are never used."""
    rng = np.random.default_rng(seed)
    codes = np.column_stack([(size * rng.random(rows) ** 2).astype(np.int32) for size in domains])
    codes = np.unique(codes, axis=0)
    categories = tuple(np.array([str(value) for value in range(size)], dtype=object) for size in domains)
    names = tuple(f"v{j}" for j in range(len(domains)))
    return ClassTable(names, categories, codes, rng.integers(1, largest_count + 1, len(codes)))


def plainly(classes: ClassTable, sensitive: list[int], sizes: range, share: bool) -> np.ndarray:
    """Sizes x sensitive x classes: by counting each set with a dictionary."""
    rows = [tuple(row) for row in classes.codes.tolist()]
    found = np.full((len(sizes), len(sensitive), len(rows)), np.inf)

    def sums(members: tuple[int, ...]) -> list[int]:
        total: Counter[tuple] = Counter()
        for row, count in zip(rows, classes.counts.tolist(), strict=True):
            total[tuple(row[j] for j in members)] += count
        return [total[tuple(row[j] for j in members)] for row in rows]

    for place, s in enumerate(sensitive):
        others = [j for j in range(len(classes.attributes)) if j != s]
        for i, size in enumerate(sizes):
            for known in combinations(others, size):
                values = [(peers - same) / (peers if share else 1)
                          for peers, same in zip(sums(known), sums((*known, s)), strict=True)]  # fmt: skip
                found[i, place] = np.minimum(found[i, place], values)
    return found


@given(
    ATTRIBUTES, st.integers(0, 40), st.integers(0, 2**31), st.booleans(), st.booleans(), st.integers(1, 4), st.data()
)
def test_it_is_the_least_over_every_set(domains, rows, seed, share, nothing_too, most, data):
    classes = made_up(domains, rows, seed)
    n = len(domains)
    sensitive = data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=n, unique=True))
    least_known, most_known = 0 if nothing_too or n == 1 else 1, min(most, n - 1)
    chosen = np.flatnonzero(
        np.random.default_rng(seed).random(classes.n_classes) < data.draw(st.sampled_from([1.0, 0.5]))
    )
    walk = Walk.of(classes, tuple(sensitive), least_known, most_known)
    found = walk.least(chosen, share)
    expected = plainly(classes, sensitive, range(least_known, most_known + 1), share)[:, :, chosen]
    np.testing.assert_array_equal(found, expected)
    assert walk.bytes_each > 0


@pytest.fixture(params=[10**9, 0], ids=["one thread", "several"])
def threads(request, monkeypatch) -> None:
    monkeypatch.setattr(walk, "ALONE", request.param)
    monkeypatch.setattr(walk, "n_threads", lambda: 3)


@pytest.mark.parametrize(
    "largest_count", [3, 2**20, 2**33], ids=["few", "more than float64 multiplies", "past 32 bits"]
)
@pytest.mark.parametrize("share", [True, False])
def test_every_way_of_counting_comes_to_the_same(threads, monkeypatch, largest_count, share):
    """A place for each combination or numbers for those that occur, the largest sets at once or in parts."""
    classes = made_up([2, 3, 4, 60, 70, 90], 300, 5, largest_count)
    expected = plainly(classes, [0, 5, 3], range(1, 4), share)
    chosen = np.arange(classes.n_classes)
    for places, at_once in ((0, 10**9), (8, 0), (8, 20_000)):
        monkeypatch.setattr(walk, "_PLACES", places)
        monkeypatch.setattr(walk, "_AT_ONCE", at_once)
        found = Walk.of(classes, (0, 5, 3), 1, 3).least(chosen, share)
        np.testing.assert_array_equal(found, expected)


def test_it_tells_how_far_it_is_and_can_be_stopped(threads):
    classes = made_up([3, 4, 5, 6], 60, 1)
    walk, chosen, reports = Walk.of(classes, (0, 1, 2, 3), 1, 3), np.arange(classes.n_classes), []
    whole = walk.least(chosen, True, reports.append)
    assert reports == sorted(reports) and reports[-1] == 1

    class Stopped(Exception):
        pass

    def stop(done: float) -> None:
        if done > 0.4:
            raise Stopped

    with pytest.raises(Stopped):
        walk.least(chosen, True, stop)
    np.testing.assert_array_equal(walk.least(chosen, True), whole)
