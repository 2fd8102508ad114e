"""Columns that may be keys: by their names and their values, and where no name says it by their values alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonlib.reading.records import TableRecords
from anonlib.reading.tables.comparing import Comparing, Fit
from anonlib.reading.tables.names import evidence, of_column, of_table
from anonlib.reading.tables.omop import is_defined

ENOUGH = 0.9
"""Share of the filled cells of a key that must be in the parent's column."""
DEFINED, BY_NAME, BY_THING, BY_ANY_ID, BY_VALUES = 4, 3, 2, 1, 0
"""How clear a key is: defined by the OMOP model, by its name (see :func:`.names.evidence`), or by values alone."""
_FILLED = 0.9  # share of a table's rows that must have an own id
_FEWEST = 50  # different values from which on they may be a key without a name that says so
_SHORTEST = 4  # characters of such values
_DENSE = 0.01  # share of the whole numbers of a range from which on others can be among them by chance
_LOOKED_AT = 200  # values that are looked at before all are
_HALF = 0.5  # share of these that must be among another column's
_NO_ID = re.compile(r"\s|\d[.,]\d|^\d{4}-\d\d|\d[/:]\d")  # blanks, decimals, dates and times
_WHOLE = re.compile(r"[0-9]{1,18}")


@dataclass(frozen=True)
class Candidate:
    """A column that may name rows of another table.

    Attributes
    ----------
    table, column, parent, parent_column : str
        As of a :class:`anonlib.reading.tables.model.Key`.
    strength : int
        How clear it is.
    fit : Fit
        How its values lie in the parent's.
    one_a_parent : bool
        Whether no two rows name the same one.
    """

    table: str
    column: str
    parent: str
    parent_column: str
    strength: int
    fit: Fit
    one_a_parent: bool

    @property
    def names_parent(self) -> bool:
        """Whether the parent's column is, by its name, the id of the parent's own rows."""
        return not of_column(self.parent_column).core or _is_own(self.parent, self.parent_column)

    @property
    def fits(self) -> bool:
        """Whether enough of its values are among the parent's."""
        return self.fit.share >= ENOUGH


def unique_columns(comparing: Comparing, table: str, columns: list[str]) -> list[str]:
    """Those whose values are all different, and hardly ever missing."""
    comparing.count(table, columns)
    found = {column: comparing.cells(table, column) for column in columns}
    return [name for name, each in found.items() if each.are_unique and each.filled >= _FILLED * each.rows]


def by_name(comparing: Comparing) -> Iterator[Candidate]:
    """Columns that may be keys by their names, whether their values fit or not."""
    for parent, parent_table in comparing.tables.items():
        meanings = {column: of_column(column) for column in parent_table.columns}
        ids = [column for column, meaning in meanings.items() if meaning.is_id or meaning.is_number]
        asked = [
            (table, column, parent_column, strength)
            for table, each in comparing.tables.items()
            if table != parent
            for column in each.columns
            for parent_column in ids
            if (strength := _strength(table, column, parent, parent_column))
        ]
        unique = unique_columns(comparing, parent, list(dict.fromkeys(column for *_, column, _ in asked)))
        for table, column, parent_column, strength in asked:
            if parent_column in unique:
                found = _candidate(comparing, table, column, parent, parent_column, strength)
                if found is not None and not (strength == BY_ANY_ID and _by_chance(comparing, found)):
                    yield found


def _strength(table: str, column: str, parent: str, parent_column: str) -> int:
    defined = is_defined(table, column, parent, parent_column)
    if defined is not None:
        return DEFINED if defined else 0
    if _is_own(table, column) and not _is_own(parent, parent_column):
        return 0  # a row of visits is not below what names a visit, even where each visit is named once
    return evidence(column, parent_column, parent)


def _is_own(table: str, column: str) -> bool:
    """Whether a column is, by its name, the id of the table's own rows."""
    own, rows = of_column(column), of_table(table)
    return own.core != () and (own.core == rows.core or (own.thing != "" and own.thing == rows.thing))


def _candidate(
    comparing: Comparing, table: str, column: str, parent: str, parent_column: str, strength: int
) -> Candidate | None:
    fit = comparing.fit(table, column, parent, parent_column)
    if fit is None or not fit.filled:
        return None
    one_a_parent = fit.inside == fit.values_inside
    return Candidate(table, column, parent, parent_column, strength, fit, one_a_parent)


def _by_chance(comparing: Comparing, found: Candidate) -> bool:
    """Whether two columns that only have “id” for a name may number different things: 1, 2, 3, … in both."""
    if not found.one_a_parent:
        return False
    if isinstance(comparing.tables[found.parent].records, TableRecords):
        return True
    return not _far_apart(comparing.tables[found.parent].records.values(found.parent_column))


def by_values(comparing: Comparing, table: str) -> Iterator[Candidate]:
    """Keys of a table that no name says: many different values that look like ids, and are another table's own.

    They are looked for in memory alone; in an engine each pair of columns would take a pass over both.
    """
    children = [column for column in comparing.tables[table].columns if _may_be_ids(comparing, table, column)]
    for parent in comparing.tables if children else ():
        if parent == table:
            continue
        own = [column for column in comparing.tables[parent].columns if _may_be_ids(comparing, parent, column)]
        for parent_column in unique_columns(comparing, parent, own):
            values = comparing.tables[parent].records.values(parent_column)
            likely = _mostly_among(comparing, table, children, values) if _far_apart(values) else []
            found = (_candidate(comparing, table, column, parent, parent_column, BY_VALUES) for column in likely)
            yield from (each for each in found if each is not None and each.fits)


def _mostly_among(comparing: Comparing, table: str, columns: list[str], values: np.ndarray) -> list[str]:
    """Columns of which half of the values that are looked at are among others: all are compared of these alone."""
    others = pd.Index(values, dtype=object)
    drawn = {column: _drawn(comparing.tables[table].records.values(column)) for column in columns}
    return [column for column, texts in drawn.items() if (others.get_indexer(texts) >= 0).mean() >= _HALF]


def _may_be_ids(comparing: Comparing, table: str, column: str) -> bool:
    records = comparing.tables[table].records
    if isinstance(records, TableRecords):
        return False
    values = records.values(column)
    if len(values) < _FEWEST:
        return False
    return all(
        len(text) >= _SHORTEST and any(letter.isdigit() for letter in text) and not _NO_ID.search(text)
        for text in _drawn(values)
    )


def _drawn(values: np.ndarray) -> np.ndarray:
    """Some of the values, evenly over their order."""
    return values[np.unique(np.linspace(0, len(values) - 1, _LOOKED_AT).astype(int))]


def _far_apart(values: np.ndarray) -> bool:
    """Whether values are no whole numbers, or so far apart that others are hardly among them by chance."""
    if not all(_WHOLE.fullmatch(value) for value in values):
        return True
    numbers = [int(value) for value in values]
    return len(numbers) < _DENSE * (max(numbers) - min(numbers) + 1)


def persons_by_name(comparing: Comparing, table: str) -> list[str]:
    """The columns of a table that are ids of persons by their names; of a table of persons also its plain “id”."""
    of_persons = of_table(table).thing == "person"
    meanings = {column: of_column(column) for column in comparing.tables[table].columns}
    return [
        column
        for column, meaning in meanings.items()
        if meaning.thing == "person" or (of_persons and (meaning.is_plain or meaning.is_number))
    ]
