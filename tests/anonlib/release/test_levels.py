"""At which level cells leave: counted again cell by cell from the original and the release."""

from __future__ import annotations

import time
from collections import Counter

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.utility.levels import ColumnLevels, in_words, to_frame
from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy
from anonlib.coarsening.recoding import Intervals, Recoding, ValueMap
from anonlib.columns.roles import Role
from anonlib.counting.privacy_models import KAnonymity
from anonlib.dataset import Dataset
from anonlib.release.levels import levels_of
from anonlib.release.recipe import Recipe
from anonlib.release.steps import AggregatePlaces, DropColumns, GeneralizeLocally, LeaveOut, MergeRare, Recode
from tests.helpers.errors import refused
from tests.helpers.examples import settings

AGES = Hierarchy((Intervals(5), Intervals(10), EVERYTHING))
TOWNS = Hierarchy((EVERYTHING,))
AGE_AND_TOWN = (("age", AGES), ("town", TOWNS))


def shares(found: ColumnLevels) -> dict[str, float]:
    return {part.name: part.share for part in found.parts}


def by_column(recipe: Recipe, frame: pd.DataFrame) -> dict[str, ColumnLevels]:
    data = Dataset.from_frame(frame).with_roles(dict.fromkeys(frame, Role.QUASI_IDENTIFIER))
    return {found.column: found for found in levels_of(recipe.apply(data), recipe)}


def level_of(value: str | None, label: str | None) -> str:
    """Written by hand for AGES: what a cell's label says of its level."""
    if label is None:
        return "missing already" if value is None else "blank"
    if label == "*":
        return "removed"
    if label == value:
        return "as it was"
    low, high = map(int, label.split("-"))
    return f"intervals of {high - low + 1}"


CELLS = st.lists(
    st.tuples(st.one_of(st.none(), st.integers(10, 60).map(str)), st.sampled_from(["a", "b", "c", None])),
    min_size=1, max_size=60,
)  # fmt: skip


@settings(60)
@given(CELLS, st.integers(1, 6))
def test_parts_are_those_that_lining_up_cell_by_cell_finds(cells, k):
    frame = pd.DataFrame(cells, columns=["age", "town"], dtype=object).assign(row=range(len(cells)))
    data = Dataset.from_frame(frame).with_roles({"age": Role.QUASI_IDENTIFIER, "town": Role.QUASI_IDENTIFIER})
    recipe = Recipe.of([GeneralizeLocally(AGE_AND_TOWN, (KAnonymity(columns=("age", "town"), least=k),), 0.2)])
    applied = recipe.apply(data)
    if applied.problems:
        return
    released = applied.released.records
    for found in levels_of(applied, recipe)[:2]:
        counted: Counter[str] = Counter()
        for row, label in zip(released["row"].astype(int), released[found.column], strict=True):
            value = frame[found.column][row]
            counted[level_of(value, None if pd.isna(label) else label)] += 1
        expected = {name: n / len(released) for name, n in counted.items()}
        if released[found.column].nunique(dropna=False) == 1 < frame[found.column].nunique(dropna=False):
            expected = {"removed": 1.0}
        assert shares(found) == pytest.approx(expected)
        assert sum(part.share for part in found.parts) == pytest.approx(1)
        assert [part.detail for part in found.parts] == sorted((part.detail for part in found.parts), reverse=True)


FRAME = pd.DataFrame(
    {
        "age": ["31", "38", None, "52", "52", "31"], "town": ["a", "b", "c", "a", "b", "a"],
        "stay": ["1", "2", "2", "2", "2", "3"], "ward": ["x", "x", "x", "y", "y", "y"], "note": list("qrstuv"),
    }
)  # fmt: skip


