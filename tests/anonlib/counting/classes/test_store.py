"""Class tables of records in an engine are kept: what follows from one that was counted is not asked for again."""

from __future__ import annotations

from itertools import permutations

import ibis
import numpy as np
import pandas as pd
import pytest

from anonlib.counting.classes import ClassTable, database, store
from anonlib.counting.classes.database import TooManyClasses
from anonlib.reading.records import FrameRecords, TableRecords
from tests.helpers.tables import check_same

NAMES = ("age", "sex", "zip")


@pytest.fixture
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    columns = {name: rng.integers(0, 4, 60).astype(str).astype(object) for name in NAMES}
    for cells in columns.values():
        cells[rng.integers(0, 60, 5)] = None
    return pd.DataFrame(columns)


@pytest.fixture
def asked(monkeypatch) -> list[int]:
    """Grows by one with each query."""
    queries, fetched = [], database.fetched
    monkeypatch.setattr(database, "fetched", lambda expression: (queries.append(1), fetched(expression))[1])
    return queries


@pytest.mark.parametrize("missing", ["category", "drop"])
@pytest.mark.parametrize("person", [None, "who"])
def test_every_table_follows_from_a_larger_one(frame, asked, missing, person):
    frame["who"] = [str(i // 2) for i in range(len(frame))]
    there, here = TableRecords(ibis.memtable(frame)), FrameRecords.of(frame)
    ClassTable.from_records(there, list(NAMES), person=person)
    n_queries = len(asked)
    for size in range(1, 4):
        for names in permutations(NAMES, size):
            counted = ClassTable.from_records(there, names, missing=missing, person=person)
            check_same(counted, ClassTable.from_records(here, names, missing=missing, person=person), records=False)
    assert len(asked) == n_queries


def test_persons_and_records_are_kept_apart(frame):
    frame["who"] = [str(i // 2) for i in range(len(frame))]
    there = TableRecords(ibis.memtable(frame))
    assert ClassTable.from_records(there, ["sex"]).n_records == 60
    assert ClassTable.from_records(there, ["sex"], person="who").n_records == 30


def test_records_after_a_change_are_counted_again(frame):
    there = TableRecords(ibis.memtable(frame))
    before = ClassTable.from_records(there, ["sex", "zip"])
    groups_of_sex = ClassTable.from_records(there, ["sex"])
    left = there.label(groups_of_sex, np.arange(groups_of_sex.n_classes) == 0)
    assert ClassTable.from_records(left, ["sex", "zip"]).n_records == groups_of_sex.counts[0] < before.n_records
    assert left.n_records == groups_of_sex.counts[0]


def test_tables_that_were_used_longest_ago_give_way(frame, asked, monkeypatch):
    monkeypatch.setattr(store, "_MOST_BYTES", 1)
    there = TableRecords(ibis.memtable(frame))
    for names in (["age"], ["sex"], ["age"]):
        assert ClassTable.from_records(there, names).n_records == 60
    counts = len(asked)
    ClassTable.from_records(there, ["age"])
    assert len(asked) == counts


def test_too_many_combinations_are_asked_for_once(frame, asked, monkeypatch):
    monkeypatch.setattr(database, "MOST_CLASSES", 6)
    there = TableRecords(ibis.memtable(frame))
    with pytest.raises(TooManyClasses, match="“age” and “sex” have more than 6"):
        ClassTable.from_records(there, ["age", "sex"])
    counts = len(asked)
    with pytest.raises(TooManyClasses, match="“age” and “sex” have more than 6"):
        ClassTable.from_records(there, ["zip", "age", "sex"])
    assert len(asked) == counts
    assert ClassTable.from_records(there, ["age"]).n_classes == 5


def test_far_too_many_combinations_are_not_counted(asked, monkeypatch):
    monkeypatch.setattr(database, "MOST_CLASSES", 100)
    there = TableRecords(ibis.memtable({"a": [str(i) for i in range(400)], "b": [1] * 400}))
    with pytest.raises(TooManyClasses):
        ClassTable.from_records(there, ["a", "b"])
    assert len(asked) == 1  # about how many, and no more
