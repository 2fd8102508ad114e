"""Class tables that were counted in an engine, kept with the records: what follows from them is not asked for again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from typing import Protocol, TypeVar

import numpy as np

from anonlib.basics.stores import Store
from anonlib.counting.classes.database import TooManyClasses
from anonlib.reading.records import TableRecords

_MOST_BYTES = 800_000_000
"""Codes of all tables that are kept of some records, 4 bytes each."""


class TableRequest(Protocol):
    """What is asked of a class table here."""

    @property
    def attributes(self) -> tuple[str, ...]: ...
    @property
    def codes(self) -> np.ndarray: ...
    def project(self: T, attributes: list[str]) -> T: ...


T = TypeVar("T", bound=TableRequest)


def stored(records: TableRecords, names: list[str], counted_by: Hashable, count: Callable[[], T]) -> T:
    """The class table of some attributes: from one with more of them where that is kept, else counted now, and kept.

    Parameters
    ----------
    records : TableRecords
        Those that are counted.
    names : list[str]
        The attributes, in the order that the result has them.
    counted_by : Hashable
        What tells tables apart beside their attributes.
    count : Callable[[], T]
        Counts them; a missing value is a value.

    Raises
    ------
    TooManyClasses
        As ``count`` does; it is not called again for what has more classes still.
    """
    tables, refused = records.found.setdefault(("class tables", counted_by), (Store(_MOST_BYTES, _size), []))
    larger: list[T] = [table for table in tables.values() if set(names) <= set(table.attributes)]
    if larger:
        table = min(larger, key=lambda table: len(table.codes))
        if list(table.attributes) == names:
            return tables.held(tuple(names)) or table
    elif too_many := next((columns for columns in refused if columns <= set(names)), None):
        raise TooManyClasses(names if too_many == set(names) else [name for name in names if name in too_many])
    try:
        class_table = table.project(names) if larger else count()
    except TooManyClasses:
        refused.append(set(names))
        raise
    tables.put(tuple(names), class_table)
    return class_table


def _size(table: TableRequest, known: Collection[object]) -> int:
    return table.codes.nbytes
