"""The person table: who has which rows, in memory and in engines, and persons and rows left out by it."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.counting.classes.person_table import PersonTable
from anonlib.counting.classes.rows_of_persons import numbered_runs
from anonlib.reading.records import FrameRecords, Records, TableRecords
from tests.helpers.errors import refused
from tests.helpers.examples import settings

CELLS = ["a", "b", None]


@st.composite
def files(draw: st.DrawFn) -> dict[str, list[str | None]]:
    """Columns x and y and the person of each row; who has none is a person of their own."""
    n = draw(st.integers(1, 18))
    cells = st.lists(st.sampled_from(CELLS), min_size=n, max_size=n)
    return {"x": draw(cells), "y": draw(cells), "id": draw(
        st.lists(st.sampled_from(["p", "q", "r", "s", None]), min_size=n, max_size=n)
    )}  # fmt: skip


def rows_by_person(columns: dict[str, list[str | None]], names: list[str]) -> list[Counter]:
    """The rows of each person, with how often they have them."""
    persons: dict[object, Counter] = {}
    for i, person in enumerate(columns["id"]):
        row = tuple(columns[name][i] for name in names)
        persons.setdefault(i if person is None else person, Counter())[row] += 1
    return list(persons.values())


def as_counts(persons: list[Counter]) -> Counter:
    return Counter(frozenset(rows.items()) for rows in persons)


def profiles(table: PersonTable) -> Counter:
    """How many persons have which rows, from a table, whose profiles must all be different."""
    columns = [table.rows.column(name) for name in table.attributes]
    rows = list(zip(*columns, strict=True)) if columns else [()] * table.rows.n_classes
    found = Counter()
    for i in range(table.n_profiles):
        places = range(table.start[i], table.start[i + 1])
        of_profile = frozenset((rows[table.row[place]], int(table.times[place])) for place in places)
        assert of_profile not in found and list(table.row[places]) == sorted({*table.row[places]})
        found[of_profile] = int(table.persons[i])
    return found


def here(columns: dict[str, list[str | None]]) -> FrameRecords:
    return FrameRecords.of(pd.DataFrame(columns, dtype=object))


@settings(max_examples=150)
@given(files(), st.sampled_from([["x", "y"], ["y"], []]))
def test_who_has_which_rows(columns, names):
    expected = as_counts(rows_by_person(columns, names))
    table = PersonTable.from_records(here(columns), names, "id")
    assert profiles(table) == expected and table.n_persons == sum(expected.values())
    assert profiles(PersonTable.from_records(here(columns), ["x", "y"], "id").project(names)) == expected
    assert table.profile_of_record is not None
    by_person: dict[str, set[int]] = {}
    for person, profile in zip(columns["id"], table.profile_of_record.tolist(), strict=True):
        if person is not None:
            by_person.setdefault(person, set()).add(profile)
    assert all(len(found) == 1 for found in by_person.values())


@settings(max_examples=50)
@given(files(), st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(columns, chance):
    order = list(range(len(columns["id"])))
    chance.shuffle(order)
    shuffled = {name: [cells[i] for i in order] for name, cells in columns.items()}
    table, other = (PersonTable.from_records(here(c), ["x", "y"], "id") for c in (columns, shuffled))
    for part in ("persons", "start", "row", "times"):
        assert getattr(table, part).tolist() == getattr(other, part).tolist(), part


@pytest.mark.everyday
@settings(max_examples=20)
@given(st.data())
def test_in_engines(engine, data):
    columns = data.draw(files())
    there = TableRecords(engine.table(columns))
    for names in (["x", "y"], ["y"], []):
        table = PersonTable.from_records(there, names, "id")
        assert profiles(table) == as_counts(rows_by_person(columns, names))
        in_memory = PersonTable.from_records(here(columns), names, "id")
        for part in ("persons", "start", "row", "times"):  # in one order wherever they are
            assert getattr(table, part).tolist() == getattr(in_memory, part).tolist(), part
    changing = {name: sum(len(rows) > 1 for rows in rows_by_person(columns, [name])) for name in ("x", "y")}
    several = sum(sum(rows.values()) > 1 for rows in rows_by_person(columns, []))
    for records in (here(columns), there):
        assert records.changing_within("id", ["x", "y"]) == changing
        assert records.persons_of_several_rows("id") == (several, len(rows_by_person(columns, [])))


def left(records: Records, table: PersonTable, persons: np.ndarray, times: np.ndarray) -> Counter:
    return profiles(PersonTable.from_records(records.first_of_persons(table, persons, times, "id"), ["x", "y"], "id"))


def expected_left(table: PersonTable, persons: np.ndarray, times: np.ndarray) -> Counter:
    rows = list(zip(table.rows.column("x"), table.rows.column("y"), strict=True))
    found = Counter()
    for i, number in enumerate(persons.tolist()):
        places = range(table.start[i], table.start[i + 1])
        kept = frozenset((rows[table.row[place]], int(times[place])) for place in places if times[place])
        if number and kept:
            found[kept] += number
    return found


def drawn(data: st.DataObject, table: PersonTable) -> tuple[np.ndarray, np.ndarray]:
    """Of each profile so many persons, and of each of their rows so many."""
    persons = [data.draw(st.integers(0, most)) for most in table.persons.tolist()]
    times = [data.draw(st.integers(0, most)) for most in table.times.tolist()]
    return np.array(persons, dtype=np.int64), np.array(times, dtype=np.intp)


@settings(max_examples=100)
@given(st.data())
def test_persons_and_rows_left_out(data):
    records = here(data.draw(files()))
    table = PersonTable.from_records(records, ["x", "y"], "id")
    persons, times = drawn(data, table)
    assert left(records, table, persons, times) == expected_left(table, persons, times)
    assert left(records, table, table.persons, table.times) == profiles(table)


@settings(max_examples=12)
@given(st.data())
def test_persons_and_rows_left_out_in_engines(engine, data):
    records = TableRecords(engine.table(data.draw(files())))
    table = PersonTable.from_records(records, ["x", "y"], "id")
    persons, times = drawn(data, table)
    assert left(records, table, persons, times) == expected_left(table, persons, times)


def test_the_first_persons_and_rows_stay():
    columns = {"x": list("aabab"), "y": list("12121"), "id": list("ppqqr")}
    records = here(columns)
    table = PersonTable.from_records(records, ["x"], "id")
    persons = np.ones(table.n_profiles, dtype=np.int64)
    kept = records.first_of_persons(table, persons, np.minimum(table.times, 1), "id").frame
    assert kept.astype(str).to_numpy().tolist() == [["a", "1", "p"], ["b", "1", "q"], ["a", "2", "q"], ["b", "1", "r"]]


@settings(max_examples=100)
@given(st.lists(st.lists(st.integers(0, 3), max_size=40), max_size=12))
def test_runs_are_numbered_alike_where_they_are_equal(runs):
    start = np.cumsum([0, *map(len, runs)]).astype(np.int64)
    codes = np.array([code for run in runs for code in run], dtype=np.int64)
    numbers = numbered_runs(start, codes).tolist()
    assert sorted(set(numbers)) == list(range(len({*map(tuple, runs)})))
    for one, first in zip(numbers, runs, strict=True):
        for other, second in zip(numbers, runs, strict=True):
            assert (one == other) == (first == second)
            if max(len(first), len(second)) <= 16 or min(len(first), len(second)) > 16:
                assert (one < other) == ((len(first), first) < (len(second), second))


def test_columns_that_are_not_there_are_refused():
    with refused("column-unknown", "z"):
        PersonTable.from_records(here({"x": ["a"], "y": ["b"], "id": ["p"]}), ["z"], "id")
    with refused("column-unknown", "who"):
        PersonTable.from_records(here({"x": ["a"], "y": ["b"], "id": ["p"]}), ["x"], "who")
