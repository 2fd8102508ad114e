"""Regions that are given: what cropping, columns and cutoffs make of areas, against plain lists; and odd columns."""

from __future__ import annotations

import csv
import io
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.reference.regions as slow
from anonlib.analyses.regions import (
    CUTOFFS,
    AreaClasses,
    Grouping,
    aggregate,
    as_they_are,
    given_regions,
    grouped_by,
    grouped_by_records,
    joined_above,
)
from anonlib.analyses.regions.clustering import adjacent_sites
from anonlib.analyses.regions.exchange import exchange
from anonlib.dataset import Dataset
from anonlib.release.export import released_csv
from anonlib.release.from_analyses import protected, steps_of_aggregation
from anonlib.release.recipe import Recipe
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.regions import sample_province
from tests.reference.regions import areas_at, classes_at

SQUARE = [(0.0, 0.0), (3.0, 0.0), (0.0, 4.0), (3.0, 4.0), (9.0, 9.0)]
IDS = [f"A{i}" for i in range(5)]
QI = {"sex": "quasi_identifier", "area": "place"}

records_of = st.lists(st.tuples(st.sampled_from(IDS), st.sampled_from("FM")), min_size=1, max_size=30)
people_of = st.lists(st.sampled_from([0, 3, 10, 11, 50]), min_size=5, max_size=5)
labels_of = st.lists(st.sampled_from(["north", "south", "east"]), min_size=5, max_size=5)


def dataset(records: list[tuple], columns=("area", "sex"), **roles: str) -> Dataset:
    return Dataset.from_frame(pd.DataFrame(records, columns=list(columns), dtype=object), roles={**QI, **roles})


# --- groups -----------------------------------------------------------------------------------------------------------


def test_the_last_three_characters_of_postal_codes_are_left_off():
    """Section 2.2: cropping removes the last three characters of a postal code."""
    codes = ["K1S5B6", "K1S2A1", "L1H7K4"]
    assert grouped_by("code", codes, len(codes[0]) - 3).labels.tolist() == ["K1S", "K1S", "L1H"]
    assert grouped_by("code", codes, 3).name == "code, first 3 characters"
    assert grouped_by("code", codes, 1).name == "code, first 1 character"


@given(st.lists(st.text("ab1 ", min_size=1, max_size=4).filter(str.strip), min_size=1, max_size=12), st.integers(1, 5))
def test_groups_are_those_of_the_first_characters_and_lie_in_one_another(codes, characters):
    fine, coarse = (grouped_by("code", codes, n).labels.tolist() for n in (characters + 1, characters))
    assert coarse == [code.strip()[:characters].strip() for code in codes]
    assert all(len({b for a, b in zip(fine, coarse, strict=True) if a == label}) == 1 for label in fine)
    assert grouped_by("code", codes).labels.tolist() == [code.strip() for code in codes]


def test_a_column_with_blanks_groups_no_areas():
    for blank in (None, "", "  ", float("nan")):
        with refused("value-missing", "municipality") as error:
            grouped_by("municipality", ["Carp", blank, "Kanata"])
        assert "blank in row 2" in str(error.value)
    with refused("number-out-of-range"):
        grouped_by("municipality", ["Carp"], 0)


@given(st.lists(st.tuples(st.sampled_from([*IDS, "elsewhere", None]), st.sampled_from(["u", "v", " u ", None, ""])),
                min_size=1, max_size=12))  # fmt: skip
def test_a_column_of_the_records_groups_areas_whose_records_agree(records):
    areas = areas_at(SQUARE)
    data = dataset([("F", *row) for row in records], ("sex", "area", "town"))
    found = grouped_by_records(areas, data, "area", "town")
    values = {i: {(town or "").strip() for area, town in records if area == i} - {""} for i in IDS}
    named = {i: min(of) for i, of in values.items() if of}
    if any(len(of) > 1 for of in values.values()) or len(set(named.values())) < 2:
        assert found is None
        return
    assert found is not None and found.guessed == len(IDS) - len(named)
    at = dict(zip(IDS, map(np.array, SQUARE), strict=True))
    for area, label in zip(IDS, found.labels.tolist(), strict=True):
        near = {other: np.hypot(*(at[other] - at[area])) for other in named}
        assert label in {named[other] for other in near if near[other] == pytest.approx(min(near.values()))}


def test_a_column_of_more_values_than_areas_groups_none():
    """It is not even paired with the areas: in a database that would fetch every record."""
    data = dataset([("F", "A0", f"t{i}") for i in range(7)], ("sex", "area", "town"))
    assert grouped_by_records(areas_at(SQUARE), data, "area", "town") is None


