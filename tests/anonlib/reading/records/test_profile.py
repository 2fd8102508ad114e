"""Roles are suggested alike, wherever the records are."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.columns.roles import suggest_roles
from anonlib.reading.records import FrameRecords, TableRecords, table
from anonlib.reading.samples import sample
from anonlib.reading.sources import open_source
from tests.helpers.examples import settings
from tests.helpers.records import both, columns_of_cells

IDS = [f"{n:08d}" for n in range(5_000)]
CELLS: list[str | None] = [*IDS, *IDS[:3_000], None, None]
NAMES = ["age", "sex", "zip", "patient_id", "diagnosis", "weight", "note", "column 8"]


@settings(12, deadline=None)
@given(columns_of_cells(), st.permutations(NAMES))
def test_suggestions_for_odd_columns_are_the_same(engine, columns, names):
    here, there = both(engine, dict(zip(names, [*columns.values(), columns["x"]], strict=False)))
    assert suggest_roles(there) == suggest_roles(here)


def test_suggestions_for_a_sample_are_the_same(engine):
    chosen = sample("admissions")
    frame = open_source(chosen.read_bytes(), chosen.filename).frame
    here = FrameRecords(frame)
    cells = {name: [None if pd.isna(cell) else cell for cell in frame[name]] for name in frame.columns}
    there = TableRecords(engine.table(cells))
    assert suggest_roles(there) == suggest_roles(here) == suggest_roles(frame)


def is_estimated(there: TableRecords) -> None:
    profile = there.profile("reference")
    assert (profile.records, profile.missing, profile.exact) == (8_002, 2, False)
    assert profile.distinct == pytest.approx(5_000, rel=0.3)
    texts = profile.texts.tolist()
    assert len(set(texts)) == len(texts) == 1_000 and set(texts) <= set(IDS) and texts == sorted(texts)
    assert there.profile("reference").texts.tolist() == texts, "always the same draw"


def test_more_values_than_are_fetched_are_estimated_and_that_is_stated(engine, monkeypatch):
    monkeypatch.setattr("anonlib.reading.records.table.MOST_VALUES", 2_000)
    here, there = both(engine, {"reference": CELLS})
    exact, estimate = here.profile("reference"), there.profile("reference")
    assert exact.exact and (exact.records, exact.missing) == (8_002, 2)
    assert estimate.pairs_alike == pytest.approx(exact.pairs_alike, rel=0.5)
    is_estimated(there)
    (suggested,) = suggest_roles(there)
    assert any("about" in reason for reason in suggested.reasons)
    assert suggested.role == suggest_roles(here)[0].role


def test_of_very_many_records_values_are_estimated_before_they_are_counted(engine, monkeypatch):
    _, there = both(engine, {"reference": CELLS, "sex": ["F", "M"] * 4_001})
    for name, number in (("MOST_VALUES", 2_000), ("_LOOKED_AT_FIRST", 8_000), ("_LEFT_BY_QUICK_HASH", 4_000)):
        monkeypatch.setattr(table, name, number)
    asked, fetched = [], table.fetched
    monkeypatch.setattr(table, "fetched", lambda query: (asked.append(query.columns), fetched(query))[1])
    assert there.counts_if_few("reference") is None
    estimated_first = engine.name == "duckdb"
    assert (("value", "records") in asked) != estimated_first
    assert there.counts_of("sex").records.tolist() == [4_001, 4_001]
    is_estimated(there)


@settings(40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["x", "y", None])), min_size=1, max_size=8))
def test_columns_that_tell_each_other(engine, rows):
    here, there = both(engine, {"one": [one for one, _ in rows], "other": [other for _, other in rows]})
    pairs = set(rows)
    expected = len({one for one, _ in pairs}) == len({other for _, other in pairs}) == len(pairs)
    assert there.tell_the_same("one", "other") == here.tell_the_same("one", "other") == expected


def test_a_profile_is_of_the_records_that_are_left():
    cells = pd.Categorical(["a", "a", None], categories=["a", "never"])
    profile = FrameRecords(pd.DataFrame({"x": cells})).profile("x")
    assert (profile.records, profile.missing, profile.distinct, profile.pairs_alike) == (3, 1, 1, 2)
    assert profile.texts.tolist() == ["a"]