def test_each_kind_of_step_has_its_levels():
    recipe = Recipe.of(
        [
            AggregatePlaces("town", (("north", ("a", "b")), ("c", ("c",)))),
            Recode("age", Intervals(10)), MergeRare("stay", 2), DropColumns(("note",)),
            Recode("ward", ValueMap((("x", "x"),), otherwise="")),
        ]
    )  # fmt: skip
    found = by_column(recipe, FRAME)
    assert list(found) == list(FRAME), "in the file's order"
    assert shares(found["age"]) == pytest.approx({"intervals of 10": 5 / 6, "missing already": 1 / 6})
    assert shares(found["town"]) == pytest.approx({"regions": 5 / 6, "as it was": 1 / 6})
    assert shares(found["stay"]) == pytest.approx({"as it was": 4 / 6, "rare values together": 2 / 6})
    assert shares(found["ward"]) == pytest.approx({"as it was": 1 / 2, "blank": 1 / 2})
    assert shares(found["note"]) == {"dropped": 1.0} and not found["note"].is_mixed
    assert found["stay"].is_mixed and not found["age"].is_mixed and not found["ward"].is_mixed


def test_levels_of_two_steps_on_a_column_are_those_of_the_last():
    then: Recoding = ValueMap((("30-39", "young"),), otherwise="*")
    found = by_column(Recipe.of([Recode("age", Intervals(10)), Recode("age", then)]), FRAME)["age"]
    assert shares(found) == pytest.approx({then.describe(): 3 / 6, "removed": 2 / 6, "missing already": 1 / 6})


def test_detail_is_1_for_own_values_0_for_all_together_and_falls_with_those_that_have_the_label():
    frame = pd.DataFrame({"age": [str(age) for age in range(10, 26)]})
    found = by_column(Recipe.of([Recode("age", Intervals(4, 2))]), frame)["age"]
    assert [part.detail for part in found.parts] == pytest.approx([1 - 3 / 15]), "16 values, 4 a label"
    found = by_column(Recipe.of([Recode("age", ValueMap((), otherwise="all"))]), frame)["age"]
    assert [(part.kind, part.detail) for part in found.parts] == [("removed", 0.0)], "no two cells differ any more"


def test_who_is_left_out_counts_in_no_part():
    found = by_column(Recipe.of([LeaveOut(guarantees=(KAnonymity(columns=("town",), least=2),))]), FRAME)
    assert shares(found["age"]) == {"as it was": 1.0}, "the one with a missing age is the only one of her town"


def test_for_anybody_blank_and_missing_already_are_one():
    frame = FRAME.assign(ward=["x", "x", None, "y", "y", "y"])
    found = by_column(Recipe.of([Recode("ward", ValueMap((("x", "x"),), otherwise=""))]), frame)["ward"]
    assert shares(found) == pytest.approx({"as it was": 2 / 6, "blank": 3 / 6, "missing already": 1 / 6})
    assert shares(found.for_anybody) == pytest.approx({"as it was": 2 / 6, "blank or missing": 4 / 6})


def test_table_and_words_say_the_same_and_nothing_left_is_an_error():
    found = tuple(by_column(Recipe.of([Recode("age", Intervals(10))]), FRAME).values())
    table = to_frame(found)
    assert table[table["column"] == "age"]["level"].tolist() == ["intervals of 10", "missing already"]
    assert "age 83.3% intervals of 10, 16.7% missing already; town 100% as it was" in in_words(found)
    with refused("no-record-left"):
        by_column(Recipe.of([LeaveOut(100)]), FRAME)


def test_columns_that_count_and_identifiers_have_no_bar():
    data = Dataset.from_frame(FRAME).with_roles({"note": Role.IDENTIFIER, "stay": Role.WEIGHT})
    assert [found.column for found in levels_of(Recipe().apply(data), Recipe())] == ["age", "town", "ward"]


def test_adult_takes_a_fraction_of_a_second(shared_data):
    data = Dataset.from_frame(pd.read_csv(shared_data("adult.csv"), dtype=str))
    recipe = Recipe.of([Recode("age", Intervals(5)), DropColumns(("fnlwgt",))])
    applied = recipe.apply(data)
    began = time.perf_counter()
    assert len(levels_of(applied, recipe)) == 15
    assert time.perf_counter() - began < 1
