"""Rows beside the names that are no records: groups, units, types, questions, and names that come again."""

from __future__ import annotations

import random

import pytest

from anonlib.reading import connected
from anonlib.reading.sources import ReadOptions, Source, open_source

RANDOM = random.Random(3)
RECORDS = [f"{i},{20 + i},{RANDOM.choice('FM')},{60 + i % 40}.5" for i in range(30)]
NAMES = "id,age,sex,weight"
ANSWERS = [f"{20 + i},{'mf'[i % 2]},{('yes', 'no')[i % 3 == 0]}" for i in range(30)]
IMPORT_IDS = ",".join(f'"{{""ImportId"": ""QID{i}""}}"' for i in range(4))

NO_RECORDS = {
    "units": (NAMES, [",years,,kg"], RECORDS),
    "units in brackets, in German": ("Nr;Alter;Geschlecht;Gewicht", [";[Jahre];;[kg]"], RECORDS),
    "units of a laboratory": (NAMES, [",yrs,,mg/dl"], RECORDS),
    "types": (NAMES, ["integer,integer,string,double"], RECORDS),
    "questions": ("Q1,Q2,Q3", ["How old are you?,What is your sex?,Do you smoke?"], ANSWERS),
    "questions in German": ("F1,F2,F3", ["Wie alt sind Sie?,Ihr Geschlecht?,Rauchen Sie?"], ANSWERS),
    "questions and ids of a survey tool": (
        NAMES,
        ["Number,How old are you?,Your sex,Your weight in kg", IMPORT_IDS],
        RECORDS,
    ),
    "the names again": (NAMES, [NAMES.upper()], RECORDS),
    "dashes": (NAMES, ["---,---,---,------"], RECORDS),
    "numbered names": (NAMES, ["VAR1,VAR2,VAR3,VAR4"], RECORDS),
    "numbers of questions": (NAMES, ["1.,2.,3.,4."], RECORDS),
    "an example": (NAMES, ["e.g. 1,e.g. 45,e.g. M,e.g. 70.5"], RECORDS),
    "several answers of one question": (
        "id,Which apply?,,age",
        [",Asthma,Other (please specify),Open-Ended Response"],
        [f"{i},{('Asthma', '')[i % 2]},,{20 + i}" for i in range(30)],
    ),
    "names and units": (NAMES, ["number,age,sex,weight", ",years,,kg"], RECORDS),
}
MAY_BE_PERSONS = {
    "a first age in words": "x9,adult,M,60.5",
    "a first record without values": "77,unknown,n/a,unknown",
    "an age of over 89": "77,over 89,F,60.5",
    "numbers that count the columns": "1,2,3,4",
    "a first record of letters": "Ely,,F,",
}


def read(text: str, **options: object) -> Source:
    return open_source(text.encode(), "a.csv", ReadOptions(**options))  # type: ignore[arg-type]


@pytest.mark.parametrize(("names", "more", "records"), NO_RECORDS.values(), ids=NO_RECORDS.keys())
def test_rows_that_could_be_no_values_are_left_out_and_named(names: str, more: list[str], records: list[str]):
    rows = [line.replace(",", ";") for line in records] if ";" in names else records
    text = "\n".join([names, *more, *rows])
    source = read(text)
    assert len(source.frame) == 30 and len(source.frame.columns) == names.count(";" if ";" in names else ",") + 1
    found = source.reading.left_out
    assert [line.line for line in found] == list(range(2, len(more) + 2))
    assert {line.place for line in found} == {"below the column names"}
    numbers = " and ".join(str(line.line) for line in found)
    assert any(f"{numbers} stand" in note for note in source.reading.notes)
    assert len(read(text, keep_lines=True).frame) == 30 + len(more), "they are taken back"


@pytest.mark.parametrize("first", MAY_BE_PERSONS.values(), ids=MAY_BE_PERSONS.keys())
def test_what_may_be_a_person_is_kept(first: str):
    source = read("\n".join([NAMES, first, *RECORDS]))
    assert len(source.frame) == 31 and not source.reading.left_out


def test_a_row_that_may_be_units_is_asked_about():
    source = read("\n".join(["town,age,answer", "Ely,adult,yes", *(f"York,{20 + i},no" for i in range(20))]))
    assert len(source.frame) == 21
    assert "Line 2 may be a further row of names" in " ".join(source.reading.notes)


def test_ordinary_records_raise_no_question():
    words = [
        "aspirin,oral,single",
        *(f"{'insulin heparin'.split()[i % 2]},{'iv sc'.split()[i % 2]},a" for i in range(30)),
    ]
    for text in ("\n".join([NAMES, *RECORDS]), "\n".join(["drug,route,note", *words])):
        assert read(text).reading.notes == () and read(text).reading.left_out == ()


def test_names_of_groups_stand_above_the_names():
    days = [f"{i % 28 + 1:02}" for i in range(30)]
    rows = [f"{i},{'FM'[i % 2]},2024-01-{day},{i % 50 + 1},2024-02-{day},{i % 40 + 1}" for i, day in enumerate(days)]
    source = read("\n".join(["Patient,,Visit 1,,Visit 2,", "id,sex,date,crp,date,crp", *rows]))
    assert list(source.frame.columns) == ["id", "sex", "Visit 1 date", "Visit 1 crp", "Visit 2 date", "Visit 2 crp"]
    assert len(source.frame) == 30
    assert [(line.line, line.place) for line in source.reading.left_out] == [(1, "above the table")]
    assert "Line 1 names groups of columns" in " ".join(source.reading.notes)


def test_names_that_come_again_between_the_records_are_left_out():
    text = "\n".join([NAMES, *RECORDS, NAMES, *RECORDS, NAMES, *RECORDS])
    source = read(text)
    assert len(source.frame) == 90
    assert [(line.line, line.place) for line in source.reading.left_out] == [
        (32, "between the records"),
        (63, "between the records"),
    ]
    assert "32 and 63 only repeat the column names" in " ".join(source.reading.notes)
    assert len(read(text, keep_lines=True).frame) == 92


def test_a_large_file_in_an_engine_skips_the_same_rows(tmp_path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(connected, "_HELD", 0)
    (tmp_path / "a.csv").write_text("\n".join([NAMES, ",years,,kg", *RECORDS]) + "\n")
    (offered,) = connected.tables_in(tmp_path).tables
    assert offered.open().table.count().execute() == 30
