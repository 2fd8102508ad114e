"""A release of several tables: each table's rows again, with new keys that are the same in all of them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pandas as pd

from anonlib.dataset import Dataset
from anonlib.reading.records.layout import Layout, TablePlace
from anonlib.reading.tables.lists import MARKS
from anonlib.release.files.rows import ReleasedColumn, ReleasedRows

_MADE = (1980, 1, 1, 0, 0, 0)  # of members of a zip: the same release is the same bytes


def split(rows: ReleasedRows, released: Dataset, rng: np.random.Generator) -> dict[str, ReleasedRows]:
    """The tables that the rows of a release are of.

    Parameters
    ----------
    rows : ReleasedRows
        The rows of all tables, as they leave.
    released : Dataset
        What they are of, in memory, with its tables.
    rng : numpy.random.Generator
        Draws the numbers that are keys between tables.

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
    keys = {place.name: _drawn(whole.row[place.name], rng, place.name) for place in layout.tables if place.key}
    found = {}
    for place in layout.tables:
        if not place.mark:
            own = np.flatnonzero(whole.table == place.name)
            columns = [_column_of(name, place, whole, keys, own) for name in place.file_columns]
            found[place.name] = ReleasedRows(tuple(each for each in columns if each is not None), len(own), order[own])
    return found


@dataclass(frozen=True, eq=False)
class _Whole:
    """The rows of all tables as they leave.

    Attributes
    ----------
    layout : where the tables lie.
    leaving : the columns that leave, by their names.
    table : object array, per row the name of its table.
    row : by table that others hang below, per row a number of its row of that table, -1 for none.
    """

    layout: Layout
    leaving: Mapping[str, ReleasedColumn]
    table: np.ndarray
    row: Mapping[str, np.ndarray]


def _column_of(
    name: str, place: TablePlace, whole: _Whole, keys: Mapping[str, ReleasedColumn], own: np.ndarray
) -> ReleasedColumn | None:
    """A column of a table's file, of the table's rows; None where it does not leave."""
    layout, column = whole.layout, None
    persons = whole.leaving.get(layout.person)
    if name == place.key:
        column = keys[place.name] if persons is not None else None  # without persons no key leaves: it would tie rows
    elif name == place.parent_column and layout.by_name[place.parent].key:
        column = keys[place.parent] if persons is not None else None
    elif name in (place.person, place.parent_column):
        column = persons
    elif name in place.named:
        column = whole.leaving.get(place.named[name])
    else:
        items = next(each for each in layout.tables if each.parent == place.name and each.mark and name in each.named)
        return _lists(name, items, whole, own)
    return None if column is None else _of_rows(replace(column, name=name), own)


def _lists(name: str, items: TablePlace, whole: _Whole, own: np.ndarray) -> ReleasedColumn | None:
    """The items of each row in a cell again, in the order of their labels, with a mark that no label has."""
    column = whole.leaving.get(items.named[name])
    if column is None:
        return None
    of_items = np.flatnonzero((whole.table == items.name) & (column.codes >= 0))
    of_items = of_items[np.lexsort((column.codes[of_items], whole.row[items.parent][of_items]))]
    row = whole.row[items.parent][of_items]
    labels = column.labels.astype(object)
    mark = next(mark for mark in (items.mark, *MARKS, " || ") if not any(mark in label for label in labels))
    texts = np.full(int(max(row.max(initial=-1), whole.row[items.parent].max(initial=-1))) + 2, None, dtype=object)
    for first, last in pairwise([*np.flatnonzero(np.diff(row, prepend=-1)).tolist(), len(row)]):
        texts[row[first]] = mark.join(labels[column.codes[of_items[first:last]]])
    cells = texts[whole.row[items.parent][own]]
    codes, found = pd.factorize(cells)
    return ReleasedColumn(
        name, np.asarray(found, dtype=object), codes, None, False, column.is_recoded, column.meanings, column.described
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
    with zipfile.ZipFile(packed, "w") as archive:
        for name, rows in tables.items():
            member = zipfile.ZipInfo(f"{name}.{ending}", _MADE)
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, write(rows))
    return packed.getvalue()
