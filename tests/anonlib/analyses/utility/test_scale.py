"""Labels as places on a scale, and the label that a number lies in."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.utility.scale import label_holding, on_scale
from anonlib.coarsening.recoding import DateUnit, Intervals, Mask
from tests.helpers.examples import settings


@pytest.mark.parametrize(
    ("labels", "places"),
    [
        (["20-29", "30-39", "<20", "90+"], [24.5, 34.5, 20, 90]),
        (["-5 to -1", "0 to 4"], [-3, 2]),
        (["[30, 35)", "[35, 40)", "*"], [32.5, 37.5, np.nan]),
        (["[30, 35[", "[35, 40]"], [32.5, 37.5]),
        (["34", "7", "1.5"], [34, 7, 1.5]),
        (["≥60", "<=3"], [60, 3]),
        (["1970-01-02", "1970-02"], [1, 31]),
        (["1970-Q2", "1970-Q1"], [90, 0]),
        (["2023", "2024"], [2023, 2024]),
        (["1970-H1", "H2 1970", "Q2 1970"], [0, 181, 90]),
        (["[70-80)", "80 and over", "60 to 69 years"], [75, 80, 64.5]),
    ],
)
def test_labels_on_a_scale(labels, places):
    assert on_scale(labels) == pytest.approx(np.array(places), nan_ok=True, rel=1e-9)


@pytest.mark.parametrize("labels", [["a", "1"], ["02138", "02139"], ["*"], [], ["021**"], ["39-30"], ["1 day"]])
def test_labels_on_no_scale(labels):
    assert on_scale(labels) is None


@settings(max_examples=200)
@given(
    st.lists(st.integers(-50, 200), min_size=1, max_size=12, unique=True),
    st.builds(Intervals, st.sampled_from([1.0, 5.0, 7.0]), st.just(0.0), st.just(0.0) | st.none(), st.just(90.0))
    | st.just(Intervals(cuts=(10.0, 30.0))),
)
def test_a_number_lies_in_the_label_that_recoding_gives_it(numbers, recoding):
    """And labels stand in the order of the numbers in them."""
    values = [str(number) for number in numbers]
    given = recoding.labels(values).tolist()
    labels = sorted(set(given))
    held = label_holding([value for value in values if value not in labels], labels)
    assert [labels[i] for i in held] == [
        label for value, label in zip(values, given, strict=True) if value not in labels
    ]
    places = on_scale(labels)
    assert places is not None
    ordered = [labels.index(given[i]) for i in np.argsort(numbers)]
    assert (np.diff(places[ordered]) >= 0).all()


def test_masks_and_dates_hold_the_values_that_begin_so():
    assert label_holding(["02139", "90210", "x"], Mask(3).labels(["02138"])).tolist() == [0, -1, -1]
    assert label_holding(["2024-03-18", "2023-01-01"], DateUnit("month").labels(["2024-03-17"])).tolist() == [0, -1]
    days = DateUnit("day").labels(["2024-03-17 09:30"])
    assert label_holding(["2024-03-17T11:00", "2024-03-18 09:30"], days).tolist() == [0, -1]
    assert label_holding(["2024-03-18"], DateUnit("year").labels(["2024-01-01"])).tolist() == [0]
    assert label_holding(["3"], ["1-9", "2-4"]).tolist() == [1], "the narrowest"
    assert label_holding(["3"], []).tolist() == [-1]
