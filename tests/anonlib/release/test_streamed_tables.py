"""Several tables that stay in an engine leave as those in memory do, but for order and numbers."""

from __future__ import annotations

import io
import zipfile
from collections import Counter

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.coarsening.recoding import ValueMap
from anonlib.dataset import Dataset
from anonlib.release.export import released_in, write_released
from anonlib.release.files.streamed import write_release_beside
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut, Recode, Unlink
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.three_tables import cases, dataset_of, in_duckdb, rows_of_persons, unzipped
from tests.reference.persons import BELOW, all_rows

pytest.importorskip("ibis")
TOPPED = Recode("ward", ValueMap((), otherwise="*", missing="*"))
RECIPES = ([], [TOPPED], [DropColumns(("code", "age"))], [DropColumns(("month", "ward", "code")), LeaveOut(2)])


def written(released: Dataset, kind: str = "CSV") -> bytes:
    file = io.BytesIO()
    write_released(file, kind, released, [1])
    return file.getvalue()


def looks(data: bytes) -> Counter:
    """How many persons have which rows, hanging together in which way."""
    found = Counter()
    for person in rows_of_persons(unzipped(data)).values():
        columns = sorted({name for row in person for name in row} - {BELOW})
        rows = [dict.fromkeys(columns) | row for row in person]
        found[(*columns, *sorted(all_rows(rows, columns).items(), key=repr))] += 1
    return found


@settings(max_examples=8, deadline=None)
@given(cases(), st.sampled_from(RECIPES))
def test_the_same_persons_leave_with_the_same_rows(frames, steps):
    recipe = Recipe.of(steps)
    staying = recipe.apply(in_duckdb(frames))
    assert not staying.problems
    in_memory = recipe.apply(dataset_of(frames)).released
    assert looks(written(staying.released)) == looks(released_in("CSV", in_memory, np.random.default_rng(1)))


FRAMES = {
    "patients": pd.DataFrame({"patient": ["P0", "P1"], "age": ["30", "40"]}),
    "visits": pd.DataFrame({"visit": ["V0", "V1"], "patient": ["P0", "P0"], "month": ["1", "2"], "ward": ["a", None]}),
    "values": pd.DataFrame({"visit": ["V1", "V9"], "code": ["=x", "y"], "result": ["1", "2"]}),
}


def test_it_is_the_same_file_each_time_with_keys_that_fit():
    released = Recipe.of([]).apply(in_duckdb(FRAMES)).released
    data = written(released)
    assert data == written(released)
    tables = unzipped(data)
    assert {row["code"]: row["visit"] for row in tables["values"]}["y"] == ""
    assert {row["code"] for row in tables["values"]} == {"'=x", "y"}
    visits = {row["visit"]: row["patient"] for row in tables["visits"]}
    ages = {row["patient"]: row["age"] for row in tables["patients"]}
    assert ages[visits[next(row["visit"] for row in tables["values"] if row["visit"])]] == "30"


def test_parquet_has_numbers_and_without_persons_no_key_leaves():
    with zipfile.ZipFile(io.BytesIO(written(Recipe.of([]).apply(in_duckdb(FRAMES)).released, "Parquet"))) as archive:
        schema = pq.read_schema(io.BytesIO(archive.read("patients.parquet")))
        assert str(schema.field("age").type) == "int64"
    unlinked = unzipped(written(Recipe.of([Unlink("patient")]).apply(in_duckdb(FRAMES)).released))
    assert list(unlinked["visits"][0]) == ["month", "ward"] and list(unlinked["values"][0]) == ["code", "result"]


def test_they_are_not_written_into_the_database():
    with refused("tables-as-files-alone"):
        write_release_beside(in_duckdb(FRAMES), "main", "x", [1])
