"""Balanced density: its invariants on anything, its rules by hand, and the odd inputs."""

from __future__ import annotations

from itertools import chain, pairwise
from math import floor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.regions import balanced_cells, balanced_density_sites, voronoi_regions
from anonlib.basics.errors import InputError
from tests.reference.regions import classes_at, province

ONE_ROW = np.array([[float(x), 0.0] for x in range(6)])


def cells_of(points, population, n_sites) -> list[list[int]]:
    found = balanced_cells(np.asarray(points, dtype=float), np.asarray(population), n_sites)
    return [sorted(cell.tolist()) for cell in found]


@st.composite
def places(draw):
    """Few coordinates, so that many areas share one; areas where nobody lives, and one larger than all others."""
    n = draw(st.integers(1, 25))
    xy = draw(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=n, max_size=n))
    people = draw(st.lists(st.sampled_from([0, 0, 1, 5, 600, 9_000]), min_size=n, max_size=n).filter(any))
    return np.array(xy, dtype=float), np.array(people), draw(st.integers(1, n))


@given(places())
def test_every_area_is_in_one_cell_and_there_are_as_many_cells_as_asked(case):
    points, population, n_sites = case
    cells = cells_of(points, population, n_sites)
    assert len(cells) == n_sites and all(cells)
    assert sorted(chain.from_iterable(cells)) == list(range(len(points)))
    sites = balanced_density_sites(points, population, n_sites)
    assert np.array_equal(sites, [np.median(points[cell], axis=0) for cell in cells])  # Equations 12 and 13


@given(places(), st.randoms())
def test_the_order_of_the_areas_changes_nothing(case, random):
    points, population, n_sites = case
    points = points + np.arange(len(points))[:, None] * 1e-3  # no two at one place: else which comes first is open
    order = list(range(len(points)))
    random.shuffle(order)
    sites = balanced_density_sites(points, population, n_sites)
    assert np.array_equal(sites, balanced_density_sites(points[order], population[order], n_sites))


@given(places())
def test_cells_of_a_row_lie_west_to_east_and_rows_south_to_north(case):
    """The rows are not told, but the cells come in their order: a cell begins east of the last one, or a new row."""
    points, population, n_sites = case
    cells = cells_of(points, population, n_sites)
    for one, other in pairwise(cells):
        east = points[one, 0].max() <= points[other, 0].min()
        north = points[one, 1].max() <= points[other, 1].min()
        assert east or north


def test_cells_have_about_the_same_population():
    """Four hundred to seven hundred people an area, nine areas a cell: no cell is half or double the ideal."""
    areas = province(900, (2,), seed=1)
    people = areas.population
    sizes = np.array([people[cell].sum() for cell in cells_of(areas.areas.points, people, 100)])
    assert sizes.min() > 0.5 * people.sum() / 100 and sizes.max() < 2 * people.sum() / 100


def test_the_area_that_crosses_the_ideal_is_in_when_that_is_at_least_as_close():
    """Equation 9: two cells of 15 ideally; 10 + 10 is as close as 10, and 10 + 11 is not."""
    assert cells_of(ONE_ROW[:3], [10, 10, 10], 2) == [[0, 1], [2]]
    assert cells_of(ONE_ROW[:3], [10, 11, 9], 2) == [[0], [1, 2]]


def test_the_number_of_rows_is_the_rounded_root():
    """Equation 7: the root of 2 is 1.41, one row; of 3 it is 1.73, two."""
    square = np.array([[x, y] for y in range(6) for x in range(6)], dtype=float)
    everybody = np.ones(36, dtype=int)
    assert [len({square[i, 1] for i in cell}) for cell in cells_of(square, everybody, 2)] == [6, 6]
    assert [len({square[i, 1] for i in cell}) for cell in cells_of(square, everybody, 3)] == [3, 3, 3]


