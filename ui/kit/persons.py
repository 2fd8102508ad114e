"""What records count with where persons have several rows: a person's value, or the set of those in their rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.rows_of_persons import ValueSet
from anonlib.dataset import Dataset
from anonlib.reading.tables import households
from ui.text import plain, printable

DIFFERING = "rows differ in"  # heading of a column
WHY = (
    f"“{DIFFERING}”: the person has several rows with differing values there and counts with the set of them, which "
    "few others share. Who knows the values of one row does not know that set."
)

BY_VALUES = (
    "Of persons with several rows, each a visit, this page counts the set of values in each column. What is found "
    "with one visit known, or all visits known, is counted by the verdict."
)


def say_how_counted(data: Dataset, also: str = "") -> None:
    """That persons with several rows are counted by their values here, where there are any, and where else by rows."""
    if data.has_several_rows:
        st.caption(" ".join(filter(None, (BY_VALUES, also, _of_households(data)))))


def say_of_households(data: Dataset) -> None:
    """What counts as a person, where the ids of persons are those of households."""
    if says := _of_households(data):
        st.caption(says)


def _of_households(data: Dataset) -> str:
    return plain(households.in_words(data.person_id))


def differing(classes: ClassTable, row: int) -> tuple[str, ...]:
    """The attributes in which the rows of the person(s) of a class differ."""
    values = zip(classes.attributes, classes.categories, classes.codes[row], strict=True)
    return tuple(name for name, categories, code in values if isinstance(categories[code], ValueSet))


def counted(classes: ClassTable, positions: np.ndarray) -> tuple[pd.DataFrame, list[str]]:
    """Of records (positions in the file) the values they count with, and in which attributes the person's rows differ.

    A set is written with bars between its values; the attributes are text, empty where there are none.
    """
    assert classes.class_of_record is not None
    rows = classes.class_of_record[positions]
    codes = classes.codes[rows]
    values = {name: classes.categories[j][codes[:, j]] for j, name in enumerate(classes.attributes)}
    frame = pd.DataFrame(values, index=pd.RangeIndex(len(rows)), dtype=object)
    return frame, [in_words(classes, row) for row in rows.tolist()]


def in_words(classes: ClassTable, row: int) -> str:
    """The attributes in which the rows of the person(s) of a class differ, as text; empty where there are none."""
    return ", ".join(map(printable, differing(classes, row)))
