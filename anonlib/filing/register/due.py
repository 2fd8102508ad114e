"""What is due: data to be returned or deleted, and releases to be assessed again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from anonlib.filing.register.entry import Entry

What = Literal["return", "reassess"]
WHAT_IS_DUE: dict[What, str] = {
    "return": "The recipient returns or deletes the data",
    "reassess": "The release is assessed again",
}
"""What can be due, as shown."""


@dataclass(frozen=True)
class Due:
    """Something that is due.

    Attributes
    ----------
    entry : Entry
        Of which release.
    what : What
        One of :data:`WHAT_IS_DUE`.
    day : date
        By when.
    is_over : bool
        Whether that day is past.
    """

    entry: Entry
    what: What
    day: date
    is_over: bool


def due_of(entries: Iterable[Entry], today: date, within_days: int) -> tuple[Due, ...]:
    """What is due of entries that are open until so many days from today, what waits longest first."""
    last = today + timedelta(days=within_days)
    found = [
        Due(entry, what, day, day < today)
        for entry in entries
        if not entry.closed
        for what, day in _days_of(entry)
        if day <= last
    ]
    return tuple(sorted(found, key=lambda due: (due.day, due.entry.number, due.what)))


def _days_of(entry: Entry) -> list[tuple[What, date]]:
    days: list[tuple[What, date]] = [("reassess", date.fromisoformat(entry.reassess))]
    if entry.until:
        days.append(("return", date.fromisoformat(entry.until)))
    return days


def a_year_after(day: date) -> date:
    """The same day of the next year; of 29 February it is the 28th."""
    try:
        return day.replace(year=day.year + 1)
    except ValueError:
        return day.replace(year=day.year + 1, day=28)
