"""How ids are read when the officer says so: filled down, spelled in one way, beside a hospital; and in a project."""

from __future__ import annotations

import io
import json

import pandas as pd
import pytest

from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from anonlib.filing.project import LoadedFile, Project, open_project, project_of
from anonlib.reading.ids import IdsRead, with_ids_read
from anonlib.reading.records import Records
from tests.helpers.errors import refused
from tests.helpers.persons import once, spelled, two_sites

TOML = 'recipient = "own"\nseed = "7"\n[read]\nperson_ids = {{ {ids} }}\n[roles]\n{roles}\n'


def persons(records: Records, column: str) -> int:
    return records.persons_of_several_rows(column)[1]


def opened(data: bytes, ids: str, **roles: str):
    lines = "\n".join(f'{name} = "{role}"' for name, role in roles.items())
    return open_project(project_of(TOML.format(ids=ids, roles=lines).encode()), LoadedFile.of(data, "a.csv"))


def in_engine(data: bytes) -> Records:
    ibis = pytest.importorskip("ibis")
    frame = pd.read_csv(io.BytesIO(data), dtype=str)
    return Dataset.from_ibis(ibis.duckdb.connect().create_table("visits", frame)).held


def test_ids_are_filled_down_when_asked():
    ids = 'column = "patient_id", fill_down = ["patient_id", "birth_year", "sex"]'
    found = opened(once(), ids, patient_id="person_id", birth_year="quasi_identifier", sex="quasi_identifier")
    assert persons(found.data.held, "patient_id") == 16
    frame = found.data.records
    assert not frame[["patient_id", "birth_year", "sex"]].isna().any().any()
    assert (frame.groupby("patient_id", observed=True)["birth_year"].nunique() == 1).all()
    plain = open_project(Project(), LoadedFile.of(once(), "a.csv"))
    assert persons(plain.data.held, "patient_id") == 48, "nothing is filled unless it is said"


def test_rows_above_the_first_id_and_blanks_of_the_first_row_stay():
    data = b"patient_id,sex,crp\n,F,1\nP1,,2\n,M,3\n,,4\nP2,F,5\n,,6\n"
    found = opened(data, 'column = "patient_id", fill_down = ["patient_id", "sex"]', patient_id="person_id")
    frame = found.data.records.astype(object)
    assert frame["patient_id"].fillna("").tolist() == ["", "P1", "P1", "P1", "P2", "P2"]
    assert frame["sex"].fillna("").tolist() == ["F", "", "M", "", "F", "F"]


@pytest.mark.parametrize("where", ["memory", "engine"])
def test_spellings_of_a_number_are_one_person(where: str):
    records = LoadedFile.of(spelled(), "a.csv").records() if where == "memory" else in_engine(spelled())
    assert persons(records, "nhs_number") == 48
    assert persons(with_ids_read(records, IdsRead("nhs_number", one_spelling=True)), "nhs_number") == 16


@pytest.mark.parametrize("where", ["memory", "engine"])
def test_an_id_beside_a_hospital_is_a_person(where: str):
    records = LoadedFile.of(two_sites(), "a.csv").records() if where == "memory" else in_engine(two_sites())
    within = IdsRead("medical_record_number", within="facility")
    assert persons(records, within.column) == 20
    assert persons(with_ids_read(records, within), within.column) == 40


def test_rows_of_a_database_have_no_order_to_fill_down_in():
    with refused("rows-without-order"):
        with_ids_read(in_engine(once()), IdsRead("patient_id", ("patient_id",)))


def test_a_saved_project_reads_the_ids_in_the_same_way():
    ids = 'column = "medical_record_number", within = "facility"'
    found = opened(two_sites(), ids, medical_record_number="person_id", facility="other", sex="quasi_identifier")
    saved = Project.from_json(found.project.to_json())
    again = open_project(saved, LoadedFile.of(two_sites(), "a.csv"))
    assert again.data.key == found.data.key and persons(again.data.held, "medical_record_number") == 40
    without = json.loads(open_project(Project(), LoadedFile.of(two_sites(), "a.csv")).project.to_json())
    assert "person_ids" not in without["tables"][0]["file"], "as before where nothing is said"


@pytest.mark.parametrize(
    "ids",
    ['column = "a", within = "a"', 'column = "a", fill_down = ["b"]', 'column = "a", other = true', "fill_down = []"],
)
def test_what_cannot_be_meant_is_refused(ids: str):
    with pytest.raises(InputError):
        opened(once(), ids, patient_id="person_id")
