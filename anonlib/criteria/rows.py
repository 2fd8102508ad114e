"""What a criterion takes to be known of the rows of a person, where persons have several."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from anonlib import words
from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.guarantees import ALL, ONE, VALUES, RowsKnown, checked_rows, in_short
from anonlib.release.undecided import BothEnds, both_ends

LINKED: Literal["linked"] = "linked"
"""All rows of a person where rows can be told to be of one person, else one row."""
Rows = tuple[RowsKnown | Literal["linked"], ...]
USUAL: Rows = (ONE, VALUES)
"""Somebody saw a person once, or knows the values of each column."""


def checked(value: Any) -> Rows:
    """What may be known of rows, of one item or a list of them, each once.

    Raises
    ------
    InputError
        When an item is none: a number of rows, “values”, “all” or “linked”.
    """
    given = tuple(value) if isinstance(value, list | tuple) else (value,)
    if not given:
        raise InputError("Say what may be known of a person's rows: 1, a number of rows, “values”, “all” or “linked”.")
    return tuple(dict.fromkeys(LINKED if each == LINKED else checked_rows(each) for each in given))


@dataclass(frozen=True)
class Linking:
    """Whether the rows of a person can be told to be of one person.

    Attributes
    ----------
    several : some person has several rows in the release.
    by : the columns that tell: the person id where it leaves; else columns that do not change for a person and that
        together are shared by fewer than k; none where nothing does.
    """

    several: bool
    by: tuple[str, ...] = ()

    @property
    def is_linked(self) -> bool:
        """Whether somebody can put the rows of a person together."""
        return bool(self.by)


def linking(released: Dataset, k: int) -> Linking:
    """Whether the rows of a person can be told to be of one person in a release.

    A person id that leaves tells it. So do the columns that do not change for any person, such as a birth date, where
    somebody of several rows shares them with fewer than k persons, themselves included.
    """
    person = released.person_id
    if person is None or not released.has_several_rows:
        return Linking(False)
    if person in released.columns:
        return Linking(True, (person,))
    constant = released.held.constant_within(person, released.columns)
    if not constant:
        return Linking(True)
    table = released.persons(list(constant))
    row, n_rows = table.row[table.start[:-1]], table.times[table.start[:-1]]  # of each profile the only one
    sharing = np.bincount(row, weights=table.persons)[row]
    return Linking(True, constant if ((n_rows > 1) & (sharing < k)).any() else ())


def known(rows: Rows, link: Linking) -> tuple[RowsKnown, ...]:
    """What that comes to in a release. Where every person has one row, all is the same, and one item is enough."""
    if not link.several:
        return (VALUES,)
    of_linked = ALL if link.is_linked else ONE
    return tuple(dict.fromkeys(of_linked if each == LINKED else each for each in rows))


def ends_of(released: Dataset, k: int, rows: Rows, unknowable: Container[str] = ()) -> BothEnds | None:
    """Both ends while columns are undecided, by what is taken to be known of rows: see :func:`both_ends`."""
    return both_ends(released, k, known(rows, linking(released, k)), unknowable)


def of_rows(rows: Iterable[RowsKnown | Literal["linked"]]) -> str:
    """What is known, as ``one row or the values of each column``."""
    named = ["all rows where they can be linked, else one row" if each == LINKED else in_short(each) for each in rows]
    return words.listed(named, last="or")


def by_rows(records: Mapping[RowsKnown, int]) -> str:
    """How many are concerned by what is known, most first: ``976 by all rows, 9 by one row``."""
    ordered = sorted(records.items(), key=lambda item: -item[1])
    return words.listed([f"{number:,} by {in_short(rows)}" for rows, number in ordered])
