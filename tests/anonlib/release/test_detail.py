"""Detail lost, counted again cell by cell in the file that leaves, by code that shares nothing with the library's."""

from __future__ import annotations

import csv
import io
from itertools import product

import ibis
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy
from anonlib.coarsening.recoding import Intervals, ValueMap
from anonlib.columns.roles import Role
from anonlib.counting.privacy_models import KAnonymity
from anonlib.dataset import Dataset
from anonlib.release.applied import Applied
from anonlib.release.detail import DetailLost, detail_lost
from anonlib.release.export import released_csv
from anonlib.release.levels import levels_of
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, GeneralizeLocally, LeaveOut, Recode, Step
from tests.helpers.examples import settings

ROLES = {"age": Role.QUASI_IDENTIFIER, "town": Role.QUASI_IDENTIFIER, "ill": Role.SENSITIVE}


def lost_of(applied: Applied, recipe: Recipe) -> DetailLost:
    lost = detail_lost(applied, levels_of(applied, recipe) if applied.released.n_records else ())
    assert lost is not None
    return lost


def values_under(label: str, values: set[str]) -> int:
    """How many values a label of this file can be of."""
    if label in values:
        return 1
    if label == "*":
        return len(values)
    low, high = map(int, label.split("-"))
    return sum(low <= int(value) <= high for value in values)


def recounted(frame: pd.DataFrame, released: bytes) -> dict[str, float]:
    """By column that varies, what is lost: cell by cell of the CSV file, whose last column names rows."""
    rows = list(csv.DictReader(io.StringIO(released.decode())))
    lost = {}
    for name in (*frame.columns,):
        if name == "name" or frame[name].value_counts(dropna=False).max() >= 0.99 * len(frame):
            continue
        values = {*frame[name].dropna()}
        n_cells, kept = int(frame[name].notna().sum()), 0.0
        differ = len({row.get(name, "") for row in rows}) > 1
        for row in rows if differ else ():
            cell = row.get(name, "")
            if cell:
                kept += 1 - (values_under(cell, values) - 1) / max(1, len(values) - 1)
        lost[name] = 1 - kept / n_cells
    return lost


ILLNESSES = st.sampled_from(["flu", "gout", None])
CELLS = st.lists(
    st.tuples(st.integers(10, 40).map(str), st.sampled_from("abc"), ILLNESSES), min_size=2, max_size=40
)  # fmt: skip
AGES = Hierarchy((Intervals(5), Intervals(10), EVERYTHING))
TOWNS = Hierarchy((EVERYTHING,))
ALIKE = (KAnonymity(columns=("age", "town"), least=3),)
STEPS: tuple[tuple[Step, ...], ...] = (
    (),
    (Recode("age", Intervals(10)),),
    (Recode("age", Intervals(100)), DropColumns(("ill",))),
    (Recode("town", ValueMap((("a", "a"), ("b", "b")), otherwise="")),),
    (LeaveOut(guarantees=(KAnonymity(columns=("town",), least=3),)),),
    (GeneralizeLocally((("age", AGES), ("town", TOWNS)), ALIKE, 0.2),),
)  # fmt: skip


@settings(80)
@given(CELLS, st.sampled_from(STEPS))
def test_detail_lost_is_what_counting_the_cells_that_leave_again_gives(cells, steps) -> None:
    frame = pd.DataFrame(cells, columns=["age", "town", "ill"], dtype=object)
    frame = frame.assign(row=[f"{i:03d}" for i in range(len(frame))], name="x")
    recipe = Recipe.of(steps)
    applied = recipe.apply(Dataset.from_frame(frame, roles={**ROLES, "name": Role.IDENTIFIER}))
    if applied.problems or not applied.released.n_records:
        return
    lost = lost_of(applied, recipe)
    assert dict(lost.by_column) == pytest.approx(recounted(frame, released_csv(applied.released)))
    assert lost.share == pytest.approx(sum(dict(lost.by_column).values()) / max(1, len(lost.by_column)))


FRAME = pd.DataFrame(
    {"age": [str(20 + i % 10) for i in range(200)], "town": ["a"] * 199 + ["b"], "ill": ["flu", "gout"] * 100}
)


def test_columns_in_which_nearly_all_are_alike_are_named_and_not_counted() -> None:
    recipe = Recipe.of([Recode("town", EVERYTHING), Recode("age", Intervals(5))])
    for data in (Dataset.from_frame(FRAME, roles=ROLES), Dataset.from_ibis(ibis.memtable(FRAME), roles=ROLES)):
        lost = lost_of(recipe.apply(data), recipe)
        assert dict(lost.by_column) == pytest.approx({"age": 4 / 9, "ill": 0.0})
        assert lost.share == pytest.approx(2 / 9) and lost.nearly_constant == ("town",)
        assert lost.says == "The mean over 2 columns; nearly constant, and not counted: town."


def test_where_nobody_leaves_or_nothing_varies() -> None:
    recipe = Recipe.of([LeaveOut(1_000)])
    assert lost_of(recipe.apply(Dataset.from_frame(FRAME, roles=ROLES)), recipe).share == 1.0
    alike = pd.DataFrame({"age": ["30"] * 9})
    assert detail_lost(Recipe().apply(Dataset.from_frame(alike)), ()) is None, "not known is not nothing"
    assert lost_of(Recipe().apply(Dataset.from_frame(alike)), Recipe()).share == 0.0


@pytest.mark.parametrize(("dropped", "coarser"), list(product([False, True], repeat=2)))
def test_it_does_not_depend_on_what_columns_are_for(dropped: bool, coarser: bool) -> None:
    steps = [*([DropColumns(("ill",))] if dropped else []), *([Recode("age", Intervals(5))] if coarser else [])]
    recipe = Recipe.of(steps)
    roles = [ROLES, {"age": Role.SENSITIVE, "ill": Role.OTHER}]
    one, other = (lost_of(recipe.apply(Dataset.from_frame(FRAME, roles=each)), recipe) for each in roles)
    assert one == other and (one.share > 0) == (dropped or coarser)
