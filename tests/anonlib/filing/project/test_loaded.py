"""Several tables as one case: loaded, decided on, saved, and opened again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from anonlib.columns.roles import Role, suggest_roles
from anonlib.counting.privacy_models import ONE, KAnonymity
from anonlib.filing.evidence import released_file
from anonlib.filing.project import LoadedFile, LoadedTables, Project, open_project
from anonlib.reading.tables import Linked, ListColumn, NamedTable
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut
from tests.helpers.errors import refused
from tests.helpers.three_tables import unzipped

PATIENTS = b"patient_id;born;sex\n7;1950;f\n8;1961;m\n9;1984;f\n"
VISITS = b"visit_id;patient_id;ward;seen_by\n1;7;B;9\n2;7;-9;8\n3;9;B;7\n"
VALUES = b"visit_id;test;sex\n1;K;f\n1;Na;f\n3;K;m\n"
FILES = [("patients.csv", PATIENTS), ("visits.csv", VISITS), ("values.csv", VALUES)]


def test_they_are_one_data_set_whose_person_id_is_decided():
    loaded = LoadedTables.of(FILES)
    assert loaded.name == "patients + visits + values"
    assert loaded.columns == ["patient_id", "born", "patients.sex", "ward", "seen_by", "test", "values.sex"]
    assert dict(loaded.roles) == {"patient_id": Role.PERSON_ID}
    data = loaded.dataset(loaded.records(), "drop")
    assert data.missing == data.with_missing("drop").missing == "category"
    assert data.columns == loaded.columns and data.n_records == 9
    assert list(data.visible.columns) == loaded.columns


def test_the_digest_names_the_tables_and_the_keys_between_them():
    loaded = LoadedTables.of(FILES)
    assert loaded.digest == LoadedTables.of(FILES[::-1]).digest
    assert loaded.digest != LoadedTables.of([("patients.csv", PATIENTS + b"10;1990;m\n"), *FILES[1:]]).digest
    without = replace(loaded.linked, keys=tuple(key for key in loaded.linked.keys if key.table != "values"))
    assert LoadedTables.linking(loaded.tables, without).digest != loaded.digest


def test_marks_of_missing_values_are_looked_for_in_cells_and_not_in_what_is_hidden():
    loaded = replace(LoadedTables.of(FILES), marks=("-9", "0", "visits"))
    data = loaded.dataset(loaded.records(), "category")
    assert data.records["ward"].notna().sum() == 5  # two visits on B, with three values
    assert data.records["table"].notna().all() and data.records["row of visits"].notna().sum() == 6


def test_a_project_says_how_the_tables_hang_together():
    loaded = LoadedTables.of(FILES)
    linked = replace(loaded.linked, keys=tuple(key for key in loaded.linked.keys if key.table == "visits"))
    linked = replace(linked, person_columns={**linked.person_columns, "visits": "seen_by"})
    linked = replace(linked, keys=(replace(linked.keys[0], column="seen_by"),))
    otherwise = LoadedTables.linking(loaded.tables, linked)
    roles = {"patient_id": "person_id", "born": "quasi_identifier", "ward": "sensitive"}
    project = Project(file=otherwise.as_read, roles=roles, recipe=Recipe.of([DropColumns(("test",))]))
    read = Project.from_json(project.to_json())
    assert read.file is not None and read.file.linked == replace(linked, notes=(), keys=read.file.linked.keys)
    opened = open_project(read, loaded)
    assert opened.data.digest == otherwise.digest and not opened.why_not_read
    assert opened.differences is not None and not opened.differences.file
    frame = opened.data.records
    assert frame.loc[frame["ward"].notna() & (frame["table"] == "visits"), "born"].tolist() == ["1984", "1961", "1950"]


LISTS = b"age;medicines;seen\n30;A01,B02;1\n30;A01;2\n40;B02,A01;3\n40;A01,C03;4\n"


def test_a_project_on_a_file_with_lists_is_used_on_the_file_as_it_is_read():
    file = LoadedFile.of(LISTS, "people.csv")
    table = NamedTable.of_source("people", file.source)
    lists = (ListColumn("people", "medicines", ","),)
    loaded = LoadedTables.linking([table], Linked(None), lists, file)
    assert loaded.name == "people.csv" and loaded.columns == ["row of the file", "age", "seen", "medicines"]
    project = Project(file=loaded.as_read, roles={**loaded.roles, "age": "quasi_identifier", "medicines": "sensitive"})
    read = Project.from_json(project.to_json())
    for name in ("people.csv", "march.csv"):
        opened = open_project(read, LoadedFile.of(LISTS, name))
        assert not opened.why_not_read and opened.data.n_records == 4 + 7
        assert released_file(opened).decode().splitlines()[0] == "age,medicines,seen"
    without = open_project(read, LoadedFile.of(b"age;seen\n30;1\n40;2\n", "april.csv"))
    assert "Lists in cells are not looked at as the project says" in without.why_not_read


def test_keys_of_a_project_that_do_not_fit_are_passed_over_in_a_sentence():
    loaded = LoadedTables.of(FILES)
    wrong = Linked("patients", {"patients": "patient_id", "stays": "patient_id"})
    opened = open_project(Project(file=replace(loaded.as_read, linked=wrong)), loaded)
    assert "do not hang together as the project says" in opened.why_not_read and opened.data.digest == loaded.digest


def test_another_column_cannot_say_whose_rows_these_are():
    loaded = LoadedTables.of(FILES)
    data = loaded.dataset(loaded.records(), "category")
    with refused("role-taken", "patient_id"):
        data.with_roles({"patient_id": "person_id", "seen_by": "person_id"})
    with refused("role-taken", "patient_id"):
        data.with_roles({"born": "weight"})


def test_what_leaves_is_the_same_each_time_and_opens_again():
    loaded = LoadedTables.of(FILES)
    roles = dict.fromkeys(loaded.columns, "quasi_identifier") | {"patient_id": "person_id"}
    project = Project(file=loaded.as_read, roles=roles)
    opened = open_project(project, loaded)
    data = released_file(opened)
    assert data == released_file(opened)
    tables = unzipped(data)
    assert {name: len(rows) for name, rows in tables.items()} == {"patients": 3, "visits": 3, "values": 3}
    again = LoadedTables.of([("released.zip", data)])
    assert {key.table: key.parent for key in again.linked.keys} == {"visits": "patients", "values": "visits"}


FOLDER = Path(__file__).resolve().parents[4].parent / "shared" / "data" / "fhir"
FHIR_FILES = sorted(FOLDER.glob("10-*.ndjson"))


@pytest.mark.skipif(not FHIR_FILES, reason="the FHIR files kept beside the repository are not there")
def test_fhir_files_are_opened_judged_released_and_opened_again():
    loaded = LoadedTables.of([(path.name, path.read_bytes()) for path in FHIR_FILES])
    data = loaded.dataset(loaded.records(), "category")
    roles = {each.column: each.role for each in suggest_roles(data.visible, data.described)} | dict(loaded.roles)
    known = [name for name, role in roles.items() if role == "quasi_identifier"]
    stays = ("gender", "encounter_class")
    asked = KAnonymity(columns=stays, known=2, least=2, rows=ONE)
    steps = (
        DropColumns(tuple(name for name in known if name not in stays)), LeaveOut(guarantees=(asked,), what="rows")
    )  # fmt: skip
    opened = open_project(Project(roles=roles, recipe=Recipe.of(steps)), loaded)
    assert not opened.applied.problems and opened.verdict.findings
    data = released_file(opened)
    tables = unzipped(data)
    assert set(tables) == {"Patient", "Encounter", "Condition", "Procedure", "Immunization"}
    patients = {row["patient_id"] for row in tables["Patient"]}
    visits = {row["encounter_id"] for row in tables["Encounter"]}
    assert {row["patient_id"] for row in tables["Encounter"]} <= patients
    for name in ("Condition", "Procedure", "Immunization"):
        assert tables[name] and {row["encounter_id"] for row in tables[name]} <= visits
    assert not any("family_name" in row or "phone" in row for row in tables["Patient"])
    again = LoadedTables.of([("released.zip", data)])
    assert {key.table: key.parent for key in again.linked.keys} == {key.table: key.parent for key in loaded.linked.keys}
