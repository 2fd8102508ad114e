"""What a criterion takes to be known of the rows of a person, where persons have several."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.counting.privacy_models import ALL, ONE, VALUES, RowsKnown, checked_rows, in_short, who_knows
from anonlib.dataset import Dataset
from anonlib.release.unprotected import BothEnds, both_ends

LINKED: Literal["linked"] = "linked"
"""All rows of a person where they can be linked, else one row."""
Rows = tuple[RowsKnown | Literal["linked"], ...]
USUAL: Rows = (ONE, VALUES)
"""Somebody saw a person once, or knows the values of each column."""
_SELDOM = 0.1  # of the persons for whom a column would change if their rows were anybody's


def checked(value: Any) -> Rows:
    """What may be known of rows, of one item or a list of them, each once.

    Raises
    ------
    InputError
        When an item is none: a number of rows, “values”, “all” or “linked”.
    """
    given = tuple(value) if isinstance(value, list | tuple) else (value,)
    if not given:
        raise InputError(
            "Say what may be known of a person's visits, which are rows: 1, a number of rows, “values”, “all” or "
            "“linked”.",
            code="knowledge-unclear",
        )
    return tuple(dict.fromkeys(LINKED if rows_known == LINKED else checked_rows(rows_known) for rows_known in given))


@dataclass(frozen=True)
class Linking:
    """Whether the rows of a person can be linked.

    Attributes
    ----------
    several : bool
        Some person has several rows in the release.
    by : tuple[str, ...], default ()
        The columns that tell: the person id where it leaves; else columns that do not change for a person, or for few,
        and that together are shared by fewer than k; none where nothing does.
    for_few : bool, default False
        Some of these change for a few persons.
    """

    several: bool
    by: tuple[str, ...] = ()
    for_few: bool = False

    @property
    def is_linked(self) -> bool:
        """Whether somebody can put the rows of a person together."""
        return bool(self.by)


def linking(released: Dataset, k: int) -> Linking:
    """Whether the rows of a person can be linked in a release.

    A person id that leaves tells it. So do the columns that do not change for a person, such as a birth date, where
    somebody has several rows alike in all of these, and fewer than k persons have such a row, themselves included. A
    slip of the pen here and there does not hide the other rows: looked at are the columns that change for nobody, and
    these with those that change for at most a tenth of the persons for whom they would if rows were anybody's.
    """
    person = released.person_id
    if person is None or not released.has_several_rows:
        return Linking(False)
    if person in released.columns:
        return Linking(True, (person,))
    changing = released.held.changing_within(person, released.columns)
    never = tuple(name for name, persons in changing.items() if not persons)
    seldom = tuple(name for name, persons in changing.items() if not persons or _is_seldom(released, name, persons))
    for columns in dict.fromkeys((never, seldom)):
        if columns and _tell(released, columns, k):
            return Linking(True, columns, columns != never)
    return Linking(True)


def _tell(released: Dataset, columns: Sequence[str], k: int) -> bool:
    """Whether somebody has several rows alike in some columns, and fewer than k persons have such a row."""
    table = released.persons(list(columns))
    having = np.bincount(table.row, weights=table.persons[table.profile])
    return bool(((table.times > 1) & (having[table.row] < k)).any())


def _is_seldom(released: Dataset, column: str, changing: int) -> bool:
    """Whether a column changes for few of the persons for whom it would if rows were anybody's.

    A column of which nearly all rows have one value changes for few in any case, and tells nothing by it.
    """
    table, sizes = released.persons([]), released.held.sizes_of(column)
    shares = sizes.records / released.n_records
    alike = [float((sizes.values * shares**n).sum()) for n in table.times.tolist()]
    return changing <= _SELDOM * float(table.persons @ (1 - np.array(alike)))


def known(rows: Rows, link: Linking) -> tuple[RowsKnown, ...]:
    """What that comes to in a release. Where every person has one row, all is the same, and one item is enough."""
    if not link.several:
        return (VALUES,)
    of_linked = ALL if link.is_linked else ONE
    return tuple(dict.fromkeys(of_linked if rows_known == LINKED else rows_known for rows_known in rows))


def ends_of(released: Dataset, k: int, rows: Rows, unknowable: Container[str] = ()) -> BothEnds | None:
    """Both ends while columns are undecided, by what is taken to be known of rows: see :func:`both_ends`.

    Parameters
    ----------
    released : Dataset
        The release.
    k : int
        The size below which a group is small.
    rows : Rows
        By which rows a person is known, where persons have several: each of these is looked at.
    unknowable : Container[str], default ()
        Columns that nobody outside can know.

    Returns
    -------
    BothEnds | None
    """
    return both_ends(released, k, known(rows, linking(released, k)), unknowable)


def of_rows(rows: Iterable[RowsKnown]) -> str:
    """What is known, as ``one visit known or the values of each column known``.

    Parameters
    ----------
    rows : Iterable[RowsKnown]
        What may be known of the rows of a person, one or more.

    Returns
    -------
    str
    """
    return words.listed([in_short(rows_known) for rows_known in rows], last="or")


def against_whom(rows: Rows) -> str:
    """Against whom it is asked, as ``who saw a person once, and who knows all visits of a person``."""
    named = [
        f"{who_knows(ALL)} where they can be linked, else {who_knows(ONE)}"
        if rows_known == LINKED
        else who_knows(rows_known)
        for rows_known in rows
    ]
    return ", and ".join(named)


def by_column(records: Mapping[str, int]) -> str:
    """How many are concerned by each column, most first, as a sentence; "" where it is one column that concerns."""
    ordered = sorted(((column, number) for column, number in records.items() if number), key=lambda item: -item[1])
    named = [f"{number:,} by {column}" for column, number in ordered]
    return f" Of these, {words.listed(named, most=len(named))}." if len(named) > 1 else ""


def by_rows(records: Mapping[RowsKnown, int]) -> str:
    """How many are concerned by what is known, most first: ``976 (all visits known), 9 (one visit known)``."""
    ordered = sorted(records.items(), key=lambda item: -item[1])
    return words.listed([f"{number:,} ({in_short(rows)})" for rows, number in ordered])
