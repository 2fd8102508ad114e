"""Risk figures against brute force over records, in exact fractions where a tie could decide."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from math import exp, log

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.risk import (
    AttackerRisk,
    as_row,
    assess,
    attribute_contributions,
    journalist_risk,
    marketer_risk,
    population_sizes,
    prosecutor_risk,
    sensitive_risk,
)
from anonlib.basics.errors import InputError
from anonlib.counting.classes import ClassTable
from tests.helpers.errors import refused
from tests.reference.generalization import distance

VALUES = st.sampled_from([None, "a", "b", "c"])
THRESHOLDS = st.sampled_from([0, 0.05, 0.09, 0.1, 0.2, 0.25, 0.33, 0.5, 1])


@st.composite
def frames(draw, columns=("x", "y", "s"), min_rows=0, max_rows=25) -> pd.DataFrame:
    n = draw(st.integers(min_rows, max_rows))
    lists = {name: draw(st.lists(VALUES, min_size=n, max_size=n)) for name in columns}
    return pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in lists.items()})


def rows_of(frame: pd.DataFrame) -> list[tuple]:
    return [tuple(None if pd.isna(v) else v for v in row) for row in frame.itertuples(index=False)]


def exact(threshold: float) -> Fraction:
    """The threshold as it is written: 0.05 is one twentieth."""
    return Fraction(str(threshold))


def check(risk: AttackerRisk, records: list[Fraction], threshold: float) -> None:
    """Against the risk of each record."""
    assert risk.n_records == len(records)
    assert risk.at_risk == sum(r > exact(threshold) for r in records)
    assert risk.highest == pytest.approx(float(max(records, default=0)))
    assert risk.average == pytest.approx(float(sum(records) / len(records)) if records else 0)


def of_sizes(*sizes: int) -> ClassTable:
    """A class table of classes of these sizes."""
    return ClassTable.from_frame(pd.DataFrame({"x": range(len(sizes))}), weights=sizes)


@given(frames(columns=("x", "y")), THRESHOLDS, st.integers(1, 6))
def test_prosecutor_and_marketer_by_brute_force(frame, threshold, k):
    rows = rows_of(frame)
    size = Counter(rows)
    records = [Fraction(1, size[row]) for row in rows]
    result = assess(ClassTable.from_frame(frame), k=k, threshold=threshold)
    check(result.prosecutor, records, threshold)
    average = sum(records) / len(records) if records else Fraction(0)
    assert not records or average == Fraction(len(size), len(rows))
    assert result.marketer.average == result.marketer.highest == pytest.approx(float(average))
    assert result.marketer.at_risk == (len(rows) if average > exact(threshold) else 0)
    assert result.k == min(size.values(), default=0)
    assert result.n_classes == len(size)
    assert result.n_records == len(rows)
    assert result.unique == sum(size[row] == 1 for row in rows)
    assert result.below_k == sum(size[row] < k for row in rows)
    assert result.journalist is None and result.attackers == (result.prosecutor, result.marketer)


@given(frames(columns=("x", "y")), frames(columns=("y", "z", "x")), THRESHOLDS)
def test_journalist_by_brute_force(frame, population, threshold):
    rows, people = rows_of(frame), Counter(rows_of(population[["x", "y"]]))
    size = Counter(rows)
    records = [Fraction(1, max(people[row], size[row])) for row in rows]
    classes, everyone = ClassTable.from_frame(frame), ClassTable.from_frame(population)
    check(journalist_risk(classes, everyone, threshold), records, threshold)
    unmatched = sum(people[row] == 0 for row in rows)
    assert journalist_risk(classes, everyone, threshold).unmatched == unmatched
    marketer = marketer_risk(classes, threshold, everyone)
    average = sum(records) / len(records) if records else Fraction(0)
    assert marketer.average == pytest.approx(float(average))
    assert marketer.at_risk == (len(rows) if average > exact(threshold) else 0)
    assert marketer.unmatched == unmatched
    assert population_sizes(classes, everyone).tolist() == [
        people[row] for row in zip(classes.column("x"), classes.column("y"), strict=True)
    ]
    assert assess(classes, threshold=threshold, population=everyone).journalist == journalist_risk(
        classes, everyone, threshold
    )


@given(frames(columns=("x", "y"), min_rows=1))
def test_the_file_as_its_own_population_is_the_prosecutor(frame):
    classes = ClassTable.from_frame(frame)
    journalist, prosecutor = journalist_risk(classes, classes, 0.2), prosecutor_risk(classes, 0.2)
    assert as_row(journalist) == as_row(prosecutor) | {"attacker": "journalist", "in_population": True}
    assert assess(classes, population=classes).marketer.average == marketer_risk(classes, 0.2).average


def test_the_marketer_matches_with_the_population():
    """The expected number is the sum of 1 / people over the records, by the columns that the population has."""
    file = pd.DataFrame({"x": ["a", "a", "b"], "y": ["1", "2", "1"]})
    people = ClassTable.from_frame(pd.DataFrame({"x": ["a"] * 4 + ["b"] * 10}))
    result = assess(ClassTable.from_frame(file), k=2, population=people)
    assert result.marketer.average * 3 == pytest.approx(1 / 4 + 1 / 4 + 1 / 10)
    assert result.marketer.in_population and result.marketer.attributes == ("x",)
    assert result.marketer.average == result.journalist.average < result.prosecutor.average == 1
    assert not assess(ClassTable.from_frame(file), k=2).marketer.in_population


@given(frames(columns=("x", "y")), st.integers(1, 12))
def test_without_a_threshold_of_its_own_as_many_are_at_risk_as_are_below_k(frame, k):
    result = assess(ClassTable.from_frame(frame), k=k)
    assert result.threshold == 1 / k and result.prosecutor.at_risk == result.below_k


def test_a_value_that_everyone_of_a_class_lacks_is_not_disclosed():
    frame = pd.DataFrame({"x": list("aaabbbcc"), "s": [None, None, None, "flu", "flu", "flu", "flu", None]})
    risk = sensitive_risk(ClassTable.from_frame(frame), ["x"], "s")
    assert (risk.records_disclosed, risk.records_missing, risk.n_records) == (3, 3, 8)
    assert risk.distinct_l == 1, "l counts what is missing as a value of its own"


def test_a_population_smaller_than_the_file():
    classes = of_sizes(5, 2)
    population = ClassTable.from_frame(pd.DataFrame({"x": [0, 0]}))
    risk = journalist_risk(classes, population, 0.2)
    assert (risk.at_risk, risk.highest, risk.unmatched) == (2, 0.5, 2)
    assert risk.average == pytest.approx(2 / 7)
    nobody = ClassTable.from_frame(pd.DataFrame({"x": []}))
    assert journalist_risk(classes, nobody, 0.2).unmatched == 7


def test_the_journalist_knows_what_the_population_table_has():
    classes = ClassTable.from_frame(pd.DataFrame({"x": ["a", "a", "b"], "y": ["1", "2", "1"]}))
    population = ClassTable.from_frame(pd.DataFrame({"x": ["a", "b"], "n": [10, 4]}), weights="n")
    result = assess(classes, threshold=0.2, population=population)
    assert result.journalist == journalist_risk(classes.project(["x"]), population, 0.2)
    assert (result.journalist.highest, result.journalist.at_risk, result.prosecutor.highest) == (0.25, 1, 1.0)
    strangers = ClassTable.from_frame(pd.DataFrame({"z": ["a"]}))
    assert assess(classes, population=strangers).journalist is None


def test_a_population_of_weights_of_other_order_and_more_columns():
    sample = ClassTable.from_frame(pd.DataFrame({"sex": ["F", "M"], "age": ["30", "40"]}))
    population = ClassTable.from_frame(
        pd.DataFrame({"n": [600, 400, 50], "age": ["30", "30", "40"], "zip": ["1", "2", "1"], "sex": ["F", "F", "M"]}),
        weights="n",
    )
    assert population_sizes(sample, population).tolist() == [1000, 50]


@pytest.mark.parametrize(
    ("size", "threshold", "above"),
    [
        (5, 0.2, False), (20, 0.05, False), (10, 0.1, False), (3, 0.33, True), (4, 0.33, False), (11, 0.09, True),
        (12, 0.09, False), (1, 1, False), (2, 0.5, False), (50, 0.02, False), (100, 0.01, False), (7, 0, True),
    ],
)  # fmt: skip
def test_ties_with_the_threshold(size, threshold, above):
    classes = of_sizes(size, size)
    assert prosecutor_risk(classes, threshold).at_risk == (2 * size if above else 0)
    assert marketer_risk(classes, threshold).at_risk == (2 * size if above else 0)
    assert journalist_risk(classes, classes, threshold).at_risk == (2 * size if above else 0)


@pytest.mark.parametrize("size", [1, 3, 7, 10, 49, 98, 103, 107, 161, 187, 197])
@pytest.mark.parametrize("classes_of_it", [1, 3, 10, 59])
def test_averages_are_exact_at_a_threshold(size, classes_of_it):
    """49 * (1 / 49) is below 1 in floating point: the average of equal risks is that risk all the same."""
    table = of_sizes(*[size] * classes_of_it)
    assert marketer_risk(table, 0.2).average == prosecutor_risk(table, 0.2).average == 1 / size
    assert marketer_risk(table, 1 / size).at_risk == 0
    assert marketer_risk(table, np.nextafter(1 / size, 0)).at_risk == table.n_records
    alone = of_sizes(*[1] * classes_of_it)
    assert journalist_risk(alone, table, 0.2).average == pytest.approx(1 / size, rel=1e-15)


@given(frames(columns=("x", "y", "z")), st.integers(1, 6), THRESHOLDS)
def test_contributions_by_leaving_each_attribute_out(frame, k, threshold):
    def measure(names):
        rows = rows_of(frame[names]) if names else [()] * len(frame)
        size = Counter(rows)
        at_risk = sum(Fraction(1, size[row]) > exact(threshold) for row in rows)
        return min(size.values(), default=0), sum(size[row] < k for row in rows), at_risk

    result = attribute_contributions(ClassTable.from_frame(frame), k=k, threshold=threshold)
    assert sorted(result["attribute"]) == ["x", "y", "z"]
    assert result["adds_below_k"].is_monotonic_decreasing
    whole = measure(["x", "y", "z"])
    for row in result.itertuples():
        rest = measure([name for name in "xyz" if name != row.attribute])
        assert (row.k_without, row.below_k_without, row.at_risk_without) == rest
        assert (row.adds_below_k, row.adds_at_risk) == (whole[1] - rest[1], whole[2] - rest[2])
        assert row.values == len({value for (value,) in rows_of(frame[[row.attribute]])})


def test_contributions_are_against_one_in_k_and_count_who_is_alone_without():
    frame = pd.DataFrame({"x": list("aaaab"), "y": list("ppqqq")})
    usual = attribute_contributions(ClassTable.from_frame(frame), k=3)
    pd.testing.assert_frame_equal(usual, attribute_contributions(ClassTable.from_frame(frame), k=3, threshold=1 / 3))
    # Without x there are groups of 2 and 3, without y of 4 and 1.
    assert usual.set_index("attribute")[["unique_without", "at_risk_without"]].T.to_dict("list") == {
        "x": [0, 2], "y": [1, 1],
    }  # fmt: skip


def test_contributions_of_one_attribute_and_of_none():
    one = attribute_contributions(ClassTable.from_frame(pd.DataFrame({"x": ["a", "b"]})), k=2)
    assert one[["k_without", "below_k_without", "adds_below_k"]].values.tolist() == [[2, 0, 2]]
    none = attribute_contributions(ClassTable.from_frame(pd.DataFrame({"x": ["a"]}), []))
    assert none.empty and list(none.columns) == list(one.columns)


def sensitive_reference(rows: list[tuple], order: list) -> dict:
    """l and t by their definitions: rows are (..., sensitive), order the sensitive values', missing last."""
    places = {value: None if value is None else f"{i:02}" for i, value in enumerate(order)}
    groups: dict[tuple, Counter] = defaultdict(Counter)
    for row in rows:
        groups[row[:-1]][places[row[-1]]] += 1
    overall = sum(groups.values(), Counter())
    shares = [[count / held.total() for count in held.values()] for held in groups.values()]
    of_one_value = [next(iter(held.items())) for held in groups.values() if len(held) == 1]
    return {
        "distinct_l": min(map(len, groups.values())),
        "entropy_l": exp(min(-sum(p * log(p) for p in each) for each in shares)),
        "t_equal": float(max(distance(held, overall, "equal") for held in groups.values())),
        "t_ordered": float(max(distance(held, overall, "ordered") for held in groups.values())),
        "records_disclosed": sum(count for value, count in of_one_value if value is not None),
        "records_missing": sum(count for value, count in of_one_value if value is None),
        "n_records": len(rows),
    }


