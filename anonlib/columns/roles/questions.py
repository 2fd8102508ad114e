"""Why the officer must decide where nothing in the file can tell."""

from __future__ import annotations

NOTHING_TELLS = "Neither the name nor the values tell what this is: could somebody outside know it?"
ONLY_YOU = "Only you can say whether somebody outside could know it."
AREAS = "If these are codes of areas, family, neighbours and address lists tell where somebody lives."
SURVEY_WEIGHT = "Anybody who has another copy of this survey finds a record by it: round it, or drop it."
COUNT_OR_SURVEY = (
    "Does each row stand for so many persons of this file? In a survey a row is one person: choose Neither."
)
ONE_MORE = "Somebody outside often knows this as well, though other such columns come before it."


def may_be_dates(form: str) -> str:
    """Of numbers that may be dates by their range, where neither the name nor other dates say so."""
    return f"By their range the values may be dates, as {form}: could somebody outside know such a date?"


def copies(column: str) -> str:
    """Of a column that tells another one of every record."""
    return f"Anybody who knows “{column}” knows this too."
