"""What is due of entries that are open; entries are chosen by words, and taken away as a table."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.filing.case import ReleaseCase
from anonlib.filing.register import Register, RegisterEntry, facts_of
from anonlib.filing.register.entry import a_year_after, due_of
from tests.anonlib.filing.register.conftest import BASEL, TENS, digest, patients, release

FACTS = facts_of(release(patients(["P1", "P2"]), *TENS), {"CSV": digest("a")})
DAYS = st.dates(date(2026, 1, 1), date(2026, 3, 1))


def entry(number: int, until: str, reassess: str, closed: str = "") -> RegisterEntry:
    facts = {name: getattr(FACTS, name) for name in type(FACTS).__dataclass_fields__}
    moment = "2025-03-01T00:00:00+00:00"
    days = {"entered": moment, "latest": moment, "until": until, "reassess": reassess, "closed": closed}
    return RegisterEntry(**facts, number=number, **days)


@given(st.lists(st.tuples(st.none() | DAYS, DAYS, st.booleans()), max_size=6), DAYS, st.integers(0, 40))
def test_due_is_what_a_plain_walk_finds(days: list, today: date, within: int) -> None:
    entries = [
        entry(i, str(until or ""), str(reassess), "2026-01-01" if closed else "")
        for i, (until, reassess, closed) in enumerate(days)
    ]
    expected = set()
    for i, (until, reassess, closed) in enumerate(days):
        for what, day in (("return", until), ("reassess", reassess)):
            if day is not None and not closed and (day - today).days <= within:
                expected.add((i, what, day, day < today))
    found = due_of(entries, today, within)
    assert {(each.entry.number, each.what, each.day, each.is_over) for each in found} == expected
    assert len(found) == len(expected) and [each.day for each in found] == sorted(each.day for each in found)


@pytest.mark.parametrize(
    "day, after", [("2026-03-01", "2027-03-01"), ("2024-02-29", "2025-02-28"), ("2023-02-28", "2024-02-28")]
)
def test_a_year_later(day: str, after: str) -> None:
    assert a_year_after(date.fromisoformat(day)).isoformat() == after


def test_a_register_says_what_is_due(register: Register) -> None:
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    register.enter(replace(FACTS, case=replace(BASEL, until="2026-05-01")), now=noon)
    register.enter(replace(FACTS, case=replace(BASEL, title="Other")), now=noon + timedelta(days=10))

    def due(today: date) -> list[tuple[int, str, bool]]:
        return [(each.entry.number, each.what, each.is_over) for each in register.due(today)]

    assert due(date(2026, 3, 31)) == []
    assert due(date(2026, 4, 1)) == due(date(2026, 5, 1)) == [(1, "return", False)]
    assert due(date(2027, 2, 10)) == [(1, "return", True), (1, "reassess", False), (2, "reassess", False)]
    register.close(1, "2026-04-30")
    register.change_reassessment(2, "2028-01-01")
    assert due(date(2027, 2, 10)) == []


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
