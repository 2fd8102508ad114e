"""Counts, numbers of regions and measures against their definitions, record by record; and odd inputs."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import log2

import numpy as np
import pandas as pd
import pytest
import shapely
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.spatial import Voronoi

import tests.reference.regions as slow
from anonlib.analyses.regions import (
    GAPS,
    PLACEMENTS,
    Aggregation,
    AreaClasses,
    Gaps,
    aggregate,
    balanced,
    class_entropy,
    curve_numbers,
    gaps_cutoff,
    left_out_curve,
    max_combinations,
    nearest_site,
    number_by_gaps,
    number_of_sites,
    regions_for_target,
    voronoi_regions,
)
from anonlib.analyses.regions import measures as measures_module
from anonlib.basics.errors import InputError
from anonlib.columns.roles import Role
from anonlib.counting.classes import ClassTable
from anonlib.dataset import Dataset
from tests.helpers.errors import refused
from tests.reference.regions import areas_at, classes_at, province

SQUARE = [(0.0, 0.0), (3.0, 0.0), (0.0, 4.0), (3.0, 4.0)]
AREAS = areas_at(SQUARE)
QI = {"sex": Role.QUASI_IDENTIFIER, "age": Role.QUASI_IDENTIFIER, "area": Role.PLACE}

rows = st.lists(
    st.tuples(
        st.sampled_from(["A0", "A1", "A2", "A3", "elsewhere", None]),
        st.sampled_from(["F", "M", None]),
        st.sampled_from(["30", "40", None]),
    ),
    min_size=1,
    max_size=25,
)


def dataset(records: list[tuple], missing: str = "category", **more) -> Dataset:
    frame = pd.DataFrame(records, columns=["area", "sex", "age"], dtype=object)
    roles = dict(QI)
    for name, values in more.items():
        frame[name] = values
        roles[name] = Role(name)
    return Dataset.from_frame(frame, roles=roles, missing=missing)


def counted(areas: AreaClasses) -> dict[tuple, int]:
    """Per area and values, the records: what the sparse matrix says."""
    values = list(zip(*(areas.classes.column(name) for name in areas.classes.attributes), strict=True))
    table = areas.counts.tocoo()
    return {
        (areas.areas.ids[i], values[j]): int(n)
        for i, j, n in zip(*table.coords, table.data, strict=True)
    }  # fmt: skip


# --- counting ---------------------------------------------------------------------------------------------------------


@given(rows, st.sampled_from(["category", "drop"]))
def test_records_are_counted_by_area_and_class(records, missing):
    """A missing value is a value, or leaves the record out. An unknown area and none are told, and in no count."""
    kept = [one for one in records if missing == "category" or None not in one]
    placed = [(area, (sex, age)) for area, sex, age in kept if area in set(AREAS.ids)]
    assume(placed)
    found = AreaClasses.from_records(AREAS, dataset(records, missing), "area")
    assert counted(found) == slow.sizes_in(placed, {area: area for area in AREAS.ids})
    assert found.unknown == sum(area == "elsewhere" for area, *_ in kept)
    assert found.without == sum(area is None for area, *_ in kept)
    assert (found.several, found.unit, found.n_records) == (0, "records", len(placed))
    assert found.records.tolist() == [sum(area == one for area, _ in placed) for one in AREAS.ids]
    assert np.array_equal(found.population, found.records)  # where the areas do not say
    assert np.array_equal(found.classes.counts, found.counts.sum(axis=0))


@given(rows, st.data())
def test_a_weight_is_so_many_records(records, data):
    weights = data.draw(st.lists(st.integers(0, 4), min_size=len(records), max_size=len(records)))
    repeated = [one for one, weight in zip(records, weights, strict=True) for _ in range(weight)]
    assume(any(area in set(AREAS.ids) for area, *_ in repeated))
    found = AreaClasses.from_records(AREAS, dataset(records, weight=weights), "area")
    expected = AreaClasses.from_records(AREAS, dataset(repeated), "area")
    assert counted(found) == counted(expected)
    assert (found.unknown, found.without) == (expected.unknown, expected.without)
    assert (found.unit, expected.unit) == ("persons", "records")


@given(rows, st.data())
def test_a_person_is_counted_once(records, data):
    """With the set of their values; one whose records name several areas is in none, and is told."""
    ids = data.draw(st.lists(st.sampled_from(["p", "q", "r", None]), min_size=len(records), max_size=len(records)))
    persons: dict[object, list[tuple]] = {}
    for i, (person, row) in enumerate(zip(ids, records, strict=True)):
        persons.setdefault(i if person is None else person, []).append(row)
    known = {key: [{row[j] for row in mine} - {None} for j in range(3)] for key, mine in persons.items()}
    areas = [values[0] for values in known.values()]
    assume(any(len(area) == 1 and area <= set(AREAS.ids) for area in areas))
    found = AreaClasses.from_records(AREAS, dataset(records, person_id=ids), "area")
    placed = [
        (next(iter(area)), (frozenset(sex), frozenset(age)))
        for area, sex, age in known.values()
        if len(area) == 1 and area <= set(AREAS.ids)
    ]
    expected = slow.sizes_in(placed, {area: area for area in AREAS.ids})
    assert sorted(counted(found).values()) == sorted(expected.values())
    assert found.records.tolist() == [sum(area == one for area, _ in placed) for one in AREAS.ids]
    assert found.several == sum(len(area) > 1 for area in areas)
    assert found.without == sum(not area for area in areas)
    assert found.unknown == found.several + sum(area == {"elsewhere"} for area in areas)


def test_the_key_of_what_is_counted_names_all_that_can_be_stated_of_it():
    records = [("A0", "F", "30"), ("A1", "M", "30"), ("A2", None, "40"), (None, "F", "30"), ("elsewhere", "F", "40")]

    def counted_in(records: list[tuple]) -> AreaClasses:
        return AreaClasses.from_records(AREAS, dataset(records), "area", ["age", "sex"])

    of = counted_in(records)
    others = {"several": of.several + 1, "without": of.without + 1, "unknown": of.unknown + 1, "unit": "persons"}
    keys = {of.key, *(replace(of, **{name: value}).key for name, value in others.items())}
    assert len(keys) == 1 + len(others) and counted_in(records).key == of.key
    fewer = [record for record in records if record[0] is not None]
    assert of.without == 1 and counted_in(fewer).key not in keys
    renamed = [(area, sex and sex + "x", age) for area, sex, age in records]
    assert counted_in(renamed).key not in keys, "a page names the values"


def test_records_that_cannot_be_counted():
    records = [("A0", "F", "30"), ("A1", "M", None)]
    with refused("column-unknown", "zone"):
        AreaClasses.from_records(AREAS, dataset(records), "zone")
    with refused("no-column-known"):
        AreaClasses.from_records(AREAS, dataset(records), "area", ["area"])
    with refused("areas-not-in-records"):
        AreaClasses.from_records(AREAS, dataset(records), "sex")


# --- measures ---------------------------------------------------------------------------------------------------------


everyone_placed = st.tuples(st.sampled_from(["A0", "A1", "A2", "A3"]), st.sampled_from("FM"), st.just("30"))


@given(
    st.lists(everyone_placed, min_size=1, max_size=25),
    st.lists(st.integers(0, 3), min_size=4, max_size=4),
    st.integers(1, 5),
)
def test_the_measures_are_those_of_the_records(records, labels, k):
    """Equations 20 to 23, suppression and anonymity, for any assignment of areas to regions."""
    _, region_of_area = np.unique(labels, return_inverse=True)
    n_regions = int(region_of_area.max()) + 1
    sites = np.arange(2 * n_regions, dtype=float).reshape(-1, 2)
    areas = AreaClasses.from_records(AREAS, dataset(records), "area")
    made = Aggregation(areas, k, sites, region_of_area.astype(np.int32))
    region_of = dict(zip(AREAS.ids, region_of_area.tolist(), strict=True))
    plain = [(area, (sex, age)) for area, sex, age in records]
    found, sizes = made.measures, slow.sizes_in(plain, region_of)
    assert found.left_out == slow.left_out(plain, region_of, k) and found.n_records == len(records)
    assert found.share_left_out == found.left_out / len(records)
    points = dict(zip(AREAS.ids, SQUARE, strict=True))
    assert found.compactness == pytest.approx(slow.compactness(points, region_of))
    assert found.discernibility == slow.discernibility(plain, region_of, k)
    assert found.entropy == pytest.approx(slow.entropy(plain, region_of), abs=1e-9)
    assert found.anonymity == min(sizes.values()) and found.regions == n_regions
    with_penalty = measures_module.discernibility(made.counts, k, len(records))
    assert with_penalty == found.discernibility + len(records) * found.left_out
    for region in range(n_regions):
        inside = [size for (one, _), size in sizes.items() if one == region]
        assert made.records[region] == sum(inside) and made.smallest_class[region] == min(inside, default=0)
        assert made.left_out[region] == sum(size for size in inside if size < k)
        assert made.areas_of_region[region] == list(region_of.values()).count(region)


def test_compactness_is_of_the_regions_whatever_sites_they_grew_from():
    """Two sites with the same areas are as compact; sites lie off the middle of what they gather."""
    areas = province(60, (2, 4), seed=3)
    made = aggregate(areas, 5, number=9)
    moved = Aggregation(areas, 5, made.sites + 1e6, made.region_of_area)
    assert moved.measures.compactness == made.measures.compactness
    for region, middle in enumerate(made.middles.tolist()):
        assert middle == np.median(areas.areas.points[made.region_of_area == region], axis=0).tolist()
    assert (made.middles != made.sites).any()


def test_sums_of_squares_are_exact():
    """A weight may be of millions: the squares are larger than 64 bits hold."""
    areas = classes_at(SQUARE, [[2**40 + 1, 3], [2**40, 0], [5, 0], [1, 0]])
    made = voronoi_regions(areas, np.array([[0.0, 0.0]]), 4)
    assert made.measures.discernibility == (2**41 + 7) ** 2
    assert made.measures.left_out == 3 and made.measures.n_records == 2**41 + 10


# --- which region -----------------------------------------------------------------------------------------------------


@given(st.integers(0, 10**6))
def test_the_nearest_site_is_whose_voronoi_cell_it_is(seed):
    """Section 3.3. Sites far off make the cells of the others finite."""
    rng = np.random.default_rng(seed)
    sites, points = rng.uniform(0, 10, (int(rng.integers(1, 12)), 2)), rng.uniform(0, 10, (20, 2))
    far = np.array([[-999, -999], [999, -999], [-999, 999], [999, 999.0]])
    cells = Voronoi(np.vstack([sites, far]))
    found = nearest_site(points, sites)
    for i in range(len(sites)):
        cell = shapely.convex_hull(shapely.multipoints(cells.vertices[cells.regions[cells.point_region[i]]]))
        assert shapely.contains_xy(cell, points).tolist() == (found == i).tolist()


def test_sites_without_areas_are_dropped_and_reported():
    areas = classes_at(SQUARE, [[1, 0], [1, 1], [1, 1], [1, 3]], [7, 0, 1, 2])
    made = voronoi_regions(areas, np.array([[0, 0], [99, 99], [0, 4], [3, 4], [-9, -9.0]]), 2, method="mine")
    assert (made.asked, made.n_regions, made.method) == (5, 3, "mine")
    assert made.sites.tolist() == [[0, 0], [0, 4], [3, 4]] and made.region_of_area.tolist() == [0, 0, 1, 2]
    assert made.population.tolist() == [7, 1, 2]
    # north to south, then west to east
    assert made.names.tolist() == ["R3", "R1", "R2"]
    assert made.area_table().to_numpy().tolist() == [["A0", "R3"], ["A1", "R3"], ["A2", "R1"], ["A3", "R2"]]
    frame = made.to_frame()
    assert frame.iloc[0].tolist() == ["R3", 2, 7, 3, 1, 1] and frame["left out"].tolist() == [1, 2, 1]
    with refused("number-out-of-range"):
        voronoi_regions(areas, made.sites, 0)


def test_k_is_of_records_and_sites_are_of_people():
    """A sample of a few records in areas of many people: the sites follow the people, suppression the records."""
    records = [[3], [1], [1], [1]]
    made = {
        people: voronoi_regions(classes, balanced(classes, 2, 2), 2)
        for people in ((1, 1, 1, 900), (900, 1, 1, 1))
        if (classes := classes_at([(0.0, 0), (1, 0), (2, 0), (3, 0)], records, people))
    }
    first, second = made.values()
    assert first.region_of_area.tolist() != second.region_of_area.tolist()
    assert first.records.sum() == second.records.sum() == 6


# --- how many ---------------------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xy")), min_size=1, max_size=30))
def test_entropy_and_combinations_are_as_defined(values):
    """Equations 1 and 4."""
    classes = ClassTable.from_frame(pd.DataFrame(values, columns=["a", "b"], dtype=object))
    assert class_entropy(classes) == pytest.approx(slow.class_entropy(values), abs=1e-9)
    assert max_combinations(classes) == slow.max_combinations(values)
    # so the model of combinations never asks for more regions than that of entropy, at one factor and exponent
    assert class_entropy(classes) <= log2(max_combinations(classes)) + 1e-9


def test_the_product_of_categories_is_no_number_of_classes():
    """Section 3.1.1 calls it that; it is what there could be."""
    classes = ClassTable.from_frame(pd.DataFrame({"a": ["u", "v"], "b": ["x", "y"]}))
    assert (max_combinations(classes), classes.n_classes) == (4, 2)


def test_the_cutoff_and_the_number_of_sites():
    """Equations 2, 3, 5 and 6."""
    values = [(a, b) for a in "abcd" for b in "xy"]
    classes = ClassTable.from_frame(pd.DataFrame(values, columns=["a", "b"], dtype=object))
    assert gaps_cutoff(classes) == pytest.approx(1588 * 3**0.42)
    assert gaps_cutoff(classes, "max_combinations", GAPS["Eastern Canada"]) == pytest.approx(1978 * 8**0.304)
    assert gaps_cutoff(classes, "max_combinations", Gaps(10, 1)) == 80
    areas = province(30, (4, 2))
    assert number_by_gaps(areas, "max_combinations", Gaps(100, 1)) == number_of_sites(areas.n_records, 800, 30)


@pytest.mark.parametrize(
    "population, cutoff, expected",
    [(5, 2, 3), (7, 2, 4), (9, 4, 2), (1, 100, 1), (0, 5, 1), (10**6, 1, 50), (10**6, 1e-9, 50)],
)
def test_the_number_of_sites_is_rounded_half_up_within_one_and_the_areas(population, cutoff, expected):
    """Python's round makes 2.5 two."""
    assert round(2.5) == 2
    assert number_of_sites(population, cutoff, 50) == expected


