"""Persons of several rows: their sets of values, and all of their rows."""

from anonlib.counting.classes.persons.sets import (
    ValueSet,
    bar_between,
    coded_sets,
    one_row_a_person,
    person_of_row,
    rows_differ,
)

__all__ = ["ValueSet", "bar_between", "coded_sets", "one_row_a_person", "person_of_row", "rows_differ"]
