"""Columns in which spellings are read as one value, and what that means for what is counted."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.reading.labelled import few_values
from anonlib.values.spellings import groups_read_as_one


@dataclass(frozen=True)
class Spelled:
    """A column in which spellings are read as one value.

    Attributes
    ----------
    column : str
        Its name.
    spellings, values : int
        How many spellings are read as others too, and how many values these are.
    """

    column: str
    spellings: int
    values: int


def spelled_differently(data: Dataset, columns: Iterable[str]) -> tuple[Spelled, ...]:
    """The columns, of some, in which spellings are read as one value.

    Parameters
    ----------
    data : Dataset
        The records.
    columns : Iterable[str]
        Columns of theirs.

    Returns
    -------
    tuple of Spelled
        In the order of the columns; none for a column with more than a million values in an engine.
    """
    found = ((name, groups_read_as_one(few_values(data.held, name))) for name in columns)
    return tuple(Spelled(name, sum(map(len, groups)), len(groups)) for name, groups in found if groups)


def spelled_in_words(found: Collection[Spelled]) -> str:
    """What is counted of spellings that are read as one value, in sentences.

    Parameters
    ----------
    found : Collection[Spelled]
        As of :func:`spelled_differently`.

    Returns
    -------
    str
        It names no value; "" of no column.
    """
    if not found:
        return ""
    spellings, values = sum(each.spellings for each in found), sum(each.values for each in found)
    return (
        f"In {words.quoted([each.column for each in found])}, {spellings:,} spellings are read as "
        f"{words.count(values, 'values')}. They count as one value each for what can be learned of a person, and as "
        "several for who can be found: whichever is stricter."
    )