def test_a_cutoff_that_says_nothing_is_refused():
    one = ClassTable.from_frame(pd.DataFrame({"sex": ["F"] * 9}))
    with pytest.raises(InputError, match="entropy of 0 bits"):
        gaps_cutoff(one)
    with refused("too-little-known"):
        gaps_cutoff(one, "max_combinations")
    skewed = ClassTable.from_frame(pd.DataFrame({"sex": ["F"] * 9 + ["M"]}))
    with pytest.raises(InputError, match=r"entropy of 0\.47 bits"):
        gaps_cutoff(skewed)
    assert gaps_cutoff(skewed, "max_combinations") > 1588
    with refused("choice-unknown"):
        gaps_cutoff(skewed, "other")  # type: ignore[arg-type]
    with refused("number-out-of-range"):
        gaps_cutoff(skewed, "max_combinations", Gaps(1, 5000))
    with pytest.raises(InputError, match="factor of the cutoff must be above 0"):
        Gaps(0, 1)


def test_the_target_is_the_most_regions_that_keep_to_it():
    """Against every number of regions of a small province: never more is left out, and seldom was more possible."""
    areas = province(70, (2, 8), seed=2, vary=0.5)
    every = dict(left_out_curve(areas, 5, range(1, 71)))
    lost = []
    for share in (0.0, 0.01, 0.05, 0.1, 0.2, 0.3, 1.0):
        found = regions_for_target(areas, 5, share)
        best = max(number for number, measures in every.items() if measures.share_left_out <= share)
        assert found.measures.share_left_out <= share and found.asked <= best
        lost.append(best - found.asked)
        assert {**dict(found.points), found.asked: None}.keys() <= every.keys()
        for number, measures in found.points:
            assert measures.left_out == every[number].left_out
            assert number <= found.asked or measures.share_left_out > share  # the most of those that were tried
        again = regions_for_target(areas, 5, share, curve=found.points)
        assert again.asked >= found.asked
    assert lost[-1] == 0 and sum(loss == 0 for loss in lost) >= 5 and max(lost) < 15
    assert found.asked == 70 and found.share == 1.0


