"""Which columns are of dates, and which of numbers."""

from __future__ import annotations

from anonlib.columns.in_order import columns_of_dates, columns_of_numbers
from tests.helpers.records import DUCKDB, both

COLUMNS: dict[str, list[str | None]] = {
    "id": ["a", "b", None, "d"], "seen": ["2021-03-01", None, "1.4.2020", "12MAR2021"],
    "visit_date": ["44267", "44270", None, "44000"], "age": ["41", "7.5", None, "12"], "mixed": ["41", "x", "y", "z"],
    "empty": [None, None, None, None],
}  # fmt: skip


def test_columns_are_found_by_what_they_hold_in_memory_and_in_an_engine():
    for held in both(DUCKDB, COLUMNS):
        assert columns_of_dates(held) == ("seen", "visit_date")
        assert columns_of_numbers(held) == ("visit_date", "age")
        assert columns_of_dates(held) is columns_of_dates(held)
