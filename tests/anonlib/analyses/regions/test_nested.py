"""Regions in levels: each has people enough and lies in one of the next; what a hierarchy and a map make of them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components

from anonlib.analyses.regions import nested_regions, region_hierarchy
from anonlib.analyses.regions.clustering import adjacent_sites
from anonlib.analyses.regions.geometry import ground, outlines_of, outlines_of_layers
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.coarsening.recoding import ValueMap
from anonlib.columns.roles import Role
from anonlib.counting.privacy_models import KAnonymity
from anonlib.dataset import Dataset
from anonlib.release.from_analyses import layers_of, released_as
from anonlib.release.recipe import Recipe
from anonlib.release.steps import AggregatePlaces, DropColumns, GeneralizeLocally, Recode
from tests.reference.regions import areas_at


@st.composite
def places(draw):
    """Points of a grid, no two alike, some of them on one line; areas where nobody lives, and one of nearly all."""
    wide = draw(st.integers(1, 6))
    n = draw(st.integers(1, 6 * wide))
    cells = draw(st.permutations(range(6 * wide)))[:n]
    people = draw(st.lists(st.sampled_from([0, 1, 5, 20, 600]), min_size=n, max_size=n))
    return np.array([[cell % wide, cell // wide] for cell in cells], dtype=float), np.array(people)


LEASTS = (3, 10, 50, 1_000)


@given(places())
def test_each_region_has_people_enough_or_is_the_only_one_and_is_in_one_piece(case):
    points, people = case
    first, other = adjacent_sites(points)
    beside = np.zeros((len(points), len(points)))
    for i in range(len(points)):
        beside[i, other[first[i] : first[i + 1]]] = 1
    for least, region in zip(LEASTS, nested_regions(points, people, LEASTS), strict=True):
        held = np.bincount(region, people)
        assert sorted(set(region.tolist())) == list(range(len(held)))
        assert len(held) == 1 or held.min() >= least
        for each in range(len(held)):
            inside = np.flatnonzero(region == each)
            assert connected_components(beside[np.ix_(inside, inside)])[0] == 1


@given(places())
def test_what_is_joined_stays_joined_and_nothing_is_that_has_people_enough(case):
    points, people = case
    levels = [np.arange(len(points)), *nested_regions(points, people, LEASTS)]
    for finer, coarser in pairwise(levels):
        for region in set(finer.tolist()):
            assert len(set(coarser[finer == region].tolist())) == 1
    for each in set(levels[1].tolist()):
        inside = people[levels[1] == each]
        assert len(inside) == 1 or inside.min() < LEASTS[0]


FOUR = areas_at([(0, 3), (0, 2), (0, 1), (0, 0)], [900, 300, 800, 1000])
RECORDS = Dataset.from_frame(
    pd.DataFrame({"area": ["A0", "A1", "A1", "A3", "Z9", None]}, dtype=object), roles={"area": Role.PLACE}
)


def test_levels_begin_where_a_tenth_of_the_areas_is_joined_and_end_with_everything():
    hierarchy = region_hierarchy(FOUR, RECORDS, "area")
    described = [hierarchy.describe(level) for level in range(hierarchy.n_levels)]
    assert described == [
        "as it is",
        "3 regions of at least 500 people",
        "2 regions of at least 1,000 people",
        "removed",
    ]
    finest = hierarchy.recodings[0]
    assert isinstance(finest, ValueMap)
    assert dict(finest.labels_of) == {"A0": "R1", "A1": "R2", "A2": "R2", "A3": "R3"}


def test_values_that_are_no_areas_are_elsewhere_on_each_level():
    levels = region_hierarchy(FOUR, RECORDS, "area").on(["A0", "A1", "A3", "Z9", None], "area")
    assert [levels.label(level)[3] for level in (1, 2, 3)] == ["elsewhere", "elsewhere", "*"]
    assert [levels.label(level)[4] for level in (1, 2, 3)] == [None, None, "*"]


def test_without_populations_the_records_are_counted():
    hierarchy = region_hierarchy(areas_at([(0, 3), (0, 2), (0, 1), (0, 0)]), RECORDS, "area")
    assert hierarchy.describe(1) == "3 regions of at least 1 records"


@pytest.mark.parametrize("people", [[0, 0, 0, 0], [7, 0, 0, 0]], ids=["nobody", "one area has all"])
def test_where_nothing_can_be_between_one_and_all_there_is_only_all(people):
    hierarchy = region_hierarchy(areas_at([(0, 3), (0, 2), (0, 1), (0, 0)], people), RECORDS, "area")
    assert [hierarchy.describe(level) for level in range(hierarchy.n_levels)] == ["as it is", "removed"]


def test_one_area():
    assert region_hierarchy(areas_at([(5, 5)], [100]), RECORDS, "area").n_levels == 2


# ---- what a release calls the areas, and their outlines --------------------------------------------------------------


def test_each_area_has_the_label_that_it_is_released_as():
    hierarchy = region_hierarchy(FOUR, RECORDS, "area")
    joined = Recipe.of([Recode("area", hierarchy.recodings[0])])
    assert released_as(FOUR, joined, "area").tolist() == ["R1", "R2", "R2", "R3"]
    assert released_as(FOUR, Recipe(), "area").tolist() == ["A0", "A1", "A2", "A3"]
    placed = Recipe.of([AggregatePlaces("area", (("North", ("A0", "A1")), ("South", ("A3",))))])
    assert released_as(FOUR, placed, "area").tolist() == ["North", "North", None, "South"]
    assert released_as(FOUR, Recipe.of([DropColumns(("area",))]), "area").tolist() == [None] * 4


def test_part_by_part_each_label_of_the_release_has_the_outline_of_all_its_areas():
    hierarchy = region_hierarchy(FOUR, RECORDS, "area").with_top()
    step = GeneralizeLocally((("area", hierarchy),), (KAnonymity(columns=("area",), least=3),))
    frame = pd.DataFrame({"area": ["A0"] * 3 + ["A1", "A2", "A2", "A3"]})
    records = Dataset.from_frame(frame).with_roles({"area": Role.QUASI_IDENTIFIER})
    released = set(Recipe.of([step]).apply(records).released.held.values("area"))
    layers = layers_of(FOUR, Recipe.of([step]), "area")
    shapes = outlines_of_layers(layers, released, ground(FOUR)).set_index("region")
    assert set(shapes.index) == released and len(released) > 1
    above = {label: {i for labels in layers for i, its in enumerate(labels) if its == label} for label in released}
    assert shapes["areas"].to_dict() == {label: len(areas) for label, areas in above.items()}
    cells = ground(FOUR).cells
    for label, areas in above.items():
        assert shapes.geometry[label].area == pytest.approx(sum(cells[i].area for i in areas))
    assert layers_of(FOUR, Recipe(), "area")[0].tolist() == ["A0", "A1", "A2", "A3"]


def test_an_area_in_no_region_and_one_that_no_record_has_are_in_no_coarser_label():
    step = GeneralizeLocally(
        (("area", Hierarchy((ValueMap.of({"North": "Land", "South": "Land"}),)).with_top()),),
        (KAnonymity(columns=("area",), least=3),),
    )
    placed = AggregatePlaces("area", (("North", ("A0", "A1")), ("South", ("A3",))))
    layers = layers_of(FOUR, Recipe.of([placed, step]), "area")
    assert [each.tolist() for each in layers] == [
        ["North", "North", None, "South"], ["Land", "Land", None, "Land"], ["*", "*", None, "*"]
    ]  # fmt: skip
    fewer = GeneralizeLocally(
        (("area", Hierarchy((ValueMap.of({"A0": "R1", "A1": "R1"}),))),), (KAnonymity(columns=("area",), least=3),)
    )
    layers = layers_of(FOUR, Recipe.of([fewer]), "area")
    assert [each.tolist() for each in layers] == [["A0", "A1", "A2", "A3"], ["R1", "R1", "A2", "A3"]]


def test_outlines_cover_what_their_areas_cover_and_count_people():
    land = ground(FOUR)
    labels = np.array(["South", "North", None, "North"], dtype=object)
    shapes = outlines_of(labels, land)
    assert shapes["region"].tolist() == ["North", "South"]
    assert shapes["areas"].tolist() == [2, 1]
    assert shapes["people"].tolist() == [1_300, 900]
    assert shapes.geometry.area.to_numpy() == pytest.approx(
        [land.cells[1].area + land.cells[3].area, land.cells[0].area]
    )