@given(frames(min_rows=1), st.permutations(["a", "b", "c"]), st.sampled_from([["x", "y"], ["y"], []]))
def test_sensitive_risk_by_brute_force(frame, order, quasi_identifiers):
    frame = frame.assign(s=pd.Categorical(frame["s"], categories=order))
    classes = ClassTable.from_frame(frame)
    rows = rows_of(frame[[*quasi_identifiers, "s"]])
    present = [value for value in [*order, None] if any(row[-1] == value for row in rows)]
    result = as_row(sensitive_risk(classes, quasi_identifiers, "s"))
    expected = sensitive_reference(rows, present)
    assert result.pop("column") == "s"
    assert result == pytest.approx(expected, abs=1e-9)


@given(frames(min_rows=1), st.sampled_from([["x", "y"], ["y"], []]))
def test_spellings_of_a_sensitive_value_by_brute_force(frame, quasi_identifiers):
    """Two of three values are spellings of one: the worse figure of two values and of one."""
    spelled = frame.assign(s=frame["s"].astype(object).replace({"a": "1", "b": "1.0", "c": "2"}))
    of = []
    for read in ({}, {"1.0": "1"}):
        rows = rows_of(spelled.replace(read)[[*quasi_identifiers, "s"]])
        present = [value for value in ("1", "1.0", "2", None) if any(row[-1] == value for row in rows)]
        of.append(sensitive_reference(rows, present))
    found = as_row(sensitive_risk(ClassTable.from_frame(spelled), quasi_identifiers, "s"))
    del found["column"]
    better = {"distinct_l": min, "entropy_l": min}
    assert found == pytest.approx({name: better.get(name, max)(of[0][name], of[1][name]) for name in found}, abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_sensitive_risk_of_many_values_and_weights(seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {"x": rng.integers(0, 30, 400), "s": rng.integers(0, 50, 400) ** 2, "w": rng.integers(0, 4, 400)}
    )
    classes = ClassTable.from_frame(frame, ["x", "s"], weights="w")
    rows = [(x, s) for x, s, w in frame.itertuples(index=False) for _ in range(w)]
    expected = sensitive_reference(rows, sorted({s for _, s in rows}))
    result = as_row(sensitive_risk(classes, ["x"], "s"))
    assert {name: result[name] for name in expected} == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("held", "distance"), [([3, 4, 5], 0.375), ([6, 8, 11], 1 / 6)])
