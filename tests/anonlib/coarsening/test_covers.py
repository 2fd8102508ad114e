"""Which values a label covers by what is written: every kind of label, and against the hierarchies that write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.coarsening.covers import covers_as_written
from anonlib.coarsening.hierarchies import Hierarchy, dates, from_labels, intervals, masking
from tests.helpers.examples import settings


def covered(values: list[str], label: str, *hierarchies: Hierarchy) -> list[str] | None:
    """The values that one label among theirs covers; None where nothing reads it."""
    found = covers_as_written(values, [*values, label] if label not in values else values, hierarchies)
    place = values.index(label) if label in values else len(values)
    inside = [value for value, covers in zip(values, found.covers[:, place], strict=True) if covers]
    return inside if found.is_read[place] else None


AGES = ["7", "18", "34", "65", "90"]
DAYS = ["2021-03-12", "2021-04-01", "2020-12-31"]
DECIMALS = ["69.5", "70", "79.5", "80"]


@pytest.mark.parametrize(
    ("values", "label", "expected"),
    [
        (AGES, "34", ["34"]),
        (AGES, "*", AGES),
        (AGES, "*****", AGES),
        (AGES, "18-65", ["18", "34", "65"]),
        (AGES, "[18, 65)", ["18", "34"]),
        (AGES, "(18,65]", ["34", "65"]),
        (AGES, "<18", ["7"]),
        (AGES, "65+", ["65", "90"]),
        (AGES, ">89", ["90"]),
        (AGES, "18.0", ["18"]),
        (AGES, "33", []),  # read, and nobody's
        (AGES, "adult", None),
        (AGES, "7, 18", ["7", "18"]),
        (AGES, "7, old", None),
        (DECIMALS, "70-79", ["70", "79.5"]),
        (["02138", "02139", "10001"], "021**", ["02138", "02139"]),
        (["02138", "02139", "10001"], "**138", ["02138"]),
        (["02138", "02139", "10001"], "2000-3000", None),  # codes are no amounts
        (DAYS, "2021", DAYS[:2]),
        (DAYS, "2021-03", DAYS[:1]),
        (DAYS, "2021Q1", DAYS[:1]),
        (DAYS, "12.03.2021", DAYS[:1]),
        (DAYS, "2019", []),
        (["30-34", "35-39", "40-44"], "30-39", ["30-34", "35-39"]),
        (["Asian", "Black", "White"], "Asian, Black", ["Asian", "Black"]),
        (["Asian", "Black", "White"], "{Black|White}", ["Black", "White"]),
        (["Asian", "Black", "White"], "Other", None),
        (["A*", "B"], "A*", ["A*"]),  # a value that looks like a mask
    ],
)
def test_a_label_covers_what_can_have_got_it(values, label, expected):
    assert covered(values, label) == expected


def test_labels_of_a_known_hierarchy_are_known():
    races = ["Asian", "Black", "White"]
    grouped = from_labels(races, [["not White", "not White", "White"]])
    assert covered(races, "not White") is None and covered(races, "not White", grouped) == races[:2]
    strange = from_labels(["Green"], [["?"]])  # does not fit the values, and is passed over
    assert covered(races, "?", strange) is None


WRITTEN = {
    "ages": (intervals([5, 10], top_group=90), [str(age) for age in range(0, 120, 7)]),
    "halves": (intervals([1, 2]), [f"{number / 2:g}" for number in range(12)]),
    "zips": (masking(5), ["02138", "02139", "02999", "10001", "90210"]),
    "days": (dates(["month", "quarter", "year"]), [*DAYS, "2021-03-30", "2019-02-28"]),
}  # fmt: skip


@settings(max_examples=60)
@given(st.sampled_from(sorted(WRITTEN)), st.data())
def test_what_a_hierarchy_writes_is_read_as_it_is_meant(kind, data):
    """Without the hierarchy at hand, from the text alone, labels of all levels standing side by side."""
    hierarchy, all_values = WRITTEN[kind]
    values = data.draw(st.lists(st.sampled_from(all_values), min_size=2, unique=True))
    levels = hierarchy.on(values)
    at = data.draw(st.lists(st.integers(0, levels.n_levels - 1), min_size=len(values), max_size=len(values)))
    labels = list(dict.fromkeys(levels.label(level)[i] for i, level in enumerate(at)))
    found = covers_as_written(values, labels)
    assert found.is_read.all()
    for i in range(len(values)):
        for j, label in enumerate(labels):
            meant = any(levels.label(level)[i] == label for level in range(levels.n_levels))
            assert found.covers[i, j] == meant, (values[i], label)
