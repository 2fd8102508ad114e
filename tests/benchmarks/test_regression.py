"""The regression of original and release: columns, estimates and overlap, each against a slow reference."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from benchmarks.regression import (
    INTERCEPT,
    MOST_CATEGORIES,
    NO_NUMBER,
    NO_VALUE,
    OTHERS,
    Term,
    agreement,
    days,
    design,
    fit,
    following,
    independent,
    intervals,
    least,
    numbers,
    outcome,
    overlap,
)
from tests.helpers.examples import settings

WHOLE = st.integers(-20, 20)


def column(*values: str | None) -> np.ndarray:
    return np.array(values, dtype=object)


def both(values: np.ndarray) -> np.ndarray:
    """Outcomes by turns."""
    return np.arange(len(values)) % 2.0


# ---- overlap ----


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ((0, 2), (0, 2), 1.0),
        ((0, 2), (1, 3), 0.5),
        ((0, 2), (0, 1), 0.75),  # half of the first, all of the second
        ((0, 8), (2, 4), 0.625),
        ((0, 1), (1, 2), 0.0),
        ((0, 1), (5, 9), 0.0),
    ],
)
def test_overlap_by_hand(a: tuple[float, float], b: tuple[float, float], expected: float) -> None:
    assert overlap(a, b) == overlap(b, a) == expected


@settings()
@given(st.tuples(WHOLE, WHOLE), st.tuples(WHOLE, WHOLE))
def test_overlap_is_counted_unit_by_unit(first: tuple[int, int], second: tuple[int, int]) -> None:
    (a, b), (c, d) = ((min(ends), max(ends) + 1) for ends in (first, second))
    units, others = {*range(a, b)}, {*range(c, d)}
    common = len(units & others)
    assert overlap((a, b), (c, d)) == pytest.approx((common / len(units) + common / len(others)) / 2)


def test_a_coefficient_of_one_fit_only_counts_as_nothing() -> None:
    both = agreement({"age": (0, 2), "sex": (1, 2)}, {"age": (1, 3), "age: no number": (0, 1)})
    assert both.overlaps == {"age": 0.5, "sex": 0.0, "age: no number": 0.0}
    assert (both.n_before, both.n_after, both.n_both) == (2, 2, 1)
    assert both.mean == pytest.approx(0.5 / 3)
    assert both.of_both == 0.5


def test_without_a_fit_nothing_agrees() -> None:
    assert agreement({"age": (0, 2)}, {}).mean == agreement({}, {}).mean == 0.0


# ---- labels ----


def test_numbers_stand_where_they_are_and_ranges_at_their_middle() -> None:
    labels = ["7", "20-29", "[20, 30)", "<20", "90+", "*", "Oncology", "-4 to -2"]
    assert numbers(labels) == pytest.approx([7, 24.5, 25, 20, 90, np.nan, np.nan, -3], nan_ok=True)


def test_days_stand_where_they_are_and_months_at_their_middle() -> None:
    labels = ["1970-01-11", "1970-01", "1970-Q1", "1970", "*", "Oncology"]
    assert days(labels).tolist() == pytest.approx([10, 15, 44.5, 182, np.nan, np.nan], nan_ok=True)


def test_what_a_column_is_follows_from_its_cells() -> None:
    some = column(*map(str, range(100)))
    assert Term.of("age", some).kind == "numbers"
    assert Term.of("zip", some, is_code=True).kind == "categories"
    assert Term.of("day", column(*(f"2024-01-{i:02}" for i in range(1, 29)))).kind == "days"
    assert Term.of("sex", column(*"01" * 50)).kind == "categories", "two places only"
    assert Term.of("age", column(*["x"] * 11, *map(str, range(89)))).kind == "categories", "11% are no numbers"
    assert Term.of("age", column(*[None] * 60, *map(str, range(40)))).kind == "numbers", "missing ones are not asked"


def test_categories_are_common_values_and_the_commonest_is_compared_with() -> None:
    values = column(*["a"] * 40, *["b"] * 60, *["c"] * 19, *["*"] * 30, *[None] * 30)
    term = Term.of("race", values)
    assert term.categories == ("b", "a")
    columns = term.columns(values, values, both(values))
    assert [*columns] == ["race: a (beside b)", f"race: {NO_VALUE} (beside b)"], "19 others are too few"
    assert columns["race: a (beside b)"].sum() == 40
    assert columns[f"race: {NO_VALUE} (beside b)"].sum() == 60
    assert len(Term.of("x", column(*[str(i) for i in range(15)] * 30), is_code=True).categories) == MOST_CATEGORIES


def test_a_label_of_one_category_is_that_category_and_one_of_several_its_own() -> None:
    before = column(*["a"] * 50, *["b"] * 50, *["c"] * 50, *["d"] * 5)
    after = column(*["A"] * 30, *["a|b"] * 20, *["a|b"] * 50, *["c"] * 30, *["*"] * 20, *["rare"] * 5)
    category = Term.of("x", before).category(before, after)
    expected = {"a": 30, "a|b": 70, "c": 30, NO_VALUE: 20, OTHERS: 5}
    assert Counter(category.tolist()) == expected


def test_a_number_that_is_no_longer_one_has_a_column_of_its_own() -> None:
    before = column(*map(str, range(100)))
    term = Term.of("age", before)
    after = before.copy()
    after[:30], after[30:40] = "*", "[30, 40)"
    columns = term.columns(before, after, both(before))
    assert columns[f"age: {NO_NUMBER}"].tolist() == [1.0] * 30 + [0.0] * 70
    assert columns["age"][:30].tolist() == [0.0] * 30, "at the mean"
    assert columns["age"][30] == pytest.approx((35 - 49.5) / np.std(range(100)))
    few = before.copy()
    few[:5] = "*"
    assert [*term.columns(before, few, both(before))] == ["age"]


def test_beside_what_a_category_stands_is_in_its_name() -> None:
    before = column(*["a"] * 60, *["b"] * 50, *["c"] * 40)
    after = column(*["*"] * 60, *["b"] * 50, *["c"] * 40)
    term = Term.of("x", before)
    assert {*term.columns(before, before, both(before))} == {"x: b (beside a)", "x: c (beside a)"}
    assert {*term.columns(before, after, both(before))} == {"x: c (beside b)", f"x: {NO_VALUE} (beside b)"}
    y = np.where(before == "a", 1.0, both(before))
    assert {*term.columns(before, before, y)} == {"x: a (beside b)", "x: c (beside b)"}, "all of a have one outcome"
    unknown = np.where(before == "a", np.nan, both(before))
    assert {*term.columns(before, before, unknown)} == {"x: a (beside b)", "x: c (beside b)"}


def slow_columns(term: Term, before: list[str | None], after: list[str | None]) -> dict[str, list[float]]:
    """The columns of categories, record by record."""

    def of_value(value: str | None) -> str:
        return NO_VALUE if value in (None, "*") else value if value in term.categories else OTHERS  # type: ignore[return-value]

    categories = []
    for label in after:
        had = {of_value(value) for value, other in zip(before, after, strict=True) if other == label}
        categories.append(NO_VALUE if label in (None, "*") else had.pop() if len(had) == 1 else label)
    categories = [each if categories.count(each) >= least(len(after)) else OTHERS for each in categories]
    usual = [
        *term.categories,
        OTHERS,
        NO_VALUE,
        *sorted(sorted({*categories}), key=lambda each: -categories.count(each)),
    ]
    compared = [each for each in usual if each in categories]
    if categories.count(OTHERS) < least(len(after)):
        categories = [compared[0] if each == OTHERS else each for each in categories]
    return {
        f"{term.name}: {name} (beside {compared[0]})": [float(each == name) for each in categories]
        for name in sorted({*categories} - {compared[0]}, key=str)
    }


@settings()
@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("=123*-")), min_size=1, max_size=40))
def test_categories_are_as_counted_record_by_record(pairs: list[tuple[str, str]]) -> None:
    pairs = [pair for pair in pairs for _ in range(12)]
    before = [value for value, _ in pairs]
    after = [None if how == "-" else value if how == "=" else how for value, how in pairs]
    term = Term.of("x", column(*before))
    columns = term.columns(column(*before), column(*after), both(before))
    assert {name: values.tolist() for name, values in columns.items()} == slow_columns(term, before, after)


def test_an_outcome_is_known_where_its_label_is_of_one_side() -> None:
    before = column("home", "home", "died", "ward", "ward", "home", "died")
    after = column("home", "H", "H", "elsewhere", "elsewhere", "*", None)
    assert outcome(before, before, "home").tolist() == [1, 1, 0, 0, 0, 1, 0]
    assert outcome(before, after, "home").tolist() == pytest.approx(
        [1, np.nan, np.nan, 0, 0, np.nan, np.nan], nan_ok=True
    )


# ---- estimates ----


def test_two_by_two_is_the_log_odds_ratio_of_the_textbook() -> None:
    a, b, c, d = 30, 20, 15, 45  # with and without the outcome where it is set, and where it is not
    x = np.repeat([1.0, 1, 0, 0], [a, b, c, d])
    y = np.repeat([1.0, 0, 1, 0], [a, b, c, d])
    columns = {INTERCEPT: np.ones(len(x)), "smokes": x}
    low, high = intervals(columns, y)["smokes"]
    centre, error = math.log(a * d / (b * c)), math.sqrt(1 / a + 1 / b + 1 / c + 1 / d)
    assert (low, high) == pytest.approx((centre - 1.959964 * error, centre + 1.959964 * error), abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_estimates_are_those_of_a_general_search_for_the_maximum(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = np.column_stack([np.ones(300), rng.normal(size=300), rng.integers(0, 2, 300), rng.normal(size=300)])
    y = (rng.random(300) < 1 / (1 + np.exp(-x @ rng.normal(size=4)))).astype(float)

    def against(b: np.ndarray) -> float:
        return -sum(
            yi * float(xi @ b) - math.log1p(math.exp(-abs(float(xi @ b)))) - max(float(xi @ b), 0.0)
            for xi, yi in zip(x, y, strict=True)
        )

    b, errors = fit(x, y)
    assert b == pytest.approx(minimize(against, np.zeros(4), tol=1e-10).x, abs=1e-3)
    h, unit = 1e-3, np.eye(4)
    curved = [
        [
            (against(b + h * (u + v)) - against(b + h * (u - v)) - against(b - h * (u - v)) + against(b - h * (u + v)))
            / (4 * h * h)
            for v in unit
        ]
        for u in unit
    ]
    assert errors == pytest.approx(np.sqrt(np.diag(np.linalg.inv(np.array(curved)))), rel=1e-3)


def test_what_follows_from_others_and_what_has_one_outcome_has_no_coefficient() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=400), rng.integers(0, 2, 400).astype(float)
    always = np.arange(400) < 30
    y[always] = 1
    columns = {INTERCEPT: np.ones(400), "x": x, "twice": 2 * x + 1, "always": always.astype(float)}
    fitted = intervals(columns, y)
    assert [*fitted] == [*intervals(columns, y, following(columns, y))] == ["x"]
    assert following(columns, y) == {"twice"}
    assert [*intervals(columns, y, {"x"})] == ["twice"]
    without = intervals({INTERCEPT: np.ones(370), "x": x[~always]}, y[~always])
    assert fitted["x"] == pytest.approx(without["x"]), "its records are left out, too"
    assert independent(np.column_stack([np.ones(400), x, 2 * x + 1])).tolist() == [True, True, False]


def test_records_without_a_known_outcome_take_no_part() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=200), rng.integers(0, 2, 200).astype(float)
    unknown = np.where(np.arange(200) < 80, np.nan, y)
    part = intervals({INTERCEPT: np.ones(120), "x": x[80:]}, y[80:])
    assert intervals({INTERCEPT: np.ones(200), "x": x}, unknown)["x"] == pytest.approx(part["x"])
    assert intervals({INTERCEPT: np.ones(200), "x": x}, np.ones(200)) == {}


# ---- all of it ----


def test_a_release_as_the_original_agrees_and_a_removed_column_costs_its_share() -> None:
    rng = np.random.default_rng(3)
    age, sex = rng.integers(20, 90, 1000), rng.choice(["f", "m"], 1000)
    y = (rng.random(1000) < 1 / (1 + np.exp(-(age - 55) / 20 - (sex == "m")))).astype(float)
    before = {"age": column(*map(str, age)), "sex": column(*sex)}
    terms = [Term.of(name, values) for name, values in before.items()]

    def of(after: dict[str, np.ndarray]) -> dict[str, tuple[float, float]]:
        return intervals(design(terms, before, after, y), y)

    original = of(before)
    assert {*original} in ({"age", "sex: m (beside f)"}, {"age", "sex: f (beside m)"})
    assert agreement(original, of(before)).mean == pytest.approx(1)
    by_ten = {**before, "age": column(*(f"{a // 10 * 10}-{a // 10 * 10 + 9}" for a in age))}
    assert agreement(original, of(by_ten)).mean > 0.9
    without_sex = agreement(original, of({"age": before["age"]}))
    assert without_sex.mean == pytest.approx(without_sex.of_both / 2)
    assert agreement(original, of({**before, "sex": column(*["*"] * 1000)})).overlaps == without_sex.overlaps
