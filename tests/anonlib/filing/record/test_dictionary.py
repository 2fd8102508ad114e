"""The dictionary says what columns and listed values mean; its mock-up has no row that leaves and tells of nobody."""

from __future__ import annotations

import csv
import io
import json
import random
from collections import Counter

import pandas as pd
import pyreadstat
from hypothesis import given
from hypothesis import strategies as st

from anonlib.coarsening.recoding import Intervals
from anonlib.columns.roles import Role
from anonlib.filing.project import LoadedFile, Project, open_project
from anonlib.filing.record import record_files
from anonlib.filing.record.columns import listed_columns
from anonlib.filing.record.dictionary import ROWS, TEXT, csv_of, mock_up, sample_csv
from anonlib.release.recipe import Recipe
from anonlib.release.steps import LeaveOut, Recode
from tests.anonlib.filing.record.made import evidence_of, released_rows, rows_of
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


KNOWN, HIDDEN = ("age", "sex"), ("illness", "drug")
ROLES = dict.fromkeys(KNOWN, Role.QUASI_IDENTIFIER) | dict.fromkeys(HIDDEN, Role.SENSITIVE) | {"ward": Role.OTHER}


def mock_up_rows(project) -> list[dict[str, str]]:
    columns = listed_columns(project, evidence_of(project))
    return rows_of(sample_csv(columns, mock_up(project, columns)))


@settings(80)
@given(st.integers(0, 9_999), st.sampled_from([40, 90]), st.integers(1, 3))
def test_no_row_says_that_a_sensitive_value_is_not_that_of_a_group(seed: int, n: int, most: int) -> None:
    lot = random.Random(seed)
    cells = {name: [lot.choice("abcd"[: most + 1]) for _ in range(n)] for name in (*KNOWN, *HIDDEN)}
    frame = pd.DataFrame(cells | {"ward": [lot.choice("uvwxyz") for _ in range(n)]})
    project = opened(frame, LeaveOut(3), roles=ROLES)
    if evidence_of(project).released is None:
        return
    released = released_rows(project)
    rows = mock_up_rows(project)
    assert len(rows) == len({tuple(row.values()) for row in rows}) <= ROWS
    for row in rows:
        assert row not in released
        group = [each for each in released if all(each[name] == row[name] for name in KNOWN)]
        for name in HIDDEN:
            assert not group or any(each[name] == row[name] for each in group)


def test_each_cell_is_drawn_of_all_values_that_enough_share() -> None:
    lot = random.Random(1)
    frame = pd.DataFrame({f"c{i}": [lot.choice("aaaaaaaaab") for _ in range(400)] for i in range(30)})
    project = opened(frame, roles=dict.fromkeys(frame.columns, Role.OTHER))
    rows = mock_up_rows(project)
    counted = Counter(value for row in rows for value in row.values())
    assert len(rows) == ROWS and 0.4 < counted["b"] / counted.total() < 0.6, "however often the data have it"


def test_there_are_fewer_rows_where_the_data_have_all_others() -> None:
    everything = pd.DataFrame([(a, b) for a in "ab" for b in "xy"] * 25, columns=["a", "b"])
    but_one = everything[everything.agg("".join, axis=1) != "by"]
    for frame, rows in ((everything, []), (but_one, [{"a": "b", "b": "y"}])):
        assert mock_up_rows(opened(frame, roles={"a": Role.OTHER, "b": Role.OTHER})) == rows


def test_texts_and_columns_without_values_say_nothing() -> None:
    frame = pd.DataFrame(
        {
            "note": [f"She has no pain and was seen by nurse {i} today." for i in range(40)],
            "group": ["a", "b"] * 20,
            "number": [str(i) for i in range(40)],
        }
    )
    project = opened(frame, roles=dict.fromkeys(frame.columns, Role.OTHER))
    rows = mock_up_rows(project)
    assert {tuple(row.values()) for row in rows} == {(TEXT, "a", ""), (TEXT, "b", "")}
