"""The tables of a case as one, against a join row by row."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import given

from anonlib.reading.joining import join, records_without, rows_of_tables
from anonlib.reading.tables import Key, Linked
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.tables import in_an_engine, in_duckdb, in_memory
from tests.helpers.three_tables import LINKED, cases, rows_of_persons, tables_of


def as_rows(records, columns) -> Counter:
    frame = records.head(10_000).astype(object)
    frame = frame.where(frame.notna(), None)
    return Counter(frame[list(columns)].itertuples(index=False, name=None))


def plain_rows(frames) -> Counter:
    """Each row of each table with what it hangs below, by dictionaries."""
    lists = {name: frame.where(frame.notna(), None).to_dict("records") for name, frame in frames.items()}
    found = rows_of_persons(lists)
    columns = ("age", "month", "ward", "code", "result")
    return Counter((patient, *(row.get(name) for name in columns)) for patient, rows in found.items() for row in rows)


COLUMNS = ("patient", "age", "month", "ward", "code", "result")


@settings(max_examples=60)
@given(cases())
def test_each_row_has_what_it_hangs_below(frames):
    joined = join(tables_of(frames), LINKED)
    assert as_rows(joined.records, COLUMNS) == plain_rows(frames)
    assert joined.records.n_records == sum(map(len, frames.values()))
    assert joined.layout.hidden == ("table", "row of patients", "row of visits", "number of visits")


@settings(max_examples=8, deadline=None)
@given(cases())
def test_an_engine_gives_the_same(frames):
    here = tables_of(frames)
    there = [replace(table, digest=one.digest) for one, table in zip(here, in_duckdb(**frames), strict=True)]
    joined = join(there, LINKED)
    assert as_rows(joined.records, COLUMNS) == plain_rows(frames)
    assert joined.layout == join(here, LINKED).layout


def frames_with_strays() -> dict[str, pd.DataFrame]:
    return {
        "patients": pd.DataFrame({"patient": ["P0", "P1"], "age": ["30", "40"]}),
        "visits": pd.DataFrame({"visit": ["V0", "V1", None], "patient": ["P0", "P9", "P1"], "age": ["1", "2", "3"]}),
        "values": pd.DataFrame({"visit": ["V0", "V7", None], "code": ["a", "b", "c"]}),
    }


def test_what_names_no_row_above_is_of_its_person_or_of_a_person_of_its_own():
    joined = join(tables_of(frames_with_strays()), LINKED)
    found = as_rows(joined.records, ("patient", "patients.age", "visits.age", "code"))
    assert found == Counter(
        [
            ("P0", "30", None, None), ("P1", "40", None, None),
            ("P0", "30", "1", None), ("P9", None, "2", None), ("P1", "40", "3", None),
            ("P0", "30", "1", "a"), (None, None, None, "b"), (None, None, None, "c"),
        ]
    )  # fmt: skip
    assert [each.names_none for each in rows_of_tables(joined.records, joined.layout).values()] == [0, 1, 2]


def test_names_that_several_tables_have_say_which_table():
    layout = join(tables_of(frames_with_strays()), LINKED).layout
    assert [place.named for place in layout.tables] == [
        {"age": "patients.age"}, {"age": "visits.age"}, {"code": "code"}
    ]  # fmt: skip
    assert [place.name for place in layout.above(layout.by_name["values"])] == ["visits", "patients"]
    place = layout.table_of("code")
    assert place is not None and place.name == "values" and layout.table_of("patient") is None


def test_two_tables_of_visits_without_one_of_persons():
    frames = {
        "stays": pd.DataFrame({"id": ["1", "2", "1"], "ward": ["a", "b", "c"]}),
        "tests": pd.DataFrame({"nr": ["2", "2"], "code": ["x", "y"]}),
    }
    joined = join(tables_of(frames), Linked(None, {"stays": "id", "tests": "nr"}))
    assert as_rows(joined.records, ("id", "ward", "code")) == Counter(
        [("1", "a", None), ("2", "b", None), ("1", "c", None), ("2", None, "x"), ("2", None, "y")]
    )
    assert joined.layout.hidden == ("table",)


def test_tables_that_name_no_persons_cannot_be_joined():
    with refused("no-person-id"):
        join(tables_of({"a": pd.DataFrame({"x": ["1"]})}), Linked(None))


def test_tables_of_two_places_cannot_be_joined():
    here, (there,) = in_memory(patients={"patient": ["P0"]}), in_duckdb(visits={"patient": ["P0"], "ward": ["a"]})
    keys = (Key("visits", "patient", "patients", "patient"),)
    with refused("tables-in-two-places"):
        join([*here, there], Linked("patients", {"patients": "patient", "visits": "patient"}, keys))


@settings(max_examples=20, deadline=None)
@given(cases())
def test_rows_of_tables_are_counted_alike_in_memory_and_in_an_engine(frames):
    joined = join(tables_of(frames), LINKED)
    found = rows_of_tables(joined.records, joined.layout)
    assert {name: (each.rows, each.names_none) for name, each in found.items()} == {
        name: (len(frame), 0) for name, frame in frames.items()
    }
    assert rows_of_tables(in_an_engine(joined.records), joined.layout) == found
    patients, visits = len(frames["patients"]), len(frames["visits"])
    without = {"age": 0, "month": patients, "ward": patients, "code": patients + visits, "result": patients + visits}
    assert records_without(joined.records, joined.layout) == without


def of_two_tables(n: int = 12) -> dict[str, pd.DataFrame]:
    """Stays that repeat the sex of persons with two each, the age of one of whom changes; and tests."""
    age = {(0, 1): "41"}
    stays = [(f"P{i}", "mf"[i % 2], age.get((i, j), "40"), f"{i}{j}") for i in range(n) for j in (0, 1)]
    return {
        "stays": pd.DataFrame(stays, columns=["id", "sex", "age", "day"]),
        "tests": pd.DataFrame({"nr": ["P0", "P1", "P9", "X"], "code": ["a", "b", "c", "d"]}),
    }


TWO = Linked(None, {"stays": "id", "tests": "nr"})


@pytest.mark.parametrize("engine", [False, True])
def test_what_a_table_says_of_the_person_stands_in_rows_of_other_tables_too(engine):
    frames = of_two_tables()
    joined = join(in_duckdb(**frames) if engine else tables_of(frames), TWO)
    assert joined.layout.by_name["stays"].of_person == ("sex", "age")
    age = "41" if engine else "40"  # where rows differ: the last one in order, the first one
    found = as_rows(joined.records, ("id", "sex", "age", "day", "code"))
    assert {row for row in found if row[4]} == {
        ("P0", "m", age, None, "a"), ("P1", "f", "40", None, "b"), ("P9", "f", "40", None, "c"),
        ("X", None, None, None, "d"),
    }  # fmt: skip
    assert records_without(joined.records, joined.layout) == {"sex": 1, "age": 1, "day": 4, "code": 24}


@pytest.mark.parametrize("engine", [False, True])
def test_it_goes_with_the_last_row_that_says_it(engine):
    joined = join(tables_of(of_two_tables()), TWO)
    held = joined.records
    left = held.keep(~(held.frame["id"].eq("P9") & held.frame["table"].eq("stays")).to_numpy())
    settled = (in_an_engine(left) if engine else left).settled(joined.layout)
    found = as_rows(settled, ("id", "sex", "code"))
    assert found["P9", None, "c"] == found["P1", "f", "b"] == 1


BY_TWO_KEYS = Linked(
    "patients", {"patients": "patient", "visits": "of"},
    (Key("visits", "of", "patients", "patient"), Key("values", "mrn", "patients", "mrn")),
)  # fmt: skip


@pytest.mark.parametrize("engine", [False, True])
def test_tables_may_name_rows_of_one_table_by_different_columns(engine):
    tables = (in_duckdb if engine else in_memory)(
        patients={"patient": ["P0", "P1"], "mrn": ["7", "8"], "age": ["30", "40"]},
        visits={"of": ["P1", "P0"], "ward": ["a", "b"]},
        values={"mrn": ["8", "7", "9"], "code": ["x", "y", "z"]},
    )
    joined = join(tables, BY_TWO_KEYS)
    assert as_rows(joined.records, ("patient", "age", "ward", "code")) == Counter(
        [
            ("P0", "30", None, None), ("P1", "40", None, None), ("P1", "40", "a", None), ("P0", "30", "b", None),
            ("P1", "40", None, "x"), ("P0", "30", None, "y"), (None, None, None, "z"),
        ]
    )  # fmt: skip
