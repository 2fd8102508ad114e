"""Moving few people: exact against all schedules where that can be enumerated, and never worse than claimed."""

from __future__ import annotations

import importlib
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from anonlib.analyses.schedules import Zones, few_moves
from anonlib.analyses.schedules.schedule import schedule_of
from anonlib.counting.classes import anonymity_vector
from tests.helpers.errors import refused
from tests.helpers.examples import settings

module = importlib.import_module("anonlib.analyses.schedules.few_moves")
TABLE_3 = [[1, 1, 0, 0, 2], [1, 0, 1, 2, 0], [1, 1, 2, 1, 0], [1, 0, 1, 0, 0]]
PLACES = [4, 2, 4, 3, 2]


def there(cells: object):
    return schedule_of("existing", sparse.csr_array(np.array(cells, dtype=np.int64)), 0.0)


def all_schedules(cells: list[list[int]], places: list[int]) -> list[np.ndarray]:
    """Every schedule of the same people, one value after the other."""

    def rows(people: int, free: tuple[int, ...]) -> list[tuple[int, ...]]:
        return [row for row in product(*(range(min(people, n) + 1) for n in free)) if sum(row) == people]

    schedules = [np.zeros((0, len(places)), np.int64)]
    for values in cells:
        schedules = [
            np.vstack([begun, row])
            for begun in schedules
            for row in rows(sum(values), tuple((np.array(places) - begun.sum(axis=0)).tolist()))
        ]
    return schedules


def first_counts(cells: np.ndarray, k: int) -> tuple[int, ...]:
    """The vector up to size k - 1."""
    return tuple(np.bincount(cells.ravel(), minlength=k)[1:k].tolist())


def least_by_moves(cells: list[list[int]], schedules: list[np.ndarray], k: int) -> dict[int, tuple[int, ...]]:
    """For each number of people who move, the smallest vector below k."""
    best: dict[int, tuple[int, ...]] = {}
    before = np.array(cells)
    for schedule in schedules:
        moved = int(np.maximum(before - schedule, 0).sum())
        counts = first_counts(schedule, k)
        best[moved] = min(best.get(moved, counts), counts)
    up_to = {}
    for moves in range(before.sum() + 1):
        up_to[moves] = min(counts for moved, counts in best.items() if moved <= moves)
    return up_to


@pytest.fixture(scope="module")
def every_schedule() -> list[np.ndarray]:
    """All schedules of the running example."""
    schedules = all_schedules(TABLE_3, PLACES)
    assert len(schedules) == 14_504
    return schedules


@pytest.mark.parametrize("k", [2, 5])
def test_table_3_is_solved_as_all_14504_schedules_say(k, every_schedule):
    moves = few_moves(there(TABLE_3), np.array(PLACES), k)
    least = least_by_moves(TABLE_3, every_schedule, k)
    assert moves.proven and moves.ended
    for people, counts in least.items():
        schedule = moves.at(people)
        assert first_counts(schedule.assignment.toarray(), k) == counts, people
        assert np.maximum(np.array(TABLE_3) - schedule.assignment.toarray(), 0).sum() <= people
    if k == 5:
        printed = {int(n): moves.at(int(n)).vector.printed() for n in moves.moved}
        assert printed[0] == "(9,3)" and printed[6] == "(0,6,1)" and printed[11] == "(0,2,1,2)"
        assert moves.alone[moves.moved.tolist().index(6)] == 0, "six people have to move to leave nobody alone"


@settings(40, deadline=None)
@given(st.data())
def test_small_ones_are_solved_and_the_search_for_large_ones_never_claims_more(data: st.DataObject):
    shape = data.draw(st.sampled_from([(2, 2), (2, 3), (3, 2), (3, 3)]))
    cells = data.draw(
        st.lists(
            st.lists(st.integers(0, 2), min_size=shape[1], max_size=shape[1]), min_size=shape[0], max_size=shape[0]
        )
    )
    places = [sum(column) + data.draw(st.integers(0, 1)) for column in zip(*cells, strict=True)]
    k = data.draw(st.integers(2, 4))
    least = least_by_moves(cells, all_schedules(cells, places), k)
    solved = few_moves(there(cells), np.array(places), k)
    found_most = module._MOST_CELLS
    try:
        module._MOST_CELLS = 0
        searched = few_moves(there(cells), np.array(places), k)
    finally:
        module._MOST_CELLS = found_most
    assert solved.proven and not searched.proven
    for people, counts in least.items():
        assert first_counts(solved.at(people).assignment.toarray(), k) == counts
        assert first_counts(searched.at(people).assignment.toarray(), k) >= counts
    for moves in (solved, searched):
        check(moves, cells, places, k)


def check(moves, cells, places, k) -> None:
    """What is claimed of each step is so of its schedule, and each is better than the one before."""
    before = np.array(cells)
    assert (np.diff(moves.moved) > 0).all() and moves.moved[0] == 0
    counts = []
    for moved, alone, below in zip(moves.moved.tolist(), moves.alone.tolist(), moves.below.tolist(), strict=True):
        after = moves.at(moved).assignment.toarray()
        assert (after >= 0).all() and (after.sum(axis=0) <= places).all()
        assert np.array_equal(after.sum(axis=1), before.sum(axis=1))
        assert np.maximum(before - after, 0).sum() == moved
        sizes = after[after > 0]
        assert alone == (sizes == 1).sum() and below == sizes[sizes < k].sum()
        counts.append(first_counts(after, k))
    assert counts == sorted(set(counts), reverse=True)


def test_nobody_leaves_their_zone():
    cells = np.array([[1, 1, 0, 0], [0, 0, 1, 1], [2, 1, 0, 0], [0, 0, 1, 2]])
    zones = Zones.of(["x", "y", "x", "y"], ["x", "x", "y", "y"])
    for most in (60, 0):
        module_most, module._MOST_CELLS = module._MOST_CELLS, most
        try:
            moves = few_moves(there(cells), np.array([4, 3, 3, 4]), 3, zones)
        finally:
            module._MOST_CELLS = module_most
        after = moves.at(100).assignment.toarray()
        assert after[[0, 2]][:, 2:].sum() == after[[1, 3]][:, :2].sum() == 0
        check(moves, cells.tolist(), [4, 3, 3, 4], 3)
    assert anonymity_vector(after.ravel()) < anonymity_vector(cells.ravel())


def test_what_cannot_be_is_a_sentence():
    with refused("slots-too-few"):
        few_moves(there([[2, 1]]), np.array([1, 3]), 2)
    with refused("number-out-of-range"):
        few_moves(there([[2, 1]]), np.array([2, 1]), 1)
