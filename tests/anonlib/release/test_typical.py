"""A made-up record: each of its values is common, and no few persons have the whole of it; counted row by row."""

from __future__ import annotations

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy
from anonlib.coarsening.recoding import Intervals
from anonlib.columns.roles import Role
from anonlib.counting.privacy_models import KAnonymity
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, GeneralizeLocally, LeaveOut, Recode
from anonlib.release.typical import typical_record
from tests.helpers.errors import refused
from tests.helpers.examples import settings

CELLS = st.lists(
    st.tuples(st.sampled_from(["21", "22", "35", None]), st.sampled_from("ab"), st.sampled_from("xyz")),
    min_size=6, max_size=40,
)  # fmt: skip


@settings(80)
@given(CELLS, st.integers(2, 5), st.booleans())
def test_no_few_have_a_value_with_its_label_or_the_whole_record(cells, least, persons):
    frame = pd.DataFrame(cells, columns=["age", "town", "ill"], dtype=object)
    frame["row"] = range(len(frame))
    frame["person"] = [f"p{i // 2}" if persons else f"p{i}" for i in range(len(frame))]
    roles = {"age": Role.QUASI_IDENTIFIER, "town": Role.QUASI_IDENTIFIER}
    data = Dataset.from_frame(frame).with_roles(roles | ({"person": Role.PERSON_ID} if persons else {}))
    step = Recode("age", Intervals(10))
    if not persons:
        ages = (("age", Hierarchy((Intervals(10), EVERYTHING))),)
        step = GeneralizeLocally(ages, (KAnonymity(columns=("age",), least=3),))
    applied = Recipe.of([step]).apply(data)
    found = typical_record(applied, least)
    if found is None:
        return
    released = applied.released.records.astype(object).set_index(applied.released.records["row"].astype(int))
    both = frame.join(released[["age", "town", "ill"]], on="row", suffixes=("", " after"))
    whole = {"": pd.Series(True, both.index), " after": pd.Series(True, both.index)}
    for cell in found.cells:
        if cell.column not in ("age", "town", "ill"):
            continue
        equal = {}
        for suffix, text in (("", cell.before), (" after", cell.after)):
            column = both[cell.column + suffix]
            equal[suffix] = column.isna() if text is None else column == text
            whole[suffix] &= equal[suffix]
        assert both[equal[""] & equal[" after"]]["person"].nunique() >= least
    for suffix, rows in whole.items():
        n = both[rows]["person"].nunique()
        if not {"row", "person"} & {cell.column for cell in found.cells}:
            assert n == 0 or n >= least
            assert suffix or found.is_nobodys == (n == 0)


def test_rare_values_and_columns_of_single_values_are_not_shown():
    frame = pd.DataFrame({"age": ["31"] * 12 + ["99"], "name": [f"n{i}" for i in range(13)], "ill": ["flu"] * 13})
    applied = Recipe.of([Recode("age", Intervals(10)), DropColumns(("ill",))]).apply(Dataset.from_frame(frame))
    found = typical_record(applied)
    assert found is not None and [(cell.column, cell.before, cell.after) for cell in found.cells] == [
        ("age", "31", "30-39")
    ]
    assert not found.is_nobodys


def test_there_is_none_where_nothing_is_common_or_leaves():
    data = Dataset.from_frame(pd.DataFrame({"age": ["1", "2", "3"]})).with_roles({"age": Role.QUASI_IDENTIFIER})
    assert typical_record(Recipe().apply(data)) is None
    assert typical_record(Recipe.of([LeaveOut(9)]).apply(data)) is None
    with refused("number-out-of-range"):
        typical_record(Recipe().apply(data), 1)