def test_a_target_that_cannot_be_kept_is_one_region_which_leaves_out_the_least():
    areas = province(20, (2, 9, 9), seed=2)
    every = dict(left_out_curve(areas, 40, range(1, 21)))
    assert every[1].left_out == min(measures.left_out for measures in every.values()) > 0
    found = regions_for_target(areas, 40, every[1].share_left_out / 2)
    assert found.asked == 1 and not found.is_kept and found.measures.left_out == every[1].left_out
    assert regions_for_target(areas, 40, every[1].share_left_out).is_kept
    with pytest.raises(InputError, match="from 0 to 1"):
        regions_for_target(areas, 40, 1.5)


def test_the_curve_is_of_numbers_a_constant_factor_apart():
    assert curve_numbers(1) == (1,) and curve_numbers(3) == (1, 2, 3)
    assert curve_numbers(1000, 4) == (1, 10, 100, 1000) and len(curve_numbers(18_000)) <= 24
    areas, seen = province(12, (2, 3)), []
    points = left_out_curve(areas, 3, [4, 2, 4], progress=lambda share, so_far: seen.append((share, len(so_far))))
    assert [number for number, _ in points] == [2, 4] and seen == [(0.5, 1), (1.0, 2)]
    assert points[0][1].left_out == aggregate(areas, 3, number=2).measures.left_out


