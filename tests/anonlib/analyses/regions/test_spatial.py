"""What a released place hides, against attackers who count residents one by one; and which k's say nothing new."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import dist, log2

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.regions import (
    AreaClasses,
    SpatialAnonymity,
    aggregate,
    areas_as_they_are,
    given_regions,
    grouped_by,
)
from anonlib.analyses.regions.aggregation import Aggregation
from anonlib.analyses.regions.spatial import released_by_area
from anonlib.dataset import Dataset
from tests.helpers.examples import settings
from tests.helpers.regions import sample_province
from tests.reference.regions import areas_at, classes_at, province

SQUARE = [(0.0, 0.0), (3.0, 0.0), (0.0, 4.0), (3.0, 4.0)]
IDS = ["A0", "A1", "A2", "A3"]
residents = st.lists(st.sampled_from([0, 1, 5, 5, 20]), min_size=4, max_size=4)
records_of = st.lists(st.tuples(st.sampled_from(IDS), st.sampled_from("FM")), min_size=1, max_size=25)


def aggregated(records: list[tuple], people: list[int] | None, labels: list[int], k: int) -> Aggregation:
    rows = pd.DataFrame(records, columns=["area", "sex"], dtype=object)
    data = Dataset.from_frame(rows, roles={"area": "place", "sex": "quasi_identifier"})
    counted = AreaClasses.from_records(areas_at(SQUARE, people), data, "area")
    return given_regions(counted, grouped_by("part", [str(label) for label in labels]), k)


def released(records: list[tuple], region_of: dict[str, int], k: int) -> list[tuple[str, int, str]]:
    """Where somebody lives, which region is published, and what else: one item a record that leaves."""
    sizes = Counter((region_of[area], sex) for area, sex in records)
    return [(area, region_of[area], sex) for area, sex in records if sizes[region_of[area], sex] >= k]


@given(records_of, residents, st.lists(st.integers(0, 2), min_size=4, max_size=4), st.integers(1, 5))
@settings(max_examples=200)
def test_both_numbers_are_those_of_attackers_who_look_at_each_record(records, people, labels, k):
    region_of, home = dict(zip(IDS, labels, strict=True)), dict(zip(IDS, people, strict=True))
    leaves = released(records, region_of, k)
    found = aggregated(records, people, labels, k).spatial
    if not leaves:
        assert found == SpatialAnonymity(None, None)
        return
    everybody = [(area, i) for area, n in home.items() for i in range(n)]
    candidates = [sum(region_of[area] == region for area, _ in everybody) for _, region, _ in leaves]
    assert found.fewest_people == min(candidates)
    right = Fraction()
    for area, region, _ in leaves:
        inside = [other for other in IDS if region_of[other] == region]
        guesses = [other for other in inside if home[other] == max(home[each] for each in inside)]
        right += Fraction(area in guesses, len(guesses))
    assert found.area_guessed == pytest.approx(float(right / len(leaves)))


@given(records_of, st.lists(st.integers(0, 2), min_size=4, max_size=4), st.integers(1, 5))
@settings(max_examples=100)
def test_without_a_population_the_area_of_the_most_records_is_named(records, labels, k):
    lived = [sum(area == each for area, _ in records) for each in IDS]
    with_people = aggregated(records, lived, labels, k).spatial if any(lived) else None
    found = aggregated(records, None, labels, k).spatial
    assert found.fewest_people is None, "records are no people"
    assert with_people is not None and found.area_guessed == with_people.area_guessed


def test_areas_as_they_are_hide_nothing_and_the_largest_of_a_region_is_its_weak_point():
    areas = classes_at(SQUARE, [[9]] * 4, [400, 0, 0, 100])
    assert areas_as_they_are(areas, 5).spatial == SpatialAnonymity(0, 1.0), "a record where nobody is counted"
    empty = classes_at(SQUARE, [[9], [0], [0], [0]], [400, 0, 0, 0])
    alone = aggregate(empty, 5, number=1)
    assert alone.spatial == SpatialAnonymity(400, 1.0), "one large area and three empty ones hide no place"
    assert alone.largest_area.tolist() == [1.0]
    assert aggregate(areas, 5, number=1).largest_area.tolist() == [0.8]


def test_entropy_does_not_say_how_often_an_area_is_guessed():
    """Two bits a record in both: four equal areas, or one of half the people and four of an eighth each."""
    even = aggregate(classes_at(SQUARE, [[100]] * 4, [100] * 4), 5, number=1)
    uneven = aggregate(classes_at([*SQUARE, (9, 9)], [[400], *[[100]] * 4], [400, *[100] * 4]), 5, number=1)
    assert even.measures.entropy / 400 == uneven.measures.entropy / 800 == log2(4)
    assert (even.spatial.area_guessed, uneven.spatial.area_guessed) == (0.25, 0.5)


def test_more_regions_hide_less():
    counted = province(200, (2, 4), seed=1)
    found = [aggregate(counted, 5, number=n).spatial for n in (1, 10, 50, 200)]
    fewest = [each.fewest_people or 0 for each in found]
    assert fewest == sorted(fewest, reverse=True) and fewest[0] == counted.population.sum()
    guessed = [each.area_guessed or 0 for each in found]
    assert guessed == sorted(guessed) and guessed[-1] == 1


# --- which say nothing new --------------------------------------------------------------------------------------------


@given(records_of, st.lists(st.integers(0, 2), min_size=4, max_size=4), st.integers(1, 5))
def test_k_original_of_who_knows_the_method_is_the_class(records, labels, k):
    """Whose place and attributes are known may be any released record of their region and class: k and no other."""
    region_of = dict(zip(IDS, labels, strict=True))
    leaves = released(records, region_of, k)
    made = aggregated(records, None, labels, k)
    sizes = Counter((region, sex) for _, region, sex in leaves)
    assert sorted(sizes.values()) == sorted(made.released.data.tolist())
    assert min(sizes.values(), default=k) >= k


def test_k_original_by_distance_is_the_region_of_a_voronoi_cell():
    """No published site is nearer to somebody's area than that of their own region, so that distance tells nothing."""
    made = aggregate(province(120, (2, 3), seed=4), 1, number=15)
    for point, region in zip(made.area_classes.areas.points.tolist(), made.region_of_area.tolist(), strict=True):
        far = [dist(point, site) for site in made.sites.tolist()]
        assert far[region] == min(far)