def test_a_column_of_records_in_an_engine_groups_areas_as_well(engine):
    columns = {"area": ["A0", "A1", "A1", "A2", None], "town": ["x", "x", None, "y", "z"], "sex": list("FMFMF")}
    found = grouped_by_records(areas_at(SQUARE[:4]), Dataset.from_ibis(engine.table(columns)), "area", "town")
    assert found is not None and found.labels.tolist() == ["x", "x", "y", "y"] and found.guessed == 1


# --- regions ----------------------------------------------------------------------------------------------------------


@given(records_of, people_of, labels_of, st.sampled_from([0, 3, 10, 13, 50, 1_000]), st.integers(1, 5))
@settings(max_examples=200)
def test_measures_and_release_are_those_of_the_records(records, people, labels, cutoff, k):
    """A region that does not exceed the cutoff loses all its records, and k is asked for in the others."""
    areas = areas_at(SQUARE, people)
    data = dataset(records)
    counted = AreaClasses.from_records(areas, data, "area")
    made = given_regions(counted, grouped_by("part", labels), k, cutoff=cutoff)
    region_of = dict(zip(IDS, labels, strict=True))
    held = Counter()
    for label, number in zip(labels, people, strict=True):
        held[label] += number
    small = {label for label in labels if cutoff and held[label] <= cutoff}
    plain = [(area, (sex,)) for area, sex in records]
    sizes = slow.sizes_in(plain, region_of)
    kept = [row for row in plain if sizes[region_of[row[0]], row[1]] >= k and region_of[row[0]] not in small]
    found = made.measures
    assert (found.regions, found.withheld) == (len(set(labels)), len(small))
    assert found.left_out == len(records) - len(kept)
    assert found.discernibility == sum(sizes[region_of[area], values] for area, values in kept)
    points = dict(zip(IDS, SQUARE, strict=True))
    assert found.compactness == pytest.approx(slow.compactness(points, region_of)), "of all areas, whatever leaves"
    assert found.entropy == pytest.approx(slow.entropy(plain, region_of), abs=1e-9)
    assert sorted(made.names.tolist()) == sorted(set(labels)) and made.method == "given"
    table = made.area_table().set_index("area")["region"]
    assert table.dropna().to_dict() == {i: label for i, label in region_of.items() if label not in small}
    assert dict(zip(made.names, made.left_out.tolist(), strict=True)) == {
        label: sum(region_of[area] == label for area, _ in plain) - sum(region_of[area] == label for area, _ in kept)
        for label in set(labels)
    }  # fmt: skip
    assert made.releases_nothing == (small == set(labels))
    if made.releases_nothing:
        with refused("choice-missing"):
            steps_of_aggregation(made)
    elif kept:
        file = released_csv(protected(data, Recipe(), made)).decode("utf-8-sig")
        leaves = list(csv.DictReader(io.StringIO(file)))
        assert made.spatial.fewest_people == min(held[row["area"]] for row in leaves)
        assert Counter((row["area"], row["sex"]) for row in leaves) == Counter(
            (region_of[area], sex) for area, (sex,) in kept
        )


def test_the_fixed_cutoffs_are_the_papers_and_must_be_exceeded():
    """Section 2.2: 100,000 (US), 70,000 (Statistics Canada) and 120,000 (British Census)."""
    assert sorted(CUTOFFS) == [70_000, 100_000, 120_000]
    for cutoff in CUTOFFS:
        areas = classes_at(SQUARE[:3], [[9], [9], [9]], [cutoff - 1, cutoff, cutoff + 1])
        assert given_regions(areas, as_they_are(areas.areas), 5, cutoff=cutoff).left_out.tolist() == [9, 9, 0]


@given(people_of, labels_of, st.sampled_from([1, 10, 20, 60, 200]))
def test_groups_are_joined_whole_until_each_exceeds_the_cutoff(people, labels, cutoff):
    areas, before = areas_at(SQUARE, people), grouped_by("part", labels)
    joined = joined_above(areas, before, cutoff)
    held = Counter()
    for label, number in zip(joined.labels.tolist(), people, strict=True):
        held[label] += number
    assert len(held) == 1 or min(held.values()) > cutoff
    assert all(len({b for a, b in zip(labels, joined.labels, strict=True) if a == label}) == 1 for label in labels)
    enough = Counter()
    for label, number in zip(labels, people, strict=True):
        enough[label] += number
    if min(enough.values()) > cutoff:
        assert joined.n_groups == before.n_groups, "nothing is joined that need not be"
    counted = classes_at(SQUARE, [[9]] * 5, people)
    assert given_regions(counted, joined, 5, cutoff=cutoff).releases_nothing == (sum(people) <= cutoff)


