"""Tables of counts and survey weights: who stands for whom, read from the released bytes by plain code."""

from __future__ import annotations

import csv
import io
from collections import Counter

import numpy as np
import pandas as pd
import pytest

from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy
from anonlib.coarsening.recoding import Intervals
from anonlib.counting.privacy_models import KAnonymity
from anonlib.dataset import Dataset
from anonlib.release.applied import of_nobody_in_words
from anonlib.release.export import released_csv, write_released
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, GeneralizeLocally, LeaveOut, Recode
from anonlib.release.unprotected import not_counted
from anonlib.verdict.criteria import SmallestClass, State, UnclassifiedColumns
from tests.helpers.engines import Engine
from tests.helpers.small_release import OTHER, QI, SENSITIVE, WEIGHT
from tests.helpers.verdicts import case_with

CELLS = {
    "age": ["30", "31", "34", "34", None, "52", "55", "70"],
    "ill": ["flu", "cold", "flu", "gout", "flu", "cold", "flu", "gout"],
    "n": ["2", "0", "3", "0", "1", "0.0", "4", "1"],
}
ROLES = {"age": QI, "ill": SENSITIVE, "n": WEIGHT}
AT_LEAST_2 = (KAnonymity(columns=("age",), least=2),)
RECIPES = {
    "no step": [],
    "recoded": [Recode("age", Intervals(10))],
    "small classes left out": [Recode("age", Intervals(20)), LeaveOut(2)],
    "part by part": [
        GeneralizeLocally((("age", Hierarchy((Intervals(10), EVERYTHING))),), AT_LEAST_2, left_out_limit=0.5)
    ],
    "counts dropped": [DropColumns(("n",))],
}


