"""Values that few have, put together: against counting the persons of every label."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy, Holders, all_into, intervals, merged_rare, rare, tree
from tests.helpers.examples import settings

WARDS = {"cardiology": 30, "oncology": 9, "urology": 6, "burns": 3, "hernia": 1}


def merged(counts: dict[str, int], k: int, hierarchy: Hierarchy | None = None) -> dict[str, str]:
    values = list(counts)
    levels = (hierarchy or all_into("other")).on(values)
    return dict(zip(values, merged_rare(levels, Holders.of_records(np.array([*counts.values()])), k), strict=True))


def test_the_rare_are_one_and_the_rarest_of_the_others_joins_where_they_are_too_few():
    others = {ward for ward, label in merged(WARDS, 4).items() if label == "other"}
    assert others == {"burns", "hernia"}
    assert {ward for ward, label in merged(WARDS, 5).items() if label == "other"} == {"burns", "hernia", "urology"}
    assert merged(WARDS, 2) == {ward: "other" if ward in ("hernia", "burns") else ward for ward in WARDS}
    assert set(merged(WARDS, 100).values()) == {"other"}, "the whole column is below k"
    assert merged({"a": 5, "b": 7}, 5) == {"a": "a", "b": "b"}


def test_along_a_hierarchy_what_is_near_comes_first():
    organs = tree({"heart": ("chest",), "lung": ("chest",), "liver": ("belly",), "gut": ("belly",), "hand": ("limb",)})
    found = merged({"heart": 3, "lung": 2, "liver": 9, "gut": 1, "hand": 1}, 5, organs)
    assert found == {"heart": "*", "lung": "*", "liver": "liver", "gut": "*", "hand": "*"}, "two alone would be too few"
    assert merged({"heart": 3, "lung": 2, "liver": 9, "gut": 5, "hand": 6}, 5, organs)["lung"] == "chest"
    ages = {"21": 9, "23": 1, "27": 4, "71": 2, "78": 9}
    assert merged(ages, 5, intervals((5, 10))) == {
        "21": "21",
        "23": "20-29",
        "27": "20-29",
        "71": "70-79",
        "78": "70-79",
    }


ROWS = st.lists(
    st.tuples(st.sets(st.integers(0, 9), min_size=1, max_size=3), st.integers(1, 6)), min_size=1, max_size=14
)


@settings(max_examples=300)
@given(ROWS, st.integers(1, 9), st.integers(0, 2))
def test_no_label_is_left_to_fewer_than_k(rows, k, way):
    """Persons may have several values; a label is below k only where the whole column is."""
    values = [str(i) for i in range(10)]
    pairs = [(value, group) for group, (members, _) in enumerate(rows) for value in members]
    found = np.array(pairs).reshape(-1, 2)
    holders = Holders(found[:, 0], found[:, 1], np.array([n for _, n in rows]))
    grouped = Hierarchy((intervals((2,), top=False).recodings[0], intervals((6,), top=False).recodings[0], EVERYTHING))
    levels = [all_into("other"), grouped, intervals((5,), top=False)][way].on(values)
    labels = merged_rare(levels, holders, k)

    def persons(label: str) -> int:
        members = {i for i, each in enumerate(labels) if each == label}
        return sum(n for held, n in rows if held & members)

    held = {value for members, _ in rows for value in members}
    whole = sum(n for _, n in rows)
    for i in held:
        assert persons(labels[i]) >= min(k, whole)
    common = [i for i in held if sum(n for members, n in rows if i in members) >= k]
    changed = [i for i in common if labels[i] != values[i]]
    if way == 0:
        assert len(changed) <= 1, "at most one joins"
    if len(common) == len(held):
        assert not changed


@given(st.dictionaries(st.sampled_from("abcdefghij"), st.integers(1, 30), min_size=3),
       st.lists(st.integers(2, 40), min_size=1, max_size=3, unique=True).map(sorted))  # fmt: skip
def test_levels_of_the_rare_are_nested_and_take_what_they_do_not_name(counts, least):
    values = list(counts)
    hierarchy = rare([*values, None], [*counts.values(), 3], least)
    levels = hierarchy.on([*values, None, "new"])
    for level, number in enumerate(least, start=1):
        labels = levels.label(level)
        assert labels[-1] == "other" and labels[-2] is None
        together = sum(n for n, label in zip(counts.values(), labels, strict=False) if label == "other")
        assert together == 0 or together >= min(number, sum(counts.values()))
        apart = [n for n, label in zip(counts.values(), labels, strict=False) if label != "other"]
        assert all(n >= number for n in apart)


def test_what_cannot_be_asked_is_refused():
    for least, other in (((), "x"), ((5, 5), "x"), ((9, 5), "x"), ((1,), "x"), ((5,), " ")):
        with pytest.raises(InputError):
            rare(["a", "b"], [1, 2], least, other=other)