def test_the_t_closeness_papers_salary_example(held, distance):
    """Li, Li and Venkatasubramanian 2007, example 4: a class of three among salaries of 3k to 11k."""
    salaries = list(range(3, 12))
    frame = pd.DataFrame({"x": ["a"] * 3 + ["b"] * 9, "s": held + salaries, "w": [1] * 3 + [10**9] * 9})
    table = ClassTable.from_frame(frame, ["x", "s"], weights="w")  # so many others that the whole is the nine alone
    assert sensitive_risk(table, ["x"], "s").t_ordered == pytest.approx(distance, abs=1e-6)


def test_a_sensitive_column_of_one_value_and_of_no_records():
    classes = ClassTable.from_frame(pd.DataFrame({"x": ["a", "b", "b"], "s": ["flu"] * 3}))
    one = sensitive_risk(classes, ["x"], "s")
    assert (one.distinct_l, one.entropy_l, one.t_equal, one.t_ordered, one.records_disclosed) == (1, 1.0, 0.0, 0.0, 3)
    empty = sensitive_risk(ClassTable.from_frame(pd.DataFrame({"x": [], "s": []})), ["x"], "s")
    assert (empty.distinct_l, empty.entropy_l, empty.n_records) == (0, 0.0, 0)


def test_no_records_is_no_risk():
    result = assess(ClassTable.from_frame(pd.DataFrame({"x": []})))
    assert (result.k, result.unique, result.below_k, result.n_classes) == (0, 0, 0, 0)
    assert [(r.highest, r.average, r.at_risk) for r in result.attackers] == [(0.0, 0.0, 0)] * 2


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan"), 20])
def test_a_threshold_is_a_probability(threshold):
    with pytest.raises(InputError, match="between 0 and 1"):
        assess(of_sizes(3), threshold=threshold)


def test_bad_input_is_stated():
    classes = ClassTable.from_frame(pd.DataFrame({"x": ["a"], "y": ["b"], "s": ["c"]}))
    with pytest.raises(InputError, match="1 or more"):
        assess(classes, k=0)
    with refused("population-lacks-columns"):
        journalist_risk(classes, classes.project(["x"]), 0.2)
    with refused("column-in-two-roles", "s"):
        sensitive_risk(classes, ["x", "s"], "s")
    with refused("column-unknown", "z"):
        sensitive_risk(classes, ["x"], "z")
