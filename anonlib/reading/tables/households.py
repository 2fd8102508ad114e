"""Households in the place of persons: what then counts as a person, in a sentence."""

from __future__ import annotations

from anonlib.reading.tables.names import of_column


def are_numbered_by(column: str) -> bool:
    """Whether a column is, by its name, the id of households."""
    return of_column(column).thing == "household"


def in_words(person: str | None) -> str:
    """What counts as a person where the ids of persons are, by their column's name, those of households; else empty.

    >>> in_words("patient_id"), in_words("household_id")[:35]
    ('', '“household_id” numbers households: ')
    """
    if person is None or not are_numbered_by(person):
        return ""
    return (
        f"“{person}” numbers households: what counts as a person here is a household, and its members are its rows. "
        "Who knows one member is taken to know the others as far as a criterion says."
    )
