"""Whose row it is: blanks, spellings, placeholders, numbers of several persons; in memory and in an engine."""

from __future__ import annotations

import io
from pathlib import Path

import openpyxl
import pandas as pd
import pytest

from anonlib.columns.person_ids import IdDoubts, id_column, id_doubts, in_words, placeholders_of, without_settings
from anonlib.columns.roles import Role, suggest_roles
from anonlib.dataset import Dataset
from anonlib.filing.project import LoadedFile
from anonlib.reading.records import Records
from anonlib.release.whose_rows import doubts_of
from anonlib.values.ids import names_nobody, written_alike
from tests.helpers.persons import once, once_beside_whole_columns, spelled, two_sites, visits


def read(data: bytes) -> Records:
    return LoadedFile.of(data, "a.csv").records()


def doubts(records: Records, counts: bool = True) -> IdDoubts:
    column = id_column(records, records.columns)
    assert column is not None
    return id_doubts(records, column, counts=counts)


def in_engine(data: bytes, tmp_path) -> Records:
    ibis = pytest.importorskip("ibis")
    frame = pd.read_csv(io.BytesIO(data), dtype=str)
    return Dataset.from_ibis(ibis.duckdb.connect().create_table("visits", frame)).held


def test_spellings_of_one_number_are_one_id():
    assert written_alike(["9434765919", "943 476 5919", "943-476-5919", "9434765918"]) == [[0, 1, 2]]
    assert written_alike(["A123456789", "a123 456 789", "A 123456789"]) == [[0, 1, 2]]
    assert written_alike(["123-45-6789", "123456789"]) == [[0, 1]]


@pytest.mark.parametrize(
    "ids",
    [
        ["1E5", "100000"],
        ["891E3", "891000"],
        ["1-12345", "11-2345", "112345"],
        ["1-2", "12"],
        ["00123", "123"],
        ["-12345", "12345"],
        ["01-001", "01-002", "10-01"],
    ],
)
def test_what_may_be_several_ids_stays_so(ids: list[str]):
    assert written_alike(ids) == []


def test_what_names_nobody_is_distinguished_from_numbers():
    ids = ["4318595757", "0000000000", "9999999999", "1234567890", "UNKNOWN", "unbekannt", "TEST", "-1", "?"]
    assert names_nobody(ids, [2] * len(ids)).tolist() == [False] + [True] * 8
    numbers = [str(i) for i in range(1, 1200)]
    assert not names_nobody(numbers, [1] * len(numbers)).any(), "111 and 999 are numbers among others"
    assert not names_nobody(["Test01", "Ann", "Bo"], [1, 1, 1]).any()


def test_ids_in_the_first_row_alone_are_found():
    found = doubts(read(once()))
    assert (found.fill, found.without, found.rows) == (("patient_id", "birth_year", "sex"), 32, 48)
    found = doubts(read(once_beside_whole_columns()))
    assert (found.fill, found.without) == (("patient_id",), 36)
    assert "36 of 48 rows" in in_words(found)[0]


@pytest.mark.parametrize("name", ["id", "Name", "Fallnummer", "Nr"])
def test_other_ids_and_names_that_stand_once_are_found_too(name: str):
    found = doubts(read(once_beside_whole_columns().replace(b"patient_id", name.encode())), counts=False)
    assert found.column == name and found.fill == (name,)


def test_merged_cells_of_a_workbook_are_the_same():
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["patient_id", "sex", "crp"])
    for i in range(10):
        for j in range(3):
            sheet.append([i if j == 0 else None, "FM"[i % 2] if j == 0 else None, 7 * i + j])
        sheet.merge_cells(start_row=3 * i + 2, end_row=3 * i + 4, start_column=1, end_column=1)
    out = io.BytesIO()
    book.save(out)
    loaded = LoadedFile.of(out.getvalue(), "a.xlsx")
    assert doubts(loaded.records()).fill == ("patient_id", "sex")


def test_ids_that_are_missing_here_and_there_are_only_counted():
    rows = visits().decode().splitlines()
    rows = [line if i % 9 else "," + line.split(",", 1)[1] for i, line in enumerate(rows)]
    rows[0] = visits().decode().splitlines()[0]
    found = doubts(read("\n".join(rows).encode()))
    assert found.without > 2 and found.fill == ()
    assert "no id" in in_words(found)[0] and len(in_words(found)) == 1


def test_a_sorted_file_without_some_ids_is_not_filled_down():
    rows = [f"{'' if i % 3 == 1 else f'P{i:03}'},{'Leeds' if i < 30 else 'York'},{20 + 7 * i % 50}" for i in range(60)]
    assert doubts(read("\n".join(["patient_id,town,age", *rows]).encode())).fill == ()


def test_spellings_are_counted_and_the_column_says_whose_row_it_is():
    records = read(spelled())
    found = doubts(records)
    assert (found.ids, found.spellings, found.spelled) == (48, 48, 16)
    assert next(s.role for s in suggest_roles(records) if s.column == "nhs_number") is Role.PERSON_ID


@pytest.mark.parametrize("marks", [["0000000000"], ["9999999999", "UNKNOWN"], ["unbekannt"], ["-1", "TEST"]])
def test_placeholders_are_counted_and_not_compared(marks: list[str]):
    records = read(visits(placeholders=marks))
    found = doubts(records)
    assert (found.n_placeholders, found.placeholder_rows) == (len(marks), 10 * len(marks))
    assert found.differing == (), "the placeholder is no person whose births differ"
    assert set(placeholders_of(records, "nhs_number")) == set(marks)
    assert not any(mark in sentence for mark in marks for sentence in in_words(found)), "no cell is quoted"