def test_the_ideal_of_a_row_is_rounded_half_up_and_not_to_even():
    """Equation 8: 5 people in two rows are 3 a row, where Python's round says 2."""
    areas = np.array([[x, y] for y in range(5) for x in (0, 1)], dtype=float)
    assert round(5 / 2) == 2
    assert cells_of(areas, [1, 0] * 5, 3)[-1] == [5, 6, 7, 8, 9]


def test_what_is_left_for_less_than_half_a_row_joins_the_last_row():
    """Of 100, in rows of 50: after 41 and 45 the 14 left are the second row's western end; after 35 and 38 the 27 left
    are a row of their own."""
    areas = np.array([[0, 0], [5, 1], [6, 1], [0, 2]], dtype=float)
    assert cells_of(areas, [41, 22, 23, 14], 3) == [[0], [1, 3], [2]]
    areas[2] = [0, 1.5]
    assert cells_of(areas, [35, 38, 0, 27], 3) == [[0], [1, 2], [3]]


def test_rounded_shares_of_rows_need_not_add_up():
    """Equations 10 and 11: two rows with half the people each have 1.5 of three cells, rounded 2 and 2."""
    areas = np.array([[x, y] for y in range(2) for x in range(4)], dtype=float)
    assert 2 * floor(0.5 * 3 + 0.5) == 4
    assert sorted(len(cell) for cell in cells_of(areas, [1] * 8, 3)) == [2, 2, 4]


def test_a_row_with_fewer_areas_than_its_share_of_cells():
    """One area holds nearly everyone: its row has one cell, and the others are made of the rest."""
    points = np.array([[0, 0], [0, 1], [1, 1], [2, 1], [3, 1], [4, 1]], dtype=float)
    assert cells_of(points, [9_000, 1, 1, 1, 1, 1], 5)[0] == [0]
    assert len(cells_of(points, [9_000, 1, 1, 1, 1, 1], 5)) == 5


def test_where_nobody_is_left_the_largest_cells_are_halved():
    assert cells_of(ONE_ROW, [0, 0, 0, 0, 0, 8], 6) == [[0], [1], [2], [3], [4], [5]]
    assert cells_of(ONE_ROW, [4, 4, 0, 0, 0, 0], 3) == [[0], [1], [2, 3, 4, 5]]
    two_rows = np.array([[x, y] for y in range(2) for x in range(5)], dtype=float)
    assert cells_of(two_rows, [1, 1, 1, 1, 12] * 2, 6) == [[0, 1], [2, 3], [4], [5, 6], [7, 8], [9]]


def test_areas_with_nobody_belong_to_cells_and_to_regions():
    areas = classes_at(ONE_ROW, [[1], [1], [0], [0], [1], [1]], [5, 0, 0, 0, 0, 5])
    made = voronoi_regions(areas, balanced_density_sites(ONE_ROW, areas.population, 2), 1)
    assert made.areas_of_region.sum() == 6 and made.population.tolist() == [5, 5]


def test_all_sites_and_one_site():
    assert cells_of(ONE_ROW, [1] * 6, 6) == [[i] for i in range(6)]
    assert balanced_density_sites(ONE_ROW, np.ones(6, dtype=int), 1).tolist() == [[2.5, 0]]


def test_large_populations_do_not_overflow():
    people = np.full(6, 2**59, dtype=np.int64)
    assert cells_of(ONE_ROW, people, 3) == cells_of(ONE_ROW, [1] * 6, 3)


@pytest.mark.parametrize("n_sites", [0, -1, 7])
def test_a_number_of_sites_that_cannot_be(n_sites):
    with pytest.raises(InputError, match=r"from 1 to the number of areas \(6\)"):
        balanced_cells(ONE_ROW, np.ones(6, dtype=int), n_sites)


def test_nobody_lives_there():
    with pytest.raises(InputError, match="add up to 0"):
        balanced_cells(ONE_ROW, np.zeros(6, dtype=int), 2)
