"""A release of several tables: each table's rows again, with new keys that are the same in all of them.

Rows in memory come first. At the end are the tables of a release whose records stay in an engine, each as it leaves.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from anonlib.counting.classes.rows_of_persons import bar_between
from anonlib.dataset import Dataset
from anonlib.reading.records import TableRecords
from anonlib.reading.records.layout import TablePlace, TablesLayout
from anonlib.reading.tables.lists import MARKS
from anonlib.release.files.archive import ZipArchive
from anonlib.release.files.rows import ReleasedColumn, ReleasedRows

if TYPE_CHECKING:
    import ibis.expr.types as ir


def split(rows: ReleasedRows, released: Dataset, rng: np.random.Generator) -> dict[str, ReleasedRows]:
    """The tables that the rows of a release are of.

    Parameters
    ----------
    rows : ReleasedRows
        The rows of all tables, as they leave.
    released : Dataset
        What they are of, in memory, with its tables.
    rng : np.random.Generator
        numpy.random.Generator Draws the numbers that are keys between tables.

    Returns
    -------
    dict of ReleasedRows
        By table its rows in the order in which they leave: its own columns, under the names of its file, as far as they
        leave, in that order. A key names the same row in every table; one that names no row that leaves is empty.
    """
    layout, order = released.tables, rows.order
    assert layout is not None and order is not None
    frame = released.records
    leaving = {column.name: column for column in rows.columns}
    whole = _Whole(
        layout,
        leaving,
        np.asarray(frame[layout.table].astype(object))[order],
        {place.name: np.asarray(frame[place.row].array.codes)[order] for place in layout.tables if place.row},
    )
    if layout.person in leaving:  # else no key leaves: it would tie rows
        keys = {place.row: _drawn(whole.row[place.name], rng, place.row) for place in layout.tables if place.keys}
        whole = replace(whole, leaving=leaving | keys)
    files = {}
    for place in layout.files:
        own = np.flatnonzero(whole.table == place.name)
        columns = [_column_of(name, place, whole, own) for name in place.file_columns]
        files[place.name] = ReleasedRows(
            tuple(column for column in columns if column is not None), len(own), order[own]
        )
    return files


def columns_that_leave(released: Dataset) -> list[str]:
    """The names of the columns that leave: of one file in its order, of several tables as in the records."""
    layout = released.tables
    if layout is None or len(layout.files) > 1:
        return released.columns
    (place,) = layout.files
    return [name for name in place.file_columns if layout.leaves_as(place, name) in released.columns]


@dataclass(frozen=True, eq=False)
class _Whole:
    """The rows of all tables as they leave.

    Attributes
    ----------
    layout : TablesLayout
        Where the tables lie.
    leaving : Mapping[str, ReleasedColumn]
        The columns that leave, by their names.
    table : np.ndarray
        Object array, per row the name of its table.
    row : Mapping[str, np.ndarray]
        By table that others hang below, per row a number of its row of that table, -1 for none.
    """

    layout: TablesLayout
    leaving: Mapping[str, ReleasedColumn]
    table: np.ndarray
    row: Mapping[str, np.ndarray]


def _column_of(name: str, place: TablePlace, whole: _Whole, own: np.ndarray) -> ReleasedColumn | None:
    """A column of a table's file, of the table's rows; None where it does not leave."""
    column = whole.leaving.get(whole.layout.leaves_as(place, name))
    if column is None:
        return None
    table = whole.layout.table_of(column.name)
    if table is not None and table.mark:
        return _lists(name, column, table, whole, own)
    return _of_rows(replace(column, name=name), own)


def _lists(name: str, column: ReleasedColumn, items: TablePlace, whole: _Whole, own: np.ndarray) -> ReleasedColumn:
    """The items of each row in a cell again, in the order of their labels, with a mark that no label has."""
    row = whole.row[items.parent]
    of_items = np.flatnonzero((whole.table == items.name) & (column.codes >= 0))
    of_items = of_items[np.lexsort((column.codes[of_items], row[of_items]))]
    labels = column.labels.astype(object)
    mark = next((mark for mark in (items.mark, *MARKS) if not any(mark in label for label in labels)), None)
    mark = bar_between(labels) if mark is None else mark
    texts = np.full(int(row.max(initial=-1)) + 2, None, dtype=object)  # the last one: of no row
    starts = np.flatnonzero(np.diff(row[of_items], prepend=-1)).tolist()
    for first, last in pairwise([*starts, len(of_items)]):
        texts[row[of_items[first]]] = mark.join(labels[column.codes[of_items[first:last]]])
    codes, distinct = pd.factorize(texts[row[own]])
    return ReleasedColumn(
        name, np.asarray(distinct, dtype=object), codes, None, False, column.meanings, column.described
    )


def _drawn(row: np.ndarray, rng: np.random.Generator, name: str) -> ReleasedColumn:
    """Numbers from 1, drawn at random, for the rows of a table that records belong to (-1: none)."""
    rows, codes = np.unique(row[row >= 0], return_inverse=True)
    labels = np.array([*map(str, rng.permutation(len(rows)) + 1), None], dtype=object)[:-1]
    of_record = np.full(len(row), -1)
    of_record[row >= 0] = codes
    return ReleasedColumn(name, labels, of_record, None, is_person=True)


def _of_rows(column: ReleasedColumn, rows: np.ndarray) -> ReleasedColumn:
    """A column of some rows, with the labels that occur there."""
    codes = column.codes[rows]
    used, place = np.unique(codes[codes >= 0], return_inverse=True)
    new = np.full(len(codes), -1)
    new[codes >= 0] = place
    numbers = None if column.numbers is None else column.numbers[used]
    return replace(column, labels=column.labels[used], codes=new, numbers=numbers)


def zipped(tables: Mapping[str, ReleasedRows], ending: str, write: Callable[[ReleasedRows], bytes]) -> bytes:
    """A file a table, in a zip."""
    packed = io.BytesIO()
    with ZipArchive(packed) as archive:
        for name, rows in tables.items():
            with archive.member(f"{name}.{ending}") as member:
                member.write(write(rows))
    return packed.getvalue()


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
