"""What came back of a release of several tables, true and forged."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256

import pytest

from anonlib.filing.evidence import gather, released_file, verify_returned
from anonlib.filing.project import LoadedTables, Opened, Project, open_project

PATIENTS = "patient_id;born;sex\n7;1950;f\n8;1961;m\n9;1984;f\n"
VISITS = "visit_id;patient_id;ward\n1;7;B\n2;7;C\n3;9;B\n"
VALUES = "visit_id;test\n1;K\n1;Na\n3;Na\n"
ROLES = {"patient_id": "person_id", "born": "quasi_identifier", "sex": "quasi_identifier", "ward": "sensitive"}


@pytest.fixture(scope="module")
def here() -> Opened:
    files = [("patients.csv", PATIENTS), ("visits.csv", VISITS), ("values.csv", VALUES)]
    loaded = LoadedTables.of([(name, text.encode()) for name, text in files])
    return open_project(Project(file=loaded.as_read, roles={**ROLES, "test": "sensitive"}), loaded)


def changed(here: Opened, table: str, change: Callable[[str], str]) -> bytes:
    """What left, with one table otherwise."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(released_file(here))) as before, zipfile.ZipFile(packed, "w") as after:
        for name in before.namelist():
            text = before.read(name).decode()
            after.writestr(name, change(text) if name == f"{table}.csv" else text)
    return packed.getvalue()


def swapped(text: str) -> str:
    """The persons of the first row, and of the next one that is of another, exchanged."""
    head, *rows = [line.split(",") for line in text.splitlines()]
    other = next(row for row in rows if row[1] != rows[0][1])
    rows[0][1], other[1] = other[1], rows[0][1]
    return "\r\n".join(",".join(line) for line in (head, *rows)) + "\r\n"


def reversed_rows(text: str) -> str:
    head, *rows = text.splitlines()
    return "\r\n".join([head, *rows[::-1]]) + "\r\n"


def without_the_last_row(text: str) -> str:
    return "\r\n".join(text.splitlines()[:-1]) + "\r\n"


def test_the_very_file_is_known_by_each_way(here):
    data = released_file(here)
    on_record = replace(here.project, released={"2026-11-26": sha256(data).hexdigest()})
    for ways in ({"original": here}, {"evidence": gather(here)}, {"project": on_record}):
        found = verify_returned(data, "back.zip", **ways)
        assert found.is_same_file and found.holds


@pytest.mark.parametrize("kind", ["Parquet", "Excel"])
def test_in_another_format_it_is_made_again_in_that(here, kind):
    assert verify_returned(released_file(here, kind), "back", original=here).is_same_file


def test_rows_in_another_order_hold(here):
    found = verify_returned(changed(here, "visits", reversed_rows), "back.zip", original=here)
    assert found.holds and not found.is_same_file and found.checks[-1].what == "its keys"


@pytest.mark.parametrize(
    ("table", "change", "what"),
    [
        ("visits", lambda text: text.replace("C", "D"), "the rows of “visits”"),
        ("values", without_the_last_row, "the rows of “values”"),
        ("patients", lambda text: text.replace("born", "year"), "the columns of “patients”"),
        ("visits", swapped, "its keys"),
    ],
)
def test_a_change_is_named_with_its_table(here, table, change, what):
    found = verify_returned(changed(here, table, change), "back.zip", original=here)
    assert found.differs and [check.what for check in found.checks if check.holds is False] == [what]


def test_by_evidence_alone_rows_are_counted_and_cells_are_not_compared(here):
    found = verify_returned(changed(here, "values", without_the_last_row), "back.zip", evidence=gather(here))
    assert {check.what: check.holds for check in found.checks} == {
        "its tables": True, "the rows of “patients”": True, "the rows of “visits”": True, "the rows of “values”": False,
        "its cells": None,
    }  # fmt: skip
