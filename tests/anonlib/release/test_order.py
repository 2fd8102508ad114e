"""Rows leave in an order that links nothing, and what persons are counted by leaves only while it is kept."""

from __future__ import annotations

import csv
import io

import numpy as np
import pandas as pd
import pytest

from anonlib.analyses.generalization import inject
from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy
from anonlib.coarsening.recoding import Intervals
from anonlib.counting.privacy_models import KAnonymity
from anonlib.dataset import Dataset
from anonlib.release.comparison import compare
from anonlib.release.export import draws_for, released_csv, with_fakes
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, Recode
from tests.helpers.small_release import PERSON, QI, SENSITIVE, WEIGHT

SEED = [7, 0]


def encounters(n: int = 400) -> Dataset:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {"patient_nbr": rng.integers(0, n // 2, n), "age": np.sort(rng.integers(20, 90, n)), "row": np.arange(n)}
    )
    return Dataset.from_frame(frame, roles={"patient_nbr": PERSON, "age": QI, "row": SENSITIVE})


def read(data: bytes) -> tuple[list[str], list[list[str]]]:
    header, *rows = csv.reader(io.StringIO(data.decode(), newline=""))
    return header, rows


@pytest.mark.parametrize(("column", "role"), [("patient_nbr", PERSON), ("weight", WEIGHT)])
def test_a_dropped_person_id_or_weight_is_in_nothing_that_leaves(column, role):
    data = encounters()
    roles = {"age": QI, "row": SENSITIVE, column: role}
    frame = data.records.rename(columns={"patient_nbr": column})
    if role == WEIGHT:
        frame = frame.assign(weight="2")
    data = Dataset.from_frame(frame, roles=roles)
    recipe = Recipe.of([DropColumns((column,))])
    applied = recipe.apply(data)
    assert applied.effects[0].columns_removed == 1
    assert applied.released.columns == ["age", "row"]
    header, rows = read(released_csv(applied.released))
    assert header == ["age", "row"] and {len(row) for row in rows} == {2}
    lost = {loss.column: loss.values_after for loss in compare(applied, recipe).columns}
    assert lost[column] == 0 and lost["age"] > 0
    assert applied.released.unit == "persons", "counts stay of persons"
    assert applied.released.classes().n_records == data.classes().n_records
    later = Recipe.of([DropColumns((column,)), Recode(column, Intervals(10)), DropColumns((column,))]).apply(data)
    assert [bool(effect.problem) for effect in later.effects] == [False, True, True]


def test_a_dropped_weight_is_not_in_a_file_with_fakes_either():
    frame = pd.DataFrame({"sex": ["F"] * 3 + ["M"] * 40, "note": list("abc") * 14 + ["a"], "w": ["1"] * 43})
    data = Dataset.from_frame(frame, roles={"sex": QI, "w": WEIGHT})
    released = Recipe.of([DropColumns(("w",))]).apply(data).released
    injection = inject(
        released.classes(released.columns),
        {"sex": Hierarchy((EVERYTHING,))},
        KAnonymity(columns=("sex",), least=5),
        seed=1,
    )
    together = with_fakes(released, injection, np.random.default_rng(1))
    assert together.columns == ["sex", "note"] and together.n_records == 45
    assert together.classes().counts.tolist() == [5, 40], "a fake stands for one person"
    assert read(released_csv(together))[0] == ["sex", "note"]


def test_position_links_no_row_of_the_release_to_the_original():
    data = encounters()
    released = Recipe().apply(data).released
    rows = [int(row) for *_, row in read(released_csv(released, draws_for(released, SEED)))[1]]
    assert sorted(rows) == list(range(400)), "every record is there, once"
    assert rows != sorted(rows)
    assert sum(a == b for a, b in enumerate(rows)) < 10, "as many in their place as by chance"
    assert abs(np.corrcoef(rows, range(400))[0, 1]) < 0.2


def test_a_seed_makes_the_same_file_and_other_seeds_other_ones():
    released = Recipe().apply(encounters()).released
    files = [released_csv(released, draws_for(released, seed)) for seed in (SEED, SEED, [8, 0], [7, 1])]
    assert files[0] == files[1] and len(set(files)) == 3


def test_two_releases_of_one_session_are_in_orders_of_their_own():
    """Else a coarse and a fine release of the same records were joined row by row."""
    data = encounters()
    orders = []
    for step in (Recode("age", Intervals(10)), Recode("age", Intervals(20))):
        released = Recipe.of([step]).apply(data).released
        orders.append([row for *_, row in read(released_csv(released, draws_for(released, SEED)))[1]])
    assert orders[0] != orders[1] and sum(a == b for a, b in zip(*orders, strict=True)) < 10
