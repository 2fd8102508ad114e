"""Which values a label covers by what is written: every kind of label, and against the hierarchies that write them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.coarsening.covers import LabelCovers, covers_as_written
from anonlib.coarsening.hierarchies import Hierarchy, dates, from_labels, intervals, masking
from anonlib.counting.classes.rows_of_persons import ValueSet
from tests.helpers.examples import settings


def pairs(covers: LabelCovers) -> np.ndarray:
    """bool, values x labels."""
    start, label = covers.with_all
    table = np.zeros((len(start) - 1, len(covers.is_read)), dtype=bool)
    table[np.repeat(np.arange(len(start) - 1), np.diff(start)), label] = True
    return table


def covered(values: list[str], label: str, *hierarchies: Hierarchy) -> list[str] | None:
    """The values that one label among theirs covers; None where nothing reads it."""
    found = covers_as_written(values, [*values, label] if label not in values else values, hierarchies)
    place = values.index(label) if label in values else len(values)
    inside = [value for value, covers in zip(values, pairs(found)[:, place], strict=True) if covers]
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
            assert pairs(found)[i, j] == meant, (values[i], label)


# ---- against plain code, and many at once ----

TEXTS = ["30", "31", "31.0", "42", "30-39", "40-49", "<35", "40+", "[30, 42)", "3*", "**", "*", "30, 42", "x", " 30"]
PLAIN = {
    "30-39": lambda number: 30 <= number < 40, "40-49": lambda number: 40 <= number < 50,
    "<35": lambda number: number < 35, "40+": lambda number: number >= 40, "[30, 42)": lambda number: 30 <= number < 42,
}  # fmt: skip
PLAIN_VALUES = ["30", "31", "42", "39.5"]


def is_true(label: str | None, value: str | None, values: list[str | None], labels: list[str | None]) -> bool:
    """One label and one value, by hand."""
    if label in ("*", "**") or (label is None and None not in values):
        return True
    if label is None or value is None or label == value:
        return label is value if None in (label, value) else True
    if label in values:
        return False
    if label == " 30":
        return value == "30"
    if label in PLAIN:
        return PLAIN[label](float(value))
    if label == "3*":
        return value.startswith("3")
    if label == "30, 42":
        return value in ("30", "42") and {"30", "42"} <= {*values}
    return label == "31.0" and value == "31"


@settings(max_examples=200)
@given(
    st.lists(st.sampled_from([*PLAIN_VALUES, None]), unique=True),
    st.lists(st.sampled_from([*TEXTS, None]), unique=True),
)
def test_what_is_true_against_plain_code_and_the_narrowest_first(values, labels):
    found = covers_as_written(values, labels)
    expected = [[is_true(label, value, values, labels) for label in labels] for value in values]
    assert pairs(found).tolist() == expected
    everything = [label in ("*", "**") or (label is None and None not in values) for label in labels]
    assert found.of_all.tolist() == everything
    n_covered = np.sum(np.array(expected).reshape(len(values), len(labels)), axis=0)
    for i, value in enumerate(values):
        its_labels = found.label[found.start[i] : found.start[i + 1]].tolist()
        keys = [(labels[j] != value, n_covered[j]) for j in its_labels]
        assert keys == sorted(keys) and found.narrowest[i] == (its_labels[0] if its_labels else -1)


def test_the_shortest_of_ranges_that_cover_as_many_is_the_narrowest():
    found = covers_as_written(["3"], ["1-9", "2-4", "0+"])
    assert found.label.tolist() == [1, 0, 2]


def test_ranges_of_codes_have_as_many_digits_and_dates_may_begin_with_their_label():
    codes = ["02138", "02139", "10001"]
    assert covered(codes, "02000-02999") == codes[:2] and covered(codes, "[02139,10001]") == codes[1:]
    times = ["2024-03-17T11:00", "2024-03-18 09:30", "then"]
    assert covered(times, "2024-03-17") == times[:1] and covered(times, "2024") == times[:2]


def test_sets_of_the_values_of_persons_are_the_same_or_not():
    both = ValueSet.of(("a", "b"), " | ")
    found = covers_as_written(["a", "b"], [both, "a | b"])
    assert pairs(found).tolist() == [[False, True], [False, True]] and found.is_read.all()
    assert pairs(covers_as_written(["a", both], [both, "a*"])).tolist() == [[False, True], [True, False]]


def test_columns_of_many_values_and_labels():
    """Every pair at once would take gigabytes. Of ranges that hold too many values it is known which are not read."""
    values = [str(number) for number in range(20_000)]
    found = covers_as_written(values, [*values[5_000:], *(f"{number}-{number + 9}" for number in range(0, 20_000, 10))])
    assert len(found.label) == 15_000 + 20_000 and found.is_read.all()
    wide = covers_as_written(values, [f"{number} to 30000" for number in range(1_000)])
    n = int(wide.is_read.sum())
    assert 0 < n < 1_000 and len(wide.label) == sum(20_000 - number for number in range(n)) <= 5_000_000
