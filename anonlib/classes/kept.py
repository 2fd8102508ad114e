"""Class tables that were counted in an engine, kept with the records: what follows from them is not asked for again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING

from anonlib.records import TableRecords

if TYPE_CHECKING:
    from anonlib.classes.table import ClassTable

_MOST_CELLS = 200_000_000
"""Codes of all tables that are kept of some records, 4 bytes each."""


def kept(records: TableRecords, names: list[str], counted_by: Hashable, count: Callable[[], ClassTable]) -> ClassTable:
    """The class table of some attributes: from one with more of them where that is kept, else counted now, and kept.

    Parameters
    ----------
    records
        Those that are counted.
    names
        The attributes, in the order that the result has them.
    counted_by
        What tells tables apart beside their attributes.
    count
        Counts them; a missing value is a value.
    """
    tables: list[ClassTable] = records.found.setdefault(("class tables", counted_by), [])
    larger = [table for table in tables if set(names) <= set(table.attributes)]
    if larger:
        table = min(larger, key=lambda table: table.n_classes)
        if list(table.attributes) == names:
            return table
    found = table.project(names) if larger else count()
    tables.append(found)
    while len(tables) > 1 and sum(table.codes.size for table in tables) > _MOST_CELLS:
        tables.pop(0)
    return found