def lines(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"))))


def file_of(released: Dataset) -> list[dict[str, str]]:
    """The lines of the CSV that leaves, wherever the records are."""
    file = io.BytesIO()
    write_released(file, "CSV", released, [7])
    return lines(file.getvalue())


def table_of_counts(**fields) -> Dataset:
    return Dataset.from_frame(pd.DataFrame(CELLS, dtype=object), **({"roles": ROLES} | fields))


@pytest.mark.parametrize("missing", ["category", "drop"])
@pytest.mark.parametrize("steps", RECIPES.values(), ids=RECIPES)
def test_a_row_of_count_0_is_in_no_released_file(steps, missing):
    applied = Recipe.of(steps).apply(table_of_counts(missing=missing))
    rows = lines(released_csv(applied.released))
    assert applied.of_nobody == 3 and not applied.problems
    if "n" in applied.released.columns:
        assert rows and all(float(row["n"]) > 0 for row in rows)
    ages = {"30", "34", "52", "55", "70", ""}
    if steps in ([], RECIPES["counts dropped"]):
        expected = [("30", "flu"), ("34", "flu"), ("", "flu"), ("55", "flu"), ("70", "gout")]
        expected = [row for row in expected if row[0] or missing == "category"]
        assert sorted((row["age"], row["ill"]) for row in rows) == sorted(expected)
        assert {row["age"] for row in rows} < ages


def test_rows_of_count_0_leave_no_engine(engine: Engine):
    there = Dataset.from_ibis(engine.table(CELLS), roles=ROLES)
    for steps in RECIPES.values():
        applied, here = (Recipe.of(steps).apply(data) for data in (there, table_of_counts()))
        assert applied.of_nobody == here.of_nobody == 3 and not applied.problems
        assert applied.effects == here.effects
        assert Counter(map(str, file_of(applied.released))) == Counter(map(str, file_of(here.released)))


def test_what_is_left_out_is_no_effect_of_a_step_and_is_stated():
    applied = Recipe.of([Recode("age", Intervals(20)), LeaveOut(2)]).apply(table_of_counts())
    left_out = applied.effects[1]
    assert left_out is not None and left_out.records_removed == 2, "of one each: without an age, and 70"
    assert of_nobody_in_words(applied.of_nobody) == "3 rows of count 0 stand for nobody and are left out."
    assert of_nobody_in_words(1) == "1 row of count 0 stands for nobody and is left out."
    assert of_nobody_in_words(0) == ""


def test_a_table_that_counts_nobody_leaves_nothing():
    applied = Recipe().apply(table_of_counts().with_roles({"age": QI, "n": WEIGHT}))
    assert applied.released.n_records == 5
    nobody = Dataset.from_frame(pd.DataFrame({"age": ["30", "31"], "n": ["0", "0"]}), roles={"age": QI, "n": WEIGHT})
    assert Recipe().apply(nobody).released.n_records == 0 and Recipe().apply(nobody).of_nobody == 2


def test_only_a_count_of_0_is_nobody():
    """A missing count, and a text, are refused where people are counted; they are not taken for nobody."""
    odd = Dataset.from_frame(pd.DataFrame({"age": ["30", "31"], "n": [None, "none"]}), roles={"n": WEIGHT})
    assert Recipe().apply(odd).released.n_records == 2 and Recipe().apply(odd).of_nobody == 0
    rows = Recipe().apply(table_of_counts(roles={"age": QI, "n": OTHER}))
    assert rows.released.n_records == 8 and rows.of_nobody == 0


# ---- surveys: a row is a person, whatever it weighs ------------------------------------------------------------------


def survey(role: str, people: int = 200) -> Dataset:
    """One row a person, with a weight that hardly anybody shares; some weigh nothing."""
    rng = np.random.default_rng(3)
    weights = rng.choice(np.arange(10_000, 90_000), people, replace=False)
    weights[rng.random(people) < 0.04] = 0
    frame = pd.DataFrame({"age": rng.integers(20, 60, people).astype(str), "fnlwgt": weights.astype(str)})
    return Dataset.from_frame(frame, roles={"age": QI, "fnlwgt": role})


def test_a_person_of_weight_0_is_counted_as_a_row_and_leaves_as_one():
    case = case_with(survey(OTHER), Recode("age", Intervals(10)))
    rows = lines(released_csv(case.released))
    assert len(rows) == 200 and sum(row["fnlwgt"] == "0" for row in rows) > 3
    assert SmallestClass(5).check(case).now == min(Counter(row["age"] for row in rows).values())


def alone_in(rows: list[dict[str, str]], *columns: str) -> int:
    sizes = Counter(tuple(row[name] for name in columns) for row in rows)
    return sum(n for n in sizes.values() if n == 1)


def test_a_survey_weight_is_looked_at_as_any_column_until_it_is_rounded_or_dropped():
    data, decade = survey(OTHER), Recode("age", Intervals(20))
    rows = lines(released_csv(case_with(data, decade).released))
    assert alone_in(rows, "fnlwgt") > 180, "nearly everybody is alone by it"
    assert UnclassifiedColumns(5).check(case_with(data, decade)).state is State.NOT_MET
    for way_out in (Recode("fnlwgt", Intervals(100_000)), DropColumns(("fnlwgt",))):
        case = case_with(data, decade, way_out)
        released = lines(released_csv(case.released))
        assert min(Counter(tuple(row.values()) for row in released).values()) >= 5
        assert UnclassifiedColumns(5).check(case).state is State.MET


def test_a_survey_weight_taken_for_a_count_is_asked_about():
    """By 10,000 persons a row k is always large, whatever the rows are; the numbers find every row again."""
    data = survey(WEIGHT)
    case = case_with(data)
    assert SmallestClass(5).check(case).state is State.MET
    assert alone_in(lines(released_csv(case.released)), "fnlwgt") > 180
    finding = UnclassifiedColumns(5).check(case)
    assert finding.state is State.NOT_MET and finding.columns == ("fnlwgt",)
    assert "each row is one person" in finding.says and "role Neither" in finding.says
    dropped = UnclassifiedColumns(5).check(case_with(data, DropColumns(("fnlwgt",))))
    assert dropped.state is State.NOT_MET, "k goes on counting by it"
    assert UnclassifiedColumns(5).check(case_with(data, unknowable=("fnlwgt",))).state is State.MET
    counted = case_with(data.with_roles({"age": QI, "fnlwgt": OTHER}))
    assert SmallestClass(5).check(counted).state is State.NOT_MET, "as rows are counted"


def test_counts_that_many_rows_share_are_not_taken_for_a_survey():
    frame = pd.DataFrame({"age": [str(20 + i % 40) for i in range(200)], "n": [str(1 + i % 7) for i in range(200)]})
    data = Dataset.from_frame(frame, roles={"age": QI, "n": WEIGHT})
    assert not_counted(Recipe().apply(data).released, 5) == ()
    rare = Dataset.from_frame(frame.assign(n=[str(i) for i in range(200)]), roles={"age": QI, "n": WEIGHT})
    (found,) = not_counted(Recipe().apply(rare).released, 5)
    assert (found.column, found.role, found.below, found.n_records) == ("n", WEIGHT, 19_900, 19_900)


def test_the_same_of_a_weight_in_an_engine(engine: Engine):
    data = survey(WEIGHT, 60)
    there = Dataset.from_ibis(
        engine.table({name: data.records[name].astype(str).tolist() for name in data.columns}), roles=dict(data.roles)
    )
    one, other = (not_counted(Recipe().apply(each).released, 5) for each in (data, there))
    assert one == other != ()
