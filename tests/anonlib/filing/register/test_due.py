"""What is due: days of return and of the next assessment, of entries that are open."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.filing.register import Entry, Register, facts_of
from anonlib.filing.register.due import a_year_after, due_of
from tests.anonlib.filing.register.conftest import BASEL, TENS, digest, patients, release

FACTS = facts_of(release(patients(["P1", "P2"]), *TENS), {"CSV": digest("a")})
DAYS = st.dates(date(2026, 1, 1), date(2026, 3, 1))


def entry(number: int, until: str, reassess: str, closed: str = "") -> Entry:
    facts = {name: getattr(FACTS, name) for name in type(FACTS).__dataclass_fields__}
    moment = "2025-03-01T00:00:00+00:00"
    days = {"entered": moment, "latest": moment, "until": until, "reassess": reassess, "closed": closed}
    return Entry(**facts, number=number, **days)


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
