"""What the values of an interval are released as, and how an interval is written."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.frontier.domains import safe_harbor_order
from tests.helpers.examples import settings
from tests.helpers.policy_spaces import space_of_values as space_of
from tests.reference.frontier import table

FEW = settings(max_examples=40)


@pytest.mark.parametrize(
    ("values", "bits", "labels"),
    [
        (["30", "31", "34", "35"], [0, 0, 1], ["30-34", "35"]),
        (["-2", "-1", "3"], [0, 0], ["-2 to 3"]),
        (["0.5", "1.5", "2"], [1, 0], ["0.5", "1.5-2"]),
        (["00501", "02138", "02139"], [1, 0], ["00501", "02138-02139"]),
        (["0012", "0130"], [0], ["0012-0130"]),
        (["2024-01-05", "2024-02-01"], [0], ["2024-01-05 to 2024-02-01"]),
        (["Asian", "Black", "White"], [0, 1], ["Asian or Black", "White"]),
        (["a", "b", "c", "d", "e"], [0, 0, 0, 1], ["a, b and 2 others", "e"]),
        (["a", "b", "c", "d", "e", None], [1, 0, 0, 0, 0], ["a", "b, c and 2 others or missing"]),
        (["20-29", "30-39", "40+"], [0, 0], ["20+"]),
        (["<5", "5-9", "10-14", "90+"], [0, 1, 1], ["<10", "10-14", "90+"]),
        (["[70-80)", "[80-90)", "[90-100)", None], [0, 1, 1], ["[70-90)", "[90-100)", None]),
        (["85", "86", "87-89", "90+"], [0, 0, 1], ["85-89", "90+"]),
        (["85", "86", "90+"], [0, 1], ["85-86", "90+"]),
        (["1", "2", None], [0, 1], ["1-2", None]),
        (["1", "2", None], [1, 0], ["1", "2 or missing"]),
        (["a", "b", "c", "d", None], [1, 0, 0, 0], ["a", "b or c or d or missing"]),
        (["A04.7", "B18.2", "C18.7", "D50.9", "E11.9"], [0, 0, 1, 0], ["A04.7-C18.7", "D50.9-E11.9"]),
        ([None], [], [None]),
    ],
)
def test_labels(values: list, bits: list[int], labels: list) -> None:
    space = space_of(values)
    assert space.domains[0].labels(space.intervals(np.array(bits, dtype=bool), 0)) == labels


def test_an_order_that_is_no_scale_names_its_values() -> None:
    space = space_of(["1", "2", "3", "4"], order={"a": ["3", "1", "4", "2"]})
    assert space.domains[0].labels([(0, 1), (2, 3)]) == ["3 or 1", "4 or 2"]
    assert space.domains[0].labels([(0, 2), (3, 3)]) == ["3 or 1 or 4", "2"]


@pytest.mark.parametrize(
    ("values", "label"),
    [
        (["a", "b"], "*"),
        (["a", "b", "c", "d", None], "*"),
        (["a", None], "*"),
        (["*", "a"], "**"),
        (["*", "**", None], "***"),
        (["17", "35", "90"], "17-90"),
        (["17", "90", None], "17-90 or missing"),
        (["2024-01-05", "2024-02-01"], "2024-01-05 to 2024-02-01"),
        (["02138", "02139"], "02138-02139"),
        (["*"], "*"),
        ([None], None),
    ],
)
def test_all_names_together_are_a_star_and_a_scale_has_its_ends(values: list, label: str | None) -> None:
    space = space_of(values)
    whole = space.intervals(space.top, 0)
    assert space.domains[0].labels(whole) == [label]
    assert space.domains[0].label_of(whole) == dict.fromkeys(values, label)
    released = space.domains[0].value_map(whole)
    if released.beyond:  # the step's ends are open, and there are two
        label = "*"
    assert [*released.labels([value for value in values if value])] == [label for value in values if value]
    assert released.missing == (label if None in values else None)


@pytest.mark.parametrize(
    ("values", "cuts", "expected"),
    [
        (["17", "24", "25", "81", "82", "90"], (2, 4), ["<25", "<25", "25-81", "25-81", "82+", "82+"]),
        (["17", "18", "19", "90"], (1, 3), ["<18", "18-19", "18-19", "90+"]),
        (["17", "18", "90", None], (1,), ["<18", "18+ or missing", "18+ or missing"]),
        (["1.5", "2", "3.5"], (2,), ["≤2", "≤2", "3.5+"]),
        (["-5", "-3", "0"], (1,), ["<-4", "≥-3", "≥-3"]),
        (["2020-01-01", "2020-03-01", "2022-01-01"], (2,), ["≤2020-03-01", "≤2020-03-01", "≥2022-01-01"]),
        (["37201", "37202", "37401"], (2,), ["37201-37202", "37201-37202", "37401"]),
        (["20-24", "25-29", "30-34"], (2,), ["20-29", "20-29", "30-34"]),
        (["red", "blue", "green"], (1,), ["blue", "green or red", "green or red"]),
    ],
)
def test_a_step_s_intervals_at_the_ends_of_numbers_and_dates_are_open(values, cuts, expected) -> None:
    space = space_of(values)
    policy = space.top.copy()
    policy[[cut - 1 for cut in cuts]] = True
    released = space.recode(policy)["a"]
    ordered = [value for value in space.domains[0].values if value is not None]
    assert [*released.labels(ordered)] == expected


def test_zip_codes_in_no_order_of_numbers_are_a_star_together() -> None:
    zips = ["37010", "03601", "99901"]
    space = space_of(zips, order={"a": safe_harbor_order(zips)})
    assert space.domains[0].values == ("03601", "37010", "99901") and space.domains[0].label(0, 2) == "03601-99901"
    space = space_of(zips, order={"a": zips}, population=table([(value,) for value in [*zips, "50000"]], ("a",)))
    assert space.recode(space.top)["a"].labels(zips).tolist() == ["*"] * 3
    assert space.domains[0].label(0, 1) == "37010 or 03601"


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["-2", "-1", "3"], "[-2 to 3]"),
        (["2024-01-05", "2024-02-01", None], "[2024-01-05 to (missing)]"),
        (["Asian", "Asian-Pacific"], "[Asian to Asian-Pacific]"),
        (["17", "20"], "[17-20]"),
    ],
)
def test_the_notation_tells_where_an_interval_ends(values: list, expected: str) -> None:
    space = space_of(values)
    assert space.describe(space.top) == {"a": expected}


ODD = ["A", "B", "C", "A or B", "A to B", "B or C", "A or B or C", "C or missing", "A or B*", "A to C", "D", None]


@FEW
@given(st.permutations(ODD), st.lists(st.booleans(), min_size=11, max_size=11))
def test_no_label_is_that_of_another_interval_or_value(order: list, bits: list[bool]) -> None:
    space = space_of(ODD, order={"a": order})
    intervals = space.intervals(np.array(bits), 0)
    labels = space.domains[0].labels(intervals)
    assert len(set(labels)) == len(intervals)
    for (first, last), label in zip(intervals, labels, strict=True):
        if first < last:
            assert label not in ODD
        else:
            assert label == space.domains[0].values[first]
    assert space.recoded(np.array(bits)).n_classes == len(intervals)
