"""A file with lists in cells: what is filed counts rows of the file; what came back is compared as it left."""

from __future__ import annotations

import csv
import io
from datetime import date

import pytest

from anonlib.filing.evidence import evidence_of, gather, released_file, script_of, to_json, verify_returned
from anonlib.filing.evidence.report import html_of
from anonlib.filing.project import LoadedFile, LoadedTables, Opened, Project, open_project
from anonlib.filing.record import record_zip
from anonlib.filing.register.folder import RegisterKey
from anonlib.filing.register.people import people_of
from anonlib.reading.tables import Linked, ListColumn, NamedTable
from anonlib.release.codebook import codebook
from anonlib.release.pseudonyms import Pseudonyms
from anonlib.verdict.criteria import Aim
from tests.helpers.errors import refused
from tests.helpers.evidence import run_script

FILE = "age,medicines,ward\n30,A01;B02,x\n30,A01,x\n40,B02;A01,y\n40,A01;C03,y\n30,A01;B02,y\n"
ROLES = {"age": "quasi_identifier", "medicines": "sensitive", "ward": "other", "row of the file": "person_id"}
ON = date(2026, 11, 26)


@pytest.fixture(scope="module")
def opened() -> Opened:
    file = LoadedFile.of(FILE.encode(), "people.csv")
    table = NamedTable.of_source("people", file.source)
    loaded = LoadedTables.linking([table], Linked(None), (ListColumn("people", "medicines", ";"),), file)
    aim = Aim(leaves_anyway="Agreed with the recipient in writing.")
    label = Pseudonyms("A university", "A project", "0" * 16)
    return open_project(Project(file=loaded.as_read, roles=ROLES, seed=7, aim=aim, pseudonyms=label), loaded)


def test_evidence_counts_rows_of_the_file(opened: Opened) -> None:
    evidence = gather(opened, on=ON)
    assert (evidence.file.records, evidence.file.columns, evidence.file.persons) == (5, 3, 5)
    assert (evidence.released.records, evidence.released.columns) == (5, ("age", "medicines", "ward"))
    assert [(part.name, part.rows, part.is_of_lists) for part in evidence.parts] == [
        ("people", 5, False), ("medicines", 9, True)
    ]  # fmt: skip
    assert evidence_of(to_json(evidence)) == evidence
    page = html_of(evidence).decode()
    assert "Lists in cells are looked at item by item" in page and "Tables of the case" not in page


def test_the_script_makes_the_same_file(opened: Opened, tmp_path) -> None:
    (tmp_path / "people.csv").write_text(FILE, newline="")
    message = run_script(tmp_path, script_of(opened, gather(opened, on=ON)), "people.csv")
    assert "the same, byte by byte" in message and "another file" not in message


def changed(data: bytes, change) -> bytes:
    head, *rows = csv.reader(io.StringIO(data.decode()))
    file = io.StringIO()
    csv.writer(file, lineterminator="\r\n").writerows([head, *change(rows)])
    return file.getvalue().encode()


def test_what_came_back_is_compared_as_it_left(opened: Opened) -> None:
    data, evidence = released_file(opened), gather(opened, on=ON)
    assert verify_returned(data, "back.csv", evidence=evidence).is_same_file
    assert verify_returned(data, "back.csv", original=opened).is_same_file
    again = changed(data, lambda rows: rows[::-1])
    assert verify_returned(again, "back.csv", original=opened).holds
    by_evidence = verify_returned(again, "back.csv", evidence=evidence)
    assert {check.what: check.holds for check in by_evidence.checks} == {
        "its columns": True, "its records": True, "its cells": None
    }  # fmt: skip
    other = changed(data, lambda rows: [[age, medicines.replace("C03", "B02"), ward] for age, medicines, ward in rows])
    found = verify_returned(other, "back.csv", original=opened)
    assert [check.what for check in found.checks if check.holds is False] == ["its records", "“medicines”"]


def test_the_codebook_has_the_columns_of_the_file_and_says_that_one_holds_lists(opened: Opened) -> None:
    book = codebook(opened.applied.released, opened.project.recipe)
    assert sorted(book.columns["column"]) == ["age", "medicines", "ward"] and "table" not in book.columns
    assert set(book.levels.loc[book.levels["column"] == "medicines", "level"]) == {"A01", "B02", "C03", None}
    assert [note for note in book.notes if note.startswith("“medicines” holds lists")]


def test_the_number_of_a_row_names_nobody(opened: Opened) -> None:
    assert not people_of(opened, RegisterKey(bytes(32))).sets, (
        "another file has other persons in its rows of these numbers"
    )
    assert opened.pseudonyms is None and not opened.why_no_key, "no id leaves, and so no pseudonym"


def test_no_record_is_made_whose_sample_could_be_of_somebody(opened: Opened) -> None:
    with refused("release-stays"):
        record_zip(opened, gather(opened, on=ON))
