"""What leaves of a case of several tables, recounted from the files that leave by plain code."""

from __future__ import annotations

import io
import json
import zipfile
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.reference.persons as slow
from anonlib.basics.budget import about_seconds
from anonlib.coarsening.recoding import ValueMap
from anonlib.counting.privacy_models import ALL, ONE, VALUES, AttributeDisclosure, KAnonymity
from anonlib.dataset import Dataset
from anonlib.reading.joining import join
from anonlib.reading.records import TableRecords
from anonlib.reading.records.layout import NO_CELL
from anonlib.reading.tables import Key, Linked, NamedTable
from anonlib.release.codebook import codebook
from anonlib.release.export import released_in, write_released
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut, Recode, Unlink
from anonlib.verdict.criteria import Case, Inference, RecordsKept, SmallestClass
from anonlib.verdict.proposals import Adviser, Asked, Proposal
from tests.helpers.examples import settings
from tests.helpers.three_tables import ROLES, cases, dataset_of, rows_of_persons, unzipped
from tests.helpers.ways import whole_columns

TOPPED = Recode("ward", ValueMap((), otherwise="*", missing="*"))
KNOWN = ("age", "month", "ward", "code")


def shared(k: int, rows) -> LeaveOut:
    asked = KAnonymity(columns=KNOWN, known=len(KNOWN), least=k, rows=rows)
    return LeaveOut(guarantees=(asked,), what="rows")


RECIPES = (
    [], [TOPPED], [DropColumns(("code",))], [LeaveOut(2)], [shared(2, ONE)], [TOPPED, shared(2, ALL)],
    [DropColumns(("month", "age")), shared(2, VALUES)],
)  # fmt: skip


def released(frames, steps, roles=ROLES) -> tuple[Case, dict[str, list[slow.Person]]]:
    recipe = Recipe.of(steps)
    case = Case(recipe.apply(dataset_of(frames, roles=roles)), recipe, k=2)
    assert not case.applied.problems
    tables = unzipped(released_in("CSV", case.released, np.random.default_rng(1)))
    columns = [name for name in case.released.columns if name != "patient"]
    persons = rows_of_persons(tables)
    return case, {
        name: [{column: row.get(column) or None for column in (*columns, slow.BELOW)} for row in rows]
        for name, rows in persons.items()
    }


@settings(max_examples=120, deadline=None)
@given(cases(), st.sampled_from(RECIPES), st.sampled_from([ONE, VALUES, ALL, 2]))
def test_sizes_are_those_of_the_tables_that_leave(frames, steps, rows):
    case, persons = released(frames, steps)
    if not persons:
        return
    known, left = tuple(case.released.quasi_identifiers), list(persons.values())
    if not known or all(len(person) == 1 for person in left):
        return
    found = SmallestClass(2, rows=(rows,)).check(case)
    assert found.now == min(slow.sizes(left, known, rows))
    found = Inference(1, 0.0, rows=(rows,)).check(case)
    if "result" in case.released.columns:
        certain = slow.violating(left, slow_certain(known, rows))
        assert found.persons == len(certain)


def slow_certain(known, rows):
    return AttributeDisclosure(columns=known, known=1, sensitive="result", share=0.0, rows=rows)


@settings(max_examples=60, deadline=None)
@given(cases(), st.sampled_from(RECIPES))
def test_every_key_names_a_row_that_leaves_and_the_same_one_as_before(frames, steps):
    _, before = released(frames, [])
    case, after = released(frames, steps)
    kept = [column for column in case.released.columns if column != "patient"]
    tops = {"ward"} if TOPPED in steps else set[str]()

    def looks(persons):  # as a multiset of persons, each a multiset of rows
        rows = [
            Counter(tuple(None if name in tops else row[name] for name in kept) for row in person)
            for person in persons.values()
        ]
        return Counter(tuple(sorted(each.items(), key=repr)) for each in rows)

    if not any(isinstance(step, LeaveOut) for step in steps):
        assert looks(after) == looks(before)
    assert len(after) <= len(before)


