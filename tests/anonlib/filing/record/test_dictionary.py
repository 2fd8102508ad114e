"""The data dictionary: what columns are, and what the values mean that are listed."""

from __future__ import annotations

import csv
import io
import json

import pandas as pd
import pyreadstat
from hypothesis import given
from hypothesis import strategies as st

from anonlib.coarsening.recoding import Intervals
from anonlib.columns.roles import Role
from anonlib.filing.project import LoadedFile, Project, open_project
from anonlib.filing.record import record_files
from anonlib.filing.record.dictionary import csv_of
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Recode
from tests.anonlib.filing.record.made import evidence_of, rows_of
from tests.helpers.evidence import opened
from tests.helpers.examples import settings


def test_codes_have_their_labels_and_numbers_their_unit(tmp_path) -> None:
    path = tmp_path / "a.sav"
    pyreadstat.write_sav(
        pd.DataFrame({"sex": [1.0, 2.0] * 15, "agep": [30.0, 45.0, 61.0] * 10}),
        str(path),
        variable_value_labels={"sex": {1: "Male", 2: "Female"}},
        column_labels={"agep": "Age in years", "sex": "Sex of the patient"},
    )
    roles = {"sex": Role.QUASI_IDENTIFIER, "agep": Role.QUASI_IDENTIFIER}
    project = Project(roles=roles, recipe=Recipe.of([Recode("agep", Intervals(20))]), seed=7)
    on_file = open_project(project, LoadedFile.of(path.read_bytes(), "a.sav"))
    files = record_files(on_file, evidence_of(on_file))
    listed = {(row["column"], row["value"]): row for row in rows_of(files["dictionary.csv"])}
    assert listed["sex", "1"]["label"] == "Male" and listed["sex", "2"]["label"] == "Female"
    assert listed["agep", "40-59"]["label"].startswith("from 40 to 59")
    assert listed["agep", "40-59"]["title"] == "Age in years"
    assert {row["sex"] for row in rows_of(files["sample.csv"])} <= {"1", "2"}


def test_the_metadata_describe_the_sample() -> None:
    frame = pd.DataFrame(
        {
            "id": [f"p{i}" for i in range(60)],
            "day": [f"2025-01-{1 + i % 3:02}" for i in range(60)],
            "cost": [f"{i % 4}.5" for i in range(60)],
            "a-b.c": ["x", "y", ""] * 20,
            "_x": ["u", "v"] * 30,
        }
    )
    roles = dict.fromkeys(frame.columns, Role.OTHER) | {"id": Role.PERSON_ID}
    project = opened(frame, roles=roles)
    files = record_files(project, evidence_of(project))
    document = json.loads(files["dictionary.json"])
    columns = document["tableSchema"]["columns"]
    assert document["url"] == "sample.csv" and document["@context"][0] == "http://www.w3.org/ns/csvw"
    assert [column["titles"][0] for column in columns] == files["sample.csv"].decode().split("\r\n")[0].split(",")
    assert [column["datatype"] for column in columns] == ["integer", "date", "number", "string", "string"]
    assert [column["name"] for column in columns] == ["id", "day", "cost", "a%2Db%2Ec", "%5Fx"]
    assert all(column["dc:description"] and column["null"] == "" for column in columns)
    assert files["dictionary.csv"].decode().count("an empty cell: missing") == 1


def test_other_values_are_called_that() -> None:
    frame = pd.DataFrame({"group": ["often"] * 30 + ["seldom"]})
    project = opened(frame, roles={"group": Role.OTHER})
    rows = rows_of(record_files(project, evidence_of(project))["dictionary.csv"])
    assert [(row["value"], row["label"]) for row in rows] == [("often", ""), ("", "other values")]
    assert "fewer than 5 records share are not listed" in rows[0]["meaning"]


@settings(100)
@given(st.lists(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=2, max_size=2), max_size=5))
def test_a_table_is_read_as_it_was_written(rows: list[list[str]]) -> None:
    text = csv_of([["a", "b"], *rows]).decode()
    assert list(csv.reader(io.StringIO(text, newline=""))) == [["a", "b"], *rows]
