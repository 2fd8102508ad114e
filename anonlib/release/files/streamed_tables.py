"""The tables of a release whose records stay in an engine, each as it leaves."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from anonlib.dataset import Dataset
from anonlib.reading.records import TableRecords

if TYPE_CHECKING:
    import ibis.expr.types as ir

Leaving = tuple[str, "ir.Table", dict[str, str]]


def tables_that_leave(held: TableRecords, released: Dataset, secret: bytes) -> Iterator[Leaving]:
    """The tables of a release, one after the other.

    Parameters
    ----------
    held : TableRecords
        The records of all tables, with what names persons in the release.
    released : Dataset
        What is to leave.
    secret : bytes
        Decides the numbers that are keys between tables.

    Yields
    ------
    tuple of str, Table and dict
        The table's name, its rows under the names of its file, and by these names of the records.
    """
    layout = released.tables
    assert layout is not None
    leaving = set(released.columns)
    if layout.person in leaving:  # else no key leaves: it would tie rows
        for place in layout.tables:
            if place.keys:
                held = held.renumber(place.row, hashlib.sha256(secret + place.name.encode()).digest())
                leaving.add(place.row)
    for place in layout.files:
        named = {name: layout.leaves_as(place, name) for name in place.file_columns}
        columns = {name: column for name, column in named.items() if column in leaving}
        rows = held.table.filter(held.cell(layout.table) == place.name)
        yield place.name, rows.select(**{name: rows[column] for name, column in columns.items()}), columns