@settings(max_examples=40, deadline=None)
@given(cases(), st.sampled_from([ONE, VALUES, ALL]))
def test_what_is_proposed_holds_of_the_tables_that_leave(frames, rows):
    data = dataset_of(frames, roles={**ROLES, "result": "quasi_identifier"})
    if not data.has_several_rows:
        return
    adviser = Adviser(Asked(data, (SmallestClass(2, rows=(rows,)), RecordsKept(0.5))))
    found = whole_columns(adviser, about_seconds(5))
    if isinstance(found, Proposal):
        assert not any(NO_CELL.strip("\0") in json.dumps(step.to_dict()) for step in found.steps)
        persons = list(released(frames, found.steps, roles={**ROLES, "result": "quasi_identifier"})[1].values())
        known = [name for name in ("age", "month", "ward", "code", "result") if persons and name in persons[0][0]]
        assert not persons or min(slow.sizes(persons, known, rows)) >= 2


def test_who_knows_all_rows_knows_which_values_are_of_one_visit():
    visits = [("V0", "P0"), ("V1", "P0"), ("V2", "P1"), ("V3", "P1"), ("V4", "P2"), ("V5", "P2")]
    values = ["V0 x", "V0 y", "V1 z", "V2 x", "V3 y", "V3 z", "V4 z", "V5 y", "V5 x"]  # P2 as P0, and P1 not
    frames = {
        "patients": pd.DataFrame({"patient": ["P0", "P1", "P2"], "age": "30"}),
        "visits": pd.DataFrame(visits, columns=["visit", "patient"]).assign(month="1", ward="a"),
        "values": pd.DataFrame([each.split() for each in values], columns=["visit", "code"]).assign(result="1"),
    }
    data = dataset_of(frames)
    case = Case(Recipe().apply(data), Recipe(), k=2)
    assert SmallestClass(2, rows=(ALL,)).check(case).now == 1
    assert SmallestClass(2, rows=(ONE,)).check(case).now == 3 and SmallestClass(2, rows=(VALUES,)).check(case).now == 3
    left = {}
    for name, step in {"mended": shared(2, ALL), "without codes": DropColumns(("code",))}.items():
        left[name] = SmallestClass(2, rows=(ALL,)).check(Case(Recipe.of([step]).apply(data), Recipe(), k=2)).now
    assert left == {"mended": 2, "without codes": 3}  # each has a visit of two values and one of one


def test_new_keys_are_drawn_and_leave_under_the_names_of_their_files():
    frames = {
        "patients": pd.DataFrame({"patient": ["P0", "P1", "P2"], "age": ["30", "40", "50"]}),
        "visits": pd.DataFrame(
            {"visit": ["V0", "V1"], "patient": ["P0", "P2"], "month": ["1", "2"], "ward": ["a", None]}
        ),
        "values": pd.DataFrame({"visit": ["V1", "V1", "V9"], "code": ["x", "y", "z"], "result": ["1", "2", "3"]}),
    }
    data = dataset_of(frames)
    tables = unzipped(released_in("CSV", data, np.random.default_rng(0)))
    assert {name: list(rows[0]) for name, rows in tables.items()} == {
        name: list(frame.columns) for name, frame in frames.items()
    }
    assert {row["patient"] for row in tables["patients"]} == {"1", "2", "3"}
    assert {row["visit"] for row in tables["visits"]} == {"1", "2"}
    by_age = {row["patient"]: row["age"] for row in tables["patients"]}
    of_month = {row["month"]: row for row in tables["visits"]}
    assert by_age[of_month["2"]["patient"]] == "50" and of_month["2"]["ward"] == ""
    of_code = {row["code"]: row["visit"] for row in tables["values"]}
    assert of_code["x"] == of_code["y"] == of_month["2"]["visit"] and of_code["z"] == ""
    unlinked = unzipped(
        released_in("CSV", Recipe.of([Unlink("patient")]).apply(data).released, np.random.default_rng(0))
    )
    assert list(unlinked["patients"][0]) == ["age"] and list(unlinked["visits"][0]) == ["month", "ward"]


ONE_VISIT = {
    "patients": pd.DataFrame({"patient": ["P0"], "age": ["30"]}),
    "visits": pd.DataFrame({"visit": ["V0"], "patient": ["P0"], "month": ["1"], "ward": ["a"]}),
    "values": pd.DataFrame({"visit": ["V0"], "code": ["x"], "result": ["1"]}),
}


