"""What is counted before rows are left out: persons with rows that lack a value, and rows that stand for nobody."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from anonlib.counting.classes.table import ClassTable
from anonlib.reading.records import Labels, Records
from anonlib.reading.records.names import unused_name
from anonlib.values.cells import to_numbers


def are_of_nobody(counts: ClassTable) -> np.ndarray:
    """bool per class of a column of counts: the count is 0."""
    values = [value or "" for value in counts.categories[0]]
    return (to_numbers(values) == 0)[counts.codes[:, 0]]


def with_missing_flags(held: Records, columns: Iterable[str]) -> tuple[Records, list[str]]:
    """The records with a copy of each column that only says whether there is a value, and the copies' names."""
    copies = []
    for column in columns:
        copy = unused_name(f"{column} is there", held.columns)
        values = held.values(column)
        labels = Labels.as_they_come(values, np.full(len(values), "yes", dtype=object), missing="no")
        held = held.copy_column(column, copy).recode(copy, labels)
        copies.append(copy)
    return held, copies


def have_several_values(classes: ClassTable) -> np.ndarray:
    """bool per class: its persons have several values in an attribute."""
    several = np.zeros(classes.n_classes, dtype=bool)
    for name in classes.attributes:
        several |= [hasattr(value, "members") for value in classes.column(name)]
    return several
