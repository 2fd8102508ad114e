"""The table of entries: in plain words, and harmless in a spreadsheet."""

from __future__ import annotations

import io
from dataclasses import replace

import pandas as pd

from anonlib.filing.case import ReleaseCase
from anonlib.filing.register import Register, facts_of
from tests.anonlib.filing.register.conftest import BASEL, TENS, digest, patients, release

FORMULA = '=HYPERLINK("x")'


def table(data: bytes) -> pd.DataFrame:
    return pd.read_csv(io.BytesIO(data), dtype=str, keep_default_na=False)


def test_a_row_says_what_the_entry_says(register: Register) -> None:
    opened = release(patients(["P1", "P2"]), *TENS, case=replace(BASEL, until="2027-01-01", purpose="one\ntwo"))
    register.enter(facts_of(opened, {"CSV": digest("a"), "Excel": digest("b")}), register.people_of(opened))
    register.change_until(1, "2028-02-03")
    register.close(1, "2027-01-02", "deleted")
    (row,) = table(register.to_csv(register.entries())).to_dict("records")
    assert row["Number"] == "1" and row["Title"] == "Sepsis cohort" and row["Recipient"] == BASEL.recipient
    assert row["May be kept until"] == "2028-02-03" and row["Returned or deleted"] == "2027-01-02"
    assert row["Note on that"] == "deleted" and row["Kind of recipient"] == "Under contract" and row["Public"] == "no"
    assert row["SHA-256 of what was released"] == f"CSV {digest('a')}, Excel {digest('b')}"
    assert row["Columns released"] == "patient_id, age, illness" and row["Persons found again by"] == "patient_id"
    assert (row["Records released"], row["Persons released"]) == ("2", "2") and row["Assessed by"] == "A. Meier"


def test_no_entries_are_a_header(register: Register) -> None:
    columns = [*table(register.to_csv([])).columns]
    assert columns[:4] == ["Number", "First released (UTC)", "Last released (UTC)", "Title"]


def test_no_cell_is_a_formula(register: Register) -> None:
    every = dict.fromkeys(("title", "reference", "purpose", "requester", "recipient", "contract", "author"), FORMULA)
    frame = patients(["P1", "P2"]).rename(columns={"illness": FORMULA})
    opened = release(
        frame, *TENS, case=ReleaseCase(**every, access="fine;=1+1\n@x"), name=f"{FORMULA}.csv",
        roles={FORMULA: "sensitive", "patient_id": "person_id", "age": "quasi_identifier"},
    )  # fmt: skip
    register.enter(facts_of(opened, {FORMULA: digest("a")}), register.people_of(opened))
    register.close(1, "2027-01-02", FORMULA)
    (row,) = table(register.to_csv(register.entries())).to_dict("records")
    starts = [line.strip()[:1] for cell in row.values() for part in cell.split(";") for line in part.split("\n")]
    assert not {"=", "+", "-", "@"} & set(starts)
    assert row["Title"] == "'" + FORMULA and row["Note on that"] == "'" + FORMULA
