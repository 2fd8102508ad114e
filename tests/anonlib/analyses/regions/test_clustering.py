"""Anonymity-driven clustering: against a slow one, what it never does, and the odd inputs."""

from __future__ import annotations

from unittest.mock import Mock

import numpy as np
import pytest
import shapely
from hypothesis import example, given
from hypothesis import strategies as st

from anonlib.analyses.regions import (
    Aggregation,
    AreaClasses,
    anonymity_driven_clustering,
    balanced,
    clustering,
    voronoi_regions,
)
from anonlib.analyses.regions.clustering import adjacent_sites, polygon_around, weighted_medians, within
from anonlib.basics.errors import InputError
from tests.reference.regions import classes_at, objective, province, smallest, weighted_median
from tests.reference.regions import clustering as slow_clustering


def lowest(aggregation: Aggregation) -> tuple[int, int]:
    levels = aggregation.smallest_class[aggregation.records > 0]
    return int(levels.min()), int((levels == levels.min()).sum())


def random_areas(seed: int, n_areas: int, n_classes: int, most: int = 4, empty: float = 0.0) -> AreaClasses:
    """Areas anywhere, each class somewhere, some of the areas without records."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, most + 1, (n_areas, n_classes)) * rng.integers(0, 2, (n_areas, n_classes))
    counts[rng.random(n_areas) < empty] = 0
    counts[0] += 1
    return classes_at(rng.uniform(0, 1000, (n_areas, 2)), counts, rng.integers(0, 9, n_areas) + 1)


def random_case(seed: int) -> tuple[AreaClasses, np.ndarray, int]:
    """Areas, sites that all have some of them, and k."""
    rng = np.random.default_rng(seed)
    n_areas, n_classes = int(rng.integers(15, 50)), int(rng.integers(1, 4))
    areas = random_areas(seed, n_areas, n_classes, most=2 + seed % 4, empty=0.5 * (seed % 2))
    sites = voronoi_regions(areas, rng.uniform(0, 1000, (int(rng.integers(5, 16)), 2)), 1).sites
    return areas, sites, int(rng.integers(2, 40))


@pytest.mark.parametrize("seed", [*range(30), 144, 317])  # in the last two a region without records is nearly emptied
def test_it_moves_just_as_the_slow_one(seed):
    """Which sites, how often and in how many passes: nothing that is left out as hopeless would have helped."""
    areas, sites, k = random_case(seed)
    found = anonymity_driven_clustering(areas, sites, k)
    expected, moves, passes = slow_clustering(areas.areas.points, areas.counts.toarray(), sites, k)
    assert np.array_equal(found.sites, expected)
    assert (found.moves, found.passes) == (moves, passes)
    assert found.reason == ("reached k" if found.anonymity >= k else "no move left")


def test_some_of_those_do_move():
    assert sum(anonymity_driven_clustering(*random_case(seed)).moves for seed in range(30)) > 10


@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(1, 30), st.sampled_from([0.0, 0.5]))
@example(seed=18, n_sites=11, k=2, empty=0.5)
def test_the_objective_never_falls_and_no_region_is_emptied(seed, n_sites, k, empty):
    """On a grid of few places, where distances tie and points are on the edges of cells and polygons."""
    rng = np.random.default_rng(seed)
    places = [(float(x), float(y)) for x in range(5) for y in range(4)]
    chosen = rng.choice(len(places), int(rng.integers(n_sites, len(places) + 1)), replace=False)
    counts = rng.integers(0, 4, (len(chosen), 3)) * (rng.random((len(chosen), 1)) >= empty)
    counts[0] += 1
    areas = classes_at([places[i] for i in chosen], counts)
    start = balanced(areas, n_sites, k)
    seen = []
    found = anonymity_driven_clustering(areas, start, k, progress=lambda share, best: seen.append((share, best)))
    after = voronoi_regions(areas, found.sites, k)
    assert after.n_regions == len(found.sites)  # each still has areas
    assert lowest(after) == (found.anonymity, found.at_anonymity)
    steps = [(best.anonymity, -best.at_anonymity) for _, best in seen] + [(found.anonymity, -found.at_anonymity)]
    assert steps == sorted(steps)
    assert len(set(steps)) == 1 + found.moves  # each move raises it
    assert all(0 <= share <= 1 and best.reason == "stopped" for share, best in seen)
    begun = voronoi_regions(areas, seen[0][1].sites, k) if seen else after
    assert lowest(begun) == (found.anonymity_before, found.at_anonymity_before)
    assert int((begun.records > 0).sum()) <= int((after.records > 0).sum())  # one without records may get some


def test_equation_14_is_anonymity_first_then_the_fewest_regions_at_it():
    """Equations 15 to 17: no number of regions at the lowest level outweighs a higher level."""
    everything = [(least, at) for least in range(1, 6) for at in range(1, 5)]
    by_equation = sorted(everything, key=lambda one: objective([one[0]] * one[1] + [9] * (4 - one[1]), 4))
    assert by_equation == sorted(everything, key=lambda one: (one[0], -one[1]))


def test_a_move_by_hand():
    """The second class has one member in the region, five in an area near by, and nine in each corner."""
    points = [(0, 0), (10, 0), (20, 0), (30, 0), (0, 10), (30, 10), (0, -10), (30, -10)]
    counts = [[9, 1], [9, 0], [9, 5], [9, 9], [9, 9], [9, 9], [9, 9], [9, 9]]
    areas = classes_at(points, counts)
    sites = np.array([[5.0, 0], [29.0, 0], [0, 10], [30, 10], [0, -10], [30, -10]])
    assert lowest(voronoi_regions(areas, sites, 5)) == (1, 1)
    found = anonymity_driven_clustering(areas, sites, 5)
    assert (found.anonymity, found.at_anonymity, found.moves, found.reason) == (5, 1, 1, "reached k")
    # (30, 0) is outside: the polygon passes through (29, 0)
    assert found.sites[0].tolist() == [weighted_median([0, 20, 0, 30, 0, 30], [1, 5, 9, 9, 9, 9]), 0.0] == [20.0, 0.0]
    assert np.array_equal(found.sites[1:], sites[1:])


def test_classes_of_one_record_everywhere_cannot_be_helped():
    """As soon as every region has many classes of one record, no single move lifts a region (spec of the system)."""
    areas = province(150, (2, 18, 6, 5), seed=3)
    start = balanced(areas, 20, 5)
    found = anonymity_driven_clustering(areas, start, 5)
    assert (found.moves, found.passes, found.reason) == (0, 1, "no move left")
    assert found.anonymity == 1 and np.array_equal(found.sites, voronoi_regions(areas, start, 5).sites)


def test_a_class_without_members_is_none_and_a_region_without_records_has_no_level():
    areas = classes_at([(0, 0), (1, 0), (9, 0)], [[5, 0], [3, 0], [0, 7]])
    found = anonymity_driven_clustering(areas, np.array([[0.0, 0], [9.0, 0]]), 7)
    assert (found.anonymity, found.reason, found.moves) == (7, "reached k", 0)
    areas = classes_at([(0, 0), (1, 0), (9, 0)], [[5, 1], [3, 1], [0, 0]])
    found = anonymity_driven_clustering(areas, np.array([[0.0, 0], [9.0, 0]]), 3)
    assert (found.anonymity, found.at_anonymity, found.reason) == (2, 1, "no move left")
    assert smallest(np.array([0, 0])) is None


@pytest.mark.parametrize(
    "sites", [[(5, 5)], [(0, 0), (9, 9)], [(0, 0), (4, 4), (9, 9)], [(0, 0), (3, 3), (6, 6), (9, 9)]]
)
def test_too_few_sites_or_all_on_a_line(sites):
    areas = random_areas(4, 60, 3)
    start = np.array(sites, dtype=float) * 100
    found = anonymity_driven_clustering(areas, start, 40)
    assert len(found.sites) == voronoi_regions(areas, start, 40).n_regions
    assert (found.anonymity, -found.at_anonymity) >= (found.anonymity_before, -found.at_anonymity_before)


def test_areas_on_a_line_may_gain():
    """Sites on a line have two neighbours each; what lies between them counts as the polygon."""
    areas = classes_at([(float(x), 0.0) for x in range(7)], [[9], [9], [1], [0], [9], [9], [9]])
    found = anonymity_driven_clustering(areas, np.array([[0.5, 0], [2.0, 0], [5.0, 0]]), 4)
    assert (found.anonymity_before, found.anonymity, found.moves) == (1, 9, 1)
    assert found.sites[:, 0].tolist() == [0.5, 4.0, 5.0]  # 9 at 1, 1 at 2, and 9 each at 4 and 5


def test_sites_without_areas_are_dropped_and_progress_may_stop_it():
    areas = random_areas(1, 40, 4)
    sites = np.vstack([balanced(areas, 8, 1), [[9e6, 9e6]]])
    assert len(anonymity_driven_clustering(areas, sites, 10).sites) == 8

    with pytest.raises(InterruptedError):
        clustering(areas, 8, 99, progress=Mock(side_effect=InterruptedError))
    with pytest.raises(InputError, match="k must be a whole number, 1 or more"):
        anonymity_driven_clustering(areas, sites, 0)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 4)), min_size=1, max_size=9))
def test_the_weighted_median_is_that_of_everybody(people):
    """Equations 18 and 19."""
    table = np.array([*people, (2, 3, 1)])
    (found,) = weighted_medians(table[:, :2].astype(float), table[:, 2:].astype(np.int64))
    assert found.tolist() == [weighted_median(table[:, axis], table[:, 2]) for axis in (0, 1)]


def test_members_on_the_border_of_the_polygon_count():
    ring = np.array([[0.0, 0], [4, 0], [4, 4], [0, 4]])
    inside = within(
        polygon_around(np.array([2.0, 2]), ring[[2, 0, 3, 1]]), np.array([[4, 2.0], [4.1, 2], [2, 2]]), 1e-6
    )
    assert inside.tolist() == [True, False, True]
    slanted = polygon_around(np.array([1.0, 1]), np.array([[0.0, 0], [3, 1], [1, 3]]))
    assert within(slanted, np.outer(np.linspace(0, 1, 50), [3, 1]), 1e-9).all()  # rounded, a few of them are outside


def test_on_the_rim_the_polygon_may_leave_out_its_site_and_cross_itself():
    """The cells around a rim site do not go round it: the last edge of the polygon is drawn across."""
    far = {10: 1.0, 40: 3.0, 80: 0.3, 120: 3.0, 150: 1.0}
    ring = np.array([[d * np.cos(np.radians(angle)), d * np.sin(np.radians(angle))] for angle, d in far.items()])
    assert not shapely.Polygon(ring).is_valid
    polygon = polygon_around(np.zeros(2), ring)
    assert polygon.is_valid and not within(polygon, np.zeros((1, 2)), 1e-6).any()
    assert within(polygon, ring, 1e-6).all()


def test_adjacent_sites_touch():
    first, of = adjacent_sites(np.array([[0.0, 0], [4, 0], [4, 4], [0, 4], [2, 2]]))
    assert sorted(of[first[4] : first[5]].tolist()) == [0, 1, 2, 3] and 2 not in of[first[0] : first[1]]
    first, of = adjacent_sites(np.array([[7.0, 7], [1, 1], [4, 4]]))
    assert [sorted(of[first[i] : first[i + 1]].tolist()) for i in range(3)] == [[2], [2], [0, 1]]
    assert adjacent_sites(np.array([[1.0, 1]]))[0].tolist() == [0, 0]