def test_a_workbook_has_a_sheet_a_table():
    data = dataset_of(ONE_VISIT)
    sheets = pd.read_excel(
        io.BytesIO(released_in("Excel", data, np.random.default_rng(0))), sheet_name=None, dtype=str, engine="openpyxl"
    )
    assert {name: [*sheet] for name, sheet in sheets.items()} == {name: [*each] for name, each in ONE_VISIT.items()}
    assert released_in("CSV", data, np.random.default_rng(3)) == released_in("CSV", data, np.random.default_rng(3))


@pytest.mark.parametrize("kind", ["CSV", "Parquet", "SPSS", "Stata"])
def test_each_format_is_a_file_a_table(kind):
    data = dataset_of(ONE_VISIT)
    with zipfile.ZipFile(io.BytesIO(released_in(kind, data, np.random.default_rng(0)))) as archive:
        assert len(archive.namelist()) == 3 and all(archive.read(name) for name in archive.namelist())


def test_the_codebook_says_which_table_each_column_is_in_and_its_name_there():
    frames = {
        "patients": pd.DataFrame({"patient": ["P0", "P1"], "status": ["30", "40"]}),
        "visits": pd.DataFrame({"visit": ["V0"], "patient": ["P0"], "status": ["1"], "ward": ["a"]}),
        "values": pd.DataFrame({"visit": ["V0"], "code": ["x"], "result": ["1"]}),
    }
    roles = {"patient": "person_id", "patients.status": "quasi_identifier", "visits.status": "sensitive"}
    applied = Recipe.of([DropColumns(("code",))]).apply(dataset_of(frames, roles=roles))
    book = codebook(applied.released, Recipe.of([DropColumns(("code",))])).columns
    found = list(book[["table", "column", "name in its table", "name in SPSS"]].itertuples(index=False, name=None))
    assert found == [
        ("", "patient", "", "patient"), ("patients", "patients.status", "status", "status"),
        ("visits", "visits.status", "status", "status"), ("visits", "ward", "ward", "ward"),
        ("values", "result", "result", "result"),
    ]  # fmt: skip


@pytest.mark.parametrize("engine", [False, True])
def test_keys_by_which_tables_name_rows_of_one_table_fit_whichever_column_they_are(engine):
    frames = {
        "patients": pd.DataFrame({"patient": ["P0", "P1"], "mrn": ["7", "8"], "age": ["30", "40"]}),
        "visits": pd.DataFrame({"of": ["P1", "P0"], "ward": ["a", "b"]}),
        "values": pd.DataFrame({"mrn": ["8", "7", "9"], "code": ["x", "y", "z"]}),
    }
    linked = Linked(
        "patients", {"patients": "patient", "visits": "of"},
        (Key("visits", "of", "patients", "patient"), Key("values", "mrn", "patients", "mrn")),
    )  # fmt: skip
    roles = {"patient": "person_id", "age": "quasi_identifier"}
    if engine:
        con = pytest.importorskip("ibis").duckdb.connect()
        tables = [
            NamedTable(name, None, TableRecords(con.create_table(name, each)), name) for name, each in frames.items()
        ]
        joined = join(tables, linked)
        layout = joined.layout
        data = Dataset("case", "0" * 64, joined.records, withheld=layout.hidden, tables=layout).with_roles(roles)
    else:
        data = dataset_of(frames, linked, roles)
    file = io.BytesIO()
    write_released(file, "CSV", data, [1])
    tables = unzipped(file.getvalue())
    age_of = {row["patient"]: row["age"] for row in tables["patients"]}
    age_of_mrn = {row["mrn"]: row["age"] for row in tables["patients"]}
    assert {row["ward"]: age_of[row["of"]] for row in tables["visits"]} == {"a": "40", "b": "30"}
    assert {row["code"]: age_of_mrn.get(row["mrn"], "") for row in tables["values"]} == {"x": "40", "y": "30", "z": ""}
    assert not {"7", "8"} & set(age_of_mrn) and not {"P0", "P1"} & set(age_of)
