"""Records of several tables after a change: what tables cannot have is put right, in memory and in an engine."""

from __future__ import annotations

import pandas as pd
import pytest

from anonlib.reading.records import FrameRecords, Labels
from tests.helpers.tables import in_an_engine
from tests.helpers.three_tables import dataset_of

FRAMES = {
    "patients": pd.DataFrame({"patient": ["P0", "P1"], "age": ["30", "40"]}),
    "visits": pd.DataFrame(
        {"visit": ["V0", "V1", "V2"], "patient": ["P0", "P0", "P9"], "month": ["1", "2", "3"], "ward": ["a", None, "b"]}
    ),
    "values": pd.DataFrame({"visit": ["V0", "V1", "V8"], "code": ["x", "y", "z"], "result": ["1", "2", "3"]}),
}


CASE = dataset_of(FRAMES)
HELD, LAYOUT = CASE.held, CASE.tables


def without(rows: list[int]) -> FrameRecords:
    return HELD.keep(~pd.Series(range(HELD.n_records)).isin(rows).to_numpy())


@pytest.mark.parametrize(
    ("gone", "also_gone"),
    [([2], [5]), ([3], [6]), ([0], [2, 3, 5, 6]), ([4], []), ([5], []), ([1, 7], [])],
    ids=["a visit", "another", "a patient", "a visit of nobody known", "a value", "what has nothing below"],
)
def test_what_hangs_below_a_row_that_was_left_out_is_left_out(gone, also_gone):
    settled = without(gone).settled(LAYOUT)
    assert settled.rows.tolist() == [row for row in range(8) if row not in {*gone, *also_gone}]


def test_a_row_below_has_the_cells_of_the_row_above_it():
    cells = HELD.frame["ward"].astype(object).tolist()
    cells[5] = "other"  # the value of the first visit says another ward than the visit
    changed = HELD.with_frame(HELD.frame.assign(ward=pd.Categorical(cells)))
    assert changed.settled(LAYOUT).frame["ward"].astype(object).tolist()[5] == "a"


@pytest.mark.parametrize("engine", [False, True])
def test_a_label_for_missing_cells_is_given_in_no_other_table(engine):
    records = in_an_engine(HELD) if engine else HELD
    values = records.values("ward")
    changed = records.recode("ward", Labels.as_they_come(values, values, missing="none"))
    assert changed.head(10)["ward"].notna().all()
    settled = changed.settled(LAYOUT).head(10).astype(object)
    by_table = settled.groupby("table")["ward"].agg(lambda cells: sorted(cells.dropna()))
    assert by_table["patients"] == [] and by_table["visits"] == ["a", "b", "none"]
    assert by_table["values"] == ["a", "none"]  # V8 is no visit


def test_an_engine_leaves_out_what_hangs_below():
    assert in_an_engine(without([2])).settled(LAYOUT).n_records == 6