def test_k_moved_by_distance_is_no_bound_of_the_people_somebody_may_be():
    """It counts people of other regions, who cannot be meant, and none of their own that live farther off."""
    points = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (2.4, 0.0), (20.0, 0.0)]
    people = [10, 20, 30, 1_000, 40]
    made = given_regions(
        classes_at(points, [[9]] * 5, people), grouped_by("part", ["west", "west", "west", "east", "east"]), 5
    )
    middle = made.middles[made.names.tolist().index("west")].tolist()

    def k_moved(area: int) -> int:
        own = dist(points[area], middle)
        return sum(n for n, point in zip(people, points, strict=True) if dist(point, middle) <= own)

    of_region = sum(people[:3])
    assert [k_moved(area) for area in range(3)] == [60, 20, 60] and of_region == 60
    nearer = [(0.0, 0.0), (1.0, 0.0), (3.0, 0.0), (2.4, 0.0), (20.0, 0.0)]
    points[:] = nearer
    assert k_moved(2) == 1_060 > of_region > k_moved(1) == 20


def test_k_moved_by_distance_as_it_is_stated_of_the_sample():
    """``docs/analyses/regions.md``: of 91 balanced regions, with the middle as the published point."""
    counted, _ = sample_province()
    made = aggregate(counted, 5, number=91)
    people, region_of = counted.population, made.region_of_area
    leave = released_by_area(counted.counts, region_of, made.released)
    assert leave.sum() == counted.n_records - made.measures.left_out
    more = fewer = 0
    least = people.sum()
    for point, region, n in zip(counted.areas.points, region_of.tolist(), leave.tolist(), strict=True):
        far = np.hypot(*(counted.areas.points - made.middles[region]).T)
        k_moved = people[far <= np.hypot(*(point - made.middles[region]))].sum()
        of_region = people[region_of == region].sum()
        more, fewer = more + n * (k_moved > of_region), fewer + n * (k_moved < of_region)
        least = min(least, k_moved) if n else least
    assert (f"{more / leave.sum():.0%}", f"{fewer / leave.sum():.0%}") == ("28%", "72%")
    assert (least, made.spatial.fewest_people) == (409, 1_066)


def test_what_is_left_out_is_in_no_number():
    """The area of the fewest people has too few records: nothing of it leaves."""
    counts = [[9], [2], [9], [9]]
    made = areas_as_they_are(classes_at(SQUARE, counts, [50, 3, 60, 70]), 5)
    assert made.spatial == SpatialAnonymity(50, 1.0)
    assert np.asarray(made.released.sum(axis=1)).tolist() == [9, 0, 9, 9]