def test_areas_are_joined_with_those_beside_them():
    rng = np.random.default_rng(5)
    points, people = rng.uniform(0, 100, (80, 2)), rng.integers(400, 700, 80)
    areas = areas_at(points, people)
    labels = joined_above(areas, as_they_are(areas), 3_000).labels
    first, other = adjacent_sites(points)
    for name in set(labels):
        inside = set(np.flatnonzero(labels == name).tolist())
        reached, border = set(), {min(inside)}
        while border:
            reached |= border
            border = {j for i in border for j in other[first[i] : first[i + 1]].tolist() if j in inside} - reached
        assert reached == inside


def test_cutoffs_need_people():
    areas = classes_at(SQUARE, [[9]] * 5)
    for ask in (
        lambda: given_regions(areas, as_they_are(areas.areas), 5, cutoff=70_000),
        lambda: joined_above(areas.areas, as_they_are(areas.areas), 70_000),
    ):
        with refused("population-missing"):
            ask()
    with refused("number-out-of-range"):
        given_regions(areas, as_they_are(areas.areas), 5, cutoff=-1)
    assert given_regions(areas, as_they_are(areas.areas), 5).measures.withheld == 0


def test_what_is_withheld_or_named_otherwise_is_another_aggregation():
    areas = classes_at(SQUARE, [[9]] * 5, [10, 20, 30, 40, 50])
    parts = grouped_by("part", ["a", "a", "b", "b", "b"])
    renamed = Grouping("part", np.array(["c", "c", "d", "d", "d"], dtype=object))
    made = [given_regions(areas, parts, 5), given_regions(areas, parts, 5, cutoff=30), given_regions(areas, renamed, 5)]
    assert len({each.key for each in made}) == 3 and len({each.shape_key for each in made}) == 1
    assert parts.key != renamed.key


# --- what the document measures ---------------------------------------------------------------------------------------


def test_what_is_given_leaves_out_more_than_ours_at_as_many_regions():
    """The table of ``docs/analyses/regions.md``: the sample, k = 5."""
    counted, towns = sample_province()
    municipality = grouped_by("municipality", towns)
    measured = {
        "cropped": given_regions(counted, grouped_by("area", counted.areas.ids, 4), 5),
        "municipality": given_regions(counted, municipality, 5),
        "above": given_regions(counted, municipality, 5, cutoff=70_000),
        "joined": given_regions(counted, joined_above(counted.areas, as_they_are(counted.areas), 70_000), 5),
    }
    for regions in (151, 18, 7):
        measured[f"balanced {regions}"] = aggregate(counted, 5, number=regions)
        measured[f"exchanged {regions}"] = exchange(measured[f"balanced {regions}"])
    table = {
        name: (
            each.n_regions, f"{each.measures.share_left_out:.2%}", f"{each.measures.compactness / 1e6:.1f}",
            f"{each.measures.discernibility / 1e6:.1f}", f"{each.measures.entropy / 1e3:.0f}",
            each.spatial.fewest_people, f"{each.spatial.area_guessed or 0:.1%}",
        )
        for name, each in measured.items()
    }  # fmt: skip
    assert table == {
        "cropped": (151, "7.46%", "13.0", "1.7", "197", 550, "11.9%"),
        "balanced 151": (151, "7.59%", "6.5", "1.8", "202", 1_339, "12.1%"),
        "exchanged 151": (151, "4.93%", "6.2", "1.7", "200", 1_953, "12.2%"),
        "municipality": (18, "1.13%", "13.5", "24.6", "408", 9_383, "1.4%"),
        "above": (18, "54.93%", "13.5", "18.5", "408", 77_570, "0.5%"),
        "balanced 18": (18, "1.04%", "18.2", "15.1", "387", 20_275, "1.4%"),
        "exchanged 18": (18, "0.71%", "17.2", "14.2", "384", 27_713, "1.4%"),
        "joined": (7, "0.19%", "33.1", "34.0", "464", 82_771, "0.6%"),
        "balanced 7": (7, "0.22%", "37.3", "38.5", "470", 41_383, "0.5%"),
        "exchanged 7": (7, "0.17%", "35.5", "36.6", "467", 58_082, "0.6%"),
    }
    assert measured["above"].measures.withheld == 15


def test_fixed_cutoffs_leave_out_everybody_where_areas_are_small():
    """Section 2.2: whole regions are removed, and the file is highly censored."""
    counted, _ = sample_province()
    for cutoff in CUTOFFS:
        found = given_regions(counted, as_they_are(counted.areas), 5, cutoff=cutoff)
        assert found.releases_nothing and found.measures.share_left_out == 1
        assert (found.spatial.fewest_people, found.spatial.area_guessed) == (None, None)