# --- components of one's own ------------------------------------------------------------------------------------------


def test_every_component_can_be_replaced():
    """Section 3.5."""
    areas = province(40, (2, 3), seed=5)
    made = aggregate(areas, 3, number=5)
    assert (made.method, made.asked, made.k) == ("balanced", 5, 3) and made.seconds > 0
    plain = voronoi_regions(areas, balanced(areas, 5, 3), 3)
    assert np.array_equal(made.region_of_area, plain.region_of_area)
    assert aggregate(areas, 3, number=5, placement=PLACEMENTS["clustering"]).method == "clustering"

    def first_areas(area_classes, n_sites, k):
        return area_classes.areas.points[:n_sites]

    def next_site(points, sites):
        return (nearest_site(points, sites) + 1) % len(sites)

    def named(aggregation, method):
        return voronoi_regions(aggregation.area_classes, aggregation.sites[:2], 3, method=method)

    own = aggregate(areas, 3, number=4, placement=first_areas, construction=next_site)
    assert own.method == "first_areas" and own.region_of_area[0] == 1
    assert aggregate(areas, 3, number=4, placement=first_areas, name="mine").method == "mine"
    refined = aggregate(areas, 3, number=4, refinement=partial(named, method="pair"))
    assert (refined.method, refined.n_regions) == ("pair", 2)


@pytest.mark.parametrize(
    "components, sentence",
    [
        ({"number": 0}, "number of regions must be a whole number, 1 or more"),
        ({"number": 41}, r"from 1 to the number of areas \(40\)"),
        ({"placement": lambda *_: np.empty((0, 2))}, "one or more sites"),
        ({"placement": lambda *_: np.ones(4)}, "each with an x and a y"),
        ({"placement": lambda *_: [["a", "b"]]}, "finite numbers"),
        ({"placement": lambda *_: [[np.nan, 1.0]]}, "finite numbers"),
        ({"construction": lambda points, sites: np.full(40, 3)}, "position of its site"),
        ({"construction": lambda points, sites: np.zeros(3, dtype=int)}, "position of its site"),
    ],
)
def test_components_of_no_use_are_refused(components, sentence):
    with pytest.raises(InputError, match=sentence):
        aggregate(province(40, (2, 3)), 3, **{"number": 3, **components})
