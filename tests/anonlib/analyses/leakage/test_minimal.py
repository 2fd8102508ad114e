"""Alerts: the smallest sets past a limit, against trying every set; and what became of sets in a release."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import log2, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.leakage import (
    Alert,
    Alerts,
    alerts,
    alerts_in,
    compare_alerts,
    compare_leakage,
    information_loss,
)  # fmt: skip
from tests.helpers.errors import refused
from tests.reference.individuals import tables
from tests.reference.leakage import class_table, reference

LIMITS = st.sampled_from([0.0, 0.2, 1 / 3, 0.5, 0.8, 0.95, 1.0])


# --- alerts ---------------------------------------------------------------------------------------------------------


def slow_alerts(
    rows: Sequence[tuple], n_columns: int, largest: int, average: float, worst: float, smallest: int
) -> dict[tuple[int, ...], set[str]]:
    """Every set past a threshold of which no proper part is, with what it is past."""
    past: dict[tuple[int, ...], set[str]] = {}
    for size in range(1, largest + 1):
        for known in combinations(range(n_columns), size):
            row = reference(rows, [1 / len(rows)] * len(rows), known, smallest)
            tests = {
                "average": row["normalized"] > average + 1e-12,
                "worst": row["worst_normalized"] > worst + 1e-12,
                "smallest": row["smallest"] < smallest,
            }
            if any(tests.values()):
                past[known] = {name for name, is_past in tests.items() if is_past}
    return {known: why for known, why in past.items() if not any(set(part) < set(known) for part in past)}


@given(tables(columns=(1, 4), rows=(1, 9)), st.integers(1, 4), LIMITS, LIMITS, st.integers(1, 5))
def test_alerts_are_minimal_and_complete(table, largest, average, worst, smallest):
    names, rows = table
    found = alerts(class_table(table), average=average, worst=worst, smallest=smallest, max_size=largest)
    expected = slow_alerts(rows, len(names), min(largest, len(names)), average, worst, smallest)
    assert {one.attributes: set(one.reasons) for one in found.alerts} == {
        tuple(names[j] for j in known): why for known, why in expected.items()
    }
    assert list(found.utility_gone) == [
        name for j, name in enumerate(names) if len(rows) == 1 or len({row[j] for row in rows}) == 1
    ]


def test_an_alert_holds_its_measures_and_a_loss_of_nothing_is_no_success():
    rows = [("x", "1", "p"), ("x", "1", "q"), ("x", "2", "p"), ("x", "2", "q")] * 2
    found = alerts(class_table((["a", "b", "c"], rows)), average=0.5, worst=0.5, smallest=4, max_size=3)
    assert found.utility_gone == ("a",)
    assert [one.attributes for one in found.alerts] == [("b", "c")]
    (one,) = found.alerts
    assert one.reasons == ("average", "worst", "smallest")
    assert (one.normalized, one.worst_normalized, one.smallest, one.below_k) == (pytest.approx(2 / 3),) * 2 + (2, 8)
    frame = found.to_frame()
    assert frame["variables"].tolist() == [("b", "c")] and frame["below_k"].tolist() == [8]
    assert alerts_in(information_loss(class_table((["a"], [("x",)] * 3))), average=0, worst=0, smallest=3).alerts == ()


def test_a_limit_that_is_met_is_not_passed():
    rows = [("x", "1"), ("x", "2"), ("y", "1"), ("y", "2")]
    classes = class_table((["a", "b"], rows))
    assert alerts(classes, average=0.5, worst=0.5, smallest=2, max_size=1).alerts == ()
    for limits in ({"average": 0.49}, {"worst": 0.49}, {"smallest": 3}):
        found = alerts(classes, max_size=2, **({"average": 0.5, "worst": 0.5, "smallest": 2} | limits))
        assert [one.attributes for one in found.alerts] == [("a",), ("b",)]
        assert {one.reasons for one in found.alerts} == {tuple(limits)}


# --- before and after -----------------------------------------------------------------------------------------------


def test_what_is_left_of_a_set_is_what_leaks():
    rows = [("x", "1", "p"), ("x", "2", "q"), ("y", "3", "p"), ("y", "4", "p")]
    before = information_loss(class_table((["a", "b", "c"], rows)), max_size=2, k=3)
    after = information_loss(class_table((["a", "b"], [("x", "z"), ("x", "z"), ("y", "z")])), max_size=2, k=3)
    found = compare_leakage(before, after)
    frame = found.to_frame().set_index("variables")
    assert frame["fate"].to_dict() == {
        ("a",): "", ("b",): "utility gone", ("c",): "dropped", ("a", "b"): "", ("a", "c"): "partly dropped",
        ("b", "c"): "utility gone",
    }  # fmt: skip
    alone = after.loss[after.place(["a"])]
    assert frame.loc[[("a", "c")], "loss_after"].item() == alone == pytest.approx(log2(3) - 2 / 3)
    gone = frame.loc[[("c",)]].iloc[0]
    assert (gone["normalized_after"], gone["worst_after"], gone["smallest_after"], gone["below_after"]) == (0, 0, 3, 0)
    assert gone["smallest_before"] == 1 and gone["below_before"] == 1
    np.testing.assert_array_equal(found.normalized_before, before.normalized)
    few = compare_leakage(before, information_loss(class_table((["a"], [("x",)] * 2)), k=3, max_size=2))
    assert few.below_after[few.sets.index(("b",))] == 2, "with nothing known two are still fewer than three"


def test_a_column_that_never_reported_anything_has_no_utility_to_lose():
    table = information_loss(class_table((["a"], [("x",), ("x",)])))
    assert compare_leakage(table, table).fates == ("",)


# --- alerts of two tables -------------------------------------------------------------------------------------------


def of_sets(*sets: str) -> Alerts:
    """Alerts of these sets, each a word of columns of one letter."""
    return Alerts(0.5, 0.9, 5, 3, tuple(Alert(tuple(one), ("average",), 0.6, 0.6, 9, 0) for one in sets), ())


def test_three_alerts_of_which_one_remains_and_seven_appear():
    """Their numbers, 3 and 8, would say that protection made it worse: fewer sets are past a limit than before."""
    found = compare_alerts(of_sets("a", "b", "cd"), of_sets("ac", "ad", "ae", "bc", "bd", "be", "ab", "cd"))
    assert (found.remaining, found.others) == (1, 7)
    assert found.fates == ("gone", "gone", "remains") and set(found.origins) == {"uncovered", "remains"}
    assert found.in_words() == (
        "Of 3 alerts in the original 1 remains and 2 are gone. 7 others appear, which contain one that is gone and "
        "stood for them: they were past a limit in the original too."
    )
    frame = found.to_frame()
    assert len(frame) == 10 and frame["before"].sum() == 3 and frame["after"].sum() == 8


@pytest.mark.parametrize(
    ("before", "after", "fates", "origins", "says"),
    [
        ("a", "a", "remains", "remains", "The one alert in the original remains. No other appears."),
        ("a b", "", "gone gone", "", "All 2 alerts in the original are gone. No other appears."),
        ("", "a", "", "new", "The original has no alert. 1 other appears, which was past no limit in the original."),
        ("ab", "a", "by-fewer", "by-fewer",
         "The one alert in the original is past a limit by fewer columns now. 1 other appears, which is part of an "
         "alert in the original, and was past no limit there by itself."),
        ("a bc cd", "b ae f", "gone by-fewer gone", "by-fewer uncovered new",
         "Of 3 alerts in the original 1 is past a limit by fewer columns now and 2 are gone. 3 others appear: 1 "
         "contains one that is gone and stood for it: it was past a limit in the original too; 1 is part of an alert "
         "in the original, and was past no limit there by itself; 1 was past no limit in the original."),
        ("", "", "", "", "The original has no alert."),
    ],
)  # fmt: skip
def test_what_became_of_alerts_in_words(before, after, fates, origins, says):
    found = compare_alerts(of_sets(*before.split()), of_sets(*after.split()))
    assert " ".join(found.fates).replace("by fewer columns", "by-fewer") == fates
    assert " ".join(found.origins).replace("by fewer columns", "by-fewer") == origins
    assert found.in_words() == says


def test_alerts_of_other_limits_are_not_compared():
    with refused("limits-differ"):
        compare_alerts(of_sets("a"), Alerts(0.4, 0.9, 5, 3, (), ()))


@given(tables(columns=(1, 4), rows=(1, 9)), st.data(), LIMITS, LIMITS, st.integers(1, 5))
def test_what_became_of_alerts_is_what_every_set_says(table, data, average, worst, smallest):
    """Against all sets past a limit in both: which one is none now, and which that is one was none."""
    names, rows = table
    kept = [row for row in rows if data.draw(st.booleans())] or rows
    coarse = data.draw(st.integers(0, len(names) - 1))
    kept = [tuple("*" if j == coarse else value for j, value in enumerate(row)) for row in kept]
    limits = {"average": average, "worst": worst, "smallest": smallest, "max_size": 4}
    found = compare_alerts(alerts(class_table(table), **limits), alerts(class_table((names, kept)), **limits))

    def past(some: Sequence[tuple]) -> set[frozenset[int]]:
        sets = [set(known) for size in range(1, len(names) + 1) for known in combinations(range(len(names)), size)]
        smallest_ones = slow_alerts(some, len(names), len(names), average, worst, smallest)
        return {frozenset(one) for one in sets if any(set(part) <= one for part in smallest_ones)}

    was, now = past(rows), past(kept)
    place = {name: j for j, name in enumerate(names)}
    for alert, fate in zip(found.before.alerts, found.fates, strict=True):
        assert (fate == "gone") == (frozenset(place[name] for name in alert.attributes) not in now)
    for alert, origin in zip(found.after.alerts, found.origins, strict=True):
        assert (origin in ("remains", "uncovered")) == (frozenset(place[name] for name in alert.attributes) in was)
    both = {one.attributes for one in found.before.alerts} & {one.attributes for one in found.after.alerts}
    assert found.remaining == len(both) == found.origins.count("remains")


# --- bad input ------------------------------------------------------------------------------------------------------

TWO = class_table((["a", "b"], [("x", "1"), ("y", "1"), ("y", "2")]))


@pytest.mark.parametrize(
    ("limits", "code", "message"),
    [
        ({"average": -0.1}, "number-out-of-range", "limit of the average loss"),
        ({"average": 1.1}, "number-out-of-range", "choose 0 to 1"),
        ({"worst": -0.1}, "number-out-of-range", "limit of the worst person's loss"),
        ({"worst": 2}, "number-out-of-range", "limit of the worst person's loss"),
        ({"worst": nan}, "not-a-number", "must be a number"),
        ({"average": "much"}, "not-a-number", "must be a number"),
        ({"smallest": 0}, "number-out-of-range", "smallest class that is accepted"),
        ({"smallest": 2.5}, "number-out-of-range", "whole number"),
        ({"max_size": 0}, "number-out-of-range", "max_size"),
    ],
)
def test_a_limit_out_of_range_is_refused(limits, code, message):
    asked = {"average": 0.5, "worst": 0.9, "smallest": 5} | limits
    with refused(code) as error:
        alerts(TWO, **({"max_size": 2} | asked))
    assert message in str(error.value)
    if "max_size" not in limits:
        with refused(code):
            alerts_in(information_loss(TWO), **asked)


def test_sets_that_were_not_measured_are_neither_found_nor_compared_nor_alerted_of():
    single, pair = information_loss(TWO), information_loss(TWO, [["a", "b"]])
    with refused("set-not-measured"):
        single.place(["a", "b"])
    with refused("set-not-measured"):
        alerts_in(pair, average=0.5, worst=0.5, smallest=2)
    with refused("set-not-measured"):
        compare_leakage(information_loss(TWO, max_size=2), single)


def test_alerts_of_one_size_are_in_the_order_of_what_they_leak():
    rows = [("x", "1"), ("x", "2"), ("x", "3"), ("y", "4")]
    found = alerts(class_table((["a", "b"], rows)), average=0.1, worst=1, smallest=1, max_size=1)
    assert [one.attributes for one in found.alerts] == [("b",), ("a",)]