@pytest.mark.parametrize("site", ["facility", "Klinik", "hopital", "study_site"])
def test_one_number_in_two_hospitals_is_found(site: str):
    found = doubts(read(two_sites(site=site)))
    assert (found.site, found.persons_by_site) == (site, 40) and found.n_differing > 15
    assert "birth_year" in found.differing and "40 persons" in in_words(found)[-1]


def test_one_number_of_several_persons_is_named_without_a_site_too():
    found = doubts(read(two_sites(site="colour")))
    assert found.differing and not found.site and "Check whether" in in_words(found)[-1]


def test_slips_of_typing_are_no_other_person():
    births = ["1985-03-02", "1985-02-03", "1958-03-02", "1985-03-12", "02/03/1985"]
    for birth in births:
        rows = [f"{i},{b},F" for i in range(100, 130) for b in ("1985-03-02", birth if i == 100 else "1985-03-02")]
        assert not doubts(read("\n".join(["patient_id,birth_date,sex", *rows]).encode())), birth
    rows = [f"{i},{b},{s}" for i in range(100, 130) for b, s in (("1985", "F"), ("1985", "female" if i % 2 else "f"))]
    assert not doubts(read("\n".join(["patient_id,birth_year,sex", *rows]).encode()))
    rows = [f"{i},{b},F" for i in range(100, 130) for b in ("1985-03-02", "1931-11-20" if i == 100 else "1985-03-02")]
    assert doubts(read("\n".join(["patient_id,birth_date,sex", *rows]).encode())).n_differing == 1


def test_ids_that_come_again_where_each_row_is_a_person_are_named():
    records = read(visits())
    found = doubts(records, counts=False)
    assert found.repeated == records.n_records - 30 and "give it the role Person id" in in_words(found)[0]


def test_ordinary_persons_raise_no_doubt():
    assert not doubts(read(visits())) and in_words(doubts(read(visits()))) == () and in_words(None) == ()


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (spelled(), ("spellings", "spelled", "ids")),
        (visits(placeholders=["0000000000", "UNKNOWN"]), ("placeholder_rows", "n_placeholders", "differing")),
        (two_sites(), ("site", "persons_by_site", "n_differing", "differing")),
        (once(), ("fill", "without", "rows")),
    ],
    ids=["spelled", "placeholders", "two sites", "once"],
)
def test_in_an_engine_it_is_the_same(data: bytes, names: tuple[str, ...], tmp_path):
    here, there = doubts(read(data)), doubts(in_engine(data, tmp_path))
    assert [getattr(here, name) for name in names] == [getattr(there, name) for name in names]
    assert not there.in_order
    if here.fill:
        assert "fill them down before they are opened" in in_words(there)[0]


def test_a_data_set_without_ids_has_no_doubts():
    assert doubts_of(Dataset.from_frame(pd.DataFrame({"age": ["1", "2"], "sex": ["f", "m"]}))) is None


@pytest.mark.parametrize("path", sorted(Path("data/samples").rglob("*.csv")), ids=lambda path: path.stem)
def test_samples_raise_no_doubt_and_have_no_row_left_out(path: Path):
    if path.stat().st_size > 8_000_000:
        pytest.skip("it takes seconds")
    loaded = LoadedFile.of(path.read_bytes(), path.name)
    data = loaded.dataset(loaded.records(), "category")
    person = next((s.column for s in suggest_roles(data.held, loaded.known) if s.role is Role.PERSON_ID), None)
    assert in_words(doubts_of(data, person)) == ()
    assert not [line for line in loaded.source.reading.left_out if line.place == "below the column names"]


@pytest.mark.parametrize("setting", ["person_ids: fill_down", "person_ids: one_spelling", "marks_of_columns"])
def test_the_page_names_its_switch_and_not_the_setting(setting):
    assert without_settings(f"Let it be one id on Data ({setting}).") == "Let it be one id below."
    assert without_settings("k is lower than it looks.") == "k is lower than it looks."


def test_ids_that_end_in_a_visit_are_asked_about(tmp_path):
    data = "\n".join(["subject_visit,age", *(f"S{i:03}-V{v},30" for i in range(20) for v in (1, 2, 3))]).encode()
    for records in (read(data), in_engine(data, tmp_path)):
        found = doubts(records, counts=False)
        assert found.beginnings == 20
        assert "60 ids have 20 beginnings" in " ".join(in_words(found))
    members = "\n".join(["subject,age", *(f"S{i:03}-{v},30" for i in range(20) for v in (1, 2, 3))]).encode()
    assert not doubts(read(members), counts=False)


def test_addresses_that_repeat_are_asked_about_where_there_is_no_id():
    data = "\n".join(["email,age", *(f"p{i}@example.org,30" for i in range(20) for _ in range(2))]).encode()
    assert doubts(read(data), counts=False).repeated == 20
    answers = "\n".join(["email,age", *(f"{'yes no'.split()[i % 2]},30" for i in range(40))]).encode()
    assert id_column(read(answers), ["email", "age"]) is None


def test_a_uuid_is_one_in_any_case_and_in_braces():
    uuid = "0f8fad5b-d9cb-469f-a165-70867728950e"
    assert written_alike([uuid, uuid.upper(), "{" + uuid + "}", uuid.replace("-", "")]) == [[0, 1, 2, 3]]
